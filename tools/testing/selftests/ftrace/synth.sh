#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Synthetic events: synthetic_events, dynamic_events, and the triggers that generate them.
# shellcheck source=functions.sh

. "$(dirname "$0")/functions.sh"

[ -f synthetic_events ] || skip_all "no synthetic events here"

SIGNAL=events/signal/signal_generate
PRINT=events/ftrace/print
SYNTH=events/synthetic

reset_more()
{
	for reset_file in $SIGNAL $PRINT events/sched/sched_process_exec; do
		[ ! -f $reset_file/hist ] || : > $reset_file/trigger
	done
	for reset_file in $SYNTH/*/trigger; do
		[ ! -f "$reset_file" ] || : > "$reset_file"
	done
	[ ! -d events/ftest ] || echo 0 > events/ftest/enable
	[ ! -f dynamic_events ] || : > dynamic_events
	: > synthetic_events
}

# shown FILE: prints its content, with blanks for tabs
shown()
{
	tr '\t' ' ' < "$1"
}

defined()
{
	expect_file synthetic_events ''
	put_more 'latency u64 lat; pid_t pid;int  prio' synthetic_events
	put_more 'texts char name[16]; char[] rest ; unsigned  long stack[]' synthetic_events
	put_more 's:synthetic/third bool b' dynamic_events
	put_more 's:fourth gfp_t flags; unsigned char c' dynamic_events
	expect "$(shown synthetic_events)" 'latency u64 lat; pid_t pid; int prio
texts char[16] name; char[] rest; unsigned long[] stack
third bool b
fourth gfp_t flags; unsigned char c' synthetic_events
	expect "$(grep '^s:' dynamic_events)" 's:synthetic/latency u64 lat; pid_t pid; int prio
s:synthetic/texts char[16] name; char[] rest; unsigned long[] stack
s:synthetic/third bool b
s:synthetic/fourth gfp_t flags; unsigned char c' dynamic_events
	expect_formats 4 $SYNTH/*/format
	expect "$(sed -n 's/;.*//; s/.*field:\(.*\)/\1/p' $SYNTH/texts/format | tail -n 3)" \
	       'char name[16]
__data_loc char[] rest
__data_loc unsigned long[] stack' "fields"
	for file in enable filter format hist id trigger; do
		expect_true "the event has the file $file" [ -f $SYNTH/latency/$file ]
	done
	put_more '!latency u64 lat pid_t pid int prio' synthetic_events
	put_more '-:third' dynamic_events
	expect_false "its directory remains" [ -d $SYNTH/third ]
	put_more "!$(shown synthetic_events | head -n 1)" synthetic_events
	expect_write EEXIST w synthetic_events "$(head -n 1 synthetic_events)\n"
	put 'fifth u8 x' synthetic_events
	expect "$(shown synthetic_events)" 'fifth u8 x' "events after truncation"
	: > dynamic_events
	expect_file synthetic_events ''
}

# refused TEXT ERRNO AT MESSAGE: the definition is rejected with this error
refused()
{
	expect_write "$2" w synthetic_events "$1\n"
	expect "$(tail -n 3 error_log | sed 's/^\[[^]]*\] //')" \
"synthetic_events: error: $4
  Command: $1
           $(printf '%*s' $(($3 + 1)) '^')" "error_log"
}

mistakes()
{
	put 'first u64 lat' synthetic_events
	refused 'first u8 x' EEXIST 0 'Event already exists'
	refused '1st u8 x' EINVAL 0 'Illegal name'
	refused 'a-b u8 x' EINVAL 0 'Illegal name'
	refused 'second' EINVAL 6 'No fields'
	refused 'second u8' EINVAL 7 'Field must have a type and a name'
	refused 'second u8 x; u16' EINVAL 13 'Field must have a type and a name'
	refused 'second u9 x' EINVAL 7 'Illegal type'
	refused 'second u8 x[3]' EINVAL 7 'Illegal type'
	refused 'second char x[257]' EINVAL 7 'Illegal type'
	refused 'second char x[0]' EINVAL 7 'Illegal type'
	refused 'second char x[' EINVAL 7 'Field must have a type and a name'
	refused 'second u8 x; u16 x' EINVAL 17 'Duplicate field'
	expect_write ENOENT w synthetic_events '!second\n'
	expect "$(shown synthetic_events)" 'first u64 lat' "events that are defined"
	put 1 $SYNTH/first/enable
	expect_write EBUSY w synthetic_events '!first\n'
	expect_false "truncation works" sh -c ': > synthetic_events'
	put 0 $SYNTH/first/enable
	put_more '!first' synthetic_events
}

# Synthetic events are removed after the probes on them. If one is in use, no event is removed.
busy()
{
	put 'latency u64 lat' synthetic_events
	[ -f dynamic_events ] || skip "no dynamic events here"
	put_more 'e:ftest/other sched.sched_switch' dynamic_events
	put_more 'e:ftest/on synthetic.latency lat=$lat' dynamic_events
	cp dynamic_events "$SCRATCH/defined"
	expect "$(wc -l < "$SCRATCH/defined")" 3 "events"
	put 1 $SYNTH/latency/enable
	expect_false "O_TRUNC of an event in use" sh -c ': > dynamic_events'
	expect_file dynamic_events "$(cat "$SCRATCH/defined")"
	expect_write EBUSY w dynamic_events '-:latency\n'
	put 0 $SYNTH/latency/enable
	expect_false "O_TRUNC of an event with a probe" sh -c ': > synthetic_events'
	expect_file dynamic_events "$(cat "$SCRATCH/defined")"
	put 1 events/ftest/on/enable
	expect_false "O_TRUNC of a probe in use" sh -c ': > dynamic_events'
	expect_file dynamic_events "$(cat "$SCRATCH/defined")"
	put 0 events/ftest/on/enable
	: > dynamic_events
	expect_file dynamic_events ''
	expect_file synthetic_events ''
}

# A latency from one event to another, passed to a synthetic event.
onmatch()
{
	begin_signals
	put 'latency u64 lat; pid_t pid; int sum; char comm[16]; char all[]' synthetic_events
	put 'hist:keys=common_pid:ts=common_timestamp.usecs,p=common_pid if buf == "start"' \
	    $PRINT/trigger
	put "hist:keys=common_pid:l=common_timestamp.usecs-\$ts,p2=\$p:onmatch(ftrace.print).latency(\$l,\$p2,sig+errno,comm,comm) if pid == $target" \
	    $SIGNAL/trigger
	put 'hist:keys=comm,all,sum:sort=sum' $SYNTH/latency/trigger
	put 1 $SYNTH/latency/enable
	signals USR1 1
	printf start > trace_marker
	signals USR1 2
	printf start > trace_marker
	signals USR2 1
	put 0 $SYNTH/latency/enable
	comm="sleep"
	expect "$(events | sed -n 's/.*: latency: lat=[0-9]* //p')" \
"pid=$self sum=10 comm=$comm all=$comm
pid=$self sum=12 comm=$comm all=$comm" "entries"
	expect "$(grep '^{' $SYNTH/latency/hist | sed 's/  */ /g')" \
"{ comm: $comm , all: $comm , sum: 10 } hitcount: 1
{ comm: $comm , all: $comm , sum: 12 } hitcount: 1" "histogram"
	expect_write EBUSY w synthetic_events '!latency\n'
}

# A field of the other event, with or without the event's name, is saved by a separate trigger
# there.
other_fields()
{
	begin_signals
	put 'both int a; int b; int c' synthetic_events
	put 'hist:keys=$k:k=common_pid if pid > 0' $SIGNAL/trigger
	put 'hist:keys=common_pid:onmatch(signal.signal_generate).trace(both,signal.signal_generate.sig,errno,common_pid)' \
	    $PRINT/trigger
	expect "$(cut -d ' ' -f 1 $SIGNAL/trigger)" \
'hist:keys=$k:vals=hitcount:k=common_pid:sort=hitcount:size=2048
hist:keys=common_pid:vals=hitcount:synthetic_sig=sig:sort=hitcount:size=2048
hist:keys=common_pid:vals=hitcount:synthetic_errno=errno:sort=hitcount:size=2048' triggers
	put 1 $SYNTH/both/enable
	signals USR2 1
	printf x > trace_marker
	put 0 $SYNTH/both/enable
	expect "$(events | sed -n 's/.*: both: //p')" "a=12 b=0 c=$self" "entry"
	put_more "!$(cat $PRINT/trigger)" $PRINT/trigger
	expect "$(grep -c '' $SIGNAL/trigger)" 1 "triggers that remain"
	# Keys that are variables are known with and without a dollar sign
	put 'hist:keys=j:j=$k:k=common_pid if pid > 0' $SIGNAL/trigger
	put 'hist:keys=common_pid:onmatch(signal.signal_generate).trace(both,sig,errno,common_pid)' \
	    $PRINT/trigger
	expect "$(sed -n 's/:vals.*synthetic/ synthetic/; s/:sort.*//; /synthetic/p' $SIGNAL/trigger)" \
'hist:keys=common_pid synthetic_sig=sig
hist:keys=common_pid synthetic_errno=errno' triggers
	: > $PRINT/trigger
	expect_true "they are removed with their reader" \
		    wait_for 10 sh -c "! grep -q synthetic_ $SIGNAL/trigger"
}

# An event whose system has the name of one of its fields.
qualified()
{
	begin_signals
	put 'one int a; int b' synthetic_events
	[ -f events/timer/timer_expire_entry/trigger ] || skip "no events of timers"
	put_more 'two u64 x' synthetic_events
	put 'hist:keys=timer' events/timer/timer_start/trigger
	put 'hist:keys=timer:onmatch(timer.timer_start).two(timer.timer_start.expires)' \
	    events/timer/timer_expire_entry/trigger
	expect_true "a field of another event" \
		    grep -q ':synthetic_expires=expires:' events/timer/timer_start/trigger
	: > events/timer/timer_expire_entry/trigger
	: > events/timer/timer_start/trigger
}

# A stack is saved in a variable, and is a field of a synthetic event and a key.
stacks()
{
	begin_signals
	[ -f $SIGNAL/hist ] || skip "no histograms here"
	put 'stacked int sig; unsigned long[] stack' synthetic_events
	put "hist:keys=pid:st=common_stacktrace,s=sig:onmax(\$s).trace(stacked,sig,\$st) if pid == $target" \
	    $SIGNAL/trigger
	put 'hist:keys=stack.stacktrace' $SYNTH/stacked/trigger
	put 1 $SYNTH/stacked/enable
	signals USR2 2
	signals USR1 1
	put 0 $SYNTH/stacked/enable
	expect "$(grep -c ': stacked: sig=12 stack=STACK:$' trace)" 1 "entries"
	expect_true "the stack has the system call" grep -q '^=> .*sys.*kill.*+0x' trace
	expect_true "and so has the key" grep -q '^ \{9\}.*sys.*kill.*+0x' $SYNTH/stacked/hist
	expect "$(grep -c '^{ stack.stacktrace         [^ ].*+0x' $SYNTH/stacked/hist)" 1 "keys"
}

onmatch_mistakes()
{
	put 'one int a' synthetic_events
	put_more 'text char a[8]' synthetic_events
	expect_write EINVAL w $SYNTH/one/trigger \
		     'hist:keys=a:onmatch(signal.signal_generate).text(comm)\n'
	for trigger in 'hist:keys=pid:onmatch(signal.signal_generate).one(pid,sig)' \
		       'hist:keys=pid:onmatch(signal.signal_generate).one()' \
		       'hist:keys=pid:onmatch(signal.signal_generate).one(comm)' \
		       'hist:keys=pid:onmatch(signal.signal_generate).text(sig)'; do
		expect_write EINVAL w $SIGNAL/trigger "$trigger\n"
	done
	expect "$(grep -c "Param count doesn't match synthetic event field count" error_log)" 2 "counts"
	expect "$(grep -c "Param type doesn't match synthetic event field type" error_log)" 2 "types"
	put_more '!text' synthetic_events
	# Numbers of other sizes
	put_more 'small u8 a' synthetic_events
	expect_write EINVAL w $SIGNAL/trigger 'hist:keys=pid:onmatch(signal.signal_generate).small(pid)\n'
	expect_write EINVAL w $SIGNAL/trigger \
		     'hist:keys=pid:onmatch(signal.signal_generate).one(common_timestamp)\n'
	expect "$(grep -c "Param type doesn't match synthetic event field type" error_log)" 4 "types"
	put_more '!small' synthetic_events
	# Synthetic events cannot cause themselves
	put_more 'two int a' synthetic_events
	put 'hist:keys=a:onmatch(synthetic.one).two(a)' $SYNTH/one/trigger
	expect_write EINVAL w $SYNTH/two/trigger 'hist:keys=a:onmatch(synthetic.two).one(a)\n'
	expect_write EINVAL w $SYNTH/one/trigger 'hist:keys=a:onmatch(synthetic.one).one(a)\n'
	expect "$(grep -c 'Synthetic event would cause itself' error_log)" 2 "cycles"
}

# A synthetic event generates another one, which generates one more, up to a limit.
chain()
{
	begin_signals
	for n in 1 2 3 4; do
		put_more "chain$n int a" synthetic_events
	done
	put 'hist:keys=a:onmatch(synthetic.chain2).chain3(a)' $SYNTH/chain2/trigger
	put 'hist:keys=a:onmatch(synthetic.chain1).chain2(a+1)' $SYNTH/chain1/trigger
	put "hist:keys=sig:onmatch(signal.signal_generate).chain1(sig) if pid == $target" \
	    $SIGNAL/trigger
	expect_write EINVAL w $SYNTH/chain3/trigger \
		     'hist:keys=a:onmatch(synthetic.chain3).chain4(a)\n'
	expect_true "error_log says why" grep -q 'Too many synthetic events in a row' error_log
	put 1 $SYNTH/enable
	signals USR1 1
	put 0 $SYNTH/enable
	expect "$(events | sed -n 's/.*: \(chain.: \)/\1/p' | sort)" 'chain1: a=10
chain2: a=11
chain3: a=11' "entries"
}

# An event probe closes a circle, which ends at a limit.
circle()
{
	[ -f dynamic_events ] || skip "no dynamic events here"
	EXEC=events/sched/sched_process_exec
	put 'loop int a' synthetic_events
	put_more 'e:ftest/again synthetic.loop a=$a:s32' dynamic_events
	put 'hist:keys=common_stacktrace:onmatch(ftest.again).loop(a)' events/ftest/again/trigger
	put 'hist:keys=pid:onmatch(sched.sched_process_exec).loop(pid) if filename ~ "*/fileop"' \
	    $EXEC/trigger
	put 1 events/ftest/again/enable
	put 1 $SYNTH/loop/enable
	"$FILEOP" read r /proc/uptime > /dev/null
	put 0 $SYNTH/loop/enable
	put 0 events/ftest/again/enable
	loops=$(grep -c ': loop: a=' trace)
	expect_true "it begins, and ends: $loops" [ "$loops" -ge 1 ]
	expect_true "at the limit: $loops" [ "$loops" -le 3 ]
	: > $EXEC/trigger
	: > events/ftest/again/trigger
}

# Synthetic events have many fields.
many_fields()
{
	begin_signals
	fields=$(seq 64 | sed 's/.*/int f&/' | paste -s -d ';')
	values=$(yes sig | head -n 64 | paste -s -d ,)
	put "wide $fields" synthetic_events
	put "hist:keys=pid:onmatch(signal.signal_generate).wide($values) if pid == $target" \
	    $SIGNAL/trigger
	put 1 $SYNTH/wide/enable
	signals USR1 1
	put 0 $SYNTH/wide/enable
	expect "$(grep -o 'f[0-9]*=10' trace | grep -c '')" 64 "fields"
}

# In an instance, with a filter, a trigger and another histogram.
like_others()
{
	begin_signals
	put 'latency int sig' synthetic_events
	put "hist:keys=pid:onmatch(signal.signal_generate).latency(sig) if pid == $target" $SIGNAL/trigger
	in_instance
	put 'sig > 10' $SYNTH/latency/filter
	put 'traceoff if sig == 28' $SYNTH/latency/trigger
	put 1 $SYNTH/latency/enable
	signals USR1 1
	signals USR2 1
	expect "$(events | sed -n 's/.*: latency: //p')" 'sig=12' "entries"
	expect "$(nr_events ../../trace)" 0 "entries elsewhere"
	signals WINCH 1
	expect_file tracing_on 0
}

# The API for modules: see modules/ftest_synth.c.
in_kernel()
{
	need_module ftest_synth
	expect_file "$(param ftest_synth failed)" 0
	expect "$(events | sed -n 's/.*: ftest_schedtest: //p')" \
'next_pid=444 next_comm=clackers ts_ns=1000000 cpu=7 my_string=Thneed my_int=999
next_pid=777 next_comm=tiddlywinks ts_ns=2000000 cpu=8 my_string=thneed my_int=398
next_pid=778 next_comm=slinky ts_ns=3000000 cpu=9 my_string=thneed_2.01 my_int=-395
next_pid=779 next_comm=silly putty ts_ns=0 cpu=0 my_string=thneed_9 my_int=3999' "entries"
	expect "$(events | sed -n 's/.*: ftest_dynamic: //p')" 'text=as long as it is n=3' "strings"
	rmmod ftest_synth || fail "the module is not unloaded"
	expect_file synthetic_events ''
}

testcase defined "events are defined, listed in the form in which they are written, and removed"
testcase busy "no event is removed if one of them is in use"
slowcase mistakes "an invalid definition changes nothing, and error_log has the reason"
if [ -f events/sched/sched_switch/hist ]; then
	testcase onmatch "onmatch passes variables, fields and expressions"
	testcase other_fields "onmatch passes fields of the matching event"
	testcase stacks "stacks can be saved, passed on, and used as keys"
	testcase onmatch_mistakes "parameters that do not match, and cycles, are rejected"
	testcase chain "synthetic events can generate other ones, up to a limit"
	testcase qualified "fields of an event whose system is called like a field"
	testcase circle "events that cause themselves through an event probe end at a limit"
	testcase many_fields "a synthetic event with the most fields can be generated"
	testcase like_others "instances, filters and triggers work as for other events"
fi
testcase in_kernel "modules define and generate synthetic events"
finish
