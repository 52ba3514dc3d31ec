#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Static tracing, in a kernel without DYNAMIC_FTRACE: no filters, and all functions are traced.
# shellcheck source=functions.sh

. "$(dirname "$0")/functions.sh"

[ ! -f set_ftrace_filter ] || skip_all "call sites are changed here"
grep -qw function available_tracers || skip_all "no function tracer here"

# trace_me [TRACER]: the trace would never end, so trace only this process, in a buffer of limited
# size.
trace_me()
{
	read -r me _ < /proc/self/stat
	put "$me" set_ftrace_pid
	put 4000 buffer_size_kb
	put "${1:-function}" current_tracer
}

without_list()
{
	for file in available_filter_functions enabled_functions set_ftrace_notrace \
		    set_graph_function function_profile_enabled dyn_ftrace_total_info; do
		expect_false "$file is there" [ -e $file ]
	done
}

all_functions()
{
	trace_me
	read -r _ < /proc/uptime
	put 0 tracing_on
	expect_true "vfs_read is traced" grep -q ': vfs_read <-ksys_read' trace
	expect_true "vfs_open is traced" grep -q ': vfs_open <-' trace
	put nop current_tracer
	put 1 tracing_on
	: > trace
	read -r _ < /proc/uptime
	expect "$(nr_events)" 0 "entries without a tracer"
}

enabled()
{
	trace_me
	put 0 $FTRACE_ENABLED
	: > trace
	read -r _ < /proc/uptime
	expect "$(nr_events)" 0 "entries while function tracing is off"
	put 1 $FTRACE_ENABLED
	read -r _ < /proc/uptime
	put 0 tracing_on
	expect_true "vfs_read is traced" grep -q ': vfs_read <-ksys_read' trace
}

tasks()
{
	trace_me
	read_something
	put 0 tracing_on
	expect "$(events | sed 's/^ *.*-\([0-9]*\) *\[.*/\1/' | sort -u)" "$me" "tasks"
}

module()
{
	trace_me
	need_module ftest_target
	: > trace
	call_targets 3
	put 0 tracing_on
	expect_targets 3
	put 1 tracing_on
	expect_true "rmmod while its functions are traced" rmmod ftest_target
}

instance()
{
	need_module ftest_target
	trace_me
	in_instance
	trace_me
	: > trace
	call_targets 1
	put 0 tracing_on
	put 0 "$TRACEFS/tracing_on"
	for dir in . "$TRACEFS"; do
		expect "$(grep -c ': ftest_two <-ftest_caller' "$dir/trace")" 1 "calls in $dir"
	done
	put nop current_tracer
	put 1 "$TRACEFS/tracing_on"
	call_targets 2
	put 0 "$TRACEFS/tracing_on"
	expect "$(grep -c ': ftest_two <-ftest_caller' "$TRACEFS/trace")" 3 \
	       "calls after the instance stopped"
}

need_graph()
{
	grep -qw function_graph available_tracers || skip "no function_graph here"
}

# The functions of ftest_target in the trace, as function_graph shows them.
target_calls()
{
	grep '|' "${1:-trace}" | sed -n 's/^[^|]*| *//; s/ \[ftest_target\]//g; /ftest_/p'
}

TREE='ftest_caller() {
ftest_one();
ftest_two();
ftest_three();'

graph()
{
	need_graph
	need_module ftest_target
	trace_me function_graph
	: > trace
	call_targets 2
	put 0 tracing_on
	expect "$(target_calls)" "$TREE
$TREE" "calls of the module"
	expect_true "there are calls with durations" grep -q ' us  *|  *.*();$' trace
	put 1 tracing_on
	expect_true "rmmod while its functions are traced" rmmod ftest_target
	put nop current_tracer
	: > trace
	read_something
	expect "$(nr_events)" 0 "entries without a tracer"
}

graph_depth()
{
	need_graph
	put 1 max_graph_depth
	trace_me function_graph
	read_something
	put 0 tracing_on
	put 0 max_graph_depth
	expect_true "calls are traced" grep -q '(); *$' trace
	expect "$(grep -c '|    *[a-z_].*()' trace)" 0 "calls inside others"
}

graph_enabled()
{
	need_graph
	trace_me function_graph
	put 0 $FTRACE_ENABLED
	: > trace
	read_something
	expect "$(grep -c '() {' trace)" 0 "calls while function tracing is off"
	put 1 $FTRACE_ENABLED
	read_something
	put 0 tracing_on
	expect_true "calls are traced again" grep -q '() {' trace
}

# Three users of one function: two of function graph, and a function tracer, which sees the real
# callers.
graph_users()
{
	need_graph
	need_module ftest_target
	trace_me function_graph
	in_instance
	trace_me function_graph
	mkdir "$TRACEFS/instances/ftest_callers"
	cd "$TRACEFS/instances/ftest_callers" || return
	trace_me
	call_targets 1
	for dir in "$TRACEFS"/ "$TRACEFS"/instances/*/; do
		put 0 "${dir}tracing_on"
	done
	expect "$(grep -c ': ftest_two <-ftest_caller' trace)" 1 "calls with their real caller"
	expect "$(grep -c 'return_to_handler' trace)" 0 "callers that are replaced addresses"
	cd "$TRACEFS" || return
	for dir in "$TRACEFS"/ "$TRACEFS"/instances/*/; do
		[ "$(cat "${dir}current_tracer")" = function_graph ] || continue
		expect "$(target_calls "${dir}trace")" "$TREE" "calls in $dir"
	done
	put nop instances/ftest_callers/current_tracer
	expect_true "rmdir" rmdir instances/ftest_callers
	put 1 tracing_on
}

# Stack entries of events in an instance show the callers, also those that return to function
# graph.
graph_stack()
{
	need_graph
	[ -f events/sched/sched_process_fork/enable ] || skip "no trace events here"
	trace_me function_graph
	in_instance
	put 1 options/stacktrace
	put 1 events/sched/sched_process_fork/enable
	/bin/true
	put 0 events/sched/sched_process_fork/enable
	expect_true "a caller is named" \
		    grep -qE '=> (kernel_clone|__do_sys_clone|__do_sys_vfork)' trace
	expect "$(grep -c return_to_handler trace)" 0 "callers that are replaced addresses"
}

# The only filters are names of functions, from perf and kernel code.
perf()
{
	[ -f events/ftrace/function/id ] && [ -x "$HERE/perfevent" ] || skip "no perf here"
	need_module ftest_target
	for filter in ftest_two ftest_one,ftest_two; do
		"$HERE/perfevent" -v -f "ip == \"$filter\"" "$(cat events/ftrace/function/id)" \
			/bin/sh -c "echo 2 > $(param ftest_target call)" > "$SCRATCH/perfevent" 2>&1
		expect "$(grep -c '^function ' "$SCRATCH/perfevent")" \
		       $((2 * $(echo "$filter" | tr , '\n' | wc -l))) "calls of $filter"
	done
}

under_load()
{
	load_start
	for _ in 1 2 3 4 5; do
		put function current_tracer
		put 0 $FTRACE_ENABLED
		put 1 $FTRACE_ENABLED
		put nop current_tracer
		grep -qw function_graph available_tracers || continue
		put function_graph current_tracer
		put 0 $FTRACE_ENABLED
		put 1 $FTRACE_ENABLED
		put nop current_tracer
	done
	load_stop
	: > trace
	read_something
	expect "$(nr_events)" 0 "entries without a tracer"
}

testcase without_list "files about lists of call sites do not exist"
testcase all_functions "all functions are traced while there is a tracer"
testcase enabled "kernel.ftrace_enabled switches function tracing"
testcase tasks "set_ftrace_pid selects tasks"
testcase module "functions of modules are traced"
testcase instance "two instances trace at the same time"
testcase graph "calls are shown with those inside them, and their durations"
testcase graph_depth "max_graph_depth limits the depth"
testcase graph_enabled "kernel.ftrace_enabled switches function graph"
testcase graph_users "instances have their own graphs, beside the function tracer"
testcase graph_stack "stacks have the real return addresses"
testcase perf "ftrace:function has the functions of its filter"
testcase under_load "tracing can be switched under load"
finish
