#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The tables in ring/page.h and patch/patch.c list all accesses in these directories whose order
# matters to other CPUs. litmus_test of tools/testing/trace checks that the accesses of the ring
# buffer have the effects that its table claims.

. "$(dirname "$0")/tap.sh"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
litmus=$TOP/Documentation/litmus-tests/ring-buffer
rooms=$TOP/kernel/trace
set +e
tap_plan 9

# result ID: shows what was found; passes if nothing was
result() {
	sed 's/^\([^#]\)/# \1/' "$work/found"
	[ ! -s "$work/found" ]
	tap $? "$1"
}

# Labels of accesses that have no ordering themselves: a dependency or a grace period orders
# them.
plain='ring_of:A|ring_wait_of:A|ring_leave_outermost:B|ring_arm:A|ring_map_lost:A|ring_try_pending:A'
# Operations that return a value are fully ordered, unless their names have another order. The
# names of RCU operations imply their order.
ordering='smp_(mb|rmb|wmb|mb__[a-z_]+|store_mb|store_release|load_acquire)[(]'
ordering=$ordering'|atomic(64|_long)?_([a-z_]*(_return|_and_test|xchg|_negative)|fetch_[a-z]+'
ordering=$ordering'|[a-z_]+_(acquire|release)|add_unless|inc_not_zero)[(]'
ordering=$ordering'|(^|[^a-z0-9_])((try_)?cmpxchg|xchg|test_and_[a-z]+_bit)(_acquire|_release)?[(]'

# ordered TABLE DIRECTORY FILE...: checks the table of ordered accesses in these files
ordered() {
	table=$1 room=$2
	shift 2
	rm -f "$work"/*

	# A label is in the function that it names, with its reason: /* FUNCTION:LETTER: REASON */
	awk '
	FNR == 1 { name = "" }
	/^[a-z].*[a-z0-9_]\(/ && !/;$/ { match($0, /[a-z0-9_]+\(/)
		name = substr($0, RSTART, RLENGTH - 1) }
	match($0, /\/\* [a-z0-9_]+:[A-Z][: ]/) {
		label = substr($0, RSTART + 3, RLENGTH - 4)
		print label >labels
		split(label, part, ":")
		if (part[1] != name)
			print FILENAME ":" FNR ": " label " is in " name "()"
		if ($0 !~ /:[A-Z]: [a-z]/)
			print FILENAME ":" FNR ": " label " has no reason"
	}' labels="$work/labels" "$@" >"$work/found"
	[ -s "$work/labels" ] || echo "there are no labels" >"$work/found"
	result "$room.labels-in-place"

	# The table has all labels.
	sed '/#include/q' "$table" | grep -o '[a-z][a-z0-9_]*:[A-Z]\>' | sort -u >"$work/table"
	sort -u "$work/labels" | diff "$work/table" - >"$work/found"
	result "$room.labels-in-table"

	# In each file: a label, and the next line that is not a comment.
	awk -v ordering="$ordering" -v plain="^($plain)\$" '
	FNR == 1 { label = "" }
	match($0, /\/\* [a-z0-9_]+:[A-Z][: ]/) {
		label = substr($0, RSTART + 3, RLENGTH - 4)
		next
	}
	/^[[:space:]]*(\*|\/\*)/ { next }
	label && $0 !~ ordering && label !~ plain { print label " orders nothing: " $0 > missing }
	!label && $0 ~ ordering { print FILENAME ":" FNR ": no label: " $0 > unlabelled }
	{ label = "" }
	' missing="$work/missing" unlabelled="$work/unlabelled" "$@"
	cat "$work/missing" >"$work/found" 2>/dev/null
	result "$room.labels-order"
	cat "$work/unlabelled" >"$work/found" 2>/dev/null
	result "$room.accesses-labelled"
}

# env.h defines the accesses
ordered "$rooms/ring/page.h" ring "$rooms"/ring/[!e]*.[ch]
ordered "$rooms/patch/patch.c" patch "$rooms"/patch/*.[ch]

# It names all litmus tests.
sed '/#include/q' "$rooms/ring/page.h" | grep -o '[a-z-]*\.litmus' | sort -u >"$work/table"
(cd "$litmus" && ls -- *.litmus) | diff "$work/table" - >"$work/found"
result ring.litmus-tests-in-table
