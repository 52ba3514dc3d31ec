#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The same with lockdep, PROVE_RCU, DEBUG_ATOMIC_SLEEP and KASAN looking on.

. "$(dirname "$0")/kernel.sh"
set +e
export MEM=2G

tap_plan 4
kernel debug
kernel_kunit 300
kernel_kselftest kselftest 1200 "FTEST_STEP=2 FTEST_NOT='$LOAD' sh run.sh"
kernel_corrupt 300
