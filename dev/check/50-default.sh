#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The default kernel, in QEMU.

. "$(dirname "$0")/kernel.sh"
set +e

tap_plan 5
kernel x86_64
kernel_kunit 120
kernel_kselftest kselftest $((900 + STORM_MS / 50)) "FTEST_MSECS=$STORM_MS sh run.sh"
kernel_corrupt 120
kernel_samples 120
