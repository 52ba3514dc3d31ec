#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# The tracer function_graph as Documentation/trace/ftrace.rst describes it: its text, its
# options, and the files that limit it.
# shellcheck source=functions.sh

. "$(dirname "$0")/functions.sh"

grep -qw function_graph available_tracers || skip_all "no function_graph here"

# Options that are initially set, and options that are not.
ON='funcgraph-cpu funcgraph-overhead funcgraph-duration funcgraph-irqs sleep-time graph-time'
# Only the series has this option
[ ! -f options/tracer-time ] || ON="$ON tracer-time"
OFF='funcgraph-overrun funcgraph-proc funcgraph-abstime funcgraph-tail funcgraph-retval
	funcgraph-retval-hex funcgraph-retaddr funcgraph-args funcgraph-keep-slow
	funcgraph-keep-failed'

reset_more()
{
	for option in $ON; do
		echo 1 > options/$option
	done
	for option in $OFF; do
		[ ! -f options/$option ] || echo 0 > options/$option
	done
	# A kernel with static tracing has no filters.
	[ ! -f set_graph_function ] || echo > set_graph_function
	[ ! -f set_graph_notrace ] || echo > set_graph_notrace
	[ ! -d instances/graph ] || rmdir instances/graph
	echo 0 > max_graph_depth
	echo 0 > tracing_thresh
	echo 0 > options/latency-format
}

# all_or_few [INSTANCE]: limits the traced functions in a kernel so slow that a tick, with all
# of its functions traced, may take longer than the time to the next tick.
all_or_few()
{
	case ${FTEST_FEW-} in
	'')	;;
	walk)	trace_no_walks "${1:-.}" ;;
	*)	put 'vfs_* *lock* *exit*' "${1:-.}/set_ftrace_filter" ;;
	esac
}

# Traces only the functions of ftest_target.
trace_targets()
{
	need_module ftest_target
	put 'ftest_caller ftest_one ftest_two ftest_three' set_ftrace_filter
	put function_graph current_tracer
}

# stay_here: binds the case and its children to one CPU. If a task migrates, the end of a call
# names the function, and the task writes to several buffers.
stay_here()
{
	# shellcheck disable=SC2016 # the inner shell expands it
	sh -c 'taskset -p 1 $PPID' > /dev/null
}

# call_once: one call of ftest_caller() on one CPU, with nothing else in the buffer
call_once()
{
	put 1 tracing_on
	: > trace
	call_targets "${1:-1}"
	put 0 tracing_on
}

# The calls, without the columns before them and without names of modules.
calls()
{
	events "$@" | sed -n 's/^[^|]*|  //; s/ \[ftest_target\]//g; /[(}]/p'
}

expect_calls()
{
	expect "$(calls)" "$(printf '%b' "$1")" "calls"
}

TREE='ftest_caller() {\n  ftest_one();\n  ftest_two();\n  ftest_three();\n}'

# shorter_callers: prints the number of calls with durations, and the errors: calls that took
# less time than the calls inside them
shorter_callers()
{
	events | awk -F '|' '
		match($1, /[0-9.]+ us/) {
			us = substr($1, RSTART, RLENGTH - 3) + 0
			match($2, /[^ ]/)
			if (us + 0.0005 < inner[RSTART + 2]) print us, inner[RSTART + 2]
			delete inner[RSTART + 2]
			inner[RSTART] += us
			calls++ }
		END { print calls + 0 }'
}

defaults()
{
	for option in $ON; do
		expect_file options/$option 1
	done
	for option in $OFF; do
		[ ! -f options/$option ] || expect_file options/$option 0
	done
	if [ -f set_ftrace_filter ]; then
		expect_file set_graph_function '#### all functions enabled ####'
		expect_file set_graph_notrace '#### no functions disabled ####'
	fi
	expect_file max_graph_depth 0
	expect_file tracing_thresh 0
	put function_graph current_tracer
	expect "$(grep -cx funcgraph-cpu trace_options)" 1 "options of the tracer"
}

text()
{
	trace_targets
	call_once
	expect "$(grep '^#' trace)" "# tracer: function_graph
#
# CPU  DURATION                  FUNCTION CALLS
# |     |   |                     |   |   |   |" "header"
	expect_calls "$TREE"
	expect "$(grep -c '|  *ftest_[a-z]* \[ftest_target\]()' trace)" 4 "names of the module"
	columns='^ [0-9]+\) (  |[+!#*@$] )[0-9.]{1,8} us +\|  |^ [0-9]+\) {15}\|  '
	expect "$(events | grep -Evc "$columns")" 0 "lines with other columns"
	expect "$(events | sed 's/^ [0-9]*) .. *[0-9.]* us *|/|/; s/[^|]//g' | sort -u)" '|' "bars"
	expect "$(events | sed 's/|.*//' | awk '{ print length($0) }' | sort -u)" 18 \
	       "columns before the bar"
	expect "$(shorter_callers)" 4 "durations, and callers that took less time than their calls"
}

# More than fits into one read: lines at the end of a read are printed like all other lines.
long_trace()
{
	trace_targets
	call_once 300
	calls | sort | uniq -c | sed 's/^ *//' > "$SCRATCH/counts"
	expect_lines "$SCRATCH/counts" '300 ftest_caller() {' '300   ftest_one();' \
		     '300   ftest_two();' '300   ftest_three();' '300 }'
	dd if=trace bs=500 2> /dev/null > "$SCRATCH/small"
	expect_true "reads of another size show the same" cmp trace "$SCRATCH/small"
}

pipe()
{
	trace_targets
	put 0 tracing_on
	call_once 2
	"$FILEOP" read rn trace_pipe > /dev/null 2> "$SCRATCH/pipe"
	grep -q 'ftest_caller' "$SCRATCH/pipe" || fail "nothing from trace_pipe"
	expect "$(calls "$SCRATCH/pipe")" "$(printf '%b' "$TREE\n$TREE")" "calls of trace_pipe"
	expect "$(calls)" '' "calls that are left"
}

options()
{
	trace_targets
	call_once
	put nofuncgraph-cpu trace_options
	expect "$(events | grep -c ') ')" "$(events | grep -c '() {')" "lines with a CPU"
	expect "$(grep '^#.*FUNC' trace)" '#  DURATION                  FUNCTION CALLS' "header"
	put funcgraph-cpu trace_options
	put nofuncgraph-duration trace_options
	expect "$(events | grep -c ' us ')" 0 "durations"
	put funcgraph-duration trace_options
	put funcgraph-tail trace_options
	expect_calls "$TREE /* ftest_caller */"
	put nofuncgraph-tail trace_options
	put funcgraph-proc trace_options
	expect "$(events | grep -Ec '^ [0-9]+\) +[^ ]+-[0-9]+ +\| ')" 5 "lines with a task"
	expect "$(grep '^#.*FUNC' trace)" \
	       '# CPU  TASK/PID         DURATION                  FUNCTION CALLS' "header"
	put nofuncgraph-proc trace_options
	put funcgraph-abstime trace_options
	expect "$(events | grep -Ec '^ +[0-9]+\.[0-9]{6} \|   [0-9]+\) ')" 5 "lines with a time"
	expect "$(grep '^#.*FUNC' trace)" \
	       '#     TIME        CPU  DURATION                  FUNCTION CALLS' "header"
	put nofuncgraph-abstime trace_options
	put 1 options/latency-format
	expect_true "the header of latencies" \
		grep -q '^# function_graph latency trace v1\.1\.5 on ' trace
	expect "$(events | grep -Ec '^ [0-9]+\)  [^ ]{5} \| ')" 5 "lines with a context"
	put 0 options/latency-format
	put funcgraph-overrun trace_options
	expect "$(events | tail -n 1)" ' (Overruns: 0)' "the line after a function"
}

retval()
{
	[ -f options/funcgraph-retval ] || skip "no option funcgraph-retval"
	trace_targets
	call_once
	put funcgraph-retval trace_options
	# ftest_two() is given ftest_one(0) + 1
	expect "$(calls | sed -n 2p | grep -c '^  ftest_one(); /\* = 0x[0-9a-f]* \*/$')" 1 "a leaf"
	expect "$(calls | sed -n 5p | grep -c '^} /\* ftest_caller = .* \*/$')" 1 "an end"
	put vfs_open set_ftrace_filter
	call_open
	expect_true "success" test "$(calls | grep -c 'vfs_open(); /\* = 0x0 \*/')" -ge 1
}

# Opens a file while recording.
call_open()
{
	put 1 tracing_on
	: > trace
	"$FILEOP" read r /proc/uptime > /dev/null
	put 0 tracing_on
}

# The caller of each function, with and without its return value.
retaddr()
{
	[ -f options/funcgraph-retaddr ] || skip "no option funcgraph-retaddr"
	trace_targets
	put 1 options/funcgraph-retaddr
	call_once
	at='ftest_caller+0x[0-9a-f]*/0x[0-9a-f]*'
	expect "$(calls | sed -n 2p | grep -c "^  ftest_one(); /\* <-$at \*/$")" 1 "a leaf"
	expect "$(calls | sed -n 1p | grep -c '^ftest_caller() { /\* <-call_set+0x.* \*/$')" 1 \
	       "an entry"
	expect "$(calls | sed -n 5p)" '}' "an end"
	put nofuncgraph-retaddr trace_options
	expect_calls "$TREE"
	[ -f options/funcgraph-retval ] || return 0
	put funcgraph-retaddr trace_options
	put funcgraph-retval trace_options
	expect "$(calls | grep -c "^  ftest_one(); /\* <-$at ret=0x1 \*/$")" 1 "both"
	put nofuncgraph-retval trace_options
	[ ! -f options/funcgraph-keep-slow ] || {
		put 1 options/funcgraph-keep-slow
		call_once
		expect "$(calls | grep -c "^  ftest_.*; /\* <-$at \*/$")" 3 "calls of a tree"
	}
}

# The arguments of each call, with the other options that change the entry of a call.
args()
{
	[ -f options/funcgraph-args ] || skip "no option funcgraph-args"
	trace_targets
	put 'call_args ftest_caller ftest_one' set_ftrace_filter
	put 1 options/funcgraph-args
	record -2 "$(param ftest_target args)"
	expect "$(calls | grep -cx "call_args$(args_of -2);")" 1 "a leaf"
	call_once
	first='0x0[,)]'
	[ ! -e /sys/kernel/btf/ftest_target ] || first='x=0)'
	expect "$(calls | sed -n 1p | grep -c "^ftest_caller($first.* {$")" 1 "an entry"
	expect "$(calls | sed -n 2p | grep -c "^  ftest_one($first.*;$")" 1 "a call inside"
	expect "$(calls | sed -n 3p)" '}' "an end"
	put 1 options/funcgraph-retaddr
	record -3 "$(param ftest_target args)"
	expect "$(calls | grep -c "^call_args$(args_of -3); /\* <-args_set+.* \*/$")" 1 \
	       "an argument and a caller"
	for more in funcgraph-retaddr nofuncgraph-retaddr; do
		put $more trace_options
		put 1 options/funcgraph-keep-slow
		record -4 "$(param ftest_target args)"
		expect "$(calls | grep -c "^call_args$(args_of -4);")" 1 "a call of a tree"
		put 0 options/funcgraph-keep-slow
	done
	# shown where it was recorded
	put 0 options/funcgraph-args
	expect "$(calls | grep -c "^call_args$(args_of -4);")" 1 "a call recorded before"
	record -5 "$(param ftest_target args)"
	expect_calls 'call_args();'
}

errors()
{
	[ -f options/funcgraph-retval ] || skip "no option funcgraph-retval"
	put do_filp_open set_ftrace_filter
	put function_graph current_tracer
	put funcgraph-retval trace_options
	: > trace
	"$FILEOP" read r /no/such/file > /dev/null
	put 0 tracing_on
	expect_true "an error" test "$(calls | grep -c 'do_filp_open(); /\* = -2 \*/')" -ge 1
	put funcgraph-retval-hex trace_options
	expect_true "an error in hex" \
		test "$(calls | grep -c 'do_filp_open(); /\* = 0xfffffffffffffffe \*/')" -ge 1
}

depth()
{
	trace_targets
	put 1 max_graph_depth
	call_once
	expect_calls 'ftest_caller();'
	put 2 max_graph_depth
	call_once
	expect_calls "$TREE"
	expect_write EINVAL w max_graph_depth x
	expect_file max_graph_depth 2
}

graph_function()
{
	trace_targets
	put ftest_two set_graph_function
	expect_file set_graph_function 'ftest_two [ftest_target]'
	call_once
	expect_calls 'ftest_two();'
	put_more 'ftest_caller' set_graph_function
	call_once
	expect_calls "$TREE"
	put 'ftest_o*' set_graph_function
	call_once
	expect_calls 'ftest_one();'
	put 'ftest_o* ftest_two' set_graph_function
	put_more '!ftest_o*' set_graph_function
	expect_file set_graph_function 'ftest_two [ftest_target]'
	call_once
	expect_calls 'ftest_two();'
	expect_write EINVAL wt set_graph_function 'no_such_function\n'
	echo > set_graph_function
	call_once
	expect_calls "$TREE"
}

# A kernel thread never returns from its outermost function.
graph_function_inside()
{
	need_module ftest_target
	put 64 buffer_size_kb
	echo '*:mod:ftest_target' > set_ftrace_filter
	put function_graph current_tracer
	put 1 "$(param ftest_target threads)"
	sleep 0.2
	expect_true "the thread is traced" grep -q ftest_one trace
	put ftest_two set_graph_function
	: > trace
	sleep 0.2
	put 0 tracing_on
	put 0 "$(param ftest_target threads)"
	calls > "$SCRATCH/calls"
	expect_true "the function is traced" grep -q 'ftest_two();' "$SCRATCH/calls"
	expect "$(grep -vc ftest_two "$SCRATCH/calls")" 0 "other functions"
}

graph_notrace()
{
	trace_targets
	put ftest_two set_graph_notrace
	expect_file set_graph_notrace 'ftest_two [ftest_target]'
	call_once
	expect_calls 'ftest_caller() {\n  ftest_one();\n  ftest_three();\n}'
	put_more ftest_caller set_graph_notrace
	call_once
	expect_calls ''
	echo > set_graph_notrace
	call_once
	expect_calls "$TREE"
	# both: inside the function of one file, but not of the other
	put ftest_caller set_graph_function
	put ftest_three set_graph_notrace
	call_once
	expect_calls 'ftest_caller() {\n  ftest_one();\n  ftest_two();\n}'
	echo > set_graph_function
	put 'ftest_t*' set_graph_notrace
	call_once
	expect_calls 'ftest_caller() {\n  ftest_one();\n}'
	put_more '!ftest_two' set_graph_notrace
	expect_file set_graph_notrace 'ftest_three [ftest_target]'
	call_once
	expect_calls 'ftest_caller() {\n  ftest_one();\n  ftest_two();\n}'
}

# A function that set_ftrace_notrace excludes is in no tree. The calls inside it are still
# recorded, unlike with set_graph_notrace.
notrace()
{
	trace_targets
	put ftest_two set_ftrace_notrace
	call_once
	expect_calls 'ftest_caller() {\n  ftest_one();\n  ftest_three();\n}'
	put ftest_caller set_ftrace_notrace
	call_once
	expect_calls 'ftest_one();\nftest_two();\nftest_three();'
	echo > set_ftrace_notrace
	call_once
	expect_calls "$TREE"
}

# opened_and_read: prints the functions that call_open called; the call that cleared the trace
# has only an end
opened_and_read()
{
	calls | sed -n 's/^ *\(vfs_.*\)().*/\1/p' | sort -u | tr '\n' ' '
}

# vfs_open() and vfs_read() are in different source files.
words_of_source()
{
	[ -f available_filter_functions_sources ] || skip "no patterns with :src:"
	put 'vfs_open vfs_read' set_ftrace_filter
	put function_graph current_tracer
	put 'vfs_*:src:fs/open.c' set_graph_function
	expect_true "functions of the source" grep -qx vfs_open set_graph_function
	expect_false "functions of other sources" grep -qx vfs_read set_graph_function
	call_open
	expect "$(opened_and_read)" 'vfs_open ' "calls"
	echo > set_graph_function
	put ':src:fs/open.c' set_graph_notrace
	call_open
	expect "$(opened_and_read)" 'vfs_read ' "calls"
	put_more '!vfs_o*:src:fs/*' set_graph_notrace
	call_open
	expect "$(opened_and_read)" 'vfs_open vfs_read ' "calls"
}

words_of_module()
{
	trace_targets
	put '*:mod:ftest_target' set_graph_function
	call_once
	expect_calls "$TREE"
}

# Patterns for a module that is not loaded take effect when it is loaded.
waits_for_module()
{
	put 'ftest_two:mod:ftest_target' set_graph_function
	expect_file set_graph_function 'ftest_two:mod:ftest_target'
	put function_graph current_tracer
	expect_false "a call of another function" grep -q '()' trace
	put nop current_tracer
	trace_targets
	expect_file set_graph_function 'ftest_two [ftest_target]'
	call_once
	expect_calls 'ftest_two();'
	put nop current_tracer
	drop_module ftest_target
	echo > set_graph_function
	put 'ftest_two:mod:ftest_target' set_graph_notrace
	put function_graph current_tracer
	put vfs_open set_ftrace_filter
	need_module ftest_target
	put 'ftest_caller ftest_one ftest_two ftest_three' set_ftrace_filter
	call_once
	expect_calls 'ftest_caller() {\n  ftest_one();\n  ftest_three();\n}'
}

# The functions of an unloaded module are removed, wherever the next module is loaded.
module_gone()
{
	trace_targets
	put ftest_two set_graph_function
	put ftest_three set_graph_notrace
	put nop current_tracer
	for round in 1 2 3; do
		drop_module ftest_target
		need_module ftest_target
		expect_file set_graph_function ''
		expect_file set_graph_notrace ''
	done
}

# Tasks that never return from a traced function: they execute a program, are killed in their
# sleep, and exit.
tasks_end()
{
	put 'do_exit do_group_exit hrtimer_nanosleep begin_new_exec' set_ftrace_filter
	put function_graph current_tracer
	put funcgraph-tail trace_options
	: > trace
	for round in 1 2 3 4 5 6 7 8; do
		sh -c 'exec sleep 60' &
		sleep 0.1
		kill -KILL $!
		wait $! 2> /dev/null
	done
	put 0 tracing_on
	expect_true "tasks that exit" test "$(calls | grep -c 'do_exit() {')" -ge 8
	expect "$(calls | grep -c '} /\* do_exit')" 0 "returns from do_exit()"
	expect_true "programs" test "$(calls | grep -Ec 'begin_new_exec(\(\);|\(\) {)')" -ge 8
	expect_true "sleeps that end" \
		    test "$(calls | grep -Ec 'hrtimer_nanosleep(\(\);| \*/)')" -ge 8
}

thresh()
{
	need_module ftest_target
	put 'ftest_one schedule_timeout' set_ftrace_filter
	put function_graph current_tracer
	put 2000 tracing_thresh
	expect_file tracing_thresh 2000
	call_once 100
	expect "$(calls | grep -c ftest_one)" 0 "fast calls"
	put 1 tracing_on
	sleep 0.1
	"$FILEOP" read r /proc/uptime > /dev/null
	put 0 tracing_on
	expect "$(calls | grep -vc '^} /\* .* \*/$')" 0 "lines that are not the end of a slow call"
	put nop current_tracer
	put 'tree_slow ftest_one' set_ftrace_filter
	put 20000 tracing_thresh
	put function_graph current_tracer
	record 40000 "$(param ftest_target slow)"
	expect_calls '} /* tree_slow */'
	expect_write EINVAL w tracing_thresh x
}

# tree_stat NAME: prints one of the statistics of trees
tree_stat()
{
	sed -n "s/^$1: //p" graph_tree_stats
}

# Traces trees of ftest_target that an option keeps.
trace_trees()
{
	[ -f options/funcgraph-keep-slow ] || skip "no option funcgraph-keep-slow"
	need_module ftest_target
	put 'ftest_* tree_*' set_ftrace_filter
	put 1 "options/$1"
	put function_graph current_tracer
}

# record TEXT FILE: records the calls of a write to the file, with nothing else in the buffer
record()
{
	put 1 tracing_on
	: > trace
	put "$1" "$2"
	put 0 tracing_on
}

SLOW='tree_slow() {\n  ftest_one();\n  ftest_two();\n}'

keeps_slow()
{
	trace_trees funcgraph-keep-slow
	put 20000 tracing_thresh
	record 40000 "$(param ftest_target slow)"
	expect_calls "$SLOW"
	expect "$(tree_stat kept)" 1 "trees that are kept"
	expect "$(events | sed -n '2p;$p' | grep -c ' us ')" 2 "durations"
	before=$(tree_stat dropped)
	record 0 "$(param ftest_target slow)"
	expect_calls ''
	expect "$(tree_stat kept)" 1 "trees that are kept"
	expect "$(($(tree_stat dropped) - before))" 1 "trees that are dropped"
	expect_true "calls that are dropped" test "$(tree_stat 'dropped calls')" -ge 3
	# The duration of an inner call does not keep the tree
	put '!tree_slow' set_graph_notrace
	put 0 options/funcgraph-keep-slow
	record 0 "$(param ftest_target slow)"
	expect_calls ''
	put 0 tracing_thresh
	record 0 "$(param ftest_target slow)"
	expect_calls "$SLOW"
	expect "$(tree_stat dropped)" 0 "trees since the tracer restarted"
}

# Entries keep their original timestamps, and the entries after them have theirs.
kept_times()
{
	stay_here
	trace_trees funcgraph-keep-slow
	put 20000 tracing_thresh
	put 1 options/funcgraph-abstime
	put 1 tracing_on
	: > trace
	put 40000 "$(param ftest_target slow)"
	echo after > trace_marker
	put 0 tracing_on
	events | awk '
		/tree_slow/ { first = $1 }
		/ftest_one/ { one = $1 }
		/ftest_two/ { two = $1 }
		/ [}]/ { last = $1 }
		/after/ { after = $1 }
		END {
			print (first <= one), (two - one >= 0.03), (last >= two), (after >= last)
			print first, one, two, last, after
		}' > "$SCRATCH/times"
	expect "$(head -n 1 "$SCRATCH/times")" "1 1 1 1" "times: $(tail -n 1 "$SCRATCH/times")"
}

# A call that slept is not a leaf, and the tree shows when the task was switched.
kept_switches()
{
	stay_here
	trace_trees funcgraph-keep-slow
	put 20000 tracing_thresh
	record 40000 "$(param ftest_target sleeps)"
	expect_calls 'tree_sleeps() {\n  ftest_one();\n  tree_naps() {\n  }\n  ftest_two();\n}'
	switch='/\* CPU [0-9]*: switched [a-z]*'
	events | sed -n "s, .ftest_target.,,; s,.*|  *\\(tree_naps() {\\|}\\|$switch\\).*,\\1,p" |
		sed 's/CPU [0-9]*/CPU/' | awk '!seen[$0]++' | tr '\n' ',' > "$SCRATCH/lines"
	expect "$(cat "$SCRATCH/lines")" \
	       'tree_naps() {,/* CPU: switched to,/* CPU: switched from,},' "lines"
}

# Trees that the buffer has no space for are not counted as complete trees.
refused_trees()
{
	stay_here
	trace_trees funcgraph-keep-slow
	put 20000 tracing_thresh
	put 0 tracing_on
	put 40000 "$(param ftest_target slow)"
	expect "$(tree_stat kept) $(tree_stat dropped) $(tree_stat 'dropped calls')" "0 1 3" \
	       "trees, and trees and calls that are dropped, when nothing is recorded"
	put 0 options/overwrite
	put $((2 * page_kb)) buffer_size_kb
	put 1 tracing_on
	for _ in $(seq $((3 * page_kb))); do
		printf '%1000s' full > trace_marker 2> /dev/null
	done
	put 40000 "$(param ftest_target slow)"
	put 0 tracing_on
	expect "$(calls)" '' "calls in a full buffer"
	expect "$(tree_stat kept) $(tree_stat truncated)" "1 1" "trees, and truncated ones"
	record 40000 "$(param ftest_target slow)"
	expect_calls "$SLOW"
	expect "$(tree_stat kept) $(tree_stat truncated)" "2 1" "trees that fit"
}

FAILED='tree_returns() {\n  ftest_one();\n}\ntree_returns_int() {\n  ftest_one();\n}'

# It does not matter whether inner calls are slow or fail.
keeps_failed()
{
	[ -f options/funcgraph-keep-failed ] || skip "no option funcgraph-keep-failed"
	trace_trees funcgraph-keep-failed
	put 1 tracing_thresh
	for value in -1 -4095 -22; do
		record $value "$(param ftest_target returns)"
		expect_calls "$FAILED"
	done
	for value in 0 1 -4096 2147483647 -2147483648; do
		record $value "$(param ftest_target returns)"
		expect_calls ''
	done
	# as an int, -2
	record 4294967294 "$(param ftest_target returns)"
	expect_true "an int in a wide register" \
		test "$(calls | grep -c 'tree_returns_int() {')" = 1
	expect "$(tree_stat dropped)" 10 "trees that are dropped"
	put 1 options/funcgraph-keep-slow
	put 0 tracing_thresh
	record 0 "$(param ftest_target returns)"
	expect "$(calls | grep -c 'tree_returns')" 2 "trees that are kept as slow ones"
}

# A tree that is larger than its memory has its first calls, all of them with their ends.
large_tree()
{
	trace_trees funcgraph-keep-slow
	record 20000 "$(param ftest_target many)"
	expect "$(calls | sed -n '1p;$p')" "$(printf 'tree_many() {\n}')" "its begin and its end"
	nr=$(calls | grep -c '^  ftest_caller() {')
	expect_true "some of its calls" test "$nr" -gt 500 -a "$nr" -lt 20000
	expect "$(calls | grep -c '^  }')" "$nr" "ends of these"
	# The last caller may be shown as a leaf because its inner calls are missing; a
	# preempted call is not a leaf
	shown=$(calls | grep -c '^ .*ftest_[a-z]*()')
	missing=$(sed -n 's/.* \([0-9]*\) calls are missing: the tree is too large .*/\1/p' trace)
	expect $((missing + shown)) 80000 "calls in all"
	expect "$(tree_stat truncated)" 1 "trees that are truncated"
	put 2000 buffer_size_kb
	record 100 "$(param ftest_target many)"
	expect "$(calls | grep -c '^    ftest_.*()')" 300 "leaves of a smaller tree"
	expect "$(grep -c missing trace)" 0 "missing calls"
}

has_unfinished()
{
	[ "$(tree_stat unfinished)" -ge "$1" ]
}

# Tasks that exit inside a tree leave nothing behind.
unfinished_trees()
{
	[ -f options/funcgraph-keep-slow ] || skip "no option funcgraph-keep-slow"
	put 'do_exit ksys_write do_group_exit' set_ftrace_filter
	put 1 options/funcgraph-keep-slow
	put function_graph current_tracer
	for round in 1 2 3 4 5 6 7 8; do
		sleep 0 &
		wait $!
	done
	wait_for 20 has_unfinished 8 || fail "$(tree_stat unfinished) trees are unfinished"
	put 0 tracing_on
	expect "$(calls | grep -c do_exit)" 0 "calls of do_exit()"
}

# The trees of instances are independent.
trees_apart()
{
	trace_trees funcgraph-keep-slow
	mkdir instances/graph
	put 'ftest_o* tree_slow' instances/graph/set_ftrace_filter
	put 1000000 tracing_thresh
	put function_graph instances/graph/current_tracer
	put 1 instances/graph/options/funcgraph-keep-slow
	record 100 "$(param ftest_target slow)"
	expect_calls ''
	expect "$(calls instances/graph/trace)" '' "calls of the other instance"
	put 0 options/funcgraph-keep-slow
	put 0 tracing_thresh
	record 100 "$(param ftest_target slow)"
	expect_calls "$SLOW"
	rc=$(calls instances/graph/trace)
	rmdir instances/graph
	expect "$rc" "$(printf 'tree_slow() {\n  ftest_one();\n}')" "calls of the other instance"
}

# Interrupts, switches and exits inside trees of all functions, with several users.
trees_under_load()
{
	[ -f options/funcgraph-keep-slow ] || skip "no option funcgraph-keep-slow"
	needs_filters set_ftrace_filter
	mkdir instances/graph
	for of in . instances/graph; do
		all_or_few $of
		put 1 $of/options/funcgraph-keep-slow
		put function_graph $of/current_tracer
	done
	put 10000 tracing_thresh
	load_start 1000
	for _ in $(rounds 3); do
		sleep 0.3
		put 0 options/funcgraph-keep-slow
		put 1 options/funcgraph-keep-slow
		sh -c 'exec sleep 60' &
		sleep 0.1
		kill -KILL $!
		wait $! 2> /dev/null
		put nop instances/graph/current_tracer
		put function_graph instances/graph/current_tracer
	done
	sleep 0.3
	load_stop
	put 0 tracing_on
	expect_true "dropped trees" test "$(tree_stat dropped)" -gt 10
	expect_true "kept trees" test "$(tree_stat kept)" -gt 0
	put nop current_tracer
	rmdir instances/graph
}

# NMIs occur while a tree is pending. Their calls are in the tree, nested as they were called;
# trees that consist only of NMI calls are fast, and dropped.
trees_nmi()
{
	[ -f "$MODULES/ftest_nmi.ko" ] || skip "no NMIs here"
	trace_trees funcgraph-keep-slow
	put 100000 tracing_thresh
	need_module ftest_nmi period_us=5000
	rounds=0
	while [ $rounds -lt 20 ]; do
		rounds=$((rounds + 1))
		record 200000 "$(param ftest_target slow)"
		calls > "$SCRATCH/calls"
		[ "$(grep -c '^ .*ftest_caller() {' "$SCRATCH/calls")" -le 2 ] ||
			[ "$(tree_stat dropped)" -le 10 ] || break
	done
	drop_module ftest_nmi
	expect "$(head -n 1 "$SCRATCH/calls")" "tree_slow() {" "the first line"
	expect "$(tail -n 1 "$SCRATCH/calls")" "}" "the last line"
	expect "$(grep -c 'tree_slow() {' "$SCRATCH/calls")" 1 "trees"
	expect_true "calls of NMIs: $(cat "$SCRATCH/calls")" \
		    [ "$(grep -c '^ .*ftest_caller() {' "$SCRATCH/calls")" -gt 2 ]
	expect "$(awk '{ match($0, /[^ ]/); depth = (RSTART - 1) / 2 }
			/^ *}/ { open--; if (depth != open) bad++; next }
			depth != open { bad++ }
			/[{]$/ { open++ }
			END { print bad + 0, open }' "$SCRATCH/calls")" "0 0" \
	       "calls at a wrong depth, and calls without an end"
	expect "$(tree_stat kept)" $rounds "trees that are kept"
	expect "$(tree_stat truncated)" 0 "trees that are truncated"
	expect_true "trees of NMIs are dropped" [ "$(tree_stat dropped)" -gt 10 ]
}

# A call that occurs while a tree is written to the buffer is missed, but the tree is complete.
trees_nmi_late()
{
	[ -f "$MODULES/ftest_nmi.ko" ] || skip "no NMIs here"
	trace_trees funcgraph-keep-slow
	put 4000 buffer_size_kb
	need_module ftest_nmi period_us=200
	rounds=0
	while [ $rounds -lt 100 ] && [ "$(tree_stat missed)" = 0 ]; do
		rounds=$((rounds + 1))
		record 400 "$(param ftest_target many)"
	done
	drop_module ftest_nmi
	expect_true "calls that are missed" [ "$(tree_stat missed)" -gt 0 ]
	expect "$(tree_stat truncated)" 0 "trees that are truncated"
	expect "$(grep -c missing trace)" 0 "missing calls in the last tree"
}

sleep_time()
{
	put 'hrtimer_nanosleep' set_ftrace_filter
	put function_graph current_tracer
	: > trace
	sleep 0.3
	put 0 tracing_on
	expect_true "sleep counts" grep -Eq '[@$] [0-9]{6,7}.* us +\| .*hrtimer_nanosleep' trace
	put 1 tracing_on
	put nosleep-time trace_options
	: > trace
	sleep 0.3
	put 0 tracing_on
	grep -q hrtimer_nanosleep trace || fail "no call"
	expect_false "sleep does not count" \
		grep -Eq '[@$] [0-9]{6,7}.* us +\| .*hrtimer_nanosleep' trace
}

# tree_ns: the duration of the fastest tree_many() in the trace, in nanoseconds
tree_ns()
{
	events | sed -n 's/^ [0-9]*) .. *\([0-9.]*\) us *|  \(}\|tree_many.*;\)$/\1/p' |
		sort -n | awk 'NR == 1 { printf "%.0f\n", $1 * 1000 }'
}

# address NAME: prints the address of a symbol
address()
{
	echo "$((0x$(awk -v name="$1" '$3 == name { print $1; exit }' /proc/kallsyms)))"
}

# is_out_of_range: succeeds if an arm64 call instruction cannot reach the kernel from the module
is_out_of_range()
{
	[ "$(uname -m)" = aarch64 ] || return
	far_bytes=$(($(address ftest_one) - $(address _stext)))
	[ "${far_bytes#-}" -gt $((128 << 20)) ]
}

# expect_true_time LABEL [PERCENT]: the duration of the tree differs from its untraced duration by
# at most three percent of the overhead of tracing, as ftrace.rst promises, or PERCENT; seven
# percent in a kernel with many debug checks
expect_true_time()
{
	put 1 options/tracer-time
	record 20 "$(param ftest_target timed)"
	with=$(tree_ns)
	put 0 options/tracer-time
	record 20 "$(param ftest_target timed)"
	without=$(tree_ns)
	note "$1: $untraced ns untraced, $with ns traced, $without ns without what tracing costs"
	off=$((without - untraced))
	[ $off -ge 0 ] || off=$((-off))
	most=${2:-3}
	[ -z "${FTEST_FEW-}" ] || most=7
	expect_true "$1: traced calls take longer" test "$with" -gt $((untraced * 5 / 4))
	expect_true "$1: the duration is true" test $((off * 100)) -le $(((with - untraced) * most))
}

# leaf_ns: the shortest duration of a call of ftest_one
leaf_ns()
{
	awk '/\| +ftest_one \[ftest_target\]\(.*;/ {
		for (i = 1; i < NF; i++)
			if ($(i + 1) == "us" && (!nr++ || $i < best))
				best = $i
	} END { printf "%d\n", nr ? best * 1000 : -1 }' trace
}

# expect_true_leaf LABEL: after expect_true_time, the duration of a leaf is as with the first
# options, up to a fifth of the overhead of a call, of which there are about 400
expect_true_leaf()
{
	leaf=$(leaf_ns)
	: "${leaf_first:=$leaf}"
	note "$1: $leaf ns for a leaf"
	expect_true "$1: there is a leaf" test "$leaf" -ge 0
	expect_true "$1: the duration of a leaf is true" \
		    test $(((leaf - leaf_first) * 2000)) -le $((with - untraced))
}

tracer_time()
{
	[ -f options/tracer-time ] || skip "no option tracer-time"
	need_module ftest_target
	put 20 "$(param ftest_target timed)"
	untraced=$(cat "$(param ftest_target timed)")
	! is_out_of_range || skip "modules are out of the range of branches"
	need_time
	put 'ftest_* tree_*' set_ftrace_filter
	put function_graph current_tracer
	expect_true_time "all calls"
	expect_true_leaf "all calls"
	expect "$(calls | grep -c '^  ftest_caller() {')" 100 "calls"
	put 1 max_graph_depth
	expect_true_time "rejected calls"
	put 0 max_graph_depth
	put 'ftest_two ftest_three' set_graph_notrace
	expect_true_time "calls that are muted" 5
	echo > set_graph_notrace
	for option in funcgraph-retaddr funcgraph-args; do
		[ -f options/$option ] || continue
		put 1 options/$option
		expect_true_time "with $option"
		expect_true_leaf "with $option"
		put 0 options/$option
	done
	put 0 options/sleep-time
	expect_true_time "without sleep-time"
	expect_true_leaf "without sleep-time"
	put 1 options/sleep-time
	# started with the option
	put nop current_tracer
	put function_graph current_tracer
	expect_true_time "from the start"
	expect "$(events | grep -c -- '-[0-9.]* us')" 0 "negative durations"
}

# The functions called for the measurement are visible in other instances.
measured_once()
{
	[ -f options/tracer-time ] || skip "no option tracer-time"
	mkdir instances/cost
	put graph_cost_empty instances/cost/set_ftrace_filter
	put function instances/cost/current_tracer
	put 0 options/tracer-time
	for round in 1 2; do
		: > instances/cost/trace
		put function_graph current_tracer
		put nop current_tracer
	done
	rc=$(grep -c graph_cost_empty instances/cost/trace)
	rmdir instances/cost
	expect "$rc" 0 "calls at the second start"
}

pids()
{
	trace_targets
	put 1 set_ftrace_pid
	call_once
	expect_calls ''
	: > set_ftrace_pid
	call_once
	expect_calls "$TREE"
}

# Excluded tasks are not traced, and neither are their calls.
pids_not()
{
	trace_targets
	sh -c 'echo $$ > set_ftrace_notrace_pid; echo > trace; echo 1 > "$0"' \
	   "$(param ftest_target call)"
	expect_calls ''
	call_once
	expect_calls "$TREE"
	: > set_ftrace_notrace_pid
}

# Traces only the task of the case and the tasks that it starts.
trace_own_tasks()
{
	read -r own_pid _ < /proc/self/stat
	put 1 options/function-fork
	put "$own_pid" set_ftrace_pid
}

# A child begins with an empty stack, and not inside the calls of its parent. The calls of a
# task follow one another, but lines of other tasks are interleaved.
fork_inside()
{
	put 'kernel_clone wake_up_new_task schedule_tail' set_ftrace_filter
	trace_own_tasks
	put function_graph current_tracer
	put funcgraph-proc trace_options
	: > trace
	for _ in 1 2 3 4 5 6 7 8; do
		(:)
	done
	put 0 tracing_on
	events | sed -n 's, /[*].*,,; s/^ [0-9]*) *\(.*-[0-9]*\) *|[^|]*|  /\1|/p' > "$SCRATCH/all"
	awk -F '|' '
		{ calls[$1] = calls[$1] $2 }
		END { for (task in calls) print calls[task] }' "$SCRATCH/all" > "$SCRATCH/tasks"
	put nofuncgraph-proc trace_options
	# A call that another task interrupts is not a leaf
	call='\((\);|\) \{  \})'
	forks="(kernel_clone\(\) \{  wake_up_new_task$call\})*"
	expect "$(grep -vxE "(schedule_tail$call)?$forks" "$SCRATCH/tasks")" '' "other calls"
	expect_true "children" [ "$(grep -c '^schedule_tail' "$SCRATCH/tasks")" -ge 8 ]
	expect_true "parents" grep -q '^kernel_clone' "$SCRATCH/tasks"
}

# need_function NAME: skips the case if the function cannot be traced
need_function()
{
	grep -qx "$1" available_filter_functions || skip "no $1()"
}

# The handler of an exception is inside the function that the exception interrupts.
exceptions()
{
	need_function fixup_exception
	stay_here
	put 'ksys_write vfs_write fixup_exception' set_ftrace_filter
	put ksys_write set_graph_function
	trace_own_tasks
	put function_graph current_tracer
	: > trace
	expect "$("$FILEOP" fault w trace_options)" EFAULT "a write from an unmapped address"
	put 0 tracing_on
	calls | sed -n '/^ksys_write/h; /^ /H; /^}/{ H; x; s/\n//g; p; }' > "$SCRATCH/trees"
	# x86 tries once more, byte by byte
	want='ksys_write\(\) \{  vfs_write\(\) \{(    fixup_exception\(\)(;| \{    \}))+  \}\}'
	expect "$(grep -cxE "$want" "$SCRATCH/trees")" 1 "trees with an exception"
	expect "$(grep -c fixup_exception "$SCRATCH/trees")" 1 "all trees with one"
}

# A signal interrupts the blocking read, its handler writes and returns, and the read is
# restarted: five times, until data is available. Every call ends exactly once.
signals()
{
	need_function get_signal
	need_function restore_altstack
	put 'ksys_read vfs_read ksys_write vfs_write get_signal restore_altstack' \
	    set_ftrace_filter
	trace_own_tasks
	put function_graph current_tracer
	put funcgraph-proc trace_options
	: > trace
	expect "$("$FILEOP" signals 5)" 5 "signals"
	put 0 tracing_on
	# without the names after the ends of calls that a task switch interrupted
	events | sed -n 's, /[*].*,,; s/^ [0-9]*) *fileop-[0-9]* *|[^|]*|  //p' | tr -d '\n' \
		> "$SCRATCH/calls"
	put nofuncgraph-proc trace_options
	# A call that another task interrupts is not a leaf
	call='\((\);|\) \{\})'
	inner='\((\);|\) \{  \})'
	read="ksys_read\(\) \{  vfs_read$inner\}"
	write="ksys_write\(\) \{  vfs_write$inner\}"
	signal="${read}get_signal$call${write}restore_altstack$call"
	expect_true "calls: $(cat "$SCRATCH/calls")" \
		grep -Eqx "($read)*($signal){5}$read$write" "$SCRATCH/calls"
}

# With function-fork the calls of children are recorded, and the calls of other tasks are not.
pids_fork()
{
	put vfs_read set_ftrace_filter
	put 1 options/function-fork
	put function_graph current_tracer
	put funcgraph-proc trace_options
	sh -c 'echo $$ > set_ftrace_pid; "$0" read r /proc/uptime; (exec "$0" read r /proc/uptime)
	       exit 0' "$FILEOP" > /dev/null 2>&1
	read_something
	put 0 tracing_on
	events | sed -n 's/^.*) *\(.*\) *| .*vfs_read().*/\1/p' | sort -u > "$SCRATCH/tasks"
	expect "$(grep -c '^fileop-' "$SCRATCH/tasks")" 2 "children: $(cat "$SCRATCH/tasks")"
	expect "$(grep -vc -e '^fileop-' -e '^sh-' "$SCRATCH/tasks")" 0 "other tasks"
	put nofuncgraph-proc trace_options
}

comments()
{
	stay_here
	put 'ksys_write vfs_write' set_ftrace_filter
	put function_graph current_tracer
	: > trace
	echo hello > trace_marker
	put 0 tracing_on
	expect "$(sed -n 's/^[^|]*|  //; /ksys_write() {/,/^}/p' trace | head -5)" \
	       "$(printf 'ksys_write() {\n  vfs_write() {\n    /* hello */\n  }\n}')" "comment"
}

events_inside()
{
	stay_here
	put kernel_clone set_ftrace_filter
	put sched:sched_process_fork set_event
	put function_graph current_tracer
	: > trace
	(:)
	put 0 tracing_on
	put '' set_event
	expect "$(sed -n 's/^[^|]*|  //; s/pid=[0-9]*/pid=N/g; /kernel_clone() {/,/^}/p' trace |
		head -n 3)" \
	       "$(printf 'kernel_clone() {\n  /* %s */\n}' \
		  'sched_process_fork: comm=sh pid=N child_comm=sh child_pid=N')" "event"
}

switches()
{
	put schedule set_ftrace_filter
	put function_graph current_tracer
	: > trace
	sleep 0.2
	put 0 tracing_on
	grep -A 3 -m 1 '^ -----' trace > "$SCRATCH/switch"
	expect "$(sed -n '1p;3p' "$SCRATCH/switch" | sort -u)" \
	       ' ------------------------------------------' "lines around"
	expect_true "two tasks" \
		grep -Eq '^ [0-9]+\) +[^ ]+-[0-9]+ +=> +[^ ]+-[0-9]+ *$' "$SCRATCH/switch"
	expect "$(sed -n 4p "$SCRATCH/switch")" '' "an empty line"
}

interrupts()
{
	put hrtimer_interrupt set_ftrace_filter
	put function_graph current_tracer
	: > trace
	sleep 0.3
	put 0 tracing_on
	expect "$(grep -A 1 -m 1 '^ [0-9]*)   ==========> |$' trace | sed -n 's/.*|  //p')" \
	       'hrtimer_interrupt();' "an interrupt"
	expect_true "its end" grep -q '^ [0-9]*)   <========== |$' trace
	put 1 tracing_on
	put nofuncgraph-irqs trace_options
	: > trace
	sleep 0.2
	put 0 tracing_on
	expect "$(calls | grep -c hrtimer_interrupt)" 0 "interrupts with nofuncgraph-irqs"
	# except the functions of set_graph_function, with their calls
	put 'hrtimer_interrupt ktime_get_update_offsets_now *timer_interrupt' set_ftrace_filter
	put hrtimer_interrupt set_graph_function
	put 1 tracing_on
	: > trace
	sleep 0.2
	put 0 tracing_on
	expect_true "an interrupt in set_graph_function" \
		    [ "$(calls | grep -c '^hrtimer_interrupt() {')" -ge 1 ]
	expect_true "calls inside it" \
		    [ "$(calls | grep -c '^  ktime_get_update_offsets_now();')" -ge 1 ]
	expect "$(calls | grep -vc -e hrtimer_interrupt -e ktime_get -e '^ *}')" 0 "other calls"
}

instances_apart()
{
	trace_targets
	mkdir instances/graph
	put 'ftest_one' instances/graph/set_ftrace_filter
	put function_graph instances/graph/current_tracer
	call_once
	expect_calls "$TREE"
	expect "$(calls instances/graph/trace)" 'ftest_one();' "calls of the other instance"
	put ftest_two instances/graph/set_graph_function
	: > instances/graph/trace
	call_once
	expect_calls "$TREE"
	expect "$(calls instances/graph/trace)" '' "calls of the other instance"
	rmdir instances/graph
	call_once
	expect_calls "$TREE"
}

options_apart()
{
	trace_targets
	mkdir instances/graph
	put 'ftest_*' instances/graph/set_ftrace_filter
	put function_graph instances/graph/current_tracer
	put funcgraph-tail instances/graph/trace_options
	call_once
	expect_file options/funcgraph-tail 0
	expect_calls "$TREE"
	expect "$(calls instances/graph/trace | tail -n 1)" '} /* ftest_caller */' \
	       "the last line in the other instance"
	rmdir instances/graph
}

beside_function()
{
	trace_targets
	mkdir instances/fn
	put 'ftest_*' instances/fn/set_ftrace_filter
	put function instances/fn/current_tracer
	call_once
	rc=$(events instances/fn/trace | grep -c 'ftest_one .*<-ftest_caller')
	rmdir instances/fn
	expect "$rc" 1 "entries with the caller"
	expect_calls "$TREE"
}

# Counts the fields in the format file of an entry type that match a pattern.
fields()
{
	grep -Ec "	field:$2" "events/ftrace/$1/format"
}

formats()
{
	expect "$(sed -n 's/^ID: //p' events/ftrace/funcgraph_entry/format)" 11 "id of entries"
	expect "$(sed -n 's/^ID: //p' events/ftrace/funcgraph_exit/format)" 10 "id of returns"
	expect "$(fields funcgraph_entry 'unsigned long func;	offset:8;')" 1 "func"
	expect "$(fields funcgraph_entry 'int depth;	offset:16;')" 1 "depth"
	[ ! -f options/funcgraph-args ] ||
		expect "$(fields funcgraph_entry 'unsigned long args\[\];.offset:20;.size:0;')" 1 \
		       "args"
	expect "$(fields funcgraph_exit 'unsigned long long (calltime|rettime);')" 2 "times"
}

has_many_calls()
{
	[ "$(events | head -n 1000 | wc -l)" = 1000 ]
}

# All functions of the kernel, under load, while the filters change.
all_functions()
{
	needs_filters set_ftrace_filter
	all_or_few
	put function_graph current_tracer
	load_start 300
	for _ in $(rounds 3); do
		sleep 0.3
		put "*lock*" set_ftrace_filter
		sleep 0.2
		put nop current_tracer
		echo > set_ftrace_filter
		all_or_few
		put function_graph current_tracer
	done
	wait_for 30 has_many_calls || fail "there are few calls"
	load_stop
	put nop current_tracer
}

# The return stack of a running task changes while its stack is read.
stacks()
{
	[ -r /proc/1/stack ] || skip "no stacks of tasks in /proc"
	all_or_few
	put function_graph current_tracer
	load_start 300
	for _ in $(rounds 10); do
		cat /proc/[0-9]*/stack > "$SCRATCH/stacks" 2> /dev/null
	done
	in_background sleep 60
	sleep 0.5
	cat "/proc/$background_pid/stack" > "$SCRATCH/sleeping"
	end_background "$background_pid"
	load_stop
	put nop current_tracer
	expect_true "functions of a task that sleeps" grep -q nanosleep "$SCRATCH/sleeping"
	expect_true "their real callers" sh -c "! grep -q return_to_handler '$SCRATCH/sleeping'"
}

module_goes()
{
	put 16 buffer_size_kb
	trace_targets
	call_once
	put 1 tracing_on
	put 2 "$(param ftest_target threads)"
	sleep 0.2
	drop_module ftest_target
	put 0 tracing_on
	expect_true "calls" test "$(events | wc -l)" -gt 10
	# The functions no longer have names
	expect "$(calls | grep -c ftest_)" 0 "names of unloaded functions"
	expect_true "addresses" test "$(calls | grep -c '0x[0-9a-f]*()')" -gt 2
}

testcase defaults "options and files have their defaults"
testcase text "a call tree is shown exactly, in the columns of the documentation"
testcase long_trace "lines are the same where a read ends"
testcase pipe "trace_pipe shows the same text"
testcase options "options add and remove columns"
testcase retval "return values are shown"
testcase retaddr "callers are shown"
slowcase args "arguments are shown"
testcase errors "error codes are shown as such"
testcase depth "max_graph_depth limits the depth"
testcase graph_function "set_graph_function selects the outermost functions"
testcase graph_function_inside "set_graph_function also takes effect inside calls"
testcase graph_notrace "set_graph_notrace excludes functions and the calls inside them"
testcase notrace "set_ftrace_notrace excludes functions, but not the calls inside them"
testcase words_of_source "set_graph_function and set_graph_notrace accept patterns with :src:"
testcase words_of_module "a pattern can select all functions of a module"
testcase waits_for_module "patterns for a module that is not loaded are pending"
testcase module_gone "functions of an unloaded module are removed from the graph filters"
testcase tasks_end "tasks execute programs, are killed and exit inside traced functions"
testcase thresh "tracing_thresh shows only slow calls, at their end"
testcase keeps_slow "only the trees of slow calls are kept, completely"
testcase kept_times "entries of a kept tree have their original timestamps"
testcase kept_switches "a tree shows when its task did not run"
testcase refused_trees "trees that the buffer has no space for do not count as complete"
testcase keeps_failed "only the trees of calls that return an error are kept, completely"
slowcase large_tree "a tree that outgrows its memory reports it"
testcase unfinished_trees "tasks exit inside trees"
testcase trees_apart "instances keep their own trees"
slowcase trees_under_load "trees of all functions are kept or dropped under load"
testcase trees_nmi "trees have the calls of NMIs that occur during the tree"
testcase trees_nmi_late "calls of NMIs that occur after the end of a tree are only counted"
testcase sleep_time "nosleep-time does not count the time that a task did not run"
slowcase tracer_time "notracer-time excludes the overhead of tracing from durations"
testcase measured_once "the overhead of tracing is measured only at the first start"
testcase pids "set_ftrace_pid selects tasks"
testcase pids_not "set_ftrace_notrace_pid excludes tasks"
testcase fork_inside "parent and child each have their own calls after a fork in a traced function"
testcase exceptions "an exception is inside the function that it interrupts"
testcase signals "signals are delivered and their handlers return inside trees"
testcase pids_fork "with function-fork the children of listed tasks are recorded"
testcase comments "text written to trace_marker is a comment"
testcase events_inside "an event is a comment inside the call in which it happened"
testcase switches "a task switch is shown"
testcase interrupts "interrupts have arrows, and can be excluded"
testcase instances_apart "instances have their own graphs"
testcase options_apart "instances have their own options"
testcase beside_function "the function tracer shows the real callers when both tracers run"
testcase formats "the format files match the expectations of tools"
slowcase all_functions "all functions can be traced under load"
slowcase stacks "stacks of tasks show the real callers"
testcase module_goes "a module can be unloaded while its functions are traced"
finish
