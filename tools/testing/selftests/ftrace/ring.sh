#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# The ring buffer in storms: all contexts of all CPUs write, readers read, rings change.
# modules/ftest_ring.c makes the storms and checks every event and all sums.
# FTEST_MSECS says how long each takes (300), FTEST_SEED what random numbers follow from.
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

# The rings of CPUs that are away keep what is in them.
hotplug()
{
	[ -f /sys/devices/system/cpu/cpu1/online ] || skip "no CPU that can go"
	in_background cpus_go_and_come
	pid=$background_pid
	storm resize swap pages
	end_background "$pid"
	for online in /sys/devices/system/cpu/cpu[1-9]*/online; do
		put 1 "$online"
	done
}

testcase overwrite "entries that are overwritten are counted"
testcase produce "entries that find no room are counted"
testcase pages "pages can be read while they are written"
testcase resize "rings can grow and shrink while they are written"
testcase swap "rings can be exchanged while they are written"
testcase reset "rings can be emptied, and their pages change, while they are written"
testcase hotplug "CPUs can go offline and come back while rings are written"
finish
