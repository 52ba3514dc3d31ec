#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Filters and invalid values on the kernel's command line, which must be
#
#	ftrace=function
#	ftrace_filter=do_one_initcall,no_such_function,vfs_o*,,:src:fs/read_write.c,!vfs_write,
#		ftest_*:mod:ftest_target,vfs_read:traceoff
#	ftrace_notrace=vfs_writev,no_such_either
#	sysctl.kernel.ftrace_enabled=0
#	trace_buf_size=1E
#
# and the settings must not have been changed since.
# shellcheck source=functions.sh

. "$(dirname "$0")/functions.sh"

grep -q 'ftrace_filter=do_one_initcall,' /proc/cmdline || skip_all "another command line"

# The first case begins with a reset, so the state after boot is saved before.
cp current_tracer set_ftrace_filter set_ftrace_notrace enabled_functions "$SCRATCH"
cat $FTRACE_ENABLED > "$SCRATCH/ftrace_enabled"
cat trace > "$SCRATCH/trace"
cat buffer_size_kb > "$SCRATCH/size"
echo 1 > $FTRACE_ENABLED
cat enabled_functions > "$SCRATCH/enabled_later"
insmod "$MODULES/ftest_target.ko" && echo 1 > "$(param ftest_target call)"
cat trace > "$SCRATCH/trace_of_module"
dmesg > "$SCRATCH/log"

names()
{
	cut -d ' ' -f 1 "$SCRATCH/$1" | sort -u
}

# The functions in the kernel image that ftrace_filter= selects.
meant()
{
	{
		echo do_one_initcall
		grep '^vfs_o' available_filter_functions
		grep '^fs/read_write[.]o ' available_filter_functions_sources | cut -d ' ' -f 2
	} | grep -vx vfs_write | sort -u
}

filters()
{
	# Init functions have been freed
	expect "$(names set_ftrace_filter)" \
	       "$({ meant; echo 'ftest_*:mod:ftest_target'; } | sort -u)" "ftrace_filter="
	expect "$(names set_ftrace_notrace)" vfs_writev "ftrace_notrace="
	for word in no_such_function no_such_either vfs_read:traceoff; do
		expect_true "the log names $word" \
			    grep -q "ftrace: no function matches $word" "$SCRATCH/log"
	done
	expect "$(grep -c 'no function matches' "$SCRATCH/log")" 3 "patterns without a function"
}

tracer()
{
	expect "$(cat "$SCRATCH/current_tracer")" function "ftrace="
	expect_true "calls before user space started" \
		    grep -q ': do_one_initcall <-' "$SCRATCH/trace"
	events "$SCRATCH/trace" | sed 's/.*: \([^ ]*\) <-.*/\1/' | sort -u > "$SCRATCH/traced"
	meant | grep -vx vfs_writev > "$SCRATCH/meant"
	expect "$(grep -vxF -f "$SCRATCH/meant" "$SCRATCH/traced")" '' \
	       "other functions in the trace"
}

sysctl()
{
	expect "$(cat "$SCRATCH/ftrace_enabled")" 0 "sysctl.kernel.ftrace_enabled="
	expect "$(cat "$SCRATCH/enabled_functions")" '' "functions that are traced"
	expect "$(names enabled_later)" "$(meant | grep -vx vfs_writev)" "when it is 1 again"
}

module()
{
	expect_true "a function of the module is traced" \
		    grep -q ': ftest_one <-ftest_caller' "$SCRATCH/trace_of_module"
	expect_true "the init function is traced" \
		    grep -q ': ftest_target_init <-' "$SCRATCH/trace_of_module"
}

# A size that exceeds memory is ignored.
absurd_size()
{
	expect_file "$SCRATCH/size" 1408
	expect_true "the log reports it" grep -q 'trace_buf_size=.*exceeds available memory' \
		    "$SCRATCH/log"
}

testcase filters "ftrace_filter= and ftrace_notrace= accept names, globs and sources"
testcase tracer "ftrace= starts the tracer with these filters"
testcase sysctl "sysctl.kernel.ftrace_enabled=0 keeps everything off"
testcase module "a pattern for a module takes effect when the module is loaded"
testcase absurd_size "trace_buf_size= with more than the available memory is reported and ignored"
finish
