#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The base's own selftests of live patching, on the default kernel. They compare
# what the kernel and these programs say, word by word.

. "$(dirname "$0")/kernel.sh"
set +e

tap_plan 2
kernel x86_64
tests=$work/livepatch
kernel_selftests livepatch
guest_tool bash date stat dmesg sysctl insmod rmmod modinfo diff getconf
guest livepatch 300 <"$TOP/dev/guest/livepatch"
