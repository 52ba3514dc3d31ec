#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# The stack can be unwound at each instruction of a traced call: an interrupt there finds the
# caller.
# shellcheck source=functions.sh

. "$(dirname "$0")/functions.sh"

[ -f "$MODULES/ftest_step.ko" ] || skip_all "no module ftest_step"

use()
{
	need_module ftest_target
	need_module ftest_step
}

# calls LEAST [PATTERN]: at least LEAST instructions are executed. The caller may be missed at
# instructions that match the pattern, and at the first instruction of return_to_handler(),
# where the return address is no longer on the stack.
calls()
{
	put 1 "$(param ftest_step call)"
	tr ' ' '\n' < "$(param ftest_step call)" > "$SCRATCH/steps"
	note "$(tr '\n' ' ' < "$SCRATCH/steps")"
	calls_steps=$(sed -n 's/^steps=//p' "$SCRATCH/steps")
	expect_true "$calls_steps steps, expected at least $1" [ "$calls_steps" -ge "$1" ]
	calls_lost=$(grep -v -e '^steps=' -e '^return_to_handler+0x0/' ${2:+-e "$2"} \
			  "$SCRATCH/steps")
	expect "$calls_lost" '' "instructions where the caller is not found"
}

# The same with a kretprobe, which replaces the return address before it saves the old one, and
# sets up registers at the return.
calls_probed()
{
	calls "$1" rethook_
}

# trace TRACER: traces ftest_one with this tracer
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

testcase plain "the caller is found in a function that is not traced"
testcase one_user "the caller is found in the trampoline of one user"
testcase list "the caller is found with two users"
testcase regs "the caller is found in a trampoline that saves all registers"
testcase graph "the caller is found in a function whose return is hooked"
testcase probe "the caller is found where a kretprobe hooks the return"
testcase probe_and_graph "the caller is found with function_graph started after a kretprobe"
testcase graph_and_probe "the caller is found with a kretprobe set after function_graph"
testcase direct "the caller is found after a direct call"
finish
