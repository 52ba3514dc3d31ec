#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# BPF programs that trace: at functions, at tracepoints, and for perf events.
# shellcheck source=functions.sh

. "$(dirname "$0")/functions.sh"

BPFOP=$HERE/bpfop
SEEN=$SCRATCH/seen

[ -d events/sched ] || skip_all "no trace events here"
[ -f /proc/sys/kernel/perf_event_paranoid ] || skip_all "no perf here"
[ -x "$BPFOP" ] || skip_all "no bpfop, see README"
[ -f /proc/sys/kernel/unprivileged_bpf_disabled ] || skip_all "no BPF here"

# run ARGUMENT...: what bpfop prints is in $SEEN
run()
{
	status=0
	"$BPFOP" "$@" > "$SEEN" 2>&1 || status=$?
	[ $status -ne 4 ] || skip "no types of the kernel (CONFIG_DEBUG_INFO_BTF)"
	expect $status 0 "bpfop $*: $(cat "$SEEN")"
}

# seen NAME WANT: the value that bpfop has printed
seen()
{
	expect "$(sed -n "s/^$1 //p" "$SEEN")" "$2" "$1 of $(cat "$SEEN")"
}

# address NAME: of a function, as bpfop prints it
address()
{
	sed -n "s/^0*\([0-9a-f]*\) [tT] $1\$/\1/p" /proc/kallsyms
}

# vfs_read() has four arguments, of which the third is 3 * 77 + 9 in all.
entry()
{
	run entry
	seen calls 4
	seen counts 240
	seen again 240
	seen arguments 16
	seen address "$(address vfs_read)"
	seen cookies 1234567887654321
	expect_file enabled_functions ''
}

# Each return value is seen twice: 2 * (3 * 77 - 9).
exits()
{
	run exit
	seen calls 4
	seen counts 240
	seen returns 444
	seen address "$(address vfs_read)"
	seen cookies 0
	expect_file enabled_functions ''
}

# Programs and tracers have the same function.
beside_tracer()
{
	grep -qw function available_tracers || skip "no tracer function"
	put vfs_read set_ftrace_filter
	put function current_tracer
	run entry
	seen calls 4
	# besides the types of the kernel it reads these
	nr=$(events | grep -c 'bpfop-.*: vfs_read <-')
	expect_true "calls in the trace: $nr" [ "$nr" -ge 8 ]
	run exit
	seen returns 444
	if grep -qw function_graph available_tracers; then
		put function_graph current_tracer
		run exit
		seen returns 444
	fi
}

print()
{
	run print
	# with its NUL
	seen returns $((3 * 14 + 13))
	expect "$(events | grep -c 'bpf_trace_printk: bpfop reads 77$')" 3 "lines in the trace"
	expect "$(events | grep -c 'bpf_trace_printk: bpfop reads 9$')" 1 "lines in the trace"
	expect_file events/bpf_trace/bpf_trace_printk/enable 1
}

output()
{
	run output
	seen calls 4
	seen returns 0
	seen samples 4
	seen sum 240
}

signals()
{
	run signal
	seen returns 0
	seen sent 4
}

# In the scheduler, with interrupts disabled.
late_signals()
{
	run late
	seen sent 1
}

# low ADDRESS: its lower half, as a number
low()
{
	echo $((0x${1#????????}))
}

# The function is called by ksys_read(), which is less than a page.
stacks()
{
	run stack
	start=$(low "$(address ksys_read)")
	found=
	for from in $(sed -n 's/^from \(........[0-9a-f]*\)$/\1/p' "$SEEN"); do
		from=$(low "$from")
		[ "$from" -lt "$start" ] || [ "$from" -ge $((start + 4096)) ] || found=y
	done
	expect "$found" y "ksys_read in $(cat "$SEEN")"
}

raw()
{
	run raw
	seen counts 4
}

typed()
{
	run typed
	seen counts 4
}

# Each of the four reads calls both functions, whose cookies are 1 and 2.
multi()
{
	grep -q ' register_fprobe$' /proc/kallsyms || skip "no fprobe here"
	run multi 0 vfs_read ksys_read
	seen calls 8
	seen counts 12
	seen address "$(address vfs_read)"
	run multi 1 ksys_read vfs_read
	seen calls 8
	seen counts 12
	seen address "$(address ksys_read)"
	expect_file enabled_functions ''
}

multi_refused()
{
	have_syscalls
	grep -q ' register_fprobe$' /proc/kallsyms || skip "no fprobe here"
	run refused "$event"
	# 2 is ENOENT, 3 ESRCH
	for want in multi-name:2 multi-data:3 multi-flags:22 multi-none:22; do
		expect "$(grep "^${want%:*}:" "$SEEN")" "$want" "bpfop refused"
	done
}

module_tracepoints()
{
	need_module ftest_events
	fire=$(param ftest_events fire)
	run watch ftest_first "rmmod ftest_events; echo gone \$?; echo 5 > $fire"
	seen calls 1
	expect_true "the module stays: $(cat "$SEEN")" grep -q '^gone [^0]' "$SEEN"
	rmmod ftest_events || fail "the module does not go"
	expect "$("$BPFOP" watch ftest_first true)" attach:2 "a tracepoint that has gone"
}

have_syscalls()
{
	[ -d events/syscalls ] || skip "no events of system calls here"
	event=$(cat events/syscalls/sys_enter_read/id)
}

# A program that returns 0 leaves perf no event.
perf_events()
{
	have_syscalls
	run event "$event" 1
	seen calls 4
	seen counts 240
	seen cookies 1234567887654321
	seen programs 1
	expect_true "perf counts them: $(cat "$SEEN")" \
		    [ "$(sed -n 's/^events //p' "$SEEN")" -ge 4 ]
	all=$(sed -n 's/^events //p' "$SEEN")
	run event "$event" 0
	seen calls 4
	seen events $((all - 4))
}

# 13 is EACCES, 22 EINVAL, 7 E2BIG, 17 EEXIST, 2 ENOENT, 1 EPERM.
refused()
{
	have_syscalls
	run refused "$event"
	for want in argument:13 unaligned:13 raw:13 raw-unaligned:13 registers:13 \
		    registers-unaligned:13 first-word:13 negative:13 sample:13 buffer:13 \
		    write:13 override:22 d-path:22 address:22 return:22 no-function:22 \
		    no-tracepoint:2 few-arguments:22 other-type:22 long-entry:13 attached:0 \
		    attached-twice:17 same-program:17 permission:1; do
		expect "$(grep "^${want%:*}:" "$SEEN")" "$want" "bpfop refused"
	done
	expect_file enabled_functions ''
}

storm()
{
	load_start
	for _ in 1 2 3 4 5; do
		run watch sched_switch 'true; true'
		run raw
		seen counts 4
		run entry
		seen calls 4
		run exit
		seen calls 4
	done
	load_stop
}

testcase entry "a program at the entry of a function sees its arguments"
testcase exits "a program at the exit of a function sees its return value"
testcase beside_tracer "programs and tracers can have the same function"
testcase print "bpf_trace_printk() writes to the trace"
testcase output "bpf_perf_event_output() makes samples"
testcase signals "bpf_send_signal() sends a signal"
testcase late_signals "bpf_send_signal() sends a signal where interrupts are disabled"
testcase stacks "bpf_get_stack() reads the stack of the function"
testcase raw "a program at a tracepoint sees its arguments"
testcase typed "a program at a tracepoint sees its arguments with their types"
testcase multi "a program at several functions knows which it is"
testcase multi_refused "what is no function is refused"
testcase module_tracepoints "a program keeps the module of its tracepoint"
testcase perf_events "a program at a trace event says whether perf counts it"
testcase refused "what is wrong is refused, each with its errno"
testcase storm "programs can come and go under load"
finish
