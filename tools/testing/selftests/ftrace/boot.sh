#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Effects of the boot parameters of tracing. Only cases whose parameters are on the command line
# run. They check these values:
#
#   ftrace=function ftrace_filter=vfs_open,vfs_read trace_clock=global
#   trace_options=sym-addr,noirq-info trace_buf_size=300k ftrace_boot_snapshot tp_printk
#   traceoff_on_warning, or with =0 or =off
#   ftrace_dump_on_oops, alone or with =1 =2 =orig_cpu =0, or ,no_such_instance=orig_cpu
#   alloc_snapshot, tp_printk_stop_on_boot
#   ftrace_graph_filter=vfs_o*,no_such_function ftrace_graph_notrace=vfs_open
#   ftrace_graph_max_depth=3 stacktrace_filter=vfs_read,no_such_either
#   trace_options=funcgraph-proc ftrace=osnoise
#   ftrace=function_graph, alone or with ftrace_graph_filter=do_one_initcall
#   ftrace_graph_max_depth=3
#   stacktrace
#   initcall_blacklist=osnoise_workload_init
#   tsc=unstable, without trace_clock=
#
# and invalid values:
#
#   ftrace=no_such_tracer trace_clock=no_such_clock
#   trace_options=no_such_option,func_stack_trace,sym-addr trace_buf_size=300x
#   ftrace=mmiotrace
#
# It must run before any other test of the boot. The first case begins with a reset, so the
# state is saved before.
# shellcheck source=functions.sh

. "$(dirname "$0")/functions.sh"

booted_with()
{
	for booted_word in $(cat /proc/cmdline); do
		[ "$booted_word" = "$1" ] && return
	done
	return 1
}

cat current_tracer set_ftrace_filter > "$SCRATCH/tracer"
cat enabled_functions > "$SCRATCH/enabled_functions"
grep -c '^ *osnoise/' trace > "$SCRATCH/noise"
if booted_with ftrace=function_graph; then
	# which would overwrite the lines that are read
	echo 0 > tracing_on
	grep -v '^#' trace > "$SCRATCH/lines"
	echo 1 > tracing_on
fi
cat trace_clock > "$SCRATCH/clock"
cat trace_options > "$SCRATCH/options"
for file in func_stack_trace funcgraph-proc; do
	[ ! -f options/$file ] || cat options/$file > "$SCRATCH/$file"
	[ ! -f options/$file ] || echo 0 > options/$file
done
cat buffer_size_kb > "$SCRATCH/size"
cat snapshot > "$SCRATCH/snapshot"
for file in set_graph_function set_graph_notrace max_graph_depth stack_trace_filter; do
	[ ! -f $file ] || cat $file > "$SCRATCH/$file"
done
for file in ftrace_dump_on_oops traceoff_on_warning tracepoint_printk; do
	cat /proc/sys/kernel/$file > "$SCRATCH/$file"
done
[ ! -f /proc/sys/kernel/stack_tracer_enabled ] ||
	cat /proc/sys/kernel/stack_tracer_enabled > "$SCRATCH/stack_tracer_enabled"
echo 0 > /proc/sys/kernel/ftrace_dump_on_oops
echo 0 > /proc/sys/kernel/traceoff_on_warning
echo nosym-addr > trace_options
echo irq-info > trace_options
dmesg | grep -i -e 'tracing: ' -e 'ftrace: ' -e 'unknown kernel command line' |
	grep -v 'Kernel command line:' > "$SCRATCH/dmesg"

tracer()
{
	expect "$(head -n 1 "$SCRATCH/tracer")" function "tracer"
	expect "$(sed 1d "$SCRATCH/tracer" | sort | tr '\n' ' ')" "vfs_open vfs_read " "filter"
	# even if the tracer starts before memory for trampolines is available
	expect "$(grep -c '[[:blank:]]tramp: ' "$SCRATCH/enabled_functions")" 2 \
	       "functions with a trampoline"
}

noise()
{
	expect "$(head -n 1 "$SCRATCH/tracer")" osnoise "tracer"
	expect_true "entries" [ "$(cat "$SCRATCH/noise")" -gt 0 ]
}

clock()
{
	expect "$(grep -o '\[.*\]' "$SCRATCH/clock")" '[global]' "clock"
}

options()
{
	expect_true "sym-addr" grep -qx sym-addr "$SCRATCH/options"
	expect_true "noirq-info" grep -qx noirq-info "$SCRATCH/options"
}

size()
{
	got=$(cat "$SCRATCH/size")
	expect_true "$got" [ "${got%% *}" -ge 300 ] && expect_true "$got" [ "${got%% *}" -le 308 ]
}

# It has the entries that were recorded until user space started.
boot_snapshot()
{
	expect_true "a snapshot of calls" grep -q ': vfs_open ' "$SCRATCH/snapshot"
	early='swapper/[0-9]+|kworker/.*|<idle>|kdevtmpfs|.*modprobe|init|<\.\.\.>'
	expect "$(grep -v '^#' "$SCRATCH/snapshot" | grep -cvE "^ +($early)-[0-9]+ ")" 0 \
	       "entries of programs"
}

dump_on_oops()
{
	for word in $(grep -o 'ftrace_dump_on_oops[^ ]*' /proc/cmdline); do
		# A list of 100 characters or more is rejected
		[ ${#word} -lt 120 ] || continue
		case ${word#ftrace_dump_on_oops} in
		'') expect_file "$SCRATCH/ftrace_dump_on_oops" 1 ;;
		,*) expect_file "$SCRATCH/ftrace_dump_on_oops" "1${word#ftrace_dump_on_oops}" ;;
		=*) expect_file "$SCRATCH/ftrace_dump_on_oops" "${word#ftrace_dump_on_oops=}" ;;
		esac
	done
}

traceoff_on_warning()
{
	if booted_with traceoff_on_warning; then
		expect_file "$SCRATCH/traceoff_on_warning" 1
	else
		expect_file "$SCRATCH/traceoff_on_warning" 0
	fi
}

# nr_printed: how often the event that tp_printk_case enables is in the log
nr_printed()
{
	dmesg | grep -cE '(^|\] )sched_process_exec: filename=.* pid=.* old_pid='
}

printed_since()
{
	[ "$(nr_printed)" -gt "$1" ]
}

tp_printk()
{
	sysctl=/proc/sys/kernel/tracepoint_printk
	want=0
	! booted_with tp_printk || want=1
	if booted_with tp_printk_stop_on_boot; then
		expect_file "$SCRATCH/tracepoint_printk" 0
	else
		expect_file "$SCRATCH/tracepoint_printk" $want
	fi
	put 1 $sysctl
	expect_file $sysctl $want
	before=$(nr_printed)
	put 1 events/sched/sched_process_exec/enable
	/bin/busybox true
	if [ $want = 1 ]; then
		wait_for 10 printed_since "$before" || fail "nothing is printed"
		put 0 $sysctl
		before=$(nr_printed)
		/bin/busybox true
	fi
	sleep 1
	put 0 events/sched/sched_process_exec/enable
	expect "$(nr_printed)" "$before" "events that are printed while it is off"
	expect_true "they are recorded" [ "$(nr_events)" -gt 0 ]
	put $want $sysctl
}

# The spare buffer exists, but it is empty.
alloc_snapshot()
{
	expect_true "a snapshot is allocated" grep -q 'Snapshot is allocated' "$SCRATCH/snapshot"
	expect "$(grep -vc '^#' "$SCRATCH/snapshot")" 0 "entries"
}

graph()
{
	[ -f "$SCRATCH/max_graph_depth" ] || skip "no function_graph here"
	expect "$(sort "$SCRATCH/set_graph_function")" \
	       "$(grep '^vfs_o' available_filter_functions | sort)" "ftrace_graph_filter="
	expect_file "$SCRATCH/set_graph_notrace" vfs_open
	expect_file "$SCRATCH/max_graph_depth" 3
}

# Calls in tasks and interrupts, from the time before the second CPU was online until now.
graph_tracer()
{
	expect "$(head -n 1 "$SCRATCH/tracer")" function_graph "tracer"
	expect_true "calls" [ "$(grep -c ' us .*();$' "$SCRATCH/lines")" -gt 100 ]
	expect_true "calls inside calls" [ "$(grep -c ' us  *|  *}' "$SCRATCH/lines")" -gt 100 ]
	# lost entries, switches between tasks and interrupts, and calls
	other='^CPU:[0-9]+ \[LOST|^ -+$|^$| => | ==========> \|$| <========== \|$'
	line='^ [0-9]+\) +[+!#*@$]? *([0-9.]+ us +)?\|  +([^ ]+\(\)( \{|;)|\})'
	expect "$(grep -vE -e "$other" -e "$line" "$SCRATCH/lines" | head -n 3)" '' "other lines"
	put nop current_tracer
	echo > set_graph_function
	echo 0 > max_graph_depth
	put 1 tracing_on
	put vfs_open set_ftrace_filter
	put function_graph current_tracer
	read_something
	put 0 tracing_on
	expect_true "tracing continues" grep -q 'vfs_open();' trace
	put nop current_tracer
}

# Each tree begins with the function, and is three calls deep.
graph_filter()
{
	expect_file "$SCRATCH/set_graph_function" do_one_initcall
	sed -n 's/^ [0-9]*) [^|]*|  \([a-z_].*\)() {$/\1/p' "$SCRATCH/lines" |
		sort -u > "$SCRATCH/roots"
	expect_file "$SCRATCH/roots" do_one_initcall
	expect_true "calls of the third level" grep -q '|      [a-z_].*();' "$SCRATCH/lines"
	expect "$(grep -c '|       ' "$SCRATCH/lines")" 0 "deeper calls"
}

stack_tracer_alone()
{
	[ -f stack_trace ] || skip "no stack tracer here"
	expect "$(cat "$SCRATCH/stack_tracer_enabled")" 1 "stacktrace enables the tracer"
	expect_file "$SCRATCH/stack_trace_filter" '#### all functions enabled ####'
	expect_true "there is a stack" grep -q '^  0)' stack_trace
}

stack_tracer()
{
	[ -f stack_trace ] || skip "no stack tracer here"
	expect "$(cat "$SCRATCH/stack_trace_filter")" vfs_read "stacktrace_filter="
	expect "$(cat "$SCRATCH/stack_tracer_enabled")" 1 "it enables the tracer"
	read_something
	expect_true "there is a stack" grep -q '^  0).* vfs_read+' stack_trace
}

# Without that initcall no CPU is selected for the threads, so nothing is recorded. The kernel
# continues without these tracers and their options, and has the other tracers.
selftest_fails()
{
	for tracer in osnoise timerlat; do
		expect "$(dmesg | grep -c "tracer $tracer failed its self test: -5")" 1 \
		       "lines about the self test of $tracer"
		expect_false "$tracer is available" grep -qw $tracer available_tracers
		expect_write EINVAL w current_tracer "$tracer\n"
	done
	for tracer in function function_graph wakeup_dl hwlat; do
		expect_true "$tracer is available" grep -qw $tracer available_tracers
		put $tracer current_tracer
		put nop current_tracer
	done
	expect "$(dmesg | grep -c 'passed its self test')" "$(wc -w < available_tracers |
		awk '{ print $1 - 1 }')" "self tests that passed"
}

# The self test of function_graph fails, which ends function tracing. So that of function, which
# comes after it, fails as well. Of hwlat only the tracer is missing.
selftest_ends_functions()
{
	for tracer in function function_graph hwlat; do
		expect "$(dmesg | grep -c "tracer $tracer failed its self test: ")" 1 \
		       "lines about the self test of $tracer"
		expect_false "$tracer is available" grep -qw $tracer available_tracers
		expect_write EINVAL w current_tracer "$tracer\n"
	done
	expect "$(dmesg | grep -c 'function tracing is shut down')" 1 "lines about the shutdown"
	expect_write ENODEV w /proc/sys/kernel/ftrace_enabled '1\n'
	expect "$("$FILEOP" open r set_ftrace_filter)" open:ENODEV "open of set_ftrace_filter"
	expect "$(cat enabled_functions)" '' "functions that call"
	expect_true "timerlat is available" grep -qw timerlat available_tracers
	put 1 events/sched/sched_process_fork/enable
	/bin/true
	put 0 events/sched/sched_process_fork/enable
	expect_true "events are recorded" grep -q sched_process_fork: trace
}

wrong_tracer()
{
	expect "$(head -n 1 "$SCRATCH/tracer")" nop "tracer"
}

# CPUs would go offline while boot needs them.
too_early()
{
	grep -qw mmiotrace available_tracers || skip "no tracer mmiotrace"
	expect "$(head -n 1 "$SCRATCH/tracer")" nop "tracer"
	expect_true "the log has it" grep -q "mmiotrace cannot start during boot" "$SCRATCH/dmesg"
	expect_file /sys/devices/system/cpu/online "$(cat /sys/devices/system/cpu/present)"
}

# Then the local clocks of CPUs differ. Instances that are created later have the same default.
unstable_clock()
{
	expect "$(grep -o '\[.*\]' "$SCRATCH/clock")" '[global]' "clock"
	expect "$(grep -c 'sched_clock is unstable, so the clock is global' "$SCRATCH/dmesg")" 1 \
	       "messages in the log"
	mkdir instances/unstable
	expect "$(grep -o '\[.*\]' instances/unstable/trace_clock)" '[global]' \
	       "clock of a new instance"
	put local instances/unstable/trace_clock
	expect "$(grep -o '\[.*\]' instances/unstable/trace_clock)" '[local]' \
	       "clock after it is set"
	rmdir instances/unstable
}

wrong_clock()
{
	expect "$(grep -o '\[.*\]' "$SCRATCH/clock")" '[local]' "clock"
}

wrong_option()
{
	expect_true "the option after the invalid one is set" grep -qx sym-addr "$SCRATCH/options"
	expect_file "$SCRATCH/func_stack_trace" 1
}

# The tracer is registered after the command line was parsed.
tracer_option()
{
	[ -f "$SCRATCH/funcgraph-proc" ] || skip "no function_graph here"
	expect_file "$SCRATCH/funcgraph-proc" 1
}

wrong_size()
{
	expect_true "$(cat "$SCRATCH/size")" grep -q '1408)*$' "$SCRATCH/size"
}

# Invalid values are named in the log, and no others are.
wrong_values_are_logged()
{
	for word in no_such_tracer no_such_clock no_such_option trace_buf_size=300x; do
		if grep -q "$word" /proc/cmdline; then
			expect_true "the log has $word" grep -q "$word" "$SCRATCH/dmesg"
		fi
	done
	expect "$(grep -i -e unknown -e 'no such' -e error "$SCRATCH/dmesg" |
		  grep -v -e no_such_ -e 300x -e ftrace=mmiotrace)" '' "other complaints in the log"
}

# case_for PARAMETER FUNCTION SENTENCE: a case for boots with this parameter
case_for()
{
	! booted_with "$1" || testcase "$2" "$3"
}

case_for ftrace=function tracer "ftrace= and ftrace_filter= start a tracer"
case_for ftrace=osnoise noise "ftrace=osnoise does not delay boot"
case_for trace_clock=global clock "trace_clock= selects the clock"
case_for trace_options=sym-addr,noirq-info options "trace_options= sets and clears options"
case_for trace_buf_size=300k size "trace_buf_size= sets the size of the buffer"
case_for ftrace_boot_snapshot boot_snapshot "ftrace_boot_snapshot keeps the entries of boot"
case_for alloc_snapshot alloc_snapshot "alloc_snapshot allocates the spare buffer"
case_for ftrace=no_such_tracer wrong_tracer "ftrace= with an invalid name leaves the tracer nop"
case_for ftrace=mmiotrace too_early "ftrace= does not start a tracer that takes CPUs offline"
case_for trace_clock=no_such_clock wrong_clock \
	 "trace_clock= with an invalid name leaves the clock local"
case_for tsc=unstable unstable_clock "the default clock is global if sched_clock is unstable"
case_for trace_options=funcgraph-proc tracer_option \
	 "trace_options= sets an option of a tracer"
case_for trace_options=no_such_option,func_stack_trace,sym-addr wrong_option \
	 "trace_options= with an invalid name sets the other options"
case_for trace_buf_size=300x wrong_size "trace_buf_size= with an invalid size leaves the default"
! grep -q ftrace_dump_on_oops /proc/cmdline ||
	testcase dump_on_oops "ftrace_dump_on_oops sets kernel.ftrace_dump_on_oops"
! grep -q traceoff_on_warning /proc/cmdline ||
	testcase traceoff_on_warning "traceoff_on_warning sets kernel.traceoff_on_warning"
! grep -q tp_printk /proc/cmdline ||
	testcase tp_printk "tp_printk prints events, and tp_printk_stop_on_boot ends that"
case_for 'ftrace_graph_filter=vfs_o*,no_such_function' graph \
	 "ftrace_graph_filter=, _notrace= and _max_depth= limit the function graph"
case_for ftrace=function_graph graph_tracer "ftrace=function_graph traces calls from boot on"
case_for ftrace_graph_filter=do_one_initcall graph_filter \
	 "ftrace_graph_filter= and _max_depth= limit trees from boot on"
case_for initcall_blacklist=osnoise_workload_init selftest_fails \
	 "a tracer whose self test fails is not available, and the other ones are"
case_for ftrace_selftest_fails=function_graph,hwlat selftest_ends_functions \
	 "a self test of the function tracer that fails ends all function tracing"
case_for stacktrace stack_tracer_alone "stacktrace enables the stack tracer"
! grep -q stacktrace_filter /proc/cmdline ||
	testcase stack_tracer "stacktrace_filter= enables the stack tracer with a filter"
testcase wrong_values_are_logged "only invalid values are named in the log"
finish
