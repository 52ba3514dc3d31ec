#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# BPF tracing programs: at functions, at tracepoints, and for perf events.
# shellcheck source=functions.sh

. "$(dirname "$0")/functions.sh"

BPFOP=$HERE/bpfop
SEEN=$SCRATCH/seen

[ -d events/sched ] || skip_all "no trace events here"
[ -f /proc/sys/kernel/perf_event_paranoid ] || skip_all "no perf here"
[ -x "$BPFOP" ] || skip_all "no bpfop, see README"
[ -f /proc/sys/kernel/unprivileged_bpf_disabled ] || skip_all "no BPF here"

# perf may still be about to release an event
reset_more()
{
	[ ! -f dynamic_events ] || wait_for 10 sh -c ': > dynamic_events' 2> /dev/null
}

# run ARGUMENT...: runs bpfop with its output in $SEEN
run()
{
	status=0
	"$BPFOP" "$@" > "$SEEN" 2>&1 || status=$?
	[ $status -ne 4 ] || skip "no types of the kernel (CONFIG_DEBUG_INFO_BTF)"
	[ $status -ne 5 ] || skip "no sockets (CONFIG_NET, CONFIG_UNIX)"
	[ $status -ne 6 ] || skip "no function can be overridden (CONFIG_BPF_KPROBE_OVERRIDE)"
	expect $status 0 "bpfop $*: $(cat "$SEEN")"
}

# seen NAME WANT: bpfop has printed the value WANT for NAME
seen()
{
	expect "$(sed -n "s/^$1 //p" "$SEEN")" "$2" "$1 of $(cat "$SEEN")"
}

# address NAME: address of a function, in the format of bpfop
address()
{
	sed -n "s/^0*\([0-9a-f]*\) [tT] $1\$/\1/p" /proc/kallsyms
}

# vfs_read() has four arguments; the third arguments of all calls add up to 3 * 77 + 9.
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

# A program and a tracer are attached to the same function.
beside_tracer()
{
	grep -qw function available_tracers || skip "no tracer function"
	put vfs_read set_ftrace_filter
	put function current_tracer
	run entry
	seen calls 4
	# bpfop also reads the BTF of the kernel, with more calls
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
	# The return values do not count the NUL
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

# low ADDRESS: the lower half of ADDRESS, as a number
low()
{
	echo $((0x${1#????????}))
}

# The caller is ksys_read(), which is smaller than a page.
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
	seen cookies 1234567887654321
}

typed()
{
	run typed
	seen counts 4
	seen cookies 1234567887654321
}

# Each of the four reads calls both functions, whose cookies are 1 and 2.
multi()
{
	grep -q ' register_fprobe$' /proc/kallsyms || skip "no fprobe here"
	run multi 0 vfs_read ksys_read
	seen calls 8
	seen counts 12
	seen address "$(address vfs_read)"
	seen functions 2
	seen flags 0
	for want in info-count:22 info-addresses:22 info-cookies:22 info-few:28; do
		expect "$(grep "^${want%:*}:" "$SEEN")" "$want" "bpfop multi"
	done
	for want in vfs_read.1 ksys_read.2; do
		expect_true "$want in $(cat "$SEEN")" \
			    grep -q "^at $(address ${want%.*}) ${want#*.}\$" "$SEEN"
	done
	run multi 1 ksys_read vfs_read
	seen flags 1
	seen calls 8
	seen counts 12
	seen address "$(address ksys_read)"
	expect_file enabled_functions ''
}

# The second mention of the name does not count.
multi_twice()
{
	grep -q ' register_fprobe$' /proc/kallsyms || skip "no fprobe here"
	run multi 0 vfs_read vfs_read
	seen calls 4
	run multi 1 vfs_read vfs_read vfs_read
	seen calls 4
}

# Each of the four reads calls both functions. A call of ksys_read() is around that of vfs_read().
session()
{
	grep -q ' register_fprobe$' /proc/kallsyms || skip "no fprobe here"
	run session 0 vfs_read ksys_read
	seen calls 16
	seen counts 24
	seen address "$(address ksys_read)"
	run session 2 vfs_read ksys_read
	seen calls 12
	seen counts 16
	seen address "$(address vfs_read)"
	run session 1 vfs_read
	seen calls 4
	expect_file enabled_functions ''
}

# The cookies of the functions are 1 and 2.
session_cookie()
{
	grep -q ' register_fprobe$' /proc/kallsyms || skip "no fprobe here"
	run session-cookie vfs_read ksys_read
	seen calls 16
	seen again 0
	seen counts 8
	seen returns $((4 * 41 + 4 * 42))
}

# expect_errors WANT...: bpfop has printed each WANT, which is NAME:ERRNO
expect_errors()
{
	for want; do
		expect "$(grep "^${want%:*}:" "$SEEN")" "$want" "$(cat "$SEEN")"
	done
}

session_refused()
{
	grep -q ' register_fprobe$' /proc/kallsyms || skip "no fprobe here"
	run session-refused vfs_read
	expect_errors session-result:22 session-flags:22 session-as-multi:22 session:0 \
		      session-at-event:22 multi-as-session:22 multi-at-event:22 kfunc:13 \
		      kfunc-session:0
	expect_file enabled_functions ''
}

# syscall_function NAME: prints the function of a system call
syscall_function()
{
	case $(uname -m) in
	x86_64) echo "__x64_sys_$1" ;;
	*) echo "__arm64_sys_$1" ;;
	esac
}

parent_function()
{
	syscall_function getppid
}

# overrides WAY NR: by a program that runs NR times
overrides()
{
	run override "$1" "$(parent_function)"
	seen during 4321
	seen after "$(sed -n 's/^before //p' "$SEEN")"
	seen returns 0
	seen calls "$2"
}

override()
{
	overrides event 1
}

# A session tries it at the return, too.
override_multi()
{
	grep -q ' register_fprobe$' /proc/kallsyms || skip "no fprobe here"
	overrides multi 1
	overrides session 2
}

# Kprobes at the entry and at the return of the function are hit nevertheless. A kprobe that
# overrides a function hides it from other kprobes, so it is not among the ways.
override_beside()
{
	[ -f kprobe_events ] || skip "no kprobe events here"
	grep -q ' register_fprobe$' /proc/kallsyms || skip "no fprobe here"
	put "p:ftest/entry $(parent_function)" kprobe_events
	put_more "r:ftest/exit $(parent_function) ret=\$retval:s32" kprobe_events
	put_more "f:ftest/fexit $(parent_function)%return ret=\$retval:s32" dynamic_events
	put 1 events/ftest/enable
	: > trace
	overrides multi 1
	overrides session 2
	put 0 events/ftest/enable
	expect "$(grep -c ': exit: .* ret=4321$' trace)" 2 "kretprobes that were hit"
	expect "$(grep -c ': fexit: .* ret=4321$' trace)" 2 "exit probes that were hit"
	expect "$(grep -c ': entry: ' trace)" 6 "kprobes that were hit"
	for name in entry exit fexit; do
		put_more "-:ftest/$name" dynamic_events
	done
}

# All probes of the event must be where functions can be overridden; a probe that is added later
# may be elsewhere, and its function runs.
override_event()
{
	[ -f kprobe_events ] || skip "no kprobe events here"
	put "p:ftest/parent $(parent_function)" kprobe_events
	run override-event "$(cat events/ftest/parent/id)" \
	    "echo 'p:ftest/parent vfs_read' >> $PWD/kprobe_events"
	seen during 4321
	expect_true "the program runs at both: $(cat "$SEEN")" \
		    [ "$(sed -n 's/^calls //p' "$SEEN")" -ge 5 ]
	expect "$(wc -l < kprobe_events)" 2 "probes"
	expect "$("$BPFOP" override-event "$(cat events/ftest/parent/id)" true)" attach:22 \
	       "an event with a probe elsewhere"
	put_more '-:ftest/parent vfs_read' kprobe_events
	run override-event "$(cat events/ftest/parent/id)" true
	seen during 4321
	# perf may still be about to release it
	wait_for 10 sh -c 'echo -:ftest/parent >> kprobe_events' 2> /dev/null ||
		fail "the event is still in use"
}

override_refused()
{
	run override-refused "$(parent_function)"
	expect_errors right:0 other:22 inside:22 return:22 uprobe:22 uprobes:22
	grep -q ' register_fprobe$' /proc/kallsyms || return 0
	run override-refused-multi "$(parent_function)"
	expect_errors multi:0 multi-other:22 multi-return:22
}

module_functions()
{
	grep -q ' register_fprobe$' /proc/kallsyms || skip "no fprobe here"
	need_module ftest_target
	call=$(param ftest_target call)
	run hold ftest_one "rmmod ftest_target; echo gone \$?; echo 5 > $call"
	expect_true "the program sees calls: $(cat "$SEEN")" \
		    [ "$(sed -n 's/^calls //p' "$SEEN")" -ge 5 ]
	expect_true "the module is pinned: $(cat "$SEEN")" grep -q '^gone [^0]' "$SEEN"
	rmmod ftest_target || fail "the module is not unloaded"
	expect "$("$BPFOP" hold ftest_one true)" attach:3 "an unloaded function"
}

# The init function of the module fails, after which the module is removed although it is in
# use.
coming_module()
{
	grep -q ' register_fprobe$' /proc/kallsyms || skip "no fprobe here"
	[ -f "$MODULES/ftest_target.ko" ] || skip "no module ftest_target"
	in_background insmod "$MODULES/ftest_target.ko" fails_after=3000
	wait_for 10 grep -q '^ftest_one ' available_filter_functions ||
		fail "the module is not loaded"
	expect "$("$BPFOP" hold ftest_one true)" attach:3 "a function of a module in init"
	wait "$background_pid"
	expect_false "the module is still loaded" module_loaded ftest_target
}

# Two functions have this name, and the first one cannot be traced.
same_name()
{
	grep -q ' register_fprobe$' /proc/kallsyms || skip "no fprobe here"
	need_module ftest_same
	run hold ftest_half "cat $(param ftest_same second)"
	expect_true "the program sees the call: $(cat "$SEEN")" \
		    [ "$(sed -n 's/^calls //p' "$SEEN")" -ge 1 ]
}

multi_refused()
{
	have_syscalls
	grep -q ' register_fprobe$' /proc/kallsyms || skip "no fprobe here"
	run refused "$event"
	# 3 is ESRCH
	for want in multi-name:3 multi-data:3 multi-flags:22 multi-none:22 multi-other:22; do
		expect "$(grep "^${want%:*}:" "$SEEN")" "$want" "bpfop refused"
	done
}

module_tracepoints()
{
	need_module ftest_events
	fire=$(param ftest_events fire)
	run watch ftest_first "rmmod ftest_events; echo gone \$?; echo 5 > $fire"
	seen calls 1
	expect_true "the module is pinned: $(cat "$SEEN")" grep -q '^gone [^0]' "$SEEN"
	rmmod ftest_events || fail "the module is not unloaded"
	expect "$("$BPFOP" watch ftest_first true)" attach:2 "an unloaded tracepoint"
}

have_syscalls()
{
	[ -d events/syscalls ] || skip "no events of system calls here"
	event=$(cat events/syscalls/sys_enter_read/id)
}

# If a program returns 0, perf does not get the event.
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

# 8 bytes of the string fit, including a NUL. 14 is EFAULT.
memory()
{
	run memory
	seen calls 4
	seen counts $((4 * 5))
	seen returns 0
	seen again $((4 * -(14 + 14 + 14 + 14)))
	seen arguments $((4 * 8))
	seen changed 77
	seen text 'ftest t'
}

# Reads of user memory by the helpers for kernel memory are rejected (34 is ERANGE), or fault.
other_memory()
{
	case $(uname -m) in
	x86_64) error=34 ;;
	*)
		zcat /proc/config.gz 2> /dev/null | grep -q '^CONFIG_ARM64_[A-Z0-9_]*PAN=y' ||
			skip "the kernel can access user memory directly"
		error=14
		;;
	esac
	run other_memory
	seen calls 4
	seen counts 0
	seen again $((4 * -(error + error)))
}

# 2 is ENOENT, 7 E2BIG, 22 EINVAL.
bounds()
{
	run bounds
	nr=0
	for want in 0 -2 -7 -22 -22 -22 0 -7 -22; do
		seen result$nr $want
		nr=$((nr + 1))
	done
}

sample()
{
	run sample
	seen calls 1
	seen counts 1
	seen again 1
	seen arguments 0
	seen returns -22
	seen cookies 1234567887654321
	# no branch records: ENOENT
	seen address fffffffffffffffe
}

# The path does not fit into 4 bytes; 36 is ENAMETOOLONG.
path()
{
	run path
	seen calls 1
	seen path /dev/null
	seen returns 10
	seen again -36
}

# An emulated CPU has none: ENOENT. An entry has 24 bytes. The other call has invalid flags.
branches()
{
	run branches
	seen calls 4
	returns=$(sed -n 's/^returns //p' "$SEEN")
	expect_true "$returns" [ "$returns" = -2 -o "$returns" = 24 ]
	seen again -22
}

# 74 is EBADMSG.
keys()
{
	grep -q ' bpf_lookup_user_key$' /proc/kallsyms || skip "no keys here"
	run keys "$(syscall_function dup)"
	seen calls 1
	seen counts 3
	seen again 0
	seen arguments 1
	seen returns -74
}

# Each NMI that interrupts the process can read its memory.
nmi()
{
	need_module ftest_target
	need_module ftest_nmi
	run nmi
	expect_true "NMIs: $(cat "$SEEN")" [ "$(sed -n 's/^calls //p' "$SEEN")" -ge 20 ]
	seen counts "$(sed -n 's/^calls //p' "$SEEN")"
	rmmod ftest_nmi ftest_target
}

# The stack is at least as deep as the system call. 524 is ENOTSUPP.
by_syscall()
{
	"$BPFOP" syscall > "$SEEN" 2>&1
	for want in cookie:22 load:0; do
		expect "$(grep "^${want%:*}:" "$SEEN")" "$want" "helpers of such a program"
	done
	# Without CONFIG_NET such a program cannot be run
	grep -q '^run:524' "$SEEN" ||
		expect_true "the stack: $(cat "$SEEN")" \
			    [ "$(sed -n 's/^returns //p' "$SEEN")" -ge 24 ]
}

iterate()
{
	run iterate
	seen returns 0
	seen file "bpfop counts 77bpfop"
}

# The sample has 28 bytes, with their number before them.
at_socket()
{
	run socket
	seen returns 0
	seen samples 1
	seen sum 77
	seen size 28
	seen behind x
}

# The program writes 15, ENOTBLK.
writable()
{
	run writable
	for want in unchanged:0 writes-more:22 writes-none:22 written:15; do
		expect "$(grep "^${want%:*}:" "$SEEN")" "$want" "bpfop writable"
	done
}

children()
{
	have_syscalls
	run child "$event"
	seen calls 4
}

# 1 is BPF_FD_TYPE_TRACEPOINT, 2 ENOENT, 95 EOPNOTSUPP.
query()
{
	have_syscalls
	run query "$event"
	seen before 2
	seen during 'sys_enter_read 1 1'
	seen after 2
	seen other 95
	seen kprobe 'vfs_read 2 1'
	# The call site may be a few instructions after the beginning
	at=0x$(sed -n 's/^address //p' "$SEEN")
	begin=0x$(sed -n 's/ [Tt] vfs_read$//p' /proc/kallsyms)
	expect_true "the address $at is at $begin" [ $((at - begin)) -ge 0 ]
	expect_true "the address $at is near $begin" [ $((at - begin)) -le 16 ]
}

nested()
{
	have_syscalls
	grep -q ' register_fprobe$' /proc/kallsyms || skip "no fprobe here"
	run nested "$event" "$(cat events/bpf_trace/bpf_trace_printk/id)"
	seen event-runs 0
	seen event-misses 4
	seen self-runs 4
	seen self-misses 4
	seen multi-runs 0
	seen multi-misses 4
}

starved()
{
	have_syscalls
	grep -q ' register_fprobe$' /proc/kallsyms || skip "no fprobe here"
	[ -f /proc/self/fail-nth ] || skip "no failing allocations here (CONFIG_FAILSLAB)"
	mount -t debugfs nodev /sys/kernel/debug 2> /dev/null
	echo 0 > /sys/kernel/debug/failslab/verbose
	echo N > /sys/kernel/debug/failslab/ignore-gfp-wait
	run starve "$event"
	for what in raw event beside multi; do
		expect_true "some $what were rejected: $(cat "$SEEN")" \
			    [ "$(sed -n "s/^$what //p" "$SEEN")" -gt 2 ]
	done
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

# in_user ARGUMENT...: runs ubpfop instead of bpfop; its programs are in its own functions
in_user()
{
	[ -f uprobe_events ] || skip "no uprobes here"
	BPFOP=$HERE/ubpfop
	run "$@"
}

# one() is called three times.
user_event()
{
	in_user perf 0
	seen calls 3
	seen cookies 1234567887654321
	seen cookie 1234567887654321
	seen address "$(sed -n 's/^one //p' "$SEEN")"
	seen counter 1
	seen counter-after 0
	seen type 1
	seen offset 0
	seen self 1
	in_user perf 1
	seen calls 3
	seen type 2
	seen address "$(sed -n 's/^one //p' "$SEEN")"
	in_user sleeping
	seen returns 0
	seen counts "$(sed -n 's/^word //p' "$SEEN")"
}

# The cookies are 1 and 2.
user_multi()
{
	for is_return in 0 1; do
		in_user multi $is_return
		seen calls 5
		seen counts 7
		seen address "$(sed -n 's/^two //p' "$SEEN")"
		seen counter 2
		seen counter-after 0
		seen places 2
		seen flags $is_return
		seen pid 0
		seen self 1
		seen place0 1
		seen place1 1
		for want in info-no-path:22 info-small-path:36 info-bad-path:14 info-no-room:22 \
			    info-few:28 info-bad-offsets:14; do
			expect "$(grep "^${want%:*}:" "$SEEN")" "$want" "ubpfop multi"
		done
	done
}

user_pid()
{
	in_user pid self
	seen calls 5
	seen pid 1
	in_user pid child
	seen calls 7
	seen pid 2
	seen counter 0
}

user_refused()
{
	in_user refused
	expect "$(grep : "$SEEN" | tr '\n' ' ')" \
"right:0 flags:22 multi-flags:22 none:22 many:7 no-path:22 bad-path:14 no-file:2 directory:9 \
no-offsets:22 bad-offsets:14 bad-counters:14 bad-cookies:14 negative-pid:22 no-pid:3 \
negative-offset:22 other-counter:22 other-type:22 " "errors"
	seen calls 0
	seen counter 0
}

user_storm()
{
	in_user storm 20
	seen ended 1
}

testcase entry "a program at the entry of a function sees its arguments"
testcase exits "a program at the exit of a function sees its return value"
testcase beside_tracer "programs and tracers can be attached to the same function"
testcase print "bpf_trace_printk() writes to the trace"
testcase output "bpf_perf_event_output() writes samples"
testcase signals "bpf_send_signal() sends a signal"
testcase late_signals "bpf_send_signal() sends a signal where interrupts are disabled"
testcase stacks "bpf_get_stack() reads the stack of the function"
testcase raw "a program at a tracepoint sees its arguments"
testcase typed "a program at a tracepoint sees its arguments with their types"
slowcase multi "a program at several functions knows its function"
testcase session "a program at the entry of a function decides whether it runs at its return"
testcase session_cookie "a program of a session has a word for each call"
testcase session_refused "invalid sessions are rejected, and their kfuncs outside of them"
testcase override "a program at a kprobe of perf overrides a function"
testcase override_multi "a program at many functions overrides them"
testcase override_beside "an overridden function reaches the other probes on it"
testcase override_event "a program at a kprobe event overrides only functions that allow it"
testcase override_refused "programs that override are rejected where they cannot"
testcase multi_twice "a program at a function that is named twice runs once"
testcase module_functions "a program pins the module of its function"
testcase coming_module "a program does not pin a module whose init may fail"
testcase same_name "a name means the function that can be traced"
testcase multi_refused "a name that is not a function is rejected"
testcase module_tracepoints "a program pins the module of its tracepoint"
testcase perf_events "a program at a trace event decides whether perf counts it"
testcase refused "invalid programs and attachments are rejected, each with its errno"
testcase memory "helpers read and write memory, and report faults"
testcase other_memory "helpers that read kernel memory reject user memory"
testcase bounds "helpers report missing perf events and samples that are too large"
testcase sample "a program of a perf event sees its sample"
testcase path "a program at a function with a path reads it"
testcase branches "helpers report that there are no branch records"
testcase keys "programs look up keys and verify signatures with them"
testcase nmi "a program in an NMI reads a string of the task"
testcase by_syscall "a program that is run by a system call reads the stack"
testcase iterate "a program writes to the file of an iterator"
testcase at_socket "a program at a socket writes samples with the data that is sent"
testcase writable "a program changes the argument of a tracepoint, and no other memory"
testcase children "a child that exits leaves the program at the trace event"
testcase query "user space can query the programs of a perf event"
testcase nested "a program does not run inside another program or itself"
testcase starved "programs are attached or rejected, and detached, when allocations fail"
testcase storm "programs can be attached and detached under load"
testcase user_event "a program runs at a uprobe of perf"
testcase user_multi "a program runs at many places of a user space program"
testcase user_pid "a program runs in one process only"
testcase user_refused "invalid attachments to user space programs are rejected"
testcase user_storm "programs in user space can be attached and detached under load"
finish
