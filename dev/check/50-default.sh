#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The default kernel, in QEMU.

. "$(dirname "$0")/kernel.sh"
set +e

tap_plan 7
kernel x86_64
kernel_kunit 120
kernel_kselftest kselftest $((900 + STORM_MS / 50)) \
	"FTEST_NOT=memory FTEST_ROUNDS=20 FTEST_MSECS=$STORM_MS sh run.sh"
kernel_kselftest memory 120 'sh run.sh memory' kmemleak=on
kernel_kselftest patch-live 900 'FTEST_ROUNDS=5 FTEST_SECONDS=3 sh run.sh ops stress' \
	ftrace_patch=live
kernel_corrupt 120
kernel_samples 120
