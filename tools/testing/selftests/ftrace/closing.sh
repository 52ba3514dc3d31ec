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
		! grep -q "^$traced\$" available_filter_functions || echo "$traced" >> set_ftrace_filter
	done
	echo function > current_tracer
	: > trace
}

# waits: prints the number of waits between "closing" and "closed" in the trace
waits()
{
	cat trace > "$SCRATCH/waits"
	echo nop > current_tracer
	expect_true "marks in the trace" grep -q closed "$SCRATCH/waits"
	awk '/closing/ { on = 1 } /closed/ { on = 0 } on && / <-/ { n++ } END { print n + 0 }' \
		"$SCRATCH/waits"
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

# names NUMBER: prints that many functions that can be probed
names()
{
	grep '^vfs_[a-z]*$' available_filter_functions | sort -u | head -n "$1"
}

tracepoints()
{
	need_perf
	[ -d events/sched ] || skip "no trace events here"
	# shellcheck disable=SC2046 # several words
	never_waits tracepoint $(cat events/sched/*/id | head -n 20)
}

system_calls()
{
	need_perf
	[ -d events/syscalls ] || skip "no events of system calls here"
	# shellcheck disable=SC2046 # several words
	never_waits tracepoint $(cat events/syscalls/*/id | head -n 20)
}

# kprobes_left: prints the number of kprobes
kprobes_left()
{
	[ -f $KPROBES_LIST ] || mount -t debugfs nodev /sys/kernel/debug
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
	kprobes_before=$(kprobes_left)
	for kprobes_kind in kprobe kretprobe; do
		# shellcheck disable=SC2046 # several words
		never_waits "$kprobes_kind" $(names 10)
	done
	wait_for 10 no_new_kprobes "$kprobes_before" || fail "probes remain: $(cat $KPROBES_LIST)"
}

# Many more than may be left to be freed in the background
many_kprobes()
{
	need_pmu kprobe
	kprobes_before=$(kprobes_left)
	: > "$SCRATCH/marks"
	for _ in 1 2; do
		# shellcheck disable=SC2046 # several words
		"$CLOSEOP" kprobe $(yes vfs_read | head -n 800) >> "$SCRATCH/marks"
	done
	expect "$(grep -o closed "$SCRATCH/marks" | wc -l)" 2 "runs"
	wait_for 10 no_new_kprobes "$kprobes_before" || fail "probes remain"
}

uprobes()
{
	need_pmu uprobe
	mkdir "$SCRATCH/fs"
	mount -t tmpfs none "$SCRATCH/fs" || skip "no tmpfs here"
	cp "$CLOSEOP" "$SCRATCH/fs/program"
	never_waits uprobe "$SCRATCH/fs/program" 0x1000 0x1000 0x1000
	expect_true "the file system is not in use" umount "$SCRATCH/fs"
}

# waits_to_remove NUMBER GROUP ENTRY RETURN: prints the number of waits of disabling and removing
# probes on that many functions, defined by the commands ENTRY and RETURN
waits_to_remove()
{
	for remove_name in $(names "$1"); do
		define "$3 $remove_name" "$4 $remove_name%return a=\$retval"
	done
	put 1 "events/$2/enable"
	trace_waits
	echo $$ > set_ftrace_pid
	echo closing > trace_marker
	echo 0 > "events/$2/enable"
	: > dynamic_events
	echo closed > trace_marker
	: > set_ftrace_pid
	expect_file dynamic_events ''
	waits
}

removal()
{
	remove_few=$(waits_to_remove 2 "$@")
	note "$remove_few waits for 4 events"
	expect_true "it waits" [ "$remove_few" -gt 0 ]
	remove_many=$(waits_to_remove 9 "$@")
	expect "$remove_many" "$remove_few" "waits for 18 events"
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
	trace_waits
	echo $$ > set_ftrace_pid
	echo closing > trace_marker
	: > synthetic_events
	echo closed > trace_marker
	: > set_ftrace_pid
	waits
}

synthetic_events()
{
	[ -f synthetic_events ] || skip "no synthetic events here"
	forget_few=$(waits_to_forget 2)
	expect_file synthetic_events ''
	expect "$(waits_to_forget 20)" "$forget_few" "waits for 20 events instead of 2"
	expect_file synthetic_events ''
}

# Probes that were closed and are waited for in the background do not disturb new ones.
again()
{
	need_pmu kprobe
	[ -f kprobe_events ] || skip "no kprobe events here"
	for _ in 1 2 3 4 5 6 7 8 9 10; do
		"$CLOSEOP" kprobe vfs_read vfs_open vfs_write > /dev/null
		define 'p:again vfs_open'
		enabled kprobes/again cat /proc/uptime > /dev/null
		expect_true "hits" [ "$(entries again | wc -l)" -gt 0 ]
		put '' kprobe_events
	done
}

testcase tracepoints "closing perf events of tracepoints waits for nothing"
testcase system_calls "closing perf events of system calls waits for nothing"
testcase kprobes "closing perf events of the type kprobe waits for nothing, and they go"
slowcase many_kprobes "memory of many closed perf events is freed"
testcase uprobes "closing perf events of the type uprobe waits for nothing, and releases the file"
testcase kprobe_events "removing many kprobe events waits as often as removing few"
testcase fprobe_events "disabling and removing many fprobe events waits as often as few"
testcase synthetic_events "removing many synthetic events waits as often as removing few"
testcase again "probes can be opened while others are being freed"
finish
