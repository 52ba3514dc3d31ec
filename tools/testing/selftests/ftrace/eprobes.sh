#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Event probes on other trace events: the command e of dynamic_events.
# shellcheck source=functions.sh

. "$(dirname "$0")/functions.sh"
# shellcheck source=probes.sh
. "$(dirname "$0")/probes.sh"

[ -f dynamic_events ] || skip_all "no dynamic_events here"
grep -q '<attached-group>' README || skip_all "no event probes here"

E=events/eprobes
X=events/sched/sched_process_exec

PROBE_FILE=dynamic_events

reset_more()
{
	undefine_all eprobes ftest
}

# run: executes a program
run()
{
	/bin/busybox true
}

files()
{
	define 'e sched.sched_switch' 'e:ftest/two sched/sched_switch p=$prev_pid:u32 $next_comm' \
		'e:three sched.sched_process_exec pid=$pid:u32 if pid > 1 && old_pid != 3'
	expect_file dynamic_events 'e:eprobes/sched_switch sched.sched_switch
e:ftest/two sched.sched_switch p=$prev_pid:u32 arg2=$next_comm
e:eprobes/three sched.sched_process_exec pid=$pid:u32 if pid > 1 && old_pid != 3'
	expect_formats 3 $E/*/format events/ftest/*/format
	expect_written_back dynamic_events
	expect_removed dynamic_events
}

# Names of user events may have other characters, and be longer, than those of probes.
names()
{
	[ -f user_events_data ] || skip "no user events here"
	long=$(printf 'long%060d' 7)
	define 'u:my-event u32 x' "u:$long u32 x" 'e user_events.my-event' \
		"e user_events.$long a=\$x"
	probes="e:eprobes/my_event user_events.my-event
e:eprobes/$(printf %.63s "$long") user_events.$long a=\$x"
	expect "$(grep '^e' dynamic_events)" "$probes" "probes with default names"
	put_more '-:eprobes/' dynamic_events
	echo "$probes" > "$SCRATCH/probes"
	while IFS= read -r names_line; do
		define "$names_line"
	done < "$SCRATCH/probes"
	expect "$(grep '^e' dynamic_events)" "$probes" "probes that were written back"
}

fields()
{
	define 'e:x sched.sched_process_exec f=$filename pid=$pid:s32 x=$pid:x8 who=$comm:string'
	put 1 $X/enable
	enabled eprobes/x run
	put 0 $X/enable
	pid=$(events | sed -n 's/.* sched_process_exec: .* pid=\([0-9]*\) .*/\1/p')
	expect "$(entries x)" \
		"f=\"/bin/busybox\" pid=$pid x=$(printf 0x%x $((pid & 255))) who=\"busybox\"" \
		"the fields of the event"
	expect "$(grep -c ' x: (sched.sched_process_exec) ' trace)" 1 "the attached event"
}

# The event that the probe is attached to is not recorded.
alone()
{
	define 'e:x sched.sched_process_exec pid=$pid:s32'
	enabled eprobes/x run
	expect "$(nr_events)" 1 "entries"
	put 1 $E/x/enable
	expect "$(cat $X/enable)" '0*' "the attached event is in use"
	expect_file $X/trigger "$(cat events/sched/sched_process_fork/trigger)"
	put 0 $E/x/enable
	expect "$(cat $X/enable)" '0' "it is no longer in use"
}

memory()
{
	need_module ftest_target
	define 'p:ftest/open do_sys_openat2 name=$arg2'
	define 'e:name ftest.open n=+0($name):ustring b=+0($name):x8[2]'
	enabled eprobes/name read_something
	expect "$(entries name | grep -c '^n="/proc/uptime" b={0x2f,0x70}$')" 1 \
		"memory that a field points to"
	expect_write EBUSY w dynamic_events '-:ftest/open\n'
	: > dynamic_events
	expect_file dynamic_events ''
}

# A removed probe of an event that remains no longer uses the event that it was on.
several()
{
	define 'p:ftest/open do_sys_openat2 fd=$arg1 how=$arg3' 'e:x ftest.open a=$fd' \
		'e:x ftest.open a=$how' 'e:x ftest.open a=$__probe_ip' '-:x ftest.open a=$fd' \
		'-:x ftest.open a=$__probe_ip'
	expect_file dynamic_events 'p:ftest/open do_sys_openat2 fd=$arg1 how=$arg3
e:eprobes/x ftest.open a=$how'
	enabled eprobes/x read_something
	expect_true "hits of the remaining probe" grep -q ' x: (ftest.open) a=0x' trace
	: > dynamic_events
	expect_file dynamic_events ''
	[ -f user_events_data ] || return 0
	define 'u:on u32 a; u32 b' 'e:y user_events.on v=$a' 'e:y user_events.on v=$b' \
		'-:y user_events.on v=$a'
	put '# nothing' dynamic_events
	expect_file dynamic_events ''
}

arrays()
{
	case $(uname -m) in
	x86_64) kill_nr=62 ;;
	aarch64) kill_nr=129 ;;
	*) skip "the number of kill() is unknown" ;;
	esac
	array='$args'
	define "e:s raw_syscalls.sys_enter a=+8($array):x64 all=+0($array):x64[6] if id == $kill_nr"
	enabled eprobes/s kill -CONT 1
	# kill(1, SIGCONT); the call does not use the other registers
	expect "$(entries s | grep -Ec '^a=0x12 all=\{0x1,0x12(,0x[0-9a-f]+){4}\}$')" 1 \
		"the array of a field"
}

# A string that could not be read has no bytes, and behind the bytes of a string is other data.
faults()
{
	define 'p:ftest/open do_sys_openat2 none=+0(\8):string n=+0($arg2):ustring' \
		'e:x ftest.open n=$none:string b=+0($none):x8[4] c=$n:string d=+12($n):x8[2]'
	put 1 $E/x/enable
	read_something
	read_something
	put 0 $E/x/enable
	expect "$(entries x | sort -u | grep uptime)" \
		'n=(fault) b={0x0,0x0,0x0,0x0} c="/proc/uptime" d={0x0,0x0}' "strings"
}

# The entry of the first event is still being written when the others are.
chains()
{
	define 'e:e1 sched.sched_process_exec pid=$pid:s32' 'e:e2 eprobes.e1 p=$pid:s32' \
		'e:e3 eprobes.e2 p=$p:s32'
	put 1 $X/enable
	enabled eprobes run
	put 0 $X/enable
	pid=$(events | sed -n 's/.* sched_process_exec: .* pid=\([0-9]*\) .*/\1/p')
	expect "$(entries e1) $(entries e2) $(entries e3)" "pid=$pid p=$pid p=$pid" \
		"probes on probes"
}

# Each instance has its own hits.
instances()
{
	define 'e:x sched.sched_process_exec pid=$pid:s32'
	mkdir instances/ftest
	put 1 instances/ftest/events/eprobes/x/enable
	enabled eprobes/x run
	run
	put 0 instances/ftest/events/eprobes/x/enable
	expect "$(entries x | wc -l)" 1 "hits in the top instance"
	expect "$(grep -c ' x: ' instances/ftest/trace)" 2 "hits in the other instance"
	put 1 instances/ftest/events/eprobes/x/enable
	expect_write EBUSY w dynamic_events '-:x\n'
	rmdir instances/ftest
	enabled eprobes/x run
	expect "$(entries x | wc -l)" 1 "hits after the other instance was removed"
}

filters()
{
	define 'e:f sched.sched_process_exec pid=$pid:s32 if pid < 0' \
		'e:g sched.sched_process_exec pid=$pid:s32 if pid > 0'
	put 'pid == 0' $X/filter
	put 1 $E/f/enable
	enabled eprobes/g run
	put 0 $E/f/enable
	put 0 $X/filter
	expect "$(entries f | wc -l) $(entries g | wc -l)" '0 1' \
		"hits that the filters of the probes accept"
}

mistakes()
{
	refused 'e^' 'There is no event to be on' EINVAL
	refused 'e^x sched.sched_switch' 'Unknown command' EINVAL
	refused 'e ^sched_switch' 'An event is GROUP.EVENT' EINVAL
	refused 'e ^sched.no_such_event' 'There is no such event' ENOENT
	refused 'e ^ftrace.function' 'The event cannot be enabled' EINVAL
	refused 'e sched.sched_switch $^no_field' 'The event has no such field' EINVAL
	refused 'e sched.sched_switch %^di' 'This kind of probe has no registers' EINVAL
	refused 'e sched.sched_switch $^arg1' 'The event has no such field' EINVAL
	refused 'e sched.sched_switch $prev_pid ^if' 'There is no filter' EINVAL
	refused 'e sched.sched_switch if ^nothing == 3' 'Invalid filter' EINVAL
	expect_file dynamic_events ''
}

stacks()
{
	define 'e:x sched.sched_process_exit pid=$pid:s32'
	expect_stacks eprobes/x 'do_exit do_group_exit' run
}

under_load()
{
	for _ in $(rounds 10); do
		define 'e:a sched.sched_switch p=$prev_pid:u32 c=$next_comm' 'e:b eprobes.a p=$p:u32' \
			'e:a sched.sched_switch p=$next_pid:u32 c=$next_comm'
		mkdir instances/ftest
		put 1 instances/ftest/events/eprobes/enable
		put 1 $E/enable
		wait_for 30 has_events 20 || fail "no hits"
		rmdir instances/ftest
		put 0 $E/enable
		: > dynamic_events
		: > trace
	done
	expect_file dynamic_events ''
}

testcase files "events are defined, listed, written back and removed"
testcase names "default names can be written back"
testcase fields "an event has fields of the event that it is attached to"
testcase alone "the event that a probe is attached to is not recorded, and its files do not change"
testcase memory "memory that fields point to is read"
testcase several "an event can have several probes, and the first of them can be removed"
testcase arrays "arrays in fields are read"
testcase faults "a string that could not be read is a fault, and no other data is read"
testcase chains "probes on events of probes are hit together with the first event"
testcase instances "each instance has its own hits"
testcase filters "a filter can use the fields of the attached event"
testcase mistakes "an invalid definition changes nothing, and error_log shows the position"
testcase stacks "stack traces begin in the code with the event"
testcase under_load "events can be defined and removed while they are hit"
finish
