#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Failing allocations: a request is either done or rejected, and a rejected request changes
# nothing. /proc/self/fail-nth makes each allocation fail once; FTEST_STEP=N only each Nth,
# beginning with number FTEST_FIRST, or N.
# shellcheck source=functions.sh

. "$(dirname "$0")/functions.sh"

. "$HERE/disk.sh"

FAULTS=/sys/kernel/debug
STEP=${FTEST_STEP:-1}
# STEP is added to this for the first allocation that fails
BEFORE=$((${FTEST_FIRST:-$STEP} - STEP))
# An instance makes over a thousand allocations, most of them for files that are created alike.
INSTANCE_STEP=$((STEP * 17))

reset_more()
{
	drop_module null_blk
}

# Injected failures write nothing to the log, and allocations that may sleep also fail.
faults_prepare()
{
	mount -t debugfs nodev $FAULTS 2> /dev/null
	for attr in failslab fail_page_alloc; do
		[ -d $FAULTS/$attr ] || continue
		echo 0 > $FAULTS/$attr/verbose
		echo N > $FAULTS/$attr/ignore-gfp-wait
	done
	[ ! -d $FAULTS/fail_page_alloc ] || echo 0 > $FAULTS/fail_page_alloc/min-order
}

# attempt NTH BYTES FILE: a write during which the NTH allocation fails. Prints its status, and
# 1 if there were fewer allocations than NTH; the error is written to $SCRATCH/why. It starts no
# process.
attempt()
{
	(
		exec 2> "$SCRATCH/why"
		echo "$1" > /proc/self/fail-nth
		attempt_rc=0
		echo "$2" > "$3" || attempt_rc=1
		attempt_left=1
		read -r attempt_left < /proc/self/fail-nth
		echo 0 > /proc/self/fail-nth
		[ "$attempt_left" = 0 ] || attempt_left=1
		echo "$attempt_rc $attempt_left"
	)
}

# starve BYTES FILE UNDO SEEN: makes each allocation of a write of BYTES fail once, compares the
# content of the file SEEN with its content after success, and writes UNDO.
starve()
{
	put "$3" "$2"
	starve_old=$(cat "$4")
	put "$1" "$2"
	starve_new=$(cat "$4")
	expect_false "the write has an effect" [ "$starve_new" = "$starve_old" ]
	put "$3" "$2"
	starve_nth=$BEFORE
	starve_refused=0
	starve_enough=0
	while [ $starve_enough = 0 ]; do
		starve_nth=$((starve_nth + STEP))
		[ $starve_nth -lt 1000 ] || fail "too many allocations"
		starve_result=$(attempt $starve_nth "$1" "$2")
		starve_enough=${starve_result#* }
		starve_now=$(cat "$4")
		if [ "$starve_now" = "$starve_old" ]; then
			starve_refused=$((starve_refused + 1))
		else
			expect "$starve_now" "$starve_new" "$4, allocation $starve_nth"
			expect "${starve_result% *}" 0 "effect of a failed write, $starve_nth"
		fi
		put "$3" "$2"
		expect "$(cat "$4")" "$starve_old" "$4 back, allocation $starve_nth"
	done
	expect "$starve_now" "$starve_new" "$4 when there is memory"
	expect_true "some writes were rejected" [ $starve_refused -gt 0 ]
	note "$starve_nth allocations, $starve_refused refused"
}

# starve_event BYTES FILE UNDO WANT: makes each allocation of a write to FILE fail once. The
# write is rejected for lack of memory and changes nothing, or FILE contains WANT. The module is
# loaded again each time, so that its events have not been used, and their fields have not been
# read.
starve_event()
{
	starve_nth=$BEFORE
	starve_refused=0
	starve_enough=0
	# Each page is an allocation
	put $((2 * page_kb)) buffer_size_kb
	while [ $starve_enough = 0 ]; do
		starve_nth=$((starve_nth + STEP))
		[ $starve_nth -lt 1000 ] || fail "too many allocations"
		need_module ftest_events
		starve_old=$(cat "$2")
		starve_result=$(attempt $starve_nth "$1" "$2")
		starve_enough=${starve_result#* }
		starve_now=$(cat "$2")
		if [ "${starve_result% *}" = 0 ]; then
			expect "$starve_now" "$4" "$2, allocation $starve_nth"
			put_more "$3" "$2"
			expect "$(cat "$2")" "$starve_old" "$2 back, allocation $starve_nth"
		else
			starve_refused=$((starve_refused + 1))
			expect "$starve_now" "$starve_old" "$2, allocation $starve_nth"
			expect_true "the error: $(cat "$SCRATCH/why")" \
				    grep -q 'Cannot allocate memory' "$SCRATCH/why"
			expect_file events/ftest/enable 0
		fi
		rmmod ftest_events || fail "the module is not unloaded"
	done
	expect "$starve_result" '0 1' "the write when there is memory"
	expect_true "some writes were rejected" [ $starve_refused -gt 2 ]
	note "$starve_nth allocations, $starve_refused refused"
}

event_enable()
{
	in_instance
	starve_event 1 events/ftest/ftest_first/enable 0 1
	starve_event ftest_first set_event '!ftest_first' ftest:ftest_first
	starve_event :mod:ftest_target set_event '!:mod:ftest_target' :mod:ftest_target
}

event_filter()
{
	in_instance
	text='half > 3 && chars ~ "*x" && cpu & CPUS{0} && comm == "y"'
	starve_event "$text" events/ftest/ftest_numbers/filter 0 "$text"
	text='text ~ "a*" || text.ustring == "b"'
	starve_event "$text" events/ftest/ftest_pointer/filter 0 "$text"
	starve_event 'count == 3' events/ftest/filter 0 'count == 3'
}

event_trigger()
{
	in_instance
	file=events/ftest/ftest_numbers/trigger
	starve_event 'enable_event:ftest:ftest_first:3 if half == 3' $file \
		     '!enable_event:ftest:ftest_first' \
		     'enable_event:ftest:ftest_first:count=3 if half == 3'
	starve_event 'stacktrace if chars == "x"' $file '!stacktrace' \
		     'stacktrace:unlimited if chars == "x"'
	[ ! -f snapshot ] || starve_event snapshot:2 $file '!snapshot' snapshot:count=2
}

event_commands()
{
	in_instance
	starve_event ksys_fadvise64_64:enable_event:ftest:ftest_first:2 set_ftrace_filter \
		     '!ksys_fadvise64_64:enable_event:ftest:ftest_first:0' "$EMPTY_FILTER
ksys_fadvise64_64:enable_event:ftest:ftest_first:count=2"
}

# format_hungry NTH FILE: reads it while the NTH allocation fails; prints the text except the
# number of the event, and whether there were NTH allocations
format_hungry()
{
	(
		hungry_text=
		hungry_left=1
		echo "$1" > /proc/self/fail-nth
		while read -r hungry_line; do
			[ "${hungry_line#ID:}" != "$hungry_line" ] ||
				hungry_text="$hungry_text$hungry_line;"
		done < "$2"
		read -r hungry_left < /proc/self/fail-nth
		echo 0 > /proc/self/fail-nth
		[ "$hungry_left" = 0 ] && echo more
		echo "$hungry_text"
	) 2> /dev/null
}

# A format without fields would look like the format of an event that has no fields.
event_format()
{
	for file in ftest/ftest_numbers/format header_page header_event; do
		need_module ftest_events
		want=$(format_hungry 999 events/$file)
		rmmod ftest_events
		nth=0
		got='more'
		while [ "${got#more}" != "$got" ]; do
			nth=$((nth + 1))
			[ $nth -lt 100 ] || fail "there is no end of allocations"
			need_module ftest_events
			got=$(format_hungry $nth events/$file)
			case $got in
			more|"$want") ;;
			*) expect "$got" "more
$want" "$file, allocation $nth" ;;
			esac
			rmmod ftest_events
		done
		expect "$got" "$want" "$file when there is memory"
		expect_true "some failed" [ $nth -gt 2 ]
	done
}

# starve_latency TRACER: a latency tracer, whose snapshot takes an allocation per page
starve_latency()
{
	put $((4 * page_kb)) buffer_size_kb
	starve "$1" current_tracer nop current_tracer
}

filter_name() { starve vfs_read set_ftrace_filter vfs_open set_ftrace_filter; }
filter_glob() { starve 'vfs_r*' set_ftrace_filter vfs_open set_ftrace_filter; }
filter_source() { starve 'vfs_*:src:fs/open.c' set_ftrace_filter vfs_read set_ftrace_filter; }
monitor() { starve 1 rv/monitors/wwnr/enable 0 rv/enabled_monitors; }
notrace() { starve vfs_read set_ftrace_notrace vfs_open set_ftrace_notrace; }

# threads_survive NAME ALL ONE FILE: writing ALL makes a thread NAME for each CPU, writing ONE
# makes a single thread. After a failed allocation there are the threads of ALL or of ONE.
threads_survive()
{
	cpus=$(grep -c '^processor' /proc/cpuinfo)
	nth=0
	refused=0
	result='0 0'
	while [ "${result#* }" = 0 ]; do
		nth=$((nth + 1))
		[ $nth -lt 500 ] || fail "too many allocations"
		put "$3" "$4"
		result=$(attempt $nth "$2" "$4")
		want=$cpus
		[ "${result% *}" = 0 ] || want=1
		[ "${result% *}" = 0 ] || refused=$((refused + 1))
		expect "$(ps | grep -c "[ []$1/*[0-9]*\]*$")" "$want" "threads, allocation $nth"
	done
	expect_true "some writes were rejected" [ $refused -gt 0 ]
	note "$nth allocations, $refused refused"
}

osnoise_threads()
{
	grep -qw osnoise available_tracers || skip "no tracer osnoise"
	all=$(cat osnoise/cpus)
	put osnoise current_tracer
	threads_survive osnoise "$all" 0 osnoise/cpus
}

hwlat_threads()
{
	grep -qw hwlat available_tracers || skip "no tracer hwlat"
	put 1000 hwlat_detector/width
	put hwlat current_tracer
	threads_survive hwlatd per-cpu none hwlat_detector/mode
	put round-robin hwlat_detector/mode
	put 500000 hwlat_detector/width
}

starts_osnoise() { starve osnoise current_tracer nop current_tracer; }
starts_timerlat() { starve timerlat current_tracer nop current_tracer; }
starts_mmiotrace() { starve mmiotrace current_tracer nop current_tracer; }
starts_blk() { starve blk current_tracer nop current_tracer; }
starts_hwlat() { starve hwlat current_tracer nop current_tracer; }
starts_irqsoff() { starve_latency irqsoff; }
starts_function_graph() { starve function_graph current_tracer nop current_tracer; }

stack_tracer()
{
	sysctl=/proc/sys/kernel/stack_tracer_enabled
	[ -f $sysctl ] || skip "no stack tracer"
	starve 1 $sysctl 0 $sysctl
}

# The profiler has a table for each CPU, and is a user of function graph.
profiler()
{
	[ -f function_profile_enabled ] || skip "no profiler"
	put vfs_read set_ftrace_filter
	starve 1 function_profile_enabled 0 function_profile_enabled
	put 1 function_profile_enabled
	read_something
	put 0 function_profile_enabled
	expect_true "calls are counted" eval 'cat trace_stat/function* | grep -q vfs_read'
}

# The tracer restarts with memory for pending trees.
graph_trees()
{
	[ -f options/funcgraph-keep-slow ] || skip "no option funcgraph-keep-slow"
	put vfs_read set_ftrace_filter
	put function_graph current_tracer
	starve 1 options/funcgraph-keep-slow 0 options/funcgraph-keep-slow
	: > trace
	read_something
	expect_true "it is traced" grep -q 'vfs_read' trace
}

# The tracer restarts. If that fails for lack of memory, it continues with the old filter.
graph_function()
{
	[ -f set_graph_function ] || skip "no function_graph here"
	put 'vfs_read vfs_open' set_ftrace_filter
	put function_graph current_tracer
	starve vfs_read set_graph_function vfs_open set_graph_function
	expect_file current_tracer function_graph
	put vfs_read set_graph_function
	: > trace
	read_something
	expect_true "it is traced" grep -q 'vfs_read' trace
	expect_false "another function is traced" grep -q 'vfs_open' trace
	echo > set_graph_function
}

# An event in a running program
uprobe_event()
{
	uprobe_at=$("$HERE/uprobeop" where | sed -n 's/^probed \([^ ]*\) .*/\1/p')
	uprobe_line="p:f $HERE/uprobeop:$uprobe_at s=+0(\$stack):string"
	# Most allocations are for the files of the event, as with each event
	STEP=$((STEP * 3))
	starve "$uprobe_line" uprobe_events '' uprobe_events
	put "$uprobe_line" uprobe_events
	mkfifo "$SCRATCH/never"
	exec 7<> "$SCRATCH/never"
	in_background sh -c "exec '$HERE/uprobeop' wait < '$SCRATCH/never' > '$SCRATCH/waiting'"
	echo >&7
	wait_for 10 grep -q patched "$SCRATCH/waiting" || fail "no answer"
	starve 1 events/uprobes/f/enable 0 events/uprobes/f/enable
	expect "$("$HERE/uprobeop" run 1 | tail -n 1)" 'patched 0' "breakpoints left in programs"
	: > uprobe_events
}

# Repeated calls are counted on each CPU.
repeats()
{
	[ -f options/func-no-repeats ] || skip "no option func-no-repeats"
	put vfs_read set_ftrace_filter
	put function current_tracer
	starve 1 options/func-no-repeats 0 options/func-no-repeats
	put 0 options/func-no-repeats
	: > trace
	read_something
	expect_true "it is traced" grep -q 'vfs_read <-' trace
}

graph_cost()
{
	[ -f options/tracer-time ] || skip "no option tracer-time"
	put vfs_open set_ftrace_filter
	put function_graph current_tracer
	starve 0 options/tracer-time 1 options/tracer-time
}

display_graph()
{
	[ -f options/display-graph ] || skip "no option display-graph"
	grep -qw wakeup available_tracers || skip "no tracer wakeup"
	put wakeup current_tracer
	starve 1 options/display-graph 0 options/display-graph
}

starts_wakeup() { starve_latency wakeup; }

# Patterns for a module that is not loaded; one of them is negated.
filter_waiting()
{
	starve 'ftest_*:mod:ftest_target !ftest_one:mod:ftest_target' set_ftrace_filter \
	       vfs_open set_ftrace_filter
}

# Without memory for a trampoline the list function is called, so flags may differ.
users()
{
	cut -d ' ' -f 1-2 enabled_functions > "$SCRATCH/users"
}

tracer()
{
	put vfs_read set_ftrace_filter
	starve function current_tracer nop current_tracer
	put function current_tracer
	: > trace
	read_something
	expect_true "it is traced" grep -q 'vfs_read <-' trace
}

filter_traced()
{
	put vfs_open set_ftrace_filter
	put function current_tracer
	starve 'vfs_read vfs_write' set_ftrace_filter vfs_open set_ftrace_filter
	users
	expect_file "$SCRATCH/users" 'vfs_open (1)'
	: > trace
	read_something
	expect_true "the function in the filter is traced" grep -q 'vfs_open <-' trace
	expect_false "another function is traced" grep -q 'vfs_read <-' trace
}

# A caller that removes a probe does not check for errors, so removal must not fail.
remove_ip()
{
	need_module ftest_target
	need_module ftest_ops
	nth=$BEFORE
	enough=0
	while [ $enough = 0 ]; do
		nth=$((nth + STEP))
		[ $nth -lt 500 ] || fail "too many allocations"
		enough=$(attempt $nth remove_ip "$(param ftest_ops run)")
		enough=${enough#* }
	done
	log_since_mark | grep run_remove_ip > "$SCRATCH/unmet"
	expect_file "$SCRATCH/unmet" ''
	note "$nth allocations"
}

buffer_size()
{
	put $((2 * page_kb)) buffer_size_kb
	put kept trace_marker
	starve $((4 * page_kb)) buffer_size_kb $((2 * page_kb)) buffer_size_kb
	expect_true "earlier entries" grep -q ': kept$' trace
}

page_size()
{
	put $((2 * page_kb)) buffer_size_kb
	starve $((2 * page_kb)) buffer_subbuf_size_kb "$page_kb" buffer_subbuf_size_kb
}

# random_faults PERCENT: makes allocations of this process fail at random; 0 ends it
random_faults()
{
	for attr in failslab fail_page_alloc; do
		[ -d $FAULTS/$attr ] || continue
		echo Y > $FAULTS/$attr/task-filter
		echo -1 > $FAULTS/$attr/times
		echo "$1" > $FAULTS/$attr/probability
	done
}

# attempt_rest NTH BYTES FILE: a write during which the NTH allocation and the next ones fail.
# Prints how many more allocations were missing to the NTH, 0 if it failed.
attempt_rest()
{
	random_faults 100
	for attr in failslab fail_page_alloc; do
		[ ! -d $FAULTS/$attr ] || echo 40 > $FAULTS/$attr/times
	done
	(
		exec 2> "$SCRATCH/why" 6> /proc/self/make-it-fail
		# while this counts, no other allocation fails
		echo "$1" > /proc/self/fail-nth
		echo 1 >&6
		echo "$2" > "$3"
		echo 0 >&6
		read -r attempt_left < /proc/self/fail-nth
		echo 0 > /proc/self/fail-nth
		echo "$attempt_left"
	)
	random_faults 0
}

# loses TRACER OPTION: the option restarts the tracer. Without memory to restart it with the new
# or the old setting, the instance has no tracer, and the log reports that. The last 40 of the
# allocations are tried; failures of earlier ones have the same effect as the first of these.
loses()
{
	put vfs_read set_ftrace_filter
	put "$1" current_tracer
	all=$((100000 - $(attempt_rest 100000 1 options/$2)))
	put 0 options/$2
	nth=$((all > 40 ? all - 40 : 0))
	lost=0
	while [ $nth -le $all ]; do
		nth=$((nth + 1))
		put "$1" current_tracer
		attempt_rest $nth 1 options/$2 > "$SCRATCH/left"
		if begins current_tracer nop; then
			lost=$((lost + 1))
			expect "$(log_since_mark | grep -c "failed to restart tracer $1")" \
			       $lost "messages, allocation $nth"
		fi
		put 0 options/$2
	done
	expect_file current_tracer "$1"
	expect_true "it is lost once" [ $lost -gt 0 ]
	read_something
	expect_true "it is traced when there is memory" grep -q 'vfs_read' trace
	note "$all allocations, lost at $lost"
}

loses_function() { loses function func-no-repeats; }
loses_function_graph() { loses function_graph funcgraph-keep-slow; }

# The buffer and the spare buffer have the same size again, whichever allocation failed.
spare_sizes()
{
	[ -f snapshot ] || skip "no snapshots here"
	[ -w /proc/self/make-it-fail ] || skip "no fault injection"
	put $((2 * page_kb)) buffer_size_kb
	put 1 snapshot
	random_faults 4
	(
		echo 1 > /proc/self/make-it-fail
		i=0
		while [ $i -lt 60 ]; do
			echo $((4 * page_kb)) > buffer_size_kb
			echo $((2 * page_kb)) > buffer_subbuf_size_kb
			echo $((6 * page_kb)) > buffer_size_kb
			echo "$page_kb" > buffer_subbuf_size_kb
			i=$((i + 1))
		done
		echo 0 > /proc/self/make-it-fail
	) 2> /dev/null
	random_faults 0
	put kept trace_marker
	expect_write 2 w snapshot '1\n'
	expect_true "the snapshot has it" grep -q ': kept$' snapshot
	put 0 snapshot
}

snapshot()
{
	[ -f snapshot ] || skip "no snapshots here"
	put $((2 * page_kb)) buffer_size_kb
	put 0 snapshot
	starve 1 snapshot 0 snapshot
}

# The files of an instance, except those that need a look-up of each event.
instance_files()
{
	ls "$1" "$1/options" "$1/events" "$1/events/sched" "$1/per_cpu" "$1"/per_cpu/cpu* 2>&1 |
		sed "s,$1,,"
}

# An instance with all files, or none.
instance()
{
	[ -d instances ] || skip "no instances here"
	mkdir instances/whole
	instance_files instances/whole > "$SCRATCH/whole"
	rmdir instances/whole
	nth=0
	refused=0
	result='0 0'
	while [ "${result#* }" = 0 ]; do
		nth=$((nth + INSTANCE_STEP))
		result=$("$FILEOP" mkdir $nth instances/whole)
		if [ "${result% *}" = 0 ]; then
			instance_files instances/whole > "$SCRATCH/files"
			expect_file "$SCRATCH/files" "$(cat "$SCRATCH/whole")"
			rmdir instances/whole
		else
			refused=$((refused + 1))
			expect "${result% *}" ENOMEM "the error, allocation $nth"
			expect_false "a directory, allocation $nth" [ -d instances/whole ]
		fi
	done
	expect "$result" '0 1' "when there is memory"
	expect_true "some were rejected" [ $refused -gt 10 ]
	note "$nth allocations, $refused refused"
}

names_size()
{
	size=$(cat saved_cmdlines_size)
	starve 256 saved_cmdlines_size 128 saved_cmdlines_size
	put "$size" saved_cmdlines_size
}

# read_hungry NTH FILE: opens it and reads a line while the NTH allocation fails. Prints "more"
# if there were NTH allocations.
read_hungry()
{
	(
		hungry_left=1
		echo "$1" > /proc/self/fail-nth
		read -r _ < "$2"
		read -r hungry_left < /proc/self/fail-nth
		echo 0 > /proc/self/fail-nth
		[ "$hungry_left" = 0 ] && echo more
	) 2> /dev/null
}

# After a failed read, the next read succeeds.
readers()
{
	put vfs_open set_ftrace_filter
	[ ! -f function_profile_enabled ] || put 1 function_profile_enabled
	put function current_tracer
	put x trace_marker
	read_something
	put 0 tracing_on
	[ ! -f function_profile_enabled ] || put 0 function_profile_enabled
	for file in trace per_cpu/cpu0/trace saved_cmdlines set_ftrace_filter enabled_functions \
		    available_filter_functions trace_options per_cpu/cpu0/stats \
		    trace_stat/function0 trace_stat/histogram0; do
		[ -f $file ] || continue
		want=$(head -n 1 $file)
		nth=1
		while [ "$(read_hungry $nth $file)" = more ]; do
			nth=$((nth + STEP))
			[ $nth -lt 100 ] || fail "$file: too many allocations"
		done
		expect_true "$file allocates" [ $nth -gt 1 ]
		expect "$(head -n 1 $file)" "$want" "$file, first line"
	done
}

# open_hungry NTH FILE: prints the file, if it can be opened while an allocation fails; whether
# one failed is written to $SCRATCH/refused
open_hungry()
{
	(
		echo 1 > "$SCRATCH/refused"
		echo "$1" > /proc/self/fail-nth
		exec 5< "$2"
		read -r hungry_left < /proc/self/fail-nth
		echo 0 > /proc/self/fail-nth
		[ "$hungry_left" = 0 ] || echo 0 > "$SCRATCH/refused"
		cat <&5
	) 2> /dev/null
}

# whole_hungry: reads trace while each allocation fails, and compares it with the normal text
whole_hungry()
{
	want=$(cat trace)
	nth=0
	echo 1 > "$SCRATCH/refused"
	while begins "$SCRATCH/refused" 1; do
		nth=$((nth + 1))
		[ $nth -lt 100 ] || fail "there is no end of allocations"
		got=$(open_hungry $nth trace)
		[ -z "$got" ] || expect "$got" "$want" "trace, allocation $nth"
	done
	expect "$got" "$want" "trace when there is memory"
	expect_true "some failed" [ $nth -gt 3 ]
}

# A CPU is not silently left out if there is no memory for its entries.
whole_trace()
{
	put x trace_marker
	put y trace_marker
	put 0 tracing_on
	whole_hungry
}

# The end of a call has no name if its beginning is known.
whole_graph()
{
	grep -qw function_graph available_tracers || skip "no function_graph here"
	put 'ksys_write vfs_write' set_ftrace_filter
	put function_graph current_tracer
	: > trace
	put x trace_marker
	put 0 tracing_on
	expect_true "there is a tree" grep -q 'vfs_write() {' trace
	whole_hungry
}

# The log of mmiotrace begins with a list of devices.
whole_mmiotrace()
{
	put mmiotrace current_tracer
	put x trace_marker
	put y trace_marker
	put 0 tracing_on
	whole_hungry
	nth=1
	while [ "$(read_hungry $nth trace_pipe)" = more ]; do
		nth=$((nth + 1))
		[ $nth -lt 100 ] || fail "there is no end of allocations"
	done
	expect_true "some failed" [ $nth -gt 1 ]
	expect "$(head -n 1 trace_pipe)" 'VERSION 20070824' "trace_pipe when there is memory"
}

# A disk is either traced or not.
blk_device()
{
	need_disk
	put blk current_tracer
	starve 1 $TRACE/enable 0 $TRACE/enable
	put 1 $TRACE/enable
	starve write $TRACE/act_mask read,queue $TRACE/act_mask
	: > trace
	request if=$DISK bs=4k count=1
	expect "$(events | grep -c ' Q *RS 0 + 8 ')" 1 "requests that are traced"
}

# The stream of a disk has all of its files, or does not exist.
blk_stream()
{
	need_disk
	files_without=$(ls $DEBUG)
	cpus=$(grep -c '^processor' /proc/cpuinfo)
	nth=0
	refused=0
	result=
	while [ "${result##*[!0-9]}" != 1 ]; do
		nth=$((nth + 1))
		[ $nth -lt 500 ] || fail "too many allocations"
		result=$("$BLKOP" $DISK hungry=$nth setup=4096,4,0 fed)
		files=$(ls $DEBUG)
		case $result in
		ENOMEM*|ENOENT*)
			refused=$((refused + 1))
			expect "$files" "$files_without" "files, allocation $nth" ;;
		"0 "*)
			ours=$(echo "$files" | grep -c -e '^dropped$' -e '^msg$' -e '^trace[0-9]')
			expect "$ours" $((2 + cpus)) "files, allocation $nth"
			expect "$("$BLKOP" $DISK teardown)" 0 "teardown, allocation $nth" ;;
		*)
			fail "allocation $nth: $result" ;;
		esac
	done
	expect_true "some were rejected" [ $refused -gt 3 ]
	note "$nth allocations, $refused refused"
}

# A direct call, and another one that replaces it.
direct()
{
	need_module ftest_target
	need_module ftest_direct
	starve 1 "$(param ftest_direct direct)" 0 "$(param ftest_direct direct)"
	put 1 "$(param ftest_direct direct)"
	starve 2 "$(param ftest_direct direct)" 1 "$(param ftest_direct direct)"
}

# A module is loaded or not, and its functions are traced or not, whichever allocation fails.
module_comes()
{
	[ -f "$MODULES/ftest_target.ko" ] || skip "no module ftest_target"
	[ ! -d $FAULTS/fail_page_alloc ] || echo 9 > $FAULTS/fail_page_alloc/min-order
	put '*:mod:ftest_target' set_ftrace_filter
	put function current_tracer
	nth=0
	result='0 0'
	traced=0
	rounds=0
	while [ "${result#* }" = 0 ]; do
		nth=$((nth + STEP))
		[ $nth -lt 1000 ] || fail "too many allocations"
		result=$("$FILEOP" insmod $nth "$MODULES/ftest_target.ko")
		rounds=$((rounds + 1))
		! grep -q 'ftest_target' enabled_functions || traced=$((traced + 1))
		drop_module ftest_target
	done
	[ ! -d $FAULTS/fail_page_alloc ] || echo 0 > $FAULTS/fail_page_alloc/min-order
	expect "$result" '0 1' "the last time"
	expect_true "some were traced" [ $traced -gt 1 ]
	expect_false "all were traced" [ $traced = $rounds ]
	note "$nth allocations, $rounds modules, $traced times traced"
}

# leaks: prints the leaks that kmemleak finds
leaks()
{
	# kmemleak ignores objects that are younger than five seconds
	sleep 6
	echo scan > $FAULTS/kmemleak
	echo scan > $FAULTS/kmemleak
	cat $FAULTS/kmemleak
}

# The previous cases have made every allocation fail. A deliberate leak shows that kmemleak is
# active: it switches itself off when it runs out of memory.
nothing_leaks()
{
	[ -n "$kmemleak" ] || skip "boot with kmemleak=on"
	need_module ftest_target
	need_module ftest_ops
	put leak "$(param ftest_ops run)"
	leaks > "$SCRATCH/leaks"
	expect_true "the deliberate leak is found" grep -q 'run_leak' "$SCRATCH/leaks"
	awk '/^unreferenced/ { if (!control) printf "%s", text; text = ""; control = 0 }
	     /run_leak/ { control = 1 }
	     { text = text $0 "\n" }
	     END { if (!control) printf "%s", text }' "$SCRATCH/leaks" > "$SCRATCH/others"
	expect_file "$SCRATCH/others" ''
}

# starve_perf ID FILTER: opens a perf event with a filter while each allocation fails once
starve_perf()
{
	nth=0
	refused=0
	result=
	while [ "${result%% *}" != left ]; do
		nth=$((nth + STEP))
		[ $nth -lt 500 ] || fail "too many allocations"
		result=$("$HERE/perfevent" -c -n $nth -f "$2" "$1" /bin/true | tr '\n' ' ')
		case $result in
		*open:12*|*filter:12*) refused=$((refused + 1)) ;;
		*:*) fail "allocation $nth: $result" ;;
		esac
	done
	expect "$result" "left 0 0 0 " "perf event when there is memory"
	expect_true "some were rejected" [ $refused -gt 2 ]
	note "$nth allocations, $refused refused"
}

perf_events()
{
	starve_perf "$(cat events/sched/sched_process_exec/id)" \
		    'filename ~ "*x" && cpu & CPUS{0} && comm == "x"'
	starve_perf "$(cat events/ftrace/function/id)" 'ip == vfs_getattr'
	expect_file enabled_functions ''
}

# workers_fail PERCENT: makes PERCENT of the allocations of worker threads fail; 0 ends it. New
# threads are forked by kthreadd, and inherit this.
workers_fail()
{
	for thread in /proc/[0-9]*; do
		case $(cat "$thread/comm" 2> /dev/null) in
		kthreadd|kworker/*)
			echo $(($1 > 0)) > "$thread/make-it-fail" ;;
		esac
	done
	random_faults "$1"
}

missed_calls()
{
	sed -n 's/^# calls missed for lack of memory: //p' trace_stat/histogram* |
		awk '{ n += $1 } END { print n + 0 }'
}

profiled()
{
	cat trace_stat/function* | wc -l
}

# More functions are called than the profiler has spare counters for.
profile_reserve()
{
	[ -f trace_stat/histogram0 ] || skip "no histograms here"
	workers_fail 100
	at_end 'workers_fail 0'
	put 1 function_profile_enabled
	for command in date ls ps mount df; do
		$command > /dev/null 2>&1
	done
	ls -lR events > /dev/null
	expect_true "calls are missed" test "$(missed_calls)" -gt 0
	before=$(profiled)
	workers_fail 0
	ls -l events > /dev/null
	sleep 0.2
	ls -lR events > /dev/null
	expect_true "more functions when there is memory" test "$(profiled)" -gt "$before"
	put 0 function_profile_enabled
}

[ -w /proc/self/fail-nth ] || skip_all "the kernel has no CONFIG_FAULT_INJECTION"
faults_prepare
# with kmemleak=on; older leaks are not caused by these tests
kmemleak=
[ ! -w $FAULTS/kmemleak ] || ! echo scan=off 2> /dev/null > $FAULTS/kmemleak || kmemleak=y
[ -z "$kmemleak" ] || echo clear > $FAULTS/kmemleak
testcase filter_name "a name in set_ftrace_filter survives failing allocations"
testcase filter_glob "a glob in set_ftrace_filter survives failing allocations"
testcase filter_source "a source in set_ftrace_filter survives failing allocations"
testcase filter_waiting "patterns for a module that is not loaded survive failing allocations"
testcase notrace "a name in set_ftrace_notrace survives failing allocations"
testcase tracer "the selection of a tracer survives failing allocations"
testcase stack_tracer "the stack tracer starts, or does not start, when allocations fail"
testcase profiler "the function profiler starts, or does not start, when allocations fail"
if grep -qw function_graph $TRACEFS/available_tracers; then
	slowcase profile_reserve "the profiler misses calls until there is memory again"
fi
testcase graph_trees "function_graph continues when there is no memory for pending trees"
testcase graph_function "function_graph continues when its functions change and allocations fail"
testcase repeats "the function tracer continues when there is no memory to count repeated calls"
testcase graph_cost "function_graph continues when there is no memory to measure its overhead"
for tracer in function function_graph; do
	! grep -qw $tracer $TRACEFS/available_tracers ||
		testcase loses_$tracer "$tracer stops for lack of memory to continue, and logs it"
done
testcase display_graph "calls are shown as a graph, or not, when allocations fail"
for tracer in function_graph osnoise timerlat hwlat irqsoff wakeup mmiotrace blk; do
	! grep -qw $tracer $TRACEFS/available_tracers ||
		testcase starts_$tracer "$tracer starts, or does not start, when allocations fail"
done
if [ -x "$HERE/perfevent" ] && [ -d events/sched ]; then
	testcase perf_events "perf gets an event or an error when allocations fail"
fi
[ ! -d rv/monitors/wwnr ] ||
	testcase monitor "a monitor is enabled, or is not, when allocations fail"
if [ -d events/sched ]; then
	testcase event_enable "an event is enabled, or is not, when allocations fail"
	testcase event_filter "a filter of events is set, or is not, when allocations fail"
	testcase event_trigger "an event gets a trigger, or does not, when allocations fail"
	testcase event_commands "a command gets an event or is rejected when allocations fail"
	testcase event_format "a format is shown completely or not at all when allocations fail"
fi
if [ -f uprobe_events ] && [ -x "$HERE/uprobeop" ]; then
	testcase uprobe_event "a uprobe is defined and enabled, or not, when allocations fail"
fi
testcase osnoise_threads "without memory for other threads the threads of osnoise continue"
testcase hwlat_threads "without memory for other threads the threads of hwlat continue"
testcase remove_ip "removing an address from a filter never fails"
testcase direct "a direct call, and its replacement, survive failing allocations"
testcase filter_traced "a change of the filter of a running tracer survives failing allocations"
testcase buffer_size "a change of the size of the buffer survives failing allocations"
testcase page_size "a change of the size of pages survives failing allocations"
testcase snapshot "a snapshot survives failing allocations"
testcase spare_sizes "the buffer and the spare buffer keep the same sizes"
testcase instance "an instance is created completely or not at all when allocations fail"
testcase names_size "a change of the number of saved names survives failing allocations"
testcase readers "readers of files survive failing allocations"
testcase whole_trace "without memory, trace cannot be opened or shows all entries"
testcase whole_graph "without memory, a function graph cannot be opened or has its form"
if grep -qw mmiotrace $TRACEFS/available_tracers; then
	testcase whole_mmiotrace "without memory, mmiotrace's log cannot be opened or is complete"
fi
if grep -qw blk $TRACEFS/available_tracers; then
	testcase blk_device "a disk is traced, or is not, when allocations fail"
	testcase blk_stream "the stream of a disk has all of its files or is not created"
fi
testcase module_comes "loading a traced module survives failing allocations"
testcase nothing_leaks "no memory leaks when allocations fail"
finish
