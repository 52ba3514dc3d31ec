#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Function tracing is switched on and off under load on all CPUs, while NMIs arrive.
# FTEST_ROUNDS is the number of rounds (50), FTEST_SECONDS the duration of everything() (10).
# shellcheck source=functions.sh

. "$(dirname "$0")/functions.sh"

ROUNDS=${FTEST_ROUNDS:-50}
DURATION=${FTEST_SECONDS:-10}
STACK_TRACER=/proc/sys/kernel/stack_tracer_enabled

# Undoes the settings that the last cases leave
reset_more()
{
	for dir in instances/ftest_[1-3]; do
		[ ! -d "$dir" ] || rmdir "$dir"
	done
	[ ! -f $STACK_TRACER ] || begins $STACK_TRACER 0 || echo 0 > $STACK_TRACER
	[ ! -f hwlat_detector/width ] || echo 500000 > hwlat_detector/width
	[ ! -f osnoise/runtime_us ] || echo 1000000 > osnoise/runtime_us
	[ ! -f osnoise/timerlat_period_us ] || echo 1000 > osnoise/timerlat_period_us
	[ ! -f tracing_thresh ] || echo 0 > tracing_thresh
}

# Keeps the CPUs busy in tasks, in kernel threads and in NMIs.
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
		expect_true "NMIs were handled" [ "$(cat "$(param ftest_nmi handled)")" -gt 10 ]
	fi
}

# Fails unless every call site is a NOP again: nothing is enabled, and calls make no entry.
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

# Only functions that the NMIs call, so that most of the time is spent on switching them.
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
	expect "$(grep -c '(1)' enabled_functions)" 4 "functions with only the tracer"
	put nop current_tracer
	storm_stop
	expect_quiet
}

ftrace_enabled()
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

# may_refuse FILE VALUE: a buffer that is being read may reject a change
may_refuse()
{
	"$FILEOP" write w "$1" "$2" > "$SCRATCH/result"
	expect_true "$2 for $1: $(cat "$SCRATCH/result")" grep -Eqx '[0-9]+|EBUSY' "$SCRATCH/result"
}

readers()
{
	storm_start
	put function current_tracer
	in_background cat trace_pipe > /dev/null
	pipe_pid=$background_pid
	in_background read_again_and_again
	trace_pid=$background_pid
	for size in 64 1000 8 500; do
		may_refuse buffer_size_kb $size
		sleep 0.2
		: > trace
		may_refuse buffer_subbuf_size_kb $((2 * page_kb))
		[ ! -f snapshot ] || may_refuse snapshot 1
		sleep 0.2
		[ ! -f snapshot ] || may_refuse snapshot 1
		may_refuse buffer_subbuf_size_kb "$page_kb"
		[ ! -f snapshot ] || may_refuse snapshot 0
	done
	end_background "$trace_pid"
	end_background "$pipe_pid"
	expect_true "entries are recorded" [ -n "$(head -n 20 trace | events -)" ]
	put nop current_tracer
	storm_stop
	expect_quiet
}

# A CPU that was offline while sites changed executes the new code.
hotplug()
{
	online=/sys/devices/system/cpu/cpu1/online
	[ -f $online ] || skip "no CPU can go offline"
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

# Reporting a latency takes interrupts. If these counted as latencies in turn, their CPU would
# do nothing else.
short_thresh()
{
	tested=
	read -r begin _ < /proc/uptime
	put 1 tracing_thresh
	for tracer in irqsoff preemptoff preemptirqsoff wakeup wakeup_rt; do
		grep -qw $tracer available_tracers || continue
		put $tracer current_tracer
		in_background cat trace_pipe > /dev/null
		sleep 0.3
		end_background "$background_pid"
		put nop current_tracer
		tested="$tested $tracer"
	done
	[ -n "$tested" ] || skip "no latency tracers here"
	read -r end _ < /proc/uptime
	expect_true "not much slower than without:$tested" \
		    [ $((${end%.*} - ${begin%.*})) -lt 60 ]
}

# The functions round_of_* do one round of an action. A round may fail because another action
# holds a resource. Its status is 0 if the main step worked, and the case requires one such
# round of each action. This function gets the number of the round.
round_of_ops()
{
	round=$(($1 % 6 + 1))
	set -- hold hold_regs remove_ip hold hold_ipmodify release
	shift $((round - 1))
	echo "$1" > "$(param ftest_ops run)"
}

round_of_filters()
{
	for what in 'ftest_*' 'vfs_* ftest_one' '' '*lock*' ftest_two; do
		echo "$what" > set_ftrace_filter
		echo "!ftest_t*" >> set_ftrace_filter
		echo "$what" > set_ftrace_notrace
	done
}

round_of_modules()
{
	insmod "$MODULES/ftest_kprobe.ko" && insmod "$MODULES/ftest_corrupt.ko"
	round_status=$?
	rmmod ftest_corrupt
	rmmod ftest_kprobe
	return $round_status
}

round_of_patch()
{
	insmod "$MODULES/ftest_klp.ko" || return
	sleep 0.5
	drop_patch
	rmmod ftest_klp
}

round_of_enabled()
{
	echo 0 > $FTRACE_ENABLED
	sleep 0.1
	echo 1 > $FTRACE_ENABLED
	sleep 0.3
}

round_of_cpu()
{
	echo 0 > /sys/devices/system/cpu/cpu1/online
	sleep 0.2
	echo 1 > /sys/devices/system/cpu/cpu1/online
	sleep 1
}

# The available tracers, except tracers of devices.
tracers()
{
	tr ' ' '\n' < "$TRACEFS/available_tracers" | grep -vx -e '' -e nop -e blk -e mmiotrace
}

# The tracers that have not been used yet
tracers_left()
{
	slurp "$SCRATCH/switched"
	for left_tracer in $(tracers); do
		case $slurped$NEWLINE in
		*"=$left_tracer$NEWLINE"*) ;;
		*) echo "$left_tracer" ;;
		esac
	done
}

no_tracer_left()
{
	[ -z "$(tracers_left)" ]
}

# set_options OFF ON: sets options of tracers that are off by default, and one that is on by
# default
set_options()
{
	for option in funcgraph-keep-slow display-graph funcgraph-retval funcgraph-proc; do
		[ ! -f options/$option ] || echo "$1" > options/$option
	done
	[ ! -f options/tracer-time ] || echo "$2" > options/tracer-time
}

# switch_in DIR LOOP ROUND: starts one of the tracers in DIR, a different one in each round;
# first the tracers that no loop has used. The digits of the seed, in the base of the number of
# tracers, determine the first tracer of each loop, and thus the tracers that run at the same
# time.
switch_in()
{
	cd "$TRACEFS/$1" || return
	switch_dir=$1
	switch_loop=$2
	switch_first=$FTEST_SEED
	# shellcheck disable=SC2046 # a tracer each
	set -- "$3" $(tracers_left)
	# shellcheck disable=SC2046
	[ $# -gt 1 ] || set -- "$1" $(tracers)
	while [ "$switch_loop" -gt 0 ]; do
		switch_first=$((switch_first / ($# - 1)))
		switch_loop=$((switch_loop - 1))
	done
	shift $((($1 + switch_first) % ($# - 1) + 1))
	set_options 1 0
	echo "$1" > current_tracer || return
	echo "${switch_dir##*/}=$1" >> "$SCRATCH/switched"
	head -n 100 trace
	set_options 0 1
	head -n 100 trace
}

round_of_top()
{
	(switch_in . 0 "$1")
	round_status=$?
	cat enabled_functions
	echo nop > current_tracer
	return $round_status
}

# instance_round LOOP ROUND FILTER: the instance has a tracer until the next round, or until it
# is removed
instance_round()
{
	instance=instances/ftest_$1
	[ -d "$instance" ] || mkdir "$instance" && echo "$3" > "$instance/set_ftrace_filter"
	(switch_in "$instance" "$1" "$2")
	round_status=$?
	[ $(($2 % 4)) != 3 ] || rmdir "$instance"
	return $round_status
}

round_of_instance_1()
{
	instance_round 1 "$1" 'ftest_*'
}

round_of_instance_2()
{
	instance_round 2 "$1" 'vfs_* ftest_one'
}

round_of_instance_3()
{
	instance_round 3 "$1" 'do_*'
}

round_of_profile()
{
	echo 1 > function_profile_enabled || return
	head -n 100 trace_stat/function0
	sleep 0.5
	echo 0 > function_profile_enabled
	sleep 0.5
}

round_of_stack()
{
	echo 1 > $STACK_TRACER || return
	head -n 100 stack_trace
	echo 0 > stack_max_size
	sleep 0.5
	echo 0 > $STACK_TRACER
	sleep 0.5
}

# again_and_again ACTION: does rounds until there is a file "stop", and keeps the number of
# successful rounds in a file. It is not killed, because the programs that a round has started
# would continue. The pauses let a slow kernel complete the grace periods that each round needs.
again_and_again()
{
	rounds=0
	worked=0
	while [ ! -e "$SCRATCH/stop" ]; do
		if "round_of_$1" $rounds; then
			worked=$((worked + 1))
			echo $worked > "$SCRATCH/rounds_$1"
		fi
		rounds=$((rounds + 1))
		sleep 0.1
	done
}

everything()
{
	need_module ftest_target threads=1
	need_module ftest_ops
	[ ! -f "$MODULES/ftest_nmi.ko" ] || need_module ftest_nmi period_us=20000
	all="ops filters top modules enabled"
	[ ! -d instances ] || all="$all instance_1 instance_2 instance_3"
	[ ! -f function_profile_enabled ] || all="$all profile"
	[ ! -f $STACK_TRACER ] || all="$all stack"
	[ ! -d /sys/kernel/livepatch ] || all="$all patch"
	[ ! -f /sys/devices/system/cpu/cpu1/online ] || all="$all cpu"
	# so that these three leave CPU time to other tasks
	[ ! -f hwlat_detector/width ] || put 20000 hwlat_detector/width
	[ ! -f osnoise/timerlat_period_us ] || put 20000 osnoise/timerlat_period_us
	[ ! -f osnoise/runtime_us ] || put 20000 osnoise/runtime_us
	: > "$SCRATCH/switched"
	rm -f "$SCRATCH/stop"
	pids=
	for what in $all; do
		in_background again_and_again "$what" > /dev/null 2>&1
		pids="$pids $background_pid"
	done
	sleep "$DURATION"
	for what in $all; do
		expect_true "$what finishes a round" \
			    wait_for 240 test -s "$SCRATCH/rounds_$what"
	done
	wait_for 600 no_tracer_left ||
		fail "these tracers did not start: $(tracers_left | tr '\n' ' ')"
	: > "$SCRATCH/stop"
	for pid in $pids; do
		wait "$pid"
	done
	for what in $all; do
		note "$what: $(cat "$SCRATCH/rounds_$what") rounds"
	done
	note "tracers: $(tr '\n' ' ' < "$SCRATCH/switched")"
	[ ! -f /sys/devices/system/cpu/cpu1/online ] || put 1 /sys/devices/system/cpu/cpu1/online
	put 1 $FTRACE_ENABLED
	put nop current_tracer
	set_options 0 1
	[ ! -f function_profile_enabled ] || put 0 function_profile_enabled
	[ ! -f $STACK_TRACER ] || put 0 $STACK_TRACER
	for dir in instances/ftest_[1-3]; do
		[ ! -d "$dir" ] || expect_true "$dir is removed" wait_for 60 rmdir "$dir"
	done
	put release "$(param ftest_ops run)"
	for what in ftest_klp ftest_corrupt ftest_kprobe; do
		drop_patch
		expect_true "$what is unloaded" wait_for 60 drop_module $what
	done
	if module_loaded ftest_nmi; then
		expect_true "NMIs were handled" [ "$(cat "$(param ftest_nmi handled)")" -gt 10 ]
	fi
	put '' set_ftrace_notrace
	put '' set_ftrace_filter
	expect_quiet
	put 'ftest_*' set_ftrace_filter
	put function current_tracer
	call_targets 3
	expect_true "the tracer works" grep -q ': ftest_one <-ftest_caller' trace
	put nop current_tracer
}

# After all this, only tasks that are still inside functions have return stacks. KUnit counts
# them.
ret_stacks()
{
	suite=/sys/kernel/debug/kunit/ftrace_graph_left
	[ -f $suite/run ] || skip "no suite ftrace_graph_left here"
	put 1 $suite/run
	cat $suite/results > "$SCRATCH/results"
	note "$(cat "$SCRATCH/results")"
	expect "$(grep -cx ' *ok 1 test_left' "$SCRATCH/results")" 1 "tests that pass"
}

slowcase switch_tracer "the tracer can be switched under load, with NMIs"
slowcase switch_filter "filters can change under load, with NMIs"
slowcase ops_come_and_go "ftrace_ops can be registered and unregistered under load, with NMIs"
slowcase ftrace_enabled "kernel.ftrace_enabled can be switched under load, with NMIs"
slowcase readers "the buffer can be read, resized and cleared under load"
slowcase hotplug "a CPU that was offline while sites changed executes the new code"
slowcase short_thresh "latency tracers leave time to tasks, whatever tracing_thresh is"
slowcase everything "all actions that change call sites can happen at once"
slowcase ret_stacks "tasks have released their return stacks after that"
finish
