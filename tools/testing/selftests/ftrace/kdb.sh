#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# The command ftdump of the kernel debugger: modules/ftest_kdb.c types it at the prompt.
# shellcheck source=functions.sh

. "$(dirname "$0")/functions.sh"

[ -f "$MODULES/ftest_kdb.ko" ] || skip_all "no debugger here, or no module for it"

# kdb COMMAND...: runs commands in the debugger; their output is in $SCRATCH/kdb
kdb()
{
	module_loaded ftest_kdb || need_module ftest_kdb
	kdb_words=$(printf '%s;' 'set LINES=1000' "$@")
	put "$kdb_words" "$(param ftest_kdb run)"
	tr -d '\r' < "$(param ftest_kdb output)" > "$SCRATCH/kdb"
	sed 's/^/# /' "$SCRATCH/kdb"
}

# shown: the texts of the entries that kdb has printed, in their order
shown()
{
	sed -n 's/.*: mark \(.*\)/\1/p' "$SCRATCH/kdb" | tr '\n' ' ' | sed 's/ $//'
}

# mark CPU TEXT...: writes entries on a CPU
mark()
{
	mark_mask=$((1 << $1))
	shift
	for mark_text; do
		taskset $mark_mask sh -c "echo mark $mark_text > trace_marker"
	done
}

whole()
{
	mark 0 one two
	kdb ftdump
	expect "$(shown)" 'one two' "entries that were printed"
	kdb ftdump
	expect_true "they were consumed" grep -q 'ftrace buffer empty' "$SCRATCH/kdb"
	# The debugger itself stops recording during the dump
	expect_file tracing_on 1
}

skipped()
{
	mark 0 one two three
	kdb 'ftdump 1'
	expect "$(shown)" 'two three' "entries without the first"
	mark 0 four five six
	kdb 'ftdump -1'
	expect "$(shown)" six "the last entry"
	mark 0 seven
	kdb 'ftdump -5'
	expect "$(shown)" seven "as many entries as there are"
	mark 0 eight
	kdb 'ftdump 5'
	expect "$(shown)" '' "entries after the last"
}

# The entries of other CPUs are kept.
of_one_cpu()
{
	[ -d per_cpu/cpu1 ] || skip "one CPU only"
	mark 0 one two
	mark 1 three four
	kdb 'ftdump 1 0'
	expect "$(shown)" two "entries of CPU 0"
	kdb 'ftdump 0 1'
	expect "$(shown)" 'three four' "entries of CPU 1"
	expect "$(nr_events)" 0 "entries that are left"
}

refused()
{
	mark 0 one
	kdb 'ftdump x' 'ftdump 0 x' 'ftdump 0 99' 'ftdump 0 -1' 'ftdump 0 0 0'
	expect "$(shown)" '' "entries that were printed"
	expect "$(grep -c 'Illegal numeric value' "$SCRATCH/kdb")" 1 \
	       "arguments that are not a number"
	expect "$(grep -c 'Invalid cpu number' "$SCRATCH/kdb")" 3 "arguments that are not a CPU"
	expect "$(grep -c 'Improper argument count' "$SCRATCH/kdb")" 1 "too many arguments"
	expect "$(nr_events)" 1 "entries that are left"
	expect_file tracing_on 1
}

# A screen has six lines, and only one screen is printed.
interrupted()
{
	mark 0 1 2 3 4 5 6 7 8
	kdb 'set LINES=6' ftdump
	on_screen=$(shown)
	left=$(events | sed 's/.*: mark //' | tr '\n' ' ' | sed 's/ $//')
	expect_true "a screen was printed" [ -n "$on_screen" ]
	expect_true "there are more" [ -n "$left" ]
	# The last entry of the screen may have more lines
	expect "${on_screen% *} $left" '1 2 3 4 5 6 7 8' "entries that were consumed, and the rest"
	kdb ftdump
	expect "$(shown)" "$left" "entries of the next time"
}

# Lines that are longer than the lines of the debugger.
long_lines()
{
	"$FILEOP" repeat w trace_marker Q 600 > /dev/null
	mark 0 after
	kdb ftdump
	expect "$(tr -cd Q < "$SCRATCH/kdb" | wc -c)" 600 "characters of the entry"
	expect "$(grep -c '^ .*: mark after$' "$SCRATCH/kdb")" 1 "lines of the entry after it"
}

by_fields()
{
	put 1 options/fields
	mark 0 one
	kdb ftdump
	expect "$(grep -c ': print: ip=.* buf=mark one$' "$SCRATCH/kdb")" 1 "entries by fields"
}

testcase whole "ftdump prints the buffer, and consumes it"
testcase skipped "the first argument is the number of entries to skip, or to print"
testcase of_one_cpu "the second argument selects the CPU"
testcase interrupted "the answer q ends it, and entries that were not printed are kept"
testcase long_lines "an entry that is longer than the lines of the debugger is printed completely"
testcase by_fields "ftdump prints fields, with the option"
testcase refused "invalid arguments print nothing and do not change the buffer"
finish
