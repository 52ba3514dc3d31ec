#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Trace events: the list of events, enabling them, their formats and their entries.
# shellcheck source=functions.sh

. "$(dirname "$0")/functions.sh"

[ -d events/sched ] || skip_all "no trace events here"

reset_more()
{
	for dir in instances/ev instances/ftest; do
		[ ! -d $dir ] || rmdir $dir
	done
}

# The states of all given enable files, as one string.
states()
{
	cat "$@" | tr -d '\n'
}

switch_tasks()
{
	sleep 0.02
}

# Clears the trace, and records while tasks are switched and a system call reads.
record_switches()
{
	: > trace
	put 1 tracing_on
	switch_tasks
	read -r _ < /proc/uptime
	put 0 tracing_on
}

files()
{
	for file in enable header_page header_event sched/enable sched/sched_switch/enable \
		    sched/sched_switch/id sched/sched_switch/format; do
		expect_true "events/$file" [ -f events/$file ]
	done
	for file in ftrace/enable ftrace/print/enable sched/id sched/sched_switch/sched_switch; do
		expect_false "events/$file" [ -e events/$file ]
	done
	expect "$(stat -c %a events/sched/sched_switch/enable)" 640 "mode of enable"
	expect "$(stat -c %a events/sched/sched_switch/format)" 440 "mode of format"
	ls -d events/*/*/enable | sed 's|events/||; s|/enable||; s|/|:|' | sort \
		> "$SCRATCH/dirs"
	sort available_events > "$SCRATCH/available"
	expect_true "directories as in available_events" \
		    cmp -s "$SCRATCH/dirs" "$SCRATCH/available"
	expect "$(sort available_events | uniq -d)" '' "names that two events have"
}

enable()
{
	expect_file events/sched/sched_switch/enable 0
	put 1 events/sched/sched_switch/enable
	expect_file events/sched/sched_switch/enable 1
	expect_file set_event sched:sched_switch
	switch_tasks
	put 0 events/sched/sched_switch/enable
	expect_file events/sched/sched_switch/enable 0
	expect_file set_event ''
	n=$(nr_events)
	expect_true "there are entries" [ "$n" -gt 1 ]
	expect "$(events | grep -c ': sched_switch: prev_comm=')" "$n" "entries of the event"
	switch_tasks
	expect "$(nr_events)" "$n" "entries when it is disabled again"
}

entries_by_switch()
{
	put 1 events/sched/sched_switch/enable
	switch_tasks
	put 0 events/sched/sched_switch/enable
	expect_true "the text of an entry" \
		    grep -Eq ': sched_switch: prev_comm=.* prev_pid=[0-9]+ prev_prio=[0-9]+ '`
			     `'prev_state=[A-Z][+]? ==> '`
			     `'next_comm=.* next_pid=[0-9]+ next_prio=[0-9]+$' trace
	# The code with the tracepoint has interrupts off and preempt_disable() once
	expect "$(events | grep ': sched_switch:' | grep -vc '\] d[.npN][.hHszZ]2[.1-9] ')" 0 \
	       "entries of another context"
}

groups()
{
	expect_file events/enable 0
	expect_file events/sched/enable 0
	put 1 events/sched/sched_switch/enable
	expect_file events/sched/enable X
	expect_file events/enable X
	put 1 events/sched/enable
	expect_file events/sched/enable 1
	expect "$(states events/sched/*/enable | tr -d 1)" '' "events that are not enabled"
	expect_file events/irq/enable 0
	put 0 events/sched/enable
	expect_file events/enable 0
	put 1 events/enable
	expect_file events/enable 1
	expect "$(wc -l < set_event)" "$(wc -l < available_events)" "enabled events"
	put 0 events/enable
	expect_file events/enable 0
	expect_file set_event ''
}

bad_values()
{
	put 1 events/sched/sched_switch/enable
	for file in events/enable events/sched/enable events/sched/sched_switch/enable; do
		before=$(cat $file)
		for bytes in '' '\n' '2\n' 'x\n' '-1\n' '1 1\n'; do
			expect_write EINVAL w $file "$bytes"
		done
		expect_write ERANGE w $file '99999999999999999999\n'
		expect_file $file "$before"
	done
	for file in header_page header_event sched/sched_switch/id sched/sched_switch/format; do
		expect "$("$FILEOP" open ru events/$file)" open:EACCES "open of $file"
		expect_write EINVAL w events/$file '1\n'
	done
	expect "$("$FILEOP" open r events/sched/no_such/enable)" open:ENOENT "no such event"
}

set_event_words()
{
	put sched_switch set_event
	expect_file set_event sched:sched_switch
	put_more sched:sched_wakeup set_event
	expect_lines set_event sched:sched_switch sched:sched_wakeup
	put_more '!sched:sched_switch' set_event
	expect_file set_event sched:sched_wakeup
	put 'sched:*' set_event
	expect_file events/sched/enable 1
	put_more '!sched:' set_event
	expect_file events/enable 0
	put irq set_event
	expect_file events/irq/enable 1
	expect_file events/sched/enable 0
	for word in '*:*' '*:'; do
		put "$word" set_event
		expect_file events/enable 1
		put '' set_event
		expect_file events/enable 0
	done
	put 'sched:sched_switch irq:*' set_event
	expect_file events/sched/sched_switch/enable 1
	expect_file events/irq/enable 1
	: > set_event
	expect_file events/enable 0
}

# A write with one token that matches no event changes nothing.
bad_words()
{
	put sched:sched_switch set_event
	for bytes in 'no_such\n' 'sched:no_such\n' 'no_such:sched_switch\n' 'no_such:*\n' '!\n' \
		     '!no_such\n' 'irq:* no_such\n' 'ftrace:print\n' 'ftrace:*\n'; do
		for mode in wa wt; do
			expect_write EINVAL $mode set_event "$bytes"
			expect_file set_event sched:sched_switch
		done
	done
	expect "$("$FILEOP" fault wa set_event)" EFAULT "from an unmapped address"
	expect_file set_event sched:sched_switch
	: > error_log
	expect_write EINVAL wa set_event 'irq:* no_such\n'
	expect_true "why" grep -q 'set_event: error: There is no such event' error_log
	expect_true "the rejected specifier" grep -q 'Command: no_such$' error_log
}

formats()
{
	expect_formats 20 events/*/*/format
}

of_module()
{
	need_module ftest_events
	expect "$(states events/ftest/*/enable)" 00000000 "events of the module"
	expect "$(grep -c '^ftest:' available_events)" 8 "in available_events"
	put ftest set_event
	for n in 3 70; do
		put $n "$(param ftest_events fire)"
	done
	put 0 tracing_on
	# The mask has as many 32-bit words as the maximum number of CPUs requires
	events | sed -n 's/.*: \(ftest_[a-z]*: \)/\1/; s/|[0,]*1|/|1|/; /^ftest/p' \
		> "$SCRATCH/got"
	expect_file "$SCRATCH/got" "\
ftest_numbers: -3 65283 -3 3298534883328 some text t {0x3,0x4} FTEST_LOW
ftest_texts: text|text|03 03 03|1|one+two|4
ftest_words: 3|ddd|00000000,00000001,00000000,00000003|00000000,00000001,00000000,00000003
ftest_first: 3
ftest_second: second 3
ftest_odd: 3
ftest_fn: 3
ftest_numbers: -70 65350 -70 76965813944320 some text t {0x46,0x47} high
ftest_texts: text|text|46 46 46|1|two+0x44|4
ftest_words: 70|sss|00000000,00000000,00000000,00000046|00000000,00000000,00000000,00000046
ftest_first: 70
ftest_second: second 70
ftest_fn: 70"
	put 1 options/fields
	expect_true "fields by name" \
		    grep -q 'half=0xff03 (65283) negative=0xfffffffd (-3) '`
			    `'wide=0x30000000000 (3298534883328) chars=some text t' trace
	put 0 options/fields
	expect_file "$(param ftest_events registered)" 1
	put '' set_event
	expect_file "$(param ftest_events registered)" 0
}

# A string that may have been freed is not read.
strings_that_go()
{
	need_module ftest_events
	put 1 events/ftest/ftest_pointer/enable
	put secret "$(param ftest_events point)"
	put 0 events/ftest/ftest_pointer/enable
	expect "$(events | sed 's/.*: ftest_pointer: //; s/0x[0-9a-f]*/ADDRESS/g')" "\
    1 constant|constant|c 1 %
    2   (null)|(null)|c 2 %
    3 (ADDRESS)[UNSAFE-MEMORY]|(ADDRESS)[UNSAFE-MEMORY]|c 3 %" "entries"
	put 0 options/hash-ptr
	expect "$(events | grep -c 'UNSAFE-MEMORY')" 1 "the same with hash-ptr off"
	put 1 options/hash-ptr
}

# Names of enums and sizes are numbers in a format.
names_in_formats()
{
	need_module ftest_events
	expect_true "an array of a named length" \
		    grep -q 'field:char chars\[12\];	offset:24;	size:12;' \
		    events/ftest/ftest_numbers/format
	expect_true "names, but not in strings" \
		    grep -Fq '{ 3, "FTEST_LOW" }, { 70, "high" }' \
		    events/ftest/ftest_numbers/format
	expect_true "a size" grep -q ', 4$' events/ftest/ftest_texts/format
	expect_true "data after the entry" \
		    grep -q 'field:__data_loc char\[\] text;' events/ftest/ftest_texts/format
	expect_true "a mask" \
		    grep -q 'field:__data_loc cpumask_t cpus;' events/ftest/ftest_texts/format
}

# eval_map has the names that formats replace by numbers; names of a module while it is loaded.
eval_map()
{
	[ -f eval_map ] || skip "no eval_map in this kernel"
	expect "$(stat -c %a eval_map)" 440 mode
	expect "$(grep -c '(ftest)$' eval_map)" 0 "names of a module that is not loaded"
	expect "$(grep -Evc '^[A-Za-z_].* -?[0-9]+ \([a-z0-9_]+\)$' eval_map)" 0 \
	       "lines of another form"
	expect_true "a name of the kernel" grep -qx 'TIMER_SOFTIRQ 1 (irq)' eval_map
	need_module ftest_events
	expect "$(grep '(ftest)$' eval_map | sort)" 'FTEST_CHARS 12 (ftest)
FTEST_HIGH 70 (ftest)
FTEST_LOW 3 (ftest)
sizeof(pid_t) 4 (ftest)' "names of the module"
	drop_module ftest_events
	expect "$(grep -c '(ftest)$' eval_map)" 0 "names of an unloaded module"
}

module_goes()
{
	need_module ftest_events
	put ftest set_event
	mkdir instances/ev
	for dir in . instances/ev; do
		put 'count != 5' $dir/events/ftest/filter
	done
	put 3 "$(param ftest_events fire)"
	exec 5< events/ftest/ftest_first/enable 6< events/ftest/ftest_first/format \
	     7< events/ftest/ftest_first/id 8< events/ftest/enable
	rmmod ftest_events || fail "the module is not unloaded"
	expect_false "its directory remains" [ -e events/ftest ]
	expect "$(grep -c ftest available_events)" 0 "events that remain"
	for fd in 5 6 7 8; do
		expect_true "a file that was open, of descriptor $fd" \
			    sh -c "cat <&$fd 2>&1 | grep -q 'No such device'"
	done
	exec 5<&- 6<&- 7<&- 8<&-
	cat trace > /dev/null
	need_module ftest_events
	expect "$(states events/ftest/*/enable)" 00000000 "events of the new module"
	expect_true "a new number" [ -n "$(cat events/ftest/ftest_first/id)" ]
	for dir in . instances/ev; do
		expect_file $dir/events/ftest/ftest_first/filter none
		expect "$(grep -v '^#' $dir/events/ftest/filter)" '' \
		       "filter of the system of the new module, in $dir"
	done
	rmdir instances/ev
}

# Patterns for a loaded module.
words_of_module()
{
	need_module ftest_events
	put ':mod:ftest_events' set_event
	expect_file events/ftest/enable 1
	expect "$(grep -vc '^ftest:' set_event)" 0 "events of other systems"
	put 'ftest_f*:mod:ftest_*' set_event
	expect_lines set_event ftest:ftest_first ftest:ftest_fn
	put_more '!*:ftest_fn:mod:ftest_events' set_event
	expect_file set_event ftest:ftest_first
	put_more 'ftest:*:mod:ftest_events' set_event
	expect_file events/ftest/enable 1
	put_more '!:mod:ftest_events' set_event
	expect_file set_event ''
	for bytes in 'no_such:mod:ftest_events\n' 'sched:*:mod:ftest_events\n' ':mod:\n' \
		     ':mod:ftest_events:x\n' '!ftest_first:mod:ftest_ops\n' '!:mod:sched\n'; do
		expect_write EINVAL wa set_event "$bytes"
	done
	expect_file set_event ''
	# None of these patterns is pending
	put 'ftest_first:mod:ftest_events' set_event
	drop_module ftest_events
	expect_file set_event ''
}

# Patterns for a module that is not loaded are pending.
words_wait()
{
	put sched:sched_switch set_event
	put_more 'ftest_first:mod:ftest_events' set_event
	expect_file set_event 'sched:sched_switch
ftest_first:mod:ftest_events'
	put_more 'ftest:*_second:mod:ftest_ev*' set_event
	put_more 'ftest_first:mod:ftest_events' set_event
	put_more ':mod:no_such_module' set_event
	need_module ftest_events
	expect_lines set_event sched:sched_switch ftest:ftest_first ftest:ftest_second \
		     'ftest:*_second:mod:ftest_ev*' ':mod:no_such_module'
	expect_file events/ftest/ftest_fn/enable 0
	put 0 events/ftest/enable
	# Patterns are kept for the next time
	drop_module ftest_events
	expect_file set_event 'sched:sched_switch
ftest_first:mod:ftest_events
ftest:*_second:mod:ftest_ev*
:mod:no_such_module'
	put_more '!ftest_first:mod:ftest_events' set_event
	expect_write EINVAL wa set_event '!ftest_first:mod:ftest_events\n'
	expect_write EINVAL wa set_event '!ftest_fn:mod:ftest_events\n'
	need_module ftest_events
	expect_file events/ftest/ftest_first/enable 0
	expect_file events/ftest/ftest_second/enable 1
	drop_module ftest_events
	put_more '!:mod:*' set_event
	expect_file set_event sched:sched_switch
	# A rejected write keeps them, an accepted write replaces them
	put_more ':mod:ftest_events' set_event
	expect_write EINVAL wt set_event 'no_such\n'
	expect_file set_event 'sched:sched_switch
:mod:ftest_events'
	put ':mod:no_such_module' set_event
	expect_file set_event ':mod:no_such_module'
	: > set_event
	expect_file set_event ''
	need_module ftest_events
	expect_file events/ftest/enable 0
}

# Each instance has its own pending patterns, which are removed with it.
words_of_instances()
{
	mkdir instances/ev
	put ':mod:ftest_events' instances/ev/set_event
	expect_file set_event ''
	mkdir instances/ftest
	put 'ftest_first:mod:ftest_events' instances/ftest/set_event
	rmdir instances/ftest
	need_module ftest_events
	expect_file instances/ev/events/ftest/enable 1
	expect_file events/ftest/enable 0
	put 3 "$(param ftest_events fire)"
	expect_true "entries of the instance" grep -q ': ftest_first: 3$' instances/ev/trace
	expect "$(nr_events)" 0 "entries of the top"
	drop_module ftest_events
	rmdir instances/ev
}

# The lists of tasks affect events, but not functions.
pids()
{
	read -r me _ < /proc/self/stat
	[ -d events/raw_syscalls ] || skip "no events of system calls"
	put 1 events/raw_syscalls/enable
	put 1 events/sched/sched_switch/enable
	put "$me" set_event_pid
	expect_file set_event_pid "$me"
	record_switches
	expect_true "there are entries" [ "$(nr_events)" -gt 1 ]
	expect "$(events | grep -v ': sched_switch: ' | grep -vc -- "-$me  *\[")" 0 \
	       "entries of other tasks"
	expect "$(events | grep ': sched_switch: ' | grep -vc "_pid=$me ")" 0 \
	       "switches between other tasks"
	expect_true "switches to the task" grep -q "next_pid=$me " trace
	: > set_event_pid
	put "$me" set_event_notrace_pid
	record_switches
	expect_true "there are entries of other tasks" [ "$(nr_events)" -gt 0 ]
	expect "$(events | grep -v ': sched_switch: ' | grep -c -- "-$me  *\[")" 0 \
	       "entries of the task"
	: > set_event_notrace_pid
}

# A task is traced if it is on the first list and not on the second.
both_lists()
{
	read -r me _ < /proc/self/stat
	[ -d events/raw_syscalls ] || skip "no events of system calls"
	put 1 events/raw_syscalls/enable
	put 1 events/sched/sched_switch/enable
	put "$me 1" set_event_pid
	put "$me" set_event_notrace_pid
	record_switches
	expect "$(events | grep -v ': sched_switch: ' | grep -vc -- '-1  *\[')" 0 \
	       "entries of tasks that are not to be traced"
	expect "$(events | grep ': sched_switch: ' | grep -vc '_pid=1 ')" 0 \
	       "switches between tasks that are not to be traced"
	: > set_event_notrace_pid
	record_switches
	expect_true "entries of the task" \
		    sh -c "grep -v sched_switch: trace | grep -q -- '-$me  *\['"
	expect_true "switches to the task" grep -q "next_pid=$me " trace
	: > set_event_pid
}

# Wakeup events name the woken task; another task wakes it.
pids_of_wakeups()
{
	read -r me _ < /proc/self/stat
	for event in sched_waking sched_wakeup; do
		put 1 events/sched/$event/enable
	done
	put "$me" set_event_pid
	record_switches
	for event in sched_waking sched_wakeup; do
		expect_true "$event of the task by another" \
			    sh -c "grep ': $event: .* pid=$me ' trace | grep -vq -- '-$me  *\['"
	done
	expect "$(events | grep -v -e " pid=$me " -e "-$me  *\[" | head -n 3)" '' "of other tasks"
	: > set_event_pid
}

# An event that names two tasks is recorded if one of them is to be traced.
pids_not_traced()
{
	read -r me _ < /proc/self/stat
	put 1 events/sched/sched_switch/enable
	put 1 events/sched/sched_wakeup_new/enable
	put "$me" set_event_notrace_pid
	record_switches
	expect_true "switches from the task to other tasks" grep -q " prev_pid=$me .* ==> " trace
	expect_true "new tasks" grep -Eq -- "-$me +\[.*: sched_wakeup_new: .* pid=" trace
	# also exclude idle CPUs
	put_more 0 set_event_notrace_pid
	record_switches
	expect "$(events | grep -c -e "_pid=$me .*_pid=0 " -e "_pid=0 .*_pid=$me ")" 0 \
	       "switches between two tasks that are not to be traced"
	# and the child, which is on the list before it runs
	put 1 options/event-fork
	record_switches
	expect "$(events | grep -Ec -- "-$me +\[.*: sched_wakeup_new: ")" 0 "new tasks"
	put 0 options/event-fork
	: > set_event_notrace_pid
}

# not_listed FILE PID: PID is not in the list
not_listed()
{
	! grep -qx "$2" "$1"
}

fork_follows()
{
	read -r me _ < /proc/self/stat
	for file in set_event_pid set_event_notrace_pid; do
		put 1 options/event-fork
		put "$me" $file
		sleep 10 &
		expect_true "the child is listed" grep -qx $! $file
		kill $!
		wait $! 2> /dev/null
		# A task is freed some time after it was reaped
		expect_true "the child is removed from $file" wait_for 10 not_listed $file $!
		put 0 options/event-fork
		sleep 10 &
		expect_false "another child is listed" grep -qx $! $file
		kill $!
		: > $file
	done
}

instances()
{
	mkdir instances/ev
	put 1 instances/ev/events/sched/sched_switch/enable
	expect_file events/sched/sched_switch/enable 0
	expect_file instances/ev/set_event sched:sched_switch
	switch_tasks
	expect_true "entries of the instance" [ "$(nr_events instances/ev/trace)" -gt 1 ]
	expect "$(nr_events)" 0 "entries of the top"
	# The instance is removed with its event enabled
	rmdir instances/ev || fail "the instance is not removed"
	switch_tasks
}

# Kernel code can create an instance with the events of some systems only.
systems()
{
	need_module ftest_events
	put ftest:ftest_first "$(param ftest_events set)"
	expect "$(ls -d instances/ftest/events/*/ | sed 's|.*events/||' | tr '\n' ' ')" \
	       'ftest/ sched/ ' "systems"
	expect_file instances/ftest/set_event ftest:ftest_first
	expect_write EINVAL wa instances/ftest/set_event 'irq:*\n'
	put '!ftest:ftest_first' "$(param ftest_events set)"
	expect_file instances/ftest/set_event ''
	expect_false "no such event" sh -c "echo irq: > $(param ftest_events set)" 2> /dev/null
	rmdir instances/ftest
}

# toggled NAME LATENCY: a latency made by ftest_latency writes two entries
toggled()
{
	[ -d events/preemptirq/$1_enable ] || fail "no event $1_enable"
	put 1 events/preemptirq/$1_disable/enable
	put 1 events/preemptirq/$1_enable/enable
	put "$2" "$(param ftest_latency make)"
	put 0 events/preemptirq/enable
	func=make_${2% *}
	events | sed -n "s/.* \([0-9.]*\): $1_\([a-z]*\): caller=$func+.* parent=.*/\2 \1/p" \
		> "$SCRATCH/toggled"
	expect "$(cut -d ' ' -f 1 "$SCRATCH/toggled" | tr '\n' ' ')" 'disable enable ' \
	       "entries of $func()"
	expect_true "the time between: $(cat "$SCRATCH/toggled")" \
		    awk 'NR == 1 { since = $2 } END { exit $2 - since < 0.0009 }' "$SCRATCH/toggled"
}

preemptirq()
{
	[ -d events/preemptirq ] || skip "no events of interrupts and preemption"
	need_module ftest_latency
	# Each of the two is built in independently
	! grep -q ' trace_hardirqs_off$' /proc/kallsyms || toggled irq 'irqs 1000'
	! grep -q ' trace_preempt_off$' /proc/kallsyms || toggled preempt 'preempt 1000'
}

# All events are switched on and off under load, and modules are loaded and unloaded.
storm()
{
	load_start
	for _ in $(rounds 5); do
		put 1 events/enable
		put 'sched:* irq:*' set_event
		need_module ftest_events
		put ftest set_event
		put 1 "$(param ftest_events fire)"
		rmmod ftest_events
		put 0 events/enable
	done
	load_stop
	expect_file events/enable 0
}

testcase files "each event has a directory, with the files of the documentation"
testcase enable "an event is recorded while it is enabled"
testcase entries_by_switch "an entry shows the context of the code with the tracepoint"
testcase groups "enable of a system and of all events"
testcase bad_values "a value that is not a state is rejected, and changes nothing"
slowcase set_event_words "set_event accepts all forms of event specifiers"
testcase bad_words "a write to set_event with an invalid specifier changes nothing"
slowcase formats "formats have fields in their order, without overlap"
testcase of_module "events of a module have fields of each kind"
testcase strings_that_go "strings that entries point to are read only if they are constants"
testcase names_in_formats "names of enums and sizes are numbers in formats"
testcase eval_map "eval_map has the names of enums and sizes"
testcase module_goes "events are removed with their module"
testcase words_of_module "specifiers with :mod: match only events of the module"
testcase words_wait "specifiers for a module that is not loaded are pending"
testcase words_of_instances "each instance has its own pending specifiers"
testcase pids "set_event_pid and set_event_notrace_pid select tasks"
testcase both_lists "tasks that are on the first list and not on the second are traced"
testcase pids_of_wakeups "wakeups are recorded for the woken task"
testcase pids_not_traced "an event of two tasks is recorded if one of them is to be traced"
testcase fork_follows "children are added to the lists of tasks with event-fork"
testcase instances "events are enabled per instance"
testcase systems "an instance can have the events of some systems only"
slowcase preemptirq "interrupts and preemption are switched off and on in pairs"
slowcase storm "events and modules can be switched and loaded under load"
finish
