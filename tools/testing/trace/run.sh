#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# run.sh NAME... : run tests of this directory, each as a subtest of one KTAP
# report. $O is where the programs were built. A test that ends with a status
# other than 0, by a signal, or without a plan has failed.

here=$(dirname "$0")
out=$(mktemp)
trap 'rm -f "$out"' EXIT

echo "KTAP version 1"
echo "1..$#"

n=0
failed=0
for name; do
	n=$((n + 1))
	if [ -x "$here/$name.sh" ]; then
		"$here/$name.sh" >"$out" 2>&1
	else
		"$O/$name" >"$out" 2>&1
	fi
	status=$?
	# what is no KTAP (a sanitizer's report) becomes a diagnostic
	sed -e '/^ *\(ok\|not ok\|#\|KTAP\|1\.\.\)/!s/^/# /' -e 's/^/  /' "$out"
	if [ $status -eq 0 ] && grep -q '^1\.\.' "$out"; then
		echo "ok $n $name"
	else
		echo "not ok $n $name # status $status"
		failed=$((failed + 1))
	fi
done

[ $failed -eq 0 ]
