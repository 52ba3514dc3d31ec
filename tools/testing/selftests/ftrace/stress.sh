#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Everything at once: the tracer is switched under load on all CPUs while NMIs arrive.
# FTEST_ROUNDS says how often (50).
# shellcheck source=functions.sh

. "$(dirname "$0")/functions.sh"

ROUNDS=${FTEST_ROUNDS:-50}

# Loads what makes the CPUs busy in tasks, in threads of the kernel and in NMIs.
storm_start()
{
	need_module ftest_target threads=2
	if [ -f "$MODULES/ftest_nmi.ko" ]; then
		need_module ftest_nmi
	else
		note "no NMIs here"
	fi
	load_start 600
}

storm_stop()
{
	load_stop
	if module_loaded ftest_nmi; then
		expect_true "NMIs came" [ "$(cat "$(param ftest_nmi handled)")" -gt 10 ]
	fi
}

# Every site is a NOP again: nothing is enabled, and calls leave no entry.
expect_quiet()
{
	expect_file enabled_functions ''
	put 0 "$(param ftest_target threads)"
	drop_module ftest_nmi
	: > trace
	call_targets 3
	expect "$(nr_events)" 0 "entries with nothing enabled"
}

switch_tracer()
{
	storm_start
	i=0
	filled=0
	while [ $i -lt "$ROUNDS" ]; do
		put function current_tracer
		[ -n "$(head -n 20 trace | events -)" ] && filled=$((filled + 1))
		put nop current_tracer
		i=$((i + 1))
	done
	storm_stop
	expect "$filled" "$ROUNDS" "rounds with entries"
	expect_quiet
}

# The functions that the NMIs call, alone, so that most of the time goes to switching them.
switch_filter()
{
	storm_start
	put 'ftest_*' set_ftrace_filter
	put function current_tracer
	i=0
	while [ $i -lt "$ROUNDS" ]; do
		put 'ftest_one ftest_two' set_ftrace_filter
		put_more '!ftest_one' set_ftrace_filter
		put 'ftest_one' set_ftrace_notrace
		put_more 'ftest_*' set_ftrace_filter
		put '' set_ftrace_notrace
		i=$((i + 1))
	done
	expect "$(wc -l < enabled_functions)" 4 "functions enabled"
	storm_stop
	if [ -f "$MODULES/ftest_nmi.ko" ]; then
		put 0 tracing_on
		expect_true "calls in NMIs were traced" sh -c \
			    "grep -Eq '\] [^ ]{2}[zZ][^ ]+ .*: ftest_one <-ftest_caller' trace"
	fi
	put nop current_tracer
	put 1 tracing_on
	expect_quiet
}

ops_come_and_go()
{
	storm_start
	need_module ftest_ops
	put 'ftest_*' set_ftrace_filter
	put function current_tracer
	i=0
	while [ $i -lt $((ROUNDS / 10 + 1)) ]; do
		put hold "$(param ftest_ops run)"
		put hold_regs "$(param ftest_ops run)"
		put release "$(param ftest_ops run)"
		i=$((i + 1))
	done
	expect "$(grep -c '(1)' enabled_functions)" 4 "functions with the tracer alone"
	put nop current_tracer
	storm_stop
	expect_quiet
}

enabled_on_and_off()
{
	storm_start
	put 'ftest_* vfs_*' set_ftrace_filter
	put function current_tracer
	before=$(wc -l < enabled_functions)
	i=0
	while [ $i -lt "$ROUNDS" ]; do
		put 0 $FTRACE_ENABLED
		put 1 $FTRACE_ENABLED
		i=$((i + 1))
	done
	expect "$(wc -l < enabled_functions)" "$before" "functions enabled"
	put nop current_tracer
	storm_stop
	expect_quiet
}

read_again_and_again()
{
	while :; do
		head -n 300 trace > /dev/null
		cat per_cpu/cpu*/stats > /dev/null
	done
}

# Readers of all kinds while the buffer is written, resized and emptied.
readers()
{
	storm_start
	put function current_tracer
	in_background cat trace_pipe > /dev/null
	pipe_pid=$background_pid
	in_background read_again_and_again
	trace_pid=$background_pid
	for size in 64 1000 8 500; do
		"$FILEOP" write w buffer_size_kb "$size" > "$SCRATCH/result"
		# a buffer that is being read may refuse to be resized
		expect_true "resize: $(cat "$SCRATCH/result")" \
			    grep -Eqx '[0-9]+|EBUSY' "$SCRATCH/result"
		sleep 0.2
		: > trace
	done
	end_background "$trace_pid"
	end_background "$pipe_pid"
	expect_true "entries come" [ -n "$(head -n 20 trace | events -)" ]
	put nop current_tracer
	storm_stop
	expect_quiet
}

# A CPU that comes back runs what was switched while it was away.
cpu_goes_and_comes()
{
	online=/sys/devices/system/cpu/cpu1/online
	[ -f $online ] || skip "no CPU that can go"
	storm_start
	drop_module ftest_nmi
	put 0 "$(param ftest_target threads)"
	put 0 $online
	put 'ftest_*' set_ftrace_filter
	put function current_tracer
	put 1 $online
	put 2 "$(param ftest_target threads)"
	expect_true "its functions are traced" wait_for 10 \
		    grep -q ': ftest_one <-ftest_caller' per_cpu/cpu1/trace
	put 0 $online
	put nop current_tracer
	put 1 $online
	storm_stop
	expect_quiet
}

testcase switch_tracer "the tracer switched under load, with NMIs"
testcase switch_filter "filters switched under load, with NMIs"
testcase ops_come_and_go "ops that come and go under load, with NMIs"
testcase enabled_on_and_off "kernel.ftrace_enabled switched under load, with NMIs"
testcase readers "readers under load"
testcase cpu_goes_and_comes "a CPU that goes and comes"
finish
