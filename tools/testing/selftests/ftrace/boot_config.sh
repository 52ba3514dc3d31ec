#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# A boot config, which must be
#
#   ftrace {
#   	options = sym-addr, no_such_option, noirq-info
#   	trace_clock = global
#   	buffer_size = 512KB
#   	alloc_snapshot
#   	cpumask = 1
#   	tracer = function
#   	ftrace.filters = "vfs_open", "no_such_function*", "vfs_r*"
#   	ftrace.notraces = "vfs_rmdir"
#   	events = "sched:sched_process_fork", "no_such:event"
#   	event.sched {
#   		sched_process_exit {
#   			enable
#   			filter = "prio < 1000"
#   			actions = "traceoff:1 if pid == 1", "no_such_action"
#   			probes = "vfs_open"
#   		}
#   		no_such_event.enable
#   		sched_switch.filter = "no_such == 1"
#   	}
#   	event.kprobes {
#   		boot_read {
#   			probes = "vfs_read n=$arg3", "vfs_open n=$arg2", "no_such_function"
#   			filter = "n > 0"
#   			enable
#   		}
#   		boot_disabled.probes = "vfs_write"
#   		without.enable
#   	}
#   	event.synthetic {
#   		boot_latency {
#   			fields = "u64 lat", "pid_t pid"
#   			hist.keys = lat.log2
#   		}
#   		boot_wrong.fields = "no_such_type x"
#   	}
#   	event.ftrace {
#   		print {
#   			enable
#   			actions = "stacktrace:3"
#   			hist {
#   				keys = common_pid
#   				var.ts = common_timestamp.usecs
#   				onmatch {
#   					event = ftrace.print
#   					trace = boot_latency, $ts, common_pid
#   				}
#   			}
#   		}
#   		function {
#   			enable
#   			filter = "ip == 0"
#   		}
#   	}
#   	no_such_key = 5
#   	instance {
#   		foo {
#   			tracer = function
#   			ftrace.filters = "vfs_open"
#   			buffer_size = 1M
#   			options = stacktrace
#   			alloc_snapshot
#   			event.irq.enable
#   		}
#   		bar {
#   			tracing_on = 0
#   			trace_clock = no_such_clock
#   			buffer_size = 12Q
#   			cpumask = words
#   			tracer = no_such_tracer
#   			event.enable
#   		}
#   		late {
#   			tracer = timerlat
#   			buffer_size = 64K
#   			cpumask = 1
#   			trace_clock = mono
#   			ftrace.notraces = "vfs_read"
#   			events = "sched:sched_process_fork"
#   			event.sched.sched_process_fork.hist {
#   				filter = "parent_pid > 0"
#   				1 {
#   					keys = child_comm, parent_pid
#   					values = hitcount.percent, child_pid
#   					sort = child_comm.descending, hitcount
#   					size = 300
#   					name = boot
#   					pause
#   				}
#   				2 {
#   					keys = parent_pid
#   					filter = "parent_pid == 1"
#   					var {
#   						a = child_pid
#   						b = "$a * (3 - 1)"
#   					}
#   					onmax {
#   						var = a
#   						save = child_comm, child_pid
#   					}
#   					onchange {
#   						1 { var = $b; snapshot }
#   						2 { var = b; no_such }
#   					}
#   				}
#   				3.keys = child_comm.hex
#   				keys = child_pid
#   				no_such = 1
#   			}
#   		}
#   		huge.buffer_size = 1E
#   	}
#   }
#   kernel {
#   	trace_instance = "made^traceoff"
#   	traceoff_on_warning
#   }
#
# With the parameter kprobe_event=p:boot_line,vfs_open. It must run before any other test of the
# boot.
# shellcheck source=functions.sh

. "$(dirname "$0")/functions.sh"

grep -q no_such_key /proc/bootconfig 2> /dev/null || skip_all "another boot config"

# The first case begins with a reset of the top instance, so the state is saved before.
echo 0 > tracing_on
for file in current_tracer set_ftrace_filter set_ftrace_notrace trace_clock trace_options \
	    buffer_size_kb snapshot tracing_cpumask trace; do
	cat $file > "$SCRATCH/$file"
done
for file in set_event events/sched/sched_process_exit/filter \
	    events/sched/sched_process_exit/trigger; do
	[ ! -f $file ] || cat $file > "$SCRATCH/${file##*/}"
done
[ ! -d events ] || cat events/ftrace/print/trigger > "$SCRATCH/marker"
[ ! -f events/synthetic/boot_latency/hist ] ||
	cat events/synthetic/boot_latency/trigger > "$SCRATCH/hists"
[ ! -d events/kprobes/boot_read ] ||
	cat kprobe_events events/kprobes/boot_read/filter events/kprobes/boot_read/enable > "$SCRATCH/probes"
cat /proc/sys/kernel/traceoff_on_warning > "$SCRATCH/traceoff_on_warning"
echo 0 > /proc/sys/kernel/traceoff_on_warning
echo nosym-addr > trace_options
echo irq-info > trace_options
dmesg | grep 'tracing: ftrace\.' | sed 's/.*tracing: //' > "$SCRATCH/log"
cd instances || skip_all "no instances here"
echo 0 > foo/tracing_on
cd .. || exit 1

top()
{
	expect_file "$SCRATCH/current_tracer" function
	expect "$(cat "$SCRATCH/trace_clock" | grep -o '\[.*\]')" '[global]' "clock"
	expect_file "$SCRATCH/buffer_size_kb" 512
	expect_true "sym-addr" grep -qx sym-addr "$SCRATCH/trace_options"
	expect_true "noirq-info" grep -qx noirq-info "$SCRATCH/trace_options"
	expect "$(tail -c 2 "$SCRATCH/tracing_cpumask")" 1 "CPUs that record"
	expect_true "calls on CPU 0" grep -q '\[000\].*: .*vfs_' "$SCRATCH/trace"
	expect_false "calls on CPU 1" grep -q '\[001\].*: .*vfs_' "$SCRATCH/trace"
}

filters()
{
	grep -e '^vfs_r' -e '^vfs_open$' available_filter_functions | sort > "$SCRATCH/want"
	sort "$SCRATCH/set_ftrace_filter" > "$SCRATCH/got"
	expect "$(cat "$SCRATCH/got")" "$(cat "$SCRATCH/want")" "ftrace.filters"
	expect_file "$SCRATCH/set_ftrace_notrace" vfs_rmdir
}

snapshot()
{
	[ -e snapshot ] || skip "no snapshots in this kernel"
	for file in "$SCRATCH/snapshot" instances/foo/snapshot; do
		expect_true "$file is allocated" grep -q 'Snapshot is allocated' "$file"
	done
}

instances()
{
	expect_file instances/foo/current_tracer function
	expect_file instances/foo/set_ftrace_filter vfs_open
	expect_file instances/foo/buffer_size_kb 1024
	expect_file instances/foo/options/stacktrace 1
	expect_file instances/foo/events/irq/enable 1
	expect_file instances/foo/events/sched/enable 0
	expect_true "its calls" grep -q ': vfs_open <-' instances/foo/trace
	expect_file instances/bar/tracing_on 0
	expect_file instances/bar/current_tracer nop
	# kprobe_event= defines its events later
	expect_file instances/bar/events/enable X
	expect_file instances/bar/events/kprobes/boot_disabled/enable 1
	expect_file instances/bar/events/kprobes/boot_line/enable 0
	expect_file instances/made/tracing_on 0
}

# The tracer is registered after all CPUs are online.
late_tracer()
{
	grep -qw timerlat available_tracers || skip "no tracer timerlat"
	expect_file instances/late/current_tracer timerlat
	expect_file instances/late/buffer_size_kb 64
	expect_file instances/late/tracing_cpumask 1
	expect "$(grep -o '\[.*\]' instances/late/trace_clock)" '[mono]' "clock"
	expect_file instances/late/set_ftrace_notrace vfs_read
	expect_file instances/late/set_event sched:sched_process_fork
}

events_of_top()
{
	[ -f "$SCRATCH/set_event" ] || skip "no trace events here"
	expect_lines "$SCRATCH/set_event" kprobes:boot_line kprobes:boot_read \
		     sched:sched_process_exit \
		     sched:sched_process_fork
	expect_file "$SCRATCH/filter" 'prio < 1000'
	expect_file "$SCRATCH/trigger" 'traceoff:count=1 if pid == 1'
	expect_true "entries" grep -q ': sched_process_exit: ' "$SCRATCH/trace"
	expect "$(tail -n 1 events/sched/sched_switch/filter)" 'parse_error: Field not found' \
	       "text in the file of an invalid filter"
	expect "$(grep -v '^hist:' "$SCRATCH/marker")" 'stacktrace:count=3' "trigger of print"
}

probes()
{
	[ -f "$SCRATCH/probes" ] || skip "no kprobe events here"
	expect_file "$SCRATCH/probes" 'p:kprobes/boot_read vfs_read n=$arg3
p:kprobes/boot_read vfs_open n=$arg2
p:kprobes/boot_disabled vfs_write
p:kprobes/boot_line vfs_open
n > 0
1'
}

synthetic()
{
	[ -f synthetic_events ] || skip "no synthetic events here"
	expect_true "the event" grep -q '^boot_latency.*u64 lat; *pid_t pid' synthetic_events
}

histograms()
{
	[ -f "$SCRATCH/hists" ] || skip "no histograms here"
	fork=instances/late/events/sched/sched_process_fork
	expect "$(sort "$SCRATCH/hists" "$SCRATCH/marker" $fork/trigger | grep '^hist')" "$(sort <<-'END'
	hist:keys=child_pid:vals=hitcount:sort=hitcount:size=2048 if parent_pid > 0 [active]
	hist:name=boot:keys=child_comm,parent_pid:vals=hitcount,hitcount.percent,child_pid:sort=child_comm.descending,hitcount:size=512 if parent_pid > 0 [paused]
	hist:keys=parent_pid:vals=hitcount:a=child_pid,b=$a*(3-1):sort=hitcount:size=2048:onmax($a).save(child_comm,child_pid):onchange($b).snapshot() if parent_pid == 1 [active]
	hist:keys=lat.log2:vals=hitcount:sort=hitcount:size=2048 [active]
	hist:keys=common_pid:vals=hitcount:ts=common_timestamp.usecs:sort=hitcount:size=2048:clock=global:onmatch(ftrace.print).trace(boot_latency,$ts,common_pid) [active]
	END
	)" "triggers"
	expect_true "the first process is counted" \
		    grep -q '^{ parent_pid:  *1 } hitcount: ' $fork/hist
}

kernel_keys()
{
	expect_file "$SCRATCH/traceoff_on_warning" 1
}

# One message for each error, and no other messages.
log()
{
	cat > "$SCRATCH/want" <<-END
	ftrace.options = no_such_option: error -22
	ftrace.ftrace.filters = no_such_function*: error -22
	ftrace.event.kprobes.boot_read.probes = no_such_function: error -2
	ftrace.event.synthetic.boot_wrong.fields: error -22
	ftrace.event.sched.sched_process_exit.actions = no_such_action: error -22
	ftrace.event.sched.sched_process_exit.probes: error -2
	ftrace.event.sched.no_such_event: error -2
	ftrace.event.sched.sched_switch.filter = no_such == 1: error -22
	ftrace.event.kprobes.without: error -2
	ftrace.event.synthetic.boot_wrong: error -2
	ftrace.event.ftrace.function.filter = ip == 0: error -2
	ftrace.events = no_such:event: error -22
	ftrace.event.ftrace.print.enable: error -2
	ftrace.event.ftrace.function.enable: error -2
	ftrace.no_such_key: error -2
	ftrace.instance.bar.trace_clock = no_such_clock: error -22
	ftrace.instance.bar.buffer_size = 12Q: error -22
	ftrace.instance.bar.cpumask = words: error -22
	ftrace.instance.late.event.sched.sched_process_fork.hist.no_such: error -2
	ftrace.instance.late.event.sched.sched_process_fork.hist.2.onchange.2.no_such: error -2
	ftrace.instance.late.event.sched.sched_process_fork.hist.2.onchange.2: error -22
	ftrace.instance.late.event.sched.sched_process_fork.hist = hist:keys=child_comm.hex if parent_pid > 0: error -22
	ftrace.instance.huge.buffer_size = 1E: error -12
	ftrace.instance.bar.tracer = no_such_tracer: error -22
	END
	expect "$(cat "$SCRATCH/log")" "$(cat "$SCRATCH/want")" "messages in the log"
}

removal()
{
	for name in foo bar late huge made; do
		expect_true "$name is removed" rmdir instances/$name
	done
}

testcase top "the keys of the top instance take effect"
testcase filters "ftrace.filters and ftrace.notraces select functions"
testcase snapshot "alloc_snapshot allocates the spare buffer"
testcase instances "ftrace.instance.NAME creates instances and configures them"
testcase late_tracer "a tracer may be registered after the boot config is parsed"
testcase events_of_top "events are enabled, with filters and triggers"
testcase probes "event.kprobes.EVENT.probes defines events"
testcase synthetic "event.synthetic.EVENT.fields defines events"
testcase histograms "event.GROUP.EVENT.hist defines histograms"
testcase kernel_keys "keys that begin with kernel are boot parameters"
testcase log "errors are named in the log"
testcase removal "the instances can be removed like any other instance"
finish
