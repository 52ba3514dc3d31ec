#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Readers that wait for trace_pipe_raw: buffer_percent determines when they are woken, and they
# can be ended and killed; operations that are rejected while a ring is mapped; the figures in
# stats.
# shellcheck source=functions.sh

. "$(dirname "$0")/functions.sh"

RAWOP=${FILEOP%/*}/rawop
[ -x "$RAWOP" ] || skip_all "no rawop, see README"
RAW=per_cpu/cpu0/trace_pipe_raw
STATS=per_cpu/cpu0/stats

# An entry has at most about 4000 bytes, so in a larger page a quarter takes several entries.
PAGE=$((page_kb * 1024))
case $page_kb in
4) EACH=1 LONG=900 ;;
*) EACH=$((page_kb / 16)) LONG=3900 ;;
esac

# mark: writes an entry on the first CPU
mark()
{
	taskset 1 "$FILEOP" repeat w trace_marker x $LONG > /dev/null
}

# marks N: writes as many entries as fill N quarters of a page
marks()
{
	marks_left=$(($1 * EACH))
	while [ "$marks_left" -gt 0 ]; do
		mark
		marks_left=$((marks_left - 1))
	done
}

figure()
{
	sed -n "s/^$1: *//p" $STATS
}

# poll_says WANT LABEL [FILE]: checks the result of poll(2)
poll_says()
{
	expect "$("$FILEOP" poll rn "${3:-$RAW}" 0)" "$1" "$2"
}

# A reader of raw pages is woken when the buffer is as full as buffer_percent requires.
percent()
{
	put $((16 * page_kb)) buffer_size_kb
	put 0 buffer_percent
	poll_says timeout "0, no entries"
	marks 1
	poll_says readable "0, an entry"
	put 50 buffer_percent
	poll_says timeout "50, an entry"
	marks 24
	poll_says timeout "50, six pages of sixteen"
	marks 16
	poll_says readable "50, ten pages"
	put 100 buffer_percent
	poll_says timeout "100, ten pages"
	marks 16
	poll_says timeout "100, fourteen pages"
	marks 16
	poll_says readable "100, all"
	put 50 buffer_percent
}

# A reader that is already waiting is also woken.
woken()
{
	put $((16 * page_kb)) buffer_size_kb
	for per in 0 50 100; do
		put $per buffer_percent
		in_background "$FILEOP" poll r $RAW 20000 > "$SCRATCH/poll"
		pid=$background_pid
		sleep 0.3
		expect_file "$SCRATCH/poll" ''
		[ $per = 0 ] && marks 1 || marks 80
		wait "$pid"
		expect_file "$SCRATCH/poll" readable
		: > trace
	done
	put 50 buffer_percent
}

# Data that a read returns at once is readable, however little it is.
poll_rest()
{
	put $((16 * page_kb)) buffer_size_kb
	put 50 buffer_percent
	mark
	expect "$("$RAWOP" poll_rest $RAW $((LONG + 100)))" readable \
	       "after a read of a part of a page"
	mark
	poll_says timeout "while recording is on"
	in_background "$FILEOP" poll r $RAW 20000 > "$SCRATCH/poll"
	pid=$background_pid
	sleep 0.3
	expect_file "$SCRATCH/poll" ''
	put 0 tracing_on
	wait "$pid"
	expect_file "$SCRATCH/poll" readable
	"$FILEOP" read rn $RAW $PAGE > /dev/null 2>&1
	poll_says timeout "off, and no entries are left"
	put 1 tracing_on
}

# Nothing is written to a snapshot, so there is nothing to wait for.
poll_snapshot()
{
	[ -f snapshot ] || skip "no snapshots here"
	put 50 buffer_percent
	put 1 snapshot
	poll_says readable "of an empty snapshot" per_cpu/cpu0/snapshot_raw
	marks 1
	put 1 snapshot
	poll_says readable "of a snapshot with one entry" per_cpu/cpu0/snapshot_raw
	put 0 snapshot
	poll_says readable "of no snapshot" per_cpu/cpu0/snapshot_raw
}

# splice() waits like poll(), and read() also takes a page that is not full.
reads()
{
	put $((16 * page_kb)) buffer_size_kb
	put 50 buffer_percent
	expect "$("$FILEOP" read rn $RAW 2> /dev/null)" EAGAIN "read of nothing"
	expect "$("$RAWOP" splice_some n $RAW $((16 * PAGE)))" EAGAIN "splice of nothing"
	marks 1
	expect "$("$RAWOP" splice_some n $RAW $((PAGE - 1)))" EINVAL "splice of less than a page"
	expect "$("$FILEOP" read r $RAW $PAGE 2> /dev/null)" $PAGE "read of one entry"
	in_background "$RAWOP" splice_some r $RAW $((16 * PAGE)) > "$SCRATCH/splice"
	pid=$background_pid
	marks 8
	sleep 0.3
	expect_file "$SCRATCH/splice" ''
	marks 48
	wait "$pid"
	# the pages that were full then, in whole pages
	expect_true "half of it is spliced: $(cat "$SCRATCH/splice")" \
		    [ "$(cat "$SCRATCH/splice")" -ge $((7 * PAGE)) ]
	expect $(($(cat "$SCRATCH/splice") % PAGE)) 0 "a part of a page"
}

# With so few pages the share that a splice waits for is in the page that is being written.
small_ring()
{
	for per in 1 50; do
		put "$page_kb" buffer_size_kb
		put $per buffer_percent
		in_background "$RAWOP" splice_some r $RAW $((16 * PAGE)) > "$SCRATCH/splice"
		pid=$background_pid
		sleep 0.3
		expect_file "$SCRATCH/splice" ''
		mark
		wait_for 10 test -s "$SCRATCH/splice"
		expect_file "$SCRATCH/splice" $PAGE
		kill -KILL "$pid" 2> /dev/null
		wait "$pid"
	done
	put 50 buffer_percent
}

# While a splice waits, the pages become larger than its length.
pages_grow()
{
	put $((16 * page_kb)) buffer_size_kb
	in_background "$RAWOP" splice_some r $RAW $PAGE > "$SCRATCH/splice"
	pid=$background_pid
	sleep 0.3
	put $((4 * page_kb)) buffer_subbuf_size_kb
	marks 60
	wait_for 10 test -s "$SCRATCH/splice"
	expect_file "$SCRATCH/splice" EINVAL
	kill -KILL "$pid" 2> /dev/null
	wait "$pid"
}

# no_more LABEL COMMAND...: a splice waits for half of the pages. It gets the only available
# page when this command ends recording, or lowers the share to what is available
no_more()
{
	no_more_what=$1
	shift
	put $((16 * page_kb)) buffer_size_kb
	put 50 buffer_percent
	put 1 tracing_on
	: > trace
	marks 1
	in_background "$RAWOP" splice_some r $RAW $((16 * PAGE)) > "$SCRATCH/splice"
	pid=$background_pid
	sleep 0.3
	expect "$(cat "$SCRATCH/splice")" '' "bytes it has before $no_more_what"
	"$@"
	wait_for 10 test -s "$SCRATCH/splice"
	expect "$(cat "$SCRATCH/splice")" $PAGE "bytes it has after $no_more_what"
	kill -KILL "$pid" 2> /dev/null
	wait "$pid"
}

# Recording is switched off by an event that no task waits for.
traceoff_by_event()
{
	put traceoff events/sched/sched_process_fork/trigger
	(:)
	put '!traceoff' events/sched/sched_process_fork/trigger
}

share_of_rest()
{
	no_more "a switch" put 0 tracing_on
	[ ! -d events/sched/sched_process_fork ] || no_more "traceoff" traceoff_by_event
	mask=$(cat tracing_cpumask)
	no_more "a mask" put 2 tracing_cpumask
	put "$mask" tracing_cpumask
	no_more "a smaller ring" put "$page_kb" per_cpu/cpu0/buffer_size_kb
	no_more "a smaller share" put 5 buffer_percent
	no_more "a share of 0" put 0 buffer_percent
	put 1 tracing_on
	put 50 buffer_percent
}

# A waiting reader can be killed at any time.
killed()
{
	put 100 buffer_percent
	for how in "$FILEOP read r $RAW" "$RAWOP splice_some r $RAW $((16 * PAGE))" \
		   "$FILEOP read r per_cpu/cpu0/trace_pipe" "$FILEOP read r trace_pipe"; do
		for signal in TERM KILL; do
			# shellcheck disable=SC2086 # words
			in_background $how > /dev/null 2>&1
			sleep 0.2
			kill -$signal "$background_pid"
			wait "$background_pid" 2> /dev/null
			status=$?
			expect $((status > 128)) 1 "$how ended by $signal: $status"
		done
	done
	put 50 buffer_percent
}

map_start()
{
	in_background "$RAWOP" stay_mapped $RAW > "$SCRATCH/map"
	map_pid=$background_pid
	expect_true "it is mapped" wait_for 10 grep -q mapped "$SCRATCH/map"
}

map_end()
{
	end_background "$map_pid"
}

# A mapped ring keeps its size and place; rejected requests lose no entries.
mapped()
{
	put $((16 * page_kb)) buffer_size_kb
	if [ -f snapshot ]; then
		put before trace_marker
		put 1 snapshot
	fi
	size=$(cat per_cpu/cpu0/buffer_size_kb)
	map_start
	marks 10
	expect_write EBUSY w per_cpu/cpu0/buffer_size_kb "$((32 * page_kb))\n"
	expect_write EBUSY w buffer_size_kb "$((32 * page_kb))\n"
	expect_write EBUSY w buffer_subbuf_size_kb "$((2 * page_kb))\n"
	expect_file per_cpu/cpu0/buffer_size_kb "$size"
	expect_file per_cpu/cpu1/buffer_size_kb "$size"
	expect_file buffer_subbuf_size_kb "$page_kb"
	if [ -f snapshot ]; then
		expect_write EBUSY w snapshot '1\n'
		expect "$(events snapshot | grep -c ': before')" 1 "the snapshot is still there"
		expect_write EBUSY wa set_ftrace_filter 'vfs_open:snapshot\n'
		expect "$(grep -c snapshot set_ftrace_filter)" 0 "commands"
	fi
	expect "$(nr_events per_cpu/cpu0/trace)" $((10 * EACH)) "entries"
	map_end
	# The first page has four of ten, and they count as read now
	expect "$(tail -n 1 "$SCRATCH/map")" "$((10 * EACH)) 0 $((4 * EACH)) $((4 * EACH))" \
	       "counts of the mapping"
	expect "$(nr_events per_cpu/cpu0/trace)" $((6 * EACH)) "entries left"
	put $((32 * page_kb)) buffer_size_kb
	expect_true "it grows" [ "$(cat per_cpu/cpu0/buffer_size_kb)" -ge $((32 * page_kb)) ]
	[ ! -f snapshot ] || put 0 snapshot
}

# A command that takes snapshots prevents mapping.
not_mapped()
{
	[ -f snapshot ] || skip "no snapshots here"
	put_more 'vfs_open:snapshot' set_ftrace_filter
	expect "$("$RAWOP" stay_mapped $RAW)" "mmap: Device or resource busy" "mapping it"
	put_more '!vfs_open:snapshot' set_ftrace_filter
	map_start
	map_end
	put 0 snapshot
}

# Mapped pages are not given away: other readers get copies.
mapped_and_read()
{
	put $((16 * page_kb)) buffer_size_kb
	put 0 buffer_percent
	map_start
	marks 20
	expect "$("$RAWOP" splice_some n $RAW $PAGE)" $PAGE "spliced while mapped"
	expect "$("$FILEOP" read rn $RAW $PAGE 2> /dev/null)" $PAGE "read while mapped"
	expect "$(figure 'read events')" $((8 * EACH)) "events of both"
	map_end
	# the third page
	expect "$(tail -n 1 "$SCRATCH/map")" "$((20 * EACH)) 0 $((12 * EACH)) $((4 * EACH))" \
	       "counts of the mapping"
	expect "$(figure 'entries')" $((8 * EACH)) "entries left"
	put 50 buffer_percent
}

# ends HOW BY...: each BY ends a wait for pages by HOW
ends()
{
	ends_how=$1
	shift
	for by; do
		put 1 tracing_on
		marks 1
		expect "$("$RAWOP" woken "$ends_how" "$by" $RAW)" 0 "$ends_how ended by $by"
	done
	put 1 tracing_on
}

# Tools end their own waits by ioctl(fd, 0) or by closing the file.
waits_end()
{
	put 50 buffer_percent
	ends read close
	ends splice ioctl close
	ends map ioctl close off
}

# Each kind of wait can be ended in each of the ways.
waits_end_anyhow()
{
	put 50 buffer_percent
	ends read ioctl off
	ends splice off
}

# interrupted HOW FILE: a blocked call continues after a stop, and after a handler with
# SA_RESTART
interrupted()
{
	for by in stop restart; do
		expect "$("$RAWOP" interrupted "$1" $by "$2")" event "$1 of $2, after $by"
	done
	expect "$("$RAWOP" interrupted "$1" handler "$2")" EINTR "$1 of $2, handler"
}

goes_on()
{
	put 0 buffer_percent
	for how in read splice map; do
		interrupted $how $RAW
	done
	for file in trace_pipe per_cpu/cpu0/trace_pipe; do
		interrupted read $file
		interrupted splice $file
	done
	put 50 buffer_percent
}

# mapped_reader: starts a reader that maps the ring and waits for a page, and writes one entry.
# Its pid is in $pid.
mapped_reader()
{
	put $((16 * page_kb)) buffer_size_kb
	put 50 buffer_percent
	in_background "$RAWOP" get_reader $RAW > "$SCRATCH/reader"
	pid=$background_pid
	expect_true "it is mapped" wait_for 10 grep -q waits "$SCRATCH/reader"
	marks 1
}

# A mapped reader gets its page when the buffer is as full as buffer_percent requires.
get_reader()
{
	mapped_reader
	sleep 0.3
	expect_file "$SCRATCH/reader" waits
	marks 60
	wait "$pid"
	expect "$(tail -n 1 "$SCRATCH/reader")" $((4 * EACH)) "entries of the page"
}

# Without a mapping there is no page to wait for, whether or not there are entries.
get_reader_unmapped()
{
	put 50 buffer_percent
	expect "$("$RAWOP" get_reader_unmapped $RAW)" ENODEV "of an empty ring"
	mark
	expect "$("$RAWOP" get_reader_unmapped $RAW)" ENODEV "of a ring with one entry"
	expect "$(nr_events per_cpu/cpu0/trace)" 1 "entries left"
}

# A mapped reader gets the part of a page that trace_pipe has not shown. So trace_pipe shows the
# beginnings of pages, in order, and each entry is read once.
beside_pipe()
{
	put $((256 * page_kb)) buffer_size_kb
	# as long as the entries of marks()
	each=$((4 * EACH)) all=$((200 * 4 * EACH))
	taskset 1 sh -c "i=0; while [ \$i -lt $all ]; do
		printf '%0${LONG}d\n' \$i; i=\$((i + 1))
	done" > trace_marker
	"$RAWOP" take_turns $RAW per_cpu/cpu0/trace_pipe > "$SCRATCH/pipe" 2> "$SCRATCH/pages" ||
		fail "take_turns ended with $?: $(cat "$SCRATCH/pages")"
	pages=$(cat "$SCRATCH/pages")
	expect "$(figure 'read events') $(figure entries)" "$all 0" "events read, and left"
	sed 's/.*: 0*\([0-9]\)/\1/' "$SCRATCH/pipe" > "$SCRATCH/shown"
	awk -v each=$each '{
	       page = int($1 / each); entry = $1 % each
	       if (page < last || entry != (page == last ? next_one : 0)) print
	       last = page; next_one = entry + 1 }' "$SCRATCH/shown" > "$SCRATCH/skipped"
	expect_file "$SCRATCH/skipped" ''
	shown=$(wc -l < "$SCRATCH/shown")
	expect_true "trace_pipe shows some of them: $shown" [ "$shown" -gt 0 ]
	expect_true "but not all" [ "$shown" -lt $all ]
	expect_true "the mapping had the rest: $pages pages" \
		    [ $((shown + pages * each)) -ge $all ]
}

# A reader that polls and closes the file does not wake the waiting reader.
poll_mapped()
{
	mapped_reader
	poll_says timeout "poll of a mapped ring with one entry"
	expect_file "$SCRATCH/reader" waits
	marks 60
	wait "$pid"
}

change_sizes()
{
	while :; do
		for pages in 1 2 1 4; do
			echo $((pages * page_kb)) > buffer_subbuf_size_kb
			sleep 0.01	# a new size empties the buffer
		done
	done
}

write_marks()
{
	while :; do
		mark
	done
}

# A read returns one page of the ring, whatever the size of pages is.
sizes_change()
{
	put $((16 * page_kb)) buffer_size_kb
	in_background write_marks
	marks_pid=$background_pid
	in_background change_sizes
	pid=$background_pid
	"$RAWOP" sizes $RAW 5000 > "$SCRATCH/sizes"
	end_background "$pid"
	end_background "$marks_pid"
	put "$page_kb" buffer_subbuf_size_kb
	pages=$(cat "$SCRATCH/sizes")
	expect_true "whole pages were read: $pages" [ "${pages:-0}" -gt 0 ]
}

# stats: every entry is in one of the counts.
sums()
{
	put $((4 * page_kb)) buffer_size_kb
	marks 30
	all=$((30 * EACH))
	expect "$(($(figure entries) + $(figure overrun)))" $all "entries and overrun"
	expect_true "some are overwritten" [ "$(figure overrun)" -gt 0 ]
	"$FILEOP" read rn $RAW $PAGE > /dev/null 2>&1
	expect "$(figure 'read events')" $((4 * EACH)) "read events"
	expect "$(($(figure entries) + $(figure overrun) + 4 * EACH))" $all "with those read"

	put nooverwrite trace_options
	: > trace
	expect "$(figure entries) $(figure overrun)" "0 0" "after clearing"
	expect "$(figure 'read events')" 0 "read events after clearing"
	marks 30
	expect_true "some found no room" [ "$(figure 'dropped events')" -gt 0 ]
	expect "$(($(figure entries) + $(figure 'dropped events')))" $all "entries and dropped"
	expect "$(figure overrun) $(figure 'commit overrun')" "0 0" "overrun"
	first=$(events per_cpu/cpu0/trace | head -n 1 | sed 's/.* \([0-9.]*\): tracing_mark.*/\1/')
	expect_true "the oldest is the first: $first" [ "$(figure 'oldest event ts')" = "$first" ]
	put overwrite trace_options
}

slowcase percent "buffer_percent determines when the file is readable"
slowcase woken "buffer_percent determines when readers are woken"
testcase poll_rest "data that a read returns at once is readable, whatever buffer_percent is"
testcase poll_snapshot "a snapshot is always readable"
slowcase reads "splice waits like poll, and read also takes a page that is not full"
testcase small_ring "a splice from a small ring takes the page that is being written"
slowcase pages_grow "a splice ends when pages become larger than its length"
testcase share_of_rest "a wait ends when recording ends, or when enough data is available"
testcase killed "waiting readers can be killed"
testcase mapped "a mapped ring keeps its size, and no snapshot is taken of it"
testcase not_mapped "commands that take snapshots prevent mapping of rings"
testcase mapped_and_read "a mapped ring can be read"
testcase waits_end "a wait for pages can be ended"
testcase waits_end_anyhow "a read can be ended by ioctl, and reads and splices by tracing_on"
testcase goes_on "a wait continues after a stop, and after a handler with SA_RESTART"
slowcase get_reader "a mapped reader gets the next page when buffer_percent is reached"
testcase get_reader_unmapped "a ring that is not mapped has no next page to wait for"
testcase beside_pipe "trace_pipe and a mapping of the same ring share its entries"
slowcase poll_mapped "a poll of a mapped ring follows buffer_percent and wakes no other reader"
slowcase sizes_change "pages are read while their size changes"
slowcase sums "stats count every entry"
finish
