#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Commands on functions: name:command[:parameters][:count] in set_ftrace_filter.
# shellcheck source=functions.sh

. "$(dirname "$0")/functions.sh"

# The lines of set_ftrace_filter that are commands.
commands()
{
	grep ':[a-z_]*:' set_ftrace_filter
}

# commands_are LINE...: these are the commands, in this order
commands_are()
{
	expect "$(commands | tr '\n' ' ' | sed 's/ $//')" "$*" "commands"
}

need_command()
{
	"$FILEOP" write w set_ftrace_filter "vfs_read:$1 " | grep -qx EINVAL && skip "no $1"
	echo "!vfs_read:$1" >> set_ftrace_filter
}

listed()
{
	expect_file set_ftrace_filter "$EMPTY_FILTER"
	put_more 'ksys_fadvise64_64:traceoff' set_ftrace_filter
	put_more 'ksys_fadvise64_64:traceon:5' set_ftrace_filter
	expect_file set_ftrace_filter "$EMPTY_FILTER
ksys_fadvise64_64:traceon:count=5
ksys_fadvise64_64:traceoff:unlimited"
	put_more 'ksys_fadvise64_64:traceoff:0x10' set_ftrace_filter
	commands_are ksys_fadvise64_64:traceoff:count=16 ksys_fadvise64_64:traceon:count=5 \
		     ksys_fadvise64_64:traceoff:unlimited
	# Another count replaces the first
	put_more 'ksys_fadvise64_64:traceon:7' set_ftrace_filter
	commands_are ksys_fadvise64_64:traceoff:count=16 ksys_fadvise64_64:traceon:count=7 \
		     ksys_fadvise64_64:traceoff:unlimited
	put_more '!ksys_fadvise64_64:traceoff' set_ftrace_filter
	commands_are ksys_fadvise64_64:traceoff:count=16 ksys_fadvise64_64:traceon:count=7
	put_more '!ksys_fadvise64_64:traceoff:0' set_ftrace_filter
	put_more '!ksys_fadvise64_64:traceon:0' set_ftrace_filter
	expect_file set_ftrace_filter "$EMPTY_FILTER"
	expect_file enabled_functions ''
}

# Commands are not part of the filter; changing one does not affect the other.
beside_filter()
{
	put 'vfs_open vfs_write' set_ftrace_filter
	put_more 'ksys_fadvise64_64:traceoff' set_ftrace_filter
	expect_lines set_ftrace_filter vfs_open vfs_write ksys_fadvise64_64:traceoff:unlimited
	put vfs_read set_ftrace_filter
	expect_lines set_ftrace_filter vfs_read ksys_fadvise64_64:traceoff:unlimited
	put '' set_ftrace_filter
	commands_are ksys_fadvise64_64:traceoff:unlimited
	put 'vfs_read !ksys_fadvise64_64:traceoff vfs_write ksys_fadvise64_64:traceon' \
		set_ftrace_filter
	expect_lines set_ftrace_filter vfs_read vfs_write ksys_fadvise64_64:traceon:unlimited
	expect "$("$FILEOP" split wa set_ftrace_filter 3 '!ksys_fadvise64_64:traceon vfs_open')" \
	       35 "by three bytes"
	expect_lines set_ftrace_filter vfs_read vfs_write vfs_open
	# a command without a trailing blank
	expect_write 26 wa set_ftrace_filter ksys_fadvise64_64:traceoff
	commands_are ksys_fadvise64_64:traceoff:unlimited
}

# An invalid token changes nothing, and neither do the tokens before it in the same write.
refused()
{
	put vfs_open set_ftrace_filter
	put_more 'ksys_fadvise64_64:traceoff:3' set_ftrace_filter
	refused_before=$(cat set_ftrace_filter)
	for word in nosuch_function:traceoff ksys_fadvise64_64:nosuch ksys_fadvise64_64: \
		    ksys_fadvise64_64:traceoff:x ksys_fadvise64_64:traceoff:-1 \
		    ksys_fadvise64_64:traceoff:1:2 ksys_fadvise64_64:traceoff:1x :traceoff \
		    'nosuch*:traceoff' ksys_fadvise64_64:enable_event:nosuch:nosuch; do
		expect_write EINVAL wa set_ftrace_filter "$word\n"
		expect_file set_ftrace_filter "$refused_before"
	done
	# A command that does not exist cannot be removed
	for word in '!ksys_fadvise64_64:traceoff' '!ksys_fadvise64_64:traceon:0' \
		    '!vfs_read:traceoff:0'; do
		"$FILEOP" write wa set_ftrace_filter "$word\n" > "$SCRATCH/result"
		expect_true "$word: $(cat "$SCRATCH/result")" \
			    grep -Eqx 'EINVAL|ENODEV' "$SCRATCH/result"
		expect_file set_ftrace_filter "$refused_before"
	done
	expect_write ERANGE wa set_ftrace_filter \
		     'ksys_fadvise64_64:traceoff:99999999999999999999\n'
	expect_file set_ftrace_filter "$refused_before"
	expect_write EINVAL wa set_ftrace_notrace 'ksys_fadvise64_64:traceoff\n'
	expect_file set_ftrace_notrace "$EMPTY_NOTRACE"
}

# A count is shown as a signed number.
large_count()
{
	expect_write ERANGE wa set_ftrace_filter \
		     'ksys_fadvise64_64:traceoff:9223372036854775808\n'
	expect_file set_ftrace_filter "$EMPTY_FILTER"
	put_more 'ksys_fadvise64_64:traceoff:9223372036854775807' set_ftrace_filter
	commands_are ksys_fadvise64_64:traceoff:count=9223372036854775807
}

# One invalid token rejects all tokens of a write.
refused_as_a_whole()
{
	put vfs_open set_ftrace_filter
	put_more 'ksys_fadvise64_64:traceoff:3' set_ftrace_filter
	refused_before=$(cat set_ftrace_filter)
	for words in 'vfs_read nosuch vfs_write:traceoff' 'vfs_read vfs_write:nosuch' \
		     'vfs_read !vfs_write:traceoff'; do
		expect_write EINVAL wa set_ftrace_filter "$words\n"
		expect_file set_ftrace_filter "$refused_before"
	done
	expect_write EINVAL wt set_ftrace_filter 'nosuch_function:traceoff\n'
	expect_file set_ftrace_filter "$refused_before"
}

globs()
{
	put_more 'vfs_r*:traceon:2' set_ftrace_filter
	expect "$(commands | cut -d : -f 1 | sort)" \
	       "$(cut -d ' ' -f 1 available_filter_functions | grep '^vfs_r' | sort)" \
	       "functions with the command"
	put_more '!vfs_re*:traceon:0' set_ftrace_filter
	expect "$(commands | cut -d : -f 1 | sort)" \
	       "$(cut -d ' ' -f 1 available_filter_functions | grep '^vfs_r[^e]' | sort)" \
	       "remaining commands"
	put_more '!*:traceon:0' set_ftrace_filter
	expect_file set_ftrace_filter "$EMPTY_FILTER"
}

traceoff()
{
	put_more 'vfs_read:traceoff' set_ftrace_filter
	read_something
	expect_file tracing_on 0
	put 1 tracing_on
	read_something
	expect_file tracing_on 0
}

traceon()
{
	put 0 tracing_on
	put_more 'vfs_read:traceon' set_ftrace_filter
	read_something
	expect_file tracing_on 1
}

# Each function has a count, which decreases only when the command changes something.
counts()
{
	need_module ftest_target
	put_more 'ftest_one:traceoff:2' set_ftrace_filter
	put_more 'ftest_two:traceoff:1' set_ftrace_filter
	put_more 'ftest_three:traceon:9' set_ftrace_filter
	call_targets 1
	expect_file tracing_on 1
	expect_lines set_ftrace_filter "$EMPTY_FILTER" 'ftest_one [ftest_target]:traceoff:count=1' \
		     'ftest_two [ftest_target]:traceoff:count=1' \
		     'ftest_three [ftest_target]:traceon:count=8'
	put_more '!ftest_three:traceon:0' set_ftrace_filter
	call_targets 3
	expect_file tracing_on 0
	put 1 tracing_on
	call_targets 1
	put 1 tracing_on
	call_targets 3
	expect_file tracing_on 1
	expect_lines set_ftrace_filter "$EMPTY_FILTER" 'ftest_one [ftest_target]:traceoff:count=0' \
		     'ftest_two [ftest_target]:traceoff:count=0'
}

stacktrace()
{
	need_module ftest_target
	put_more 'ftest_two:stacktrace:2' set_ftrace_filter
	call_targets 5
	put 0 tracing_on
	expect "$(grep -c '<stack trace>' trace)" 2 "stacks"
	expect "$(grep -A 1 '<stack trace>' trace | grep -c '=> ftest_two')" 2 \
	       "stacks that begin with ftest_two"
	expect "$(grep -A 2 '<stack trace>' trace | grep -c '=> ftest_caller')" 2 \
	       "stacks that go on with ftest_caller"
	expect_false "a task without a name" grep -q '<\.\.\.>' trace
}

several()
{
	need_module ftest_target
	put ftest_one set_ftrace_filter
	put function current_tracer
	put_more 'ftest_one:stacktrace ftest_one:traceon ftest_one:stacktrace:2' set_ftrace_filter
	expect "$(cut -d ' ' -f 1,3 enabled_functions)" 'ftest_one (4)' "users"
	call_targets 3
	expect "$(grep -c ': ftest_one <-ftest_caller' trace)" 3 "calls"
	expect "$(grep -c '<stack trace>' trace)" 5 "stacks"
	put_more '!ftest_one:stacktrace' set_ftrace_filter
	put_more '!ftest_one:stacktrace:0' set_ftrace_filter
	expect "$(cut -d ' ' -f 1,3 enabled_functions)" 'ftest_one (2)' "users"
	put_more '!ftest_one:traceon' set_ftrace_filter
	: > trace
	call_targets 3
	expect "$(nr_events)" 3 "entries of only the tracer"
}

snapshot()
{
	need_command snapshot
	need_module ftest_target
	put_more 'ftest_one:snapshot:1' set_ftrace_filter
	put before trace_marker
	call_targets 2
	expect_true "there is a snapshot" wait_for 10 grep -q ': before' snapshot
	expect_false "the entry is still in the buffer" grep -q ': before' trace
	put after trace_marker
	call_targets 2
	expect_true "the snapshot is still the first" grep -q ': before' snapshot
	expect_write EBUSY w snapshot '0\n'
	put_more '!ftest_one:snapshot:0' set_ftrace_filter
	expect_true "there is still a snapshot" grep -q ': before' snapshot
	put 0 snapshot
}

dump()
{
	need_module ftest_target
	put_more 'ftest_two:dump' set_ftrace_filter
	put "dumped $$" trace_marker
	call_targets 1
	expect "$(log_since_mark | grep -c ": dumped $$")" 1 "entries in the log"
	expect_file tracing_on 0
	put 1 tracing_on
	put "again $$" trace_marker
	call_targets 1
	expect "$(log_since_mark | grep -c ": again $$")" 0 "entries the second time"
	put_more '!ftest_two:dump' set_ftrace_filter

	: > trace
	put_more 'ftest_two:cpudump' set_ftrace_filter
	taskset 1 sh -c "echo here $$ > trace_marker"
	taskset 2 sh -c "echo there $$ > trace_marker"
	taskset 1 sh -c "echo 1 > $(param ftest_target call)"
	expect "$(log_since_mark | grep -c ": here $$")" 1 "entries of this CPU in the log"
	expect "$(log_since_mark | grep -c ": there $$")" 0 "entries of the other CPU in the log"
}

dump_of_instance()
{
	need_module ftest_target
	mkdir instances/ftest || fail "no instance"
	put 'ftest_two:dump' instances/ftest/set_ftrace_filter
	put "above $$" trace_marker
	put "below $$" instances/ftest/trace_marker
	call_targets 1
	off=$(cat instances/ftest/tracing_on)
	rmdir instances/ftest
	expect "$(log_since_mark | grep -c ": below $$")" 1 "entries of the instance in the log"
	expect "$(log_since_mark | grep -c ": above $$")" 0 "entries of the top in the log"
	expect "$off" 0 "tracing_on of the instance"
	expect_file tracing_on 1
	expect "$(grep -c ": above $$" trace)" 1 "entries left in the top"
}

# The scheduler holds its locks in this function, so the dump must not write to a console
# directly.
dump_in_scheduler()
{
	put "deep $$" trace_marker
	put_more 'pick_next_task_fair:dump' set_ftrace_filter
	expect_true "it is in the log" wait_for 20 sh -c "dmesg | grep -q ': deep $$'"
}

FIRST=events/ftest/ftest_first

need_events()
{
	[ -d events/sched ] || skip "no trace events"
	need_module ftest_target
	need_module ftest_events
}

# fire: triggers the events; prints the number of entries of ftest_first
fire()
{
	put 1 "$(param ftest_events fire)"
	events "$@" | grep -c ': ftest_first: '
}

instance_goes()
{
	need_events
	mkdir instances/ftest || fail "no instance"
	put 'ftest_one:enable_event:ftest:ftest_first' instances/ftest/set_ftrace_filter
	call_targets 1
	expect_file instances/ftest/$FIRST/enable '1*'
	expect_true "rmdir" rmdir instances/ftest
	expect_true "rmmod" rmmod ftest_events
	expect_file enabled_functions ''
}

enable_event()
{
	need_events
	put_more 'ftest_one:enable_event:ftest:ftest_first' set_ftrace_filter
	expect_file set_ftrace_filter "$EMPTY_FILTER
ftest_one [ftest_target]:enable_event:ftest:ftest_first:unlimited"
	expect_file $FIRST/enable '0*'
	expect "$(fire)" 0 "entries before the function is called"
	call_targets 1
	expect_file $FIRST/enable '1*'
	expect_file set_event ftest:ftest_first
	expect "$(fire)" 1 "entries"
	put 0 $FIRST/enable
	expect_file $FIRST/enable '0*'
	put_more '!ftest_one:enable_event:ftest:ftest_first' set_ftrace_filter
	expect_file $FIRST/enable 0
	call_targets 1
	expect "$(fire)" 1 "entries without the command"

	put 1 $FIRST/enable
	put_more 'ftest_one:disable_event:ftest:ftest_first' set_ftrace_filter
	expect_file $FIRST/enable '1*'
	expect "$(fire)" 2 "entries before the other function is called"
	call_targets 1
	expect_file $FIRST/enable '0*'
	expect "$(fire)" 2 "entries of an event that a function has disabled"
	put 1 $FIRST/enable
	put_more '!ftest_one:disable_event:ftest:ftest_first' set_ftrace_filter
	expect_file $FIRST/enable 1
	expect_file set_ftrace_filter "$EMPTY_FILTER"
}

# A count decreases only when the state of the event changes.
event_counts()
{
	need_events
	put_more 'ftest_one:enable_event:ftest:ftest_first:2' set_ftrace_filter
	call_targets 3
	commands_are 'ftest_one [ftest_target]:enable_event:ftest:ftest_first:count=1'
	put 0 $FIRST/enable
	call_targets 1
	expect_file $FIRST/enable '1*'
	put 0 $FIRST/enable
	call_targets 1
	expect_file $FIRST/enable '0*'
	commands_are 'ftest_one [ftest_target]:enable_event:ftest:ftest_first:count=0'
	# Each function has a count
	put_more 'ftest_t*:disable_event:ftest:ftest_first:5' set_ftrace_filter
	put 1 $FIRST/enable
	call_targets 1
	expect_file $FIRST/enable '0*'
	expect_lines set_ftrace_filter "$EMPTY_FILTER" \
		     'ftest_one [ftest_target]:enable_event:ftest:ftest_first:count=0' \
		     'ftest_two [ftest_target]:disable_event:ftest:ftest_first:count=4' \
		     'ftest_three [ftest_target]:disable_event:ftest:ftest_first:count=5'
}

# Commands with different events are different commands.
several_events()
{
	need_events
	for name in ftest_first ftest_second; do
		put_more "ftest_one:enable_event:ftest:$name" set_ftrace_filter
		put_more "ftest_one:enable_event:ftest:$name:3" set_ftrace_filter
	done
	expect "$(commands | wc -l)" 4 "commands"
	put_more '!ftest_one:enable_event:ftest:ftest_first' set_ftrace_filter
	put_more '!ftest_one:enable_event:ftest:ftest_second:0' set_ftrace_filter
	expect_lines set_ftrace_filter "$EMPTY_FILTER" \
		     'ftest_one [ftest_target]:enable_event:ftest:ftest_first:count=3' \
		     'ftest_one [ftest_target]:enable_event:ftest:ftest_second:unlimited'
	call_targets 1
	expect_lines set_event ftest:ftest_first ftest:ftest_second
}

refused_events()
{
	need_events
	put_more 'ftest_one:enable_event:ftest:ftest_first:3' set_ftrace_filter
	refused_before=$(cat set_ftrace_filter)
	for name in enable_event disable_event; do
		for words in '' : :ftest :ftest: ::ftest_first :ftest:no_such \
			     :no_such:ftest_first ':ftest:*' :ftrace:print; do
			expect_write EINVAL wa set_ftrace_filter "ftest_one:$name$words\n"
			expect_write EINVAL wa set_ftrace_filter "!ftest_one:$name$words\n"
		done
		for words in x 1:2 -1; do
			expect_write EINVAL wa set_ftrace_filter \
				     "ftest_one:$name:ftest:ftest_second:$words\n"
		done
	done
	expect_write ERANGE wa set_ftrace_filter \
		     'ftest_one:enable_event:ftest:ftest_second:99999999999999999999\n'
	expect_write EINVAL wa set_ftrace_filter \
		     'no_such_function:enable_event:ftest:ftest_second\n'
	# These commands do not exist, so they cannot be removed
	for words in enable_event:ftest:ftest_first enable_event:ftest:ftest_second:0 \
		     disable_event:ftest:ftest_first:0; do
		"$FILEOP" write wa set_ftrace_filter "!ftest_one:$words\n" > "$SCRATCH/result"
		expect_true "$words: $(cat "$SCRATCH/result")" \
			    grep -Eqx 'EINVAL|ENODEV' "$SCRATCH/result"
	done
	expect_file set_ftrace_filter "$refused_before"
	expect_file events/ftest/ftest_second/enable 0
	expect_file $FIRST/enable '0*'
}

# The module of an event cannot be unloaded while a command refers to the event. The instance,
# and the module of the function, can be removed.
event_stays()
{
	need_events
	put_more 'ftest_one:enable_event:ftest:ftest_first' set_ftrace_filter
	call_targets 1
	expect_false "the module of the event is unloaded" rmmod ftest_events 2> /dev/null
	put_more '!ftest_one:enable_event:ftest:ftest_first' set_ftrace_filter
	expect_true "the module of the event is unloaded" rmmod ftest_events
	need_module ftest_events

	mkdir instances/ftest
	put_more 'ftest_one:enable_event:ftest:ftest_first' instances/ftest/set_ftrace_filter
	commands_are ''
	expect_file instances/ftest/$FIRST/enable '0*'
	expect_file $FIRST/enable 0
	call_targets 1
	expect_file instances/ftest/$FIRST/enable '1*'
	expect "$(fire instances/ftest/trace)" 1 "entries of the instance"
	expect "$(nr_events)" 0 "entries of the top"
	expect_false "the module is unloaded" rmmod ftest_events 2> /dev/null
	rmdir instances/ftest || fail "the instance is not removed"
	call_targets 1

	put_more 'ftest_one:enable_event:ftest:ftest_first' set_ftrace_filter
	drop_module ftest_target
	expect_file set_ftrace_filter "$EMPTY_FILTER"
	expect_file $FIRST/enable 0
	expect_true "the module is unloaded" rmmod ftest_events
}

# Events are enabled and disabled by function calls, in any context.
events_under_load()
{
	[ -d events/sched ] || skip "no trace events"
	need_module ftest_target threads=2
	load_start
	expect "$("$FILEOP" race 100 set_ftrace_filter \
		 'ftest_*:enable_event:sched:sched_switch ' \
		 'ftest_*:disable_event:sched:sched_switch:1000 ')" 0 "two writers"
	for _ in $(rounds 5); do
		put_more '*:enable_event:sched:sched_wakeup' set_ftrace_filter
		put 0 events/sched/enable
		put_more '!*:enable_event:sched:sched_wakeup' set_ftrace_filter
		put 1 events/sched/sched_switch/enable
	done
	load_stop
	drop_module ftest_target
	reset_commands
	put 0 events/enable
	expect_file set_ftrace_filter "$EMPTY_FILTER"
	expect_file enabled_functions ''
	expect_file events/sched/sched_switch/enable 0
}

# The commands on the functions of a module are removed when it is unloaded.
module_goes()
{
	need_module ftest_target
	put_more 'ftest_one:traceoff:3' set_ftrace_filter
	put_more 'ftest_*:stacktrace' set_ftrace_filter
	put_more 'ksys_fadvise64_64:traceoff:3' set_ftrace_filter
	"$FILEOP" write wa set_ftrace_filter 'ftest_two:snapshot ' > /dev/null
	drop_module ftest_target
	commands_are ksys_fadvise64_64:traceoff:count=3
	[ ! -f snapshot ] || put 0 snapshot
	need_module ftest_target
	commands_are ksys_fadvise64_64:traceoff:count=3
	put_more '!ksys_fadvise64_64:traceoff:0' set_ftrace_filter
	call_targets 3
	expect_file tracing_on 1
	expect_file enabled_functions ''
	put_more 'ftest_one:traceoff:1' set_ftrace_filter
	call_targets 1
	expect_file tracing_on 0
}

# The command is on every function, so it runs in any context.
everywhere()
{
	load_start
	put_more '*:traceon' set_ftrace_filter
	put function current_tracer
	put 0 tracing_on
	expect_true "tracing is on again" wait_for 10 begins tracing_on 1
	put nop current_tracer
	put_more '*:stacktrace:1' set_ftrace_filter
	expect_true "there are stacks" wait_for 30 grep -q '<stack trace>' trace
	put 0 tracing_on
	put_more '!*:stacktrace:0' set_ftrace_filter
	put_more '!*:traceon' set_ftrace_filter
	load_stop
	expect_file enabled_functions ''
}

under_load()
{
	need_module ftest_target threads=2
	load_start
	expect "$("$FILEOP" race 15 set_ftrace_filter 'ftest_*:traceon:1000 ' \
		 'vfs_read:stacktrace ')" 0 "two writers"
	for _ in $(rounds 5); do
		put_more 'ftest_one:traceon:5 vfs_*:traceon:100' set_ftrace_filter
		put_more 'ftest_*:traceoff:3' set_ftrace_filter
		put_more '!*:traceoff:0' set_ftrace_filter
		cat set_ftrace_filter > /dev/null
		put_more '!vfs_*:traceon:0 !ftest_one:traceon:0' set_ftrace_filter
	done
	drop_module ftest_target
	load_stop
	reset_commands
	expect_file enabled_functions ''
}

testcase listed "commands are listed with their counts and can be removed"
testcase beside_filter "filter and commands do not affect each other"
testcase refused "an invalid command changes nothing"
testcase large_count "a count may be as large as a long"
testcase refused_as_a_whole "an invalid token rejects all tokens of its write"
testcase globs "a glob adds and removes a command on all functions that match"
testcase traceoff "traceoff stops recording"
testcase traceon "traceon resumes recording"
testcase counts "a count limits how often a command acts"
testcase stacktrace "stacktrace records the stack of the function"
testcase several "one function can have several commands and be traced"
testcase snapshot "snapshot takes a snapshot"
testcase dump "dump and cpudump write the buffer to the log"
testcase dump_of_instance "dump in an instance writes the buffer of the instance"
testcase dump_in_scheduler "dump works on a function that runs with the locks of the scheduler held"
testcase enable_event "enable_event and disable_event act when the function is called"
testcase event_counts "counts limit enable_event and disable_event"
testcase several_events "commands with several events can be on one function"
slowcase refused_events "a command with an invalid event is rejected, and changes nothing"
testcase event_stays "the event of a command is pinned until the command is removed"
testcase instance_goes "removing an instance releases the events of its commands"
slowcase events_under_load "commands enable and disable events in any context"
testcase module_goes "the commands on functions of a module are removed with it"
slowcase everywhere "commands work on all functions"
testcase under_load "commands can be added and removed while their functions are called"
finish
