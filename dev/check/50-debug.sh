#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The same with lockdep, PROVE_RCU, DEBUG_ATOMIC_SLEEP and KASAN looking on.

. "$(dirname "$0")/kernel.sh"
set +e
export MEM=2G

kernel_build debug "$TOP/dev/config/debug"
kernel_selftests
kernel_kunit 300
kernel_kselftest 1500
kernel_samples 300
echo "1..$tap_nr"
