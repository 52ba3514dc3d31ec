#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Trace events as perf events.
# shellcheck source=functions.sh

. "$(dirname "$0")/functions.sh"

PERFEVENT=$HERE/perfevent
PARANOID=/proc/sys/kernel/perf_event_paranoid

[ -d events/sched ] || skip_all "no trace events here"
[ -x "$PERFEVENT" ] || skip_all "no perfevent, see README"
[ -f $PARANOID ] || skip_all "no perf here"
read -r first_paranoid < $PARANOID

reset_more()
{
	begins $PARANOID "$first_paranoid" || echo "$first_paranoid" > $PARANOID
}

# id SYSTEM/EVENT: prints the id of an event
id()
{
	cat "events/$1/id"
}

# counted WANT ARGUMENT...: checks the last line of perfevent: the count, the samples, and the
# samples of the event; or the call that failed, with the errno
counted()
{
	counted_want=$1
	shift
	"$PERFEVENT" "$@" > "$SCRATCH/perfevent" 2>&1
	expect "$(tail -n 1 "$SCRATCH/perfevent")" "$counted_want" "perfevent $*"
}

# wrong_filter FILTER NUMBER: perf rejects it. The errno is not documented.
wrong_filter()
{
	"$PERFEVENT" -c -f "$1" "$2" /bin/true > "$SCRATCH/perfevent" 2>&1
	expect_true "refusal of $1: $(cat "$SCRATCH/perfevent")" \
		    grep -q '^filter:[1-9]' "$SCRATCH/perfevent"
}

# The last count of perfevent.
count()
{
	tail -n 1 "$SCRATCH/perfevent" | cut -d ' ' -f 1
}

counts()
{
	set -- "$(id sched/sched_process_exec)" "$FILEOP" read r /proc/uptime
	counted '1 1 1' "$@"
	counted '1 0 0' -c "$@"
	counted '1 1 1' -f 'pid > 1 && comm == "fileop"' "$@"
	counted '0 0 0' -f 'pid == 1 || comm == "x"' "$@"
	counted '1 1 1' -f 'filename ~ "*/fileop"' "$@"
	counted '0 0 0' -f 'filename ~ "*/fileop" && !(comm ~ "f*")' "$@"
	expect_file events/sched/enable 0
	expect "$(nr_events)" 0 "entries in the trace"
}

# A program that makes ten events.
periods()
{
	[ -d events/syscalls ] || skip "no events of system calls here"
	set -- -f 'count == 3' "$(id syscalls/sys_enter_write)" /bin/sh -c \
	       'for _ in 0 1 2 3 4 5 6 7 8 9; do printf 123 > /dev/null; done'
	for want in '1 10 10' '2 5 5' '3 3 3' '10 1 1' '11 0 0' '100 0 0'; do
		counted "10 ${want#* }" -p "${want%% *}" "$@"
	done
}

# The first event makes one sample.
frequency()
{
	counted '1 1 1' -F 99 "$(id sched/sched_process_exec)" "$FILEOP" read r /proc/uptime
}

# Children of the program.
children()
{
	set -- "$(id sched/sched_process_exec)" /bin/sh -c \
	       "'$FILEOP' read r /proc/uptime; '$FILEOP' read r /proc/uptime; :"
	counted '1 1 1' "$@"
	counted '3 0 0' -i "$@"
	counted '2 0 0' -i -f 'comm == "fileop"' "$@"
}

# All events of a CPU.
cpus()
{
	taskset 1 true 2> /dev/null || skip "no taskset"
	"$PERFEVENT" -a "$(id sched/sched_switch)" /bin/sh -c 'taskset 1 sleep 0.1' \
		> "$SCRATCH/perfevent"
	expect_true "switches on CPU 0: $(tail -n 1 "$SCRATCH/perfevent")" [ "$(count)" -ge 2 ]
	counted '0 0 0' -a -f 'cpu != 0' "$(id sched/sched_switch)" /bin/sh -c \
		'taskset 1 sleep 0.1'
}

# 22 is EINVAL, and 17 is EEXIST.
refused()
{
	event=$(id sched/sched_process_exec)
	counted 'open:22' 60000 /bin/true
	counted 'open:22' $((event + (1 << 32))) /bin/true
	for filter in '' pid 'pid ==' 'no_such == 1' 'pid ~ "*"' 'comm == "x' '(pid == 1' \
		      'pid == 1 &&'; do
		wrong_filter "$filter" "$event"
	done
	counted 'filter:17' -f 'pid == 1' -f 'pid == 1' "$event" /bin/true
	counted '0 0 0' -f 'pid == 1' "$event" "$FILEOP" read r /proc/uptime
}

filter_errno()
{
	event=$(id sched/sched_process_exec)
	for filter in 'pid ==' 'no_such == 1' 'comm == "x' '(pid == 1'; do
		counted 'filter:22' -f "$filter" "$event" /bin/true
	done
	have_functions
	for filter in 'ip == no_such_function' 'common_pid == 1' 'ip ~ "vfs*"' 'ip == ""'; do
		counted 'filter:22' -c -f "$filter" "$function" /bin/true
	done
	counted 'filter:17' -c -f 'ip == vfs_read' -f 'ip == vfs_open' "$function" /bin/true
}

# The entry types in events/ftrace are not perf events, except functions.
other_types()
{
	counted 'open:22' "$(cat events/ftrace/print/id 2> /dev/null || echo 5)" /bin/true
}

system_calls()
{
	[ -d events/syscalls ] || skip "no events of system calls here"
	set -- /bin/sh -c 'printf 123 >&2; printf 1234 >&2; printf abc >&2'
	"$PERFEVENT" -f 'count == 3' "$(id syscalls/sys_enter_write)" "$@" 2> /dev/null \
		> "$SCRATCH/perfevent"
	expect_file "$SCRATCH/perfevent" '2 2 2'
	"$PERFEVENT" -f 'ret == 4' "$(id syscalls/sys_exit_write)" "$@" 2> /dev/null \
		> "$SCRATCH/perfevent"
	expect_file "$SCRATCH/perfevent" '1 1 1'
	counted '1 1 1' "$(id syscalls/sys_enter_exit_group)" "$FILEOP" read r /proc/uptime
	expect_file events/syscalls/enable 0
}

# 1 is EPERM.
permissions()
{
	[ -d events/syscalls ] || skip "no events of system calls here"
	execs=$(id sched/sched_process_exec)
	write=$(id syscalls/sys_enter_write)
	echo 2 > $PARANOID
	set -- "$FILEOP" read r /proc/uptime
	counted '1 1 1' -u 1000 "$(id syscalls/sys_enter_exit_group)" "$@"
	counted 'open:1' -u 1000 -a "$(id syscalls/sys_enter_exit_group)" "$@"
	counted 'open:1' -u 1000 "$execs" "$@"
	counted '0 0 0' -u 1000 -c "$execs" "$@"
	counted 'open:1' -u 1000 -c "$(id ftrace/function)" "$@"
	echo -1 > $PARANOID
	counted '0 0 0' -u 1000 "$execs" "$@"
	counted '0 0 0' -f 'buf == "x"' "$write" /bin/true
}

# Otherwise a user could count how often the kernel's memory at an address matches a text.
secrets()
{
	[ -d events/syscalls ] || skip "no events of system calls here"
	write=$(id syscalls/sys_enter_write)
	echo 2 > $PARANOID
	counted 'filter:1' -u 1000 -c -f 'buf == "x"' "$write" /bin/true
	counted 'filter:1' -u 1000 -c -f 'fd == 77 || buf ~ "x*"' "$write" /bin/true
	counted '0 0 0' -u 1000 -c -f 'fd == 77' "$write" /bin/true
	counted '0 0 0' -u 1000 -c -f 'buf.ustring == "x"' "$write" /bin/true
}

module_events()
{
	need_module ftest_events
	first=$(id ftest/ftest_first)
	fire=$(param ftest_events fire)
	counted '1 1 1' "$first" /bin/sh -c "rmmod ftest_events; echo gone \$?; echo 5 > $fire"
	expect_true "the module is pinned: $(cat "$SCRATCH/perfevent")" \
		    grep -q '^gone [^0]' "$SCRATCH/perfevent"
	counted '1 1 1' -f 'count == 5' "$(id ftest/ftest_second)" /bin/sh -c "echo 5 > $fire"
	counted '1 1 1' -f 'text == "text" && cpus & CPUS{0}' "$(id ftest/ftest_texts)" \
		/bin/sh -c "echo 5 > $fire"
	counted '0 0 0' -f 'chars ~ "*other*"' "$(id ftest/ftest_numbers)" \
		/bin/sh -c "echo 5 > $fire"
	counted '1 1 1' "$(id ftest/ftest_fn)" /bin/sh -c \
		"cat $(param ftest_events registered); echo 5 > $fire"
	expect "$(head -n 1 "$SCRATCH/perfevent")" 1 "probes while perf has the event"
	expect_file "$(param ftest_events registered)" 0
	rmmod ftest_events || fail "the module is not unloaded"
	counted 'open:22' "$first" /bin/true
}

# Perf and an instance use the same event without affecting each other.
beside_instance()
{
	put 'pid < 0' events/sched/sched_process_exec/filter
	put 1 events/sched/sched_process_exec/enable
	counted '1 1 1' "$(id sched/sched_process_exec)" "$FILEOP" read r /proc/uptime
	expect_file events/sched/sched_process_exec/enable 1
	expect "$(nr_events)" 0 "entries in the trace"
	put 0 events/sched/sched_process_exec/filter
	put 0 events/sched/sched_process_exec/enable
}

# site NAME: prints the address of a function's call site, in hex
site()
{
	sed -n "s/^0*\([0-9a-f]*\) $1 .*/\1/p" available_filter_functions_addrs
}

# called FILTER FUNCTION...: ftrace:function counts exactly these functions, once each
called()
{
	called_filter=$1
	shift
	"$PERFEVENT" -v -f "$called_filter" "$function" /bin/sh -c \
		"echo 1 > $(param ftest_target call)" > "$SCRATCH/perfevent" 2>&1
	sed -n 's/^function \([0-9a-f]*\) .*/\1/p' "$SCRATCH/perfevent" | sort -u \
		> "$SCRATCH/called"
	expect "$(cat "$SCRATCH/called")" "$(for name; do site "$name"; done | sort -u)" \
	       "functions for $called_filter: $(cat "$SCRATCH/perfevent")"
}

have_functions()
{
	[ -f events/ftrace/function/id ] || skip "no ftrace:function for perf here"
	function=$(id ftrace/function)
	[ "$("$PERFEVENT" -c "$function" /bin/true | tail -n 1)" != open:22 ] ||
		skip "no ftrace:function for perf here"
}

functions()
{
	have_functions
	need_module ftest_target
	called 'ip == ftest_one' ftest_one
	called 'ip == ftest_one || ip == ftest_t*' ftest_one ftest_two ftest_three
	counted '0 0 0' -f 'ip == ftest_one' "$function" /bin/true
	expect_file enabled_functions ''
	"$PERFEVENT" -c -f 'ip != vfs_* && ip != ftest_two' "$function" /bin/sh -c \
		"cp enabled_functions $SCRATCH/enabled; echo 1 > $(param ftest_target call)" \
		> "$SCRATCH/perfevent"
	expect_true "other functions: $(cat "$SCRATCH/perfevent")" [ "$(count)" -gt 10 ]
	expect_true "one of them" grep -q '^ftest_one ' "$SCRATCH/enabled"
	expect_false "excluded functions" grep -q -e '^vfs_' -e '^ftest_two ' \
		     "$SCRATCH/enabled"
	expect_file enabled_functions ''
}

lists_of_functions()
{
	have_functions
	need_module ftest_target
	called 'ip == "ftest_one,ftest_two ftest_caller"' ftest_one ftest_two ftest_caller
}

# Another task calls the function all the time.
functions_of_others()
{
	have_functions
	need_module ftest_target
	put 1 "$(param ftest_target threads)"
	counted '0 0 0' -c -f 'ip == ftest_one' "$function" /bin/busybox usleep 50000
	# That task is on the first CPU
	"$PERFEVENT" -a -c -f 'ip == ftest_one' "$function" /bin/busybox usleep 50000 \
		> "$SCRATCH/perfevent"
	expect_true "calls on CPU 0: $(cat "$SCRATCH/perfevent")" [ "$(count)" -gt 0 ]
}

functions_of_children()
{
	have_functions
	need_module ftest_target
	set -- "$function" /bin/sh -c "sh -c 'echo 3 > $(param ftest_target call)'; :"
	counted '0 0 0' -f 'ip == ftest_one' "$@"
	counted '6 0 0' -i -f 'ip == ftest_one || ip == ftest_two' "$@"
}

functions_refused()
{
	have_functions
	for filter in 'ip == no_such_function' 'parent_ip == vfs_read' 'common_pid == 1' \
		      'ip ~ "vfs*"' 'ip == ""' 'ip == ", "' 'ip == "vfs_read,no_such_function"' \
		      'ip == vfs_read:traceoff' 'ip == vfs_read || comm == "x"'; do
		wrong_filter "$filter" "$function"
	done
	# These may also be accepted, and count nothing
	for filter in 'ip == vfs_read && ip == vfs_open' 'ip == vfs_read || ip != vfs_open'; do
		"$PERFEVENT" -c -f "$filter" "$function" /bin/true > "$SCRATCH/perfevent"
		expect_true "functions for $filter: $(cat "$SCRATCH/perfevent")" \
			    grep -qx -e 'filter:22' -e '0 0 0' "$SCRATCH/perfevent"
	done
	# a stack of user space
	counted 'open:22' -G "$function" /bin/true
	expect_file enabled_functions ''
}

# The sample has the address of the function, and its caller is in the stack.
function_stacks()
{
	have_functions
	need_module ftest_target
	"$PERFEVENT" -v -g -f 'ip == ftest_two' "$function" /bin/sh -c \
		"echo 1 > $(param ftest_target call)" > "$SCRATCH/perfevent"
	expect "$(tail -n 1 "$SCRATCH/perfevent")" '1 1 1' "calls"
	read -r _ ip parent stack < "$SCRATCH/perfevent"
	expect "$ip" "$(site ftest_two)" "the function"
	expect_true "its caller $parent is in $stack" [ "${stack#*" $parent "}" != "$stack" ]
}

# The callee of a tail call whose caller is traced as a graph.
callers_beside_graph()
{
	have_functions
	grep -qw function_graph available_tracers || skip "no tracer function_graph"
	grep -qx __delay available_filter_functions || skip "__delay() has no call site"
	need_module ftest_latency
	mkdir instances/graph
	put '*delay*' instances/graph/set_ftrace_filter
	put function_graph instances/graph/current_tracer
	# several times: perf drops a sample that occurs while it writes another one
	"$PERFEVENT" -v -f 'ip == __delay' "$function" /bin/sh -c \
		"for i in 1 2 3 4 5; do echo irqs 100; done > $(param ftest_latency make)" \
		> "$SCRATCH/perfevent"
	rmdir instances/graph
	read -r _ _ parent _ < "$SCRATCH/perfevent"
	expect_true "a sample" [ -n "$parent" ]
	handler=$(sed -n 's/^0*\([0-9a-f]*\) . return_to_handler$/\1/p' /proc/kallsyms)
	expect_true "$parent is its caller" [ "${parent#"$handler"}" = "$parent" ]
}

beside_tracer()
{
	have_functions
	need_module ftest_target
	put 'ftest_*' set_ftrace_filter
	put function current_tracer
	called 'ip == ftest_one' ftest_one
	expect "$(events | grep -c ': ftest_[a-z]* <-')" 4 "calls in the trace"
	counted '0 0 0' -f 'ip == ftest_one' "$function" /bin/true
	expect "$(grep -c ^ftest_ enabled_functions)" 4 "functions that are still traced"
}

storm()
{
	load_start
	for _ in $(rounds 5); do
		for event in sched/sched_switch sched/sched_wakeup raw_syscalls/sys_enter; do
			"$PERFEVENT" -i -f 'common_pid > 1' "$(id $event)" /bin/sh -c '/bin/true; :'
		done
	done > "$SCRATCH/counts"
	load_stop
	expect "$(grep -c : "$SCRATCH/counts")" 0 "errors: $(cat "$SCRATCH/counts")"
	expect "$(wc -l < "$SCRATCH/counts")" "$(rounds 5 | awk 'END { print NR * 3 }')" "runs"
}

function_storm()
{
	have_functions
	load_start
	for filter in 'ip == vfs_*' 'ip != vfs_*' 'ip == *lock*'; do
		"$PERFEVENT" -c -i -f "$filter" "$function" /bin/sh -c '/bin/true; :'
	done > "$SCRATCH/counts"
	"$PERFEVENT" -c -i "$function" /bin/sh -c '/bin/true; :' >> "$SCRATCH/counts"
	load_stop
	expect "$(grep -c : "$SCRATCH/counts")" 0 "errors: $(cat "$SCRATCH/counts")"
	expect "$(awk '$1 > 10' "$SCRATCH/counts" | wc -l)" 4 "runs: $(cat "$SCRATCH/counts")"
	expect_file enabled_functions ''
}

# Loads and unloads the module of events until it is killed.
reload_module()
{
	while :; do
		insmod "$MODULES/ftest_events.ko" && echo 1 > "$(param ftest_events fire)"
		sleep 0.1
		rmmod ftest_events
	done 2> /dev/null
}

modules_storm()
{
	need_module ftest_events
	drop_module ftest_events
	in_background reload_module
	reload_pid=$background_pid
	: > "$SCRATCH/counts"
	for _ in 1 2 3 4 5 6 7 8 9 10; do
		wait_for 10 [ -d events/ftest/ftest_first ]
		number=$(id ftest/ftest_first 2> /dev/null)
		"$PERFEVENT" -f 'count == 1' "${number:-0}" /bin/true >> "$SCRATCH/counts"
	done
	end_background "$reload_pid"
	note "$(sort "$SCRATCH/counts" | uniq -c)"
	expect "$(grep -vc -e '^0 0 0$' -e '^open:22$' -e '^filter:22$' "$SCRATCH/counts")" 0 \
	       "other results"
	expect_true "it was there at times" grep -q '^0 0 0$' "$SCRATCH/counts"
	wait_for 10 drop_module ftest_events || fail "the module is not unloaded"
}

testcase counts "perf counts events and gets their entries, if they match its filter"
testcase periods "there is a sample after each period"
testcase frequency "the first event of a frequency makes one sample"
testcase children "children of a task inherit its events, and the filters"
testcase cpus "perf counts the events of a CPU"
testcase refused "an invalid number or filter is rejected"
slowcase filter_errno "the errno of an invalid filter is the one in events.rst"
testcase other_types "entry types that are not events are rejected"
testcase system_calls "system calls are perf events"
testcase permissions "users may count, and see only the entries of their own system calls"
testcase secrets "filters of users cannot read kernel memory"
testcase module_events "perf pins the module of an event"
testcase beside_instance "perf and an instance can use the same event"
slowcase functions "ftrace:function counts the functions of its filter"
testcase lists_of_functions "a filter of ftrace:function can have several names in one string"
testcase functions_of_others "ftrace:function counts only the calls of its task or CPU"
testcase functions_of_children "children inherit ftrace:function with its filter"
slowcase functions_refused "a filter that is not a list of functions is rejected"
testcase function_stacks "samples of ftrace:function have the caller in their stacks"
slowcase callers_beside_graph "samples of ftrace:function have the real caller"
slowcase beside_tracer "ftrace:function and the function tracer do not affect each other"
slowcase storm "perf events can be opened and closed while their events happen"
slowcase function_storm "ftrace:function can be opened and closed under load"
slowcase modules_storm "perf can open events of modules that are loaded and unloaded"
finish
