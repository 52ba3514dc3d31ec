#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Probe events at function entries and returns, and at tracepoints: the commands f and t of
# dynamic_events.
# shellcheck source=functions.sh

. "$(dirname "$0")/functions.sh"
# shellcheck source=probes.sh
. "$(dirname "$0")/probes.sh"

[ -f dynamic_events ] || skip_all "no dynamic_events here"
grep -q '<tracepoint>' README || skip_all "no fprobe events here"

F=events/fprobes
T=events/tracepoints

PROBE_FILE=dynamic_events

reset_more()
{
	undefine_all fprobes tracepoints ftest
}

files()
{
	define 'f vfs_read' 'f:ftest/second vfs_read%return' 'f9:third vfs_open%return r=$retval' \
		't sched_switch' 't:ftest/fourth sched_wakeup task=$arg1'
	expect_file dynamic_events 'f:fprobes/vfs_read__entry vfs_read
f:ftest/second vfs_read%return
f9:fprobes/third vfs_open%return r=$retval
t:tracepoints/sched_switch sched_switch
t:ftest/fourth sched_wakeup task=$arg1'
	expect_formats 5 $F/*/format $T/*/format events/ftest/*/format
	expect_written_back dynamic_events
	expect_removed dynamic_events
}

functions()
{
	need_module ftest_target
	define 'f:e ftest_one x=$arg1:s32 c=$comm s=$stack0' \
		'f:r ftest_one%return x=$arg1:s32 v=$retval:s32' 'f:plain ftest_one%return'
	enabled fprobes put 3 "$(param ftest_target call)"
	expect "$(entries e | sed 's/ s=.*//')" 'x=0 c="sh"
x=1 c="sh"
x=2 c="sh"' "arguments at the entry"
	expect "$(entries r)" 'x=0 v=1
x=1 v=2
x=2 v=3' "arguments and the value at the return"
	expect "$(grep -Ec ' plain: \(ftest_caller\+0x.* <- ftest_one( .*)?\)$' trace)" 3 \
		"returns that wait for nothing"
	put 0 $F/enable
	: > trace
	put 3 "$(param ftest_target call)"
	expect "$(nr_events)" 0 "entries while it is disabled"
}

tracepoints()
{
	define 't:one sched_process_exit t=+0($arg1):x64 c=$comm' 't:two sched_process_exit t=+0($arg1):x64'
	put 1 $T/two/enable
	enabled tracepoints/one sh -c ':'
	put 0 $T/two/enable
	expect "$(entries one | wc -l)" "$(entries two | wc -l)" "hits of both"
	expect_true "a hit for each task that exits" [ "$(entries one | wc -l)" -ge 1 ]
	expect "$(grep -c ' one: (__probestub_sched_process_exit' trace)" \
		"$(entries one | wc -l)" "the place"
}

# The raw arguments are the arguments of the tracepoint.
raw_arguments()
{
	define 't:raw sched_process_fork parent=$arg1 child=$arg2'
	put 1 events/sched/sched_process_fork/enable
	enabled tracepoints/raw sh -c ': | :'
	put 0 events/sched/sched_process_fork/enable
	expect "$(grep -c ' raw: ' trace)" "$(grep -c ' sched_process_fork: ' trace)" "hits"
	expect "$(entries raw | grep -c '^parent=0xffff[0-9a-f]* child=0xffff[0-9a-f]*$')" \
		"$(entries raw | wc -l)" "addresses of tasks"
}

modules()
{
	define 'f:m ftest_target:ftest_one x=$arg1:s32'
	put 1 $F/m/enable
	expect_hits_in_module m
	put 0 $F/m/enable
}

module_symbols()
{
	expect_symbols_of_module f:ftest/m ftest_target:ftest_one
}

several()
{
	need_module ftest_target
	define 'f:two ftest_one x=$arg1:s32' 'f:two ftest_two x=$arg1:s32'
	put 1 $F/two/enable
	: > trace
	define 'f:two ftest_three x=$arg1:s32'
	put 1 "$(param ftest_target call)"
	expect "$(events | sed -n 's/.* two: (\([^+]*\)[^)]*)/\1/p')" 'ftest_one x=0
ftest_two x=1
ftest_three x=3' "hits of all"
	expect_write EBUSY w dynamic_events '-:two\n'
	put 0 $F/two/enable
}

beside_others()
{
	need_module ftest_target
	define 'f:e ftest_one x=$arg1:s32' 'p:ftest/k ftest_one x=$arg1:s32'
	put ftest_one set_ftrace_filter
	put function current_tracer
	put 1 events/ftest/k/enable
	enabled fprobes/e put 5 "$(param ftest_target call)"
	put 0 events/ftest/k/enable
	expect "$(grep -c ' e: ' trace) $(grep -c ' k: ' trace) $(grep -c 'ftest_one <-' trace)" \
		'5 5 5' "hits of the fprobe, the kprobe and the tracer"
	put nop current_tracer
}

# A return that an fprobe and a kprobe have hooked goes to the caller in the entries of both.
returns_together()
{
	need_module ftest_target
	define 'f:ftest/f ftest_one%return' 'r:ftest/k ftest_one'
	enabled ftest put 3 "$(param ftest_target call)"
	for returns_event in f k; do
		expect "$(grep -Ec " $returns_event: \(ftest_caller\+0x.* <- ftest_one( .*)?\)$" \
			trace)" 3 "entries of $returns_event with their caller"
	done
}

# Arguments and members in BTF have names and types.
by_name()
{
	[ -f /sys/kernel/btf/vmlinux ] || skip "no BTF here"
	define 'f:r vfs_read count pos n=file->f_path.dentry->d_name.name:string' \
		'f:all vfs_read $arg*' 'f:x vfs_read%return count $retval' \
		't:sw sched_switch prev=prev->comm next->pid' \
		'p:ftest/k vfs_read count m=file->f_mode:x32'
	expect_file dynamic_events \
'f:fprobes/r vfs_read count=count pos=pos n=file->f_path.dentry->d_name.name:string
f:fprobes/all vfs_read file=file buf=buf count=count pos=pos
f:fprobes/x vfs_read%return count=count arg2=$retval
t:tracepoints/sw sched_switch prev=prev->comm pid=next->pid
p:ftest/k vfs_read count=count m=file->f_mode:x32'
	expect "$(grep -c 'field:u64 count;' $F/r/format)" 1 "the type of a number"
	expect "$(sed -n 's/^print fmt: //p' $F/r/format)" \
'"(%lx) count=%llu pos=0x%llx n=\"%s\"", REC->__probe_ip, REC->count, REC->pos, __get_str(n)' \
		"the print format"
	expect_written_back dynamic_events
	enabled fprobes/r read_something
	expect_true "the name of the file" grep -q ' n="uptime"$' trace
	enabled fprobes/x read_something
	expect_true "values that were read" grep -Eq ' count=[0-9]+ arg2=[1-9][0-9]*$' trace
	enabled tracepoints/sw sleep 1
	expect_true "a switch to the idle task and back" \
		grep -Eq ' prev="(sleep|sh)" pid=0$' trace
	refused 'f vfs_read ^nothing' 'The function has no such argument' EINVAL
	refused 'f vfs_read file->^nothing' 'The structure has no such member' EINVAL
	refused 'f vfs_read count->^x' 'The value before -> is not a pointer' EINVAL
	refused 'f kfree%return $^retval' 'The function has no return value' EINVAL
	refused 'f kfree%return $^retval:x64' 'The function has no return value' EINVAL
	refused 'f vfs_read%return $retval:^string' 'The value is not a string' EINVAL
	define 'f:copy kstrdup%return t=$retval:string'
	enabled fprobes/copy mkdir instances/ftest
	rmdir instances/ftest
	expect_true "the returned string" grep -q ' t="ftest"$' trace
	# pte is a structure with one number
	put_more 'f:pte vm_normal_page $arg*' dynamic_events
	expect "$(grep -o 'f:fprobes/pte .*' dynamic_events)" \
		'f:fprobes/pte vm_normal_page vma=vma addr=addr pte=pte' "the arguments"
	expect "$(grep -c 'field:u64 pte;' $F/pte/format)" 1 "the type of a structure"
}

mistakes()
{
	refused 'f^' 'There is no place' EINVAL
	refused 'f^x:a vfs_read' 'Invalid maximum' EINVAL
	refused 'f^3 vfs_read' 'Only a return probe has a maximum' EINVAL
	refused 'f^5000 vfs_read%return' 'The maximum is too large' E2BIG
	refused 't^3 sched_switch' 'Only a return probe has a maximum' EINVAL
	refused 'f ^no_such_function' 'There is no such symbol' ENOENT
	refused 'f vfs_read^+4' 'Such a probe is on the entry of a function or its return' EINVAL
	refused 'f vfs_read^%ret' 'Only %return can follow a symbol' EINVAL
	refused 't ^no_such_tracepoint' 'There is no such tracepoint' ENOENT
	refused 'f ^trace_event_buffer_reserve' 'A probe is not possible here' EINVAL
	refused 'f vfs_read %^di' 'This kind of probe has no registers' EINVAL
	refused 'f vfs_read $^retval' 'Only return probes have $retval' EINVAL
	refused 't sched_switch $^retval' 'Only return probes have $retval' EINVAL
	refused '^f:sched/sched_switch vfs_read' 'An event of this name already exists' EEXIST
	expect_file dynamic_events ''
}

stacks()
{
	need_module ftest_target
	define 'f:at ftest_one' 'f:ret ftest_one%return'
	expect_stacks fprobes/at 'ftest_one ftest_caller' put 1 "$(param ftest_target call)"
	expect_stacks fprobes/ret ftest_caller put 1 "$(param ftest_target call)"
}

under_load()
{
	need_module ftest_target
	put 2 "$(param ftest_target threads)"
	for _ in $(rounds 5); do
		define 'f:a ftest_one x=$arg1 c=$comm' 'f:b ftest_one%return x=$arg1:s32 v=$retval:s32' \
			't:ftest/c sched_switch p=+0($arg2):x64'
		put 1 $F/enable
		put 1 events/ftest/c/enable
		wait_for 30 has_events 20 || fail "no hits"
		put 0 $F/a/enable
		put_more '-:a' dynamic_events
		put 0 $F/b/enable
		put 0 events/ftest/c/enable
		: > dynamic_events
		: > trace
	done
	expect_file dynamic_events ''
}

testcase files "events are defined, listed, written back and removed"
testcase functions "probes at function entries and returns are hit"
testcase tracepoints "several probes can be at one tracepoint"
testcase raw_arguments "a probe reads the arguments of a tracepoint"
testcase modules "a probe waits for its module"
testcase module_symbols "symbols in arguments are found when their module is loaded"
testcase several "an event can have several probes"
testcase beside_others "a function can be traced and probed in several ways"
testcase returns_together "an fprobe and a kprobe at one return have the same return address"
testcase by_name "arguments and members can be given by name"
testcase mistakes "an invalid definition changes nothing, and error_log shows the position"
testcase stacks "stack traces begin in the code with the probe"
testcase under_load "events can be defined and removed while they are hit"
finish
