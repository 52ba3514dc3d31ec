# SPDX-License-Identifier: GPL-2.0
# Common beginning of every script of the driver: paths, lines with the current stage and the
# time, logs, and a way to abort.
# shellcheck shell=sh

set -eu
umask 022
export LC_ALL=C

TOP=$(cd "$(dirname "$0")" && pwd)
TOP=${TOP%/dev*}
BUILD=$TOP/build
. "$TOP/dev/base"

# Keep the variables that make was called with, and drop the state of make itself. ARCH and O
# have another meaning for the kernel's makefiles.
arch=${ARCH:-x86_64}
outdir=${O:-}
fragment=${FRAGMENT:-}
tree=${TREE:-}
unset ARCH O FRAGMENT TREE MAKEFLAGS MFLAGS MAKELEVEL MAKEOVERRIDES
unset CDPATH CROSS_COMPILE KBUILD_OUTPUT INSTALL_MOD_PATH GIT_DIR GIT_WORK_TREE

: "${JOBS:=$(nproc)}"
: "${DRIVER_START:=$(date +%s)}"
export JOBS DRIVER_START

# stage TEXT: prints the stage that begins now. With QUIET=1 it does so only on a terminal.
stage() {
	[ -z "${QUIET:-}" ] || [ -t 2 ] || return 0
	printf '[%4ds] %s\n' $(($(date +%s) - DRIVER_START)) "$*" >&2
}

# die TEXT [STATUS]: prints an error and exits
die() {
	echo "$(basename "$0" .sh): $1" >&2
	exit "${2:-1}"
}

# logged LOG COMMAND...: runs COMMAND with all its output in LOG. If it fails, the errors and
# the end of the output are shown.
logged() {
	log_of=$1
	shift
	mkdir -p "$(dirname "$log_of")"
	if ! "$@" >"$log_of" 2>&1 </dev/null; then
		grep -E -A 3 '(error|undefined reference|warning):|\*\*\*' "$log_of" |
			head -n 40 >&2 || :
		echo '...' >&2
		tail -n 10 "$log_of" >&2
		die "'$1' failed, all of its output is in $log_of"
	fi
}

# locked NAME: holds the lock NAME until the script ends, so that concurrent makes wait for each
# other. Only this function uses descriptor 9.
locked() {
	mkdir -p "$BUILD"
	exec 9>"$BUILD/.lock-$1"
	flock -n 9 && return
	stage "waiting for another make ($1)"
	flock 9
}

# archive DIRECTORY: prints it as a cpio archive, which depends only on its contents
archive() {
	find "$1" -exec touch -h -d @0 {} +
	(cd "$1" && find . | sort | cpio -o -H newc -R 0:0 --reproducible --quiet)
}

absolute() {
	case $1 in
	/*) echo "$1" ;;
	*) echo "$(pwd)/$1" ;;
	esac
}

# check_arch: exits if $arch is unknown, and sets the differences between architectures: the
# prefix of the compiler ($cross), the path of the built kernel ($image), the emulator ($qemu),
# and the machine's name in uname ($uname). $bench is the directory of the kernels of make
# bench.
check_arch() {
	case $arch in
	x86_64)
		# shellcheck disable=SC2034 # used by those who read this in
		cross='' image=arch/x86/boot/bzImage qemu=qemu-system-x86_64 uname=x86_64
		bench=$BUILD/bench
		;;
	arm64)
		# shellcheck disable=SC2034
		cross=aarch64-linux-gnu- image=arch/arm64/boot/Image qemu=qemu-system-aarch64
		uname=aarch64 bench=$BUILD/bench-arm64
		;;
	*) die "unknown ARCH '$arch': x86_64 or arm64" ;;
	esac
}

# kernel_make OBJECTS ARGUMENT...: runs make in the kernel tree $linux for $arch, after
# check_arch. Kernels that are built from the same source at different times are identical.
kernel_make() {
	objects=$1
	shift
	export CCACHE_BASEDIR="${CCACHE_BASEDIR:-$TOP}" CCACHE_NOHASHDIR=1
	export KBUILD_BUILD_TIMESTAMP='1970-01-01' KBUILD_BUILD_USER=ftrace KBUILD_BUILD_HOST=make
	# shellcheck disable=SC2154 # of those who read this in
	make -C "$linux" O="$objects" ARCH="$arch" CROSS_COMPILE="$cross" \
		CC="$TOP/dev/cc.sh ${cross}gcc" HOSTCC="$TOP/dev/cc.sh gcc" -j"$JOBS" "$@"
}
