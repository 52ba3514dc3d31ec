#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# A call site that does not hold what it should: it is reported once, tracing is shut
# down, and the machine goes on. Wants a boot of its own. With FTEST_CALLING, the site is
# a call when it is spoilt, and is to become a NOP. The buffer is spoilt at the end.
# shellcheck source=functions.sh

. "$(dirname "$0")/functions.sh"

# The report is one warning, which here is what is wanted.
SPLATS='Oops|BUG:|Kernel panic|general protection|UBSAN|unknown reason'
# How the report begins.
REPORT='ftrace bug|ftrace: unexpected instruction'
# Tracing does not come back: there is nothing to reset.
tracing_is_dead=yes

spoil()
{
	insmod "$MODULES/ftest_target.ko" && insmod "$MODULES/ftest_corrupt.ko" &&
		echo 'ftest_corrupted vfs_read ftest_one' > set_ftrace_filter &&
		echo "$before" > current_tracer &&
		echo Y > "$(param ftest_corrupt corrupt)"
	echo $?
}

reported()
{
	expect "$spoilt" 0 "cannot spoil the site"
	"$FILEOP" write w current_tracer "$then" > "$SCRATCH/result"
	log_since_mark > "$SCRATCH/log"
	expect "$(grep -cE "$REPORT" "$SCRATCH/log")" 1 "reports"
	expect_true "function" grep -q 'ftest_corrupted+0x' "$SCRATCH/log"
	expect_true "bytes found" grep -Eq '(actual|found): .*66[: ]66[: ]66[: ]66' "$SCRATCH/log"
	expect_true "bytes expected" \
		    grep -Eq 'expected: .*[0-9a-f]{2}[: ][0-9a-f]{2}' "$SCRATCH/log"
	expect_true "state of the record" grep -Eq '(flags|record): [0-9a-fx]+' "$SCRATCH/log"
}

# The users of the site have gone; nobody else is called any more.
users_gone()
{
	expect "$(grep -cv '^ftest_corrupted ' enabled_functions)" 0 "functions that call"
	expect_false "no user is shown" grep -q -e '->' -e 'tramp' enabled_functions
}

# Everything is verified before anything is written: no site became a call.
nothing_written()
{
	: > trace
	call_targets 3
	read_something
	expect "$(events | grep -c '<-')" 0 "calls traced"
}

shut_down()
{
	for file in set_ftrace_filter set_ftrace_notrace available_filter_functions; do
		expect "$("$FILEOP" open r $file)" open:ENODEV "open of $file"
	done
	expect_write ENODEV w $FTRACE_ENABLED '1\n'
	# said once, not again
	"$FILEOP" write w current_tracer nop > /dev/null
	"$FILEOP" write w current_tracer function > /dev/null
	"$FILEOP" write w current_tracer nop > /dev/null
	expect "$(log_since_mark | grep -cE "$REPORT")" 0 "more reports"
}

machine_goes_on()
{
	put hello trace_marker
	expect_true "markers" grep -q 'tracing_mark_write: hello' trace
	call_targets 3
	insmod "$MODULES/ftest_ops.ko"
	"$FILEOP" write w "$(param ftest_ops run)" single > "$SCRATCH/result"
	expect_true "ops are refused: $(cat "$SCRATCH/result")" grep -q '^E' "$SCRATCH/result"
	expect_true "the other modules go" rmmod ftest_ops
	put N "$(param ftest_corrupt corrupt)"
	expect_true "the spoilt module goes" rmmod ftest_corrupt
	expect_true "and its target" rmmod ftest_target
	expect_true "modules come" insmod "$MODULES/ftest_target.ko"
	expect_true "and go" rmmod ftest_target
	expect_true "programs run" sh -c 'ls / > /dev/null'
}

a_broken_ring()
{
	need_module ftest_printk
	expect_write 6 w "$(param ftest_printk run)" broken
	expect "$(log_since_mark | grep -c 'WARNING: .*/ring/write.c')" 1 "reports"
	rmmod ftest_printk
}

# Last of all, the buffer: what is in it can be read, and that is all.
off_for_good()
{
	need_module ftest_printk
	put kept trace_marker
	put off_for_good "$(param ftest_printk run)"
	expect_file tracing_on 'permanently disabled'
	for value in 1 0 1; do
		"$FILEOP" write w tracing_on "$value\n" >> "$SCRATCH/switched"
	done
	expect "$(tr '\n' ' ' < "$SCRATCH/switched")" 'EPERM 2 EPERM ' "switching it"
	expect_file tracing_on 'permanently disabled'
	expect_write EBADF w trace_marker 'late\n'
	put task "$(param ftest_printk run)"
	expect_true "what was in it" grep -q 'tracing_mark_write: kept' trace
	for setting in 64:buffer_size_kb global:trace_clock 1:snapshot; do
		put "${setting%:*}" "${setting#*:}"
		expect_write EPERM w tracing_on '1\n'
		expect_write EBADF w trace_marker 'late\n'
	done
	expect "$(nr_events)" 0 "entries recorded since"
}

for name in ftest_target ftest_corrupt ftest_ops; do
	[ -f "$MODULES/$name.ko" ] || skip_all "no module $name"
done
if [ -n "${FTEST_CALLING:-}" ]; then
	before=function
	then=nop
else
	before=nop
	then=function
fi
spoilt=$(spoil)
# from here on reset_tracing() would only get errors
reset_tracing() { :; }
testcase reported "the mismatch is reported"
testcase users_gone "nobody is called"
testcase nothing_written "no other site was written"
testcase shut_down "function tracing is shut down"
testcase machine_goes_on "the machine goes on"
testcase a_broken_ring "a ring that finds itself broken takes no more"
testcase off_for_good "tracing_off_permanent()"
finish
