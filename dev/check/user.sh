#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The parts that run in user space, under sanitizers.

. "$(dirname "$0")/tap.sh"

make -s -C "$TOP/tools/testing/trace" -j"$JOBS" O="$BUILD/trace" all >&2
exec make -s -C "$TOP/tools/testing/trace" O="$BUILD/trace" run
