#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Filters of events: the files filter of events and of systems.
# shellcheck source=functions.sh

. "$(dirname "$0")/functions.sh"

[ -f events/sched/filter ] || skip_all "no filters of events here"

EXEC=events/sched/sched_process_exec
SIGNAL=events/signal/signal_generate

# Two programs are run; one of them is fileop.
run_programs()
{
	"$FILEOP" read r /proc/uptime > /dev/null 2>&1
	/bin/busybox true
	"$FILEOP" read r /proc/uptime > /dev/null 2>&1
}

# refused FILE FILTER AT MESSAGE: the filter is rejected, and the file shows the error
refused()
{
	expect_write EINVAL w "$1" "$2\n"
	expect_file "$1" "$2
$(printf '%*s' $(($3 + 1)) '^')
parse_error: $4"
	expect "$(tail -n 3 error_log | sed 's/^\[[ 0-9.]*\]/[]/')" \
"[] event filter parse error: error: $4
  Command: $2
           $(printf '%*s' $(($3 + 1)) '^')" "error_log"
}

files()
{
	expect "$(stat -c %a events/sched/filter $EXEC/filter | tr '\n' ' ')" '640 640 ' modes
	expect_file $EXEC/filter none
	expect "$(grep -v '^#' events/sched/filter)" '' "filter of the system"
	expect_false "a filter of all events" [ -e events/filter ]
	expect_false "a filter of an event of tracing" [ -e events/ftrace/print/filter ]
}

# entries_with FILTER: counts the entries of fileop and of busybox that pass the filter
entries_with()
{
	put "$1" $EXEC/filter
	expect_file $EXEC/filter "$1"
	: > trace
	put 1 $EXEC/enable
	run_programs
	put 0 $EXEC/enable
	entries=$(events | grep -c "filename=$FILEOP ") || :
	entries="$entries $(events | grep -c 'filename=/bin/busybox ')" || :
}

matches()
{
	in_instance
	entries_with "filename == \"$FILEOP\""
	expect "$entries" '2 0' "by an equal string"
	entries_with "filename != \"$FILEOP\""
	expect "$entries" '0 1' "by another string"
	entries_with 'filename ~ "*/fileop"'
	expect "$entries" '2 0' "by a glob"
	entries_with 'filename ~ "*/busybo[a-x]" || pid < 0'
	expect "$entries" '0 1' "by a class of characters"
	entries_with 'common_pid == 0'
	expect "$entries" '0 0' "by the pid of another task"
	entries_with 'pid > 1 && !(filename ~ "*busybox")'
	expect "$entries" '2 0' "by two terms"
	entries_with 'CPU >= 0 && COMM != "nobody"'
	expect "$entries" '2 1' "by fields of every event"
	entries_with "cpu & CPUS{0-$(($(nproc) - 1))}"
	expect "$entries" '2 1' "by a mask of CPUs"
	entries_with "cpu & CPUS{0-$(($(nproc) - 1))} && pid & 0x7fffffff && pid != -1"
	expect "$entries" '2 1' "by bits"
}

# The field is the address of the caller of an allocation.
functions()
{
	in_instance
	[ -d events/kmem/kmalloc ] || skip "no event kmem:kmalloc here"
	for function in single_open vfs_read; do
		put "call_site.function == $function" events/kmem/kmalloc/filter
		expect_file events/kmem/kmalloc/filter "call_site.function == $function"
		: > trace
		put 1 events/kmem/kmalloc/enable
		read_something
		put 0 events/kmem/kmalloc/enable
		if [ $function = single_open ]; then
			expect_true "there are entries" [ "$(nr_events)" -ge 1 ]
			expect "$(events | grep -vc ' call_site=single_open+0x')" 0 \
			       "entries of other functions"
		else
			expect "$(nr_events)" 0 "entries of a function that allocates nothing"
		fi
	done
	put 'call_site.function != single_open' events/kmem/kmalloc/filter
	: > trace
	put 1 events/kmem/kmalloc/enable
	read_something
	put 0 events/kmem/kmalloc/enable
	expect_true "there are entries of other functions" [ "$(nr_events)" -ge 1 ]
	expect "$(events | grep -c ' call_site=single_open+0x')" 0 "its entries"
	need_module ftest_target
	put 'call_site.function == ftest_caller' events/kmem/kmalloc/filter
}

# A rejected entry leaves nothing in the buffer.
costs_no_space()
{
	in_instance
	put 'common_pid < 0' events/sched/sched_switch/filter
	put 1 events/sched/sched_switch/enable
	for _ in 1 2 3 4 5 6 7 8 9 10; do
		run_programs
	done
	put 0 events/sched/sched_switch/enable
	expect "$(nr_events)" 0 "entries"
	expect "$(sed -n 's/^bytes: //p' per_cpu/cpu*/stats | sort -u)" 0 "bytes"
	expect "$(sed -n 's/^entries: //p' per_cpu/cpu*/stats | sort -u)" 0 "entries of stats"
}

# dropped: the number of entries that the buffer of CPU 0 had no space for
dropped()
{
	sed -n 's/^dropped events: //p' per_cpu/cpu0/stats
}

no_loss()
{
	in_instance
	put nooverwrite trace_options
	put $((2 * page_kb)) buffer_size_kb
	taskset 1 sh -c 'while grep -qx "dropped events: 0" per_cpu/cpu0/stats; do
				 seq 200 > trace_marker
			 done' 2> /dev/null
	lost=$(dropped)
	put 'common_pid < 0' $EXEC/filter
	put 1 $EXEC/enable
	taskset 1 "$FILEOP" read r /proc/uptime > /dev/null
	put 0 $EXEC/enable
	expect "$(dropped)" "$lost" "dropped events, with a filter"
	put 0 $EXEC/filter
	put 1 $EXEC/enable
	taskset 1 "$FILEOP" read r /proc/uptime > /dev/null
	put 0 $EXEC/enable
	expect_true "entries are lost without" [ "$(dropped)" -gt "$lost" ]
}

cleared()
{
	in_instance
	put 'pid == 1' $EXEC/filter
	put 0 $EXEC/filter
	expect_file $EXEC/filter none
	expect_file ../../$EXEC/filter none
}

# the example of events.rst
no_field()
{
	in_instance
	put 'sig == 17' $SIGNAL/filter
	refused $SIGNAL/filter '((sig >= 10 && sig < 15) || dsig == 17) && comm != bash' 33 \
		'Field not found'
	put '((sig >= 10 && sig < 15) || sig == 17) && comm != bash' $SIGNAL/filter
	expect_file $SIGNAL/filter '((sig >= 10 && sig < 15) || sig == 17) && comm != bash'
	refused $SIGNAL/filter 'dsig==17' 4 'Field not found'
	put 0 $SIGNAL/filter
	expect_file $SIGNAL/filter none
}

# A rejected filter does not replace the current one.
stays()
{
	in_instance
	put "filename == \"$FILEOP\"" $EXEC/filter
	refused $EXEC/filter 'no_such == 1' 8 'Field not found'
	put 1 $EXEC/enable
	run_programs
	put 0 $EXEC/enable
	expect "$(events | grep -c ': sched_process_exec: ')" 2 "entries of the kept filter"
	put none $EXEC/filter
	expect_file $EXEC/filter none
}

mistakes()
{
	in_instance
	put 0 $SIGNAL/filter
	refused $SIGNAL/filter 'sig' 3 'Operator expected'
	refused $SIGNAL/filter 'sig ==' 6 'Value expected'
	refused $SIGNAL/filter 'sig == x' 7 'Number expected'
	refused $SIGNAL/filter '(sig == 1' 0 "')' is missing"
	refused $SIGNAL/filter 'sig == 1)' 8 "Too many ')'"
	refused $SIGNAL/filter 'comm == "a' 8 'Closing quote is missing'
	refused $SIGNAL/filter 'sig == 1 sig == 2' 9 "&&, || or ')' expected"
	refused $SIGNAL/filter 'sig & CPUS{x}' 6 'Bad list of CPUs'
	refused $SIGNAL/filter 'pid.function == x' 0 'Operator not valid for this field type'
	[ ! -d events/kmem/kmalloc ] ||
		refused events/kmem/kmalloc/filter 'call_site.function == no_such_function' 22 \
			'Function not found'
	put 0 $SIGNAL/filter
	expect_file $SIGNAL/filter none
	expect_write EINVAL w $SIGNAL/filter '\n'
}

# A list of tasks easily makes a long filter.
long()
{
	in_instance
	text=$(seq 1 250 | sed 's/^/pid==/' | tr '\n' '|' | sed 's/|$//; s/|/||/g')
	expect_true "the filter is long" [ ${#text} -gt 2000 ]
	put "$text||pid>0" $EXEC/filter
	expect_file $EXEC/filter "$text||pid>0"
	put 1 $EXEC/enable
	run_programs
	put 0 $EXEC/enable
	expect "$(events | grep -c "filename=$FILEOP ")" 2 "entries"
	longer=$text
	while [ ${#longer} -lt $((1024 * page_kb)) ]; do
		longer="$longer||$text"
	done
	expect_write EINVAL w $EXEC/filter "$longer\n"
	expect_file $EXEC/filter "$text||pid>0"
}

systems()
{
	in_instance
	put 'common_pid == 0' events/sched/filter
	expect_file events/sched/filter 'common_pid == 0'
	expect_file events/sched/sched_switch/filter 'common_pid == 0'
	expect_file $EXEC/filter 'common_pid == 0'
	expect_file $SIGNAL/filter none
	put 'prev_pid == 0' events/sched/filter
	expect_file events/sched/sched_switch/filter 'prev_pid == 0'
	expect_file events/sched/sched_wakeup/filter 'common_pid == 0'
	refused events/sched/filter 'no_such == 0' 0 \
		'No event of the system can have this filter'
	expect_file events/sched/sched_switch/filter 'prev_pid == 0'
	put 0 events/sched/filter
	expect "$(grep -v '^#' events/sched/filter)" '' "filter of the system"
	expect "$(cat events/sched/*/filter | sort -u)" none "filters of all its events"
}

# Filters are set and cleared while their events happen.
under_load()
{
	in_instance
	put 1 events/sched/enable
	load_start
	expect "$("$FILEOP" race 300 events/sched/sched_switch/filter \
		 'prev_comm ~ "*a*" || next_pid > 10 ' 'prev_pid == 0 ')" 0 "two writers"
	for _ in 1 2 3 4 5; do
		put 'common_pid > 0 && COMM ~ "*e*"' events/sched/filter
		put 0 events/sched/filter
	done
	load_stop
	put 0 events/sched/enable
	expect_file events/sched/sched_switch/filter none
}

testcase files "events and systems have the file filter"
slowcase matches "entries that do not match are not recorded"
testcase functions "an address matches the function that it is in"
testcase costs_no_space "a rejected entry takes no space"
testcase no_loss "a rejected entry is not counted as lost when the buffer is full"
testcase cleared "0 clears a filter, and instances have their own filters"
testcase no_field "a field that does not exist is rejected as events.rst describes"
testcase stays "a rejected filter keeps the current one"
testcase mistakes "an invalid filter is rejected, and the file and error_log show the error"
testcase long "a filter may be long, but not longer than a page"
testcase systems "the filter of a system is set for all of its events that support it"
testcase under_load "filters can be set while their events happen"
finish
