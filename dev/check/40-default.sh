#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The default kernel, in QEMU.

. "$(dirname "$0")/kernel.sh"
set +e

kernel_build x86_64
kernel_untraced
kernel_selftests
kernel_kunit 120
kernel_kselftest 600
kernel_corrupt 120
kernel_samples 120
echo "1..$tap_nr"
