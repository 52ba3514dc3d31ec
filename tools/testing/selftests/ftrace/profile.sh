#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# The function profiler: function_profile_enabled and the files in trace_stat.
# shellcheck source=functions.sh

. "$(dirname "$0")/functions.sh"

[ -f function_profile_enabled ] || skip_all "no function profiler here"

reset_more()
{
	begins function_profile_enabled 0 || echo 0 > function_profile_enabled
	[ ! -f options/graph-time ] || echo 1 > options/graph-time
	[ ! -f options/sleep-time ] || echo 1 > options/sleep-time
}

needs_time()
{
	head -n 1 trace_stat/function0 | grep -q Time || skip "no function_graph here"
}

# Starts to profile these functions, with all counts at 0.
profile()
{
	put "$1" set_ftrace_filter
	put 1 function_profile_enabled
}

# The tables of all CPUs, without their headers.
tables()
{
	for table in trace_stat/function*; do
		sed 1,2d "$table"
	done
}

# hits FUNCTION: prints its hits on all CPUs
hits()
{
	tables | awk -v name="$1" '$1 == name { n += $2 } END { print n + 0 }'
}

# time_us FUNCTION: prints its time on all CPUs, in whole microseconds
time_us()
{
	tables | awk -v name="$1" '$1 == name { n += $3 } END { printf "%d", n }'
}

defaults()
{
	expect_file function_profile_enabled 0
	for cpu in per_cpu/cpu*; do
		expect_true "a file for $cpu" test -f "trace_stat/function${cpu##*cpu}"
	done
	expect_write EINVAL w function_profile_enabled x
	expect_write EINVAL w function_profile_enabled ''
	expect_file function_profile_enabled 0
}

counts()
{
	need_module ftest_target
	profile 'ftest_one ftest_two'
	expect_file function_profile_enabled 1
	call_targets 300
	expect "$(hits ftest_one)" 300 "hits of a function"
	expect "$(hits ftest_two)" 300 "hits of another"
	expect "$(hits ftest_three)" 0 "hits of a function that is not profiled"
	call_targets 5
	expect "$(hits ftest_one)" 305 "hits after more calls"
	put 0 function_profile_enabled
	expect_file function_profile_enabled 0
	call_targets 7
	expect "$(hits ftest_one)" 305 "hits when it is disabled"
	put 1 function_profile_enabled
	expect "$(hits ftest_one)" 0 "hits when it is enabled again"
	call_targets 2
	put 1 function_profile_enabled
	expect "$(hits ftest_one)" 2 "hits when it was enabled already"
}

text()
{
	needs_time
	need_module ftest_target
	profile 'ftest_*'
	# on one CPU, so that its table has all calls
	taskset 1 sh -c "echo 20 > $(param ftest_target call)"
	put 0 function_profile_enabled
	expect "$(head -n 2 trace_stat/function0)" \
"  Function                               Hit    Time            Avg             s^2
  --------                               ---    ----            ---             ---" "header"
	us='[0-9.]{1,} us +'
	expect "$(tables | grep -Evc "^  .{30}  [ 0-9]{10}    $us $us $us\$")" 0 "other lines"
	expect "$(tables | cut -c 1-48 | grep -cxF "$(printf '  %-30s  %10d    ' ftest_one 20)")" \
	       1 "the line of a function"
	expect "$(for table in trace_stat/function*; do
		sed 1,2d "$table" | awk '{ if (NR > 1 && $3 > last) print; last = $3 }'
	done)" '' "lines out of order"
	# The average is the time divided by the hits
	expect "$(tables | awk '{ d = $3 / $2 - $5; if (d > 0.002 || d < -0.002) print }')" '' \
	       "wrong averages"
}

durations()
{
	needs_time
	profile 'hrtimer_nanosleep'
	taskset 1 sleep 0.2
	taskset 1 sleep 0.4
	put 0 function_profile_enabled
	expect_true "$(time_us hrtimer_nanosleep) us" \
		    test "$(time_us hrtimer_nanosleep)" -ge 600000
	# Other tasks may also sleep
	awk '$1 == "hrtimer_nanosleep" && $2 == 2' trace_stat/function0 > "$SCRATCH/line"
	[ -s "$SCRATCH/line" ] || skip "another task slept at the same time"
	# The variance of 0.2 s and 0.4 s is about 2e10 us^2
	expect "$(awk '$7 < 1e10 || $7 > 1e11' "$SCRATCH/line")" '' "wrong variance"
}

# A call is counted at its entry, and its time is added at its return.
begins_first()
{
	needs_time
	need_module ftest_target
	profile 'do_exit tree_sits'
	(:)
	expect_true "tasks that exit" test "$(hits do_exit)" -ge 1
	expect "$(tables | awk '$1 == "do_exit" { n += $3 } END { print n + 0 }')" 0 "their time"
	put 1 "$(param ftest_target sits)"
	wait_for 20 has_hit tree_sits || fail "no hit of a call that has begun"
	expect "$(hits tree_sits) $(time_us tree_sits)" "1 0" "its hit and its time"
	put 0 "$(param ftest_target sits)"
	expect "$(hits tree_sits)" 1 "hits when it has returned"
	expect_true "its time" test "$(time_us tree_sits)" -gt 0
}

has_hit()
{
	[ "$(hits "$1")" -gt 0 ]
}

graph_time()
{
	needs_time
	profile 'hrtimer_nanosleep do_nanosleep'
	put 0 options/graph-time
	sleep 0.3
	put 0 function_profile_enabled
	expect_true "the callee: $(time_us do_nanosleep)" \
		    test "$(time_us do_nanosleep)" -ge 300000
	expect_true "the caller: $(time_us hrtimer_nanosleep)" \
		    test "$(time_us hrtimer_nanosleep)" -lt 100000
	put 1 options/graph-time
	put 1 function_profile_enabled
	sleep 0.3
	expect_true "the caller with graph-time: $(time_us hrtimer_nanosleep)" \
		    test "$(time_us hrtimer_nanosleep)" -ge 300000
}

sleep_time()
{
	needs_time
	profile 'hrtimer_nanosleep'
	put 0 options/sleep-time
	sleep 0.3
	expect "$(hits hrtimer_nanosleep)" 1 "hits"
	expect_true "time without sleep: $(time_us hrtimer_nanosleep)" \
		    test "$(time_us hrtimer_nanosleep)" -lt 100000
}

histogram()
{
	needs_time
	[ -f trace_stat/histogram0 ] || skip "no histograms here"
	need_module ftest_target
	profile 'ftest_one hrtimer_nanosleep'
	call_targets 100
	sleep 0.3
	put 0 function_profile_enabled
	cat trace_stat/histogram* > "$SCRATCH/histograms"
	expect "$(awk '/^[^ #]/ { name = $1 } /->/ && name == "ftest_one" { n += $5 }
		      END { print n }' "$SCRATCH/histograms")" 100 "calls in all slots"
	expect "$(awk '/^[^ #]/ { name = $1 } /->/ && name == "hrtimer_nanosleep" && $5 {
		      print ($1 >= 268435456 && $1 * 2 - 1 == $3), $5 }' "$SCRATCH/histograms")" \
	       "1 1" "the slot of a call of 0.3 s"
	expect "$(grep -c '|\*\{40\} *|$' "$SCRATCH/histograms")" \
	       "$(grep -c '^[^ #]' "$SCRATCH/histograms")" "longest bars, one per function"
	expect "$(grep -h '^# calls missed' "$SCRATCH/histograms" | sort -u)" \
	       "# calls missed for lack of memory: 0" "calls missed"
}

beside_tracers()
{
	need_module ftest_target
	profile 'ftest_*'
	put function current_tracer
	call_targets 3
	expect "$(events | grep -c ' ftest_one .*<-ftest_caller')" 3 "calls that are traced"
	put nop current_tracer
	call_targets 3
	expect "$(hits ftest_one)" 6 "hits with and without a tracer"
}

# A function of an unloaded module has no name, and the remaining columns are correct.
module_goes()
{
	need_module ftest_target
	profile 'ftest_one vfs_read'
	call_targets 3
	drop_module ftest_target
	expect "$(hits ftest_one)" 0 "hits by the name"
	expect "$(tables | awk '$1 ~ /^0x/ { n += $2 } END { print n }')" 3 "hits by the address"
}

# All functions, repeatedly, on all CPUs.
all_functions()
{
	load_start 300
	for _ in $(rounds 3); do
		put 1 function_profile_enabled
		sleep 0.5
		put 0 function_profile_enabled
		cat trace_stat/* > "$SCRATCH/stats"
	done
	load_stop
	expect_true "functions" test "$(tables | wc -l)" -gt 300
	# A call can return on another CPU
	expect "$(tables | awk '{ print ($2 == 0 && $3 == 0) }' | sort -u)" 0 \
	       "functions without a hit and without a time"
}

# CPUs other than the first
cpu_comes()
{
	off=$(ls -d /sys/devices/system/cpu/cpu[1-9]* 2> /dev/null | tail -n 1)
	[ -f "$off/online" ] || skip "no CPU can go offline"
	put 0 "$off/online"
	profile 'vfs_read schedule'
	put 1 "$off/online"
	sleep 0.3
	expect_true "calls on the CPU that went online" \
		    test "$(wc -l < "trace_stat/function${off##*cpu}")" -gt 2
}

testcase defaults "profiling is off by default, and invalid input is rejected"
testcase counts "calls of the functions of set_ftrace_filter are counted, from 0 when it is enabled"
testcase text "the table has the format that tools parse"
testcase durations "times and their variance are right"
testcase begins_first "a call is counted at its entry, and its time at its return"
testcase graph_time "without graph-time, the time of callees does not count"
testcase sleep_time "without sleep-time, the time that a task does not run does not count"
testcase histogram "each call is in the histogram of its function"
testcase beside_tracers "a tracer at the same time makes no difference"
testcase module_goes "a module can be unloaded after its functions were counted"
slowcase all_functions "all functions are profiled under load"
testcase cpu_comes "a CPU that goes online is profiled"
finish
