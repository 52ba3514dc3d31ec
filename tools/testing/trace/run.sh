#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# run.sh NAME...: runs tests of this directory as subtests of one KTAP report. $O is the
# directory of the built programs. A test fails if it exits with a status other than 0, is
# killed by a signal, or prints no plan. $EMULATOR, if it is set, runs the programs. This needs
# a kernel tree, for the helpers of its kselftests.

here=$(dirname "$0")
out=$(mktemp)
trap 'rm -f "$out"' EXIT

# shellcheck source=/dev/null
. "$here/../selftests/kselftest/ktap_helpers.sh" || exit

ktap_print_header
ktap_set_plan $#
for name; do
	if [ -x "$here/$name.sh" ]; then
		"$here/$name.sh" >"$out" 2>&1
	else
		${EMULATOR:+"$EMULATOR"} "$O/$name" >"$out" 2>&1
	fi
	status=$?
	# Lines that are not KTAP, such as a report of a sanitizer, become diagnostics
	sed -e '/^ *\(ok\|not ok\|#\|K\?TAP\|1\.\.\)/!s/^/# /' -e 's/^/  /' "$out"
	if [ $status -eq 0 ] && grep -q '^1\.\.' "$out"; then
		ktap_test_pass "$name"
	else
		ktap_print_msg "$name ended with status $status"
		ktap_test_fail "$name"
	fi
done
ktap_finished
