#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The kernels that are tested in QEMU.

. "$(dirname "$0")/kernel.sh"
set +e

tap_plan 7
for config in x86_64 debug; do
	fragment=$TOP/dev/config/$config
	[ $config != x86_64 ] || fragment=
	kernel $config
	kernel_build "$fragment"
	kernel_untraced
	[ $config != x86_64 ] || kernel_contract
	kernel_selftests
done
