#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Compiles kernel/ and the architecture's own code for each architecture of dev/check/archs:
# tracing without the function tracer, and its users there. There must be no warnings in our
# files, and no errors.

. "$(dirname "$0")/tap.sh"
. "$TOP/dev/lay.sh"

export linux=$BUILD/linux
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"$TOP/dev/deps.sh" archs
grep -v '^#' "$TOP/dev/check/archs" >"$work/archs"
our_files | grep '\.[chS]$' >"$work/ours"

# configured DEFAULT: $arch has the options of dev/config/archs that exist there
configured() {
	mkdir -p "$out"
	kernel_make "$out" "$1" && cat "$TOP/dev/config/archs" >>"$out/.config" &&
		kernel_make "$out" olddefconfig &&
		grep -q '^CONFIG_TRACING=y' "$out/.config"
}

set +e
tap_plan $(($(wc -l <"$work/archs") * 2))
while read -r arch cross default; do
	out=$BUILD/archs/$arch
	# Files that are up to date do not warn again
	rm -rf "$out/kernel/trace"
	configured "$default" >"$work/said" 2>&1 </dev/null &&
		kernel_make "$out" kernel/ "arch/$arch/" >"$work/said" 2>&1 </dev/null
	status=$?
	[ $status = 0 ] || grep -E 'error|Error' "$work/said" | head -n 20 | sed 's/^/# /'
	tap $status "$arch.builds"
	grep -F -f "$work/ours" "$work/said" | grep -E 'warning:' | sort -u >"$work/found"
	sed 's/^/# /' "$work/found"
	[ ! -s "$work/found" ]
	tap $? "$arch.clean"
done <"$work/archs"
ktap_finished
