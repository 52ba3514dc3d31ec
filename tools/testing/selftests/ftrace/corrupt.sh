#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# A call site with unexpected bytes: the kernel reports it once, shuts function tracing down,
# and continues. Needs its own boot. Without FTEST_CALLING, the site is a NOP that becomes a
# call when it is corrupted; with FTEST_CALLING, it is a call that becomes a NOP. The last cases
# corrupt the ring buffer.
# shellcheck source=functions.sh

. "$(dirname "$0")/functions.sh"

undo_boot_options

# The only expected warning is the one about the ring buffer.
LOG_ERRORS='Oops|BUG:|Kernel panic|general protection|UBSAN|unknown reason'
# First line of the report.
REPORT='ftrace bug|ftrace: unexpected instruction'

# A live patch and a direct call on other functions; or if the corrupted site is a call, a
# direct call on it
others()
{
	if [ -d /sys/kernel/livepatch ]; then
		insmod "$MODULES/ftest_klp.ko" &&
			wait_for 60 grep -q 0 /sys/kernel/livepatch/ftest_klp/transition || return
	fi
	insmod "$MODULES/ftest_direct.ko" "on=$with_direct" || return 0
	echo 1 > "$(param ftest_direct direct)"
}

corrupt_site()
{
	mkdir instances/function instances/function_graph 2> /dev/null
	insmod "$MODULES/ftest_target.ko" && insmod "$MODULES/ftest_corrupt.ko" &&
		for of in instances/*/; do
			echo ftest_two > "$of/set_ftrace_filter"
			echo "$(basename "$of")" > "$of/current_tracer"
		done &&
		echo 'ftest_corrupted vfs_read ftest_one' > set_ftrace_filter &&
		others && echo "$before" > current_tracer &&
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

# kept FILE: lines of functions that have a live patch or a direct call
kept()
{
	grep -E '^(ftest_three|ftest_one|tree_sits) ' "$1"
}

# The site has no users, and no users are called any longer, except live patches and direct
# calls.
users_gone()
{
	kept enabled_functions > "$SCRATCH/kept"
	expect "$(grep -v -e '^ftest_corrupted ' -e '^.direct-->' enabled_functions |
		  grep -vcxFf "$SCRATCH/kept")" 0 "functions that call"
	expect "$(grep -vc ' (1) ' "$SCRATCH/kept")" 0 "functions that have more than one user"
	expect_false "the tracer is shown" grep -q function_call enabled_functions
}

# A fault at one site does not undo changes at other sites.
patches_stay()
{
	[ -d /sys/kernel/livepatch ] || skip "no live patches"
	expect_file "$(param ftest_target value)" 2000
	expect_true "tree_sits is patched" grep -q '^tree_sits .* I' enabled_functions
	echo 0 > /sys/kernel/livepatch/ftest_klp/enabled
	expect_true "unpatched" wait_for 60 test ! -d /sys/kernel/livepatch/ftest_klp
	expect_file "$(param ftest_target value)" 1
	expect "$(grep -Ec '^(ftest_one|tree_sits) ' enabled_functions)" 0 "functions that call"
	expect_true "rmmod" rmmod ftest_klp
}

direct_stays()
{
	[ -d /sys/module/ftest_direct ] || skip "no direct calls"
	if [ "$with_direct" = ftest_corrupted ]; then
		expect_true "the log names it" grep -Eq \
			    'ftest_corrupted.* may have lost its direct call, ftest_direct_first' \
			    "$SCRATCH/log"
	else
		expect_file "$(param ftest_direct direct)" 1
		put 2 "$(param ftest_direct direct)"
		expect_file "$(param ftest_direct direct)" 2
		put 0 "$(param ftest_direct direct)"
		expect_file "$(param ftest_direct direct)" 0
		expect_write ENODEV w "$(param ftest_direct direct)" '1\n'
		expect_file "$(param ftest_direct direct)" 0
	fi
	expect_true "rmmod" rmmod ftest_direct
}

# All sites are verified before any is written: no site became a call.
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
	# The fault is reported only once
	"$FILEOP" write w current_tracer nop > /dev/null
	"$FILEOP" write w current_tracer function > /dev/null
	"$FILEOP" write w current_tracer nop > /dev/null
	expect "$(log_since_mark | grep -cE "$REPORT")" 0 "more reports"
}

# lost TRACER OPTION: the tracer of an instance must restart for an option, and cannot.
lost()
{
	[ -f "instances/$1/options/$2" ] || return 0
	expect_file "instances/$1/current_tracer" "$1"
	expect_write ENODEV w "instances/$1/options/$2" '1\n'
	expect_file "instances/$1/options/$2" 0
	expect_file "instances/$1/current_tracer" nop
	expect "$("$FILEOP" write w "instances/$1/current_tracer" nop)" 3 "no tracer for $1"
	rmdir "instances/$1" || fail "the instance $1 is not removed"
}

tracer_fails()
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
	expect_true "ops are rejected: $(cat "$SCRATCH/result")" grep -q '^E' "$SCRATCH/result"
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

# The buffer of an instance. The kernel reports only the first corrupt buffer.
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
	with_direct=ftest_corrupted
else
	before=nop
	then=function
	with_direct=ftest_three
fi
corrupted=$(corrupt_site)
# Function tracing remains shut down, so there is nothing to reset
reset_tracing() { :; }
testcase reported "the report has function, bytes found, bytes expected and record"
testcase users_gone "users are no longer called"
testcase patches_stay "live patches remain in force, and can be removed"
testcase direct_stays "direct calls remain in force, or the log names them"
testcase nothing_written "no other site is written"
testcase shut_down "function tracing is shut down"
testcase tracer_fails "a tracer that cannot restart is stopped, and its files show it"
testcase machine_goes_on "markers, modules and programs still work"
testcase broken_ring "a ring buffer that detects its own corruption accepts no entries"
testcase broken_instance "an instance with a corrupt buffer reports it and cannot be switched on"
finish
