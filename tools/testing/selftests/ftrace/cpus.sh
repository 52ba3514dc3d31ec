#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# CPUs that go online for the first time after settings were made. Needs its own boot with
# maxcpus=1 and two CPUs.
# shellcheck source=functions.sh

. "$(dirname "$0")/functions.sh"

CPU1=/sys/devices/system/cpu/cpu1

[ -d per_cpu/cpu1 ] && [ -f $CPU1/online ] && [ "$(cat $CPU1/online)" = 0 ] &&
	grep -q maxcpus=1 /proc/cmdline || skip_all "no CPU that was never up"

# One case for everything, because a CPU goes online for the first time only once.
first_time()
{
	put 1 tracing_cpumask
	put 64 buffer_size_kb
	put 100 per_cpu/cpu0/buffer_size_kb
	put 1 $CPU1/online
	taskset 2 sh -c 'echo masked > trace_marker' 2> /dev/null
	expect "$(events | grep -c ': masked')" 0 "entries of a CPU that is not in the mask"
	put 3 tracing_cpumask
	taskset 2 sh -c 'echo wanted > trace_marker'
	expect "$(events | grep -c ': wanted')" 1 "entries of a CPU that is in the mask again"

	# The sizes shown are the sizes of the rings
	expect "$(cat per_cpu/cpu1/buffer_size_kb)" "$(cat per_cpu/cpu0/buffer_size_kb)" \
	       "size of its ring"
	if [ -f snapshot ]; then
		expect_write 2 w snapshot '1\n'
		expect "$(grep -c ': wanted' snapshot)" 1 "entries in the snapshot"
		put 0 snapshot
	fi
	put 64 buffer_size_kb
	expect_file per_cpu/cpu1/buffer_size_kb 64
}

# Settings persist while the CPU is offline.
again()
{
	put 1 tracing_cpumask
	put 0 $CPU1/online
	put 3 tracing_cpumask
	put 1 $CPU1/online
	taskset 2 sh -c 'echo wanted > trace_marker'
	expect "$(events | grep -c ': wanted')" 1 "entries of a CPU that is in the mask again"
}

# The ring of an offline CPU is kept, so a snapshot includes it.
snapshot_while_down()
{
	[ -f snapshot ] || skip "no snapshots here"
	taskset 2 sh -c 'echo before > trace_marker'
	put 0 $CPU1/online
	put 0 snapshot
	put 1 snapshot
	expect "$(grep -c ': before' snapshot)" 1 "entries of the CPU in the snapshot"
	put 1 $CPU1/online
	put 0 snapshot
}

unfinished_since()
{
	[ "$(sed -n 's/^unfinished: //p' graph_tree_stats)" -gt "$1" ]
}

# The idle task of an offlined CPU never returns from its current tree.
unfinished_tree()
{
	[ -f options/funcgraph-keep-slow ] || skip "no option funcgraph-keep-slow"
	grep -qx cpu_startup_entry available_filter_functions ||
		skip "cpu_startup_entry() is not traced"
	put 0 $CPU1/online
	put cpu_startup_entry set_ftrace_filter
	put 1 options/funcgraph-keep-slow
	put function_graph current_tracer
	put 1 $CPU1/online
	before=$(sed -n 's/^unfinished: //p' graph_tree_stats)
	put 0 $CPU1/online
	expect_true "the tree is dropped" wait_for 20 unfinished_since "$before"
	put 1 $CPU1/online
}

testcase first_time "a CPU that goes online for the first time has all settings"
testcase again "a CPU that goes online again has all settings"
testcase snapshot_while_down "a snapshot has the entries of a CPU that is offline"
testcase unfinished_tree "the idle task of an offlined CPU leaves no call tree"
finish
