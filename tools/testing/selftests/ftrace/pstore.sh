#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Functions recorded into memory that survives a reset (CONFIG_PSTORE_FTRACE). Needs its own
# boot with reserve_mem=2M:4096:oops, and the module ramoops.
# shellcheck source=functions.sh

. "$(dirname "$0")/functions.sh"

RECORD=/sys/kernel/debug/pstore/record_ftrace
ramoops=$(find /lib/modules -name ramoops.ko)
pstore=$SCRATCH/pstore

grep -q 'reserve_mem=.*:oops' /proc/cmdline || skip_all "no memory is reserved for it"
[ -n "$ramoops" ] || skip_all "there is no ramoops here"

load()
{
	# dependencies of ramoops
	codes=$(find /lib/modules -name reed_solomon.ko)
	[ -z "$codes" ] || [ -d /sys/module/reed_solomon ] || insmod "$codes"
	insmod "$ramoops" mem_name=oops ftrace_size=0x40000 || fail "cannot load ramoops"
	mkdir -p "$pstore"
	mount -t pstore none "$pstore"
}

unload()
{
	umount "$pstore"
	rmmod ramoops
}

# The memory is read when the module is loaded again, as after a reset.
records()
{
	put vfs_open set_ftrace_filter
	load
	rm -f "$pstore"/*
	expect_write 2 w $RECORD '1\n'
	expect_true "its callback is on the function" grep -q '^vfs_open ' enabled_functions
	read_something
	expect_write 2 w $RECORD '0\n'
	expect_false "its callback is still there" grep -q '^vfs_open ' enabled_functions
	unload
	load
	expect_true "a record of functions" [ -f "$pstore/ftrace-ramoops-0" ]
	expect_true "calls in it" grep -q 'vfs_open.* <- ' "$pstore/ftrace-ramoops-0"
	expect "$(grep -vc 'vfs_open.* <- ' "$pstore/ftrace-ramoops-0")" 0 \
	       "calls of other functions"
	unload
}

# The module is unloaded while it records.
goes()
{
	put vfs_open set_ftrace_filter
	load
	expect_write EINVAL w $RECORD 'x\n'
	put 1 $RECORD
	read_something
	unload
	expect_false "its callback is still there" grep -q '^vfs_open ' enabled_functions
	read_something
}

testcase records "calls that were recorded into reserved memory can be read later"
testcase goes "recording ends when the module is unloaded"
finish
