#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# What outlives the kernel: a guest that resets itself, and looks at each boot for what
# the one before has left. QEMU keeps memory over a reset. See dev/guest/persist.
# usage: persist.sh KERNEL

. "$(dirname "$0")/tap.sh"
check_arch

kernel=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
set +e

export LOG="$BUILD/log/check/persist-$kernel.kernel" TIMEOUT=600 VIRTUAL=1 REBOOTS=1
export EXTRA="$BUILD/$kernel/tests.cpio"
[ "$kernel" != debug ] || export SHIFT=1 MEM=2G
case $arch in
arm64)
	# The upper half of the memory is not the kernel's. Where there is no memory at all, a
	# read is an external abort, so no instance may ask for that.
	map=0x60000000 low=0x44000000 tiny=0x60210000
	APPEND='mem=512M' ;;
*)
	map=0x20000000 low=0x100000 tiny=0x20210000
	APPEND='memmap=1M$0x20000000,128K$0x20200000 trace_instance=hole@0x700000000:1M' ;;
esac
export APPEND="$APPEND reserve_mem=1M:4096:keep
	trace_instance=map^traceoff@$map:1M,module:module_free trace_instance=ram^traceprintk@keep
	trace_instance=low@$low:1M trace_instance=none@nothing
	trace_instance=half@$map trace_instance=unit@$map:1X
	trace_instance=tiny@$tiny:8K
	trace_instance=far@0xffffffffffe00000:1M
	trace_instance=wrap@$map:0xffffffffffffffff trace_instance=twice@keep"
APPEND=$(echo "$APPEND" | tr -s '\n\t' ' ')

ARCH=$arch "$TOP/dev/qemu.sh" "$BUILD/$kernel" "$TOP/dev/guest/persist" >"$work/out" 2>"$work/err"
status=$?
tap_plan 23
while read -r word passed id; do
	case $word in
	result) tap "$passed" "$id" ;;
	moved) ktap_test_skip "$passed" ;;
	*) echo "# $word $passed $id" ;;
	esac
done <"$work/out"
[ $status = 0 ] && grep -q '^result 0 fifth.writes' "$work/out"
status=$?
[ $status = 0 ] || sed 's/^/# /' "$work/err"
tap $status boots
ktap_finished
