#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# The file trace: its header and lines as Documentation/trace/ftrace.rst and histogram.rst
# describe them, and entries of the function tracer and of trace_marker.
# shellcheck source=functions.sh

. "$(dirname "$0")/functions.sh"

# want_header TRACER ENTRIES: prints the expected header
want_header()
{
	cpus=$(grep -c '^processor' /proc/cpuinfo)
	cat <<-END
		# tracer: $1
		#
		# entries-in-buffer/entries-written: $2/$2   #P:$cpus
		#
		#                                _-----=> irqs-off/BH-disabled
		#                               / _----=> need-resched
		#                              | / _---=> hardirq/softirq
		#                              || / _--=> preempt-depth
		#                              ||| / _-=> migrate-disable
		#                              |||| /     delay
		#           TASK-PID     CPU#  |||||  TIMESTAMP  FUNCTION
		#              | |         |   |||||     |         |
	END
}

header()
{
	expect_file trace "$(want_header nop 0)"
	put x trace_marker
	put x trace_marker
	expect "$(grep '^#' trace)" "$(want_header nop 2)" "header"
	put vfs_open set_ftrace_filter
	put 0 tracing_on
	put function current_tracer
	expect_file trace "$(want_header function 0)"
}

trace_reads()
{
	put 'vfs_read vfs_open' set_ftrace_filter
	put function current_tracer
	read_something
	put 0 tracing_on
}

lines()
{
	trace_reads
	expect_true "there are lines" [ "$(nr_events)" -ge 3 ]
	shape='^ *[^ ].*-[0-9]+ +\[[0-9]{3}\] [^ ]{5} +[0-9]+\.[0-9]{6}: [a-zA-Z0-9_.]+ <-'
	expect "$(events | grep -cvE "$shape")" 0 "lines of another shape"
	# The name ends before column 17, the pid begins after it, the context is below its
	# legend
	expect "$(events | cut -c 25-26,30-31 | sort -u)" ' [] ' "characters around the CPU"
	expect "$(events | cut -c 17 | sort -u)" - "characters between name and pid"
	expect "$(events | cut -c 17- | grep -cvE '^-[0-9]+ +\[')" 0 "lines without pid and CPU"
	expect_true "reads" grep -q ': vfs_read <-ksys_read$' trace
	expect "$(events | grep -c ': vfs_read <-ksys_read$')" \
	       "$(events | grep -c ': vfs_read <-')" "callers of vfs_read by read(2)"
}

task_and_cpu()
{
	put 'vfs_open' set_ftrace_filter
	put function current_tracer
	taskset 1 sh -c "echo \$\$ > $SCRATCH/pid; exec sh -c ': < /proc/uptime'"
	put 0 tracing_on
	pid=$(cat "$SCRATCH/pid")
	expect_true "lines of sh-$pid on CPU 0" sh -c "grep -q ' sh-$pid  *\[000\] ' trace"
	expect "$(events | grep -- "-$pid " | grep -cv '\[000\]')" 0 "lines on other CPUs"
	expect "$(grep "^$pid " saved_cmdlines)" "$pid sh" "line of saved_cmdlines"
}

ended_tasks()
{
	put vfs_read set_ftrace_filter
	put function current_tracer
	i=0
	while [ $i -lt 60 ]; do
		read_something
		i=$((i + 1))
	done
	put 0 tracing_on
	expect "$(events | grep -c '<\.\.\.>')" 0 "entries without a name"
	expect_true "names of sixty tasks" \
		    [ "$(events | grep -o 'fileop-[0-9]*' | sort -u | wc -l)" -ge 60 ]
}

irq_flags()
{
	grep -qx update_process_times available_filter_functions || skip "no update_process_times"
	put 'update_process_times vfs_read' set_ftrace_filter
	put function current_tracer
	read_something
	expect_true "interrupts were recorded" wait_for 20 grep -q ': update_process_times <-' trace
	put 0 tracing_on
	expect "$(events | grep ': update_process_times <-' | grep -cvE '\] d.[hH]')" 0 \
	       "interrupts without their flags"
	expect "$(events | grep ': vfs_read <-' | grep -cv '\] \.[^ ]\.')" 0 \
	       "reads of tasks with flags of interrupts"
}

ordered()
{
	put 'vfs_* ksys_*' set_ftrace_filter
	put global trace_clock
	put function current_tracer
	for cpu in 1 2; do
		taskset $cpu sh -c 'for _ in 1 2 3 4 5 6 7 8; do cat /proc/uptime; done' \
			> /dev/null 2>&1 &
		eval "pid$cpu=$!"
	done
	# shellcheck disable=SC2154
	wait "$pid1" "$pid2"
	put 0 tracing_on
	events | sed 's/.* \([0-9]*\.[0-9]*\): .*/\1/' > "$SCRATCH/stamps"
	expect_true "there are lines" [ "$(wc -l < "$SCRATCH/stamps")" -gt 30 ]
	expect_true "time rises" sort -c -n "$SCRATCH/stamps"
}

stable()
{
	trace_reads
	cat trace > "$SCRATCH/first"
	cat trace > "$SCRATCH/second"
	expect_true "two readings are equal" cmp "$SCRATCH/first" "$SCRATCH/second"
	expect "$(sed -n 's/.*written: \([0-9]*\).*/\1/p' trace)" "$(nr_events)" "entries"
}

cleared()
{
	put x trace_marker
	: > trace
	expect "$(nr_events)" 0 "entries after truncation"
	put x trace_marker
	put '' trace
	expect "$(nr_events)" 0 "entries after a write"
	put x trace_marker
	put nop current_tracer
	expect "$(nr_events)" 1 "entries after the same tracer again"
	put vfs_open set_ftrace_filter
	put function current_tracer
	put 0 tracing_on
	expect "$(events | grep -c mark)" 0 "entries from before the tracer changed"
	# Opening for append keeps the entries
	put 1 tracing_on
	put y trace_marker
	"$FILEOP" open wa trace > /dev/null
	expect_true "entries after opening for append" [ "$(nr_events)" -ge 1 ]
}

one_cpu()
{
	taskset 1 sh -c 'echo on0 > trace_marker'
	taskset 2 sh -c 'echo on1 > trace_marker' || skip "one CPU only"
	expect "$(events per_cpu/cpu0/trace | sed 's/.*: //')" on0 "entries of CPU 0"
	expect "$(events per_cpu/cpu1/trace | sed 's/.*: //')" on1 "entries of CPU 1"
	: > per_cpu/cpu0/trace
	expect "$(events | sed 's/.*: //')" on1 "entries after CPU 0 was cleared"
}

tracing_on()
{
	expect_file tracing_on 1
	put one trace_marker
	put 0 tracing_on
	expect_file tracing_on 0
	expect_write EBADF w trace_marker 'two\n'
	put 1 tracing_on
	put three trace_marker
	expect "$(events | sed 's/.*: //' | tr '\n' ' ')" "one three " "markers"
	put 'vfs_open' set_ftrace_filter
	put 0 tracing_on
	put function current_tracer
	read_something
	expect "$(nr_events)" 0 "entries while tracing was off"
	put 1 tracing_on
	read_something
	expect_true "entries when it is on" [ "$(nr_events)" -gt 0 ]
}

markers()
{
	expect_write "3" w trace_marker 'abc'
	expect_write "4" w trace_marker 'def\n'
	expect_write "8" w trace_marker 'two\nlns\n'
	expect "$(events | sed 's/.*tracing_mark_write: //')" "$(printf 'abc\ndef\ntwo\nlns')" \
	       "text of the markers"
	: > trace
	taken=$("$FILEOP" repeat w trace_marker y 3000)
	expect "$taken" 3000 "bytes taken of 3000"
	expect "$(events | sed 's/.*tracing_mark_write: //' | tr -d '\n' | wc -c)" 3000 \
	       "bytes of the entry"
	: > trace
	# Only a part of a longer text is written
	taken=$("$FILEOP" repeat w trace_marker y 70000)
	expect_true "bytes of 70000: $taken" [ "$taken" -gt 1000 ]
	expect "$(events | sed 's/.*tracing_mark_write: //' | tr -d '\n' | wc -c)" "$taken" \
	       "bytes of the entry"
}

overwritten()
{
	put $((2 * page_kb)) buffer_size_kb
	i=0
	while [ $i -lt 600 ]; do
		echo "mark $i of many that fill the buffer up to its end$pad"
		i=$((i + 1))
	done | taskset 1 sh -c 'while IFS= read -r line; do echo "$line" > trace_marker; done'
	set -- "$(sed -n 's/^# entries-in-buffer.*: \([0-9]*\)\/.*/\1/p' trace)" \
	       "$(sed -n 's/^# entries-in-buffer.*\/\([0-9]*\) .*/\1/p' trace)"
	expect "$2" 600 "entries written"
	expect_true "entries left: $1" [ "$1" -lt 600 ]
	expect "$(nr_events)" "$1" "entries in the buffer"
	expect_true "the newest entry is kept" grep -q 'mark 599 of' trace
	expect_true "the oldest entry is lost" sh -c '! grep -q "mark 0 of" trace'
	lost=$(sed -n 's/^overrun: //p' per_cpu/cpu0/stats)
	expect $(($1 + lost)) 600 "entries and overrun"
}

# Reading a line makes more than one new entry. The reader gets the entries that existed first.
reading_ends()
{
	put 64 buffer_size_kb
	put function current_tracer
	read_something
	in_background cat trace > "$SCRATCH/all"
	expect_true "the reader ends" wait_for 60 sh -c "! kill -0 $background_pid 2> /dev/null"
	put 0 tracing_on
	most=$(awk '/^entries/ { n += $NF } END { print n }' per_cpu/cpu*/stats)
	# Entries written to a page while it is read also count
	[ "$page_kb" -le 4 ] && more=$((most / 10)) || more=$((most / 2))
	expect_true "lines: $(nr_events "$SCRATCH/all"), entries: $most" \
		    [ "$(nr_events "$SCRATCH/all")" -le $((most + more)) ]
	expect_true "enough lines" [ "$(nr_events "$SCRATCH/all")" -ge $((most / 2)) ]
}

testcase header "the header has the tracer, the counts and the columns"
testcase lines "lines of the function tracer have their format"
testcase task_and_cpu "a line has the name, pid and CPU of the task"
slowcase ended_tasks "lines of exited tasks have their names"
testcase irq_flags "flags distinguish interrupts from tasks"
testcase ordered "entries of two CPUs are in the order of time"
testcase stable "reading the trace does not change it"
testcase cleared "truncation and a change of tracer clear the trace"
testcase one_cpu "per_cpu/cpuN/trace has the entries of one CPU"
testcase tracing_on "tracing_on stops and resumes recording"
testcase markers "text written to trace_marker becomes an entry"
testcase overwritten "a full buffer loses its oldest entries"
testcase reading_ends "a reader reaches the end while all functions are traced"
finish
