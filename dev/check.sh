#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Runs tests of dev/check/tests: all of one length, or the ones that match a pattern.
# usage: check.sh [PATTERN...]; see dev/check.py
#
# From the environment: LENGTH (check, full, configs or stress), ONLY (patterns), ARCH (one
# architecture instead of all).

export ARCHES="${ARCH:-x86_64 arm64}"
. "$(dirname "$0")/lib.sh"

check_arch
"$TOP/dev/deps.sh" all
"$TOP/dev/tree.sh"
# shellcheck disable=SC2086 # words
[ $# -gt 0 ] || { set -f; set -- ${ONLY:-}; set +f; }
exec python3 "$TOP/dev/check.py" "${LENGTH:-check}" "$@"
