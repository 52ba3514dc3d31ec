#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Builds the kernel and its modules: tree in build/linux, objects in build/ARCH or in O. The
# config is exactly dev/config/ARCH, with FRAGMENT merged over it.
#
# Also from the environment: BASE=tiny starts from tinyconfig instead. BASE=stock builds the
# kernel of the package, without the series. TARGETS are make targets to build instead of all,
# and may set variables as on make's command line.

. "$(dirname "$0")/lib.sh"

check_arch
[ -z "$fragment" ] || [ -f "$fragment" ] || die "FRAGMENT=$fragment is not a file"
[ "${BASE:-}" != stock ] && linux=$BUILD/linux || linux=$BUILD/stock
out=$(absolute "${outdir:-$BUILD/$arch}")
[ ! -e "$out" ] || [ -d "$out" ] || die "O=$outdir is not a directory"
log=$BUILD/log/build-$(basename "$out")

default=$TOP/dev/config/$arch

# ccache is among the packages. It must be installed before the first build, because kbuild
# builds everything again when the compiler's command line changes.
ARCH=$arch "$TOP/dev/deps.sh" run

# A config depends on its inputs, and on every Kconfig.
config_stamp() {
	cat "$BUILD/base.stamp" "$default" ${fragment:+"$fragment"}
	echo "${BASE:-}"
	[ "${BASE:-}" = stock ] || grep Kconfig "$BUILD/laid.stamp" || :
}

# kconfig ARGUMENT...: an option that selects an unavailable option is an error
kconfig() {
	logged "$log.config" kernel_make "$out/.configure" "$@"
	! grep -A 4 'unmet direct dependencies' "$log.config" >&2 ||
		die "the options of $(basename "$out") contradict each other"
}

configure() {
	new=$(config_stamp)
	[ "$new" != "$(cat "$out/.config.stamp" 2>/dev/null)" ] || return 0
	stage "configuring"
	rm -rf "$out/.configure" "$out/.config.stamp"
	mkdir -p "$out/.configure"
	config=$out/.configure/.config
	if [ "${BASE:-}" = tiny ]; then
		kconfig tinyconfig
	else
		kconfig KCONFIG_ALLCONFIG="$default" allnoconfig
	fi
	if [ -n "$fragment" ]; then
		cat "$fragment" >>"$config"
		kconfig olddefconfig
	fi
	cmp -s "$config" "$out/.config" || cp "$config" "$out/.config"
	rm -rf "$out/.configure"
	echo "$new" >"$out/.config.stamp"
}

"$TOP/dev/tree.sh" ${BASE:+"$BASE"}
mkdir -p "$out"
locked "$(echo "$out" | tr / _)"
configure
stage "building ($JOBS jobs, log in $log)"
# Files that are up to date do not warn again: keep the warnings for make check.
trap 'grep -i warning "$log" >>"$out/.warnings" || :' EXIT
# shellcheck disable=SC2086 # words
logged "$log" kernel_make "$out" ${TARGETS:-all}
ln -sf "$image" "$out/kernel.image"
