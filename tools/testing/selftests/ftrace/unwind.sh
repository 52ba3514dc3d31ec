#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# The stack can be unwound at each instruction of a traced call: whoever interrupts it there
# finds the caller.
# shellcheck source=functions.sh

. "$(dirname "$0")/functions.sh"

[ -f "$MODULES/ftest_step.ko" ] || skip_all "no module ftest_step"

use()
{
	need_module ftest_target
	need_module ftest_step
}

# calls LEAST [PATTERN]: at least so many instructions are executed. The caller may be missed at
# those that match the pattern, and at the first of return_to_handler(), where the return
# address is not on the stack any more.
calls()
{
	put 1 "$(param ftest_step call)"
	tr ' ' '\n' < "$(param ftest_step call)" > "$SCRATCH/steps"
	note "$(tr '\n' ' ' < "$SCRATCH/steps")"
	calls_steps=$(sed -n 's/^steps=//p' "$SCRATCH/steps")
	expect_true "$calls_steps steps, expected at least $1" [ "$calls_steps" -ge "$1" ]
	calls_lost=$(grep -v -e '^steps=' -e '^return_to_handler+0x0/' ${2:+-e "$2"} \
			  "$SCRATCH/steps")
	expect "$calls_lost" '' "where the caller is not found"
}

# The same with a kretprobe, which replaces the return address before it keeps the old one, and
# sets up registers at the return.
calls_probed()
{
	calls "$1" rethook_
}

# trace TRACER
trace()
{
	needs_filters
	grep -qw "$1" available_tracers || skip "no tracer $1"
	put ftest_one set_ftrace_filter
	put "$1" current_tracer
}

plain()
{
	use
	calls 3
}

one_user()
{
	use
	trace function
	calls 100
	expect "$(nr_events)" 1 "entries"
}

list()
{
	use
	need_module ftest_ops
	put hold "$(param ftest_ops run)"
	trace function
	calls 100
	expect "$(nr_events)" 1 "entries"
}

regs()
{
	use
	need_module ftest_ops
	put hold_regs "$(param ftest_ops run)"
	calls 50
}

graph()
{
	use
	trace function_graph
	calls 200
	expect "$(nr_events)" 1 "calls"
}

probe()
{
	use
	put 1 "$(param ftest_step probe)"
	calls_probed 200
}

probe_and_graph()
{
	use
	put 1 "$(param ftest_step probe)"
	trace function_graph
	calls_probed 500
	expect "$(nr_events)" 1 "calls"
}

graph_and_probe()
{
	use
	trace function_graph
	put 1 "$(param ftest_step probe)"
	calls_probed 500
	expect "$(nr_events)" 1 "calls"
}

direct()
{
	use
	need_module ftest_direct
	put 1 "$(param ftest_direct direct)"
	trace function_graph
	calls 200
	put 0 "$(param ftest_direct direct)"
}

testcase plain "in a function that nobody traces"
testcase one_user "in the trampoline of one user"
testcase list "with two users"
testcase regs "in a trampoline that saves all registers"
testcase graph "in a function whose return is caught"
testcase probe "where a kretprobe catches the return"
testcase probe_and_graph "where a return is caught over a kretprobe's"
testcase graph_and_probe "where a kretprobe catches a return over another's"
testcase direct "behind a direct call"
finish
