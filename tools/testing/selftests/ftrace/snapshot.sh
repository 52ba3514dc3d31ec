#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Snapshots: what was recorded is kept while recording goes on.
# shellcheck source=functions.sh

. "$(dirname "$0")/functions.sh"

[ -f snapshot ] || skip_all "no snapshots here"

none()
{
	put 0 snapshot
	expect "$(grep -vc '^#' snapshot)" 0 "lines that are no comment"
	expect_true "it tells how to take one" grep -q 'echo 1 > snapshot' snapshot
	expect "$(wc -c < per_cpu/cpu0/snapshot_raw)" 0 "bytes without a snapshot"
	# without one there is nothing to clear
	put 2 snapshot
	expect "$(grep -vc '^#' snapshot)" 0 "lines that are no comment"
	put 0 snapshot
}

take()
{
	put before trace_marker
	put 1 snapshot
	put after trace_marker
	expect "$(events snapshot | grep -c ': before')" 1 "what was recorded is in the snapshot"
	expect "$(events snapshot | grep -c ': after')" 0 "what came later is not"
	expect "$(events | grep -c ': before')" 0 "the buffer began anew"
	expect "$(events | grep -c ': after')" 1 "and recording goes on"
	expect "$(head -n 1 snapshot)" "# tracer: nop" "header"

	# reading takes nothing away
	expect "$(nr_events snapshot)" 1 "entries when read again"
	put 1 snapshot
	expect "$(events snapshot | grep -c ': after')" 1 "the next one replaces it"
	expect "$(nr_events snapshot)" 1 "entries of the next one"
}

clear()
{
	put kept trace_marker
	put 1 snapshot
	put other trace_marker
	put 2 snapshot
	expect "$(nr_events snapshot)" 0 "entries of a snapshot that was cleared"
	expect "$(nr_events)" 1 "entries in the buffer"
	put 1 snapshot
	expect "$(nr_events snapshot)" 1 "entries after the next one"
	put 0 snapshot
	expect_true "the spare buffer has gone" grep -q 'echo 1 > snapshot' snapshot
}

of_one_cpu()
{
	taskset 1 sh -c 'echo zero > trace_marker'
	taskset 2 sh -c 'echo one > trace_marker'
	put 1 per_cpu/cpu0/snapshot
	expect "$(events per_cpu/cpu0/snapshot | grep -c ': zero')" 1 "entries of its CPU"
	expect "$(events | grep -c ': one')" 1 "the other CPU has kept its own"
	expect "$(events | grep -c ': zero')" 0 "what was taken has left the buffer"
	expect_true "there are pages of it" [ "$(wc -c < per_cpu/cpu0/snapshot_raw)" -gt 0 ]
	expect_write EINVAL w per_cpu/cpu0/snapshot '0\n'
}

# While somebody reads, the spare buffer stays.
held()
{
	put x trace_marker
	put 1 snapshot
	in_background sleep 100 3< snapshot
	sleep 0.2
	expect_write EBUSY w snapshot '0\n'
	end_background "$background_pid"
	put 0 snapshot
	expect_true "it can be freed now" grep -q 'echo 1 > snapshot' snapshot
}

bad()
{
	put x trace_marker
	put 1 snapshot
	for text in '' '\n' 'x\n' '-1\n' '1x\n'; do
		expect_write EINVAL w snapshot "$text"
	done
	expect_write ERANGE w snapshot '99999999999999999999999\n'
	expect "$(nr_events snapshot)" 1 "nothing has changed"
	put 0 snapshot
}

# With the tracer at work on all CPUs.
under_load()
{
	load_start
	put 'vfs_*' set_ftrace_filter
	put function current_tracer
	i=0
	while [ $i -lt 20 ]; do
		put 1 snapshot
		i=$((i + 1))
	done
	expect_true "it has entries" [ -n "$(head -n 20 snapshot | events -)" ]
	put 64 buffer_size_kb
	put 1 snapshot
	expect_true "also with another size" [ -n "$(head -n 20 snapshot | events -)" ]
	load_stop
	put nop current_tracer
	put 0 snapshot
}

# Pages that had another size meanwhile, and CPUs of different sizes.
sizes()
{
	put 16 buffer_subbuf_size_kb
	put 4 buffer_subbuf_size_kb
	put one trace_marker
	expect_write 2 w snapshot '1\n'
	expect "$(grep -c 'write: one' snapshot)" 1 "entries of the snapshot"
	put 8 buffer_subbuf_size_kb
	put two trace_marker
	expect_write 2 w snapshot '1\n'
	expect "$(grep -c 'write: two' snapshot)" 1 "entries with larger pages"
	put 0 snapshot
	put 100 per_cpu/cpu0/buffer_size_kb
	put three trace_marker
	expect_write 2 w snapshot '1\n'
	expect "$(grep -c 'write: three' snapshot)" 1 "entries with CPUs that differ"
	put 0 snapshot
}

testcase none "no snapshot so far"
testcase take "a snapshot is taken"
testcase clear "cleared and given back"
testcase of_one_cpu "of one CPU"
testcase sizes "after the sizes of pages and CPUs have changed"
testcase held "while it is read"
testcase bad "what is refused"
testcase under_load "under load"
finish
