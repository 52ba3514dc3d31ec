#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# run.sh [FILE | FILE.CASE]... - runs the ftrace tests as one KTAP document, in which each file
# is a subtest. A CASE may be a shell pattern: "run.sh pid.*fork*".
#
# Without arguments it runs all files except those that need a boot of their own, and those that
# FTEST_NOT names. The last line has the totals of all cases; the exit status is 0 if no case
# failed.

here=$(cd "$(dirname "$0")" && pwd)
# Files that need a boot of their own, or are not tests.
others="boot boot_config boot_filter boot_instances cpus dump pstore mmiotrace blk lockdown corrupt"
others="$others functions workload disk run"

# shellcheck source=../kselftest/ktap_helpers.sh
. "$here/../kselftest/ktap_helpers.sh" || exit 1

if [ $# -eq 0 ]; then
	for name in "$here"/*.sh; do
		name=$(basename "$name" .sh)
		case " $others ${FTEST_NOT:-} " in
		*" $name "*) ;;
		*) set -- "$@" "$name" ;;
		esac
	done
fi
# All random input is derived from this seed; setting it again repeats a run.
FTEST_SEED=${FTEST_SEED:-$(od -A n -N 4 -t u4 /dev/urandom | tr -d ' ')}
export FTEST_SEED
out=/tmp/ftest-run.$$

# run_file FILE[.CASE]: runs it with its output also in $out; $file_rc is its exit status
run_file()
{
	run_only=
	case $1 in
	*.sh) ;;
	*.*) run_only=$(echo "$1" | tr _ -) ;;
	esac
	{
		FTEST_ONLY=${run_only:-${FTEST_ONLY:-}} sh "$here/${1%%.*}.sh"
		echo $? > $out.rc
	} 2>&1 | tee $out | awk '{ print "  " $0; fflush() }'
	file_rc=$(cat $out.rc)
}

# count_results: adds the results of the file to the totals, and fails if their number differs
# from the plan
count_results()
{
	count_plan=$(sed -n 's/^1\.\.\([0-9]*\).*/\1/p' $out)
	count_skip=$(grep -c '^ok [0-9].*# SKIP' $out)
	count_pass=$(($(grep -c '^ok [0-9]' $out) - count_skip))
	count_fail=$(grep -c '^not ok [0-9]' $out)
	pass=$((pass + count_pass))
	fail=$((fail + count_fail))
	skip=$((skip + count_skip))
	[ "$count_plan" = $((count_pass + count_fail + count_skip)) ] && return
	echo "# $1: results are not as planned: '$count_plan'"
	fail=$((fail + 1))
	file_rc=1
}

pass=0
fail=0
skip=0
ktap_print_header
ktap_set_plan $#
ktap_print_msg "FTEST_SEED=$FTEST_SEED"
for name; do
	run_file "$name"
	count_results "$name"
	case $file_rc in
	"$KSFT_PASS") ktap_test_pass "$name" ;;
	"$KSFT_SKIP") ktap_test_skip "$name" ;;
	*) ktap_test_fail "$name" ;;
	esac
done
rm -f $out $out.rc
KTAP_CNT_PASS=$pass
KTAP_CNT_FAIL=$fail
KTAP_CNT_SKIP=$skip
ktap_print_totals
[ $fail -eq 0 ]
