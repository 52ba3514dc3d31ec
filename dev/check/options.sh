#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Builds a small kernel with all of tracing except one option, for each option of
# kernel/trace/Kconfig that a user can switch off: the compiler and the linker must have no
# complaints.

. "$(dirname "$0")/tap.sh"

out=$BUILD/options
full=$TOP/dev/config/tiny/full
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# options with a prompt, including conditional ones
awk '$1 == "config" || $1 == "menuconfig" { option = $2 }
	$1 ~ /^(bool|tristate)$/ && / "/ { print option }' "$TOP/kernel/trace/Kconfig" |
	while read -r option; do
		! grep -qx "CONFIG_$option=y" "$full" || echo "$option"
	done >"$work/options"

# without OPTION: the config lacks it, and the kernel is built without a warning
without() {
	{
		cat "$full"
		echo "# CONFIG_$1 is not set"
	} >"$work/fragment"
	rm -f "$out/.warnings"
	BASE=tiny FRAGMENT=$work/fragment O=$out "$TOP/dev/build.sh" &&
		! grep "^CONFIG_$1=" "$out/.config" && [ ! -s "$out/.warnings" ]
}

set +e
tap_plan "$(wc -l <"$work/options")"
while read -r option; do
	without "$option" >"$work/said" 2>&1 </dev/null
	status=$?
	[ $status = 0 ] || cat "$work/said" "$out/.warnings" 2>/dev/null | tail -n 20 | sed 's/^/# /'
	tap $status "without.$option"
done <"$work/options"
ktap_finished
