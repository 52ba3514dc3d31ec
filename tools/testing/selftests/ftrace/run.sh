#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# run.sh [TEST...] - the ftrace tests as one KTAP document, each file a subtest.
#
# Without a name all run but those that want a boot of their own, boot.sh, boot_filter.sh,
# dump.sh, lockdown.sh and corrupt.sh, and those that FTEST_NOT names. The last line has
# the sums over all cases; the exit status is 0 when none failed.

here=$(cd "$(dirname "$0")" && pwd)
all="files filter trace trace_pipe raw raw_readers snapshot pid commands options printk export"
all="$all bad_input sysctl modules ops stress memory ring"
if [ $# -eq 0 ]; then
	for name in $all; do
		case " ${FTEST_NOT:-} " in
		*" $name "*) ;;
		*) set -- "$@" "$name" ;;
		esac
	done
fi
out=/tmp/ftest-run.$$
nr=0
pass=0
fail=0
skip=0

echo "TAP version 13"
echo "1..$#"
for name in "$@"; do
	nr=$((nr + 1))
	name=${name%.sh}.sh
	{
		sh "$here/$name"
		echo $? > $out.rc
	} 2>&1 | tee $out | sed 's/^/  /'
	pass=$((pass + $(grep -c '^ok [0-9]' $out) - $(grep -c '^ok [0-9].*# SKIP' $out)))
	skip=$((skip + $(grep -c '# SKIP' $out)))
	fail=$((fail + $(grep -c '^not ok' $out)))
	case $(cat $out.rc) in
	0)
		echo "ok $nr $name"
		;;
	4)
		echo "ok $nr $name # SKIP"
		;;
	*)
		# one that broke off without a result of its own is a failure too
		grep -q '^not ok' $out || fail=$((fail + 1))
		echo "not ok $nr $name"
		;;
	esac
done
rm -f $out $out.rc
echo "# Totals: pass:$pass fail:$fail xfail:0 xpass:0 skip:$skip error:0"
[ $fail -eq 0 ]
