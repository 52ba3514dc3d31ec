#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# kernel.ftrace_enabled: 0 turns every call site into a NOP, 1 restores all users.
# shellcheck source=functions.sh

. "$(dirname "$0")/functions.sh"

tracer()
{
	expect_file $FTRACE_ENABLED 1
	put 'vfs_read vfs_open' set_ftrace_filter
	put function current_tracer
	cut -d ' ' -f 1 enabled_functions | sort > "$SCRATCH/before"
	put 0 $FTRACE_ENABLED
	expect_file $FTRACE_ENABLED 0
	expect_file enabled_functions ''
	expect_file current_tracer function
	: > trace
	read_something
	put 0 tracing_on
	expect "$(nr_events)" 0 "entries while it is 0"
	put 1 tracing_on
	put 1 $FTRACE_ENABLED
	expect "$(cut -d ' ' -f 1 enabled_functions | sort)" "$(cat "$SCRATCH/before")" "enabled"
	read_something
	put 0 tracing_on
	expect_true "entries when it is 1" [ "$(nr_events)" -gt 0 ]
}

# Changes that are made while it is 0 take effect when it is 1 again.
changed_meanwhile()
{
	put 'vfs_read' set_ftrace_filter
	put function current_tracer
	put 0 $FTRACE_ENABLED
	put 'vfs_open vfs_write' set_ftrace_filter
	expect_file enabled_functions ''
	put nop current_tracer
	put function current_tracer
	expect_file enabled_functions ''
	put 1 $FTRACE_ENABLED
	expect "$(cut -d ' ' -f 1 enabled_functions | sort | tr '\n' ' ')" "vfs_open vfs_write " \
	       "enabled"
	put 0 $FTRACE_ENABLED
	put nop current_tracer
	put 1 $FTRACE_ENABLED
	expect_file enabled_functions ''
}

module_ops()
{
	need_module ftest_target
	# the glob of an ops only matches functions that are known
	call_targets 1
	wait_for 10 grep -q '^ftest_three ' available_filter_functions || fail "it is not found"
	wait_for 10 grep -q '^ftest_two ' available_filter_functions || fail "it is not found"
	need_module ftest_ops
	put hold "$(param ftest_ops run)"
	call_targets 3
	expect_file "$(param ftest_ops hits)" "3 6 6"
	put 0 $FTRACE_ENABLED
	call_targets 3
	expect_file "$(param ftest_ops hits)" "3 6 6"
	put 1 $FTRACE_ENABLED
	call_targets 3
	expect_file "$(param ftest_ops hits)" "6 12 12"
	# An ops that is registered while it is 0 is called once it is 1
	put release "$(param ftest_ops run)"
	put 0 $FTRACE_ENABLED
	put hold "$(param ftest_ops run)"
	call_targets 2
	expect_file "$(param ftest_ops hits)" "0 0 0"
	put 1 $FTRACE_ENABLED
	call_targets 2
	expect_file "$(param ftest_ops hits)" "2 4 4"
}

permanent()
{
	need_module ftest_target
	need_module ftest_ops
	put hold_permanent "$(param ftest_ops run)"
	expect_write EBUSY w $FTRACE_ENABLED '0\n'
	expect_file $FTRACE_ENABLED 1
	call_targets 2
	expect_file "$(param ftest_ops hits)" "2 0 0"
	put release "$(param ftest_ops run)"
	expect_write 2 w $FTRACE_ENABLED '0\n'
	expect_write EBUSY w "$(param ftest_ops run)" hold_permanent
	expect_file $FTRACE_ENABLED 0
}

module_comes_meanwhile()
{
	! grep -q ' pending: ' dyn_ftrace_total_info || skip "call sites are not listed"
	put function current_tracer
	put 0 $FTRACE_ENABLED
	need_module ftest_target
	expect_file enabled_functions ''
	call_targets 1
	expect "$(grep -c ': ftest_one <-' trace)" 0 "calls at 0"
	put 1 $FTRACE_ENABLED
	expect_true "the module's functions are enabled" grep -q '^ftest_one ' enabled_functions
	put 0 tracing_on
	: > trace
	put 1 tracing_on
	call_targets 1
	put 0 tracing_on
	expect_true "the module's functions are traced" grep -q ': ftest_one <-ftest_caller' trace
}

testcase tracer "the function tracer stops at 0 and continues at 1"
testcase changed_meanwhile "changes of filters and tracer at 0 take effect at 1"
testcase module_ops "the ftrace_ops of a module stop at 0 and continue at 1"
testcase permanent "it cannot be 0 while a permanent ftrace_ops is registered"
slowcase module_comes_meanwhile "a module that is loaded at 0 is traced at 1"
finish
