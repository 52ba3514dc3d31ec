#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Probe events in programs: uprobe_events, uprobe_profile, and the perf events of the type
# uprobe.
# shellcheck source=functions.sh

. "$(dirname "$0")/functions.sh"

[ -f uprobe_events ] || skip_all "no uprobe events here"
[ -x "$HERE/uprobeop" ] || skip_all "no uprobeop, see README"

U=events/uprobes
OP=$HERE/uprobeop

# registers: the arguments, and the register with the address of the probe
case $(uname -m) in
x86_64) NUMBER=%di TEXT=%si PAIR=%dx IP=%ip ;;
*) NUMBER=%x0 TEXT=%x1 PAIR=%x2 IP=%pc ;;
esac

# place NAME: prints its offset in the program; address NAME: prints its address
place()
{
	"$OP" where | sed -n "s/^$1 \([^ ]*\) .*/\1/p"
}

address()
{
	"$OP" where | sed -n "s/^$1 [^ ]* //p"
}

# padded OFFSET: prints an offset in the format of uprobe_events
padded()
{
	printf '0x%016x' "$1"
}

AT=$(place probed)
WHERE=$OP:$(padded "$AT")
# in another program
BUSY=$(readlink -f /proc/$$/exe):$(padded 0x40)

reset_more()
{
	[ ! -d $U ] || echo 0 > $U/enable
	[ ! -d events/ftest ] || echo 0 > events/ftest/enable
	: > dynamic_events
	rm -f "$SCRATCH/copy"
}

# define LINE...: defines an event for each line
define()
{
	for define_line; do
		put_more "$define_line" uprobe_events
	done
}

# enabled EVENT COMMAND...: runs the command while the uprobe event is enabled; its output is in
# $SCRATCH/out
enabled()
{
	enabled_event=$1
	shift
	: > trace
	put 1 "$U/$enabled_event/enable"
	"$@" > "$SCRATCH/out" 2>&1 || fail "failed: $* $(cat "$SCRATCH/out")"
	put 0 "$U/$enabled_event/enable"
}

# printed NAME WANT: the command has printed WANT for NAME
printed()
{
	expect "$(sed -n "s/^$1[ :]//p" "$SCRATCH/out")" "$2" "$1 of $(cat "$SCRATCH/out")"
}

# entries EVENT: its entries, without the text before the arguments
entries()
{
	events | sed -n "s/.* $1: ([^)]*) *//p"
}

# begin_waiting PROGRAM: it waits for call_waiting in the background
begin_waiting()
{
	rm -f "$SCRATCH/pipe" "$SCRATCH/waiting"
	mkfifo "$SCRATCH/pipe"
	exec 7<> "$SCRATCH/pipe"
	# A background process has no standard input unless it opens one itself
	in_background sh -c "exec '$1' wait < '$SCRATCH/pipe' >> '$SCRATCH/waiting'"
}

# call_waiting WANT: the program calls probed() once, and the last line of its output is WANT
call_waiting()
{
	: > "$SCRATCH/waiting"
	echo >&7
	wait_for 10 grep -q patched "$SCRATCH/waiting" || fail "no answer"
	expect "$(tail -n 1 "$SCRATCH/waiting")" "$1" "breakpoint of the program"
}

# refused LINE MESSAGE ERRNO: the command is rejected, and error_log has the message and a caret
# at the position of the caret in LINE
refused()
{
	refused_line=${1%%^*}${1#*^}
	refused_before=${1%%^*}
	expect_write "$3" w uprobe_events "$(printf %s "$refused_line" | sed 's/\\/\\\\/g')\n"
	expect "$(tail -n 3 error_log | sed 's/^\[[ 0-9.]*\] //')" \
"uprobe_events: error: $2
  Command: $refused_line
           $(printf '%*s' $((${#refused_before} + 1)) '^')" "error_log of $refused_line"
}

files()
{
	expect "$(stat -c %a uprobe_events uprobe_profile | tr '\n' ' ')" '640 440 ' modes
	expect_file uprobe_events ''
	define "p:first $OP:$AT" "r:ftest/second $OP:$AT a=\$retval" "p $OP:$AT a=$NUMBER"
	expect_file uprobe_events "p:uprobes/first $WHERE
r:ftest/second $WHERE a=\$retval
p:uprobes/p_uprobeop_$AT $WHERE a=$NUMBER"
	expect "$(cat dynamic_events)" "$(cat uprobe_events)" dynamic_events
	[ ! -f kprobe_events ] || expect_file kprobe_events ''
	expect_true "a directory" [ -f $U/first/format ]
	expect_formats 3 $U/*/format events/ftest/*/format
	put_more '-:first' uprobe_events
	expect_false "the directory of a removed event" [ -e $U/first ]
	put_more '-:ftest/' dynamic_events
	put_more "p:third $OP:$AT%return" dynamic_events
	expect_file uprobe_events "p:uprobes/p_uprobeop_$AT $WHERE a=$NUMBER
r:uprobes/third $WHERE"
	put_more "-:p_uprobeop_$AT" uprobe_events
	expect_file uprobe_events "r:uprobes/third $WHERE"
	put '# nothing' uprobe_events
	expect_file uprobe_events ''
	expect_false "the directory of a removed group" [ -e $U ]
}

# A path that depends on the directory of the writer is shown as an absolute path.
paths()
{
	cp "$OP" "$SCRATCH/copy"
	ln -sf copy "$SCRATCH/link"
	cd "$SCRATCH" || fail "no directory"
	printf 'p:rel ./copy:%s\n' "$AT" >> "$TRACEFS/uprobe_events"
	cd "$TRACEFS" || fail "no tracefs"
	define "p:sym $SCRATCH/link:$AT"
	expect_file uprobe_events "p:uprobes/rel $SCRATCH/copy:$(padded "$AT")
p:uprobes/sym $SCRATCH/link:$(padded "$AT")"
	enabled sym "$SCRATCH/copy" run 2
	expect "$(nr_events)" 2 "hits where a link leads to"
}

# Each line that is shown defines the same event again.
written_back()
{
	define "p:g1/all $OP:$AT a=$NUMBER:s32 c=\$comm d=\\-1 e=@0x400000 f=\$stack3 g=@+0x10:x8[4]" \
		"p:g1/memory $OP:$AT b=+8(+u4($PAIR)):x8[4] s=+0($TEXT):string" \
		"r:g1/ret $OP:$AT a=\$retval:s64" "p:g2/two $OP:$AT" "p:g2/two $OP:$(place text)" \
		"p:ref $OP:0x10(0x20)"
	cp uprobe_events "$SCRATCH/shown"
	expect "$(tail -n 1 uprobe_events)" "p:uprobes/ref $OP:$(padded 0x10)(0x20)" "a reference counter"
	: > uprobe_events
	expect_file uprobe_events ''
	while IFS= read -r line; do
		put_more "$line" uprobe_events
	done < "$SCRATCH/shown"
	expect_file uprobe_events "$(cat "$SCRATCH/shown")"
}

numbers()
{
	define "p:n $OP:$AT a=$NUMBER b=$NUMBER:u8 c=$NUMBER:s64 d=\\65:char \\7 e=$NUMBER:b4@0/8"
	enabled n "$OP" run 2
	expect "$(entries n)" "a=0x1 b=1 c=1 d='A' arg5=0x7 e=1
a=0x2 b=2 c=2 d='A' arg5=0x7 e=2" "numbers of each kind"
	expect "$(events | sed -n 's/.* n: (\([^)]*\)).*/\1/p' | sort -u)" "$(address probed)" \
	       "the address of the probe"
	# irqs-off, need-resched, hardirq and softirq, preempt-depth, migrate-disable
	expect "$(events | grep -c '\] [.][^ ][.][.][.] ')" 2 "contexts of tasks: $(events)"
}

memory()
{
	pair=$(address pair) variable=$(address variable)
	define "p:m $OP:$AT c=\$comm t=+0($TEXT):string u=+0($TEXT):ustring v=+u1($TEXT):string" \
	       "p:p $OP:$AT a=+0($PAIR):x32 b=+4($PAIR):b4@4/16 c=+0(+8($PAIR)):string d=+0($PAIR):x8[4]" \
	       "p:a $OP:$AT a=@$pair:x32 v=@$variable:string o=@+$(place variable):string" \
	       "p:s $OP:$AT ip=$IP s=\$stack t=\$stack0 u=\\\"now\""
	enabled m "$OP" run 1 word
	expect "$(entries m)" 'c="uprobeop" t="word" u="word" v="ord"' strings
	enabled p "$OP" run 1
	expect "$(entries p)" 'a=0x11223344 b=5 c="inner" d={0x44,0x33,0x22,0x11}' structures
	enabled a "$OP" run 1
	expect "$(entries a)" 'a=0x11223344 v="variable" o="variable"' "addresses and offsets"
	enabled s "$OP" run 1
	expect "$(entries s | grep -c "^ip=$(address probed) s=0x[0-9a-f]* t=0x[0-9a-f]* u=\"now\"$")" \
		1 "stack: $(entries s)"
}

# Memory that is not present yet is faulted in.
absent()
{
	define "p:a $OP:$AT n=$NUMBER:u8 t=+0($TEXT):string w=+0($TEXT):x8[2] l=+0(+0($TEXT)):u8"
	enabled a "$OP" absent
	expect "$(entries a)" 'n=1 t="variable" w={0x76,0x61} l=0
n=2 t=(fault) w={0x0,0x0} l=0' "memory that is faulted in, and a fault"
}

returns()
{
	define "r:r $OP:$AT v=\$retval:s32" "p:q $OP:$AT%return v=\$retval"
	enabled r "$OP" run 2
	expect "$(entries r)" 'v=2
v=4' "return values"
	expect "$(grep -c "r: (0x[0-9a-f]* <- $(address probed))" trace)" 2 "both addresses"
	enabled q "$OP" run 1
	expect "$(entries q)" 'v=0x2' "by %return"
}

# Several places can share one event.
several()
{
	define "p:two $OP:$AT x=$NUMBER:s32" "p:two $BUSY x=$NUMBER:s32"
	enabled two "$OP" run 2
	expect "$(entries two)" 'x=1
x=2' "hits of one"
	refused "^p:two $OP:$AT x=$NUMBER:s32" 'The event has this probe already' EEXIST
	refused "^p:two $OP:0x10 x=$NUMBER:u32" \
		'The event has arguments of other names or types' EEXIST
	refused "^r:two $OP:0x10 x=$NUMBER:s32" 'The event has probes of another kind' EEXIST
	put_more "-:two $BUSY" uprobe_events
	expect_file uprobe_events "p:uprobes/two $WHERE x=$NUMBER:s32"
	put 1 $U/two/enable
	define "p:two $OP:$(place text) x=$NUMBER:s32"
	expect_write EBUSY w uprobe_events "-:two $WHERE\n"
	expect_write EBUSY w uprobe_events '-:two\n'
	expect_false "O_TRUNC" sh -c ': > uprobe_events'
	put 0 $U/two/enable
	: > uprobe_events
	expect_file dynamic_events ''
}

# The file of a removed probe is not in use, also if its event remains.
unmounted()
{
	mkdir "$SCRATCH/fs"
	mount -t tmpfs none "$SCRATCH/fs" || skip "no tmpfs here"
	at_end 'umount -l "$SCRATCH/fs" 2> /dev/null'
	cp "$OP" "$SCRATCH/fs/op"
	define "p:two $SCRATCH/fs/op:$AT" "p:two $OP:$AT" "p:two $SCRATCH/fs/op:0x40"
	put_more "-:two $SCRATCH/fs/op:$(padded "$AT")" uprobe_events
	put_more "-:two $SCRATCH/fs/op:$(padded 0x40)" uprobe_events
	expect_true "the file system was unmounted" umount "$SCRATCH/fs"
	expect_file uprobe_events "p:uprobes/two $WHERE"
}

# While the look-up of a path waits, here for an automount that nobody does, others are not kept
# waiting: modules are loaded, and events are defined.
waiting_paths()
{
	grep -q autofs /proc/filesystems || skip "no autofs here"
	mkdir "$SCRATCH/auto"
	mkfifo "$SCRATCH/auto_pipe"
	exec 7<> "$SCRATCH/auto_pipe"
	mount -t autofs -o fd=7,pgrp=2,minproto=5,maxproto=5,indirect ftest "$SCRATCH/auto" ||
		skip "cannot mount autofs"
	at_end 'exec 7>&-; umount "$SCRATCH/auto"'
	in_background "$FILEOP" write wa uprobe_events "p:waits $SCRATCH/auto/a/b:0x10\n" \
		> /dev/null
	# The kernel asks for the automount
	timeout 10 dd bs=1 count=1 <&7 > /dev/null 2>&1 || fail "no look-up"
	in_background insmod "$MODULES/ftest_target.ko"
	expect_true "a module was loaded" wait_for 10 module_loaded ftest_target
	define "p:first $OP:$AT"
	expect_file uprobe_events "p:uprobes/first $WHERE"
}

mistakes()
{
	refused 'p^' 'There is no place' EINVAL
	refused "^x:a $OP:1" 'Unknown command' EINVAL
	refused "p:^ $OP:1" 'There is no name of an event' EINVAL
	refused "p:^9a $OP:1" 'Invalid name of an event' EINVAL
	refused "p:^a-b/c $OP:1" 'Invalid name of a group' EINVAL
	refused "p^3 $OP:1" 'A probe in a program has no maximum' EINVAL
	refused "r^3 $OP:1" 'A probe in a program has no maximum' EINVAL
	refused "p $OP^" 'There is no offset' EINVAL
	refused "p $OP:^" 'Invalid offset' EINVAL
	refused "p $OP:^x" 'Invalid offset' EINVAL
	refused "p $OP:^0xffffffffffffffff" 'Invalid offset' EINVAL
	refused "p $OP:1^%ret" 'Only %return can follow an offset' EINVAL
	refused "p $OP:1%return^x" 'Only %return can follow an offset' EINVAL
	refused "p $OP:1^(2" 'A reference counter is (OFFSET)' EINVAL
	refused "p $OP:1^(x)" 'A reference counter is (OFFSET)' EINVAL
	refused "p $OP:1(2)^3" 'Only %return can follow an offset' EINVAL
	refused 'p ^/no/such:1' 'There is no such file' ENOENT
	refused 'p ^/no/such:2:1' 'There is no such file' ENOENT
	refused 'p ^/proc:1' 'It is not a regular file' EINVAL
	refused 'p ^:1' 'There is no path' EINVAL
	refused "p $OP:1 ^foo" 'Unknown kind of argument' EINVAL
	refused "p $OP:1 \$^retval" 'Only return probes have $retval' EINVAL
	refused "p $OP:1 \$^arg1" 'Only functions of the kernel have $argN' EINVAL
	refused "p $OP:1 @^jiffies" 'Only probes in the kernel can use symbols' EINVAL
	refused "p $OP:1 @^+x" 'Invalid offset in the file' EINVAL
	refused "p $OP:1 %^no" 'Unknown register' EINVAL
	refused "p $OP:1 +0($NUMBER):^%pd" 'Only structures of the kernel have this type' EINVAL
	refused "^p:sched/sched_switch $OP:1" 'An event of this name already exists' EEXIST
	expect_file uprobe_events ''
	define "p:one $OP:$AT(0x20)"
	refused "p:two ^$OP:$AT(0x22)" 'A probe there has another reference counter' EINVAL
	expect_file uprobe_events "p:uprobes/one $WHERE(0x20)"
}

# Errors that are only found when an event is enabled: it remains disabled.
not_enabled()
{
	define "p:far $OP:0x10000000000" "p:trap $OP:$(place trap)" "p:odd $OP:$AT(0x21)"
	expect_write EINVAL w $U/far/enable 1
	expect_write EINVAL w $U/odd/enable 1
	expect_file $U/far/enable 0
	begin_waiting "$OP"
	call_waiting 'patched 0'
	expect_write EOPNOTSUPP w $U/trap/enable 1
	expect_file $U/trap/enable 0
	: > uprobe_events
	expect_file uprobe_events ''
}

# A program that is already running; its file is unlinked.
running()
{
	cp "$OP" "$SCRATCH/copy"
	define "p:run $SCRATCH/copy:$AT t=+0($TEXT):string"
	begin_waiting "$SCRATCH/copy"
	call_waiting 'patched 0'
	rm "$SCRATCH/copy"
	put 1 $U/run/enable
	call_waiting 'patched 1'
	expect "$(entries run)" 't="waited"' "the hit"
	put 0 $U/run/enable
	: > trace
	call_waiting 'patched 0'
	expect "$(nr_events)" 0 "entries afterwards"
}

fork_and_exec()
{
	define "p:f $OP:$AT t=+0($TEXT):string" "r:g $OP:$AT v=\$retval:u8"
	enabled f "$OP" fork
	printed patched 1
	expect "$(entries f)" 't="child"
t="parent"' "parent and child"
	enabled f "$OP" exec
	expect "$(entries f)" 't="before"
t="after"' "before and after exec()"
	enabled g "$OP" fork
	expect "$(entries g)" 'v=2
v=2' "returns of parent and child"
	"$OP" run 1 > "$SCRATCH/out"
	printed patched 0
}

counters()
{
	define "p:c $OP:$AT($(place counter))"
	"$OP" run 1 > "$SCRATCH/out"
	printed counter 0
	enabled c "$OP" run 1
	printed counter 1
	expect "$(nr_events)" 1 "hits"
}

filters_and_triggers()
{
	define "p:f $OP:$AT x=$NUMBER:s32 c=\$comm"
	put 'x >= 5 && c == "uprobeop"' $U/f/filter
	enabled f "$OP" run 7
	expect "$(entries f)" 'x=5 c="uprobeop"
x=6 c="uprobeop"
x=7 c="uprobeop"' "entries that the filter accepts"
	put 0 $U/f/filter
	put 'traceoff if x == 2' $U/f/trigger
	enabled f "$OP" run 7
	expect "$(nr_events)" 2 "entries up to the trigger"
	put '!traceoff' $U/f/trigger
	put 1 tracing_on
	echo $$ > set_event_pid
	enabled f "$OP" run 1
	expect "$(nr_events)" 0 "entries of other tasks"
	echo > set_event_pid
	put "enable_event:uprobes:f" events/sched/sched_process_exec/trigger
	: > trace
	"$OP" run 2 > /dev/null
	expect "$(nr_events)" 2 "entries after another event has enabled it"
	put "!enable_event:uprobes:f" events/sched/sched_process_exec/trigger
}

in_instances()
{
	define "p:i $OP:$AT x=$NUMBER:s32" "r:i_ret $OP:$AT"
	mkdir instances/ftest || fail "cannot make an instance"
	put 1 instances/ftest/$U/i/enable
	expect_write EBUSY w uprobe_events '-:i\n'
	enabled i "$OP" run 2
	expect "$(nr_events)" 2 "entries of the top instance"
	"$OP" run 1 > /dev/null
	expect "$(nr_events instances/ftest/trace)" 3 "entries of the instance"
	rmdir instances/ftest
	"$OP" run 1 > "$SCRATCH/out"
	printed patched 0
	: > uprobe_events
	expect_file uprobe_events ''
}

profile()
{
	define "p:f $OP:$AT"
	enabled f "$OP" run 5
	expect "$(awk '{ print $1, $2, $3 }' uprobe_profile)" "$OP f 5" uprobe_profile
}

# perf_count SCOPE RETURN REF: runs uprobeop perf; its output is in $SCRATCH/out
perf_count()
{
	[ -d /sys/bus/event_source/devices/uprobe ] || skip "no perf here"
	"$OP" perf "$@" > "$SCRATCH/out" 2>&1 || fail "perf $*: $(cat "$SCRATCH/out")"
}

perf_files()
{
	[ -d /sys/bus/event_source/devices/uprobe ] || skip "no perf here"
	expect_file /sys/bus/event_source/devices/uprobe/format/retprobe config:0
	expect_file /sys/bus/event_source/devices/uprobe/format/ref_ctr_offset config:32-63
}

perf_tasks()
{
	perf_count self 0 0
	printed count 3
	printed patched 1
	printed after-counter 0
	printed after-patched 0
	perf_count self 1 0
	printed count 3
	perf_count child 0 0
	printed count 3
	printed patched 0
	perf_count other 0 0
	printed count 0
	printed patched 0
	perf_count all 0 0
	printed count 3
	printed patched 1
	perf_count inherit 0 0
	printed count 5
	perf_count self 0 "$(place counter)"
	printed counter 1
	expect_file uprobe_events ''
}

# A perf event for a tracefs event counts only the tasks that perf selects.
perf_tracefs()
{
	[ -x "$HERE/perfevent" ] || skip "no perfevent"
	define "p:f $OP:$AT x=$NUMBER:s32"
	expect "$("$HERE/perfevent" "$(cat $U/f/id)" "$OP" run 3 | tail -n 1)" '3 3 3' samples
	expect "$("$HERE/perfevent" -f 'x > 1' "$(cat $U/f/id)" "$OP" run 3 | tail -n 1)" \
	       '2 2 2' "with a filter"
	expect "$("$HERE/perfevent" -u 1000 "$(cat $U/f/id)" "$OP" run 3 | tail -n 1)" '3 3 3' \
	       "of another user"
}

perf_wrong()
{
	[ -d /sys/bus/event_source/devices/uprobe ] || skip "no perf here"
	"$OP" perf-refused > "$SCRATCH/out"
	expect "$(cat "$SCRATCH/out")" "right:0
no-path:22
empty-path:22
bad-path:14
long-path:7
no-file:2
directory:22
behind:22
negative:22
odd-counter:22
breakpoint:95
user:13" errors
}

# Events are defined, removed, enabled and hit, while programs start, fork, exec and exit.
under_load()
{
	in_background "$OP" storm 2 1000000
	for _ in $(rounds 10); do
		define "p:a $OP:$AT x=$NUMBER t=+0($TEXT):string" "r:b $OP:$AT v=\$retval"
		put 1 $U/a/enable
		put 1 $U/b/enable
		wait_for 30 has_events 20 || fail "no hits"
		put 0 $U/a/enable
		put_more '-:a' uprobe_events
		put 0 $U/b/enable
		: > uprobe_events
		: > trace
	done
	end_background "$background_pid"
	expect_file uprobe_events ''
}

testcase files "events are defined, listed and removed in uprobe_events and dynamic_events"
testcase paths "a path that depends on the writer is shown as an absolute path"
testcase written_back "each line that is shown can be written"
testcase numbers "numbers are shown according to their types"
testcase memory "memory of the program is read by address and by offset in its file"
testcase absent "absent memory is faulted in, and a fault is shown as such"
testcase returns "a return probe has the value and the return address"
testcase several "an event can have several probes, and an event in use is not removed"
testcase unmounted "a file system with the files of removed probes can be unmounted"
testcase waiting_paths "a look-up of a path that waits keeps nobody else waiting"
testcase mistakes "an invalid definition changes nothing, and error_log shows the position"
testcase not_enabled "an event that cannot be enabled remains disabled"
testcase running "a running program whose file is unlinked can be probed"
testcase fork_and_exec "programs can fork and exec others"
testcase counters "reference counters are set in probed programs"
testcase filters_and_triggers "filters, triggers and pids apply"
testcase in_instances "events work in instances"
testcase profile "uprobe_profile counts hits"
testcase perf_files "the PMU uprobe has its format files"
testcase perf_tasks "perf events of the type uprobe count only their tasks"
testcase perf_tracefs "tracefs events can be used as perf events"
testcase perf_wrong "perf events with invalid attributes are rejected"
testcase under_load "events are defined and removed while programs start and exit"
finish
