#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# set_ftrace_pid and set_ftrace_notrace_pid: the tasks that are traced.
# shellcheck source=functions.sh

. "$(dirname "$0")/functions.sh"

[ -f set_ftrace_pid ] || skip_all "no set_ftrace_pid here"

# Sets $me to the pid of the shell that runs this; in a subshell, $$ is another pid.
own_pid()
{
	read -r me _ < /proc/self/stat
}

# Opens and reads a file in this process.
read_here()
{
	read -r _ < /proc/uptime
}

# The pids of the entries in their order; consecutive entries of one pid count once.
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
		seq 1 2000 > "$SCRATCH/pids"
		expect_write 8893 wt $file - < "$SCRATCH/pids"
		expect "$(wc -l < $file)" 2000 "pids of one write"
		expect "$("$FILEOP" chunks $file 7)" same "$file in reads of 7 bytes"
		: > $file
	done
}

# A rejected write adds nothing, and removes nothing even if the file is opened to be truncated.
# refuses MODE FILE: FILE contains 2, and keeps it when it is opened like this
refuses()
{
	for bytes in 'garbage\n' 'garbage' '-1\n' '3 x\n' '3 -1\n' '3,4' \
		     '99999999999999999999999\n' '1.5'; do
		expect_write EINVAL "$1" "$2" "$bytes"
		expect_file "$2" 2
	done
	expect "$("$FILEOP" repeat "$1" "$2" x 5000)" EINVAL "too long"
	expect "$("$FILEOP" repeat "$1" "$2" x 70000)" EINVAL "too long"
	expect "$("$FILEOP" fault "$1" "$2")" EFAULT "from an unmapped address"
	expect_file "$2" 2
}

# Truncation takes effect with the first accepted write.
refused_replacing()
{
	for file in set_ftrace_pid set_ftrace_notrace_pid; do
		put 2 $file
		refuses wt $file
		: > $file
	done
}

refused()
{
	for file in set_ftrace_pid set_ftrace_notrace_pid; do
		put 2 $file
		refuses w $file
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
	expect_true "other tasks are traced" [ -n "$(traced_pids)" ]
	expect_false "the listed task is not" sh -c "echo ' $(traced_pids) ' | grep -q ' $me '"
}

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

# All functions, including those that switch between tasks.
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
	expect_true "many entries" [ "$(nr_events)" -gt 100 ]
}

idle()
{
	put 64 buffer_size_kb
	put 0 set_ftrace_pid
	put function current_tracer
	expect_true "an idle task is traced" \
		    wait_for 10 sh -c "head -n 50 trace | grep -q '^  *<idle>-0 '"
	put 0 tracing_on
	expect "$(traced_pids)" 0 "tasks in the trace"
}

fork_follows()
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
	in_background sh -c "sleep 100 & echo \$! > $SCRATCH/grandchild; wait"
	child=$background_pid
	expect_true "the child is listed" wait_for 10 grep -qx "$child" set_ftrace_pid
	expect_true "there is a grandchild" wait_for 10 [ -s "$SCRATCH/grandchild" ]
	read -r grandchild < "$SCRATCH/grandchild"
	echo "$grandchild" >> "$SCRATCH/background"
	expect_true "the grandchild is listed" wait_for 10 grep -qx "$grandchild" set_ftrace_pid
	expect_true "the child is traced" wait_for 10 grep -q -- "-$child " trace
	kill -KILL "$grandchild"
	end_background "$child"
	for ended in "$child" "$grandchild"; do
		expect_true "a task that ended is not listed" \
			    wait_for 20 sh -c "! grep -qx $ended set_ftrace_pid"
	done
	expect_true "a task that did not end is listed" grep -qx "$me" set_ftrace_pid
}

fork_follows_notrace()
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
	expect_true "a task that ended is not listed" \
		    wait_for 20 sh -c "! grep -qx $child set_ftrace_notrace_pid"
}

# run_threads: runs a process of two threads, and only the second is listed; $first and $second
# are their pids
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

# A thread that executes a program continues under the pid of its process.
thread_executes()
{
	put 1 options/function-fork
	run_threads
	expect "$(traced_pids)" "$second $first" "tasks in the trace"
	expect_true "threads that ended are not listed" \
		    wait_for 20 sh -c '[ -z "$(cat set_ftrace_pid)" ]'
}

# A list that became empty because all its tasks exited is not the same as no list: no task is
# traced.
empty_list()
{
	put 1 options/function-fork
	mkfifo "$SCRATCH/go"
	sh -c ": < $SCRATCH/go" &
	put $! set_ftrace_pid
	: > "$SCRATCH/go"
	wait
	expect_true "the list is empty" wait_for 20 sh -c '[ -z "$(cat set_ftrace_pid)" ]'
	trace_vfs
	read_something
	expect "$(nr_events)" 0 "entries"
	put '' set_ftrace_pid
	expect_file set_ftrace_pid 'no pid'
	read_something
	expect_true "all tasks are traced again" [ "$(nr_events)" -gt 0 ]
}

under_load()
{
	put 1 options/function-fork
	put 64 buffer_size_kb
	put function current_tracer
	load_start
	expect "$("$FILEOP" race 20 set_ftrace_pid "$load_pid\n" '\n')" 0 "writers of one list"
	expect "$("$FILEOP" race 20 set_ftrace_notrace_pid "$load_pid\n" '1 2 3\n')" 0 \
	       "writers of the other"
	for _ in $(rounds 5); do
		put "$load_pid" set_ftrace_pid
		put '' set_ftrace_notrace_pid
		cat set_ftrace_pid > /dev/null
		put '' set_ftrace_pid
	done
	load_stop
	put nop current_tracer
}

# A CPU that goes online has to check again whether its task is traced.
hotplug()
{
	online=/sys/devices/system/cpu/cpu1/online
	[ -f $online ] || skip "no CPU can go offline"
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
	expect_true "it is traced on that CPU too" \
		    sh -c "grep -q -- '-$me  *\[001\].*: vfs_read <-' trace"
}

testcase read_back "what is written to the files is read back"
testcase refused "a write of text that is not a pid changes nothing"
testcase refused_replacing "a rejected write that was to replace a list leaves the list unchanged"
testcase only "only tasks in set_ftrace_pid are traced"
testcase never "tasks in set_ftrace_notrace_pid are not traced"
testcase both "set_ftrace_notrace_pid takes precedence"
testcase every_function "functions of other tasks are not traced, not even in the scheduler"
testcase idle "pid 0 selects the idle tasks"
testcase fork_follows "with function-fork the children of listed tasks are traced"
testcase fork_follows_notrace "with function-fork the children of excluded tasks are not traced"
testcase threads "one thread of a process can be traced by itself"
testcase thread_executes "a listed thread that executes a program is traced under its new pid"
testcase empty_list "no task is traced when all listed tasks have exited"
slowcase under_load "lists can change while tasks run, fork and exit"
testcase hotplug "a CPU that is online again traces the listed task"
finish
