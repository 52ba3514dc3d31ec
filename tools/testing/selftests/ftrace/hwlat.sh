#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# The tracer hwlat and its directory hwlat_detector.
# shellcheck source=functions.sh

. "$(dirname "$0")/functions.sh"

DIR=hwlat_detector

reset_more()
{
	[ -d "$DIR" ] || return 0
	echo 1000000 > "$DIR/window"
	echo 500000 > "$DIR/width"
	echo 1000000 > "$DIR/window"
	echo round-robin > "$DIR/mode"
	echo 0 > tracing_thresh
}

need_hwlat()
{
	grep -qw hwlat available_tracers || skip "no tracer hwlat"
}

# Short windows. On an emulated CPU some readings of the clock are a microsecond apart, so there
# is not always a latency.
use()
{
	need_hwlat
	put 2000 "$DIR/width"
	put 20000 "$DIR/window"
	put hwlat current_tracer
	put 0 tracing_thresh
}

threads()
{
	ps | grep -c '[h]wlatd'
}

files()
{
	need_hwlat
	expect_file "$DIR/width" 500000
	expect_file "$DIR/window" 1000000
	expect_file "$DIR/mode" "none [round-robin] per-cpu"
	put per-cpu "$DIR/mode"
	expect_file "$DIR/mode" "none round-robin [per-cpu]"
	put none "$DIR/mode"
	expect_file "$DIR/mode" "[none] round-robin per-cpu"
}

bad_input()
{
	need_hwlat
	expect_write EINVAL w "$DIR/width" '1000000\n'
	expect_write EINVAL w "$DIR/width" '0\n'
	expect_write EINVAL w "$DIR/width" 'x\n'
	expect_write EINVAL w "$DIR/window" '500000\n'
	expect_write EINVAL w "$DIR/mode" 'per\n'
	expect_file "$DIR/width" 500000
	expect_file "$DIR/window" 1000000
	expect_file "$DIR/mode" "none [round-robin] per-cpu"
}

# tracing_thresh is 10 us while the tracer is on, unless it had another value.
thresh()
{
	need_hwlat
	put hwlat current_tracer
	expect_file tracing_thresh 10
	put 25 tracing_thresh
	put nop current_tracer
	expect_file tracing_thresh 0
	put hwlat current_tracer
	expect_file tracing_thresh 25
	put 10 tracing_thresh
	put nop current_tracer
	put 40 tracing_thresh
	put hwlat current_tracer
	expect_file tracing_thresh 40
	put 20 tracing_thresh
	put nop current_tracer
	expect_file tracing_thresh 40
	put 0 tracing_thresh
}

# An emulated CPU pauses while another busy CPU runs.
lines()
{
	use
	put 1 tracing_thresh
	load_start
	wait_for_events 1
	load_stop
	put 0 tracing_on
	line='(hwlatd|<[.]{3}>)-[0-9]+ +\[[0-9]{3}\] d[^ ]+ +[0-9]+\.[0-9]{6}: #[0-9]+ +'
	line="$line"'inner/outer\(us\): +[0-9]+/[0-9]+ +ts:[0-9]+\.[0-9]{9} count:[0-9]+'
	line="$line"'( nmi-total:[0-9]+ nmi-count:[0-9]+)?$'
	expect "$(events | grep -Evc "$line")" 0 "lines of another form"
	longest=$(events | sed 's/.*(us): *//; s/ .*//' | tr / '\n' | sort -n | tail -n 1)
	expect_true "$(cat tracing_max_latency) for $longest" \
		    [ "$(cat tracing_max_latency)" -ge "$longest" ]
}

# The file exists regardless of other config options.
maximum()
{
	need_hwlat
	put 1000000000 tracing_max_latency
	put hwlat current_tracer
	expect_true "it is reset" [ "$(cat tracing_max_latency)" -lt 1000000000 ]
	expect_true "README has it" grep -q '^  tracing_max_latency' README
}

per_cpu()
{
	use
	[ "$(threads)" = 1 ] || fail "$(threads) threads in mode round-robin"
	put per-cpu "$DIR/mode"
	cpus=$(grep -c '^processor' /proc/cpuinfo)
	expect "$(threads)" "$cpus" "threads in mode per-cpu"
	put none "$DIR/mode"
	expect "$(threads)" 1 "threads in mode none"
	put nop current_tracer
	expect "$(threads)" 0 "threads without the tracer"
}

# The CPU that the thread of mode round-robin is bound to
thread_cpu()
{
	pid=$(ps | sed -n 's,^ *\([0-9]*\) .*\[hwlatd\]$,\1,p')
	sed -n 's/^Cpus_allowed_list:[[:blank:]]*//p' "/proc/$pid/status"
}

is_on()
{
	[ "$(thread_cpu)" = "$1" ]
}

# The thread moves to the next CPU of tracing_cpumask at the end of a window.
round_robin()
{
	[ "$(grep -c '^processor' /proc/cpuinfo)" -gt 1 ] || skip "one CPU only"
	use
	for cpu in 0 1 0; do
		expect_true "it moves to CPU $cpu" wait_for 30 is_on $cpu
	done
	for mask in 2 1; do
		put $mask tracing_cpumask
		expect_true "it moves to CPUs $mask" wait_for 30 is_on $((mask - 1))
		for _ in 1 2 3 4 5; do
			sleep 0.05
			expect "$(thread_cpu)" $((mask - 1)) "its CPU with tracing_cpumask $mask"
		done
	done
}

# NMIs are reported in the line of the sample in which they occurred.
nmis()
{
	need_module ftest_target
	need_module ftest_nmi
	use
	put 1 tracing_thresh
	expect_true "a line reports NMIs" \
		    wait_for 30 grep -Eq ' nmi-total:[0-9]+ nmi-count:[1-9][0-9]*$' trace
}

hotplug()
{
	use
	online=/sys/devices/system/cpu/cpu1/online
	[ -f $online ] || skip "no CPU can go offline"
	for mode in per-cpu round-robin; do
		put $mode "$DIR/mode"
		put 0 $online
		[ $mode = round-robin ] || expect "$(threads)" 1 "threads with one CPU"
		sleep 0.1
		put 1 $online
		[ $mode = round-robin ] || expect "$(threads)" 2 "threads with two CPUs"
	done
}

one_at_a_time()
{
	use
	mkdir instances/ftest || skip "no instances"
	second=$("$FILEOP" write w instances/ftest/current_tracer 'hwlat\n')
	rmdir instances/ftest
	expect "$second" EBUSY "errno of a second user"
}

testcase files "the files show the values that were written"
testcase bad_input "the width must be less than the window, and the mode must be a name"
testcase thresh "tracing_thresh is set and restored with the tracer"
testcase lines "latencies are shown with the time of day"
testcase maximum "tracing_max_latency is reset when the tracer starts"
testcase per_cpu "there is one thread, or a thread for each CPU"
slowcase round_robin "the thread rotates over the CPUs of tracing_cpumask"
testcase nmis "NMIs in a sample are reported"
testcase hotplug "CPUs can go offline and online while the tracer runs"
testcase one_at_a_time "only one instance can have the tracer"
finish
