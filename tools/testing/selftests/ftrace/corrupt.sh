#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# A call site with unexpected bytes: the kernel reports it once, shuts function tracing down,
# and goes on. Wants a boot of its own. Without FTEST_CALLING, the site is a NOP when it is
# corrupted, and is to become a call; with it, the other way round. The ring buffer is corrupted
# at the end.
# shellcheck source=functions.sh

. "$(dirname "$0")/functions.sh"

undo_boot_options

# The only warning that is expected is that of the ring buffer.
SPLATS='Oops|BUG:|Kernel panic|general protection|UBSAN|unknown reason'
# How the report begins.
REPORT='ftrace bug|ftrace: unexpected instruction'

corrupt_site()
{
	mkdir instances/function instances/function_graph 2> /dev/null
	insmod "$MODULES/ftest_target.ko" && insmod "$MODULES/ftest_corrupt.ko" &&
		for of in instances/*/; do
			echo ftest_two > "$of/set_ftrace_filter"
			echo "$(basename "$of")" > "$of/current_tracer"
		done &&
		echo 'ftest_corrupted vfs_read ftest_one' > set_ftrace_filter &&
		echo "$before" > current_tracer &&
		echo Y > "$(param ftest_corrupt corrupt)"
	echo $?
}

reported()
{
	expect "$corrupted" 0 "status of corrupting the site"
	"$FILEOP" write w current_tracer "$then" > "$SCRATCH/result"
	log_since_mark > "$SCRATCH/log"
	expect "$(grep -cE "$REPORT" "$SCRATCH/log")" 1 "reports"
	expect_true "function" grep -q 'ftest_corrupted+0x' "$SCRATCH/log"
	expect_true "bytes found" grep -Eq '(actual|found): .*66[: ]66[: ]66[: ]66' "$SCRATCH/log"
	expect_true "bytes expected" \
		    grep -Eq 'expected: .*[0-9a-f]{2}[: ][0-9a-f]{2}' "$SCRATCH/log"
	expect_true "state of the record" grep -Eq '(flags|record): [0-9a-fx]+' "$SCRATCH/log"
}

# The site has lost its users, and no other user is called any more.
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
	# it is reported only once
	"$FILEOP" write w current_tracer nop > /dev/null
	"$FILEOP" write w current_tracer function > /dev/null
	"$FILEOP" write w current_tracer nop > /dev/null
	expect "$(log_since_mark | grep -cE "$REPORT")" 0 "more reports"
}

# lost TRACER OPTION: the tracer of an instance has to start again for an option, and cannot.
lost()
{
	[ -f "instances/$1/options/$2" ] || return 0
	expect_file "instances/$1/current_tracer" "$1"
	expect_write ENODEV w "instances/$1/options/$2" '1\n'
	expect_file "instances/$1/options/$2" 0
	expect_file "instances/$1/current_tracer" nop
	expect "$("$FILEOP" write w "instances/$1/current_tracer" nop)" 3 "no tracer for $1"
	rmdir "instances/$1" || fail "the instance $1 does not go"
}

tracer_lost()
{
	lost function func_stack_trace
	lost function_graph funcgraph-keep-slow
	expect "$(log_since_mark | grep -c 'WARNING')" 0 "warnings"
}

machine_goes_on()
{
	put hello trace_marker
	expect_true "markers" grep -q 'tracing_mark_write: hello' trace
	call_targets 3
	insmod "$MODULES/ftest_ops.ko"
	"$FILEOP" write w "$(param ftest_ops run)" single > "$SCRATCH/result"
	expect_true "ops are refused: $(cat "$SCRATCH/result")" grep -q '^E' "$SCRATCH/result"
	expect_true "a module with ftrace_ops can be unloaded" rmmod ftest_ops
	put N "$(param ftest_corrupt corrupt)"
	expect_true "the module with the corrupted site can be unloaded" rmmod ftest_corrupt
	expect_true "its target can be unloaded" rmmod ftest_target
	expect_true "a module can be loaded" insmod "$MODULES/ftest_target.ko"
	expect_true "a module can be unloaded" rmmod ftest_target
	expect_true "programs run" sh -c 'ls / > /dev/null'
}

broken_ring()
{
	need_module ftest_printk
	expect_write 6 w "$(param ftest_printk run)" broken
	expect "$(log_since_mark | grep -c 'WARNING: .*/ring/write.c')" 1 "reports"
	rmmod ftest_printk
}

# That of an instance. The kernel reports only the first one.
broken_instance()
{
	need_module ftest_printk
	in_instance
	expect_file tracing_on 1
	expect_write 15 w "$(param ftest_printk run)" broken_instance
	rmmod ftest_printk
	expect_file tracing_on '0 (permanently disabled)'
	expect_write EPERM w tracing_on '1\n'
	expect_write 2 w tracing_on '0\n'
	: > trace
	expect_file tracing_on '0 (permanently disabled)'
	expect_file "$TRACEFS/tracing_on" 1
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
corrupted=$(corrupt_site)
# function tracing does not come back, so there is nothing to reset
reset_tracing() { :; }
testcase reported "the report has function, bytes found, bytes expected and record"
testcase users_gone "no user is called any more"
testcase nothing_written "no other site was written"
testcase shut_down "function tracing is shut down"
testcase tracer_lost "a tracer that cannot start again has stopped, and says so"
testcase machine_goes_on "markers, modules and programs still work"
testcase broken_ring "a ring buffer that finds itself corrupt takes no more entries"
testcase broken_instance "an instance with such a buffer says so and cannot be switched on"
finish
