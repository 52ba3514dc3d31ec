#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Instances: each has a buffer, a tracer, filters and options of its own.
# shellcheck source=functions.sh

. "$(dirname "$0")/functions.sh"

[ -d instances ] || skip_all "no instances here"

# In the directory of instances, of which an earlier case may have left some.
reset_instances()
{
	cd "$TRACEFS/instances" || exit 1
	for dir in */; do
		[ ! -d "$dir" ] || rmdir "$dir"
	done
}

names()
{
	reset_instances
	expect_true "a directory" mkdir one
	expect_false "twice" mkdir one 2> /dev/null
	expect_true "a name with a space" mkdir 'two words'
	expect_true "a long name" mkdir "$(printf '%0255d' 1)"
	expect_false "too long a name" mkdir "$(printf '%0256d' 1)" 2> /dev/null
	expect_false "a directory in an instance" mkdir one/two 2> /dev/null
	reset_instances
	expect "$(ls)" '' "instances after all were removed"
}

# The files that the documentation gives an instance, and none of those of the top.
files()
{
	reset_instances
	mkdir one
	for file in available_tracers buffer_size_kb current_tracer error_log options per_cpu \
		    set_ftrace_filter set_ftrace_notrace set_ftrace_pid trace trace_clock \
		    trace_marker trace_marker_raw trace_options trace_pipe tracing_cpumask \
		    tracing_on; do
		expect_true "there is $file" [ -e "one/$file" ]
	done
	for file in README available_filter_functions enabled_functions instances \
		    saved_cmdlines; do
		expect_false "there is $file" [ -e "one/$file" ]
	done
	expect_file one/current_tracer nop
	rmdir one
}

buffers()
{
	reset_instances
	mkdir one two
	put 'of the first' one/trace_marker
	put 'of the top' ../trace_marker
	expect "$(events one/trace | grep -c ': of the first$')" 1 "its own entry"
	expect "$(nr_events one/trace)" 1 "entries of the first"
	expect "$(nr_events two/trace)" 0 "entries of the second"
	expect "$(events ../trace | grep -c ': of the')" 1 "entries of the top"
	put 64 one/buffer_size_kb
	put mono one/trace_clock
	put 0 one/tracing_on
	put sym-addr one/trace_options
	expect_file two/tracing_on 1
	expect_file two/options/sym-addr 0
	expect_true "clock of the second" grep -q '\[local\]' two/trace_clock
	expect_false "size of the second" [ "$(cat two/buffer_size_kb)" = 64 ]
	rmdir one two
}

# The function tracer runs in several at once, with filters of their own.
filters()
{
	reset_instances
	mkdir one two
	put vfs_open one/set_ftrace_filter
	put vfs_read two/set_ftrace_filter
	put function one/current_tracer
	put function two/current_tracer
	read_something
	put 0 one/tracing_on
	put 0 two/tracing_on
	expect_true "calls in the first" grep -q ': vfs_open <-' one/trace
	expect_true "calls in the second" grep -q ': vfs_read <-' two/trace
	expect "$(events one/trace | grep -vc ': vfs_open <-')" 0 "others in the first"
	expect "$(events two/trace | grep -vc ': vfs_read <-')" 0 "others in the second"
	expect "$(nr_events ../trace)" 0 "calls in the top"
	expect_true "it goes with its tracer" rmdir one
	expect_true "the other goes on" grep -q vfs_read ../enabled_functions
	expect_false "its function is traced" grep -q vfs_open ../enabled_functions
	rmdir two
}

# An open file keeps the instance.
busy()
{
	reset_instances
	mkdir one
	for file in trace_pipe trace current_tracer per_cpu/cpu0/trace_pipe_raw; do
		exec 3< one/$file
		expect_false "rmdir with $file open" rmdir one 2> "$SCRATCH/error"
		expect_true "it is busy" grep -q 'busy' "$SCRATCH/error"
		exec 3<&-
	done
	put kept one/trace_marker
	expect "$(nr_events one/trace)" 1 "entries after rmdir failed"
	expect_true "rmdir" rmdir one
}

# Instances come and go while others look into them.
storm()
{
	reset_instances
	in_background sh -c 'while :; do mkdir one; rmdir one; done 2> /dev/null'
	in_background sh -c 'while :; do cat one/trace one/options/*; echo x > one/trace_marker
			     done > /dev/null 2>&1'
	in_background sh -c 'while :; do
				echo vfs_open > one/set_ftrace_filter &&
				echo function > one/current_tracer
			     done 2> /dev/null'
	sleep 5
	end_all_background
	# a program that one of the shells has started may still have a file open
	for _ in 1 2 3 4 5 6 7 8 9 10; do
		rmdir one 2> /dev/null
		[ -d one ] || break
		sleep 1
	done
	reset_instances
	expect "$(ls)" '' "instances that are left"
}

testcase names "instances can have any name that a directory can have"
testcase files "an instance has the files of the documentation"
testcase buffers "instances share neither buffer nor options"
testcase filters "the function tracer runs in several instances with different filters"
testcase busy "an instance cannot be removed while a file of it is open"
testcase storm "instances can be made and removed while others read and write them"
finish
