#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The table in ring/page.h lists all accesses of the ring buffer whose order matters to other
# CPUs. litmus_test of tools/testing/trace checks that they do what the table says.

. "$(dirname "$0")/tap.sh"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
litmus=$TOP/Documentation/litmus-tests/ring-buffer
ring=$TOP/kernel/trace/ring
set +e
# shellcheck disable=SC2046 # names without blanks
set -- $(cd "$litmus" && ls -- *.litmus)
tap_plan 5

# A label is in the function that it names.
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

# Labels of accesses that order nothing by themselves: a dependency or a grace period does.
plain='ring_of:A|ring_wait_of:A|ring_leave:B|ring_arm:A'
ordering='smp_(mb|rmb|wmb|store_release|load_acquire)[(]'
ordering=$ordering'|atomic64_(try_cmpxchg|xchg|fetch_or|read_acquire)[(]'

# In each file: a label, and the next line that is no comment.
awk -v ordering="$ordering" -v plain="^($plain)\$" '
FNR == 1 { label = "" }
match($0, /\/\* [a-z0-9_]+:[A-Z] \*\//) {
	label = substr($0, RSTART + 3, RLENGTH - 6)
	next
}
/^[[:space:]]*(\*|\/\*)/ { next }
label && $0 !~ ordering && label !~ plain { print "# " label " orders nothing: " $0 > missing }
!label && $0 ~ ordering { print "# " FILENAME ":" FNR ": no label: " $0 > unlabelled }
{ label = "" }
' missing="$work/missing" unlabelled="$work/unlabelled" "$ring"/[!e]*.[ch]
touch "$work/missing" "$work/unlabelled"
cat "$work/missing" "$work/unlabelled"
[ ! -s "$work/missing" ]
tap $? "each label has an access that orders"
[ ! -s "$work/unlabelled" ]
tap $? "each access that orders has a label"
