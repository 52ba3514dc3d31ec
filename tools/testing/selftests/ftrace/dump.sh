#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# The buffer is dumped to the kernel's log by ftrace_dump(), sysrq-z and an oops; and
# kernel.traceoff_on_warning. Needs its own boot, because the kernel warns and oopses.
# shellcheck source=functions.sh

. "$(dirname "$0")/functions.sh"

# Warnings and oopses are expected here; anything worse is still a failure.
LOG_ERRORS='deadlock|inconsistent lock|suspicious RCU|sleeping function|stall|Kernel panic'
DUMP_ON_OOPS=/proc/sys/kernel/ftrace_dump_on_oops
OFF_ON_WARNING=/proc/sys/kernel/traceoff_on_warning
RULE=---------------------------------

undo_boot_options

run()
{
	put "$1" "$(param ftest_printk run)"
}

# mark CPU TEXT: writes a marker on this CPU
mark()
{
	taskset $((1 << $1)) sh -c "echo '$2' > trace_marker"
}

# dumped: prints the last dump in the log
dumped()
{
	log_since_mark | sed 's/^\[[^]]*\] //' |
		awk '/Dumping ftrace buffer/ { text = ""; on = 1 }
		     on { text = text $0 "\n" }
		     END { printf "%s", text }'
}

dumps()
{
	log_since_mark | grep -c 'Dumping ftrace buffer:'
}

two_marks()
{
	: > trace
	mark 0 first
	mark 1 second
}

# of_both: the log has a dump of two_marks, the buffer is empty, and recording is off
of_both()
{
	expect "$(dumped | sed -n '1p;2p;5p')" \
	       "$(printf '%s\n' 'Dumping ftrace buffer:' $RULE $RULE)" "lines around it"
	expect "$(dumped | sed -n 's/.*tracing_mark_write: //p' | tr '\n' ' ')" 'first second ' \
	       "entries"
	shape='^ +.+-[0-9]+ +\[00[01]\] .* [0-9]+\.[0-9]{6}: '
	expect "$(dumped | sed -n 3,4p | grep -cE "$shape")" 2 "lines like those of the trace"
	expect "$(nr_events)" 0 "entries left"
	expect_file tracing_on 0
}

by_function()
{
	need_module ftest_printk
	two_marks
	run dump
	of_both
	run dump
	expect "$(dumped | sed -n 2p)" '   (ftrace buffer empty)' "the next dump"
}

by_sysrq()
{
	[ -w /proc/sysrq-trigger ] || skip "no sysrq"
	two_marks
	echo z > /proc/sysrq-trigger
	of_both
}

of_one_cpu()
{
	need_module ftest_printk
	two_marks
	taskset 2 sh -c "echo dump_orig > $(param ftest_printk run)" || skip "one CPU only"
	expect "$(dumped | sed -n 's/.*tracing_mark_write: //p')" second "entries of CPU 1"
	expect "$(events | sed 's/.*tracing_mark_write: //')" first "entries left"
}

of_functions()
{
	need_module ftest_printk
	put vfs_open set_ftrace_filter
	put 1 options/func_stack_trace
	put function current_tracer
	: > trace
	read_something
	put 0 tracing_on
	lines=$(nr_events)
	run dump
	put 0 options/func_stack_trace
	expect_true "calls" [ "$(dumped | grep -c ': vfs_open <-')" -gt 0 ]
	expect "$(dumped | grep -c -e ': vfs_open <-' -e '<stack trace>' -e '^ => ')" "$lines" \
	       "lines of calls and stacks"
}

# dumps_as_shown WHAT: a dump has the lines of the trace, except task switches in the graph,
# because a dump has no memory to track them
dumps_as_shown()
{
	put 0 tracing_on
	events | grep -v -e '^ *-*$' -e '^ [0-9]*).* => ' > "$SCRATCH/shown"
	expect_true "$1: there are lines" [ -s "$SCRATCH/shown" ]
	run dump
	dumped | sed "1d; /^$RULE\$/d" > "$SCRATCH/dumped"
	expect_file "$SCRATCH/dumped" "$(cat "$SCRATCH/shown")"
	put 1 tracing_on
}

# Options that change how entries are printed also change a dump.
of_options()
{
	need_module ftest_printk
	for option in fields raw hex sym-offset; do
		put 1 options/$option
		two_marks
		dumps_as_shown "option $option"
		put 0 options/$option
	done
}

of_graph()
{
	need_module ftest_printk
	grep -qw function_graph available_tracers || skip "no tracer function_graph"
	put 'vfs_open vfs_read' set_ftrace_filter
	put function_graph current_tracer
	: > trace
	read_something
	dumps_as_shown "function_graph"
}

# An entry that is longer than a line of the log continues in the next line.
long_lines()
{
	need_module ftest_printk
	: > trace
	"$FILEOP" repeat w trace_marker Q 3000 > /dev/null
	mark 0 after
	run dump
	expect "$(dumped | tr -cd Q | wc -c)" 3000 "characters of the entry"
	expect "$(dumped | grep -c '^ .*tracing_mark_write: after$')" 1 \
	       "lines of the entry after it"
}

# An entry whose text is longer than the space for a line.
line_too_big()
{
	need_module ftest_printk
	put 1 options/fields
	: > trace
	"$FILEOP" repeat w trace_marker_raw abcd 900 > /dev/null
	mark 0 after
	expect "$(grep -cxF '[LINE TOO BIG]' trace)" 1 "such lines in the trace"
	run dump
	expect "$(dumped | grep -cxF '[LINE TOO BIG]')" 1 "such lines in the dump"
	expect "$(dumped | grep -c ': print: .* buf=after$')" 1 "lines of the entry after it"
}

# dump_below FUNCTION FILE: ftrace_dump() is called while FUNCTION holds its lock, for a reader
# of FILE
dump_below()
{
	put 1 tracing_on
	two_marks
	before=$(dumps)
	put "$1" "$(param ftest_printk dump_in)"
	"$FILEOP" read rn "$2" > /dev/null 2>&1
	put '' "$(param ftest_printk dump_in)"
	expect "$(dumps)" $((before + 1)) "dumps within $1"
}

# A dump does not take locks that its caller may hold.
under_locks()
{
	need_module ftest_printk
	[ -f "$(param ftest_printk dump_in)" ] || skip "ftest_printk has no parameter dump_in"
	dump_below ring_buffer_peek trace_pipe
	dump_below ring_buffer_consume trace_pipe
	dump_below trace_find_cmdline trace
	put 1 tracing_on
	two_marks
	expect "$(nr_events)" 2 "entries that can be read afterwards"
}

dump_on_oops_values()
{
	for value in 1 2 orig_cpu 0; do
		put $value $DUMP_ON_OOPS
		expect_file $DUMP_ON_OOPS $value
	done
}

dump_on_oops()
{
	need_module ftest_printk
	for value in 0 1 2 orig_cpu; do
		put $value $DUMP_ON_OOPS
		echo "ftest: dumps at $value" > /dev/kmsg
		put 1 tracing_on
		two_marks
		before=$(dumps)
		taskset 1 sh -c "echo oops > $(param ftest_printk run)"
		expect_true "the oops at $value" wait_for 20 sh -c "dmesg | awk '
			/dumps at $value\$/ { n = 0; on = 1 } on && /end trace/ { n++ }
			END { exit !n }'"
		# Recording stops at an oops, with and without a dump
		expect_file tracing_on 0
		got=$(dmesg | awk -v value="$value" '
			$0 ~ "dumps at " value "$" { text = ""; on = 1 }
			on { text = text $0 "\n" } END { printf "%s", text }' |
			sed -n 's/.*tracing_mark_write: //p' | tr '\n' ' ')
		case $value in
		0)
			expect "$(dumps)" "$before" "dumps that were not requested"
			;;
		1)
			expect "$(dumps)" $((before + 1)) "dumps of all CPUs"
			expect "$got" 'first second ' "entries of all CPUs"
			;;
		*)
			# The thread that oopses may run on either CPU
			expect "$(dumps)" $((before + 1)) "dumps of one CPU"
			expect_true "entries of one CPU: $got" \
				    sh -c "case '$got' in 'first '|'second ') ;; *) exit 1 ;; esac"
			;;
		esac
	done
	put 0 $DUMP_ON_OOPS
}

# dump_as VALUE: prints the output of ftrace_dump(DUMP_PARAM) on CPU 1, with VALUE in
# kernel.ftrace_dump_on_oops, where two instances and the top instance have an entry of each CPU
dump_as()
{
	for instance in . instances/ftest_a instances/ftest_b; do
		put 1 $instance/tracing_on
		: > $instance/trace
		for cpu in 0 1; do
			taskset $((1 << cpu)) sh -c \
				"echo '$(basename $instance) $cpu' > $instance/trace_marker"
		done
	done
	put "$1" $DUMP_ON_OOPS
	echo "ftest: dumps as $1" > /dev/kmsg
	taskset 2 sh -c "echo dump_param > $(param ftest_printk run)" || skip "one CPU only"
	put 0 $DUMP_ON_OOPS
	dmesg | awk -v value="$1" '
		index($0, "dumps as " value) { text = ""; on = 1 }
		on { text = text $0 "\n" } END { printf "%s", text }' |
		sed -n 's/.*Dumping ftrace instance \(.*\) buffer:/[\1]/p
			s/.*Dumping ftrace buffer:/[.]/p
			s/.*tracing_mark_write: //p
			s/.*ftrace_dump_on_oops: no instance or mode/?/p' | tr '\n' ' '
}

of_instances()
{
	[ -d instances ] || skip "no instances here"
	need_module ftest_printk
	mkdir instances/ftest_a instances/ftest_b
	a='[ftest_a] ftest_a 0 ftest_a 1 '
	b='[ftest_b] ftest_b 0 ftest_b 1 '
	expect "$(dump_as 0)" '' "nothing"
	expect "$(dump_as ftest_a)" "$a" "an instance"
	expect_file instances/ftest_a/tracing_on 0
	expect_file instances/ftest_b/tracing_on 1
	expect_file tracing_on 1
	expect "$(dump_as ftest_a,ftest_b)" "$a$b" "two"
	expect "$(dump_as 1,ftest_a)" "[.] . 0 . 1 $a" "also the top one"
	expect "$(dump_as 2,ftest_a,ftest_b=2)" "[.] . 1 ${a}[ftest_b] ftest_b 1 " "of this CPU"
	expect "$(dump_as orig_cpu,ftest_b=orig_cpu)" "[.] . 1 [ftest_b] ftest_b 1 " \
	       "of this CPU, by keyword"
	expect "$(dump_as ftest_b=1)" "$b" "of all CPUs"
	expect "$(dump_as no_such,ftest_a=x,ftest_b)" "? no_such ? ftest_a=x $b" "wrong tokens"
	rmdir instances/ftest_a instances/ftest_b
	put 1 tracing_on
}

traceoff_on_warning()
{
	need_module ftest_printk
	for value in 0 1; do
		put $value $OFF_ON_WARNING
		put 1 tracing_on
		: > trace
		run warn
		expect_file tracing_on $((1 - value))
		expect "$(events | grep -c 'Disabling tracing due to warning')" $value \
		       "entries about it"
	done
	put 1 tracing_on
	# The message is written to the destination of trace_printk()
	mkdir instances/ftest_a
	put 1 instances/ftest_a/options/trace_printk_dest
	: > trace
	run warn
	expect "$(events | grep -c 'Disabling tracing due to warning')" 1 "entries about it"
	expect_file instances/ftest_a/tracing_on 1
	rmdir instances/ftest_a
	put 0 $OFF_ON_WARNING
	put 1 tracing_on
	put x trace_marker
	expect_true "it can be switched on again" grep -q ': x$' trace
}

testcase by_function "ftrace_dump() writes the buffers of all CPUs to the log"
testcase by_sysrq "sysrq-z writes the buffers of all CPUs to the log"
testcase of_one_cpu "ftrace_dump(DUMP_ORIG) writes the buffer of one CPU to the log"
testcase of_functions "a dump has functions and stacks"
testcase of_options "options change how a dump prints entries"
testcase of_graph "a dump has the graph of the function graph tracer"
testcase long_lines "an entry that is longer than a line of the log is dumped completely"
testcase of_instances "kernel.ftrace_dump_on_oops selects instances, and the CPUs of each"
testcase dump_on_oops_values "kernel.ftrace_dump_on_oops accepts its values"
testcase traceoff_on_warning "kernel.traceoff_on_warning stops recording at a warning"
testcase dump_on_oops "kernel.ftrace_dump_on_oops selects the buffers that an oops dumps"
testcase line_too_big "a line that does not fit is replaced by a message"
testcase under_locks "a dump does not wait for locks that its caller holds"
finish
