#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Closing many events at once: it does not take longer for each more event, because no event
# waits for a grace period alone. The waits are counted by the function tracer.
# shellcheck source=functions.sh

. "$(dirname "$0")/functions.sh"
# shellcheck source=probes.sh
. "$(dirname "$0")/probes.sh"

CLOSEOP=$HERE/closeop
PROBE_FILE=kprobe_events
KPROBES_LIST=/sys/kernel/debug/kprobes/list

# The functions that wait for grace periods, of which a kernel has some
WAITS='synchronize_rcu synchronize_srcu synchronize_rcu_tasks synchronize_rcu_tasks_rude
synchronize_rcu_tasks_trace'

[ -x "$CLOSEOP" ] || skip_all "no closeop, see README"
grep -qw function available_tracers || skip_all "no function tracer here"
[ -f set_ftrace_filter ] || skip_all "functions cannot be selected here"

reset_more()
{
	[ ! -f dynamic_events ] || undefine_all kprobes ftest
}

# trace_waits: begins to record calls of the functions that wait
trace_waits()
{
	: > set_ftrace_filter
	for traced in $WAITS; do
		echo "$traced" >> set_ftrace_filter || :
	done 2> /dev/null
	echo function > current_tracer
	: > trace
}

# waits: prints the number of waits between "closing" and "closed" in the trace
waits()
{
	cat trace > "$SCRATCH/waits"
	echo nop > current_tracer
	grep -q ': closed$' "$SCRATCH/waits" || echo "no marks in the trace"
	awk '/: closing$/ { on = 1 } /: closed$/ { on = 0 } on && / <-/ { n++ }
	     END { print n + 0 }' "$SCRATCH/waits"
}

# waits_in COMMAND...: prints the number of times that this shell waits in a command
waits_in()
{
	trace_waits
	read -r this_shell _ < /proc/self/stat
	echo "$this_shell" > set_ftrace_pid
	echo closing > trace_marker
	"$@"
	echo closed > trace_marker
	: > set_ftrace_pid
	waits
}

# waits_of ARGUMENT...: prints the number of times that closeop waits
waits_of()
{
	trace_waits
	sh -c 'echo $$ > set_ftrace_pid; exec "$@"' sh "$CLOSEOP" "$@" > trace_marker
	echo "$?" > "$SCRATCH/status"
	: > set_ftrace_pid
	waits
}

# never_waits ARGUMENT...: closeop does not wait when it closes the events
never_waits()
{
	! is_preempt_rt || skip "irq_work_sync() waits for each event of perf"
	never_found=$(waits_of "$@")
	expect "$(cat "$SCRATCH/status")" 0 "status of closeop $1"
	expect "$never_found" 0 "waits of closeop $1"
}

need_perf()
{
	[ -e /proc/sys/kernel/perf_event_paranoid ] || skip "no perf here"
}

need_pmu()
{
	need_perf
	[ -f "/sys/bus/event_source/devices/$1/type" ] || skip "no perf events of the type $1"
}

# A program at many functions. Loading it may wait for other grace periods.
bpf_links()
{
	[ -x "$HERE/bpfop" ] || skip "no bpfop, see README"
	WAITS='synchronize_rcu_tasks synchronize_rcu_tasks_rude'
	put 0 tracing_on
	trace_waits
	expect_true "traced waits" grep -q synchronize_rcu_tasks set_ftrace_filter
	for links_return in 0 1; do
		# Waits of other tasks must not be recorded when the list of tasks is empty.
		sh -c 'echo $$ > set_ftrace_pid; echo 1 > tracing_on; exec "$@"' sh \
			"$HERE/bpfop" multi $links_return vfs_read vfs_write > "$SCRATCH/multi"
		links_status=$?
		put 0 tracing_on
		: > set_ftrace_pid
		[ $links_status = 0 ] || skip "no such programs here: $(cat "$SCRATCH/multi")"
	done
	cat trace > "$SCRATCH/waits"
	put nop current_tracer
	expect "$(grep -c ' <-' "$SCRATCH/waits")" 0 "waits"
	expect_file enabled_functions ''
}

# names NUMBER: prints that many functions that can be probed
names()
{
	grep '^vfs_[a-z]*$' available_filter_functions | sort -u | head -n "$1"
}

tracepoints()
{
	need_perf
	[ -d events/timer ] || skip "no trace events here"
	# A tracepoint of sched/ may have other probes, of tracing itself, and may then wait.
	# shellcheck disable=SC2046 # several words
	never_waits tracepoint $(cat events/timer/*/id)
}

system_calls()
{
	need_perf
	[ -d events/syscalls ] || skip "no events of system calls here"
	# shellcheck disable=SC2046 # several words
	never_waits tracepoint $(cat events/syscalls/*/id | head -n 20)
}

functions()
{
	need_perf
	[ -d events/ftrace/function ] || skip "no ftrace:function here"
	functions_id=$(cat events/ftrace/function/id)
	never_waits tracepoint "$functions_id" "$functions_id" "$functions_id"
	expect_file enabled_functions ''
}

need_kprobes_list()
{
	[ -f $KPROBES_LIST ] || mount -t debugfs nodev /sys/kernel/debug 2> /dev/null
	[ -f $KPROBES_LIST ] || skip "no list of kprobes here"
}

# kprobes_left: prints the number of kprobes
kprobes_left()
{
	wc -l < $KPROBES_LIST
}

# Have all kprobes gone, apart from those before?
no_new_kprobes()
{
	[ "$(kprobes_left)" -le "$1" ]
}

kprobes()
{
	need_pmu kprobe
	need_kprobes_list
	kprobes_before=$(kprobes_left)
	for kprobes_kind in kprobe kretprobe; do
		# shellcheck disable=SC2046 # several words
		never_waits "$kprobes_kind" $(names 10)
	done
	wait_for 10 no_new_kprobes "$kprobes_before" || fail "probes remain: $(cat $KPROBES_LIST)"
}

# More than may be left to be freed in the background
many_kprobes()
{
	need_pmu kprobe
	need_kprobes_list
	kprobes_before=$(kprobes_left)
	# shellcheck disable=SC2046 # several words
	"$CLOSEOP" kprobe $(yes vfs_read | head -n 300) > "$SCRATCH/marks"
	expect_file "$SCRATCH/marks" closingclosed
	wait_for 10 no_new_kprobes "$kprobes_before" || fail "probes remain"
}

uprobes()
{
	need_pmu uprobe
	mkdir "$SCRATCH/fs"
	mount -t tmpfs none "$SCRATCH/fs" || skip "no tmpfs here"
	cp "$CLOSEOP" "$SCRATCH/fs/program"
	# The lock against fork(), which removing breakpoints takes, calls synchronize_rcu().
	WAITS='synchronize_srcu synchronize_rcu_tasks_trace'
	uprobes_waits=$(waits_of uprobe "$SCRATCH/fs/program" 0x1000 0x1000 0x1000 0x1000 0x1000)
	umount "$SCRATCH/fs" || { umount -l "$SCRATCH/fs"; fail "the file system is in use"; }
	expect "$(cat "$SCRATCH/status")" 0 "status of closeop"
	expect "$uprobes_waits" 0 "waits"
}

truncate_file()
{
	: > "$1"
}

# remove_all GROUP: disables a group of events, and removes all events
remove_all()
{
	echo 0 > "events/$1/enable"
	: > dynamic_events
}

# waits_to_remove NUMBER GROUP ENTRY RETURN: prints the number of waits of disabling and removing
# probes on that many functions, defined by the commands ENTRY and RETURN
waits_to_remove()
{
	for remove_name in $(names "$1"); do
		define "$3 $remove_name" "$4 $remove_name%return a=\$retval"
	done
	put 1 "events/$2/enable"
	waits_in remove_all "$2"
}

# One of the waits is skipped if a grace period has ended since the events were disabled.
removal()
{
	remove_few=$(waits_to_remove 2 "$@")
	note "$remove_few waits for 4 events"
	expect_true "it waits" [ "$remove_few" -gt 0 ]
	remove_many=$(waits_to_remove 9 "$@")
	note "$remove_many waits for 18 events"
	expect_true "they wait as often" [ "$remove_many" -le $((remove_few + 1)) ]
	expect_file dynamic_events ''
}

kprobe_events()
{
	[ -f kprobe_events ] || skip "no kprobe events here"
	removal kprobes p r
}

fprobe_events()
{
	grep -q '<tracepoint>' README || skip "no fprobe events here"
	# shellcheck disable=SC2034 # define uses it
	PROBE_FILE=dynamic_events
	removal fprobes f f
}

# waits_to_forget NUMBER: prints the number of waits of removing that many synthetic events
waits_to_forget()
{
	for i in $(seq "$1"); do
		echo "ftest_closing_$i int number" >> synthetic_events
	done
	waits_in truncate_file synthetic_events
}

synthetic_events()
{
	[ -f synthetic_events ] || skip "no synthetic events here"
	forget_few=$(waits_to_forget 2)
	expect_file synthetic_events ''
	expect_true "it waits" [ "$forget_few" -gt 0 ]
	expect "$(waits_to_forget 20)" "$forget_few" "waits for 20 events instead of 2"
	expect_file synthetic_events ''
}

# Opens and closes events of all kinds, which other tasks hit.
under_load()
{
	need_pmu kprobe
	load_start
	for _ in $(seq 20); do
		# shellcheck disable=SC2046 # several words
		set -- tracepoint $(cat events/syscalls/sys_enter_r*/id events/sched/*/id)
		"$CLOSEOP" "$@" > "$SCRATCH/marks" || fail "closeop $1"
		for load_kind in kprobe kretprobe; do
			"$CLOSEOP" "$load_kind" vfs_read vfs_write vfs_open > "$SCRATCH/marks" ||
				fail "closeop $load_kind"
		done
	done
	expect_file "$SCRATCH/marks" closingclosed
}

# Events on functions are disabled and enabled again while they are hit.
on_and_off()
{
	grep -q '<tracepoint>' README || skip "no fprobe events here"
	# shellcheck disable=SC2034 # define uses it
	PROBE_FILE=dynamic_events
	define 'f vfs_read' 'f vfs_read%return r=$retval' 'f vfs_write%return c=$arg3 r=$retval'
	load_start
	for _ in 1 2 3 4 5 6 7 8; do
		put 1 events/fprobes/enable
		put 0 events/fprobes/enable
	done
	enabled fprobes cat /proc/uptime > /dev/null
	expect_true "hits of the last time" [ "$(nr_events)" -gt 0 ]
}

# Probes that were closed and are being freed in the background do not disturb new ones.
again()
{
	need_pmu kprobe
	[ -f kprobe_events ] || skip "no kprobe events here"
	for _ in 1 2 3 4 5 6 7 8 9 10; do
		"$CLOSEOP" kprobe vfs_read vfs_open vfs_write > /dev/null || fail "closeop kprobe"
		define 'p:again vfs_open'
		enabled kprobes/again cat /proc/uptime > /dev/null
		expect_true "hits" [ "$(entries again | wc -l)" -gt 0 ]
		put '' kprobe_events
	done
}

# A module can be unloaded at once after perf has closed its event.
module_event()
{
	need_perf
	need_module ftest_events
	module_id=$(cat events/ftest/ftest_first/id)
	for _ in 1 2 3; do
		"$CLOSEOP" tracepoint "$module_id" > /dev/null || fail "closeop tracepoint"
		expect_true "the module is not in use" drop_module ftest_events
		need_module ftest_events
		module_id=$(cat events/ftest/ftest_first/id)
	done
}

testcase tracepoints "closing perf events of tracepoints waits for nothing"
testcase system_calls "closing perf events of system calls waits for nothing"
testcase functions "closing perf events of ftrace:function waits for nothing"
testcase bpf_links "closing the link of a BPF program at many functions waits for nothing"
testcase kprobes "closing perf events of the type kprobe waits for nothing, and they go"
testcase many_kprobes "memory of many closed perf events is freed"
testcase uprobes "closing perf events of the type uprobe waits for no hits, and releases the file"
testcase kprobe_events "removing many kprobe events waits as often as removing few"
testcase fprobe_events "disabling and removing many fprobe events waits as often as few"
testcase synthetic_events "removing many synthetic events waits as often as removing few"
slowcase under_load "events can be closed while they are hit"
slowcase on_and_off "events on functions can be disabled and enabled while they are hit"
testcase module_event "a module can be unloaded at once after its event was closed"
testcase again "probes can be opened while others are being freed"
finish
