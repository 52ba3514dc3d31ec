#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# CPUs that come up for the first time when settings are made already. Wants a boot of its
# own with maxcpus=1 and two CPUs.
# shellcheck source=functions.sh

. "$(dirname "$0")/functions.sh"

CPU1=/sys/devices/system/cpu/cpu1

[ -d per_cpu/cpu1 ] && [ -f $CPU1/online ] && [ "$(cat $CPU1/online)" = 0 ] &&
	grep -q maxcpus=1 /proc/cmdline || skip_all "no CPU that was never up"

# One case for all, because a CPU comes up for the first time only once.
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

	# the sizes that are shown are those that the rings have
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

# Settings stay when the CPU goes offline and comes back.
again()
{
	put 1 tracing_cpumask
	put 0 $CPU1/online
	put 3 tracing_cpumask
	put 1 $CPU1/online
	taskset 2 sh -c 'echo wanted > trace_marker'
	expect "$(events | grep -c ': wanted')" 1 "entries of a CPU that is in the mask again"
}

testcase first_time "a CPU that comes up for the first time has all settings"
testcase again "a CPU that comes up again has all settings"
finish
