#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Text that the kernel writes by trace_printk() and related functions, and text and data that
# user space writes to trace_marker and trace_marker_raw.
# shellcheck source=functions.sh

. "$(dirname "$0")/functions.sh"

# The size of the buffer before the first case, if nothing has recorded into it.
at_rest=
if grep -q expanded buffer_size_kb && [ ! -d /sys/module/ftest_printk ] &&
   [ -f "$MODULES/ftest_printk.ko" ]; then
	at_rest=$(cat buffer_size_kb)
	insmod "$MODULES/ftest_printk.ko"
	i=0
	while [ $i -lt 200 ]; do
		echo task > "$(param ftest_printk run)"
		i=$((i + 1))
	done
	cat buffer_size_kb > "$SCRATCH/grown"
	grep -c ': task: number -5, text$' trace > "$SCRATCH/texts"
	rmmod ftest_printk
fi

run()
{
	put "$1" "$(param ftest_printk run)"
}

texts()
{
	events | sed 's/^.* [0-9.]*: //'
}

# The text that was written to trace_marker.
marked()
{
	texts | sed 's/^tracing_mark_write: //'
}

# text_of CONTEXT: prints the text that ftest_printk writes in this context
text_of()
{
	cat <<-END
		write_all: $1: number -5, text
		write_all: constant text
		write_all: text of a variable
		by_list: $1: by a list beef
		write_all: $1: formatted at once
	END
}

# flags CONTEXT: prints a pattern for the flags of the lines of this context
flags()
{
	case $1 in
	task) echo '[^d].\.' ;;
	softirq) echo '..[sH]' ;;
	irq) echo 'd.[hH]' ;;
	nmi) echo '..[zZ]' ;;
	esac
}

grows()
{
	expect_false "the size is still $at_rest" grep -q expanded "$SCRATCH/grown"
	expect_file "$SCRATCH/texts" 200
}

# Each text has its own line, even if it does not end with a newline.
without_an_end()
{
	need_module ftest_printk
	run endless
	expect "$(texts | tr '\n' ',')" \
	       'write_endless: without an end,write_endless: constant text,' "texts"
}

contexts()
{
	need_module ftest_printk
	for context in task softirq irq nmi; do
		: > trace
		[ $context != nmi ] || uname -m | grep -q x86 || continue
		run $context
		expect "$(texts)" "$(text_of $context)" "text from $context"
		expect "$(events | grep -cvE "\] $(flags $context)")" 0 "lines without its flags"
	done
}

msg_only()
{
	need_module ftest_printk
	put printk-msg-only trace_options
	run task
	put noprintk-msg-only trace_options
	expect "$(texts | head -n 1)" 'write_all: task: number -5, text' "formatted"
	put printk-msg-only trace_options
	got=$(texts | head -n 2)
	put noprintk-msg-only trace_options
	expect "$(echo "$got" | tr '\n' ',')" \
	       'write_all: %s: number %d, %s,write_all: constant text,' "formats only"
}

switched_off()
{
	need_module ftest_printk
	put notrace_printk trace_options
	run task
	got=$(nr_events)
	put trace_printk trace_options
	expect "$got" 0 "entries"
	run task
	expect "$(nr_events)" 5 "entries when it is on"
	put 0 tracing_on
	run task
	expect "$(nr_events)" 5 "entries after tracing was switched off"
}

# Text that is too long is truncated, or dropped if it cannot be, and does not affect other
# text.
overlong()
{
	need_module ftest_printk
	run long
	run task
	expect "$(texts | tail -n 5)" "$(text_of task)" "text after it"
	expect_true "it was cut" [ "$(texts | grep -c 'write_long: llll')" -ge 1 ]
	expect "$(texts | awk 'length($0) > 1100')" '' "lines that are too long"
}

stack()
{
	need_module ftest_printk
	run stack
	expect "$(texts | sed -n '1,2p')" "$(printf '%s\n' '<stack trace>' ' => write_stack')" \
	       "a stack that begins with the caller"
	: > trace
	put stacktrace trace_options
	run task
	put nostacktrace trace_options
	expect "$(texts | grep -c '^<stack trace>$')" 5 "stacks of as many texts"
	expect "$(texts | awk 'last == "<stack trace>" { print $2 } { last = $0 }' | sort -u |
		  tr '\n' ' ')" "by_list write_all " "where they begin"
}

# Formats are kept after their module is unloaded, for the entries that refer to them.
formats()
{
	[ ! -d /sys/module/ftest_printk ] || fail "the module is there"
	need_module ftest_printk
	expect "$(grep -c ' : "%s: number %d, %s\\n"$' printk_formats)" 1 "lines of printk_formats"
	address=$(sed -n 's/^\(0x[0-9a-f]*\) : "%s: number.*/\1/p' printk_formats)
	run task
	rmmod ftest_printk
	# The names of its functions are unknown now
	expect "$(texts | sed 's/^[^:]*: //')" "$(text_of task | sed 's/^[^:]*: //')" \
	       "text after the module is unloaded"
	expect "$(sed -n 's/^\(0x[0-9a-f]*\) : "%s: number.*/\1/p' printk_formats)" "$address" \
	       "its place in printk_formats"
	before=$(wc -l < printk_formats)
	for _ in 1 2 3; do
		need_module ftest_printk
		run task
		rmmod ftest_printk
	done
	expect "$(wc -l < printk_formats)" "$before" "lines after it is loaded again"
	expect "$(texts | sed 's/^[^:]*: //' | sort | uniq -c | awk '$1 != 4')" '' \
	       "text that does not occur 4 times"
}

banner()
{
	need_module ftest_printk
	dmesg | grep -q 'Linux version' || skip "the log has lost its first lines"
	expect "$(dmesg | grep -c 'trace_printk() being used. Allocating extra memory.')" 1 \
	       "lines in the log"
	expect "$(dmesg | grep -c 'This means that this is a DEBUG kernel and it is')" 1 \
	       "lines in the log"
}

marker_sizes()
{
	expect_write 0 w trace_marker ''
	# up to the maximum size of an entry, and one byte more
	most=$("$FILEOP" repeat w trace_marker y 70000)
	: > trace
	for size in 1 255 256 257 $((most - 1)) "$most"; do
		expect "$("$FILEOP" repeat w trace_marker y "$size")" "$size" "bytes taken"
		expect "$(marked | tail -n 1 | tr -d '\n' | wc -c)" "$size" "bytes of the entry"
	done
	expect "$("$FILEOP" repeat w trace_marker y $((most + 1)))" "$most" \
	       "bytes taken of one byte more"
	: > trace
	# dd does not repeat a short write
	head -c 10000 /dev/zero | tr '\0' z | dd of=trace_marker bs=10000 2> /dev/null
	dd_bytes=$(marked | tr -d '\n' | wc -c)
	expect_true "bytes that dd wrote: $dd_bytes" [ "$dd_bytes" -ge "$most" ]
}

marker_raw_sizes()
{
	for size in 0 1 2 3; do
		expect "$("$FILEOP" repeat w trace_marker_raw x $size)" EINVAL "no number"
	done
	for size in 4 5 200 2000; do
		: > trace
		expect "$("$FILEOP" repeat w trace_marker_raw x $size)" $size "bytes taken"
		expect_true "its line" grep -q ': # 78787878 buf:' trace
		expect_true "its bytes" [ "$(events | grep -o ' 78' | wc -l)" -ge $((size - 4)) ]
	done
	expect "$("$FILEOP" repeat w trace_marker_raw x 3600)" 3600 "bytes taken"
	: > trace
	for size in $((1250 * page_kb)) $((17500 * page_kb)); do
		expect "$("$FILEOP" repeat w trace_marker_raw x $size)" EINVAL "too much"
	done
	expect "$(nr_events)" 0 "entries of rejected writes"
}

marker_raw_cut()
{
	expect "$("$FILEOP" repeat w trace_marker_raw x 3600)" 3600 "bytes taken"
	expect "$(events | grep -Ec ': # 78787878 buf:( 78)+ \.\.\.$')" 1 "lines that were cut"
	expect_true "bytes of it" [ "$(events | grep -o ' 78' | wc -l)" -ge 2000 ]
}

# All of the written data, or its second half, is not mapped.
marker_faults()
{
	for file in trace_marker trace_marker_raw; do
		expect "$("$FILEOP" fault w $file)" EFAULT "$file from nowhere"
		for half in 2 8 100 2000; do
			expect "$("$FILEOP" edge w $file $half)" EFAULT \
			       "$file, of which $half bytes are there"
		done
	done
	put x trace_marker
	expect "$(texts | tail -n 1)" "tracing_mark_write: x" "text after it"
}

marker_of_nothing()
{
	expect_write 0 w trace_marker ''
	for file in trace_marker trace_marker_raw; do
		expect "$("$FILEOP" fault w $file)" EFAULT "$file from nowhere"
		expect "$("$FILEOP" edge w $file 8)" EFAULT "$file, of which 8 bytes are there"
	done
	expect "$(nr_events)" 0 "entries"
}

# Each entry is complete, and the entries of a writer are in order.
marker_many()
{
	put 2000 buffer_size_kb
	for proc in 1 2 3 4 5 6 7 8; do
		sh -c "i=0; while [ \$i -lt 100 ]; do
			echo 'proc $proc nr '\$i' with some text behind it'
			i=\$((i + 1)); done > trace_marker" &
	done
	wait
	expect "$(nr_events)" 800 "entries"
	expect "$(marked | grep -cvE '^proc [1-8] nr [0-9]+ with some text behind it$')" 0 \
	       "torn entries"
	expect "$(marked | awk '$4 != next_of[$2]++')" '' "entries out of order"
}

[ -z "$at_rest" ] ||
	testcase grows "loading code that uses trace_printk() expands the buffer to its full size"
testcase without_an_end "text without a newline is followed by a new line"
testcase contexts "trace_printk() works in tasks, softirqs, interrupts and NMIs"
testcase msg_only "printk-msg-only shows formats without their arguments"
testcase switched_off "the option trace_printk and tracing_on switch it off"
testcase overlong "text that is too long is truncated"
testcase stack "trace_dump_stack() and the option stacktrace record stacks"
testcase formats "formats of an unloaded module are kept in printk_formats"
testcase banner "the log warns once that trace_printk() is in use"
slowcase marker_sizes "trace_marker accepts text up to the size of an entry"
testcase marker_raw_sizes "trace_marker_raw accepts data up to the size of an entry"
testcase marker_raw_cut "raw data that is longer than a line is truncated in the output"
testcase marker_faults "writes from unmapped memory are rejected"
testcase marker_of_nothing "empty writes and writes from unmapped memory make no entry"
testcase marker_many "entries of many concurrent writers are complete and in order"
finish
