#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# No call is lost: the function tracer, function_graph and the function profiler agree call for
# call, whatever tasks do.
# shellcheck source=functions.sh

. "$(dirname "$0")/functions.sh"

HERDOP=$HERE/herdop
FAULTS=/sys/kernel/debug
STACKS=/sys/kernel/slab/kmalloc-4k
FUNCTION=core_sys_select

grep -qw function_graph available_tracers || skip_all "no function_graph here"
[ -f function_profile_enabled ] || skip_all "no function profiler here"
[ -x "$HERDOP" ] || skip_all "no herdop, see README"
grep -qx $FUNCTION available_filter_functions || skip_all "no function $FUNCTION"

reset_more()
{
	begins function_profile_enabled 0 || echo 0 > function_profile_enabled
	[ ! -d instances/calls ] || rmdir instances/calls
}

# Three users of the same function, one of each kind.
trace_all()
{
	mkdir instances/calls
	put $FUNCTION instances/calls/set_ftrace_filter
	put $FUNCTION set_ftrace_filter
	put function instances/calls/current_tracer
	put function_graph current_tracer
	put 1 function_profile_enabled
}

# What each of the three has: entries of calls, and hits.
function_calls()
{
	grep -c " $FUNCTION <-" instances/calls/trace
}

graph_calls()
{
	grep -c " $FUNCTION()" trace
}

graph_returns()
{
	grep -Ec "( $FUNCTION\(\);|} /\* $FUNCTION \*/)" trace
}

profiled_calls()
{
	cat trace_stat/function* |
		awk -v name=$FUNCTION '$1 == name { n += $2 } END { print n + 0 }'
}

# lost_calls [INSTANCE]: what its statistics have
lost_calls()
{
	cat "${1:-.}"/per_cpu/cpu*/stats | awk '/^lost calls:/ { n += $3 } END { print n + 0 }'
}

# missed_calls: by the text of the profiler
missed_calls()
{
	cat trace_stat/histogram* | awk '/^# calls missed/ { n += $NF } END { print n + 0 }'
}

# expect_all N: all have seen so many calls, and lost none
expect_all()
{
	put 0 tracing_on
	put 0 function_profile_enabled
	put 1 options/funcgraph-tail
	expect "$(function_calls)" "$1" "calls by the function tracer"
	expect "$(graph_calls)" "$1" "calls by function_graph"
	expect "$(graph_returns)" "$1" "returns by function_graph"
	expect "$(profiled_calls)" "$1" "calls by the profiler"
	put 0 options/funcgraph-tail
	expect "$(lost_calls)" 0 "calls that function_graph lost"
	[ ! -f trace_stat/histogram0 ] ||
		expect "$(missed_calls)" 0 "calls that the profiler missed"
}

herd_is_ready()
{
	grep -q ready "$SCRATCH/herd"
}

# Tasks that were there before, and that all enter the function, and stay in it, at the same time.
herd()
{
	mkfifo "$SCRATCH/go"
	# shellcheck disable=SC2016 # the inner shell expands it
	in_background sh -c 'exec "$0" herd 300 < "$1/go" > "$1/herd"' "$HERDOP" "$SCRATCH"
	herd_pid=$background_pid
	exec 7> "$SCRATCH/go"
	wait_for 60 herd_is_ready || fail "the herd is not ready"
	trace_all
	echo go >&7
	exec 7>&-
	wait "$herd_pid" || fail "the herd has failed"
	expect "$(tail -n 1 "$SCRATCH/herd")" 300 "tasks"
	expect_all 300
}

# New tasks, each of which calls the function as soon as it can.
forks()
{
	trace_all
	expect "$("$HERDOP" forks 400)" 400 "tasks"
	expect_all 400
}

# Tasks that are forked while users come and go: what is counted does not matter.
users_come_and_go()
{
	put $FUNCTION set_ftrace_filter
	# shellcheck disable=SC2016 # the inner shell expands it
	in_background sh -c 'until [ -e "$1" ]; do "$0" forks 100 > /dev/null || exit; done' \
		"$HERDOP" "$SCRATCH/enough"
	for _ in $(rounds 10); do
		put function_graph current_tracer
		put 1 function_profile_enabled
		put nop current_tracer
		put 0 function_profile_enabled
	done
	expect_true "tasks are forked until now" kill -0 "$background_pid"
	# the shell alone would leave the program behind
	: > "$SCRATCH/enough"
	wait "$background_pid"
	trace_all
	expect "$("$HERDOP" forks 40)" 40 "tasks"
	expect_all 40
}

# fail_ret_stacks N: lets allocations of the size of a return stack fail, and no others
fail_ret_stacks()
{
	echo "$1" > $STACKS/failslab
	echo 0 > $FAULTS/failslab/verbose
	[ ! -d $FAULTS/fail_page_alloc ] || echo 9 > $FAULTS/fail_page_alloc/min-order
	echo "$1" > $FAULTS/failslab/cache-filter
	echo N > $FAULTS/failslab/ignore-gfp-wait
}

# Without memory for its return stack, a task is forked all the same. Some are kept for such
# tasks. The calls of others are counted as lost, where they would be, and nothing else is lost.
starved()
{
	mount -t debugfs nodev $FAULTS 2> /dev/null
	{ [ -w /proc/self/fail-nth ] && [ -w "$STACKS/failslab" ]; } || skip "no fault injection"
	trace_all
	fail_ret_stacks 1
	tasks=$("$HERDOP" starved 100)
	fail_ret_stacks 0
	put 0 tracing_on
	put 0 function_profile_enabled
	expect "$tasks" 100 "tasks"
	expect "$(function_calls)" 100 "calls by the function tracer"
	lost=$(lost_calls)
	# its memory does not fail
	[ "$lost" -gt 0 ] || skip "the worker is as fast as fork()"
	expect "$(($(graph_calls) + lost))" 100 "calls by function_graph, and lost ones"
	expect "$(grep -cF '/* [LOST 1 CALL] */' trace)" "$lost" "comments in their place"
	expect "$(sed -n 's/^lost calls: //p' graph_tree_stats)" "$lost" "those of graph_tree_stats"
	expect "$(profiled_calls)" "$((100 - lost))" "calls by the profiler"
	[ ! -f trace_stat/histogram0 ] || expect "$(missed_calls)" "$lost" "calls that it missed"
	expect "$(lost_calls instances/calls)" 0 "calls lost by others"
	# as soon as there is memory, nothing is lost
	put 1 tracing_on
	: > trace
	expect "$("$HERDOP" forks 50)" 50 "tasks"
	expect "$(graph_calls)" 50 "calls with memory"
}

testcase herd "300 tasks that are woken at once lose no call"
testcase forks "new tasks lose no call"
testcase users_come_and_go "users come and go while tasks are forked"
testcase starved "without memory for a return stack, a call is counted as lost"
finish
