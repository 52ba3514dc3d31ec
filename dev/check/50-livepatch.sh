#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The base's own selftests of live patching, on the default kernel. They compare
# what the kernel and these programs say, word by word.

. "$(dirname "$0")/kernel.sh"
set +e

tap_plan 2
kernel x86_64
tests=$work/livepatch
selftests=$BUILD/linux/tools/testing/selftests
mkdir -p "$tests/root"
make -C "$selftests/livepatch" KDIR="$out" clean >"$work/log" 2>&1
make -C "$selftests" TARGETS=livepatch KDIR="$out" INSTALL_PATH="$tests/root/selftests" \
	FORCE_TARGETS=1 install >>"$work/log" 2>&1
status=$?
[ $status = 0 ] || tail -n 20 "$work/log" | sed 's/^/# /'
tap $status "the selftests of live patching build"

guest_tool bash date stat dmesg sysctl insmod rmmod modinfo diff getconf
guest livepatch 300 <"$TOP/dev/guest/livepatch"
