#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# What 50-debug.sh leaves to guests that have another processor to run on:
# modules that come and go, and everything at once.

. "$(dirname "$0")/kernel.sh"
set +e
export MEM=2G

tap_plan 3
kernel debug
kernel_kselftest load 1200 "FTEST_ROUNDS=5 sh run.sh ${LOAD% ring}"
SMP=4 kernel_kselftest ring $((600 + STORM_MS / 50)) \
	"FTEST_MSECS=$STORM_MS sh run.sh ring"
kernel_samples 300
