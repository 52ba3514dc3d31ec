#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# trace_pipe: it waits for entries, or does not with O_NONBLOCK, and consumes them.
# shellcheck source=functions.sh

. "$(dirname "$0")/functions.sh"

nonblocking()
{
	expect "$("$FILEOP" read rn trace_pipe 2> /dev/null)" EAGAIN "read of an empty buffer"
	put marked trace_marker
	"$FILEOP" read rn trace_pipe > "$SCRATCH/size" 2> "$SCRATCH/text"
	expect_true "the entry" grep -q 'tracing_mark_write: marked$' "$SCRATCH/text"
	expect "$(cat "$SCRATCH/size")" "$(wc -c < "$SCRATCH/text")" "size of the read"
	expect "$("$FILEOP" read rn trace_pipe 2> /dev/null)" EAGAIN "read after the last entry"
}

blocking()
{
	in_background cat trace_pipe > "$SCRATCH/pipe"
	pid=$background_pid
	sleep 0.5
	expect_true "the reader waits" kill -0 "$pid"
	expect_file "$SCRATCH/pipe" ''
	put first trace_marker
	expect_true "the first entry comes" wait_for 10 grep -q 'write: first$' "$SCRATCH/pipe"
	put second trace_marker
	expect_true "the second entry comes" wait_for 10 grep -q 'write: second$' "$SCRATCH/pipe"
	expect "$(wc -l < "$SCRATCH/pipe")" 2 "lines, without a header"
	expect_true "the reader waits again" kill -0 "$pid"
	end_background "$pid"
	expect "$?" 143 "status of the reader that a signal ended"
}

# What a reader has got, nobody gets again; the rest stays.
consuming()
{
	for i in 1 2 3; do
		put "mark$i" trace_marker
	done
	expect "$(nr_events)" 3 "entries before"
	# a buffer that holds one line takes one entry
	line=$(events | head -n 1 | wc -c)
	"$FILEOP" read rn trace_pipe "$line" > /dev/null 2> "$SCRATCH/text"
	expect "$(sed 's/.*: //' "$SCRATCH/text")" mark1 "what was read"
	expect "$(events | sed 's/.*: //' | tr '\n' ' ')" "mark2 mark3 " "what is left"
	"$FILEOP" read rn trace_pipe > /dev/null 2> "$SCRATCH/text"
	expect "$(sed 's/.*: //' "$SCRATCH/text" | tr '\n' ' ')" "mark2 mark3 " "the rest"
	expect "$(nr_events)" 0 "entries after"
}

# Reads that are smaller than a line give the line all the same, piece by piece.
small_reads()
{
	put abcdefghij trace_marker
	want=$(events)
	timeout 2 dd if=trace_pipe bs=1 count=${#want} of="$SCRATCH/text" 2> /dev/null
	expect "$(cat "$SCRATCH/text")" "$want" "line put together from reads of one byte"
}

polled()
{
	expect "$("$FILEOP" poll r trace_pipe 100)" timeout "poll of an empty buffer"
	put x trace_marker
	expect "$("$FILEOP" poll r trace_pipe 5000)" readable "poll with an entry"
}

# When tracing is off the end of the entries is the end of the file.
ends_with_tracing()
{
	put x trace_marker
	put 0 tracing_on
	timeout 20 cat trace_pipe > "$SCRATCH/pipe"
	expect "$?" 0 "status of the reader"
	expect "$(wc -l < "$SCRATCH/pipe")" 1 "lines"
}

# There is one reader, and the tracer stays what it is while there is one.
second_reader()
{
	in_background cat trace_pipe > /dev/null
	pid=$background_pid
	sleep 0.3
	expect "$("$FILEOP" read rn trace_pipe)" open:EBUSY "a second reader"
	expect_write EBUSY w current_tracer function
	expect_file current_tracer nop
	end_background "$pid"
	expect_write 8 w current_tracer function
}

per_cpu_pipe()
{
	taskset 1 sh -c 'echo on0 > trace_marker'
	taskset 2 sh -c 'echo on1 > trace_marker' || skip "one CPU only"
	"$FILEOP" read rn per_cpu/cpu1/trace_pipe > /dev/null 2> "$SCRATCH/text"
	expect "$(sed 's/.*: //' "$SCRATCH/text")" on1 "entries of CPU 1"
	expect "$(events | sed 's/.*: //')" on0 "entries left"
}

# The function tracer while somebody reads: what was read is whole lines.
live()
{
	put 'vfs_read vfs_open' set_ftrace_filter
	put function current_tracer
	in_background cat trace_pipe > "$SCRATCH/pipe"
	pid=$background_pid
	for _ in 1 2 3 4 5 6 7 8 9 10; do
		read_something
	done
	expect_true "lines come" wait_for 10 grep -q ': vfs_read <-' "$SCRATCH/pipe"
	put 0 tracing_on
	sleep 0.5
	end_background "$pid"
	shape='^ *[^ ].*-[0-9]+ +\[[0-9]{3}\] [^ ]{4,5} +[0-9]+\.[0-9]{6}: [a-z0-9_.]+ <-'
	expect "$(grep -cvE "$shape" "$SCRATCH/pipe")" 0 "lines that are no entry"
}

# fill FROM TO: entries with these numbers, of CPU 0
fill()
{
	taskset 1 sh -c "i=$1; while [ \$i -lt $2 ]; do
		echo \"number \$i of many that fill the buffer up to its end\"; i=\$((i + 1))
	done > trace_marker"
}

# What a reader missed is told where it was: numbers and losses leave no gap.
lost()
{
	put 8 buffer_size_kb
	fill 0 600
	exec 5< trace_pipe
	dd bs=1000 count=1 <&5 > "$SCRATCH/pipe" 2> /dev/null
	expect_true "the first line tells" sh -c \
		    "head -n 1 '$SCRATCH/pipe' | grep -Eqx 'CPU:0 \[LOST [0-9]+ EVENTS\]'"
	expect "$(sed -n 's/.*LOST \([0-9]*\) .*/\1/p' "$SCRATCH/pipe")" \
	       "$(sed -n 's/^overrun: //p' per_cpu/cpu0/stats)" "lost, and overrun in stats"
	fill 600 1200
	dd bs=3000 count=1 <&5 >> "$SCRATCH/pipe" 2> /dev/null
	fill 1200 1210
	put 0 tracing_on
	# without timeout(1), which may have a process left that has the file open
	cat <&5 >> "$SCRATCH/pipe"
	exec 5<&-
	awk '/LOST/ { sub(/.*LOST /, ""); next_nr += $1; next }
	     { sub(/.*number /, ""); if ($1 != next_nr) print "line", NR; next_nr = $1 + 1 }
	     END { if (next_nr != 1210) print "ends at", next_nr }' "$SCRATCH/pipe" \
		> "$SCRATCH/gaps"
	expect_file "$SCRATCH/gaps" ''
	expect_true "lost more than once" [ "$(grep -c LOST "$SCRATCH/pipe")" -ge 2 ]
}

# Two CPUs: losses are told by CPU.
lost_of_each()
{
	[ -d per_cpu/cpu1 ] || skip "one CPU only"
	put 8 buffer_size_kb
	taskset 2 sh -c 'echo kept > trace_marker'
	fill 0 600
	put 0 tracing_on
	timeout 20 cat trace_pipe > "$SCRATCH/pipe"
	expect "$(grep LOST "$SCRATCH/pipe")" \
	       "CPU:0 [LOST $((600 - $(grep -c number "$SCRATCH/pipe"))) EVENTS]" "lost"
	expect "$(grep -c kept "$SCRATCH/pipe")" 1 "entries of CPU 1"
}

testcase nonblocking "O_NONBLOCK gives EAGAIN when there is nothing"
testcase blocking "a reader waits for entries"
testcase consuming "what was read is gone"
testcase small_reads "a line in reads of one byte"
testcase polled "poll"
testcase ends_with_tracing "the entries end the file when tracing is off"
testcase second_reader "one reader at a time"
testcase per_cpu_pipe "the pipe of one CPU"
testcase lost "lost entries are told where they would be"
testcase lost_of_each "and of which CPU they were"
testcase live "lines of the function tracer as they come"
finish
