#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Memory that cannot be had: what was asked for is refused or done, and nothing lies in
# between. Each allocation fails once, by /proc/self/fail-nth, or with FTEST_STEP each
# second, each third and so on.
# shellcheck source=functions.sh

. "$(dirname "$0")/functions.sh"

FAULTS=/sys/kernel/debug
STEP=${FTEST_STEP:-1}

# Failing says nothing, and allocations that could wait fail as well.
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

# attempt NTH BYTES FILE: a write during which one allocation fails. Says whether it
# succeeded and whether there were fewer allocations. All of it without another process.
attempt()
{
	(
		echo "$1" > /proc/self/fail-nth
		attempt_rc=0
		echo "$2" > "$3" || attempt_rc=1
		attempt_left=1
		read -r attempt_left < /proc/self/fail-nth
		echo 0 > /proc/self/fail-nth
		[ "$attempt_left" = 0 ] || attempt_left=1
		echo "$attempt_rc $attempt_left"
	) 2> /dev/null
}

# starve BYTES FILE UNDO SEEN: as long as there is an allocation to fail, write BYTES,
# look at what the file SEEN says, and write UNDO.
starve()
{
	put "$3" "$2"
	starve_old=$(cat "$4")
	put "$1" "$2"
	starve_new=$(cat "$4")
	expect_false "the write has an effect" [ "$starve_new" = "$starve_old" ]
	put "$3" "$2"
	starve_nth=0
	starve_refused=0
	starve_enough=0
	while [ $starve_enough = 0 ]; do
		starve_nth=$((starve_nth + STEP))
		[ $starve_nth -lt 500 ] || fail "there is no end of allocations"
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
	expect_true "some were refused" [ $starve_refused -gt 0 ]
	note "$starve_nth allocations, $starve_refused refused"
}

filter_name() { starve vfs_read set_ftrace_filter vfs_open set_ftrace_filter; }
filter_glob() { starve 'vfs_r*' set_ftrace_filter vfs_open set_ftrace_filter; }
filter_source() { starve 'vfs_*:src:fs/open.c' set_ftrace_filter vfs_read set_ftrace_filter; }
notrace() { starve vfs_read set_ftrace_notrace vfs_open set_ftrace_notrace; }

# Words that wait for a module, one of them for what it may take away.
filter_waiting()
{
	starve 'ftest_*:mod:ftest_target !ftest_one:mod:ftest_target' set_ftrace_filter \
	       vfs_open set_ftrace_filter
}

# Without what the trampoline needs the list function is called, which is fine.
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
	expect_true "what is meant is traced" grep -q 'vfs_open <-' trace
	expect_false "and nothing else" grep -q 'vfs_read <-' trace
}

# Who takes away a probe does not look whether that failed.
remove_ip()
{
	need_module ftest_target
	need_module ftest_ops
	nth=0
	enough=0
	while [ $enough = 0 ]; do
		nth=$((nth + STEP))
		[ $nth -lt 500 ] || fail "there is no end of allocations"
		enough=$(attempt $nth remove_ip "$(param ftest_ops run)")
		enough=${enough#* }
	done
	log_since_mark | grep run_remove_ip > "$SCRATCH/unmet"
	expect_file "$SCRATCH/unmet" ''
	note "$nth allocations"
}

buffer_size()
{
	put 8 buffer_size_kb
	put kept trace_marker
	starve 16 buffer_size_kb 8 buffer_size_kb
	expect_true "what was recorded" grep -q ': kept$' trace
}

page_size()
{
	put 8 buffer_size_kb
	starve 8 buffer_subbuf_size_kb 4 buffer_subbuf_size_kb
}

snapshot()
{
	[ -f snapshot ] || skip "no snapshots here"
	put 8 buffer_size_kb
	put 0 snapshot
	starve 1 snapshot 0 snapshot
}

names_size()
{
	size=$(cat saved_cmdlines_size)
	starve 256 saved_cmdlines_size 128 saved_cmdlines_size
	put "$size" saved_cmdlines_size
}

# read_hungry NTH FILE: opens it and reads a line while an allocation fails. Says whether
# there were fewer.
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

# What could not be read this time can be the next.
readers()
{
	put vfs_open set_ftrace_filter
	put function current_tracer
	put x trace_marker
	put 0 tracing_on
	for file in trace per_cpu/cpu0/trace saved_cmdlines set_ftrace_filter enabled_functions \
		    available_filter_functions trace_options per_cpu/cpu0/stats; do
		want=$(head -n 1 $file)
		nth=1
		while [ "$(read_hungry $nth $file)" = more ]; do
			nth=$((nth + STEP))
			[ $nth -lt 100 ] || fail "$file: there is no end of allocations"
		done
		expect_true "$file allocates" [ $nth -gt 1 ]
		expect "$(head -n 1 $file)" "$want" "$file, first line"
	done
}

# A direct call, and another in its place.
direct()
{
	need_module ftest_target
	need_module ftest_direct
	starve 1 "$(param ftest_direct direct)" 0 "$(param ftest_direct direct)"
	put 1 "$(param ftest_direct direct)"
	starve 2 "$(param ftest_direct direct)" 1 "$(param ftest_direct direct)"
}

# Those in front of this one have let every allocation fail.
nothing_leaks()
{
	# what is younger than five seconds is not looked at
	sleep 6
	echo scan > $FAULTS/kmemleak
	echo scan > $FAULTS/kmemleak
	cat $FAULTS/kmemleak > "$SCRATCH/leaks"
	expect_file "$SCRATCH/leaks" ''
}

[ -w /proc/self/fail-nth ] || skip_all "the kernel has no CONFIG_FAULT_INJECTION"
faults_prepare
# with kmemleak=on; and what others have lost is not ours
leaks=
[ ! -w $FAULTS/kmemleak ] || ! echo scan=off 2> /dev/null > $FAULTS/kmemleak || leaks=y
[ -z "$leaks" ] || echo clear > $FAULTS/kmemleak
testcase filter_name "a name"
testcase filter_glob "a glob"
testcase filter_source "a source"
testcase filter_waiting "words about a module that is not there"
testcase notrace "functions left out"
testcase tracer "a tracer"
testcase remove_ip "an address taken out of a filter"
testcase direct "a direct call"
testcase filter_traced "other functions while they are traced"
testcase buffer_size "the size of the buffer"
testcase page_size "the size of its pages"
testcase snapshot "a snapshot"
testcase names_size "the number of names"
testcase readers "reading"
[ -z "$leaks" ] || testcase nothing_leaks "nothing is left that nobody knows of"
finish
