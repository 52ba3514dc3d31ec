#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The accesses of the ring buffer whose order matters to other CPUs: the table
# in ring/page.h has all of them, and by the kernel's memory model they do what
# it says.

. "$(dirname "$0")/tap.sh"

"$TOP/dev/tree.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
litmus=$TOP/Documentation/litmus-tests/ring-buffer
ring=$TOP/kernel/trace/ring
set +e
# shellcheck disable=SC2046 # names without blanks
set -- $(cd "$litmus" && ls -- *.litmus)
tap_plan $(($# + 3))

# A label stands in the function that it names.
awk '
FNR == 1 { name = "" }
/^[a-z].*[a-z0-9_]\(/ && !/;$/ { match($0, /[a-z0-9_]+\(/)
	name = substr($0, RSTART, RLENGTH - 1) }
match($0, /\/\* [a-z0-9_]+:[A-Z] \*\//) {
	label = substr($0, RSTART + 3, RLENGTH - 6)
	print label >labels
	split(label, part, ":")
	if (part[1] != name)
		print "# " FILENAME ":" FNR ": " label " is in " name "()"
}' labels="$work/labels" "$ring"/*.[ch] >"$work/found"
cat "$work/found"
[ ! -s "$work/found" ] && [ -s "$work/labels" ]
tap $? "labels name their functions"

sed '/#include/q' "$ring/page.h" | grep -o '[a-z][a-z0-9_]*:[A-Z]\>' | sort -u >"$work/table"
sort -u "$work/labels" | diff "$work/table" - >"$work/found"
status=$?
sed 's/^/# /' "$work/found"
tap $status "the table has all of them"

sed '/#include/q' "$ring/page.h" | grep -o '[a-z-]*\.litmus' | sort -u >"$work/table"
printf '%s\n' "$@" | diff "$work/table" - >"$work/found"
status=$?
sed 's/^/# /' "$work/found"
tap $status "and names all litmus tests"

cd "$BUILD/linux/tools/memory-model" || exit
for file; do
	if ! command -v herd7 >/dev/null; then
		tap 0 "$file # SKIP there is no herd7 here"
		continue
	fi
	herd7 -conf linux-kernel.cfg "$litmus/$file" >"$work/said" 2>&1
	grep -q "^Observation .* $(sed -n 's/^ \* Result: //p' "$litmus/$file") " "$work/said"
	status=$?
	[ $status = 0 ] || sed 's/^/# /' "$work/said"
	tap $status "$file"
done
