#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The tests that run in user space, with sanitizers.

. "$(dirname "$0")/tap.sh"

tests=$BUILD/linux/tools/testing/trace
make -s -C "$tests" -j"$JOBS" O="$BUILD/trace" all >&2
exec make -s -C "$tests" O="$BUILD/trace" run
