#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# The ring buffer in storms: all contexts of all CPUs write, readers read, rings change.
# modules/ftest_ring.c makes the storms and checks every event and all sums. FTEST_MSECS is the
# duration of each storm (300), FTEST_SEED the seed of the random numbers.
# shellcheck source=functions.sh

. "$(dirname "$0")/functions.sh"

MSECS=${FTEST_MSECS:-300}

storm()
{
	need_module ftest_ring msecs="$MSECS" seed="${FTEST_SEED:-1}"
	for mode; do
		expect_write $((${#mode} + 1)) w "$(param ftest_ring run)" "$mode\n"
		dmesg | sed -n 's/.*ftest_ring: CPU /# CPU /p' | tail -n "$(nproc)"
	done
	drop_module ftest_ring
}

overwrite()
{
	storm unread overwrite smallest
}

produce()
{
	storm produce
}

pages()
{
	storm pages
}

resize()
{
	storm resize resize_pages resize_produce
}

swap()
{
	storm swap
}

reset()
{
	storm reset
}

cpus_go_and_come()
{
	while :; do
		for state in 0 1; do
			for online in /sys/devices/system/cpu/cpu[1-9]*/online; do
				echo $state > "$online"
			done
		done
	done
}

# The rings of offline CPUs keep their entries.
hotplug()
{
	[ -f /sys/devices/system/cpu/cpu1/online ] || skip "no CPU can go offline"
	in_background cpus_go_and_come
	pid=$background_pid
	storm resize swap pages
	end_background "$pid"
	for online in /sys/devices/system/cpu/cpu[1-9]*/online; do
		put 1 "$online"
	done
}

testcase overwrite "overwritten entries are counted"
testcase produce "entries that find no space are counted"
testcase pages "pages can be read while they are written"
testcase resize "rings can grow and shrink while they are written"
testcase swap "rings can be swapped while they are written"
testcase reset "rings can be reset, and the size of their pages can change, while they are written"
testcase hotplug "CPUs can go offline and online while rings are written"
finish
