#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# trace_pipe: a read waits for entries, unless O_NONBLOCK is set, and consumes them.
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

asleep()
{
	grep -q '^State:.*S' "/proc/$1/status"
}

blocking()
{
	in_background cat trace_pipe > "$SCRATCH/pipe"
	pid=$background_pid
	expect_true "the reader sleeps" wait_for 10 asleep "$pid"
	expect_file "$SCRATCH/pipe" ''
	put first trace_marker
	expect_true "the first entry is returned" wait_for 10 grep -q 'write: first$' \
	       "$SCRATCH/pipe"
	put second trace_marker
	expect_true "the second entry is returned" wait_for 10 grep -q 'write: second$' \
	       "$SCRATCH/pipe"
	expect "$(wc -l < "$SCRATCH/pipe")" 2 "lines, without a header"
	expect_true "the reader sleeps again" wait_for 10 asleep "$pid"
	end_background "$pid"
	expect "$?" 143 "status of the reader that a signal ended"
}

# Each entry is read once, and entries after the end of a read are kept.
consuming()
{
	for i in 1 2 3; do
		put "mark$i" trace_marker
	done
	expect "$(nr_events)" 3 "entries before"
	# A read whose buffer has space for one line consumes one entry
	line=$(events | head -n 1 | wc -c)
	"$FILEOP" read rn trace_pipe "$line" > /dev/null 2> "$SCRATCH/text"
	expect "$(sed 's/.*: //' "$SCRATCH/text")" mark1 "entries that were read"
	expect "$(events | sed 's/.*: //' | tr '\n' ' ')" "mark2 mark3 " "entries left"
	"$FILEOP" read rn trace_pipe > /dev/null 2> "$SCRATCH/text"
	expect "$(sed 's/.*: //' "$SCRATCH/text" | tr '\n' ' ')" "mark2 mark3 " "the rest"
	expect "$(nr_events)" 0 "entries after"
}

# Reads that are smaller than a line return the line piece by piece.
small_reads()
{
	put abcdefghij trace_marker
	want=$(events)
	timeout 60 dd if=trace_pipe bs=1 count=${#want} of="$SCRATCH/text" 2> /dev/null
	expect "$(cat "$SCRATCH/text")" "$want" "line put together from reads of one byte"
}

polled()
{
	expect "$("$FILEOP" poll r trace_pipe 100)" timeout "poll of an empty buffer"
	put x trace_marker
	expect "$("$FILEOP" poll r trace_pipe 5000)" readable "poll with an entry"
}

ends_with_tracing()
{
	put x trace_marker
	put 0 tracing_on
	timeout 60 cat trace_pipe > "$SCRATCH/pipe"
	expect "$?" 0 "status of the reader"
	expect "$(wc -l < "$SCRATCH/pipe")" 1 "lines"
}

# There can be one reader, and the tracer cannot change while there is one.
second_reader()
{
	exec 5< trace_pipe
	expect "$("$FILEOP" read rn trace_pipe)" open:EBUSY "a second reader"
	expect_write EBUSY w current_tracer function
	expect_file current_tracer nop
	exec 5<&-
	expect_write 8 w current_tracer function
}

one_cpu()
{
	taskset 1 sh -c 'echo on0 > trace_marker'
	taskset 2 sh -c 'echo on1 > trace_marker' || skip "one CPU only"
	"$FILEOP" read rn per_cpu/cpu1/trace_pipe > /dev/null 2> "$SCRATCH/text"
	expect "$(sed 's/.*: //' "$SCRATCH/text")" on1 "entries of CPU 1"
	expect "$(events | sed 's/.*: //')" on0 "entries left"
}

live()
{
	put 'vfs_read vfs_open' set_ftrace_filter
	put function current_tracer
	in_background cat trace_pipe > "$SCRATCH/pipe"
	pid=$background_pid
	for _ in 1 2 3 4 5 6 7 8 9 10; do
		read_something
	done
	expect_true "lines are returned" wait_for 10 grep -q ': vfs_read <-' "$SCRATCH/pipe"
	put 0 tracing_on
	expect_true "the reader ends with the entries" \
		    wait_for 30 sh -c "! kill -0 $pid 2> /dev/null"
	shape='^ *[^ ].*-[0-9]+ +\[[0-9]{3}\] [^ ]{5} +[0-9]+\.[0-9]{6}: [a-z0-9_.]+ <-'
	expect "$(grep -cvE "$shape" "$SCRATCH/pipe")" 0 "lines that are not entries"
}

# fill FROM TO: writes entries with these numbers on CPU 0
fill()
{
	taskset 1 sh -c "i=$1; while [ \$i -lt $2 ]; do
		echo \"number \$i of many that fill the buffer up to its end$pad\"; i=\$((i + 1))
	done > trace_marker"
}

# Lost entries are reported where they would have been: numbers and losses leave no gap.
lost()
{
	put $((2 * page_kb)) buffer_size_kb
	fill 0 600
	exec 5< trace_pipe
	dd bs=1000 count=1 <&5 > "$SCRATCH/pipe" 2> /dev/null
	expect_true "the first line reports a loss" sh -c \
		    "head -n 1 '$SCRATCH/pipe' | grep -Eqx 'CPU:0 \[LOST [0-9]+ EVENTS\]'"
	expect "$(sed -n 's/.*LOST \([0-9]*\) .*/\1/p' "$SCRATCH/pipe")" \
	       "$(sed -n 's/^overrun: //p' per_cpu/cpu0/stats)" "lost, and overrun in stats"
	fill 600 1200
	dd bs=3000 count=1 <&5 >> "$SCRATCH/pipe" 2> /dev/null
	fill 1200 1210
	put 0 tracing_on
	# not with timeout(1), which may leave a process that has the file open
	cat <&5 >> "$SCRATCH/pipe"
	exec 5<&-
	awk '/LOST/ { sub(/.*LOST /, ""); next_nr += $1; next }
	     { sub(/.*number /, ""); if ($1 != next_nr) print "line", NR; next_nr = $1 + 1 }
	     END { if (next_nr != 1210) print "ends at", next_nr }' "$SCRATCH/pipe" \
		> "$SCRATCH/gaps"
	expect_file "$SCRATCH/gaps" ''
	expect_true "lost more than once" [ "$(grep -c LOST "$SCRATCH/pipe")" -ge 2 ]
}

lost_by_cpu()
{
	[ -d per_cpu/cpu1 ] || skip "one CPU only"
	put $((2 * page_kb)) buffer_size_kb
	taskset 2 sh -c 'echo kept > trace_marker'
	fill 0 600
	put 0 tracing_on
	timeout 60 cat trace_pipe > "$SCRATCH/pipe"
	expect "$(grep LOST "$SCRATCH/pipe")" \
	       "CPU:0 [LOST $((600 - $(grep -c number "$SCRATCH/pipe"))) EVENTS]" "lost"
	expect "$(grep -c kept "$SCRATCH/pipe")" 1 "entries of CPU 1"
}

spliced()
{
	expect "$("$FILEOP" splice rn trace_pipe 2> /dev/null)" EAGAIN "splice of an empty buffer"
	put one trace_marker
	put two trace_marker
	want=$(events)
	"$FILEOP" splice rn trace_pipe > "$SCRATCH/size" 2> "$SCRATCH/text"
	expect_file "$SCRATCH/text" "$want"
	expect "$(cat "$SCRATCH/size")" "$(wc -c < "$SCRATCH/text")" "size of the splice"
	expect "$(nr_events)" 0 "entries after"
	in_background "$FILEOP" splice r trace_pipe 2> "$SCRATCH/late" > /dev/null
	sleep 0.3
	expect_true "a splice waits" kill -0 "$background_pid"
	put three trace_marker
	expect_true "it gets the entry" wait_for 10 grep -q 'write: three$' "$SCRATCH/late"
}

# symbol_address NAME: prints the address of a function
symbol_address()
{
	awk -v name="$1" '$3 == name { print $1 }' /proc/kallsyms
}

# A reader that remains open shows the names of the currently loaded module, and not the names
# of an earlier module at the same addresses.
names_of_modules()
{
	need_module ftest_twin_a
	echo 'ftest_twin_a_call ksys_fadvise64_64' > set_ftrace_filter
	put function current_tracer
	exec 5< trace_pipe
	address=$(symbol_address ftest_twin_a_call)
	put 1 "$(param ftest_twin_a call)"
	expect "$(dd bs=4096 count=1 <&5 2> /dev/null | sed 's/.*: \(.*\) <-.*/\1/')" \
	       ftest_twin_a_call "function of the first module"
	rmmod ftest_twin_a
	need_module ftest_twin_b
	[ "$(symbol_address ftest_twin_b_call)" = "$address" ] ||
		skip "the second module has another address"
	echo 'ftest_twin_b_call ksys_fadvise64_64' > set_ftrace_filter
	put 1 "$(param ftest_twin_b call)"
	expect "$(dd bs=4096 count=1 <&5 2> /dev/null | sed 's/.*: \(.*\) <-.*/\1/')" \
	       ftest_twin_b_call "function of the second module at the same address"
	exec 5<&-
}

testcase nonblocking "with O_NONBLOCK a read of an empty buffer returns EAGAIN"
testcase blocking "a read waits for entries"
testcase consuming "a read consumes only the entries that it returns"
testcase small_reads "reads of one byte return a line piece by piece"
testcase polled "poll reports available entries"
testcase ends_with_tracing "a read after the last entry returns 0 when tracing is off"
testcase second_reader "a second open returns EBUSY, and the tracer cannot change"
testcase one_cpu "per_cpu/cpuN/trace_pipe consumes the entries of one CPU"
testcase lost "lost entries are reported where they would have been"
testcase lost_by_cpu "lost entries are reported with their CPU"
testcase live "a reader gets complete lines while the function tracer runs"
testcase spliced "splice(2) consumes entries, and waits for them"
slowcase names_of_modules "an open trace_pipe shows no names of unloaded modules"
finish
