#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Histograms of events: the trigger hist and the file of that name.
# shellcheck source=functions.sh

. "$(dirname "$0")/functions.sh"

[ -f events/sched/sched_switch/hist ] || skip_all "no histograms here"

EXEC=events/sched/sched_process_exec
SIGNAL=events/signal/signal_generate
PRINT=events/ftrace/print

run_program()
{
	"$FILEOP" read r /proc/uptime > /dev/null 2>&1
}

# No trigger: the file lists the commands.
expect_none()
{
	expect "$(head -n 1 "$1")" '# Available triggers:' "first line of $1"
}

# entries FILE: the lines of elements, without the blanks between columns
entries()
{
	grep '^{' "$1" | sed 's/  */ /g'
}

# expect_entries FILE LINE...: the elements of a histogram, in this order
expect_entries()
{
	entries_of=$1
	shift
	expect "$(entries "$entries_of")" "$(printf '%s\n' "$@")" "elements of $entries_of"
}

# expect_totals FILE HITS ENTRIES DROPPED: checks the totals of a histogram
expect_totals()
{
	expect "$(sed -n '/^Totals:/,$p' "$1")" "Totals:
    Hits: $2
    Entries: $3
    Dropped: $4" "totals of $1"
}

counts()
{
	in_instance
	expect "$(stat -c %a $EXEC/hist)" 440 mode
	expect_file $EXEC/hist ''
	put 'hist:keys=filename if filename ~ "*/fileop"' $EXEC/trigger
	expect_file $EXEC/hist "# event histogram
#
# trigger info: hist:keys=filename:vals=hitcount:sort=hitcount:size=2048 if filename ~ \"*/fileop\" [active]
#


Totals:
    Hits: 0
    Entries: 0
    Dropped: 0"
	for _ in 1 2 3; do
		run_program
	done
	expect_file $EXEC/hist "# event histogram
#
# trigger info: hist:keys=filename:vals=hitcount:sort=hitcount:size=2048 if filename ~ \"*/fileop\" [active]
#

{ filename: $(printf '%-35s' "$FILEOP") } hitcount:          3

Totals:
    Hits: 3
    Entries: 1
    Dropped: 0"
	expect "$(nr_events)" 0 "entries of an event that is not enabled"
	expect_file ../../$EXEC/hist ''
	put "!hist:keys=filename if filename ~ \"*/fileop\"" $EXEC/trigger
	expect_file $EXEC/hist ''
	expect_none $EXEC/trigger
	expect_file $EXEC/enable 0
}

# Numbers are added up, and elements are sorted by keys and values, up and down.
sums()
{
	begin_signals
	in_instance
	put "hist:keys=sig:vals=pid,errno:sort=sig if pid == $target" $SIGNAL/trigger
	put_more "hist:keys=sig:vals=hitcount:sort=hitcount.descending if pid == $target" $SIGNAL/trigger
	put_more "hist:keys=pid,sig:vals=sig:sort=pid,sig if pid == $target" $SIGNAL/trigger
	put_more "hist:keys=sig.hex:vals=code.hex:sort=sig if pid == $target" $SIGNAL/trigger
	signals USR1 3
	signals USR2 1
	signals WINCH 2
	# The latest trigger is first
	expect_entries $SIGNAL/hist \
		'{ sig: a } hitcount: 3 code: 0' \
		'{ sig: c } hitcount: 1 code: 0' \
		'{ sig: 1c } hitcount: 2 code: 0' \
		"{ pid: $target, sig: 12 } hitcount: 1 sig: 12" \
		"{ pid: $target, sig: 10 } hitcount: 3 sig: 30" \
		"{ pid: $target, sig: 28 } hitcount: 2 sig: 56" \
		'{ sig: 10 } hitcount: 3' \
		'{ sig: 28 } hitcount: 2' \
		'{ sig: 12 } hitcount: 1' \
		"{ sig: 10 } hitcount: 3 pid: $((3 * target)) errno: 0" \
		"{ sig: 12 } hitcount: 1 pid: $target errno: 0" \
		"{ sig: 28 } hitcount: 2 pid: $((2 * target)) errno: 0"
	expect "$(grep -c 'Hits: 6' $SIGNAL/hist)" 4 "histograms of 6 hits"
	expect "$(grep -n '^# event histogram' $SIGNAL/hist | cut -d : -f 1 | tr '\n' ' ')" \
	       "1 16 31 46 " "where the histograms begin"
}

modifiers()
{
	begin_signals
	in_instance
	put "hist:keys=common_pid.execname,sig.log2:sort=sig if pid == $target" $SIGNAL/trigger
	signals USR1 1
	signals WINCH 2
	expect "$(grep '^{' $SIGNAL/hist)" \
"{ common_pid: $(printf '%-16s[%10u]' "$(cat "/proc/$self/comm")" "$self"), sig: ~ 2^4  } hitcount:          1
{ common_pid: $(printf '%-16s[%10u]' "$(cat "/proc/$self/comm")" "$self"), sig: ~ 2^5  } hitcount:          2" \
	       "names of programs, and powers of 2"
	put "hist:keys=sig.buckets=10:vals=hitcount.percent,hitcount.graph:nohitcount if pid == $target" \
	    $SIGNAL/trigger
	signals USR1 3
	signals USR2 1
	signals WINCH 1
	expect "$(grep '^{' $SIGNAL/hist)" \
'{ sig: ~ 20-29 } hitcount (%):  20.00  hitcount: #####               
{ sig: ~ 10-19 } hitcount (%):  80.00  hitcount: ####################' "parts and bars"
	[ -d events/raw_syscalls ] || return 0
	put "hist:keys=id.syscall if common_pid == $self && id == $(sys_getpgid)" \
	    events/raw_syscalls/sys_enter/trigger
	expect "$(sed -n 's/^# trigger info: \(.*\) if .*/\1/p' events/raw_syscalls/sys_enter/hist)" \
	       'hist:keys=id.syscall:vals=hitcount:sort=hitcount:size=2048' "the trigger"
}

# Any valid system call number.
sys_getpgid()
{
	echo 121
}

# Pseudo fields: CPUs, stacks and symbols.
standins()
{
	in_instance
	put 'hist:keys=common_cpu if filename ~ "*/fileop"' $EXEC/trigger
	put_more 'hist:keys=cpu,common_stacktrace if filename ~ "*/fileop"' $EXEC/trigger
	put_more 'hist:keys=stacktrace:vals=pid if filename ~ "*/fileop"' $EXEC/trigger
	run_program
	expect_true "the CPU" grep -q '^{ common_cpu:  *[0-9]* } hitcount:  *1$' $EXEC/hist
	expect_true "the current name is shown" \
		    grep -q '^hist:keys=common_cpu,common_stacktrace:' $EXEC/trigger
	expect_true "stacks have the call of the program" \
		    [ "$(grep -c '^ \{9\}.*execve' $EXEC/hist)" -ge 2 ]
	expect "$(grep -c '^} hitcount: ' $EXEC/hist)" 2 "ends of stacks"
	expect "$(grep -c '^{ common_stacktrace:$' $EXEC/hist)" 1 "a stack as the only key"
	expect_true "the old names are shown as the new ones" \
		    grep -q '^hist:keys=common_stacktrace:vals=hitcount,pid:' $EXEC/trigger
	[ -d events/kmem/kmalloc ] || return 0
	put 'hist:keys=call_site.sym:vals=bytes_req' events/kmem/kmalloc/trigger
	put_more 'hist:keys=call_site.sym-offset' events/kmem/kmalloc/trigger
	mkdir ../ftest2 && rmdir ../ftest2
	expect_true "symbols" \
		    grep -q '^{ call_site: \[[0-9a-f]*\] [a-z_]\S*  *} hitcount: ' events/kmem/kmalloc/hist
	expect_true "symbols and offsets" \
		    grep -q '^{ call_site: \[[0-9a-f]*\] [a-z_]\S*+0x\S*  *} hitcount: ' \
		    events/kmem/kmalloc/hist
}

# Strings of one word, and bitmasks.
words()
{
	in_instance
	need_module ftest_events
	WORDS=events/ftest/ftest_words
	TEXTS=events/ftest/ftest_texts
	put 1 $TEXTS/enable
	put 'hist:keys=cpus' $TEXTS/trigger
	put 'hist:keys=letters:sort=letters' $WORDS/trigger
	put_more 'hist:keys=bits:sort=bits.descending' $WORDS/trigger
	put_more 'hist:keys=again,count:m=bits,c=count:sort=again:onchange($c).save(again)' $WORDS/trigger
	for n in 2 1 3 2; do
		put $n "$(param ftest_events fire)"
	done
	expect "$(entries $TEXTS/hist)" \
	       "{ cpus: $(sed -n 's/.*: ftest_texts:.*|\([0-9a-f,]*\)|.*/\1/p' trace | tail -n 1) } hitcount: 4" \
	       "the mask of CPUs as in the trace"
	expect "$(grep -A 1 '^{' $WORDS/hist | sed -n 's/  */ /g; /^[{\t]/p')" \
'{ again: 00000000,00000002, count: 2 } hitcount: 2
	changed: 2 again: 00000000,00000002
{ again: 00000000,00000001,00000000,00000001, count: 1 } hitcount: 1
	changed: 1 again: 00000000,00000001,00000000,00000001
{ again: 00000000,00000001,00000000,00000003, count: 3 } hitcount: 1
	changed: 3 again: 00000000,00000001,00000000,00000003
{ bits: 00000000,00000001,00000000,00000003 } hitcount: 1
{ bits: 00000000,00000001,00000000,00000001 } hitcount: 1
{ bits: 00000000,00000002 } hitcount: 2
{ letters: bbb } hitcount: 1
{ letters: ccc } hitcount: 2
{ letters: ddd } hitcount: 1' "elements"
	expect_write EINVAL w $WORDS/trigger 'hist:keys=bits.hex\n'
	rmmod ftest_events || fail "the module is not unloaded"
}

# first_callers FILE: the first caller of each stack trace
first_callers()
{
	grep -A 1 '^{ common_stacktrace:$' "$1" | grep '^ ' | sort -u
}

# A stack trace does not depend on who else uses the event.
stack_begins()
{
	in_instance
	put 'hist:keys=common_stacktrace if filename ~ "*/fileop"' $EXEC/trigger
	run_program
	callers=$(first_callers $EXEC/hist)
	expect_true "the code with the event: $callers" \
		    sh -c "echo '$callers' | grep -q '^ *[a-z_]*exec[a-z_]*+0x[^ ]*$'"
	put 1 ../../$EXEC/enable
	run_program
	put 0 ../../$EXEC/enable
	expect "$(first_callers $EXEC/hist)" "$callers" "first callers"
	expect_totals $EXEC/hist 2 1 0
}

# written TEXT SHOWN: the text that is shown for a trigger can be written again, and with a
# leading ! it removes the trigger
written()
{
	put "$1" $SIGNAL/trigger
	expect_file $SIGNAL/trigger "$2"
	put "$2" $SIGNAL/trigger
	expect_file $SIGNAL/trigger "$2"
	put_more "!$2" $SIGNAL/trigger
	expect_none $SIGNAL/trigger
}

shown()
{
	in_instance
	written 'hist:key=sig' 'hist:keys=sig:vals=hitcount:sort=hitcount:size=2048 [active]'
	written 'hist:keys=sig.hex,comm:val=errno,pid.hex:sort=pid,comm.descending:size=1000' \
		'hist:keys=sig.hex,comm:vals=hitcount,errno,pid.hex:sort=pid.hex,comm.descending:size=1024 [active]'
	written 'hist:size=100:values=hitcount:key=sig.log2:pause if  sig > 3 && comm == "a b"' \
		'hist:keys=sig.log2:vals=hitcount:sort=hitcount:size=128 if sig > 3 && comm == "a b" [paused]'
	written 'hist:name=foo:keys=sig:clock=mono:vals=hitcount.percent:NOHC' \
		'hist:name=foo:keys=sig:vals=hitcount,hitcount.percent:sort=hitcount:size=2048:clock=mono:nohitcount [active]'
	written 'hist:keys=$a:a=sig , b = errno * (pid - 3) : c=-sig if sig > 3' \
		'hist:keys=$a:vals=hitcount:a=sig,b=errno*(pid-3),c=-sig:sort=hitcount:size=2048 if sig > 3 [active]'
	written 'hist:timer_pid=common_pid:key=timer_pid' \
		'hist:keys=timer_pid:vals=hitcount:timer_pid=common_pid:sort=hitcount:size=2048 [active]'
	written 'hist:keys=sig:vals=$d,$t:d=sig-1,t=common_timestamp.usecs:sort=d,t' \
		'hist:keys=sig:vals=hitcount,$d,$t:d=sig-1,t=common_timestamp.usecs:sort=$d,$t:size=2048:clock=global [active]'
	written 'hist:keys=sig:v=pid.hex:onmax($v).save(comm)' \
		'hist:keys=sig:vals=hitcount:v=pid.hex:sort=hitcount:size=2048:onmax($v).save(comm) [active]'
	written 'hist:keys=sig:p=pid:onmax($p).save(comm,errno)' \
		'hist:keys=sig:vals=hitcount:p=pid:sort=hitcount:size=2048:onmax($p).save(comm,errno) [active]'
	expect_none ../../$SIGNAL/trigger
}

# refused TRIGGER ERRNO AT MESSAGE: the trigger is rejected with this error
refused()
{
	expect_write "$2" w $SIGNAL/trigger "$1\n"
	expect "$(tail -n 3 error_log | sed 's/^\[[^]]*\] //')" \
"hist:signal:signal_generate: error: $4
  Command: $1
           $(printf '%*s' $(($3 + 1)) '^')" "error_log"
}

mistakes()
{
	in_instance
	put 'hist:keys=sig:a=pid' $SIGNAL/trigger
	refused 'hist' EINVAL 0 'No keys'
	refused 'hist:vals=pid' EINVAL 5 'No keys'
	refused 'hist:keys=no_such' EINVAL 10 "Couldn't find field"
	refused 'hist:keys=sig,pid,errno,code' EINVAL 24 'Too many keys'
	refused 'hist:keys=sig.no_such' EINVAL 14 'Invalid field modifier'
	refused 'hist:keys=comm.hex' EINVAL 15 'Invalid field modifier'
	refused 'hist:keys=pid.execname' EINVAL 14 'Invalid field modifier'
	refused 'hist:keys=sig.buckets=0' EINVAL 14 'Bucket size expected'
	refused 'hist:keys=sig:vals=pid.log2' EINVAL 23 'Invalid field modifier'
	refused 'hist:keys=sig:vals=comm' EINVAL 19 'Values must be numbers'
	refused 'hist:keys=sig:vals=hitcount.sym' EINVAL 27 'Invalid field modifier'
	refused 'hist:keys=sig:nohitcount' EINVAL 10 'nohitcount needs another value'
	refused 'hist:keys=sig:sort=pid' EINVAL 19 'Invalid sort field'
	refused 'hist:keys=sig,pid:sort=sig,pid,sig' EINVAL 31 'Too many sort fields (max = 2)'
	refused 'hist:keys=sig:size=0' EINVAL 19 'Size must be between 128 and 131072'
	refused 'hist:keys=sig:size=131073' EINVAL 19 'Size must be between 128 and 131072'
	refused 'hist:keys=sig:no_such' EINVAL 14 'Unknown parameter'
	refused 'hist:keys=sig:keys=pid' EINVAL 14 'Given twice'
	refused 'hist:keys=sig:clock=no_such' EINVAL 20 "Couldn't set trace_clock"
	refused 'hist:keys=sig:=3' EINVAL 14 'Malformed assignment'
	refused 'hist:keys=pid:a=sig' EINVAL 14 'Variable already defined'
	refused 'hist:keys=pid:b=1,b=2' EINVAL 18 'Variable already defined'
	refused 'hist:keys=pid:b=$c:c=$b' EINVAL 21 'Variable refers to itself'
	refused 'hist:keys=pid:b=$no_such' EINVAL 16 "Couldn't find variable"
	refused 'hist:keys=$no_such' EINVAL 10 'Key must not be a variable of another event'
	refused 'hist:keys=pid:b=3/0' EINVAL 17 'Divide by zero'
	refused 'hist:keys=pid:b=3+' EINVAL 18 'Operand expected'
	refused 'hist:keys=pid:b=(3+1' EINVAL 16 'No closing parenthesis'
	refused 'hist:keys=pid:b=comm+1' EINVAL 20 'Operand must be a number'
	refused 'hist:keys=pid:b=3x' EINVAL 16 'Invalid number'
	refused 'hist:keys=pid:onmax(b).save(comm)' EINVAL 20 'Variable expected'
	refused 'hist:keys=pid:b=sig:onmax($b).save()' EINVAL 35 'No parameters'
	refused 'hist:keys=pid:b=sig:onmatch(signal.signal_generate).save(comm)' EINVAL 52 \
		'Invalid action for onmatch'
	refused 'hist:keys=pid:onmatch(no.such).trace(x)' EINVAL 22 "Couldn't find onmatch event"
	refused 'hist:keys=pid:onmatch(signal.signal_generate).no_such(pid)' EINVAL 46 \
		"Couldn't find synthetic event"
	refused 'hist:keys=sig:a=pid' EEXIST 0 'Hist trigger already exists'
	refused 'hist:keys=pid:cont' ENOENT 0 "Hist trigger doesn't exist"
	refused 'hist:keys=pid:clear' ENOENT 0 "Hist trigger doesn't exist"
	expect_file $SIGNAL/trigger \
		    'hist:keys=sig:vals=hitcount:a=pid:sort=hitcount:size=2048 [active]'
}

pauses()
{
	in_instance
	put 'hist:keys=filename:pause if filename ~ "*/fileop"' $EXEC/trigger
	run_program
	expect_totals $EXEC/hist 0 0 0
	put_more 'hist:keys=filename:continue if filename ~ "*/fileop"' $EXEC/trigger
	run_program
	run_program
	expect_totals $EXEC/hist 2 1 0
	put_more 'hist:keys=filename:pause if filename ~ "*/fileop"' $EXEC/trigger
	run_program
	expect_totals $EXEC/hist 2 1 0
	expect_true "it is paused" grep -q '\[paused\]$' $EXEC/trigger
	put_more 'hist:keys=filename:clear if filename ~ "*/fileop"' $EXEC/trigger
	expect_totals $EXEC/hist 0 0 0
	expect_true "it still is" grep -q '\[paused\]$' $EXEC/trigger
	put_more 'hist:keys=filename:cont:clear if filename ~ "*/fileop"' $EXEC/trigger
	run_program
	expect_totals $EXEC/hist 1 1 0
	expect_true "it is active" grep -q '\[active\]$' $EXEC/trigger
	expect "$(grep -c '^hist:' $EXEC/trigger)" 1 "triggers"
	# > removes only the hist triggers
	put_more 'traceoff:0' $EXEC/trigger
	: > $EXEC/trigger
	expect_file $EXEC/trigger 'traceoff:count=0'
	expect_file $EXEC/hist ''
}

# More than the kernel can allocate.
too_large()
{
	in_instance
	fields=$(yes filename | head -n 32 | paste -s -d ,)
	text="hist:keys=pid:p=pid:size=131072"
	for handler in onmax onchange onmax; do
		text="$text:$handler(\$p).save($fields)"
	done
	expect_write ENOMEM w $EXEC/trigger "$text\n"
	expect_none $EXEC/trigger
}

# Sums of numbers that may be negative have no percentages.
negative()
{
	in_instance
	need_module ftest_events
	NUMBERS=events/ftest/ftest_numbers
	put 'hist:keys=negative:vals=negative.percent:sort=negative' $NUMBERS/trigger
	for n in 2 -3; do
		put $n "$(param ftest_events fire)"
	done
	expect_entries $NUMBERS/hist '{ negative: 3 } hitcount: 1 negative (%): [ERROR]' \
		       '{ negative: -2 } hitcount: 1 negative (%): [ERROR]'
	put -1 "$(param ftest_events fire)"
	put -1 "$(param ftest_events fire)"
	expect "$(entries $NUMBERS/hist | grep -c 'ERROR')" 1 "sums larger than the total"
	rmmod ftest_events || fail "the module is not unloaded"
}

# A full map drops hits of other keys, and counts them.
overflow()
{
	in_instance
	put 'hist:keys=buf:size=128' $PRINT/trigger
	for i in $(seq 200); do
		echo "key $i"
	done > "$SCRATCH/keys"
	while read -r line; do
		echo "$line" > trace_marker
	done < "$SCRATCH/keys"
	head -n 128 "$SCRATCH/keys" | while read -r line; do
		echo "$line" > trace_marker
	done
	expect_totals $PRINT/hist 328 128 72
	expect "$(grep -c 'hitcount:          2$' $PRINT/hist)" 128 "keys that were hit twice"
}

named()
{
	begin_signals
	in_instance
	put 'hist:name=foo:keys=pid:vals=hitcount if pid < 0' $EXEC/trigger
	put "hist:name=foo:keys=pid if pid == $target" $SIGNAL/trigger
	signals USR1 2
	expect_entries $SIGNAL/hist "{ pid: $target } hitcount: 2"
	expect_entries $EXEC/hist "{ pid: $target } hitcount: 2"
	expect_write EINVAL w $SIGNAL/trigger 'hist:name=foo:keys=sig\n'
	expect_true "error_log has the reason" \
		    grep -q "Named hist trigger doesn't match existing named trigger" error_log
	put_more 'hist:name=bar:keys=sig:a=sig:size=128 if sig == 10' $SIGNAL/trigger
	put_more 'hist:name=bar:keys=sig:a=sig:size=131072 if sig == 12' $SIGNAL/trigger
	expect "$(sed -n 's/^hist:name=bar.*:\(size=[0-9]*\) .*/\1/p' $SIGNAL/trigger)" \
	       "$(printf 'size=128\nsize=128')" "size of the common map"
	put_more 'hist:name=foo:keys=pid:pause if pid < 0' $EXEC/trigger
	expect_true "both are paused" grep -q '\[paused\]$' $SIGNAL/trigger
	: > $EXEC/trigger
	expect_true "the counts are kept" \
		    sh -c "sed 's/  */ /g' $SIGNAL/hist | grep -qx '{ pid: $target } hitcount: 2'"
	: > $SIGNAL/trigger
	put 'hist:name=foo:keys=sig' $SIGNAL/trigger
	expect_totals $SIGNAL/hist 0 0 0
}

switches()
{
	begin_signals
	in_instance
	put "hist:keys=sig:pause if pid == $target" $SIGNAL/trigger
	put 'enable_hist:signal:signal_generate if filename ~ "*/fileop"' $EXEC/trigger
	expect_file $EXEC/trigger \
		    'enable_hist:signal:signal_generate:unlimited if filename ~ "*/fileop"'
	signals USR1 1
	expect_totals $SIGNAL/hist 0 0 0
	run_program
	expect_true "it is active" grep -q '\[active\]$' $SIGNAL/trigger
	signals USR1 1
	expect_totals $SIGNAL/hist 1 1 0
	put '!enable_hist:signal:signal_generate' $EXEC/trigger
	put 'disable_hist:signal:signal_generate:1' $EXEC/trigger
	run_program
	expect_file $EXEC/trigger 'disable_hist:signal:signal_generate:count=0'
	signals USR1 1
	expect_totals $SIGNAL/hist 1 1 0
	put '!disable_hist:signal:signal_generate' $EXEC/trigger
	expect_none $EXEC/trigger
}

# Variables: an event uses a value that another event has saved for the same key.
variables()
{
	begin_signals
	in_instance
	put 'hist:keys=common_pid:v=common_pid*2,c=7 if buf == "start"' $PRINT/trigger
	put "hist:keys=common_pid:vals=\$sum:sum=\$v+sig*(\$c-5)/2-1,q=sig/(sig-10) if pid == $target" \
	    $SIGNAL/trigger
	signals USR1 1
	expect_totals $SIGNAL/hist 0 0 0
	printf start > trace_marker
	signals USR1 1
	# A variable is read once
	signals USR1 1
	expect_entries $SIGNAL/hist "{ common_pid: $self } hitcount: 1 sum: $((2 * self + 9))"
	printf start > trace_marker
	signals USR2 1
	expect_entries $SIGNAL/hist "{ common_pid: $self } hitcount: 2 sum: $((4 * self + 20))"
	# A trigger in use cannot be removed
	expect_write EBUSY w $PRINT/trigger '!hist:keys=common_pid:v=common_pid*2,c=7 if buf == "start"\n'
	: > $PRINT/trigger
	expect "$(grep -c '^hist' $PRINT/trigger)" 1 "the trigger that is in use"
	: > $SIGNAL/trigger
	: > $PRINT/trigger
	expect_none $PRINT/trigger
}

# Only an operator unsets the variable that it reads.
read_once()
{
	begin_signals
	in_instance
	put 'hist:keys=common_pid:v=common_pid*2 if buf == "start"' $PRINT/trigger
	put "hist:keys=common_pid:vals=\$w:w=\$v if pid == $target" $SIGNAL/trigger
	printf start > trace_marker
	signals USR1 2
	expect_entries $SIGNAL/hist "{ common_pid: $self } hitcount: 2 w: $((4 * self))"
	: > $SIGNAL/trigger
	put "hist:keys=common_pid:vals=\$v-1 if pid == $target" $SIGNAL/trigger
	signals USR1 2
	expect_entries $SIGNAL/hist "{ common_pid: $self } hitcount: 1 \$v-1: $((2 * self - 1))"
}

max_and_change()
{
	begin_signals
	in_instance
	put "hist:keys=pid:s=sig:onmax(\$s).save(comm,sig) if pid == $target" $SIGNAL/trigger
	put_more "hist:keys=pid:t=sig:onchange(\$t).save(errno,sig) if pid == $target" $SIGNAL/trigger
	signals USR2 1
	signals WINCH 1
	signals USR1 2
	expect "$(grep -A 1 '^{' $SIGNAL/hist | sed 's/  */ /g')" \
"{ pid: $target } hitcount: 4
	changed: 10 errno: 0 sig: 10
--
{ pid: $target } hitcount: 4
	max: 28 comm: sleep sig: 28" "saved values"
}

snapshots()
{
	begin_signals
	in_instance
	[ -f snapshot ] || skip "no snapshots here"
	put "hist:keys=pid:s=sig:onmax(\$s).snapshot() if pid == $target" $SIGNAL/trigger
	put 1 $SIGNAL/enable
	signals USR2 1
	expect_true "a snapshot is taken" wait_for 10 grep -q 'sig=12 ' snapshot
	signals USR1 1
	signals WINCH 1
	expect_true "another snapshot is taken" wait_for 10 grep -q 'sig=28 ' snapshot
	expect "$(sed -n 's/  */ /g; /^{/,/^$/p' $SIGNAL/hist)" "{ pid: $target } hitcount: 3
	max: 28" "the element"
	expect "$(sed -n '/^Snapshot/,/^$/p' $SIGNAL/hist)" \
"Snapshot taken (see tracing/snapshot).  Details:
	triggering value { onmax(\$s) }:         28
	triggered by event with key: { pid: $(printf '%10u' "$target") }" "text about the snapshot"
	expect_write EBUSY w $SIGNAL/trigger 'hist:keys=sig:t=sig:onchange($t).snapshot()\n'
	put local trace_clock
	expect_write EBUSY w $SIGNAL/trigger \
		     'hist:keys=sig:t=common_timestamp:onmax($t).snapshot()\n'
	expect_true "the clock" grep -q '\[local\]' trace_clock
	: > $SIGNAL/trigger
	put "hist:keys=pid:t=sig:onchange(\$t).save(code):onchange(\$t).snapshot() if pid == $target" \
	    $SIGNAL/trigger
	signals USR1 1
	expect "$(sed -n 's/  */ /g; /^{/,/^$/p' $SIGNAL/hist)" "{ pid: $target } hitcount: 1
	changed: 10 code: 0" "the value of two actions is shown once"
}

# Time stamps use a clock that all CPUs share.
timestamps()
{
	in_instance
	put local trace_clock
	put 'hist:keys=common_pid:vals=hitcount:ts=common_timestamp.usecs if buf == "start"' \
	    $PRINT/trigger
	expect_true "the clock" grep -q '\[global\]' trace_clock
	expect_true "it is shown" grep -q ':clock=global ' $PRINT/trigger
	put_more 'hist:keys=common_pid:vals=$lat:lat=common_timestamp.usecs-$ts if buf == "end"' \
		 $PRINT/trigger
	printf start > trace_marker
	sleep 0.1
	printf end > trace_marker
	latency=$(sed -n 's/^{.*lat: *//p' $PRINT/hist)
	expect_true "$latency us are more than a tenth of a second" [ "$latency" -gt 90000 ]
	expect_true "and less than a hundred seconds" [ "$latency" -lt 100000000 ]
}

# The time of an event in a histogram is that of its entry in the trace.
event_times()
{
	begin_signals
	in_instance
	put "hist:keys=common_timestamp.usecs if pid == $target" $SIGNAL/trigger
	put_more "hist:keys=common_timestamp.usecs:vals=pid if pid == $target" $SIGNAL/trigger
	put "pid == $target" $SIGNAL/filter
	put 1 $SIGNAL/enable
	signals USR1 3
	put 0 $SIGNAL/enable
	events | sed -n 's/.* \([0-9]*\)\.\([0-9]*\): signal_generate:.*/\1\2/p' > "$SCRATCH/trace"
	expect "$(grep -c '' "$SCRATCH/trace")" 3 "entries"
	sed -n 's/^{ common_timestamp: *\([0-9]*\) }.*/\1/p' $SIGNAL/hist | sort -n > "$SCRATCH/times"
	# The trace rounds
	expect "$(sort -n "$SCRATCH/trace" | sed p | paste "$SCRATCH/times" - |
		  awk '$2 - $1 == 0 || $2 - $1 == 1' | grep -c '')" 6 "times that are equal"
}

# Two sort keys, and so many elements that they are not compared with each other.
many()
{
	in_instance
	need_module ftest_events
	NUMBERS=events/ftest/ftest_numbers
	put 'hist:keys=negative,half.buckets=64:sort=half.descending,negative:size=512' $NUMBERS/trigger
	for i in $(seq 300); do
		echo $((i * 8 % 301))
	done > "$SCRATCH/numbers"
	while read -r n; do
		echo "$n" > "$(param ftest_events fire)"
	done < "$SCRATCH/numbers"
	# The field half has 16 bits
	awk '{ print int((65280 + $1) % 65536 / 64) * 64, -$1 }' "$SCRATCH/numbers" |
		sort -k 1,1nr -k 2,2n > "$SCRATCH/want"
	sed -n 's/^{ negative: *\(-[0-9]*\), half: ~ \([0-9]*\)-.*/\2 \1/p' $NUMBERS/hist \
		> "$SCRATCH/got"
	expect_file "$SCRATCH/got" "$(cat "$SCRATCH/want")"
	expect_totals $NUMBERS/hist 300 300 0
	rmmod ftest_events || fail "the module is not unloaded"
}

# The form for programs: a line for each element, with tabs between its columns.
raw()
{
	begin_signals
	in_instance
	expect_file $SIGNAL/hist_raw ''
	put "hist:keys=common_pid.execname,sig.hex:vals=errno,pid:v=sig:sort=sig:onchange(\$v).save(comm,code) if pid == $target" \
	    $SIGNAL/trigger
	put_more "hist:keys=sig.log2,code:vals=errno:nohitcount:size=128:pause" $SIGNAL/trigger
	signals USR1 2
	signals WINCH 1
	comm=$(cat "/proc/$self/comm")
	expect_file $SIGNAL/hist_raw "$(printf '%s\n' \
"# trigger: $(sed -n 2p $SIGNAL/trigger)
# columns:Tsig.log2TcodeTerrno
# hits: 0 entries: 0 dropped: 0
# trigger: $(sed -n 1p $SIGNAL/trigger)
# columns:Tcommon_pid.execnameTcommTsig.hexThitcountTerrnoTpidT\$vTcommTcode
${self}T${comm}T0xaT2T0T$((2 * target))T10TsleepT0
${self}T${comm}T0x1cT1T0T${target}T28TsleepT0
# hits: 3 entries: 2 dropped: 0" | sed '/^# trigger/!s/T/\t/g')" "numbers and names"
	put 'hist:keys=buf' $PRINT/trigger
	printf 'a b\\\001' > trace_marker
	expect_true "blanks and other characters are octal numbers" \
		    grep -Fq "$(printf '%s\t1' 'a\040b\134\001')" $PRINT/hist_raw
	put 'hist:keys=common_stacktrace if filename ~ "*/fileop"' $EXEC/trigger
	run_program
	expect_true "stack traces are addresses" \
		    grep -Eq "^0x[0-9a-f]+(,0x[0-9a-f]+)+$(printf '\t')1\$" $EXEC/hist_raw
}

# The internals of triggers, without addresses.
debug()
{
	in_instance
	[ -f $SIGNAL/hist_debug ] || skip "no internals here"
	expect_file $SIGNAL/hist_debug ''
	put 'hist:keys=pid,sig.log2:vals=errno:v=code*2+pid:sort=pid:size=512:onmax($v).save(comm) if pid < 0' \
	    $SIGNAL/trigger
	put 'hist:keys=pid,old_pid:w=$v:pause' $EXEC/trigger
	expect "$(sed '/^hist_data:/,/^$/d' $SIGNAL/hist_debug)" "# event histogram
#
# trigger info: $(cat $SIGNAL/trigger)
#

n_vals: 3
n_keys: 2
n_fields: 5

val fields:

  hist_data->fields[0]:
    flags:
      VAL: HIST_FIELD_FL_HITCOUNT
    type: u64
    size: 8
    is_signed: 0

  hist_data->fields[1]:
    flags:
      VAL: normal u64 value
    ftrace_event_field name: errno
    type: int
    size: 8
    is_signed: 1
    steps: s32:12

  hist_data->fields[2]:
    flags:
      HIST_FIELD_FL_VAR
    var.name: v
    var.idx (into tracing_map_elt.vars[]): 0
    type: u64
    size: 8
    is_signed: 1
    steps: s32:16 const:2 mul s32:36 add

key fields:

  hist_data->fields[3]:
    flags:
      HIST_FIELD_FL_KEY
    ftrace_event_field name: pid
    type: pid_t
    size: 8
    is_signed: 1
    steps: s32:36

  hist_data->fields[4]:
    flags:
      HIST_FIELD_FL_KEY
    ftrace_event_field name: sig
    type: int
    size: 8
    is_signed: 1
    steps: s32:8 log2

action tracking variables (for onmax()/onchange()/onmatch()):

  hist_data->actions[0].track_data.var_ref:
    flags:
      HIST_FIELD_FL_VAR_REF
    name: v
    type: u64
    size: 8
    is_signed: 1
    steps: s32:16 const:2 mul s32:36 add

  hist_data->actions[0].track_data.track_var:
    flags:
      HIST_FIELD_FL_VAR
    var.name: __max
    type: u64
    size: 8
    is_signed: 0

save action variables (save() params):

  hist_data->save_vars[0]:

    save_vars[0].var:
    flags:
      HIST_FIELD_FL_VAR
    var.name: comm

    save_vars[0].val:
    name: comm
    ftrace_event_field name: comm
    type: char[TASK_COMM_LEN]
    size: 16
    is_signed: 0
    steps: text:20

map:
  elements: 0 of 512
  dropped: 0
  size of a key: 16
  size of an element: 72" "internals of variables and actions"
	expect "$(sed -n '/^variable reference/,/read once/p' $EXEC/hist_debug |
		  grep -v 'var.hist_data:')" "variable reference fields:

  hist_data->var_refs[0]:
    flags:
      HIST_FIELD_FL_VAR_REF
    name: v
    var.idx (into tracing_map_elt.vars[]): 0
    var_ref_idx (into hist_data->var_refs[]): 0
    type: u64
    size: 8
    is_signed: 1
    read once: 0" "the reference"
	: > $EXEC/trigger
}

# An instance can be removed with triggers that depend on each other.
instance_goes()
{
	for _ in $(rounds 3); do
		mkdir instances/ftest
		put 'hist:keys=pid:a=sig' instances/ftest/$SIGNAL/trigger
		put 'hist:keys=pid:b=$a' instances/ftest/$EXEC/trigger
		put 'hist:keys=common_pid,common_stacktrace' instances/ftest/events/sched/sched_switch/trigger
		expect_true "the instance is removed" rmdir instances/ftest
	done
}

# An event is removed with its module while other events use its variables.
module_goes()
{
	begin_signals
	in_instance
	need_module ftest_events
	for event in events/ftest*/*/; do
		[ ! -f "$event/hist" ] || break
	done
	[ -f "$event/hist" ] || skip "no event of the module has a histogram"
	field=$(sed -n '/ common_/d; s/^\tfield:[a-z ]* \([a-z_0-9]*\);.*/\1/p' "$event/format" |
		head -n 1)
	put "hist:keys=common_pid:gone=${field:-common_pid}" "$event/trigger"
	put 'hist:keys=common_pid:b=$gone' $SIGNAL/trigger
	rmmod ftest_events || fail "the module is not unloaded"
	signals USR1 2
	[ ! -f $SIGNAL/hist_debug ] || expect_true "its internals" grep -q 'type: ' $SIGNAL/hist_debug
	expect_totals $SIGNAL/hist 0 0 0
	: > $SIGNAL/trigger
	expect_none $SIGNAL/trigger
}

# Triggers and their maps are created and removed while all CPUs are busy.
under_load()
{
	in_instance
	SWITCH=events/sched/sched_switch
	put 'hist:keys=pid:ts=common_timestamp.usecs' events/sched/sched_waking/trigger
	load_start
	for _ in $(rounds 5); do
		put 'hist:keys=prev_pid,next_pid,common_stacktrace:size=128' $SWITCH/trigger
		echo "hist:keys=next_comm.x" 2> /dev/null >> $SWITCH/trigger
		put_more 'hist:keys=next_comm:vals=next_pid,prev_pid' $SWITCH/trigger
		put_more 'hist:keys=next_pid:vals=$l:l=common_timestamp.usecs-$ts' $SWITCH/trigger
		put_more 'hist:keys=next_comm:vals=next_pid,prev_pid:clear' $SWITCH/trigger
		sleep 0.1
		for file in hist hist_raw hist_debug; do
			[ ! -f $SWITCH/$file ] || cat $SWITCH/$file
		done > "$SCRATCH/hist"
	done
	load_stop
	: > $SWITCH/trigger
	: > events/sched/sched_waking/trigger
	expect_none $SWITCH/trigger
	expect_file $SWITCH/enable 0
}

testcase counts "hits are counted by a string, and shown in the documented form"
testcase sums "values are added up, and elements are sorted"
testcase modifiers "modifiers change how keys and values are grouped and shown"
testcase standins "CPUs, stacks and symbols can be keys"
testcase words "strings of a single word and bitmasks can be keys"
testcase stack_begins "stack traces begin in the code with the event"
testcase shown "triggers can be written and removed in the form in which they are shown"
slowcase mistakes "an invalid trigger changes nothing, and error_log shows the position"
testcase pauses "a trigger can be paused, continued, cleared and truncated"
testcase too_large "a histogram for which there cannot be memory is refused"
testcase negative "sums with negative values have no percentage"
testcase overflow "hits without space in the map are counted"
testcase named "triggers of the same name share their map"
testcase switches "enable_hist and disable_hist pause the triggers of another event"
testcase variables "an event uses a variable of another event"
testcase read_once "a variable is unset when an expression reads it"
testcase max_and_change "onmax and onchange save fields"
testcase snapshots "onmax and onchange take snapshots"
testcase timestamps "time stamps can be subtracted"
testcase event_times "the time stamp of an event is the one in the trace"
testcase many "many elements are sorted by two keys"
testcase raw "hist_raw has the elements in a form for programs"
testcase debug "hist_debug shows how triggers are compiled"
testcase instance_goes "an instance can be removed with triggers that depend on each other"
testcase module_goes "an event can be removed while other events use its variables"
slowcase under_load "triggers can be set and removed while their events happen"
finish
