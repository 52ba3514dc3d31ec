#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Builds what is out of date, boots it in QEMU, and demonstrates tracing there, or runs the
# command line CMD.

. "$(dirname "$0")/lib.sh"

check_arch
export ARCH="$arch"
[ -z "${CMD+set}" ] || [ -n "$CMD" ] || die "CMD is empty"
out=$(absolute "${outdir:-$BUILD/$arch}")
[ -z "${CMD:-}" ] || export QUIET=1

O=$out FRAGMENT=$fragment "$TOP/dev/build.sh"
"$TOP/dev/image.sh" "$out"

stage "booting"
if [ -n "${CMD:-}" ]; then
	job=$(mktemp)
	trap 'rm -f "$job"' EXIT
	# $$name, the syntax of make in other places, is also accepted for $name
	printf '%s\n' "$CMD" | sed 's/\$\$\([A-Za-z_({?#@*]\)/$\1/g' >"$job"
	"$TOP/dev/qemu.sh" "$out" "$job"
elif [ -t 0 ] && [ -t 1 ]; then
	echo "in the guest's shell: poweroff ends it, Ctrl-a x kills it" >&2
	"$TOP/dev/qemu.sh" "$out"
else
	"$TOP/dev/qemu.sh" "$out" "$TOP/dev/guest/demo"
fi
stage "done"
