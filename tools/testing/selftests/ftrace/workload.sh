# SPDX-License-Identifier: GPL-2.0
#
# workload.sh - functions that the tests of osnoise and timerlat share: the directory osnoise,
# and a thread of the tracer on each CPU. The tests source it after functions.sh.
# shellcheck shell=sh

DIR=osnoise
ALL_CPUS=$(cat "$TRACEFS/$DIR/cpus" 2> /dev/null)
NR_CPUS=$(grep -c '^processor' /proc/cpuinfo)

# reset_workload FILE VALUE...: restores the initial values of files of the directory
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

# need_tracer NAME: skips the case if the kernel does not have the tracer
need_tracer()
{
	grep -qw "$1" available_tracers || skip "no tracer $1"
}

# The threads have the name of the tracer, which is also the name of the test file.
threads()
{
	ps | grep -c "$NAME/[0-9]"
}

# The thread of CPU 0
first_thread()
{
	ps | sed -n "s,^ *\([0-9]*\) .*$NAME/0\].*,\1,p"
}

# The test file defines the function use, which starts the tracer.
threads_follow_cpus()
{
	use
	expect "$(threads)" "$NR_CPUS" "threads"
	old=$(first_thread)
	put 0 "$DIR/cpus"
	expect "$(threads)" 1 "threads with one CPU"
	put "$ALL_CPUS" "$DIR/cpus"
	expect "$(first_thread)" "$old" "the thread of a CPU that remained in the mask"
	online=/sys/devices/system/cpu/cpu1/online
	if [ -f $online ]; then
		put 0 $online
		expect "$(threads)" $((NR_CPUS - 1)) "threads after a CPU went offline"
		put 1 $online
		expect "$(threads)" "$NR_CPUS" "threads after it is online again"
	fi
	put NO_OSNOISE_WORKLOAD "$DIR/options"
	expect "$(threads)" 0 "threads without the workload"
	put OSNOISE_WORKLOAD "$DIR/options"
	put nop current_tracer
	expect "$(threads)" 0 "threads without the tracer"
}

# threads_are_shared OTHER: instances share the threads. The tracer OTHER gets EBUSY until this
# one is stopped.
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
