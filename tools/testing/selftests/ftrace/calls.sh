#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# No call is lost: the function tracer, function_graph and the function profiler agree on each
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

# The output of each of the three: entries of calls, and hits.
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

# lost_calls [INSTANCE]: lost calls according to the statistics of the instance
lost_calls()
{
	cat "${1:-.}"/per_cpu/cpu*/stats | awk '/^lost calls:/ { n += $3 } END { print n + 0 }'
}

# missed_calls: missed calls according to the text of the profiler
missed_calls()
{
	cat trace_stat/histogram* | awk '/^# calls missed/ { n += $NF } END { print n + 0 }'
}

# expect_all N: each user has N calls, and has lost none
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

# Tasks that already exist, and that all enter the function at the same time and remain in it.
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

# New tasks that call the function as early as possible.
forks()
{
	trace_all
	expect "$("$HERDOP" forks 400)" 400 "tasks"
	expect_all 400
}

# Tasks that are forked while users are added and removed: the counts do not matter.
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
	# Killing only the shell would leave the program running
	: > "$SCRATCH/enough"
	wait "$background_pid"
	trace_all
	expect "$("$HERDOP" forks 40)" 40 "tasks"
	expect_all 40
}

# fail_ret_stacks N: makes only allocations of the size of a return stack fail
fail_ret_stacks()
{
	echo "$1" > $STACKS/failslab
	echo 0 > $FAULTS/failslab/verbose
	[ ! -d $FAULTS/fail_page_alloc ] || echo 9 > $FAULTS/fail_page_alloc/min-order
	echo "$1" > $FAULTS/failslab/cache-filter
	echo N > $FAULTS/failslab/ignore-gfp-wait
}

# fork() succeeds even without memory for the return stack of the new task. Some stacks are
# reserved for such tasks. The calls of the remaining tasks are counted as lost and marked in
# the trace where they would be, and no other calls are lost.
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
	# The allocations of the worker do not fail
	[ "$lost" -gt 0 ] || skip "the worker is as fast as fork()"
	expect "$(($(graph_calls) + lost))" 100 "calls by function_graph, and lost ones"
	expect "$(grep -cF '/* [LOST 1 CALL] */' trace)" "$lost" "comments in their place"
	expect "$(sed -n 's/^lost calls: //p' graph_tree_stats)" "$lost" \
	       "lost calls in graph_tree_stats"
	expect "$(profiled_calls)" "$((100 - lost))" "calls by the profiler"
	[ ! -f trace_stat/histogram0 ] || expect "$(missed_calls)" "$lost" "missed by the profiler"
	expect "$(lost_calls instances/calls)" 0 "calls lost by the function tracer"
	# No call is lost once memory is available again
	put 1 tracing_on
	: > trace
	expect "$("$HERDOP" forks 50)" 50 "tasks"
	expect "$(graph_calls)" 50 "calls with memory"
}

testcase herd "300 tasks that are woken at once lose no call"
testcase forks "new tasks lose no call"
testcase users_come_and_go "users can be added and removed while tasks are forked"
testcase starved "without memory for a return stack, a call is counted as lost"
finish
