#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Compiles our files of the kernel with W=1 and C=2: gcc, kernel-doc and sparse have no
# complaints.

. "$(dirname "$0")/tap.sh"
. "$TOP/dev/lay.sh"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
tap_plan 2

set +e
rm -rf "$BUILD/lint/kernel/trace"
rm -f "$BUILD"/lint/arch/x86/kernel/ftrace*.o
O=$BUILD/lint TARGETS='W=1 C=2 kernel/trace/ arch/x86/kernel/ftrace.o arch/x86/kernel/ftrace_64.o' \
	"$TOP/dev/build.sh"
tap $? lint.builds
our_files | grep '\.[chS]$' >"$work/ours"
grep -F -f "$work/ours" "$BUILD/log/build-lint" | grep -E 'warning:|error:' |
	sort -u >"$work/found"
[ ! -s "$work/found" ]
status=$?
sed 's/^/# /' "$work/found"
tap $status lint.clean
