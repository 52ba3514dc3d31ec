#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Instances that the kernel's command line creates. It must have
#
#   trace_instance=one^printk^trace_printk
#   trace_instance=off^traceoff^no_such_flag,no_such_system:no_such_event
#   trace_instance=print^traceprintk
#   trace_instance=one trace_instance=a/b trace_instance=
#   ftrace_boot_snapshot=one,ev alloc_snapshot=off,no_such_instance
#   trace_event=sched:sched_process_fork,no_such:event,irq:*_e*,ftest:*:mod:ftest_events
#   trace_event=syscalls:sys_enter_exit_group tracing_thresh=123456
#   kprobe_event=p:boot,vfs_open,what=+8($arg1):%pd;p,no_such_function
#   kprobe_event=r:grp/ret,vfs_read
#   trace_trigger="sched_process_exec.stacktrace:3,sched_process_exec.traceoff if pid < 0,
#                  no_such.stacktrace" (without the space before no_such)
#   trace_instance=ev,sched_process_exit,irq trace_instance=glob,sched:*
#
# and the test must run before any other test of the boot.
# shellcheck source=functions.sh

. "$(dirname "$0")/functions.sh"

grep -q 'trace_instance=one^printk' /proc/cmdline || skip_all "another command line"
[ -d instances ] || skip_all "no instances here"

# The first case begins with a reset of the top instance, so the state is saved before.
cat options/trace_printk_dest > "$SCRATCH/top_dest"
for file in tracing_thresh kprobe_events set_event events/sched/sched_process_exec/trigger trace; do
	[ ! -f $file ] || cat $file > "$SCRATCH/${file##*/}"
done
dmesg | grep 'tracing: ' > "$SCRATCH/log"

names()
{
	for name in one off print; do
		expect_true "there is $name" [ -d "$TRACEFS/instances/$name" ]
	done
	expect "$(ls -d "$TRACEFS"/instances/a* 2> /dev/null)" '' "one with a bad name"
}

# All files of an instance, including the files of tracers that were registered later.
works()
{
	cd instances/one || fail "no instance"
	for file in current_tracer set_ftrace_filter options/func_stack_trace per_cpu/cpu0/trace; do
		expect_true "there is $file" [ -e $file ]
	done
	expect_file current_tracer nop
	put vfs_open set_ftrace_filter
	put function current_tracer
	read_something
	expect_true "calls are recorded" grep -q ': vfs_open <-' trace
	put nop current_tracer
	echo > set_ftrace_filter
}

flags()
{
	cd instances || fail "no instances"
	expect_file one/tracing_on 1
	expect_file off/tracing_on 0
	expect_file print/tracing_on 1
	expect_file print/options/trace_printk_dest 1
	expect_file one/options/trace_printk_dest 0
	expect_file "$SCRATCH/top_dest" 0
}

# ftrace_boot_snapshot= and alloc_snapshot= with names
snapshots()
{
	cd instances || fail "no instances"
	[ -e one/snapshot ] || skip "no snapshots in this kernel"
	for name in one off; do
		expect_true "$name has one" grep -q 'Snapshot is allocated' $name/snapshot
	done
	for name in print ..; do
		expect_true "$name has none" grep -q 'Snapshot is freed' $name/snapshot
	done
	[ -d ev/events ] || return 0
	expect_true "entries of ev at the end of boot" [ "$(nr_events ev/snapshot)" -gt 0 ]
}

# trace_event= and trace_trigger=, and the events of an instance
events_at_boot()
{
	[ -f set_event ] || skip "no trace events here"
	others='^(irq|syscalls|kprobes|grp):'
	expect "$(grep -Ev "$others" "$SCRATCH/set_event")" 'sched:sched_process_fork
ftest:*:mod:ftest_events' "events of the top, and the pending pattern"
	expect "$(grep '^irq:' "$SCRATCH/set_event" | sort)" \
	       "$(grep '^irq:.*_e' available_events | sort)" "events that a glob means"
	expect_true "entries" grep -q ': sched_process_fork: comm=' "$SCRATCH/trace"
	# Programs were executed before, and each was counted
	expect "$(sed 's/count=.*/count/' "$SCRATCH/trigger")" 'stacktrace:count
traceoff:unlimited if pid < 0' "trace_trigger="
	expect_file instances/ev/events/sched/sched_process_exit/enable 1
	expect_file instances/ev/events/irq/enable 1
	expect_file instances/ev/events/sched/sched_process_fork/enable 0
	expect_file instances/glob/events/sched/enable 1
	expect_file instances/glob/events/irq/enable 0
	expect_true "entries of the instance" \
		    grep -q ': sched_process_exit: comm=' instances/ev/trace
}

# Enabled before the first task existed.
syscalls_at_boot()
{
	[ -d events/syscalls ] || skip "no events of system calls here"
	expect "$(grep '^syscalls:' "$SCRATCH/set_event")" syscalls:sys_enter_exit_group "events"
	expect_true "entries" grep -q ': sys_exit_group(error_code: ' "$SCRATCH/trace"
}

kprobes_at_boot()
{
	[ -f kprobe_events ] || skip "no kprobe events here"
	expect_file "$SCRATCH/kprobe_events" 'p:kprobes/boot vfs_open what=+8($arg1):%pd
r:grp/ret vfs_read'
	expect "$(grep -E '^(kprobes|grp):' "$SCRATCH/set_event")" 'kprobes:boot
grp:ret' "events that are enabled"
	expect_true "entries" grep -Eq ': boot: \(vfs_open\+.*\) what="' "$SCRATCH/trace"
}

thresh()
{
	expect_file "$SCRATCH/tracing_thresh" 123456
}

# One message for each error, and no other messages.
log()
{
	cat > "$SCRATCH/want" <<-END
	trace_instance=a/b: a directory cannot have that name
	trace_instance=one: the name is taken
	trace_instance=: a directory cannot have that name
	trace_instance=off: no flag no_such_flag
	trace_instance=off: no event no_such_system:no_such_event
	could not take a snapshot of instance no_such_instance: error -2
	trace_event=no_such:event: no such event
	trace_trigger=no_such.stacktrace cannot be set
	kprobe_event=p no_such_function: error -2
	END
	sed 's/.*tracing: //' "$SCRATCH/log" | grep -e '^[a-z]*_[a-z]*=' -e '^could not take' |
		sort > "$SCRATCH/got"
	sort "$SCRATCH/want" > "$SCRATCH/sorted"
	expect "$(cat "$SCRATCH/got")" "$(cat "$SCRATCH/sorted")" "messages in the log"
}

removal()
{
	for name in one off print ev glob; do
		expect_true "$name is removed" rmdir "instances/$name"
	done
	expect_file options/trace_printk_dest 1
}

testcase names "trace_instance= creates the instances that it names"
testcase works "they have the files of any other instance, and trace"
testcase flags "flags switch them off, and redirect trace_printk() to them"
testcase snapshots "ftrace_boot_snapshot= and alloc_snapshot= accept names of instances"
testcase events_at_boot "trace_event=, trace_trigger= and trace_instance= enable events"
testcase syscalls_at_boot "a second trace_event= adds to the first one; system calls are recorded"
testcase kprobes_at_boot "kprobe_event= defines and enables events"
testcase thresh "tracing_thresh= sets the file tracing_thresh"
testcase log "errors in these parameters are named in the log"
testcase removal "they can be removed like any other instance"
finish
