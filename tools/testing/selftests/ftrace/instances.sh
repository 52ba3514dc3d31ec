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

# What is written to trace_marker of the top goes to all instances with the option, and
# stays away from the top without it.
copies()
{
	reset_instances
	expect_file ../options/copy_trace_marker 1
	mkdir one two
	expect_file one/options/copy_trace_marker 0
	put 1 one/options/copy_trace_marker
	put 'of the top' ../trace_marker
	put 'of its own' two/trace_marker
	"$FILEOP" write w ../trace_marker_raw '\x01\x00\x00\x00' > /dev/null
	for instance in .. one; do
		expect "$(grep -c ': of the top$' $instance/trace)" 1 "text in $instance"
		expect "$(grep -c ': # 1 buf:' $instance/trace)" 1 "raw data in $instance"
		expect "$(grep -c ': of its own$' $instance/trace)" 0 "text of another instance"
	done
	expect "$(nr_events two/trace)" 1 "entries of an instance without the option"

	put 0 ../options/copy_trace_marker
	put 'elsewhere' ../trace_marker
	expect "$(grep -c ': elsewhere$' one/trace)" 1 "text in the instance alone"
	expect "$(grep -c ': elsewhere$' ../trace)" 0 "the same text in the top"
	# an instance that goes gets no copies any more
	rmdir one
	expect_write ENODEV w ../trace_marker 'nobody\n'
	expect_write ENODEV w ../trace_marker_raw '\x01\x00\x00\x00'
	expect_write 5 w two/trace_marker 'self\n'
	put 1 ../options/copy_trace_marker
	expect_write 4 w ../trace_marker 'top\n'
	rmdir two
}

# trace_printk() goes where the option is set, whose buffer has its full size then.
printk_dest()
{
	reset_instances
	mkdir one
	put 1 one/options/trace_printk_dest
	expect_file ../options/trace_printk_dest 0
	expect_false "the buffer is still small" grep -q expanded one/buffer_size_kb
	need_module ftest_printk
	put task "$(param ftest_printk run)"
	expect_true "entries in the instance" [ "$(nr_events one/trace)" -gt 0 ]
	expect "$(nr_events ../trace)" 0 "entries in the top"
	drop_module ftest_printk
	rmdir one
	expect_file ../options/trace_printk_dest 1
}

# Filters, tasks and options, with what each file says of another instance's.
settings()
{
	reset_instances
	mkdir one two
	put 30001 one/set_ftrace_pid
	put 30002 one/set_ftrace_notrace_pid
	put vfs_read one/set_ftrace_notrace
	put 1 one/options/function-fork
	for other in two ..; do
		expect_file $other/set_ftrace_pid 'no pid'
		expect_file $other/set_ftrace_notrace_pid 'no pid'
		expect_false "notrace of $other" grep -q vfs_read $other/set_ftrace_notrace
		expect_file $other/options/function-fork 0
	done

	# a task that is traced in one instance is not traced in the others
	put vfs_read two/set_ftrace_filter
	put vfs_read one/set_ftrace_filter
	echo > one/set_ftrace_notrace
	put function one/current_tracer
	put function two/current_tracer
	read_something
	put 0 one/tracing_on
	put 0 two/tracing_on
	expect "$(nr_events one/trace)" 0 "calls of tasks that are not listed"
	expect_true "calls in the other" grep -q ': vfs_read <-' two/trace
	rmdir one two
}

tracer_options()
{
	reset_instances
	mkdir one two
	put 1 one/options/func_stack_trace
	expect_file two/options/func_stack_trace 0
	expect_file ../options/func_stack_trace 0
	rmdir one two
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
testcase copies "copy_trace_marker has trace_marker of the top written into an instance"
testcase printk_dest "trace_printk_dest has trace_printk() write into an instance"
testcase settings "tasks, filters and options of an instance concern no other one"
testcase tracer_options "the options of a tracer concern no other instance"
testcase storm "instances can be made and removed while others read and write them"
finish
