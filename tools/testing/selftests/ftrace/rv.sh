#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Runtime verification: the directory rv, the monitors wip and wwnr, and reactors.
# shellcheck source=functions.sh

. "$(dirname "$0")/functions.sh"

[ -d rv ] || skip_all "no runtime verification here"

WWNR=rv/monitors/wwnr
OURS=rv/monitors/ftest

reset_more()
{
	[ -f rv/enabled_monitors ] || return 0
	: > rv/enabled_monitors
	for reset_file in rv/monitors/*/reactors; do
		[ ! -f "$reset_file" ] || echo nop > "$reset_file"
	done
	for reset_file in rv/monitoring_on rv/reacting_on; do
		[ ! -f $reset_file ] || begins $reset_file 1 || echo 1 > $reset_file
	done
}

# need_monitor NAME: skips the case if the kernel does not have the monitor
need_monitor()
{
	grep -qx "$1" rv/available_monitors || skip "no monitor $1"
}

need_reactors()
{
	[ -f rv/available_reactors ] || skip "no reactors"
}

need_rv_module()
{
	need_reactors
	need_module ftest_rv "$@"
}

# entries NAME: prints the number of recorded events of that name
entries()
{
	events | grep -c ": $1: "
}

# some_entries NAME: succeeds if events of that name were recorded
some_entries()
{
	[ "$(entries "$1")" -gt 0 ]
}

# wakes: wakes a running task
wakes()
{
	put 1 "$(param ftest_rv wake)"
}

files()
{
	need_monitor wwnr
	expect "$(tr '\n' ' ' < rv/enabled_monitors)" '' "monitors that are enabled"
	expect_file rv/monitoring_on 1
	expect "$(ls rv/monitors | tr '\n' ' ')" "$(sort rv/available_monitors | tr '\n' ' ')" \
	       "directories of monitors"
	expect_file $WWNR/enable 0
	expect "$(grep -c . $WWNR/desc)" 1 "lines of the description"
	if [ -f rv/available_reactors ]; then
		expect_file rv/reacting_on 1
		expect "$(head -n 1 rv/available_reactors)" nop "the first reactor"
		expect "$(sed 's/[][]//g' $WWNR/reactors)" "$(cat rv/available_reactors)" "reactors"
		expect "$(grep '[[]' $WWNR/reactors)" '[nop]' "the reactor of wwnr"
	fi
	expect_write open:EACCES wu rv/available_monitors 'wwnr\n'
	expect_write open:EACCES wu rv/enabled_monitors 'wwnr\n'
}

enabled_monitors()
{
	need_rv_module
	need_monitor wwnr
	put wwnr rv/enabled_monitors
	expect_file rv/enabled_monitors wwnr
	expect_file $WWNR/enable 1
	put_more ftest rv/enabled_monitors
	expect_lines rv/enabled_monitors ftest wwnr
	expect_file "$(param ftest_rv enabled)" 1
	# again
	put_more ftest rv/enabled_monitors
	expect_file "$(param ftest_rv enabled)" 1
	put_more '!wwnr' rv/enabled_monitors
	expect_file rv/enabled_monitors ftest
	put_more '!wwnr' rv/enabled_monitors
	expect_file rv/enabled_monitors ftest
	# A name replaces the enabled monitors
	put wwnr rv/enabled_monitors
	expect_file rv/enabled_monitors wwnr
	expect_file "$(param ftest_rv disabled)" 1
	put_more '' rv/enabled_monitors
	expect_file rv/enabled_monitors wwnr
	put '' rv/enabled_monitors
	expect_file rv/enabled_monitors ''
	put wwnr rv/enabled_monitors
	expect "$("$FILEOP" open wt rv/enabled_monitors)" 0 "truncation"
	expect_file rv/enabled_monitors ''
}

enable()
{
	need_rv_module
	put 1 $OURS/enable
	expect_file $OURS/enable 1
	expect_file rv/enabled_monitors ftest
	put 1 $OURS/enable
	put 0 $OURS/enable
	put 0 $OURS/enable
	expect_file $OURS/enable 0
	expect_file rv/enabled_monitors ''
	expect_file "$(param ftest_rv enabled)" 1
	expect_file "$(param ftest_rv disabled)" 1
	expect_file $OURS/desc "counts its calls"
}

bad_input()
{
	need_monitor wwnr
	put wwnr rv/enabled_monitors
	for word in no_such wwn wwnrr '!no_such' '!' '! wwnr' '!!wwnr' 'wwnr wwnr' '*' '*:wwnr' \
		    'wwnr,wwnr' '.'; do
		expect_write EINVAL wa rv/enabled_monitors "$word\n"
		expect_file rv/enabled_monitors wwnr
	done
	expect "$("$FILEOP" repeat wa rv/enabled_monitors x 70000)" EINVAL "a long name"
	expect "$("$FILEOP" fault wa rv/enabled_monitors)" EFAULT "an unmapped address"
	for file in rv/monitoring_on rv/reacting_on $WWNR/enable; do
		[ -f $file ] || continue
		was=$(cat $file)
		for word in '' '\n' 2 -1 x; do
			expect_write EINVAL w $file "$word"
			expect_file $file "$was"
		done
	done
	[ -f $WWNR/reactors ] || return 0
	for word in '' '\n' no_such '[nop]' 'nop nop' '!nop'; do
		expect_write EINVAL w $WWNR/reactors "$word"
		expect "$(grep '[[]' $WWNR/reactors)" '[nop]' "the reactor after '$word'"
	done
	expect_file rv/enabled_monitors wwnr
}

# The events of a task that wwnr records follow its model.
wwnr()
{
	need_monitor wwnr
	put 1 events/rv/event_wwnr/enable
	put 1 events/rv/error_wwnr/enable
	sleep 0.1
	expect "$(nr_events)" 0 "events of a monitor that is not enabled"
	put wwnr rv/enabled_monitors
	sleep 0.3
	: > rv/enabled_monitors
	cp trace "$SCRATCH/trace"
	: > trace
	sleep 0.1
	expect "$(nr_events)" 0 "events of a monitor that is disabled again"
	sed -n 's/.* event_wwnr: \([0-9]*: .*\)/\1/p' "$SCRATCH/trace" > "$SCRATCH/steps"
	cut -d ' ' -f 2- "$SCRATCH/steps" | sort -u > "$SCRATCH/kinds"
	expect_file "$SCRATCH/kinds" "not_running x switch_in -> running
not_running x wakeup -> not_running (final)
running x switch_out -> not_running (final)"
	# Idle tasks share a pid. A task starts again after an error.
	sed -n 's/.* \(event\|error\)_wwnr: \([0-9]*:\) /\1 \2 /p' "$SCRATCH/trace" |
		awk '$2 == "0:" { next }
		     $1 == "error" { delete state[$2]; next }
		     ($2 in state) && state[$2] != $3 { print }
		     { state[$2] = $7 }' > "$SCRATCH/wrong"
	expect_file "$SCRATCH/wrong" ''
}

# wip_kinds FILTER: prints the kinds of events of wip that pass the filter
wip_kinds()
{
	put "$1" events/rv/event_wip/filter
	put wip rv/enabled_monitors
	expect_file rv/enabled_monitors wip
	wait_for 10 some_entries event_wip
	: > rv/enabled_monitors
	events | sed -n 's/.* event_wip: //p' | sort -u > "$SCRATCH/kinds"
	: > trace
	sleep 0.1
	expect "$(nr_events)" 0 "events of a monitor that is disabled again"
}

wip()
{
	need_monitor wip
	put 1 events/rv/event_wip/enable
	at_end 'echo 0 > events/rv/event_wip/filter'
	wip_kinds 'event == "sched_waking"'
	expect_file "$SCRATCH/kinds" 'non_preemptive x sched_waking -> non_preemptive'
	wip_kinds 'event != "sched_waking"'
	expect_file "$SCRATCH/kinds" 'non_preemptive x preempt_enable -> preemptive (final)
preemptive x preempt_disable -> non_preemptive'
}

monitoring_on()
{
	need_monitor wwnr
	put 1 events/rv/event_wwnr/enable
	put 0 rv/monitoring_on
	put wwnr rv/enabled_monitors
	sleep 0.1
	expect "$(entries event_wwnr)" 0 "events while monitoring is off"
	put 1 rv/monitoring_on
	wait_for 10 some_entries event_wwnr
	expect_true "events while it is on" some_entries event_wwnr
	put 0 rv/monitoring_on
	expect_file rv/enabled_monitors wwnr
	expect_file rv/monitoring_on 0
	: > trace
	sleep 0.1
	expect "$(entries event_wwnr)" 0 "events while it is off again"
}

# Events that monitors have missed do not matter.
begins_anew()
{
	need_rv_module
	put ftest rv/enabled_monitors
	put 1 rv/monitoring_on
	expect_file "$(param ftest_rv reset)" 0
	put 0 rv/monitoring_on
	put 1 rv/monitoring_on
	expect_file "$(param ftest_rv reset)" 1
	: > rv/enabled_monitors
	put 0 rv/monitoring_on
	put 1 rv/monitoring_on
	expect_file "$(param ftest_rv reset)" 1
}

errors()
{
	need_rv_module
	need_monitor wwnr
	put 1 events/rv/error_wwnr/enable
	wakes
	expect "$(entries error_wwnr)" 0 "errors without the monitor"
	put wwnr rv/enabled_monitors
	: > trace
	wakes
	line='[0-9]*: event wakeup not expected in the state running'
	expect_true "an error" [ "$(events | grep -c ": error_wwnr: $line\$")" -gt 0 ]
	# The writer is the task that was woken
	events | sed -n 's/^.*-\([0-9]*\) .*: error_wwnr: \([0-9]*\):.*/\1 \2/p' \
		> "$SCRATCH/tasks"
	expect_true "the id is the pid" awk '$1 == $2 { found = 1 } END { exit !found }' \
		    "$SCRATCH/tasks"
}

# log_has_reaction: succeeds if the reactor printk has written to the log
log_has_reaction()
{
	log_since_mark | grep -q 'rv: monitor wwnr does not allow event wakeup on state running'
}

reacts()
{
	need_rv_module
	need_monitor wwnr
	grep -qx printk rv/available_reactors || skip "no reactor printk"
	put wwnr rv/enabled_monitors
	wakes
	sleep 0.1
	expect_false "nop reacts" log_has_reaction
	put printk $WWNR/reactors
	expect "$(grep '[[]' $WWNR/reactors)" '[printk]' "the reactor"
	put 0 rv/reacting_on
	expect_file rv/reacting_on 0
	wakes
	sleep 0.1
	expect_false "it reacts while it must not" log_has_reaction
	put 1 rv/reacting_on
	wakes
	wait_for 10 log_has_reaction
	expect_true "it reacts" log_has_reaction
}

panic_chosen()
{
	need_reactors
	need_monitor wwnr
	grep -qx panic rv/available_reactors || skip "no reactor panic"
	put panic $WWNR/reactors
	expect "$(grep '[[]' $WWNR/reactors)" '[panic]' "the reactor"
	put nop $WWNR/reactors
	expect "$(grep '[[]' $WWNR/reactors)" '[nop]' "the reactor"
}

reactor_goes()
{
	need_rv_module
	need_monitor wwnr
	put ftest $WWNR/reactors
	put wwnr rv/enabled_monitors
	wakes
	expect_true "reactions" [ "$(cat "$(param ftest_rv reacted)")" -gt 0 ]
	rmmod ftest_rv || fail "cannot unload the module"
	expect "$(grep '[[]' $WWNR/reactors)" '[nop]' "the reactor"
	expect_false "the reactor is still registered" grep -q ftest rv/available_reactors
	expect_file rv/enabled_monitors wwnr
}

slots()
{
	need_rv_module slot=1
	need_monitor wwnr
	put ftest rv/enabled_monitors
	expect_write EBUSY wa rv/enabled_monitors 'wwnr\n'
	expect_write EBUSY w $WWNR/enable '1\n'
	expect_file rv/enabled_monitors ftest
	put_more '!ftest' rv/enabled_monitors
	put wwnr rv/enabled_monitors
	expect_write EBUSY w $OURS/enable '1\n'
	expect_file rv/enabled_monitors wwnr
	expect_file "$(param ftest_rv enabled)" 1
	put 0 $WWNR/enable
	put 1 $OURS/enable
	# The monitor releases its slot when it is unregistered
	rmmod ftest_rv || fail "cannot unload the module"
	put 1 $WWNR/enable
	expect_file rv/enabled_monitors wwnr
}

names()
{
	need_reactors
	need_monitor wwnr
	[ -f "$MODULES/ftest_rv.ko" ] || skip "no module ftest_rv"
	ls rv/monitors > "$SCRATCH/before"
	for name in '' '!x' 'a/b' .. a_name_of_24_characters_; do
		for kind in monitor reactor; do
			expect_false "the $kind '$name' is accepted" \
				     insmod "$MODULES/ftest_rv.ko" "$kind=$name" 2> /dev/null
		done
	done
	for other in reactor=nop monitor=wwnr; do
		expect_false "another $other is accepted" \
			     insmod "$MODULES/ftest_rv.ko" $other 2> /dev/null
	done
	expect_file "$SCRATCH/before" "$(ls rv/monitors)"
	expect_false "the reactor is still registered" grep -q ftest rv/available_reactors
	need_module ftest_rv monitor=a_name_of_23_characters
	put a_name_of_23_characters rv/enabled_monitors
	expect_file rv/enabled_monitors a_name_of_23_characters
}

# A file that was opened before its monitor was unregistered
open_files()
{
	need_rv_module
	put 1 $OURS/enable
	exec 5< $OURS/enable 6> $OURS/enable 7< $OURS/desc 4> $OURS/reactors
	rmmod ftest_rv || fail "cannot unload the module"
	expect_false "the directory remains" [ -e $OURS ]
	for fd in 5 7; do
		expect "$(cat <&$fd 2>&1 | grep -c 'No such device')" 1 "a read of file $fd"
	done
	expect "$({ echo 1 >&6; } 2>&1 | grep -c 'No such device')" 1 "a write to enable"
	expect "$({ echo nop >&4; } 2>&1 | grep -c 'No such device')" 1 "a write to reactors"
	# the same name, but another monitor
	need_module ftest_rv
	expect "$(cat <&5 2>&1 | grep -c 'No such device')" 1 \
	       "a read while another monitor is registered"
	expect_file $OURS/enable 0
}

under_load()
{
	need_monitor wwnr
	load_start
	for _ in $(rounds 20); do
		for name in $(cat rv/available_monitors); do
			put_more "$name" rv/enabled_monitors
		done
		: > rv/enabled_monitors
	done
	expect_file rv/enabled_monitors ''
	put wwnr rv/enabled_monitors
	put 1 events/rv/event_wwnr/enable
	wait_for 10 some_entries event_wwnr
	expect_true "it monitors in the end" some_entries event_wwnr
	load_stop
}

# storm COMMAND...: repeats it until the case ends
storm()
{
	while :; do
		"$@"
	done 2> /dev/null
}

storm_write()
{
	echo wwnr >> rv/enabled_monitors
	echo ftest >> rv/enabled_monitors
	echo 0 > rv/monitoring_on
	echo 1 > rv/monitoring_on
	echo > rv/enabled_monitors
}

storm_monitor()
{
	echo 1 > $OURS/enable
	cat rv/monitors/*/* rv/available_* rv/enabled_monitors > /dev/null
	echo ftest > $WWNR/reactors
	echo 0 > $OURS/enable
}

come_and_go()
{
	need_rv_module slot=1
	need_monitor wwnr
	in_background storm storm_write
	in_background storm storm_monitor
	for _ in $(rounds 20); do
		rmmod ftest_rv || fail "cannot unload the module"
		insmod "$MODULES/ftest_rv.ko" slot=1 || fail "cannot load the module"
		wakes
	done
	end_all_background
	rmmod ftest_rv || fail "cannot unload the module"
	: > rv/enabled_monitors
	put wwnr rv/enabled_monitors
	expect_file rv/enabled_monitors wwnr
}

testcase files "the directory has the files of the documentation"
testcase enabled_monitors "enabled_monitors enables and disables monitors"
testcase enable "the file enable of a monitor enables and disables it"
testcase bad_input "invalid input is rejected and changes nothing"
testcase wwnr "the monitor wwnr follows tasks according to its model"
slowcase wip "the monitor wip follows CPUs according to its model"
testcase monitoring_on "monitors follow nothing while monitoring_on is 0"
testcase begins_anew "monitors are reset before they continue"
testcase errors "an event that the model does not allow is an error"
testcase reacts "the reactor printk reacts to an error, unless reacting_on is 0"
testcase panic_chosen "the reactor panic can be selected"
testcase reactor_goes "monitors get the reactor nop when their reactor is unregistered"
testcase slots "a monitor is rejected if there is no free slot in tasks"
testcase names "names that are not valid file names, and names in use, are rejected"
testcase open_files "open files of an unregistered monitor return ENODEV"
testcase under_load "monitors are enabled and disabled under load"
testcase come_and_go "they are registered and unregistered while files are used"
finish
