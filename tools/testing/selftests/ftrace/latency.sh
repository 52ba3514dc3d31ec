#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# The latency tracers: irqsoff, preemptoff, preemptirqsoff, wakeup, wakeup_rt and wakeup_dl. All
# other latencies are shorter than the latencies that the tests make.
# shellcheck source=functions.sh

. "$(dirname "$0")/functions.sh"

# Longer than other activity in a guest under load, in microseconds
LONG=20000

# use TRACER: starts the tracer, and resets the maximum
use()
{
	grep -qw "$1" available_tracers || skip "no tracer $1"
	need_module ftest_latency
	[ "${FTEST_FEW-}" != walk ] || trace_no_walks
	put "$1" current_tracer
	put 0 tracing_max_latency
}

make_latency()
{
	put "$1 $2" "$(param ftest_latency make)"
}

# longest KIND USECS [MEASURED]: makes the latency and stops, and repeats that until the trace
# shows this latency. On a kernel with many debug checks, another latency may be longer while
# all functions are traced. With frame pointers, the trace shows the caller of the function in
# which the latency began.
longest()
{
	for _ in 1 2 3 4 5; do
		put 1 tracing_on
		put 0 tracing_max_latency
		make_latency "$1" "$2"
		stop
		measured "${3-$2}" &&
			grep -Eq '^#.* (started at: (set_)?make|task: ftest_woken-)' trace && return
	done
}

# Succeeds if the maximum is about $1 microseconds: udelay() takes a little less, and with
# functions traced it takes more.
measured()
{
	read -r max < tracing_max_latency
	[ "$max" -ge $(($1 * 9 / 10)) ] && [ "$max" -lt $(($1 * 3)) ]
}

expect_measured()
{
	measured "$1" || fail "tracing_max_latency is $max instead of about $1: $2"
	nr_checks=$((nr_checks + 1))
}

# header PATTERN...: the header of the trace contains each pattern
header()
{
	head -n 20 trace | grep '^#' > "$SCRATCH/header"
	for word; do
		expect_true "the header has $word" grep -Eq -- "$word" "$SCRATCH/header"
	done
}

# entry LABEL LINE PATTERN: the line matches the pattern
entry()
{
	printf '%s\n' "$2" > "$SCRATCH/entry"
	expect_true "$1: $2" grep -Eq "$3" "$SCRATCH/entry"
}

# Stops recording, so that the reader cannot cause a new maximum.
stop()
{
	put 0 tracing_on
	# A maximum of all CPUs is kept a moment later
	sleep 0.1
}

irqsoff()
{
	use irqsoff
	put 0 options/function-trace
	longest irqs $LONG
	expect_measured $LONG "interrupts that were off are measured"
	# Other CPUs may have had shorter latencies at the same time, which are also in the
	# trace
	header '^# tracer: irqsoff$' '^# irqsoff latency trace v1\.1\.5 on ' \
	       "^# latency: $max us, #[0-9]+/[0-9]+, CPU#[0-9]+ \| \(M:" \
	       '^#  => started at: (make_irqs|set_make)' '^#  => ended at:   (make_irqs|set_make)'
	expect "$(events | grep -Ec ': make_irqs( <-.*)?$')" 2 "entries where it began and ended"
	expect_true "there is a stack" grep -q ': <stack trace>$' trace
	expect_true "the stack has the caller" grep -q '^ => .*param_attr_store' trace
	entry "its beginning is first" "$(events | grep -E ': make_irqs( <-.*)?$' | head -n 1)" \
	      '[0-9]d[^ ]* +[0-9]{1,2}us[^ ]* ?: make_irqs'
}

shorter()
{
	use irqsoff
	make_latency irqs $LONG
	wait_for 5 measured $LONG || fail "no maximum"
	put before trace_marker
	make_latency irqs $((LONG / 2))
	stop
	expect_measured $LONG "the maximum is kept"
	expect "$(grep -c before trace)" 0 "markers in the trace of the maximum"
	# Any number may be written; a latency counts if it is longer
	put $((3 * LONG)) tracing_max_latency
	put 1 tracing_on
	make_latency irqs $((2 * LONG))
	expect_file tracing_max_latency $((3 * LONG))
}

# Time stamps of two clocks cannot be compared, and new pages are empty.
emptied()
{
	for setting in 'mono trace_clock' "$((2 * page_kb)) buffer_subbuf_size_kb"; do
		use wakeup_rt
		put 0 options/function-trace
		longest wakeup $LONG
		header '\| task: ftest_woken-'
		put "${setting% *}" "${setting#* }"
		header '^# latency: 0 us, #0/0,'
		expect_false "the header has the task" grep -q ftest_woken "$SCRATCH/header"
		put nop current_tracer
		drop_module ftest_latency
	done
}

# Only a new maximum modifies the file.
watched()
{
	use wakeup_rt
	expect "$("$FILEOP" watch tracing_max_latency 5000 "$(param ftest_latency make)" \
		"wakeup $LONG")" modified "the file, with a new maximum"
	put $((10 * LONG)) tracing_max_latency
	expect "$("$FILEOP" watch tracing_max_latency 500 "$(param ftest_latency make)" \
		"wakeup $LONG")" timeout "the file, without one"
}

thresh()
{
	use irqsoff
	put $((LONG / 4)) tracing_thresh
	make_latency irqs $LONG
	wait_for 5 measured $LONG || fail "no maximum"
	make_latency irqs $((LONG / 2))
	stop
	put 0 tracing_thresh
	latency=$(sed -n 's/^# latency: \([0-9]*\) us.*/\1/p' trace)
	expect_true "the trace is that of the last one, of $latency us" \
		    [ "$latency" -lt $((LONG * 8 / 10)) ]
}

functions()
{
	use irqsoff
	put 1 options/function-trace
	longest irqs $LONG
	expect_measured $LONG "interrupts that were off are measured"
	expect_true "functions that were called are recorded" grep -q 'delay.* <-' trace
	expect "$(grep -c 'vfs_write <-' trace)" 0 "functions outside of the section"

	put nop current_tracer
	put 1 tracing_on
	grep -w 'vfs_read' available_filter_functions > set_ftrace_filter
	put irqsoff current_tracer
	make_latency irqs $LONG
	stop
	expect "$(grep -c 'delay.* <-' trace)" 0 "functions not in set_ftrace_filter"
}

# A function that ends in a tail call has the same caller as the function that it calls.
beside_graph()
{
	grep -qw function_graph available_tracers || skip "no tracer function_graph"
	use wakeup_rt
	mkdir instances/graph
	put '*delay*' instances/graph/set_ftrace_filter
	put function_graph instances/graph/current_tracer
	put 1 options/function-trace
	longest wakeup $LONG
	rmdir instances/graph
	expect_measured $LONG "a task that has to wait is measured"
	expect_true "functions that were called are recorded" grep -q 'delay.* <-' trace
	expect "$(grep -c 'return_to_handler' trace)" 0 "calls without their caller"
}

preemptoff()
{
	use preemptoff
	put 0 options/function-trace
	make_latency irqs $((4 * LONG))
	longest preempt $LONG
	expect_measured $LONG "preemption that was off is measured"
	header '^# tracer: preemptoff$' '^# preemptoff latency trace v1\.1\.5 on ' \
	       '^#  => started at: (make_preempt|set_make)' \
	       '^#  => ended at:   (make_preempt|set_make)'
	expect "$(events | grep -Ec ': make_preempt( <-.*)?$')" 2 "entries where it began and ended"
}

not_interrupts()
{
	use preemptoff
	make_latency irqs $((4 * LONG))
	stop
	expect_false "interrupts that are off do not count" measured $((4 * LONG))
}

both()
{
	use preemptirqsoff
	put 0 options/function-trace
	longest both $LONG
	expect_measured $LONG "one after the other is one section"
	put nop current_tracer
	put 1 tracing_on
	put irqsoff current_tracer
	longest both $LONG $((LONG / 2))
	expect_measured $((LONG / 2)) "interrupts were off for only half of it"
}

wakeup_rt()
{
	use wakeup_rt
	put 0 options/function-trace
	longest wakeup $LONG
	expect_measured $LONG "a task that has to wait is measured"
	header '^# tracer: wakeup_rt$' '^# wakeup_rt latency trace v1\.1\.5 on ' \
	       '^#    \| task: ftest_woken-[0-9]+ \(uid:0 nice:0 policy:1 rt_prio:50\)$'
	expect "$(grep -c '=> started at' trace)" 0 "places where it began"
	entry "the wakeup is first" "$(events | head -n 1)" \
	      ': +[0-9]+:[ 0-9]+:R   \+ \[[0-9]{3}\] +[0-9]+: 49:[A-Z] ftest_woken$'
	entry "the switch to the task is last" "$(events | grep ']  *[0-9]*:' | tail -n 1)" \
	      ': +[0-9]+:[ 0-9]+:[A-Z] ==> \[[0-9]{3}\] +[0-9]+: 49:R ftest_woken$'
}

# Ticks happen while the task waits.
events_beside()
{
	use wakeup_rt
	put 0 options/function-trace
	put timer:hrtimer_expire_entry set_event
	longest wakeup $LONG
	put '' set_event
	expect_measured $LONG "a task that has to wait is measured"
	tick='[0-9]d[^ ]* +[0-9]+us[ :!+#*@$]+ hrtimer_expire_entry: hrtimer=[^ ]+ function='
	expect_true "ticks while the task waits: $(events | head -n 3)" \
		    sh -c "sed '1,/:R   +/d; /==>/,\$d' trace | grep -Eq '$tick'"
}

# Only tasks with a real-time policy.
not_fair()
{
	use wakeup_rt
	put 0 tracing_max_latency
	make_latency fair $LONG
	stop
	# There may have been no task to follow
	read -r max < tracing_max_latency
	[ "$max" = 0 ] || header "latency: $max us"
	policy=$(sed -n 's/.*| task: .* policy:\([0-9]*\) .*/\1/p' "$SCRATCH/header")
	expect_true "after $max us, the policy of the task is $policy" \
		    sh -c "[ $max = 0 ] || echo $policy | grep -qx '[126]'"
}

wakeup_dl()
{
	use wakeup_dl
	put 0 options/function-trace
	longest deadline $LONG
	expect_measured $LONG "a task that has to wait is measured"
	header '^# tracer: wakeup_dl$' \
	       '^#    \| task: ftest_woken-[0-9]+ \(uid:0 nice:0 policy:6 rt_prio:0\)$'
}

# The only task with a deadline in a guest is the one that the test creates.
not_realtime()
{
	use wakeup_dl
	make_latency wakeup $LONG
	stop
	expect_file tracing_max_latency 0
}

wakeup()
{
	use wakeup
	put 0 options/function-trace
	longest wakeup $LONG
	expect_measured $LONG "a task that has to wait is measured"
	header '^# tracer: wakeup$' '^#    \| task: ftest_woken-'
}

wakeup_functions()
{
	need_time
	use wakeup_rt
	put 1 options/function-trace
	longest wakeup $LONG
	expect_measured $LONG "a task that has to wait is measured"
	expect_true "the functions on its CPU are recorded" grep -q 'delay.* <-' trace
}

# expect_graph TRACER KIND: with display-graph, the latency that KIND makes is shown as a graph
expect_graph()
{
	need_time
	use "$1"
	[ -f options/display-graph ] || skip "no function graph"
	put 1 options/function-trace
	put 1 options/display-graph
	longest "$2" $LONG
	expect_measured $LONG "it is measured"
	expect "$(head -n 1 trace)" "# tracer: $1" "the first line"
	line='^#   REL TIME      CPU  TASK/PID       |||||    DURATION  *FUNCTION CALLS$'
	expect_true "the header has the columns" grep -q "$line" trace
	line='^ *[0-9]+ us \|  +[0-9]+\) +[^ ].*-[0-9]+ +\|  [^ ]{5} \| '
	line="$line"'[ +!#*@$] +([0-9]+\.[0-9]+ us +)?\|  +([^ ].*\(\)( \{|;)|\}.*|/\*.*\*/)$'
	arrow='\| +(==========>|<==========) \|$'
	expect "$(events | grep -E ' us [|]  ' | grep -Ev -e "$line" -e "$arrow" | head -n 5)" \
	       "" "lines of another form"
	expect_true "functions that were called are recorded: $(events | tail -n 5)" \
		    grep -Eq '\|  +[^ ]*delay[^ ]*\(\)( \{|;)$' trace
	expect_true "durations are shown" grep -Eq '\| .[ 0-9]+\.[0-9]+ us +\|' trace
	expect "$(grep -c ' <-' trace)" 0 "calls that are shown without graph"
}

# The option is set and cleared at once.
graph_ends()
{
	put 0 options/display-graph
	longest "$1" $LONG
	expect_true "functions are shown without graph" grep -q 'delay.* <-' trace
	expect "$(grep -c '() {$' trace)" 0 "calls in a graph"
}

irqsoff_graph()
{
	expect_graph irqsoff irqs
	expect_true "its beginning is shown: $(events | head -n 5)" \
		    grep -Eq '0\.000 us +\|  make_irqs\(\);$|0\.000 us +\|  make_irqs \[' trace
	graph_ends irqs
}

wakeup_graph()
{
	expect_graph wakeup_rt wakeup
	graph_ends wakeup
}

# A function in set_graph_notrace, and the calls inside it
graph_limits()
{
	grep -qw wakeup_rt available_tracers || skip "no tracer wakeup_rt"
	[ -f options/display-graph ] && [ -f set_graph_notrace ] || skip "no function graph"
	put '*delay*' set_graph_notrace
	use wakeup_rt
	put 1 options/display-graph
	longest wakeup $LONG
	found=$(events | grep -c 'delay')
	all_lines=$(events | grep -c ' us |  ')
	echo > set_graph_notrace
	expect "$found" 0 "functions that set_graph_notrace names"
	expect_true "other functions are shown" [ "$all_lines" -gt 1 ]
}

# limited FILE TEXT DEFAULT: records the graph of a latency while the file has the text; the
# function column of each call is written to $SCRATCH/graph
limited()
{
	grep -qw wakeup_rt available_tracers || skip "no tracer wakeup_rt"
	[ -f options/display-graph ] && [ -f "$1" ] || skip "no function graph"
	put "$2" "$1"
	use wakeup_rt
	put 1 options/display-graph
	longest wakeup $LONG
	events | sed -n 's/.*|  \( *[^| ]*()\)\( {\|;\)$/\1/p' > "$SCRATCH/graph"
	echo "$3" > "$1"
	expect_true "calls are shown" [ -s "$SCRATCH/graph" ]
}

graph_depth()
{
	limited max_graph_depth 1 0
	expect "$(grep -c '^ ' "$SCRATCH/graph")" 0 "calls inside other calls"
}

# The first and the last line of the latency may be other functions.
graph_functions()
{
	need_time
	limited set_graph_function '*delay*' ''
	expect_true "the function" grep -q '^[^ ]*delay' "$SCRATCH/graph"
	expect "$(sed '1d;$d' "$SCRATCH/graph" | grep '^[^ ]' | grep -vc delay)" 0 \
	       "other functions"
}

# on_cpu1 KIND: makes a long latency on CPU 1; $max is the longest one
on_cpu1()
{
	put 1 tracing_on
	put 0 tracing_max_latency
	taskset 2 sh -c "echo $1 $((4 * LONG)) > $(param ftest_latency make)"
	stop
	read -r max < tracing_max_latency
}

# expect_left_out TRACER KIND: latencies of CPU 1 are measured only if tracing_cpumask has it
expect_left_out()
{
	use "$1"
	taskset 2 true 2> /dev/null || skip "no second CPU, or no taskset"
	put 0 options/function-trace
	put 1 tracing_cpumask
	on_cpu1 "$2"
	expect_true "$max us is no latency of CPU 1" [ "$max" -lt $((2 * LONG)) ]
	put 2 tracing_cpumask
	# If a task with a higher priority is woken at the same time, that task is followed
	# instead
	for _ in 1 2 3 4 5; do
		on_cpu1 "$2"
		[ "$max" -lt $((2 * LONG)) ] || break
	done
	expect_true "$max us is a latency of CPU 1" [ "$max" -ge $((2 * LONG)) ]
}

left_out_irqs()
{
	expect_left_out irqsoff irqs
}

left_out_preempt()
{
	expect_left_out preemptoff preempt
}

left_out_wakeup()
{
	expect_left_out wakeup_rt wakeup
}

# Each instance has its own maximum.
instances()
{
	use irqsoff
	[ -d instances ] || skip "no instances here"
	mkdir instances/ftest || fail "no instance"
	echo wakeup_rt > instances/ftest/current_tracer ||
		{ rmdir instances/ftest; fail "no latency tracer in an instance"; }
	echo 0 > instances/ftest/tracing_max_latency
	make_latency irqs $LONG
	make_latency wakeup $((LONG / 2))
	stop
	read -r other < instances/ftest/tracing_max_latency
	grep -q 'task: ftest_woken-' instances/ftest/trace
	found=$?
	rmdir instances/ftest
	expect_measured $LONG "interrupts that were off are measured"
	expect "$found" 0 "status of the search for the task in the instance"
	expect_true "a wakeup is measured: $other" [ "$other" -ge $((LONG * 4 / 10)) ]
}

# The tracer owns the snapshot; its options are set and restored with it.
frame()
{
	use irqsoff
	expect_write "EBUSY" w snapshot '1\n'
	expect_file options/latency-format 1
	expect_file options/overwrite 1
	put nop current_tracer
	expect_file options/latency-format 0
	put 1 snapshot
	put 0 snapshot
}

# A tracer that cannot start does not change the buffer and the snapshot of the current tracer.
refused()
{
	grep -qw wakeup available_tracers || skip "no tracer wakeup"
	# few entries, so that none is overwritten
	put vfs_fsync set_ftrace_filter
	put function current_tracer
	echo 'before' > trace_marker
	put 1 snapshot
	echo 'vfs_fsync:snapshot' >> set_ftrace_filter || fail "no command"
	echo 'kept' > trace_marker
	expect_write EBUSY w current_tracer 'wakeup\n'
	expect_true "error_log has the reason" sh -c \
		    "tail -n 3 error_log | grep -q '^\[.*\] current_tracer: error: .*the snapshot$'"
	expect_file current_tracer function
	expect "$(grep -c ': kept$' trace)" 1 "markers in the buffer"
	expect "$(grep -c ': before$' snapshot)" 1 "markers in the snapshot"
	put '!vfs_fsync:snapshot' set_ftrace_filter
	put wakeup current_tracer
	expect "$(grep -c ': kept$' trace)" 0 "earlier markers"
	put nop current_tracer
}

under_load()
{
	grep -qw irqsoff available_tracers || skip "no tracer irqsoff"
	# small enough to be read while the load continues
	put 100 buffer_size_kb
	load_start 300
	for _ in $(rounds 3); do
		for tracer in irqsoff preemptoff preemptirqsoff wakeup wakeup_rt wakeup_dl; do
			grep -qw $tracer available_tracers || continue
			put $tracer current_tracer
			put 0 options/function-trace
			sleep 0.1
			cat trace > /dev/null
			# part of it, because it never ends
			"$FILEOP" read rn trace_pipe 65536 > /dev/null 2>&1
			put 1 options/function-trace
			put 0 tracing_max_latency
			put 1 options/display-graph
			sleep 0.1
			cat trace > /dev/null
			put 0 options/display-graph
		done
	done
	load_stop
	put nop current_tracer
}

slowcase irqsoff "irqsoff keeps the trace of the longest time with interrupts off"
testcase shorter "a shorter latency changes nothing"
testcase emptied "the trace of the longest latency is cleared when the clock or the pages change"
testcase watched "inotify reports a new maximum in tracing_max_latency"
testcase thresh "with tracing_thresh each longer latency is traced"
testcase functions "function-trace records the functions called during the latency"
testcase beside_graph "function-trace shows the callers of functions that are traced as a graph"
testcase preemptoff "preemptoff keeps the trace of the longest time with preemption off"
testcase not_interrupts "preemptoff does not measure interrupts"
testcase both "preemptirqsoff does not distinguish interrupts and preemption"
testcase wakeup_rt "wakeup_rt follows a real-time task until it runs"
testcase events_beside "events during the latency are recorded"
testcase not_fair "wakeup_rt does not follow other tasks"
testcase wakeup_dl "wakeup_dl follows a task with a deadline until it runs"
testcase not_realtime "wakeup_dl does not follow other tasks"
testcase wakeup "wakeup follows the task of the highest priority"
testcase wakeup_functions "function-trace records the functions on the CPU of the task"
slowcase irqsoff_graph "display-graph shows the functions called during the latency as a graph"
slowcase wakeup_graph "display-graph shows the functions on the CPU of a woken task as a graph"
testcase graph_limits "set_graph_notrace is applied with display-graph"
testcase graph_depth "max_graph_depth is applied with display-graph"
testcase graph_functions "set_graph_function is applied with display-graph"
testcase left_out_irqs "irqsoff measures only CPUs of tracing_cpumask"
testcase left_out_preempt "preemptoff measures only CPUs of tracing_cpumask"
testcase left_out_wakeup "wakeup_rt measures only CPUs of tracing_cpumask"
testcase instances "instances can run latency tracers at the same time"
testcase frame "a latency tracer owns the snapshot, and sets and restores its options"
testcase refused "a latency tracer that cannot start changes nothing"
slowcase under_load "latency tracers start and stop under load"
finish
