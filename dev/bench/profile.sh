#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Prints the functions in which the instructions of a row are spent, counted by QEMU while the
# guest measures. The kernel must have been built by make bench.
# usage: profile.sh ROWS|boot [SIDE] [CONFIG]

. "$(dirname "$0")/../lib.sh"

rows=${1:?usage: profile.sh ROWS [SIDE] [CONFIG]}
side=${2:-ours}
config=${3:-bench}
check_arch
out=$bench/$side/$config
[ -f "$out/System.map" ] || die "$out has no kernel: make bench"
plugin=$bench/count.so
logged "$BUILD/log/bench-plugin" gcc -O2 -Wall -shared -fPIC -o "$plugin" \
	"$TOP/dev/bench/count.c"

also=
[ "$rows" != boot ] || also=,boot=on
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
ARCH=$arch PLUGIN=$plugin,out=$work/counts$also APPEND=nokaslr "$TOP/dev/bench/run.sh" \
	"$side" "$config" "$rows" "$work/rows"
[ ! -s "$work/rows" ] || cut -f 3- "$work/rows"
"$TOP/dev/bench/profile.pl" "$out/System.map" "$work/counts" | head -n "${LINES:-40}"
