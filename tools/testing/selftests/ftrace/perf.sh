#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Records that perf gets of changed text and of trampolines, so that a decoder of branch traces
# knows the code that was executed at any time.
# shellcheck source=functions.sh

. "$(dirname "$0")/functions.sh"

PERFOP=$HERE/perfop

# The bytes of a site that is a NOP, and a pattern for the bytes of a site that is a call.
case $(uname -m) in
x86_64) NOP=0f1f440000 CALL=e8 ;;
aarch64) NOP=1f2003d5 CALL='[0-9a-f]*9[4-7]' ;;
esac

# record SECONDS COMMAND: the records that perf gets, in $SCRATCH/records
record()
{
	"$PERFOP" "$1" "$2" > "$SCRATCH/records" 2> "$SCRATCH/refused"
	case $? in
	0) ;;
	4) skip "$(cat "$SCRATCH/refused")" ;;
	*) fail "perfop failed: $(cat "$SCRATCH/refused")" ;;
	esac
}

# site NAME: prints the address of a function's call site, in hex
site()
{
	sed -n "s/^\([0-9a-f]*\) $1 .*/\1/p" available_filter_functions_addrs
}

text_pokes()
{
	need_module ftest_target
	put ftest_one set_ftrace_filter
	address=$(site ftest_one)
	expect_true "ftest_one has a site" [ -n "$address" ]
	record 0 'echo function > current_tracer; echo nop > current_tracer'
	grep "^poke $address " "$SCRATCH/records" > "$SCRATCH/pokes"
	sed 's/^/# /' "$SCRATCH/pokes"
	expect "$(wc -l < "$SCRATCH/pokes")" 2 "the site was changed twice"
	expect_true "from the NOP to a call" \
		    sh -c "head -n 1 '$SCRATCH/pokes' | grep -q ' $NOP $CALL'"
	expect_true "and back" sh -c "tail -n 1 '$SCRATCH/pokes' | grep -q ' $CALL.* $NOP'"
}

trampolines()
{
	need_module ftest_target
	need_module ftest_ops
	run=$(param ftest_ops run)
	record 3 "echo hold_regs > $run; cp enabled_functions $SCRATCH/enabled
		cp /proc/kallsyms $SCRATCH/symbols; echo release > $run"
	grep -q '^ftest_one .*tramp: ftrace_trampoline+' "$SCRATCH/enabled" || skip "no trampolines"
	address=$(sed -n 's/^ksymbol \([0-9a-f]*\) .* +ftrace_trampoline.*/\1/p' "$SCRATCH/records")
	expect_true "one trampoline was added, and kallsyms had it" \
		    grep -q "^0*$address . ftrace_trampoline.*__builtin__ftrace" "$SCRATCH/symbols"
	grep " $address " "$SCRATCH/records" | cut -d ' ' -f 1-6 > "$SCRATCH/about"
	sed 's/^/# /' "$SCRATCH/about"
	expect "$(grep -c '^ksymbol .* 2 +ftrace_trampoline' "$SCRATCH/about")" 1 "it was added"
	expect "$(grep -c '^ksymbol .* 2 -ftrace_trampoline' "$SCRATCH/about")" 1 "it was removed"
	expect "$(grep -c "^poke $address - [0-9a-f]" "$SCRATCH/about")" 1 "its code was added"
	expect "$(grep -c "^poke $address [0-9a-f]* -" "$SCRATCH/about")" 1 "its code was removed"
}

# A record for each site, and none is lost.
many_sites()
{
	put '*_work*' set_ftrace_filter
	record 0 'echo function > current_tracer; echo nop > current_tracer'
	nr=$(grep -vc '^#' set_ftrace_filter)
	expect_true "the filter has functions" [ "$nr" -gt 10 ]
	sites=$(grep -c "^poke [0-9a-f]* $NOP $CALL" "$SCRATCH/records")
	expect "$sites" "$nr" "sites that became calls"
}

testcase text_pokes "perf gets a record when a function becomes traced and untraced"
testcase trampolines "perf gets a record when a trampoline is created and freed"
testcase many_sites "perf gets a record for each site when many functions change at once"
finish
