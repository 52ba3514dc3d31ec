#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# The output of a file is valid input: each line that it lists can be written to it, and with a
# leading `!' it removes the item.
# shellcheck source=functions.sh

. "$(dirname "$0")/functions.sh"

SWITCH=events/sched/sched_switch

# Lists, and lines to set up. A listed line with a leading `!' removes an item, and the line by
# itself adds it. None of the functions is called during the test.
removable()
{
	cat <<-END
	set_ftrace_filter|vfs_fsync
	set_ftrace_filter|vfs_mkn*
	set_ftrace_filter|ftest_one
	set_ftrace_filter|no_such_*:mod:ftest_nothing
	set_ftrace_filter|vfs_fsync:traceoff:3
	set_ftrace_filter|vfs_fsync:traceon
	set_ftrace_filter|vfs_mknod:stacktrace:0x10
	set_ftrace_filter|vfs_mknod:stacktrace
	set_ftrace_filter|vfs_mknod:dump
	set_ftrace_filter|vfs_mknod:cpudump
	set_ftrace_filter|vfs_mknod:snapshot:1
	set_ftrace_filter|vfs_fsync:enable_event:sched:sched_switch:2
	set_ftrace_filter|vfs_fsync:disable_event:sched:sched_waking
	set_ftrace_filter|ftest_two:traceoff
	set_ftrace_filter|ftest_two:disable_event:sched:sched_switch:7
	set_ftrace_notrace|vfs_fsync
	set_ftrace_notrace|ftest_one
	set_ftrace_notrace|no_such_*:mod:ftest_nothing
	set_graph_function|vfs_fsync
	set_graph_function|ftest_one
	set_graph_function|no_such_*:mod:ftest_nothing
	set_graph_notrace|vfs_fsync
	set_graph_notrace|ftest_one
	stack_trace_filter|vfs_fsync
	stack_trace_filter|ftest_one
	set_event|sched:sched_process_exit
	set_event|irq:*_e*
	set_event|ftest:*:mod:ftest_events
	$SWITCH/trigger|traceoff:3 if prev_pid < 0
	$SWITCH/trigger|stacktrace if prev_pid < 0
	$SWITCH/trigger|snapshot:1 if prev_pid < 0 && prev_comm == "x y"
	$SWITCH/trigger|enable_event:sched:sched_waking:2 if prev_pid < 0
	$SWITCH/trigger|disable_event:sched:sched_wakeup if prev_pid < 0
	events/ftrace/print/trigger|traceon:5 if ip == 0
	END
}

# Values: the file, the value that clears it, and lines to set up. = is the initial value.
replaceable()
{
	cat <<-END
	set_ftrace_pid||1
	set_ftrace_pid||2
	set_ftrace_notrace_pid||1
	set_event_pid||1
	set_event_pid||2
	set_event_notrace_pid||1
	$SWITCH/filter|0|(prev_pid == 1 || prev_prio & 7) && prev_comm ~ "x*"
	events/sched/filter|0|common_pid == 1
	current_tracer|nop|function
	trace_clock|local|global
	tracing_cpumask|$all_cpus|1
	buffer_size_kb|20|40
	buffer_percent|=|30
	buffer_subbuf_size_kb|$page_kb|$((2 * page_kb))
	trace_options|nosym-addr|sym-addr
	options/sym-addr|0|1
	events/sched/enable|0|1
	max_graph_depth|=|3
	tracing_thresh|=|7
	tracing_max_latency|=|7
	stack_max_size|=|7
	saved_cmdlines_size|=|200
	hwlat_detector/mode|=|round-robin
	hwlat_detector/width|=|400000
	osnoise/cpus|=|0
	osnoise/period_us|=|2000000
	osnoise/options|DEFAULTS|PANIC_ON_STOP
	END
}

# lines FILE: prints the lines that it lists; of a choice in one line, the item in brackets
lines()
{
	sed -e '/^#/d' -e '/^no pid$/d' -e '/^none$/d' -e '/(expanded: /d' \
	    -e '/ \[.*\]/!s/.*\[\(.*\)\].*/\1/' -e 's/.* \[\([^]]*\)\] .*/\1/' "$1"
}

# put_lines SIGN FILE LINES: writes each of the lines to the file
put_lines()
{
	while IFS= read -r line; do
		printf '%s%s\n' "$1" "$line" >> "$2" || fail "$2 rejects '$1$line'"
	done < "$3"
}

# take_back FILE [EMPTY]: the content of the file is removed, added again, and removed
take_back()
{
	lines "$1" > "$SCRATCH/shown"
	expect_true "$1 lists something" [ -s "$SCRATCH/shown" ]
	if [ $# -eq 1 ]; then
		put_lines '!' "$1" "$SCRATCH/shown"
	else
		put "$2" "$1"
	fi
	lines "$1" > "$SCRATCH/less"
	expect_file "$SCRATCH/less" "$(cat "$SCRATCH/before")"
	put_lines '' "$1" "$SCRATCH/shown"
	lines "$1" | sort > "$SCRATCH/again"
	expect_file "$SCRATCH/again" "$(sort "$SCRATCH/shown")"
	if [ $# -eq 1 ]; then
		put_lines '!' "$1" "$SCRATCH/shown"
	else
		put "$2" "$1"
	fi
}

lists()
{
	for file in $(removable | cut -d '|' -f 1 | uniq); do
		[ -f "$file" ] || continue
		lines "$file" > "$SCRATCH/before"
		removable | grep -F "$file|" | cut -d '|' -f 2- > "$SCRATCH/lines"
		put_lines '' "$file" "$SCRATCH/lines"
		take_back "$file"
	done
}

values()
{
	for file in $(replaceable | cut -d '|' -f 1 | uniq); do
		[ -f "$file" ] || continue
		replaceable | grep -F "$file|" | cut -d '|' -f 2- > "$SCRATCH/rows"
		read -r row < "$SCRATCH/rows"
		empty=${row%%|*}
		[ "$empty" != = ] || empty=$(lines "$file")
		put "$empty" "$file"
		lines "$file" > "$SCRATCH/before"
		sed 's/^[^|]*|//' "$SCRATCH/rows" > "$SCRATCH/lines"
		put_lines '' "$file" "$SCRATCH/lines"
		take_back "$file" "$empty"
	done
}

have_all()
{
	grep -qw function available_tracers || skip "no tracer function"
	[ -f set_ftrace_filter ] && [ -d events/sched ] || skip "no filters, or no events"
	need_module ftest_target
}

top_lists()
{
	have_all
	lists
}

lists_of_instance()
{
	have_all
	in_instance
	lists
	# before the functions of its commands are unloaded
	cd "$TRACEFS" && rmdir instances/ftest
}

top_values()
{
	have_all
	values
}

values_of_instance()
{
	have_all
	in_instance
	values
}

# The content of each file at rest, except files whose input is not a list or value that they
# show.
at_rest()
{
	have_all
	# shellcheck disable=SC2044 # no name has a blank
	for file in $(find . -type f -perm -200 ! -name 'trace_marker*' ! -name free_buffer \
			   ! -name trace ! -name 'snapshot*' ! -name error_log \
			   ! -name timerlat_fd ! -path '*/events/*' ! -path './per_cpu/*'); do
		[ -s "$file" ] || cat "$file" > "$SCRATCH/rest" 2> /dev/null || continue
		lines "$file" > "$SCRATCH/rest"
		put_lines '' "$file" "$SCRATCH/rest"
		lines "$file" > "$SCRATCH/again"
		expect_file "$SCRATCH/again" "$(cat "$SCRATCH/rest")"
	done
}

testcase top_lists "a line of a list adds an item, and with a leading ! removes it"
testcase lists_of_instance "the same for the lists of an instance"
testcase top_values "a value that was written is shown, and can be written again"
testcase values_of_instance "the same for the values of an instance"
testcase at_rest "each file accepts its initial content"
finish
