#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Runs every test there is: the scripts of dev/check in order, or those named.
# Each prints KTAP, which goes to build/log/check/; what failed is shown. The
# last line has the sums.
# usage: check.sh [NAME...]

. "$(dirname "$0")/lib.sh"

"$TOP/dev/deps.sh" all
logs=$BUILD/log/check
mkdir -p "$logs"
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
for name; do
	name=${name%.sh}
	[ -x "$TOP/dev/check/$name.sh" ] || die "there is no test '$name'"
	stage "check: $name"
	ended=0
	"$TOP/dev/check/$name.sh" >"$logs/$name" 2>"$logs/$name.err" || ended=$?
	counts=$(count "$logs/$name")
	p=${counts%% *} s=${counts##* } f=${counts#* }
	f=${f% *}
	# A part that broke off, or had nothing to say, has failed too.
	if [ "$f" = 0 ] && { [ $ended != 0 ] || [ $((p + s)) = 0 ]; }; then
		echo "not ok - $name ended with status $ended" >>"$logs/$name"
		f=1
	fi
	passed=$((passed + p)) failed=$((failed + f)) skipped=$((skipped + s))
	[ "$f" = 0 ] || {
		grep -n -B 12 '^ *not ok' "$logs/$name" | tail -n 120 || :
		tail -n 30 "$logs/$name.err"
		echo "$name: $f failed, all of its output is in $logs/$name"
	}
done

stage "check: done"
echo "$passed passed, $failed failed, $skipped skipped"
[ $failed = 0 ]
