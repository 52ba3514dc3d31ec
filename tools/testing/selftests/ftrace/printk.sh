#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# What the kernel writes by trace_printk() and its kin, and what user space does by
# trace_marker and trace_marker_raw.
# shellcheck source=functions.sh

. "$(dirname "$0")/functions.sh"

run()
{
	put "$1" "$(param ftest_printk run)"
}

texts()
{
	events "$@" | sed 's/^.* [0-9.]*: //'
}

# What was written to trace_marker.
marked()
{
	texts | sed 's/^tracing_mark_write: //'
}

# text_of CONTEXT: what ftest_printk writes from there
text_of()
{
	cat <<-END
		write_all: $1: number -5, text
		write_all: $1: without an end
		write_all: constant text
		write_all: text of a variable
		by_list: $1: by a list beef
		write_all: $1: formatted at once
	END
}

# flags CONTEXT: what the flags of its lines look like
flags()
{
	case $1 in
	task) echo '[^d].\.' ;;
	softirq) echo '..[sH]' ;;
	irq) echo 'd.[hH]' ;;
	nmi) echo '..[zZ]' ;;
	esac
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

# Of a format, what the option asks for.
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
	       'write_all: %s: number %d, %s,write_all: %s: without an end,' "formats alone"
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
	expect "$(nr_events)" 6 "entries when it is on"
	put 0 tracing_on
	run task
	expect "$(nr_events)" 6 "entries after tracing was switched off"
}

# The text is cut, or dropped where it cannot be; nothing else is.
overlong()
{
	need_module ftest_printk
	run long
	run task
	expect "$(texts | tail -n 6)" "$(text_of task)" "what came after it"
	expect_true "it was cut" [ "$(texts | grep -c 'write_long: llll')" -ge 1 ]
	expect "$(texts | awk 'length($0) > 1100')" '' "lines that are too long"
}

stack()
{
	need_module ftest_printk
	run stack
	expect "$(texts | sed -n '1,2p')" "$(printf '%s\n' '<stack trace>' ' => write_stack')" \
	       "a stack that begins with who asked"
	: > trace
	put stacktrace trace_options
	run task
	put nostacktrace trace_options
	expect "$(texts | grep -c '^<stack trace>$')" 6 "stacks of as many texts"
	expect "$(texts | awk 'last == "<stack trace>" { print $2 } { last = $0 }' | sort -u |
		  tr '\n' ' ')" "by_list write_all " "where they begin"
}

# The formats stay for the entries that refer to them when the module goes.
formats()
{
	[ ! -d /sys/module/ftest_printk ] || fail "the module is there"
	need_module ftest_printk
	expect "$(grep -c ' : "%s: number %d, %s\\n"$' printk_formats)" 1 "lines of printk_formats"
	address=$(sed -n 's/^\(0x[0-9a-f]*\) : "%s: number.*/\1/p' printk_formats)
	run task
	rmmod ftest_printk
	# nobody knows the names of its functions any more
	expect "$(texts | sed 's/^[^:]*: //')" "$(text_of task | sed 's/^[^:]*: //')" \
	       "text after the module has gone"
	expect "$(sed -n 's/^\(0x[0-9a-f]*\) : "%s: number.*/\1/p' printk_formats)" "$address" \
	       "its place in printk_formats"
	before=$(wc -l < printk_formats)
	for _ in 1 2 3; do
		need_module ftest_printk
		run task
		rmmod ftest_printk
	done
	expect "$(wc -l < printk_formats)" "$before" "lines after it came again"
	expect "$(texts | sed 's/^[^:]*: //' | sort | uniq -c | awk '$1 != 4')" '' \
	       "text that is not there 4 times"
}

# A kernel with trace_printk() says so, once.
banner()
{
	need_module ftest_printk
	dmesg | grep -q 'Linux version' || skip "the log has lost its begin"
	expect "$(dmesg | grep -c 'trace_printk() is in use')" 1 "lines in the log"
}

marker_sizes()
{
	expect_write 0 w trace_marker ''
	expect "$(nr_events)" 0 "entries of nothing"
	# to the last byte that goes into one entry, and one more
	most=$("$FILEOP" repeat w trace_marker y 70000)
	: > trace
	for size in 1 255 256 257 $((most - 1)) "$most"; do
		expect "$("$FILEOP" repeat w trace_marker y "$size")" "$size" "bytes taken"
		expect "$(marked | tail -n 1 | tr -d '\n' | wc -c)" "$size" "bytes of the entry"
	done
	expect "$("$FILEOP" repeat w trace_marker y $((most + 1)))" "$most" "of one byte more"
	: > trace
	# a writer who goes on with what was not taken loses nothing
	head -c 10000 /dev/zero | tr '\0' z | dd of=trace_marker bs=10000 2> /dev/null
	dd_bytes=$(marked | tr -d '\n' | wc -c)
	expect_true "some of what dd wrote: $dd_bytes" [ "$dd_bytes" -ge "$most" ]
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
	: > trace
	for size in 5000 70000; do
		expect "$("$FILEOP" repeat w trace_marker_raw x $size)" EINVAL "too much"
	done
	expect "$(nr_events)" 0 "entries of what was refused"
}

# Nothing, or only the begin, of what is to be written is there.
marker_faults()
{
	for file in trace_marker trace_marker_raw; do
		expect "$("$FILEOP" fault w $file)" EFAULT "$file from nowhere"
		for half in 2 8 100 2000; do
			expect "$("$FILEOP" edge w $file $half)" EFAULT \
			       "$file, of which $half bytes are there"
		done
	done
	expect "$(nr_events)" 0 "entries of it"
	put x trace_marker
	expect "$(texts)" "tracing_mark_write: x" "and after it"
}

# Many at once: each entry is there, whole, and in its writer's order.
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

testcase contexts "trace_printk() from tasks, softirqs, interrupts and NMIs"
testcase msg_only "printk-msg-only"
testcase switched_off "the option trace_printk, and tracing_on"
testcase overlong "text that is too long"
testcase stack "trace_dump_stack() and the option stacktrace"
testcase formats "printk_formats, and formats of a module that has gone"
testcase banner "the log says that trace_printk() is in use"
testcase marker_sizes "trace_marker, from nothing to too much"
testcase marker_raw_sizes "trace_marker_raw, from nothing to too much"
testcase marker_faults "trace_marker from memory that is not there"
testcase marker_many "trace_marker by many at once"
finish
