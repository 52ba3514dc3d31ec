#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Instances: each has its own buffer, tracer, filters and options.
# shellcheck source=functions.sh

. "$(dirname "$0")/functions.sh"

[ -d instances ] || skip_all "no instances here"
RAWOP=${FILEOP%/*}/rawop

# Changes to the directory of instances, and removes instances that an earlier case left.
reset_instances()
{
	cd "$TRACEFS/instances" || exit 1
	for dir in */; do
		[ ! -d "$dir" ] || rmdir "$dir"
	done
}

# Undoes the settings of tracers(). If the case ended early, its instance with osnoise is also
# removed.
reset_more()
{
	[ -d osnoise ] || return 0
	echo 1000000 > osnoise/period_us
	echo 1000000 > osnoise/runtime_us
}

# refuses TEXT COMMAND...: the command fails with this error
refuses()
{
	refuses_text=$1
	shift
	expect_false "no error of $*" "$@" 2> "$SCRATCH/error"
	expect_true "the error of $* is '$refuses_text'" grep -q "$refuses_text" "$SCRATCH/error"
}

names()
{
	reset_instances
	expect_true "a directory" mkdir one
	refuses 'File exists' mkdir one
	refuses 'File exists' mkdir ..
	expect_true "a name with a space" mkdir 'two words'
	expect_true "a long name" mkdir "$(printf '%0255d' 1)"
	refuses 'File name too long' mkdir "$(printf '%0256d' 1)"
	expect_false "a directory in an instance" mkdir one/two 2> /dev/null
	refuses 'No such file' rmdir three
	reset_instances
	expect "$(ls)" '' "instances after all were removed"
}

# The files of an instance, if the kernel has them in the top directory. The files of
# function_graph are included, since each instance can have that tracer. It has no other files.
FILES='available_tracers buffer_percent buffer_size_kb buffer_subbuf_size_kb buffer_total_size_kb
	current_tracer error_log events free_buffer graph_tree_stats max_graph_depth options
	per_cpu set_event set_event_notrace_pid set_event_pid set_ftrace_filter
	set_ftrace_notrace set_ftrace_notrace_pid set_ftrace_pid set_graph_function
	set_graph_notrace snapshot timestamp_mode trace trace_clock trace_marker
	trace_marker_raw trace_options trace_pipe tracing_cpumask tracing_max_latency
	tracing_on'

# files_in DIR: their names, except files that a stock kernel has only in the top instance
files_in()
{
	for file in "$1"/*; do
		echo "${file##*/}"
	done | grep -vx -e header_page -e header_event
}

files()
{
	reset_instances
	mkdir one
	for file in $FILES; do
		[ ! -e "../$file" ] || echo "$file"
	done > "$SCRATCH/want"
	expect "$(ls one)" "$(cat "$SCRATCH/want")" "files of an instance"
	expect_true "more than a few" [ "$(wc -l < "$SCRATCH/want")" -gt 25 ]
	expect_file one/current_tracer nop
	for dir in per_cpu/cpu0 options events; do
		expect "$(files_in one/$dir)" "$(files_in ../$dir)" "files in $dir"
	done
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

# The function tracer runs in several instances at once, each with its own filters.
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
	expect "$(events one/trace | grep -vc ': vfs_open <-')" 0 "other functions in the first"
	expect "$(events two/trace | grep -vc ': vfs_read <-')" 0 "other functions in the second"
	expect "$(nr_events ../trace)" 0 "calls in the top"
	expect_true "the first is removed with its tracer" rmdir one
	expect_true "the other continues" grep -q vfs_read ../enabled_functions
	expect_false "its function is traced" grep -q vfs_open ../enabled_functions
	rmdir two
}

# State that rmdir would reset.
settings_of_one()
{
	cat one/current_tracer one/set_ftrace_filter one/options/sym-addr one/trace_clock \
	    one/tracing_on
	[ ! -d one/events ] || cat one/events/sched/sched_wakeup/enable
}

# An open file pins the instance. There are too many event files to try all.
busy()
{
	reset_instances
	mkdir one
	put vfs_open one/set_ftrace_filter
	put 1 one/options/sym-addr
	put mono one/trace_clock
	[ ! -d one/events ] || put 1 one/events/sched/sched_wakeup/enable
	put function one/current_tracer
	settings=$(settings_of_one)
	{
		find one -type f | grep -v /events/
		[ ! -d one/events ] || find one/events one/events/sched \
						one/events/sched/sched_switch -maxdepth 1 -type f
	} > "$SCRATCH/files"
	expect_true "there are files" [ "$(wc -l < "$SCRATCH/files")" -gt 50 ]
	while read -r file; do
		mode='<'
		[ "$(stat -c %a "$file")" != 220 ] || mode='>>'
		expect "$(sh -c "exec 3$mode $file && LC_ALL=C rmdir one" 2>&1 | sed 's/.*: //')" \
			"Device or resource busy" "rmdir with $file open"
	done < "$SCRATCH/files"
	expect "$(settings_of_one)" "$settings" "settings after rmdir failed"
	: > one/trace
	[ ! -d one/events ] || put 0 one/events/sched/sched_wakeup/enable
	put kept one/trace_marker
	expect "$(grep -c ': kept' one/trace)" 1 "entries after rmdir failed"
	expect_true "calls are recorded" grep -q 'vfs_open' one/trace
	expect_true "rmdir" rmdir one
}

# There may be any number of instances.
many()
{
	reset_instances
	many=40
	[ -z "${FTEST_FEW-}" ] || many=10
	for i in $(seq $many); do
		mkdir "many$i"
		put vfs_open "many$i/set_ftrace_filter"
		put function "many$i/current_tracer"
	done
	read_something
	for i in $(seq $many); do
		put 0 "many$i/tracing_on"
		grep -q ': vfs_open <-' "many$i/trace" || echo "$i"
	done > "$SCRATCH/without"
	expect "$(cat "$SCRATCH/without")" '' "instances without calls"
	expect_true "rmdir" rmdir many*
}

# function_graph supports 16 users, and each instance is one of them.
graphs()
{
	reset_instances
	grep -qw function_graph ../available_tracers || skip "no function_graph here"
	for i in $(seq 17); do
		mkdir "graph$i"
		put vfs_open "graph$i/set_ftrace_filter"
	done
	put function graph17/current_tracer
	for i in $(seq 16); do
		put function_graph "graph$i/current_tracer"
	done
	expect_write ENOSPC w graph17/current_tracer 'function_graph\n'
	expect_file graph17/current_tracer function
	read_something
	for i in $(seq 16); do
		put 0 "graph$i/tracing_on"
		grep -q '| .* vfs_open()' "graph$i/trace" || echo "$i"
	done > "$SCRATCH/without"
	expect "$(cat "$SCRATCH/without")" '' "instances without calls"
	expect_true "the other tracer continues" grep -q ': vfs_open <-' graph17/trace

	expect_true "rmdir" rmdir graph3
	put function_graph graph17/current_tracer
	read_something
	expect_true "in place of the removed instance" grep -q '| .* vfs_open()' graph17/trace
	expect_true "rmdir" rmdir graph*
}

# others_of INSTANCE PATTERN: all of its entries match PATTERN
others_of()
{
	expect "$(events "$1/trace" | grep -Ev "$2" | head -n 3)" '' "other entries of $1"
}

# Each instance has a different tracer.
tracers()
{
	reset_instances
	for tracer in function function_graph wakeup osnoise; do
		grep -qw $tracer ../available_tracers || skip "no tracer $tracer"
	done
	mkdir one two three four
	put 20000 ../osnoise/runtime_us
	put 100000 ../osnoise/period_us
	put osnoise four/current_tracer
	put vfs_read three/set_ftrace_filter
	put wakeup three/current_tracer
	put vfs_open two/set_ftrace_filter
	put function_graph two/current_tracer
	put vfs_read one/set_ftrace_filter
	put function one/current_tracer
	read_something
	wait_for_events 2 four/trace
	expect_true "a wakeup" wait_for 30 grep -q ' ==> ' three/trace
	for instance in one two three four; do
		put 0 $instance/tracing_on
	done

	expect_file ../current_tracer nop
	for which in 'one function' 'two function_graph' 'three wakeup' 'four osnoise'; do
		expect "$(head -n 1 "${which% *}/trace")" "# tracer: ${which#* }" "the first line"
	done
	expect_true "calls" grep -q ': vfs_read <-' one/trace
	others_of one ': vfs_read <-'
	expect_true "calls of a graph" grep -q '| .* vfs_open()' two/trace
	others_of two '\| .* (vfs_open\(|}|/\* vfs_open)|=>|^ *-*$'
	header='^# wakeup latency trace v1\.1\.5 on '
	expect_true "the header of a latency" grep -q "$header" three/trace
	others_of three ' (\+|==>) \[|: [^ ]+( <-.*)?$|<stack|^ => '
	line='[0-9]+ [ 0-9]{10} [ 0-9]{3}\.[0-9]{5} [ 0-9]{7}( [ 0-9]{6}){5}$'
	others_of four ": $line"
	expect "$(nr_events ../trace)" 0 "entries of the top"
	expect_true "rmdir" rmdir one two three four
}

# Text written to trace_marker of the top instance is copied to all instances with the option,
# and is not in the top instance without the option.
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
	expect "$(grep -c ': elsewhere$' one/trace)" 1 "text only in the instance"
	expect "$(grep -c ': elsewhere$' ../trace)" 0 "the same text in the top"
	# An instance that is being removed gets no more copies
	rmdir one
	expect_write ENODEV w ../trace_marker 'nobody\n'
	expect_write ENODEV w ../trace_marker_raw '\x01\x00\x00\x00'
	expect_write 5 w two/trace_marker 'self\n'
	put 1 ../options/copy_trace_marker
	expect_write 4 w ../trace_marker 'top\n'
	rmdir two
}

# trace_printk() writes to the instance with the option, whose buffer then has its full size.
printk_dest()
{
	reset_instances
	mkdir one
	put 1 one/options/trace_printk_dest
	expect_file ../options/trace_printk_dest 0
	need_module ftest_printk
	i=0
	while [ $i -lt 100 ]; do
		put task "$(param ftest_printk run)"
		i=$((i + 1))
	done
	expect "$(grep -c ': task: number -5, text$' one/trace)" 100 "texts, for which it grew"
	: > one/trace
	put task "$(param ftest_printk run)"
	expect_true "entries in the instance" [ "$(nr_events one/trace)" -gt 0 ]
	: > one/trace
	put stack "$(param ftest_printk run)"
	expect_true "trace_dump_stack() also writes to it" grep -q '=> write_stack$' one/trace
	expect "$(nr_events ../trace)" 0 "entries in the top"
	drop_module ftest_printk
	rmdir one
	expect_file ../options/trace_printk_dest 1
}

# Filters, tasks and options are independent, and are shown per instance.
settings()
{
	reset_instances
	mkdir one two
	put 30001 one/set_ftrace_pid
	put 30002 one/set_ftrace_notrace_pid
	put vfs_read one/set_ftrace_notrace
	put 1 one/options/function-fork
	expect_file one/set_ftrace_pid 30001
	expect_file one/set_ftrace_notrace_pid 30002
	expect_file one/set_ftrace_notrace vfs_read
	expect_file one/options/function-fork 1
	for other in two ..; do
		expect_file $other/set_ftrace_pid 'no pid'
		expect_file $other/set_ftrace_notrace_pid 'no pid'
		expect_false "notrace of $other" grep -q vfs_read $other/set_ftrace_notrace
		expect_file $other/options/function-fork 0
	done

	# A task that is traced in one instance is not traced in other instances
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

# A setting of one instance does not affect other instances.
files_apart()
{
	reset_instances
	mkdir one two
	while read -r file value; do
		[ -e "one/$file" ] || continue
		top=$(cat "../$file")
		two=$(cat "two/$file")
		put "$value" "one/$file"
		expect "$(cat "one/$file")" "$value" "$file"
		expect "$(cat "../$file")" "$top" "$file of the top"
		expect "$(cat "two/$file")" "$two" "$file of the other"
		expect_false "$file was so before" [ "$two" = "$value" ]
	done <<-END
		tracing_cpumask 1
		buffer_percent 7
		buffer_subbuf_size_kb $((2 * page_kb))
		per_cpu/cpu0/buffer_size_kb 128
		set_event_pid 30003
		set_event_notrace_pid 30004
		tracing_on 0
	END

	refuses Invalid sh -c 'echo no_such_tracer > one/set_ftrace_filter'
	expect_true "the error" grep -q no_such_tracer one/error_log
	expect_false "the error of the other" grep -q no_such_tracer two/error_log

	[ -e one/snapshot ] || return 0
	put 1 two/snapshot
	expect_true "snapshot" grep -q 'is allocated' two/snapshot
	expect_true "snapshot of the other" grep -q 'is freed' one/snapshot
	rmdir one two
}

tracer_options()
{
	reset_instances
	mkdir one two
	put 1 one/options/func_stack_trace
	expect_file one/options/func_stack_trace 1
	expect_file two/options/func_stack_trace 0
	expect_file ../options/func_stack_trace 0
	rmdir one two
}

# Has each of these counts become nonzero?
all_happened()
{
	for count; do
		[ -s "$SCRATCH/$count" ] || return 1
	done
}

# Instances are created and removed while other processes access them. These sleep, so that at
# times none of them has a file open.
storm()
{
	reset_instances
	# shellcheck disable=SC2016 # $0 is the argument
	in_background sh -c 'while :; do
				mkdir one && echo >> "$0/made"
				sleep 0.1
				LC_ALL=C rmdir one 2> "$0/why" && echo >> "$0/removed"
				! grep -q busy "$0/why" || echo >> "$0/busy"
			     done 2> /dev/null' "$SCRATCH"
	# shellcheck disable=SC2016
	in_background sh -c 'while :; do
				cat one/trace one/options/* one/events/sched/*wa*/format
				echo x > one/trace_marker && echo >> "$0"
				sleep 1
			     done > /dev/null 2>&1' "$SCRATCH/written"
	# shellcheck disable=SC2016
	in_background sh -c 'while :; do
				echo 1 > one/events/sched/enable
				echo 1 > one/snapshot && echo >> "$1/snapshots"
				"$0" read rn one/trace_pipe | grep -q : && echo >> "$1/read"
				"$0" read rn one/per_cpu/cpu0/trace_pipe_raw
				sleep 1
			     done > /dev/null 2>&1' "$FILEOP" "$SCRATCH"
	in_background sh -c 'while :; do
				echo vfs_open > one/set_ftrace_filter
				echo vfs_read:traceoff > one/set_ftrace_filter
				echo function > one/current_tracer && echo >> "$0"
				sleep 1
			     done 2> /dev/null' "$SCRATCH/traced"
	counts='made removed busy written read traced'
	[ ! -e ../snapshot ] || counts="$counts snapshots"
	sleep 5
	# shellcheck disable=SC2086 # words
	wait_for 60 all_happened $counts
	end_all_background
	# A program that one of the shells has started may still have a file open
	for _ in 1 2 3 4 5 6 7 8 9 10; do
		rmdir one 2> /dev/null
		[ -d one ] || break
		sleep 1
	done
	reset_instances
	expect "$(ls)" '' "instances that remain"
	for count in $counts; do
		: >> "$SCRATCH/$count"
		expect_true "$count: $(wc -l < "$SCRATCH/$count")" \
			    [ "$(wc -l < "$SCRATCH/$count")" -gt 0 ]
	done
}

# held_start HOW: starts a reader that maps a ring, or has a page of it in a pipe, and closes
# the file
held_start()
{
	in_background "$RAWOP" hold "$1" one/per_cpu/cpu0/trace_pipe_raw > "$SCRATCH/held"
	held_pid=$background_pid
	expect_true "$1: $(cat "$SCRATCH/held")" wait_for 10 grep -q held "$SCRATCH/held"
}

mapped()
{
	[ -x "$RAWOP" ] || skip "no rawop, see README"
	reset_instances
	mkdir one
	taskset 1 sh -c 'echo kept > one/trace_marker'
	held_start map
	refuses busy rmdir one
	expect "$(nr_events one/trace)" 1 "entries after rmdir failed"
	end_background "$held_pid"
	expect_true "rmdir" rmdir one
}

spliced()
{
	[ -x "$RAWOP" ] || skip "no rawop, see README"
	reset_instances
	mkdir one
	taskset 1 sh -c 'echo kept > one/trace_marker'
	held_start splice
	expect_true "rmdir" rmdir one
	# A new user of the page would write to it
	mkdir one
	put other one/trace_marker
	rmdir one
	end_background "$held_pid"
	expect "$(grep -v held "$SCRATCH/held")" kept "entries of the page"
}

testcase names "instances can have any name that a directory can have"
testcase files "an instance has the files of the documentation"
testcase buffers "instances do not share buffers or options"
testcase filters "the function tracer runs in several instances with different filters"
slowcase busy "an instance cannot be removed while one of its files is open"
slowcase many "there can be many instances at once"
slowcase graphs "16 instances have function_graph at once, and one more keeps its tracer"
slowcase tracers "instances have different tracers at once"
testcase mapped "an instance cannot be removed while a ring of it is mapped"
testcase spliced "a page in a pipe outlives its instance"
testcase copies "copy_trace_marker copies trace_marker of the top to an instance"
testcase printk_dest "trace_printk_dest redirects trace_printk() to an instance"
testcase settings "tasks, filters and options of an instance do not affect other instances"
slowcase files_apart "writes to a file of an instance do not affect other instances"
testcase tracer_options "the options of a tracer do not affect other instances"
slowcase storm "instances can be created and removed while they are read and written"
finish
