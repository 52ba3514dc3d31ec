#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# The tracer osnoise and its directory.
# shellcheck source=functions.sh

. "$(dirname "$0")/functions.sh"

DIR=osnoise
NO_OTHERS="NO_PANIC_ON_STOP NO_OSNOISE_PREEMPT_DISABLE"

reset_more()
{
	[ -d "$DIR" ] || return 0
	echo 1000000 > "$DIR/period_us"
	echo 1000000 > "$DIR/runtime_us"
	echo 0 > "$DIR/stop_tracing_us"
	echo 0 > "$DIR/stop_tracing_total_us"
	echo DEFAULTS > "$DIR/options"
	echo "$all" > "$DIR/cpus"
	echo 0 > tracing_thresh
	[ ! -d instances/ftest ] || rmdir instances/ftest
}

need_osnoise()
{
	grep -qw osnoise available_tracers || skip "no tracer osnoise"
}

# Short periods, with room for others
use()
{
	need_osnoise
	put 50000 "$DIR/runtime_us"
	put 100000 "$DIR/period_us"
	put osnoise current_tracer
}

threads()
{
	ps | grep -c '[o]snoise/'
}

has_events()
{
	[ "$(nr_events)" -ge "$1" ]
}

# number FILE WANT
number()
{
	expect "$(cat "$DIR/$1")" "$2" "$1"
}

files()
{
	need_osnoise
	number runtime_us 1000000
	number period_us 1000000
	number stop_tracing_us 0
	number stop_tracing_total_us 0
	number cpus "$all"
	number options "OSNOISE_WORKLOAD $NO_OTHERS NO_OSNOISE_IRQ_DISABLE"
	put OSNOISE_IRQ_DISABLE "$DIR/options"
	put NO_OSNOISE_WORKLOAD "$DIR/options"
	number options "NO_OSNOISE_WORKLOAD $NO_OTHERS OSNOISE_IRQ_DISABLE"
	put DEFAULTS "$DIR/options"
	number options "OSNOISE_WORKLOAD $NO_OTHERS NO_OSNOISE_IRQ_DISABLE"
	put 0 "$DIR/cpus"
	number cpus 0
}

bad_input()
{
	need_osnoise
	expect_write EINVAL w "$DIR/runtime_us" '1000001\n'
	expect_write EINVAL w "$DIR/runtime_us" '0\n'
	expect_write EINVAL w "$DIR/period_us" '999999\n'
	expect_write EINVAL w "$DIR/period_us" 'x\n'
	expect_write EINVAL w "$DIR/options" 'NO_SUCH\n'
	expect_write EINVAL w "$DIR/options" 'NO_DEFAULTS\n'
	expect_write EINVAL w "$DIR/cpus" 'x\n'
	expect_write EINVAL w "$DIR/cpus" '\n'
	number runtime_us 1000000
	number period_us 1000000
	number cpus "$all"
}

lines()
{
	use
	wait_for 30 has_events 4 || fail "there are $(nr_events) lines"
	put 0 tracing_on
	line='osnoise/[0-9]+-[0-9]+ +\[[0-9]{3}\] [^ ]{5} +[0-9]+\.[0-9]{6}: '
	line="$line"'[0-9]+ [ 0-9]{10} [ 0-9]{3}\.[0-9]{5} [ 0-9]{7}( [ 0-9]{6}){5}$'
	expect "$(events | grep -Evc "$line")" 0 "lines of another form"
	expect "$(head -n 1 trace)" "# tracer: osnoise" "the first line"
	line='^#  *TASK-PID  *CPU# |||||  *TIMESTAMP  *IN US  *IN US  *AVAILABLE  *IN US'
	expect_true "there is a header" grep -q "$line  *HW  *NMI  *IRQ  *SIRQ THREAD\$" trace
	expect "$(events | awk '$5 < 50000 || $5 > 500000 || $6 > $5 { n++ }
				END { print n + 0 }')" \
	       0 "lines with a runtime or a noise that cannot be"
	expect "$(events | awk '{ d = 100 - 100 * $6 / $5 - $7; if (d > 0.1 || d < -0.1) n++ }
				END { print n + 0 }')" \
	       0 "lines whose percentage is not that of the noise"
}

# There is a timer interrupt in each period, and another task when one is busy.
counts()
{
	use
	load_start
	wait_for 30 has_events 6 || fail "there are $(nr_events) lines"
	put 0 tracing_on
	load_stop
	expect_true "interrupts are counted: $(events | tail -n 2)" \
		    [ "$(events | awk '{ n += $11 } END { print n + 0 }')" -gt 0 ]
	expect_true "threads are counted: $(events | tail -n 2)" \
		    [ "$(events | awk '{ n += $13 } END { print n + 0 }')" -gt 0 ]
	expect_true "they are noise: $(events | tail -n 2)" \
		    [ "$(events | awk '{ n += $6 } END { print n + 0 }')" -gt 1000 ]
}

irq_disable()
{
	need_osnoise
	put 5000 "$DIR/runtime_us"
	put 50000 "$DIR/period_us"
	put OSNOISE_IRQ_DISABLE "$DIR/options"
	put osnoise current_tracer
	wait_for 30 has_events 4 || fail "there are $(nr_events) lines"
	put 0 tracing_on
	expect "$(events | awk '{ n += $11 + $12 + $13 } END { print n + 0 }')" 0 "interferences"
}

stops()
{
	need_osnoise
	put 1 "$DIR/stop_tracing_us"
	use
	wait_for 30 begins tracing_on 0 || fail "it did not stop"
	put 0 "$DIR/stop_tracing_us"
	put 1 "$DIR/stop_tracing_total_us"
	put 1 tracing_on
	expect_true "it stops for the sum of noise" wait_for 30 begins tracing_on 0
}

cpus()
{
	use
	expect "$(threads)" "$(grep -c '^processor' /proc/cpuinfo)" "threads"
	put 0 "$DIR/cpus"
	expect "$(threads)" 1 "threads with one CPU"
	put "$all" "$DIR/cpus"
	online=/sys/devices/system/cpu/cpu1/online
	if [ -f $online ]; then
		put 0 $online
		expect "$(threads)" 1 "threads when a CPU has gone"
		put 1 $online
		expect "$(threads)" 2 "threads when it is back"
	fi
	put NO_OSNOISE_WORKLOAD "$DIR/options"
	expect "$(threads)" 0 "threads without the workload"
	put OSNOISE_WORKLOAD "$DIR/options"
	put nop current_tracer
	expect "$(threads)" 0 "threads without the tracer"
}

# Instances share the threads.
instances()
{
	use
	mkdir instances/ftest || skip "no instances"
	put osnoise instances/ftest/current_tracer
	expect "$(threads)" "$(grep -c '^processor' /proc/cpuinfo)" "threads"
	put nop current_tracer
	wait_for 30 grep -q 'osnoise/' instances/ftest/trace || fail "nothing in the instance"
	rmdir instances/ftest
	expect "$(threads)" 0 "threads without an instance"
}

all=$(cat $TRACEFS/osnoise/cpus 2> /dev/null)

testcase files "the files show what was written"
testcase bad_input "a runtime is not longer than a period, and options have names"
testcase lines "periods are shown in the columns of the documentation"
testcase counts "interrupts and other threads are counted"
testcase irq_disable "with interrupts off nothing but hardware interferes"
testcase stops "noise that is too long stops recording"
testcase cpus "there is a thread for each CPU of a list, as CPUs come and go"
testcase instances "instances share the threads"
finish
