#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# User events: user_events_data, user_events_status, and "u:" in dynamic_events. The kernel's own
# selftests of user_events test the interface of a single program.
# shellcheck source=functions.sh

. "$(dirname "$0")/functions.sh"
# shellcheck source=probes.sh
. "$(dirname "$0")/probes.sh"

[ -f user_events_data ] || skip_all "no user events here"
PROGRAM=$HERE/usereventop
[ -x "$PROGRAM" ] || skip_all "usereventop is not built"

U=events/user_events
PROBE_FILE=dynamic_events

reset_more()
{
	# A work that is writing a bit keeps its event a little longer.
	wait_for 10 try_undefine_all || fail "user events are in use"
	wait_for 10 no_events_left || fail "user events are left"
}

# in a shell of its own, which ends if dynamic_events cannot be opened
try_undefine_all()
{
	(undefine_all user_events user_events_multi ftest) 2> /dev/null
}

no_events_left()
{
	[ ! -d $U ] && [ ! -d events/user_events_multi ]
}

# start_program OPERATION...: starts it in the background; its output is in $SCRATCH/said. It
# waits for a line at each "line"; resume_program writes one
start_program()
{
	[ -p "$SCRATCH/lines" ] || mkfifo "$SCRATCH/lines"
	# for reading and writing, so that opening it does not wait for the other side
	exec 8<> "$SCRATCH/lines"
	# The lines of another program must not be taken for those of this one.
	: > "$SCRATCH/said"
	# The input of a background command is /dev/null unless it says otherwise.
	"$PROGRAM" "$@" <&8 >> "$SCRATCH/said" &
	program=$!
	echo $program >> "$SCRATCH/background"
}

resume_program()
{
	echo >&8
}

stop_program()
{
	end_background "$program"
}

# said NUMBER: has the program printed so many lines?
said()
{
	[ "$(wc -l < "$SCRATCH/said")" -ge "$1" ]
}

# expect_said LINE...: these are the lines that the program has printed so far
expect_said()
{
	wait_for 10 said $#
	expect "$(cat "$SCRATCH/said")" "$(printf '%s\n' "$@")" "lines of the program"
}

# does OPERATION...: prints the results in one line
does()
{
	"$PROGRAM" "$@" | tr '\n' ' '
}

files()
{
	expect "$(stat -c %a user_events_data user_events_status | tr '\n' ' ')" '640 440 ' modes
	expect_file user_events_status '
Active: 0
Busy: 0'
	start_program 'reg=first u32 a; char[20] b' 'reg=second' line
	expect_said 'reg 0' 'reg 1'
	expect_file user_events_status 'first
second

Active: 2
Busy: 0'
	put 1 $U/first/enable
	expect_file user_events_status 'first # Used by ftrace
second

Active: 2
Busy: 1'
	expect_file dynamic_events 'u:first u32 a; char[20] b
u:second'
	expect_formats 2 $U/*/format
	expect "$(sed -n '/ common_/d; s/^\tfield:\(.*\);$/\1/p' $U/first/format)" \
'u32 a;	offset:8;	size:4;	signed:0
char b[20];	offset:12;	size:20;	signed:0' "fields"
}

entries_of_fields()
{
	start_program \
		'reg=all u8 a; s16 b; u64 c; char[4] d; struct odd e 3; __rel_loc char[] f' \
		on=user_events/all \
		write=0,ff0080ffffffffffffff7f61626364010203000002006700 line
	expect_said 'reg 0' 'write 28'
	expect "$(events | sed 's/.*: all: //; s/ c=/\n&/')" \
'a=0xff (255) b=0x8000 (-32768)
 c=0x7fffffffffffffff (9223372036854775807) d=abcd e={01 02 03} f=g' "the entry"
	put 'a == 255 && b < 0 && f == "g"' $U/all/filter
	put 0 $U/all/enable
}

filters_and_instances()
{
	mkdir instances/ftest
	start_program 'reg=one u32 a' on=user_events/one line write=0,01000000 write=0,02000000 \
		write=0,03000000 line
	expect_said 'reg 0'
	put 1 instances/ftest/$U/one/enable
	put 'a > 1' $U/one/filter
	put 'a != 2' instances/ftest/$U/one/filter
	put 'hist:keys=a' $U/one/trigger
	resume_program
	expect_said 'reg 0' 'write 8' 'write 8' 'write 8'
	expect "$(events | sed 's/.*a=//' | tr '\n' ' ')" '0x2 (2) 0x3 (3) ' "the top instance"
	expect "$(grep -o 'a=.*' instances/ftest/trace | tr '\n' ' ')" 'a=0x1 (1) a=0x3 (3) ' \
	       "the other instance"
	expect "$(grep -c '^{ a: ' $U/one/hist)" 3 "counted"
	put '!hist:keys=a' $U/one/trigger
	put 0 $U/one/enable
	rmdir instances/ftest
	wait_for 10 grep -q '^Busy: 0' user_events_status || fail "it is still in use"
}

# The bits show the state, however the memory is.
bits()
{
	expect "$(does 'reg=a' 'reg=b' on=user_events/b bits on=user_events/a bits unreg=0 bits \
		off=user_events/b bits unreg=0 off=user_events/a)" \
	       'reg 0 reg 1 bits 2 bits 3 unreg 0 bits 2 bits 0 unreg:2 ' "in the page tables"
	expect "$(does bit=31 'reg=a' drop on=user_events/a wait=0x80000000 drop off=user_events/a \
		wait=0)" 'reg 0 wait 2147483648 wait 0 ' "not in the page tables"
	expect "$(does 'reg=a' unmap on=user_events/a unreg=0 off=user_events/a)" \
	       'reg 0 unreg 0 ' "unmapped"
	expect "$(does 'reg=a' 'reg=a' bit=0 'reg=a' bit=5 'reg=a u32 x')" \
	       'reg 0 reg 0 reg:98 reg:98 ' "registered several times"
}

# A thread may exit before the others; a child has bits of its own, and a new program has none.
tasks()
{
	expect "$(does thread=a on=user_events/a wait=1 'reg=a' bits unreg=0 unreg=1 bits)" \
	       'reg 0 wait 1 reg 0 bits 3 unreg 0 unreg 0 bits 0 ' "after the exit of a thread"
	expect "$(does 'reg=a' fork on=user_events/a bits unreg=0 off=user_events/a unreg=0)" \
	       'reg 0 bits 1 unreg 0 unreg:2 bits 1 unreg 0 unreg:2 ' "in a child and its parent"
	expect "$(does thread=a fork on=user_events/a bits unreg=0 off=user_events/a unreg=0)" \
	       'reg 0 bits 1 unreg 0 unreg:2 bits 1 unreg 0 unreg:2 ' \
	       "in a child of a thread that is older than the bit"
	expect "$(does flags=1 'reg=kept' exec on=user_events/kept bits unreg=0 \
		off=user_events/kept del=kept)" 'reg 0 bits 0 unreg:2 del 0 ' "after exec"
}

deleted()
{
	expect "$(does 'reg=a' unreg=0 del=a)" 'reg 0 unreg 0 del:16 ' "while the file is open"
	expect "$(does flags=1 'reg=b' del=b unreg=0 close del=b)" \
	       'reg 0 del:16 unreg 0 del 0 ' "when it is closed"
	expect "$(does del=nothing)" 'del:2 ' "a missing event"
	"$PROGRAM" 'reg=gone' > /dev/null
	wait_for 10 no_events_left || fail "an event outlives its program"
	"$PROGRAM" 'reg=enabled' on=user_events/enabled > /dev/null
	expect_true "an event in use remains" [ -d $U/enabled ]
	put 0 $U/enabled/enable
	wait_for 10 no_events_left || fail "an event outlives its last user"
	"$PROGRAM" flags=1 'reg=kept u8 a' > /dev/null
	expect_true "a persistent event remains" [ -d $U/kept ]
	expect "$(does del=kept)" 'del 0 ' "a persistent event"
}

# Probes on an event, and triggers that refer to it, keep it.
kept_by_others()
{
	start_program 'reg=a u32 x' line
	expect_said 'reg 0'
	if grep -q 'e\[:' README; then
		put_more 'e:ftest/on_it user_events.a y=$x' dynamic_events
		stop_program
		sleep 0.5
		expect_true "it remains with a probe on it" [ -d $U/a ]
		put_more '-:ftest/on_it' dynamic_events
		wait_for 10 no_events_left || fail "it remains without the probe"
		start_program 'reg=a u32 x' line
		expect_said 'reg 0'
	fi
	trigger=events/sched/sched_process_exit/trigger
	put 'enable_event:user_events:a if common_pid == -1' $trigger
	stop_program
	sleep 0.5
	expect_true "it remains with a trigger" [ -d $U/a ]
	put '!enable_event:user_events:a if common_pid == -1' $trigger
	wait_for 10 no_events_left || fail "it remains without the trigger"
}

several_formats()
{
	start_program flags=2 'reg=a u32 x' 'reg=a u64 x' 'reg=a u32 x' line
	expect_said 'reg 0' 'reg 1' 'reg 0'
	expect "$(find events/user_events_multi -name 'a.*' | wc -l)" 2 "directories"
	expect "$(grep -c '^u:a\.[0-9a-f]* u[36][24] x$' dynamic_events)" 2 "definitions"
	put 1 events/user_events_multi/enable
	put 0 events/user_events_multi/enable
	stop_program
	"$PROGRAM" flags=3 'reg=a u32 x' 'reg=a u64 x' > /dev/null
	one=$(basename "$(find events/user_events_multi -name 'a.*' | head -n 1)")
	put_more "-:user_events_multi/$one" dynamic_events
	expect "$(find events/user_events_multi -name 'a.*' | wc -l)" 1 "after one was deleted"
	expect "$(does del=a)" 'del 0 ' "the other one"
}

dynamic()
{
	define 'u:first u32 a;u8 b' 'u:second' 'u:third struct odd x 3; __data_loc char[] text'
	expect_file dynamic_events 'u:first u32 a; u8 b
u:second
u:third struct odd x 3; __data_loc char[] text'
	expect_written_back dynamic_events
	expect_removed dynamic_events
	for line in 'u:' 'u:a/b' 'u:a u32' 'u:a u33 x' 'u:a long x' 'u:a char[] x' 'u:a char[0] x' \
		    'u:a char[1025] x' 'u:a u32 x 4' 'u:a struct x' 'u:a struct s x 0' \
		    'u:a struct s x 5000' 'u:a __data_loc u32[] x' 'u:a u32 1x' 'u:a u32 x;u32 x' \
		    'u:a:FLAG' 'u:a b c d e f'; do
		expect_write EINVAL wa dynamic_events "$line\n"
	done
	expect_file dynamic_events ''
	define 'u:a u32 x'
	expect_write EADDRINUSE wa dynamic_events 'u:a u64 x\n'
	put 1 $U/a/enable
	expect_write EBUSY wa dynamic_events '-:a\n'
	expect_false "all events are removed" sh -c ': > dynamic_events' 2> /dev/null
	put 0 $U/a/enable
	expect_file dynamic_events 'u:a u32 x'
}

mistakes()
{
	# in the order of do_bad()
	expect "$(does bad)" "reg:22 reg:7 reg:22 reg:22 reg:22 reg:22 reg:14 reg:14 reg:14 \
reg:22 reg:22 unreg:22 del:14 ioctl:25 read:22 write:22 fault:14 " "invalid requests"
	expect "$(does 'reg=a u32 x; __data_loc char[] t' write=0,00000000 write=0 write=1,00 \
		write=-1 write=0,0000000000000000 on=user_events/a write=0,0100000010000100 \
		write=0,010000001000010000 write=0,010000001000010041 write=0,010000001000020000 \
		write=0,010000000000010000 write=0,010000001000000000 long=0,4064 long=0,4056)" \
	       "reg 0 write:22 write:22 write:2 write:22 write:9 write:14 write 13 write:14 \
write:14 write:14 write:14 long:7 long:14 " "invalid entries"
	expect "$(nr_events)" 1 "entries"
	put 0 $U/a/enable
	: > trace
	expect "$(does reg=b on=user_events/b long=0,4056 off=user_events/b)" 'reg 0 long 4060 ' \
	       "the largest entry"
	expect "$(nr_events)" 1 "large entries"
	wait_for 10 no_events_left || fail "the event is left"
	expect_file user_events_status '
Active: 0
Busy: 0'
}

# Programs come and go, with children and threads, while events are enabled and disabled.
under_load()
{
	for _ in $(rounds 5); do
		for n in 1 2 3 4; do
			"$PROGRAM" 'reg=a u32 x' "reg=own$n" thread=b fork bits fork \
				on=user_events/a write=0,01000000 drop off=user_events/a \
				on="user_events/own$n" off="user_events/own$n" exec \
				'reg=a u32 x' thread=b fork bits \
				>> "$SCRATCH/said" 2> /dev/null &
			loads="$loads $!"
		done
		for _ in 1 2 3 4 5; do
			echo 1 > $U/enable
			cat user_events_status dynamic_events > /dev/null
			echo 0 > $U/enable
			echo > dynamic_events
		done 2> /dev/null
		# shellcheck disable=SC2086 # numbers
		wait $loads
		loads=
	done
	expect_true "events were registered" grep -q '^reg 0' "$SCRATCH/said"
	[ ! -d $U ] || put 0 $U/enable
	wait_for 20 no_events_left || fail "events are left"
	expect_file user_events_status '
Active: 0
Busy: 0'
}
loads=

testcase files "events are listed while programs have registered them"
testcase entries_of_fields "an entry has fields of all types"
testcase filters_and_instances "filters, triggers and instances can use the events"
testcase bits "the bits show whether events are enabled"
testcase tasks "bits belong to the memory of a program"
testcase deleted "an event exists as long as it is referenced"
testcase kept_by_others "an event exists as long as other events refer to it"
testcase several_formats "events with one name can have several formats"
testcase dynamic "persistent events are defined in dynamic_events"
testcase mistakes "invalid requests and entries are rejected"
testcase under_load "programs can start and exit while events are enabled"
finish
