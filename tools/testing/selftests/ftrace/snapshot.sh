#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Snapshots, which keep the entries of the buffer while recording continues.
# shellcheck source=functions.sh

. "$(dirname "$0")/functions.sh"

[ -f snapshot ] || skip_all "no snapshots here"

none()
{
	put 0 snapshot
	expect "$(grep -vc '^#' snapshot)" 0 "lines that are no comment"
	expect_true "it explains how to take one" grep -q 'echo 1 > snapshot' snapshot
	expect "$(head -n 1 snapshot)" '# tracer: nop' "first line"
	expect "$(grep -cxF '# * Snapshot is freed *' snapshot)" 1 "lines that report it as freed"
	expect "$(grep -c 'Snapshot is allocated' snapshot)" 0 "lines that report it as allocated"
	"$FILEOP" read rn per_cpu/cpu0/snapshot_raw > "$SCRATCH/result" 2> "$SCRATCH/text"
	expect_true "read of snapshot_raw: $(cat "$SCRATCH/result")" \
		    grep -Eqx '0|EAGAIN' "$SCRATCH/result"
	expect "$(wc -c < "$SCRATCH/text")" 0 "bytes without a snapshot"
	# Clearing does nothing if there is no snapshot
	put 2 snapshot
	expect "$(grep -vc '^#' snapshot)" 0 "lines that are no comment"
	put 0 snapshot
}

take()
{
	put before trace_marker
	put 1 snapshot
	put after trace_marker
	expect "$(events snapshot | grep -c ': before')" 1 "earlier entries in the snapshot"
	expect "$(events snapshot | grep -c ': after')" 0 "later entries in the snapshot"
	expect "$(events | grep -c ': before')" 0 "earlier entries in the buffer"
	expect "$(events | grep -c ': after')" 1 "later entries in the buffer"
	expect "$(head -n 1 snapshot)" "# tracer: nop" "header"

	# reading consumes nothing
	expect "$(nr_events snapshot)" 1 "entries when read again"
	put 1 snapshot
	expect "$(events snapshot | grep -c ': after')" 1 "entries of the next one"
	expect "$(nr_events snapshot)" 1 "entries of the next one"
}

clear()
{
	put kept trace_marker
	put 1 snapshot
	expect "$(grep -c 'Snapshot is' snapshot)" 0 "lines about the buffer along with entries"
	put other trace_marker
	put 2 snapshot
	expect "$(nr_events snapshot)" 0 "entries of a snapshot that was cleared"
	expect "$(grep -cxF '# * Snapshot is allocated *' snapshot)" 1 \
	       "lines that report it as allocated"
	expect "$(grep -cv '^#' snapshot)" 0 "lines that are no comment"
	expect "$(nr_events)" 1 "entries in the buffer"
	put 1 snapshot
	expect "$(events snapshot | sed 's/.*: //')" other "entries after the next one"
	put 0 snapshot
	expect_true "the spare buffer is freed" grep -q 'echo 1 > snapshot' snapshot
}

of_one_cpu()
{
	taskset 1 sh -c 'echo zero > trace_marker'
	taskset 2 sh -c 'echo one > trace_marker'
	[ "$("$FILEOP" write w per_cpu/cpu0/snapshot '1\n')" != EINVAL ] ||
		skip "no snapshots of one CPU (CONFIG_RING_BUFFER_ALLOW_SWAP)"
	expect "$(events per_cpu/cpu0/snapshot | grep -c ': zero')" 1 "entries of its CPU"
	expect "$(events | grep -c ': one')" 1 "entries of the other CPU in the buffer"
	expect "$(events | grep -c ': zero')" 0 "entries of this CPU in the buffer"
	expect_true "snapshot_raw has pages" [ "$(wc -c < per_cpu/cpu0/snapshot_raw)" -gt 0 ]
	expect_write EINVAL w per_cpu/cpu0/snapshot '0\n'
}

# While the file is open, the spare buffer is kept.
held()
{
	put x trace_marker
	put 1 snapshot
	exec 3< snapshot
	expect_write EBUSY w snapshot '0\n'
	exec 3<&-
	put 0 snapshot
	expect_true "it can be freed now" grep -q 'echo 1 > snapshot' snapshot
}

# A rejected size changes neither the trace nor the snapshot.
refused_size()
{
	put x trace_marker
	put 1 snapshot
	put kept trace_marker
	for file in snapshot trace; do
		exec 3< $file
		expect_write EBUSY w buffer_subbuf_size_kb "$((2 * page_kb))\n"
		exec 3<&-
		expect "$(events | sed 's/.*: //')" kept "entries of the buffer, $file open"
		expect "$(events snapshot | sed 's/.*: //')" x "entries of the snapshot"
	done
	expect_file buffer_subbuf_size_kb "$page_kb"
	put 0 snapshot
}

bad()
{
	put x trace_marker
	put 1 snapshot
	for text in '' '\n' 'x\n' '-1\n' '1x\n'; do
		expect_write EINVAL w snapshot "$text"
	done
	expect_write ERANGE w snapshot '99999999999999999999999\n'
	expect "$(nr_events snapshot)" 1 "entries of the snapshot"
	put 0 snapshot
}

# With the tracer active on all CPUs.
under_load()
{
	load_start
	put 'vfs_*' set_ftrace_filter
	put function current_tracer
	i=0
	while [ $i -lt 20 ]; do
		put 1 snapshot
		i=$((i + 1))
	done
	expect_true "it has entries" [ -n "$(head -n 20 snapshot | events -)" ]
	put 64 buffer_size_kb
	put 1 snapshot
	expect_true "it has entries with another size" [ -n "$(head -n 20 snapshot | events -)" ]
	load_stop
	put nop current_tracer
	put 0 snapshot
}

sizes()
{
	put $((4 * page_kb)) buffer_subbuf_size_kb
	put "$page_kb" buffer_subbuf_size_kb
	put one trace_marker
	expect_write 2 w snapshot '1\n'
	expect "$(grep -c 'write: one' snapshot)" 1 "entries of the snapshot"
	put $((2 * page_kb)) buffer_subbuf_size_kb
	put two trace_marker
	expect_write 2 w snapshot '1\n'
	expect "$(grep -c 'write: two' snapshot)" 1 "entries with larger pages"
	put 0 snapshot
	put 100 per_cpu/cpu0/buffer_size_kb
	put three trace_marker
	expect_write 2 w snapshot '1\n'
	expect "$(grep -c 'write: three' snapshot)" 1 "entries with CPUs that differ"
	put 0 snapshot
}

# tracing_snapshot() takes the entries that were recorded before the call, and no later ones.
at_the_call()
{
	need_module ftest_printk
	put 1 snapshot
	put snapshot "$(param ftest_printk run)"
	expect_true "the snapshot is taken" wait_for 10 grep -q ': before the snapshot$' snapshot
	expect "$(grep -c ': after the snapshot$' snapshot)" 0 "entries from after the call"
	expect "$(grep -c ': before the snapshot$' trace)" 0 "earlier entries in the buffer"
	expect "$(grep -c ': after the snapshot$' trace)" 1 "the next entry in the buffer"
	put later trace_marker
	expect "$(events | grep -c ': later')" 1 "recording continues"
	drop_module ftest_printk
	put 0 snapshot
}

# streams_start: writes numbers to both markers, until streams_end
streams_start()
{
	in_background "$FILEOP" stream text trace_marker > "$SCRATCH/text"
	text_pid=$background_pid
	in_background "$FILEOP" stream raw trace_marker_raw > "$SCRATCH/raw"
	raw_pid=$background_pid
}

# stream_end LABEL PID: no write has failed. The number of writes is in $written.
stream_end()
{
	kill -TERM "$2"
	wait "$2"
	read -r written failed < "$SCRATCH/$1"
	expect "$failed" 0 "writes of $1 that failed, of $written"
	expect_true "there were any" [ "$written" -gt 0 ]
}

# streams_end: ends both streams; the number of texts is in $texts
streams_end()
{
	stream_end raw "$raw_pid"
	stream_end text "$text_pid"
	texts=$written
}

# numbers FILE: prints the numbers of the texts
numbers()
{
	sed -n 's/^[^#].*: number \([0-9]*\)$/\1/p' "$1"
}

# No write fails, and each entry is in one snapshot or in the buffer.
none_missing()
{
	put 8192 buffer_size_kb
	streams_start
	i=0
	while [ $i -lt 10 ]; do
		put 1 snapshot
		numbers snapshot
		i=$((i + 1))
	done > "$SCRATCH/numbers"
	streams_end
	numbers trace >> "$SCRATCH/numbers"
	expect "$(seq 0 $((texts - 1)) | cmp - "$SCRATCH/numbers" 2>&1)" '' "numbers of $texts"
	put 0 snapshot
}

# A trigger of the marker itself takes a snapshot at each entry: the last entry is not lost.
at_each_entry()
{
	[ -d events/ftrace/print ] || skip "no event ftrace:print"
	put snapshot events/ftrace/print/trigger
	streams_start
	sleep 1
	streams_end
	put '!snapshot' events/ftrace/print/trigger
	cat snapshot trace > "$SCRATCH/both"
	expect "$(numbers "$SCRATCH/both" | grep -cx $((texts - 1)))" 1 "copies of the last number"
	put 0 snapshot
}

# The event that triggers a snapshot is the first entry after it.
of_the_event()
{
	fork=events/sched/sched_process_fork
	[ -d $fork ] || skip "no events"
	put snapshot:1 $fork/trigger
	put 1 $fork/enable
	taskset 1 sh -c ': > /dev/null; for i in 1 2 3 4; do (:); done'
	put 0 $fork/enable
	put '!snapshot' $fork/trigger
	cat snapshot trace > "$SCRATCH/both"
	expect "$(grep -c ': sched_process_fork: ' snapshot)" 0 "forks in the snapshot"
	expect_true "all are recorded" \
		[ "$(grep -c ': sched_process_fork: ' "$SCRATCH/both")" -ge 4 ]
	put 0 snapshot
}

# A function with a command that takes a snapshot is also recorded by the tracer.
of_the_function()
{
	need_module ftest_target
	put ftest_one set_ftrace_filter
	expect "$("$FILEOP" write wa set_ftrace_filter 'ftest_one:snapshot:1\n')" 21 "the command"
	put function current_tracer
	call_targets 3
	expect "$(cat snapshot trace | grep -c ': ftest_one <-')" 3 "calls in both"
	put nop current_tracer
	put_more '!ftest_one:snapshot:0' set_ftrace_filter
	drop_module ftest_target
	put 0 snapshot
}

testcase none "without a snapshot the file has only help text"
testcase take "a snapshot takes the entries of the buffer, and recording continues"
testcase clear "a snapshot can be cleared and freed"
testcase of_one_cpu "a snapshot of one CPU does not affect other CPUs"
testcase sizes "a snapshot works after the sizes of pages and buffers have changed"
testcase held "the snapshot cannot be freed while it is read"
testcase refused_size "a rejected size of pages changes neither trace nor snapshot"
testcase bad "an invalid write changes nothing"
testcase none_missing "no write fails and no entry is missing while snapshots are taken"
testcase at_each_entry "a snapshot at each entry rejects no entry"
testcase of_the_event "the event that triggers a snapshot is recorded"
testcase of_the_function "the function that triggers a snapshot is recorded"
testcase at_the_call "tracing_snapshot() takes the entries before its call, and no later ones"
testcase under_load "snapshots can be taken while all CPUs record"
finish
