#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# The stack tracer: stack_trace, stack_max_size, stack_trace_filter and the sysctl
# kernel.stack_tracer_enabled.
# shellcheck source=functions.sh

. "$(dirname "$0")/functions.sh"

ENABLED=/proc/sys/kernel/stack_tracer_enabled

reset_more()
{
	[ -f "$ENABLED" ] || return 0
	begins "$ENABLED" 0 || echo 0 > "$ENABLED"
	begins stack_trace_filter "$EMPTY_FILTER" || echo > stack_trace_filter
	echo 0 > stack_max_size
}

need_stack()
{
	[ -f stack_trace ] || skip "no stack tracer"
}

# The tracer checks the stack only at ftest_stack_leaf.
use()
{
	need_stack
	need_module ftest_stack
	put ftest_stack_leaf stack_trace_filter
	put 1 "$ENABLED"
	put 0 stack_max_size
}

call()
{
	put "$1" "$(param ftest_stack call)"
}

# of NAME COLUMN: prints a column of a function in the table: 2 is its depth, 3 its size
of()
{
	awk -v name="$1" -v column="$2" 'index($4, name "+") == 1 { print $column; exit }' \
		stack_trace
}

# between LABEL NUMBER LOW HIGH: NUMBER is in this range
between()
{
	expect_true "$1 is '$2', expected at least $3" [ "${2:--1}" -ge "$3" ]
	expect_true "$1 is $2, expected at most $4" [ "$2" -le "$4" ]
}

depths()
{
	use
	call deep
	expect "$(of ftest_stack_leaf 2)" "$(cat stack_max_size)" "depth of the traced function"
	expect "$(of ftest_stack_leaf 1)" "0)" "its line"
	expect "$(of ftest_stack_middle 1)" "1)" "the line of its caller"
	# the arrays, saved registers, and space that the compiler adds for debugging
	between "the frame of the traced function" "$(of ftest_stack_leaf 3)" 0 16
	between "the frame of its caller" "$(of ftest_stack_middle 3)" 2048 2400
	between "the frame of the caller's caller" "$(of ftest_stack_outer 3)" 1024 1400
	awk 'NR > 2 { if (n && $2 != want) bad = 1; want = $2 - $3; n++ }
	     END { exit bad || want || n < 6 }' stack_trace ||
		fail "a depth is not that of the caller and the function's size: $(cat stack_trace)"
	expect_true "the whole stack is there" grep -Eq ' ksys_write\+0x' stack_trace
}

format()
{
	use
	call deep
	nr=$(($(grep -c '' stack_trace) - 2))
	expect "$(head -n 2 stack_trace)" "        Depth    Size   Location    ($nr entries)
        -----    ----   --------" "the header"
	symbol='[^ ]+\+0x[0-9a-f]+/0x[0-9a-f]+( \[[a-z_]+\])?'
	expect "$(tail -n +3 stack_trace |
		  grep -Evc "^ {0,2}[0-9]+\) [ 0-9]{7}[0-9]   [ 0-9]{4}[0-9]   $symbol\$")" \
	       0 "lines of another form"
	expect "$(sed -n 3p stack_trace | cut -c 1-4)" "  0)" "the first number"
}

deepest()
{
	use
	call deep
	max=$(cat stack_max_size)
	call flat
	expect_file stack_max_size "$max"
	expect_true "the deepest stack is kept" grep -q ftest_stack_outer stack_trace
	put 0 stack_max_size
	call flat
	expect_false "a new table begins" grep -q ftest_stack_outer stack_trace
	flat=$(cat stack_max_size)
	expect_true "it is a stack: $flat" [ "$flat" -gt 100 ]
	expect_true "it is not as deep: $flat" [ "$flat" -lt "$max" ]
	put 100000 stack_max_size
	call deep
	expect_file stack_max_size 100000
}

filter()
{
	need_stack
	expect_file stack_trace_filter "$EMPTY_FILTER"
	put 1 "$ENABLED"
	expect_true "all functions are checked" [ "$(cat stack_max_size)" -gt 500 ]
	put vfs_read stack_trace_filter
	put_more 'vfs_op*' stack_trace_filter
	expect_lines stack_trace_filter vfs_read vfs_open
	put 0 stack_max_size
	read_something
	expect_true "the first function is one of them: $(sed -n 3p stack_trace)" \
		    grep -Eq '^  0\).* vfs_(read|open)\+' stack_trace
	expect_write EINVAL w stack_trace_filter 'no_such_function_here\n'
	# It does not accept commands
	expect_false "a command is accepted" \
		     sh -c 'echo vfs_read:traceoff > stack_trace_filter' 2> /dev/null
	expect_lines stack_trace_filter vfs_read vfs_open
}

off()
{
	need_stack
	put 1 "$ENABLED"
	put 0 "$ENABLED"
	put 0 stack_max_size
	read_something
	expect_file stack_max_size 0
	expect "$(grep -c '' enabled_functions)" 0 "functions that are still traced"
}

sysctl()
{
	need_stack
	put 1 "$ENABLED"
	expect_file "$ENABLED" 1
	put 0 "$ENABLED"
	expect_file "$ENABLED" 0
	put 0 stack_max_size
	expect_write EINVAL w "$ENABLED" 'x\n'
	expect_write EINVAL w stack_max_size 'x\n'
	expect_write ERANGE w stack_max_size '99999999999999999999\n'
	expect_file stack_max_size 0
}

# Its frames are found although their return addresses have been replaced.
other_users()
{
	use
	grep -qw function_graph available_tracers || skip "no tracer function_graph"
	call deep
	before=$(sed 's/+.*//' stack_trace)
	put 0 stack_max_size
	put 'ftest_stack_*' set_ftrace_filter
	put function_graph current_tracer
	call deep
	put nop current_tracer
	expect "$(sed 's/+.*//' stack_trace | awk 'NR > 2 && NR < 6 { print $3, $4 }')" \
	       "$(echo "$before" | awk 'NR > 2 && NR < 6 { print $3, $4 }')" "the frames"
}

under_load()
{
	use
	put '' stack_trace_filter
	load_start
	for _ in $(rounds 10); do
		put 0 stack_max_size
		call deep
		cat stack_trace > /dev/null
		put 0 "$ENABLED"
		drop_module ftest_stack
		put 1 "$ENABLED"
		need_module ftest_stack
	done
	load_stop
	put 0 "$ENABLED"
	expect_true "it saw something" [ "$(cat stack_max_size)" -gt 500 ]
}

testcase depths "each frame has the size that its function uses"
testcase format "the table has the format of the documentation"
testcase deepest "only a deeper stack replaces the table, until the size is reset"
testcase filter "stack_trace_filter selects the functions at which stacks are checked"
testcase off "a stack tracer that is off does nothing"
testcase sysctl "kernel.stack_tracer_enabled and stack_max_size accept only numbers"
testcase other_users "function_graph on the same functions changes nothing"
slowcase under_load "the stack tracer starts and stops under load, and modules are unloaded"
finish
