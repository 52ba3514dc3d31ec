# SPDX-License-Identifier: GPL-2.0
#
# disk.sh - functions that the tests of block devices share: a disk in memory, and its tracing
# files. The tests source it after functions.sh. It needs CONFIG_BLK_DEV_NULL_BLK as a module.
# shellcheck shell=sh

DISK=/dev/nullb0
TRACE=/sys/block/nullb0/trace
DEBUG=/sys/kernel/debug/block/nullb0
BLKOP=$HERE/blkop

# need_disk: creates a disk of 1 GiB
need_disk()
{
	grep -qw blk available_tracers || skip "no tracer blk"
	disk_module=$(find /lib/modules -name null_blk.ko 2> /dev/null)
	[ -n "$disk_module" ] || skip "no module null_blk"
	insmod "$disk_module" nr_devices=1 memory_backed=1 bs=512 gb=1 || fail "no disk"
	wait_for 10 test -b $DISK || fail "no $DISK"
	# The new disk is read when it appears: wait for that
	wait_for 10 test -d $TRACE
}

# request if=FILE... or of=FILE...: one request that bypasses the page cache
request()
{
	case $1 in
	if=*) dd "$@" of=/dev/null iflag=direct 2> /dev/null ;;
	*) dd if=/dev/zero "$@" oflag=direct 2> /dev/null ;;
	esac || fail "dd $*"
}
