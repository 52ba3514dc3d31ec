# SPDX-License-Identifier: GPL-2.0
#
# workload.sh - what the tests of osnoise and timerlat share: the directory osnoise, and a
# thread of the tracer on each CPU. They source it after functions.sh.
# shellcheck shell=sh

DIR=osnoise
ALL_CPUS=$(cat "$TRACEFS/$DIR/cpus" 2> /dev/null)
NR_CPUS=$(grep -c '^processor' /proc/cpuinfo)

# reset_workload FILE VALUE...: files of the directory, and what they have at first
reset_workload()
{
	[ -d "$DIR" ] || return 0
	while [ $# -gt 0 ]; do
		echo "$2" > "$DIR/$1"
		shift 2
	done
	echo 0 > "$DIR/stop_tracing_us"
	echo 0 > "$DIR/stop_tracing_total_us"
	echo DEFAULTS > "$DIR/options"
	echo "$ALL_CPUS" > "$DIR/cpus"
	echo 0 > tracing_thresh
	[ ! -d instances/ftest ] || rmdir instances/ftest
}

# need_tracer NAME
need_tracer()
{
	grep -qw "$1" available_tracers || skip "no tracer $1"
}

# The threads have the name of the tracer, which is that of the test file, too.
threads()
{
	ps | grep -c "$NAME/[0-9]"
}

# The thread of CPU 0
first_thread()
{
	ps | sed -n "s,^ *\([0-9]*\) .*$NAME/0\].*,\1,p"
}

# The test file has the function use, which starts the tracer.
threads_follow_cpus()
{
	use
	expect "$(threads)" "$NR_CPUS" "threads"
	old=$(first_thread)
	put 0 "$DIR/cpus"
	expect "$(threads)" 1 "threads with one CPU"
	put "$ALL_CPUS" "$DIR/cpus"
	expect "$(first_thread)" "$old" "the thread of a CPU that stayed in the mask"
	online=/sys/devices/system/cpu/cpu1/online
	if [ -f $online ]; then
		put 0 $online
		expect "$(threads)" $((NR_CPUS - 1)) "threads when a CPU has gone"
		put 1 $online
		expect "$(threads)" "$NR_CPUS" "threads when it is back"
	fi
	put NO_OSNOISE_WORKLOAD "$DIR/options"
	expect "$(threads)" 0 "threads without the workload"
	put OSNOISE_WORKLOAD "$DIR/options"
	put nop current_tracer
	expect "$(threads)" 0 "threads without the tracer"
}

# threads_are_shared OTHER: by instances. OTHER is the tracer that has to wait for the end of
# this one.
threads_are_shared()
{
	use
	mkdir instances/ftest || skip "no instances"
	expect_write EBUSY w instances/ftest/current_tracer "$1\n"
	put "$NAME" instances/ftest/current_tracer
	expect "$(threads)" "$NR_CPUS" "threads"
	put nop current_tracer
	wait_for 30 has_events 1 instances/ftest/trace || fail "nothing in the instance"
	expect_write EBUSY w current_tracer "$1\n"
	rmdir instances/ftest
	expect "$(threads)" 0 "threads without an instance"
	put "$1" current_tracer
}
