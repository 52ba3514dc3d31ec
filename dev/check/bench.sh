#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# make bench measures both kernels of an architecture, and a second run has the same results.

. "$(dirname "$0")/tap.sh"
check_arch
export ARCH="$arch"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
set +e
tap_plan 3

make -C "$TOP" bench ROWS=plain CONFIGS=bench >"$work/out" 2>&1 </dev/null
status=$?
[ $status = 0 ] || tail -n 20 "$work/out" | sed 's/^/# /'
tap $status bench.runs
cp "$bench/table.tsv" "$work/first"
awk -F '\t' '$2 == "plain" && $3 > 0 && $4 > 0 { found = 1 } END { exit !found }' "$work/first"
tap $? bench.figures-of-both
rm "$bench/table.tsv"
make -C "$TOP" bench ROWS=plain CONFIGS=bench >"$work/out" 2>&1 </dev/null &&
	cmp -s "$bench/table.tsv" "$work/first"
tap $? bench.repeats
