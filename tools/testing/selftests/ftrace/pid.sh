#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# set_ftrace_pid and set_ftrace_notrace_pid: the tasks that are traced.
# shellcheck source=functions.sh

. "$(dirname "$0")/functions.sh"

[ -f set_ftrace_pid ] || skip_all "no set_ftrace_pid here"

# The pid of the shell that this runs in, which is not $$ in a subshell.
own_pid()
{
	read -r me _ < /proc/self/stat
}

# Opens and reads a file without another process.
read_here()
{
	read -r _ < /proc/uptime
}

# The pids that the trace is of, in the order of their first line in a row.
traced_pids()
{
	events | sed 's/^ *.*-\([0-9]*\) *\[.*/\1/' | uniq | tr '\n' ' ' | sed 's/ $//'
}

trace_vfs()
{
	put 'vfs_open vfs_read' set_ftrace_filter
	put function current_tracer
	: > trace
}

read_back()
{
	for file in set_ftrace_pid set_ftrace_notrace_pid; do
		expect_file $file 'no pid'
		put '7 3' $file
		expect_file $file "$(printf '3\n7')"
		put_more '  5	3 ' $file
		expect_file $file "$(printf '3\n5\n7')"
		put 2 $file
		expect_file $file 2
		put_more '' $file
		expect_file $file 2
		put '' $file
		expect_file $file 'no pid'
		put 0 $file
		expect_file $file 0
		: > $file
		expect_file $file 'no pid'
		expect "$("$FILEOP" split wt $file 3 '10 11 12 ')" 9 "three writes"
		expect_file $file "$(printf '10\n11\n12')"
		seq 1 2000 | expect_write 8893 wt $file -
		expect "$(wc -l < $file)" 2000 "pids of one write"
		expect "$("$FILEOP" chunks $file 7)" same "$file by 7 bytes"
		: > $file
	done
}

# A write that is wrong adds nothing, and takes nothing away though it truncates.
refused()
{
	for file in set_ftrace_pid set_ftrace_notrace_pid; do
		put 2 $file
		for mode in w wt; do
			for bytes in 'garbage\n' 'garbage' '-1\n' '3 x\n' '3 -1\n' '3,4' \
				     '99999999\n' '99999999999999999999999\n' '1.5'; do
				expect_write EINVAL $mode $file "$bytes"
				expect_file $file 2
			done
			expect "$("$FILEOP" repeat $mode $file x 5000)" EINVAL "too long"
			expect "$("$FILEOP" repeat $mode $file x 70000)" EINVAL "too long"
			expect "$("$FILEOP" fault $mode $file)" EFAULT "from nowhere"
			expect_file $file 2
		done
		expect_write "0 1 1 1 2" w $file '' '\n' ' ' '\x00\x01\x80\xff\n' '4\n'
		expect_file $file "$(printf '2\n4')"
		: > $file
	done
	expect "$("$FILEOP" open wu set_ftrace_pid)" open:EACCES "without rights"
}

only()
{
	own_pid
	put "$me" set_ftrace_pid
	trace_vfs
	read_something
	read_here
	put 0 tracing_on
	expect "$(traced_pids)" "$me" "tasks in the trace"
}

never()
{
	own_pid
	trace_vfs
	put "$me" set_ftrace_notrace_pid
	: > trace
	read_something
	read_here
	put 0 tracing_on
	expect_true "others are traced" [ -n "$(traced_pids)" ]
	expect_false "this one is not" sh -c "echo ' $(traced_pids) ' | grep -q ' $me '"
}

# What both files have is not traced.
both()
{
	own_pid
	put "1 $me" set_ftrace_pid
	put "$me" set_ftrace_notrace_pid
	trace_vfs
	read_here
	expect "$(nr_events)" 0 "entries"
	put '' set_ftrace_notrace_pid
	read_here
	put 0 tracing_on
	expect "$(traced_pids)" "$me" "tasks in the trace"
}

# All functions, those that change from one task to another as well.
every_function()
{
	own_pid
	put 100 buffer_size_kb
	put "$me" set_ftrace_pid
	put function current_tracer
	for _ in 1 2 3 4 5; do
		sleep 0.02
		read_here
	done
	put 0 tracing_on
	expect "$(traced_pids)" "$me" "tasks in the trace"
	expect_true "and not a few functions" [ "$(nr_events)" -gt 100 ]
}

idle()
{
	put 64 buffer_size_kb
	put 0 set_ftrace_pid
	put function current_tracer
	sleep 0.3
	put 0 tracing_on
	expect "$(traced_pids)" 0 "tasks in the trace"
}

forks()
{
	own_pid
	put "$me" set_ftrace_pid
	trace_vfs
	in_background sh -c 'sleep 100'
	read_something
	expect_file set_ftrace_pid "$me"
	end_background "$background_pid"

	put 1 options/function-fork
	: > trace
	in_background sh -c 'sleep 100; :'
	child=$background_pid
	expect_true "the child is listed" wait_for 10 grep -qx "$child" set_ftrace_pid
	expect_true "and its child" wait_for 10 [ "$(wc -l < set_ftrace_pid)" -ge 3 ]
	expect_true "the child is traced" wait_for 10 grep -q -- "-$child " trace
	kill -KILL $(pidof sleep)
	end_background "$child"
	expect_true "who has ended is not listed" \
		    wait_for 20 sh -c "! grep -qx $child set_ftrace_pid"
	expect_true "who has not is" grep -qx "$me" set_ftrace_pid
}

never_forks()
{
	own_pid
	put 1 options/function-fork
	put "$me" set_ftrace_notrace_pid
	trace_vfs
	in_background sleep 100
	child=$background_pid
	expect_true "the child is listed" wait_for 10 grep -qx "$child" set_ftrace_notrace_pid
	read_something
	put 0 tracing_on
	traced_pids > "$SCRATCH/pids"
	expect_false "neither is traced" grep -qwE "$me|$child" "$SCRATCH/pids"
	end_background "$child"
	expect_true "who has ended is not listed" \
		    wait_for 20 sh -c "! grep -qx $child set_ftrace_notrace_pid"
}

# run_threads: a process of two threads of which only the second is in the file
run_threads()
{
	mkfifo "$SCRATCH/go"
	exec 3<> "$SCRATCH/go"
	"$FILEOP" thread /proc/uptime < "$SCRATCH/go" > "$SCRATCH/pids" 2> /dev/null 3>&- &
	background_pid=$!
	echo $background_pid >> "$SCRATCH/background"
	wait_for 10 [ -s "$SCRATCH/pids" ] || fail "no threads"
	read -r first second < "$SCRATCH/pids"
	put "$second" set_ftrace_pid
	trace_vfs
	exec 3>&-
	wait "$background_pid"
	put 0 tracing_on
	rm -f "$SCRATCH/go" "$SCRATCH/pids"
}

threads()
{
	run_threads
	expect "$(traced_pids)" "$second" "tasks in the trace"
	expect_file set_ftrace_pid "$second"
}

# A thread that executes a program goes on under the pid of the process.
thread_executes()
{
	put 1 options/function-fork
	run_threads
	expect "$(traced_pids)" "$second $first" "tasks in the trace"
	expect_true "who has ended is not listed" wait_for 20 [ -z "$(cat set_ftrace_pid)" ]
}

# A list that all have left is not the same as no list: nobody is traced.
all_have_ended()
{
	put 1 options/function-fork
	sh -c 'sleep 0.3' &
	put $! set_ftrace_pid
	wait
	expect_true "the list is empty" wait_for 20 sh -c '[ -z "$(cat set_ftrace_pid)" ]'
	trace_vfs
	read_something
	expect "$(nr_events)" 0 "entries"
	put '' set_ftrace_pid
	expect_file set_ftrace_pid 'no pid'
	read_something
	expect_true "everybody is traced again" [ "$(nr_events)" -gt 0 ]
}

# Lists that come and go while tasks are traced, fork and end.
under_load()
{
	put 1 options/function-fork
	put 64 buffer_size_kb
	put function current_tracer
	load_start
	expect "$("$FILEOP" race 20 set_ftrace_pid "$load_pid\n" '\n')" 0 "writers of one list"
	expect "$("$FILEOP" race 20 set_ftrace_notrace_pid "$load_pid\n" '1 2 3\n')" 0 \
	       "writers of the other"
	for _ in 1 2 3 4 5; do
		put "$load_pid" set_ftrace_pid
		put '' set_ftrace_notrace_pid
		cat set_ftrace_pid > /dev/null
		put '' set_ftrace_pid
	done
	load_stop
	put nop current_tracer
}

# A CPU that comes back has to ask anew who is traced.
hotplug()
{
	online=/sys/devices/system/cpu/cpu1/online
	[ -f $online ] || skip "no CPU to be taken away"
	own_pid
	put "$me" set_ftrace_pid
	trace_vfs
	put 0 $online
	put "1 $me" set_ftrace_pid
	put "$me" set_ftrace_pid
	put 1 $online
	taskset -p 2 "$me" > /dev/null
	read_here
	taskset 2 "$FILEOP" read r /proc/uptime > /dev/null 2>&1
	put 0 tracing_on
	expect "$(traced_pids)" "$me" "tasks in the trace"
	expect_true "on that CPU too" sh -c "grep -q -- '-$me  *\[001\].*: vfs_read <-' trace"
}

testcase read_back "what is written is read back"
testcase refused "what is no pid changes nothing"
testcase only "only a listed task is traced"
testcase never "a listed task is not traced"
testcase both "set_ftrace_notrace_pid takes precedence"
testcase every_function "no function of another task"
testcase idle "idle tasks by pid 0"
testcase forks "children, with function-fork"
testcase never_forks "children of tasks not traced"
testcase threads "one thread of a process"
testcase thread_executes "a thread that executes a program"
testcase all_have_ended "a list that is empty"
testcase under_load "lists that come and go under load"
testcase hotplug "a CPU that goes and comes"
finish
