#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Triggers of events: the files named trigger.
# shellcheck source=functions.sh

. "$(dirname "$0")/functions.sh"

[ -f events/sched/sched_switch/trigger ] || skip_all "no triggers here"

EXEC=events/sched/sched_process_exec
EXIT=events/sched/sched_process_exit

run_program()
{
	"$FILEOP" read r /proc/uptime > /dev/null 2>&1
}

ours()
{
	events | grep -c "filename=$FILEOP "
}

# No trigger: the file lists the commands.
expect_none()
{
	expect "$(head -n 1 "$1")" '# Available triggers:' "first line of $1"
	expect "$(grep -vc '^#' "$1")" 0 "triggers of $1"
}

listed()
{
	in_instance
	expect "$(stat -c %a $EXEC/trigger)" 640 mode
	expect_none $EXEC/trigger
	for name in traceon traceoff stacktrace enable_event disable_event; do
		expect_true "$name is named" grep -qw $name $EXEC/trigger
	done
	put 'traceoff' $EXEC/trigger
	expect_file $EXEC/trigger 'traceoff:unlimited'
	put 'stacktrace:5 if pid < -1' $EXEC/trigger
	put 'enable_event:sched:sched_switch:0x10 if pid < 0' $EXEC/trigger
	put 'disable_event:signal:signal_generate if comm == "sh"' $EXEC/trigger
	expect_lines $EXEC/trigger traceoff:unlimited 'stacktrace:count=5 if pid < -1' \
		     'enable_event:sched:sched_switch:count=16 if pid < 0' \
		     'disable_event:signal:signal_generate:unlimited if comm == "sh"'
	put '!traceoff' $EXEC/trigger
	put '!stacktrace:7 if pid < 9' $EXEC/trigger
	put '!enable_event:sched:sched_switch' $EXEC/trigger
	expect_file $EXEC/trigger \
		    'disable_event:signal:signal_generate:unlimited if comm == "sh"'
	put "!$(cat $EXEC/trigger)" $EXEC/trigger
	expect_none $EXEC/trigger
	expect_none ../../$EXEC/trigger
	expect_file $EXEC/enable 0
	expect_file events/sched/sched_switch/enable 0
}

# refused TRIGGER ERRNO AT MESSAGE: the trigger is rejected with this error
refused()
{
	expect_write "$2" w $EXEC/trigger "$1\n"
	expect "$(tail -n 3 error_log | sed 's/^.*: error: //')" \
"$4
  Command: $1
           $(printf '%*s' $(($3 + 1)) '^')" "error_log"
}

mistakes()
{
	in_instance
	put 'traceoff:3 if pid < 0' $EXEC/trigger
	refused 'no_such' EINVAL 0 'There is no such trigger'
	refused '!no_such:3' EINVAL 1 'There is no such trigger'
	refused 'stacktrace:x' EINVAL 11 'Count expected'
	refused 'stacktrace:1:2' EINVAL 11 'Count expected'
	refused 'stacktrace when pid == 1' EINVAL 11 '"if" expected'
	refused 'stacktrace if no_such == 1' EINVAL 22 'Field not found'
	refused 'stacktrace if' EINVAL 11 '"if" expected'
	refused 'enable_event' EINVAL 0 'Event not found'
	refused 'enable_event:sched' EINVAL 13 'Event not found'
	refused 'enable_event:sched:no_such' EINVAL 13 'Event not found'
	refused 'enable_event:ftrace:print' EINVAL 13 'Event not found'
	refused 'traceoff:5' EEXIST 0 'The event has such a trigger'
	refused 'traceon' EEXIST 0 'The event has such a trigger'
	expect_write EINVAL w $EXEC/trigger '\n'
	expect_file $EXEC/trigger 'traceoff:count=3 if pid < 0'
	put 'enable_event:sched:sched_switch' $EXEC/trigger
	refused 'disable_event:sched:sched_switch' EEXIST 0 'The event has such a trigger'
	put 'enable_event:sched:sched_wakeup' $EXEC/trigger
	put '!stacktrace' $EXEC/trigger
	expect "$(grep -c '' $EXEC/trigger)" 3 "triggers"
}

traceoff()
{
	in_instance
	put 'traceoff:2 if filename ~ "*/fileop"' $EXEC/trigger
	/bin/busybox true
	expect_file tracing_on 1
	run_program
	expect_file tracing_on 0
	run_program
	expect_file $EXEC/trigger 'traceoff:count=1 if filename ~ "*/fileop"'
	put 1 tracing_on
	run_program
	expect_file tracing_on 0
	put 1 tracing_on
	run_program
	expect_file tracing_on 1
	expect_file $EXEC/trigger 'traceoff:count=0 if filename ~ "*/fileop"'
	put '!traceoff' $EXEC/trigger
	put 'traceoff' $EXEC/trigger
	/bin/busybox true
	expect_file tracing_on 0
	put '!traceoff' $EXEC/trigger
	put 'traceon:1' $EXEC/trigger
	/bin/busybox true
	expect_file tracing_on 1
	expect "$(nr_events)" 0 "entries of an event that is not enabled"
}

# Triggers with a filter also check entries that are not recorded.
not_recorded()
{
	in_instance
	put 'traceon if filename ~ "*/fileop"' $EXEC/trigger
	put 0 tracing_on
	/bin/busybox true
	expect_file tracing_on 0
	run_program
	expect_file tracing_on 1
	put '!traceon' $EXEC/trigger
	# another task
	put 1 set_event_pid
	put 1 $EXEC/enable
	put 'traceoff:1 if filename ~ "*/fileop" && comm == "fileop"' $EXEC/trigger
	/bin/busybox true
	expect_file tracing_on 1
	run_program
	expect_file tracing_on 0
	expect_file $EXEC/trigger 'traceoff:count=0 if filename ~ "*/fileop" && comm == "fileop"'
	expect "$(nr_events)" 0 "entries of tasks that are not to be traced"
	: > set_event_pid
}

# A filter of the event affects recording, but not triggers.
beside_filter()
{
	in_instance
	put 'pid < 0' $EXEC/filter
	put 'traceoff if filename ~ "*/fileop"' $EXEC/trigger
	put 1 $EXEC/enable
	run_program
	expect_file tracing_on 0
	expect "$(nr_events)" 0 "entries"
}

# A trigger that stops recording does not prevent recording of its own entry.
own_entry()
{
	in_instance
	put "filename == \"$FILEOP\"" $EXEC/filter
	put 'traceoff if filename ~ "*/fileop"' $EXEC/trigger
	put 1 $EXEC/enable
	/bin/busybox true
	run_program
	expect_file tracing_on 0
	expect "$(nr_events)" 1 "entries"
	expect "$(ours)" 1 "entries of the program"
}

# A trigger that enables its own event does so before the entry that it has read is recorded.
enables_itself()
{
	in_instance
	enable="enable_event:sched:sched_process_exec:1"
	put "$enable if filename == \"$FILEOP\"" $EXEC/trigger
	/bin/busybox true
	expect_file $EXEC/enable '0*'
	expect "$(nr_events)" 0 "entries before"
	run_program
	expect_file $EXEC/enable '1*'
	expect "$(ours)" 1 "entries of the program"
	put 0 $EXEC/enable
	put "!$enable" $EXEC/trigger
	put 'pid < 0' $EXEC/filter
	put "$enable if filename == \"$FILEOP\"" $EXEC/trigger
	run_program
	expect_file $EXEC/enable '1*'
	expect "$(ours)" 1 "entries of the program, which the filter rejects now"
}

enable_event()
{
	in_instance
	put "enable_event:sched:sched_process_exit:1 if filename == \"$FILEOP\"" $EXEC/trigger
	expect_file $EXIT/enable '0*'
	/bin/busybox true
	expect_file $EXIT/enable '0*'
	expect "$(nr_events)" 0 "entries before"
	run_program
	expect_file $EXIT/enable '1*'
	expect_true "there are entries of it" [ "$(events | grep -c sched_process_exit)" -ge 1 ]
	put 0 $EXIT/enable
	expect_file $EXIT/enable '0*'
	run_program
	expect_file $EXIT/enable '0*'
	put '!enable_event:sched:sched_process_exit' $EXEC/trigger
	expect_file $EXIT/enable 0

	put 1 $EXIT/enable
	put "disable_event:sched:sched_process_exit if filename == \"$FILEOP\"" $EXEC/trigger
	expect_file $EXIT/enable '1*'
	run_program
	expect_file $EXIT/enable '0*'
	put 1 $EXIT/enable
	put '!disable_event:sched:sched_process_exit' $EXEC/trigger
	expect_file $EXIT/enable 1
	put 0 $EXIT/enable
	expect_file $EXIT/enable 0
}

# The entry for which a trigger enables the event is the first one.
enables_itself()
{
	begin_signals
	in_instance
	SIGNAL=events/signal/signal_generate
	put "enable_event:signal:signal_generate if pid == $target && sig == 12" $SIGNAL/trigger
	signals USR1 1
	signals USR2 1
	signals USR1 1
	expect "$(events | sed -n "s/.*: signal_generate: \(sig=[0-9]*\) .* pid=$target .*/\1/p")" \
	       'sig=12
sig=10' "signals"
}

stacktrace()
{
	in_instance
	put "stacktrace:2 if filename == \"$FILEOP\"" $EXEC/trigger
	put 1 $EXEC/enable
	for _ in 1 2 3; do
		run_program
	done
	put 0 $EXEC/enable
	expect "$(ours)" 3 "entries"
	expect "$(events | grep -c '<stack trace>')" 2 "stacks"
	expect_true "a stack is recorded after its entry" \
		    sh -c "grep -A1 'filename=$FILEOP ' trace | grep -q '<stack trace>'"
	# A tracepoint calls its probes through __traceiter_*() if there are no static calls
	expect_true "a stack begins with the code of the event" \
		    sh -c "grep -A1 '<stack trace>' trace |
			   grep -Eq '=> (__traceiter_|bprm_execve|begin_new_exec|exec_binprm)'"
	note "$(grep -A3 '<stack trace>' trace | head -12)"
	: > trace
	put '!stacktrace' $EXEC/trigger
	put "stacktrace if filename == \"$FILEOP\"" $EXEC/trigger
	run_program
	expect "$(ours)" 0 "entries of an event that is not enabled"
	expect "$(events | grep -c '<stack trace>')" 1 "its stacks"
}

snapshot()
{
	in_instance
	[ -f snapshot ] || skip "no snapshots"
	put "snapshot:1 if filename == \"$FILEOP\"" $EXEC/trigger
	expect_false "the spare buffer can be freed" sh -c 'echo 0 > snapshot' 2> /dev/null
	put 1 $EXEC/enable
	/bin/busybox true
	run_program
	put 0 $EXEC/enable
	expect_true "the snapshot is taken" \
		    wait_for 10 grep -q 'filename=/bin/busybox ' snapshot
	expect_file $EXEC/trigger "snapshot:count=0 if filename == \"$FILEOP\""
	put '!snapshot' $EXEC/trigger
	put 0 snapshot
}

marker()
{
	in_instance
	expect_none events/ftrace/print/trigger
	put 'traceoff:1 if buf ~ "*stop*"' events/ftrace/print/trigger
	put 'go on' trace_marker
	expect_file tracing_on 1
	put 'now stop' trace_marker
	expect_file tracing_on 0
	expect "$(events | grep -c 'now stop')" 1 "the entry that triggers"
	put 1 tracing_on
	put 'now stop' trace_marker
	expect_file tracing_on 1
	put '!traceoff' events/ftrace/print/trigger
	put 'stacktrace' events/ftrace/print/trigger
	put 'a stack' trace_marker
	expect "$(events | grep -c '<stack trace>')" 1 "stacks"
	expect_write EINVAL w events/ftrace/print/trigger 'traceoff if no_such == 1\n'
}

# A write to the top's file runs the triggers of an instance that gets a copy.
marker_copied()
{
	in_instance
	[ -f options/copy_trace_marker ] || skip "no option copy_trace_marker"
	put 'traceoff:1 if buf ~ "*stop*"' events/ftrace/print/trigger
	put 'now stop' ../../trace_marker
	expect_file tracing_on 1
	put 1 options/copy_trace_marker
	put 'go on' ../../trace_marker
	expect_file tracing_on 1
	put 'now stop' ../../trace_marker
	expect_file tracing_on 0
	expect_file ../../tracing_on 1
	expect "$(events | grep -c 'now stop')" 1 "copies"
	put 0 options/copy_trace_marker
}

# A trigger and the event that it enables are released with the instance.
instance_goes()
{
	in_instance
	for trigger in traceoff stacktrace:3 'enable_event:sched:sched_switch' \
		       'disable_event:sched:sched_process_exec if pid == 1'; do
		put "$trigger" $EXEC/trigger
	done
	put 'traceoff if buf == "x"' events/ftrace/print/trigger
	put 1 events/sched/enable
	run_program
	cd ../..
	rmdir instances/ftest || fail "cannot remove the instance"
	expect_false "the instance" [ -d instances/ftest ]
	run_program
	expect_file events/sched/enable 0
}

# Triggers are set and removed while their events happen.
under_load()
{
	in_instance
	load_start
	# One of two writers often fails because the event already has the trigger
	"$FILEOP" race 200 events/sched/sched_switch/trigger \
		  'enable_event:sched:sched_wakeup if prev_pid > 3 ' \
		  '!enable_event:sched:sched_wakeup ' > /dev/null
	for _ in $(rounds 5); do
		put 'stacktrace:100 if next_pid > 2' events/sched/sched_switch/trigger
		put 'disable_event:sched:sched_switch' events/sched/sched_wakeup/trigger
		put '!stacktrace' events/sched/sched_switch/trigger
		put '!disable_event:sched:sched_switch' events/sched/sched_wakeup/trigger
	done
	load_stop
	put '!enable_event:sched:sched_wakeup' events/sched/sched_switch/trigger
	expect_none events/sched/sched_switch/trigger
	put 0 events/sched/sched_wakeup/enable
	expect_file events/sched/sched_wakeup/enable 0
	expect_file events/sched/sched_switch/enable 0
}

testcase listed "triggers are shown in the form in which they can be written, and removed"
slowcase mistakes "an invalid trigger changes nothing, and error_log has the reason"
testcase traceoff "traceoff and traceon act as often as their counts allow"
testcase not_recorded "triggers with filters act while nothing is recorded"
testcase beside_filter "the filter of an event does not affect its triggers"
testcase own_entry "traceoff does not prevent recording of its own entry"
testcase enables_itself "an event that enables itself is recorded, unless its filter rejects it"
testcase enable_event "an event enables and disables another one"
testcase enables_itself "an event that enables itself is recorded"
testcase stacktrace "stacktrace records the stack after the entry"
testcase snapshot "snapshot takes a snapshot"
testcase marker "a write to trace_marker runs the triggers of ftrace:print"
testcase marker_copied "a copy of a write to trace_marker runs the triggers of its instance"
testcase instance_goes "an instance can be removed with triggers"
testcase under_load "triggers can be set and removed while their events happen"
finish
