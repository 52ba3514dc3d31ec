#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Builds the kernel and its modules: tree in build/linux, objects in
# build/ARCH or in O.  The config is dev/config/ARCH and nothing else, FRAGMENT
# merged over it; with TINY=1 it is tinyconfig, FRAGMENT merged over that.
# TARGETS is what to build instead of all.

. "$(dirname "$0")/lib.sh"

check_arch
[ -z "$fragment" ] || [ -f "$fragment" ] || die "FRAGMENT=$fragment is not a file"
linux=$BUILD/linux
out=$(absolute "${outdir:-$BUILD/$arch}")
[ ! -e "$out" ] || [ -d "$out" ] || die "O=$outdir is not a directory"
log=$BUILD/log/build-$(basename "$out")

default=$TOP/dev/config/$arch

# Two kernels built at different times of the same source are the same.
export KBUILD_BUILD_TIMESTAMP='1970-01-01' KBUILD_BUILD_USER=ftrace KBUILD_BUILD_HOST=make
cc=gcc
if command -v ccache >/dev/null; then
	cc='ccache gcc'
	export CCACHE_BASEDIR="${CCACHE_BASEDIR:-$TOP}" CCACHE_NOHASHDIR=1
fi

# kernel_make OBJECTS ARGUMENT...
kernel_make() {
	objects=$1
	shift
	make -C "$linux" O="$objects" ARCH="$arch" CC="$cc" HOSTCC="$cc" -j"$JOBS" "$@"
}

# A config depends on what it is made of, and on every Kconfig.
config_stamp() {
	cat "$BUILD/base.stamp" "$default" ${fragment:+"$fragment"}
	echo "${TINY:-}"
	grep Kconfig "$BUILD/laid.stamp" || :
}

configure() {
	new=$(config_stamp)
	[ "$new" != "$(cat "$out/.config.stamp" 2>/dev/null)" ] || return 0
	stage "configuring"
	rm -rf "$out/.configure" "$out/.config.stamp"
	mkdir -p "$out/.configure"
	config=$out/.configure/.config
	if [ -n "${TINY:-}" ]; then
		logged "$log.config" kernel_make "$out/.configure" tinyconfig
	else
		logged "$log.config" kernel_make "$out/.configure" \
			KCONFIG_ALLCONFIG="$default" allnoconfig
	fi
	if [ -n "$fragment" ]; then
		cat "$fragment" >>"$config"
		logged "$log.config" kernel_make "$out/.configure" olddefconfig
	fi
	cmp -s "$config" "$out/.config" || cp "$config" "$out/.config"
	rm -rf "$out/.configure"
	echo "$new" >"$out/.config.stamp"
}

"$TOP/dev/deps.sh" run
"$TOP/dev/tree.sh"
mkdir -p "$out"
locked "$(echo "$out" | tr / _)"
configure
stage "building ($JOBS jobs, log in $log)"
# shellcheck disable=SC2086 # words
logged "$log" kernel_make "$out" ${TARGETS:-all}
