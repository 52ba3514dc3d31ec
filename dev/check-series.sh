#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Builds the tree after each patch of the series: tinyconfig with all options of the patches up
# to there; if a patch of dev/series requests it, also other kernels, and a boot. Results are
# remembered, so that the next run continues where this one ended. A patch that does not build is
# reported, and the run goes on with the next one.
#
# From the environment: MINUTES, after which no more builds are started; KERNELS, the kernels to
# build; ONLY, shell patterns for the names of patches. The default is all.
#
# Kernels, by the keywords after "builds" in dev/series:
#   tiny    is built for each patch that changes an input of a build
#   boot    boots that
#   bench   the config of the benchmark
#   arm64   tiny, for arm64
#   docs    no kernel: the pages about tracing, as HTML

. "$(dirname "$0")/lib.sh"
. "$TOP/dev/lay.sh"
. "$TOP/dev/history.sh"

[ -z "$tree" ] || die "TREE means nothing here"
ARCH=arm64 "$TOP/dev/deps.sh" all
"$TOP/dev/deps.sh" pages
locked series
NAME=check
history
python3 "$TOP/dev/series.py" branch "$repo" "$base" "$NAME"

dir=$BUILD/series
linux=$dir/tree
proven=$dir/proven
touch "$proven"
[ -d "$linux" ] || {
	stage "checking the base out"
	git -C "$repo" worktree prune
	git -C "$repo" worktree add -q --detach "$linux" "$base"
}
until=$((${MINUTES:-100000} * 60 + $(date +%s)))
commits=$(mktemp)
patches=$(mktemp)
trap 'rm -f "$commits" "$patches"' EXIT

# options: prints the options of kernel/trace/Kconfig that a user can set
options() {
	awk '/^(menu)?config / { name = $2 }
	     /^\t(bool|tristate) "/ { print "CONFIG_" name "=y" }' "$linux/kernel/trace/Kconfig"
}

# configure OBJECTS FRAGMENT...: tinyconfig and these; .config is touched only if it changes
configure() {
	out=$1
	shift
	new=$(cat "$@" | cat - "$dir/kconfig" | sha1sum)
	[ "$new" != "$(cat "$out/.config.stamp" 2>/dev/null)" ] || return 0
	mkdir -p "$out/.configure"
	logged "$BUILD/log/series-config" kernel_make "$out/.configure" tinyconfig
	cat "$@" >>"$out/.configure/.config"
	logged "$BUILD/log/series-config" kernel_make "$out/.configure" olddefconfig
	cmp -s "$out/.configure/.config" "$out/.config" || cp "$out/.configure/.config" "$out/.config"
	echo "$new" >"$out/.config.stamp"
}

# build KERNEL [TARGET]: builds one of the kernels that the first comment lists
build() {
	target=${2:-vmlinux}
	arch=x86_64
	case $1 in
	tiny | arm64)
		[ "$1" != arm64 ] || arch=arm64
		options >"$dir/options"
		set -- "$dir/o-$arch" "$TOP/dev/config/series" "$dir/options"
		;;
	bench) set -- "$dir/o-bench" "$TOP/dev/config/bench" ;;
	*) die "no kernel is called $1" ;;
	esac
	check_arch
	configure "$@"
	logged "$BUILD/log/series" kernel_make "$1" "$target"
	ours=$(grep -E '(kernel/trace/|ftrace).*warning:' "$BUILD/log/series" | head -n 3 || :)
	[ -z "$ours" ] || die "the compiler warns: $ours"
	ln -sf "$image" "$1/kernel.image"
}

boot() {
	build tiny all
	"$TOP/dev/image.sh" "$dir/o-x86_64"
	cat >"$dir/job" <<-'END'
		[ ! -d /sys/kernel/tracing ] || cd /sys/kernel/tracing
		echo function_graph >current_tracer && head -n 40 trace | grep -q '();'
	END
	"$TOP/dev/qemu.sh" "$dir/o-x86_64" "$dir/job" </dev/null ||
		die "the kernel does not trace functions after a boot"
}

# docs: builds our pages without warnings; the base's pages have some
docs() {
	logged "$BUILD/log/series-docs" make -C "$linux" O="$dir/docs" SPHINXDIRS=trace htmldocs
	ours=$(our_files | grep '^Documentation/.*rst$' | grep -F -f - "$BUILD/log/series-docs" |
		head -n 3 || :)
	[ -z "$ours" ] || die "sphinx warns: $ours"
}

# state_of COMMIT: a checksum of all inputs of a build
state_of() {
	{
		git -C "$repo" ls-tree "$1" | grep -v -e 'Documentation$' -e 'MAINTAINERS$' \
			-e 'tools$'
		git -C "$repo" ls-tree "$1" tools/ | grep -v 'testing$'
		cat "$TOP/dev/config/series" "$TOP/dev/config/bench"
	} | sha1sum | cut -c 1-40
}

# fits NAME: succeeds if NAME is one of the requested patches
fits() {
	for pattern in ${ONLY:-*}; do
		# shellcheck disable=SC2254 # a pattern on purpose
		case $1 in
		$pattern) return 0 ;;
		esac
	done
	return 1
}

git -C "$repo" rev-list --reverse "$base..$NAME" >"$commits"
count=$(wc -l <"$commits")
failed=
set -f
python3 "$TOP/dev/series.py" list >"$patches"
while read -r n name kernels subject; do
	fits "$name" || continue
	commit=$(sed -n "${n}p" "$commits")
	state=$(state_of "$commit")
	pages=$(git -C "$repo" rev-parse "$commit:Documentation")
	[ "$kernels" != - ] || kernels=
	for kernel in tiny $(echo "$kernels" | tr , ' '); do
		case " ${KERNELS:-$kernel} " in
		*" $kernel "*) ;;
		*) continue ;;
		esac
		[ "$kernel" != docs ] || state=$pages
		! grep -q "^$state $kernel\$" "$proven" || continue
		[ "$(date +%s)" -lt "$until" ] || {
			stage "time is up; make check-series goes on from here"
			[ -z "$failed" ] || die "these do not build:$failed"
			exit 1
		}
		stage "$n of $count, $kernel: $subject"
		git -C "$linux" checkout -q --detach "$commit"
		git -C "$repo" ls-tree -r "$commit" | grep Kconfig >"$dir/kconfig"
		# Not as a condition, in which the shell would ignore errors inside.
		set +e
		(
			set -e
			case $kernel in
			boot | docs) "$kernel" ;;
			*) build "$kernel" ;;
			esac
		)
		status=$?
		set -e
		if [ $status = 0 ]; then
			echo "$state $kernel" >>"$proven"
		else
			failed="$failed $name:$kernel"
		fi
	done
done <"$patches"
[ -z "$failed" ] || die "these do not build:$failed"
echo "each of the $count patches builds${KERNELS:+ as far as these go: $KERNELS}${ONLY:+ (of $ONLY)}"
