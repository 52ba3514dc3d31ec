#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Runs every test there is: the scripts of dev/check in order, those of one
# number at the same time; or only those named. Each prints KTAP, which goes to
# build/log/check/; what failed is shown. The last line has the sums.
# usage: check.sh [NAME...]

. "$(dirname "$0")/lib.sh"

"$TOP/dev/deps.sh" all
logs=$BUILD/log/check
mkdir -p "$logs"
# shellcheck disable=SC2046 # names without blanks
[ $# -gt 0 ] || set -- $(cd "$TOP/dev/check" && ls [0-9]*.sh)

# count FILE: results of the tests that have no tests below them, as three
# numbers. A test that failed as a whole, with nothing below it that did,
# counts as one more.
count() {
	awk '
	function depth() { match($0, /^ */); return RLENGTH }
	/^ *(not )?ok( |$)/ {
		d = depth()
		parent = d < last
		bad = /^ *not ok/ && !/# *(TODO|SKIP|XFAIL)/
		if (!parent || (bad && !below[d + 1])) {
			if (bad) failed++
			else if (/# *(TODO|SKIP|XFAIL)/) skipped++
			else if (!parent) passed++
		}
		for (i = d; i >= 0; i--)
			if (bad) below[i] = 1
		for (i = d + 1; i < 40; i++)
			delete below[i]
		last = d
	}
	END { print passed + 0, failed + 0, skipped + 0 }' "$1"
}

passed=0 failed=0 skipped=0

# start NAME: runs it in the background
start() {
	[ -x "$TOP/dev/check/$1.sh" ] || die "there is no test '$1'"
	stage "check: $1"
	(
		ended=0
		"$TOP/dev/check/$1.sh" >"$logs/$1" 2>"$logs/$1.err" || ended=$?
		echo $ended >"$logs/$1.status"
		stage "check: $1 ends with $ended"
	) &
}

# add NAME: its results to the sums
add() {
	counts=$(count "$logs/$1")
	ended=$(cat "$logs/$1.status")
	p=${counts%% *} s=${counts##* } f=${counts#* }
	f=${f% *}
	# A part that broke off, or had nothing to say, has failed too.
	if [ "$f" = 0 ] && { [ "$ended" != 0 ] || [ $((p + s)) = 0 ]; }; then
		echo "not ok - $1 ended with status $ended" >>"$logs/$1"
		f=1
	fi
	passed=$((passed + p)) failed=$((failed + f)) skipped=$((skipped + s))
	[ "$f" != 0 ] || return 0
	grep -n -B 12 '^ *not ok' "$logs/$1" | tail -n 120 || :
	tail -n 30 "$logs/$1.err"
	echo "$1: $f failed, all of its output is in $logs/$1"
}

while [ $# -gt 0 ]; do
	number=${1%%-*}
	together=
	while [ $# -gt 0 ] && [ "${1%%-*}" = "$number" ]; do
		start "${1%.sh}"
		together="$together ${1%.sh}"
		shift
	done
	wait
	for name in $together; do
		add "$name"
	done
done

stage "check: done"
echo "$passed passed, $failed failed, $skipped skipped"
[ $failed = 0 ]
