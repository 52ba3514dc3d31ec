#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# trace_options and options/: the options that change what is recorded or how it is shown, as
# Documentation/trace/ftrace.rst describes them.
# shellcheck source=functions.sh

. "$(dirname "$0")/functions.sh"

# The initial trace_options with any tracer; "no" is in front of options that are off.
DEFAULTS='print-parent nosym-offset nosym-addr noverbose noraw nohex nobin noblock nofields
	trace_printk annotate nouserstacktrace nosym-userobj noprintk-msg-only context-info
	nolatency-format record-cmd norecord-tgid overwrite nodisable_on_free irq-info
	markers noevent-fork trace_printk_dest nopause-on-trace hash-ptr function-trace
	nofunction-fork nostacktrace'
# added by Linux 6.16
[ -n "${FTEST_STOCK:-}" ] || DEFAULTS="$DEFAULTS copy_trace_marker"

# Undoes the settings of cases, at the start and after each case.
reset_more()
{
	for option in $DEFAULTS; do
		put "$option" trace_options
	done
	for file in options/func[-_]* options/test_nop_accept; do
		echo 0 > "$file"
	done
}

# The text of the entries, without task, CPU and time.
texts()
{
	events "$@" | sed 's/^.* [0-9.]*: //'
}

names()
{
	for option in $DEFAULTS; do
		expect "$(grep -cx -- "$option" trace_options)" 1 "lines '$option' of trace_options"
		name=${option#no}
		expect "$(stat -c %a "options/$name")" 640 "mode of options/$name"
		case $option in
		no*) expect_file "options/$name" 0 ;;
		*) expect_file "options/$name" 1 ;;
		esac
	done
	# Options of a tracer are always in the directory, but only listed with the tracer
	expect_file options/func_stack_trace 0
	expect_file options/func-no-repeats 0
	[ ! -f options/func-args ] || expect_file options/func-args 0
	expect "$(grep -c func_stack_trace trace_options)" 0 "options of another tracer"
	put vfs_open set_ftrace_filter
	put function current_tracer
	expect "$(grep -cx nofunc_stack_trace trace_options)" 1 "options of the tracer"
}

switching()
{
	for option in $DEFAULTS; do
		name=${option#no}
		[ "$name" != trace_printk_dest ] || continue
		put "$name" trace_options
		expect_file "options/$name" 1
		put "no$name" trace_options
		expect_file "options/$name" 0
		put 1 "options/$name"
		expect "$(grep -cx "$name" trace_options)" 1 "$name set by its file"
		put 0 "options/$name"
		expect "$(grep -cx "no$name" trace_options)" 1 "$name cleared by its file"
	done
	put '  sym-addr  ' trace_options
	expect_file options/sym-addr 1
}

refused()
{
	cat trace_options > "$SCRATCH/before"
	for bytes in '' '\n' 'no\n' 'nosuch\n' 'nonosym-addr\n' 'sym-addr nosym-offset\n' \
		     'Sym-addr\n' '1\n' '\x00\n' 'notrace_printk_dest\n' 'test_nop_refuse\n'; do
		expect_write EINVAL w trace_options "$bytes"
	done
	expect "$("$FILEOP" repeat w trace_options x 5000)" EINVAL "an endless name"
	expect "$("$FILEOP" fault w trace_options)" EFAULT "a name at an unmapped address"
	for bytes in '' '\n' '2\n' '-1\n' 'x\n' ' 1\n' '1 \n' '0x1\n'; do
		expect_write EINVAL w options/sym-addr "$bytes"
	done
	expect_write ERANGE w options/sym-addr '99999999999999999999999\n'
	expect_write EINVAL w options/trace_printk_dest '0\n'
	expect_write EINVAL w options/test_nop_refuse '1\n'
	expect_true "nothing has changed" cmp -s trace_options "$SCRATCH/before"
}

symbols()
{
	put vfs_open set_ftrace_filter
	put function current_tracer
	read_something
	put 0 tracing_on
	expect_true "parent" grep -Eq ': vfs_open <-[a-z_]+$' trace
	put noprint-parent trace_options
	expect "$(texts | sort -u)" vfs_open "entries without parents"
	put sym-offset trace_options
	expect_true "offset" grep -Eq ': vfs_open\+0x[0-9a-f]+/0x[0-9a-f]+$' trace
	put sym-addr trace_options
	expect_true "offset and address" \
		    grep -Eq ': vfs_open\+0x[0-9a-f]+/0x[0-9a-f]+ <[0-9a-f]{16}>$' trace
	put nosym-offset trace_options
	expect_true "address" grep -Eq ': vfs_open <[0-9a-f]{16}>$' trace
	address=$(grep ' T vfs_open$' /proc/kallsyms | cut -c 1-8)
	expect_true "the address of vfs_open" grep -q "vfs_open <$address" trace
}

# The name of the task may be unknown because no tracer records it.
TASK='(sh|<\.\.\.>)'

context()
{
	put x trace_marker
	put nocontext-info trace_options
	expect "$(grep -v '^#' trace)" "tracing_mark_write: x" "an entry without context"
	expect "$(grep '^#' trace)" "$(printf '# tracer: nop\n#')" "its header"
	put context-info trace_options
	put noirq-info trace_options
	expect_true "the header without flags" \
		    grep -q '^#           TASK-PID     CPU#     TIMESTAMP  FUNCTION$' trace
	shape="^ +$TASK-[0-9]+ +\[00[0-9]\] +[0-9]+\.[0-9]{6}: tracing_mark_write: x$"
	expect_true "a line without flags" grep -Eq "$shape" trace
}

latency_format()
{
	put x trace_marker
	put latency-format trace_options
	expect "$(sed -n 3p trace | cut -d ' ' -f 1-5)" "# nop latency trace v1.1.5" "third line"
	expect_true "its line" \
		    grep -Eq "^ +$TASK-[0-9]+ +[0-9][.dDbX].... +[0-9]+us.?: tracing_mark" trace
	put verbose trace_options
	word='[0-9a-f]{8}'
	ms='[0-9]+\.[0-9]{3}ms'
	shape="^ +$TASK +[0-9]+ +[0-9] [0-9a-f]+ $word $word \[[0-9a-f]{8,}\] $ms \(\+$ms\): "
	expect_true "its verbose line: $(events)" grep -Eq "${shape}tracing_mark" trace
}

numbers()
{
	put vfs_open set_ftrace_filter
	put function current_tracer
	read_something
	put 0 tracing_on
	lines=$(nr_events)
	# The call site may be on the next page
	ip="$(grep ' T vfs_open$' /proc/kallsyms | cut -c 1-10)[0-9a-f]{6}"
	put raw trace_options
	expect "$(events | grep -Ec "^[0-9]+ [0-9]+ [0-9]+ $ip [0-9a-f]{16}$")" "$lines" \
	       "raw lines"
	put noraw trace_options
	put hex trace_options
	word='[0-9a-f]{8}'
	expect "$(events | grep -Ec "^$word $word $word{2} $ip [0-9a-f]{16} ?$")" "$lines" \
	       "lines in hexadecimal"
	put nohex trace_options
	# pid, CPU, time, function, parent
	header=$(grep '^#' trace | wc -c)
	put bin trace_options
	expect "$(wc -c < trace)" $((header + lines * 32)) "bytes in binary"
	put nobin trace_options
	# only the function and its parent
	put nocontext-info trace_options
	header=$(grep '^#' trace | wc -c)
	put bin trace_options
	expect "$(wc -c < trace)" $((header + lines * 16)) "bytes in binary, without context"
	put nobin trace_options
	put raw trace_options
	expect "$(events | grep -Ec "^$ip [0-9a-f]{16}$")" "$lines" "raw lines, without context"
	put noraw trace_options
	put context-info trace_options
}

fields_of_functions()
{
	put vfs_open set_ftrace_filter
	put function current_tracer
	read_something
	put 0 tracing_on
	lines=$(nr_events)
	# The call site may be on the next page
	ip="$(grep ' T vfs_open$' /proc/kallsyms | cut -c 1-10)[0-9a-f]{6}"
	put fields trace_options
	shape=": function: ip=0x$ip \(vfs_open\) parent_ip=0x[0-9a-f]+ \([a-z_]+\)$"
	expect "$(events | grep -Ec "$shape")" "$lines" "lines by fields"
}

fields_of_markers()
{
	put fields trace_options
	put 'some text' trace_marker
	expect_write 6 w trace_marker_raw '\x44\x33\x22\x11ab'
	shape=': print: ip=0x[0-9a-f]+ \(tracing_mark_write\) buf=some text$'
	expect_true "text" grep -Eq "$shape" trace
	# Data is padded to a multiple of four bytes
	shape=': raw_data: id=0x11223344 \(287454020\) buf=\{61 62 00 00\}$'
	expect_true "data" grep -Eq "$shape" trace
}

markers()
{
	put nomarkers trace_options
	expect_write EINVAL w trace_marker 'x\n'
	expect_write EINVAL w trace_marker_raw 'xxxx\n'
	put markers trace_options
	expect_write 2 w trace_marker 'x\n'
	expect "$(nr_events)" 1 "entries"
}

stacks()
{
	put stacktrace trace_options
	put x trace_marker
	expect "$(texts | sed -n '1,4p' | tr '\n' ',')" \
	       'tracing_mark_write: x,<stack trace>, => vfs_write, => ksys_write,' \
	       "a marker and its stack"
	put nostacktrace trace_options
	: > trace
	put userstacktrace trace_options
	"$FILEOP" write w trace_marker 'x\n' > /dev/null
	expect "$(texts | sed -n 2p)" '<user stack trace>' "second line"
	expect_true "addresses" grep -Eq '^ =>  <[0-9a-f]{16}>$' trace
	# An address is resolved while the process exists
	: > trace
	put sym-userobj trace_options
	put y trace_marker
	shell=$(readlink /proc/$$/exe)
	expect_true "a place in $shell" grep -Eq "^ => $shell\[\+0x[0-9a-f]+\]$" trace
}

func_stack_trace()
{
	put vfs_open set_ftrace_filter
	put 1 options/func_stack_trace
	put function current_tracer
	read_something
	put 0 tracing_on
	expect "$(texts | grep -c '^vfs_open <-')" "$(texts | grep -c '^<stack trace>$')" \
	       "stacks for entries"
	expect_true "some" grep -q '<stack trace>' trace
	events | grep -v 'FTRACE TRAMPOLINE' |
	      awk '/: vfs_open <-/ { split($0, part, "<-"); parent = part[2] }
		      /^ => / && last ~ /<stack trace>/ && $2 != "vfs_open" { print "first " $2 }
		      /^ => / && last == " => vfs_open" && $2 != parent { print "second " $2 }
		      { last = $0 }' > "$SCRATCH/wrong"
	expect "$(cat "$SCRATCH/wrong")" '' "stacks that do not begin with function and parent"
	put 0 options/func_stack_trace
	: > trace
	put 1 tracing_on
	read_something
	expect "$(grep -c '<stack trace>' trace)" 0 "stacks after the option was cleared"
}

func_no_repeats()
{
	need_module ftest_target
	put 'ftest_one ftest_two' set_ftrace_filter
	put 1 options/func-no-repeats
	put function current_tracer
	call_targets 1
	put 'ftest_one' set_ftrace_filter
	taskset 1 sh -c "echo 20 > $(param ftest_target call)"
	put 'ftest_one ftest_two' set_ftrace_filter
	taskset 1 sh -c "echo 1 > $(param ftest_target call)"
	put 0 tracing_on
	expect_true "repeats" grep -Eq \
		': ftest_one <-[a-z_]+ \(repeats: [0-9]+, last_ts: *[0-9]+\.[0-9]{6}\)$' trace
	single=$(events per_cpu/cpu0/trace | grep -v repeats: | grep -c ftest_one)
	repeated=$(events per_cpu/cpu0/trace | sed -n 's/.*ftest_one.*repeats: \([0-9]*\),.*/\1/p' |
		   awk '{ n += $1 } END { print n }')
	others=$(cat per_cpu/cpu[1-9]*/trace | grep -v '^#' | grep -c ftest_one)
	expect $((single + repeated + others)) 22 "calls: $single + $repeated + $others"
	expect_true "few entries: $single" [ "$single" -lt 10 ]
	# The last call was before the entry that reports it
	events | sed -n 's/.* \([0-9.]*\): ftest_one.*last_ts: *\([0-9.]*\))$/\2 \1/p' \
		> "$SCRATCH/stamps"
	expect "$(awk '$1 > $2' "$SCRATCH/stamps")" '' "times out of order"
	put 0 options/func-no-repeats
	: > trace
	put 1 tracing_on
	put ftest_one set_ftrace_filter
	call_targets 20
	expect "$(events | grep -c ftest_one)" 20 "entries without the option"
}

# Arguments, alone and with each other option that changes the entries of the tracer.
func_args()
{
	[ -f options/func-args ] || skip "no option func-args"
	need_module ftest_target
	put call_args set_ftrace_filter
	put 1 options/func-args
	put function current_tracer
	put -2 "$(param ftest_target args)"
	expect "$(texts | grep -cx "call_args$(args_of -2) <-args_set")" 1 "calls"
	put 1 options/func_stack_trace
	put -3 "$(param ftest_target args)"
	expect "$(texts | grep -cx "call_args$(args_of -3) <-args_set")" 1 "calls with stacks"
	expect "$(grep -c '^ => call_args' trace)" 1 "stacks"
	put 1 options/func-no-repeats
	put -4 "$(param ftest_target args)"
	expect "$(texts | grep -cx "call_args$(args_of -4) <-args_set")" 1 "calls without repeats"
	put 0 options/func_stack_trace
	put -5 "$(param ftest_target args)"
	expect "$(texts | grep -cx "call_args$(args_of -5) <-args_set")" 1 "calls without stacks"
	put 0 options/func-no-repeats
	put 0 options/func-args
	put -6 "$(param ftest_target args)"
	expect "$(texts | grep -cx 'call_args <-args_set')" 1 "calls without the option"
	put 1 options/fields
	expect "$(grep -c ' function: .* args={f[0-9a-f] ff' trace)" 4 "entries with the field"
	expect "$(grep -c ' function: ' trace)" 5 "entries"
	put 0 options/fields
	expect "$(grep -c '	field:unsigned long args\[\];	offset:24;	size:0;' \
		       events/ftrace/function/format)" 1 "args in the format"
}

# Tasks are preempted in the tracer while the option changes.
func_no_repeats_under_load()
{
	need_module ftest_target threads=2
	put ftest_one set_ftrace_filter
	put 64 buffer_size_kb
	put 1 options/func-no-repeats
	put function current_tracer
	load_start
	expect_true "repeats are counted" wait_for 20 grep -q 'repeats: ' trace
	for _ in 1 2 3 4 5 6 7 8 9 10; do
		put 0 options/func-no-repeats
		put 1 options/func-no-repeats
	done
	put 0 options/func-no-repeats
	: > trace
	expect_true "calls are traced" wait_for 20 grep -q ': ftest_one <-' trace
	# A preempted task may have counted until now
	: > trace
	expect_true "calls are traced" wait_for 20 grep -q ': ftest_one <-' trace
	put 0 tracing_on
	load_stop
	expect "$(grep -c 'repeats: ' trace)" 0 "entries with a count"
}

# Calls before a change of the clock are not in the buffer, and their time is unknown.
no_repeats_clock()
{
	need_module ftest_target
	put ftest_one set_ftrace_filter
	put 1 options/func-no-repeats
	put function current_tracer
	taskset 1 sh -c "echo 20 > $(param ftest_target call)"
	put counter trace_clock
	put 'ftest_one ftest_two' set_ftrace_filter
	taskset 1 sh -c "echo 1 > $(param ftest_target call)"
	put 0 tracing_on
	expect_true "later calls are recorded" grep -q ': ftest_one <-' per_cpu/cpu0/trace
	expect "$(events per_cpu/cpu0/trace | grep -c 'ftest_one.*repeats:')" 0 \
	       "entries that count earlier calls"
	put 0 options/func-no-repeats
}

overwrite()
{
	put $((2 * page_kb)) buffer_size_kb
	put nooverwrite trace_options
	i=0
	while [ $i -lt 600 ]; do
		echo "mark $i of many that fill the buffer to its end$pad" > trace_marker || break
		i=$((i + 1))
	done 2> /dev/null
	cat per_cpu/cpu*/stats > "$SCRATCH/stats"
	expect "$(awk '/^overrun/ { n += $2 } END { print n }' "$SCRATCH/stats")" 0 "overwritten"
	dropped=$(awk '/^dropped/ { n += $3 } END { print n }' "$SCRATCH/stats")
	expect_true "dropped: $dropped" [ "$dropped" -gt 0 ]
	expect_true "the oldest entry is kept" grep -q 'mark 0 of' trace
	expect "$(nr_events)" $i "entries that were written without an error"
}

pause_on_trace()
{
	put pause-on-trace trace_options
	put one trace_marker
	exec 5< trace
	expect_write EBADF w trace_marker 'two\n'
	expect "$(texts /dev/fd/5)" "tracing_mark_write: one" "text that is read"
	expect_file tracing_on 1
	exec 5<&-
	# Also if the file shows the trace of a maximum latency
	if grep -qw wakeup available_tracers; then
		put wakeup current_tracer
		exec 5< trace
		expect_write EBADF w trace_marker 'two\n'
		exec 5<&-
		put nop current_tracer
		: > trace
		put one trace_marker
	fi
	put three trace_marker
	put nopause-on-trace trace_options
	exec 5< trace
	expect_write 5 w trace_marker 'four\n'
	exec 5<&-
	expect "$(texts | tr '\n' ' ')" \
	       "tracing_mark_write: one tracing_mark_write: three tracing_mark_write: four " "all"
}

# With the option, poll returns at once even if there is no data.
block()
{
	expect "$("$FILEOP" poll r trace_pipe 200)" timeout "poll of an empty trace_pipe"
	put block trace_options
	expect "$("$FILEOP" poll r trace_pipe 200)" readable "poll with the option"
}

# A line marks where the entries of a CPU begin if older entries were lost.
annotate()
{
	[ -d per_cpu/cpu1 ] || skip "one CPU only"
	put $((2 * page_kb)) buffer_size_kb
	taskset 2 sh -c 'echo begin > trace_marker'
	taskset 1 sh -c "i=0; while [ \$i -lt 600 ]; do
				echo \"fill \$i up to the end$pad\"; i=\$((i + 1))
			 done > trace_marker"
	taskset 2 sh -c 'echo end > trace_marker'
	expect "$(grep -c '^##### CPU 0 buffer started ####$' trace)" 1 "lines that mark a CPU"
	put noannotate trace_options
	expect "$(grep -c 'buffer started' trace)" 0 "without the option"
}

record_cmd()
{
	put norecord-cmd trace_options
	put vfs_open set_ftrace_filter
	put function current_tracer
	read_something
	put 0 tracing_on
	expect_true "pids without names" grep -Eq '^ +<\.\.\.>-[0-9]+ ' trace
	put 1 tracing_on
	# shellcheck disable=SC2016 # the inner shell expands it
	writes='echo x > trace_marker; echo $$'
	expect "$(grep -c "^$(sh -c "$writes") " saved_cmdlines)" 0 "names of tasks with markers"
	put record-cmd trace_options
	expect "$(grep -c "^$(sh -c "$writes") " saved_cmdlines)" 1 "names of tasks with markers"
	put 1 tracing_on
	read_something
	put 0 tracing_on
	expect_true "names" grep -Eq '^ +fileop-[0-9]+ ' trace
}

slowcase names "all options are listed with their defaults"
slowcase switching "each option can be set and cleared by trace_options and by its file"
testcase refused "an invalid write changes nothing"
testcase symbols "print-parent, sym-offset and sym-addr change how functions are shown"
testcase context "context-info and irq-info change the columns"
testcase latency_format "latency-format and verbose change lines and header"
testcase numbers "raw, hex and bin show functions as numbers"
testcase fields_of_functions "fields shows functions by the fields of their format"
testcase fields_of_markers "fields shows markers and raw data"
testcase markers "nomarkers rejects writes to trace_marker"
testcase stacks "stacktrace, userstacktrace and sym-userobj add stacks to markers"
testcase func_stack_trace "func_stack_trace adds a stack to each call"
testcase func_no_repeats "func-no-repeats counts consecutive calls in one entry"
testcase func_args "func-args shows the arguments of calls"
testcase func_no_repeats_under_load "func-no-repeats can be switched while tasks are preempted"
testcase no_repeats_clock "func-no-repeats discards calls before a change of the clock"
testcase overwrite "nooverwrite keeps the oldest entries"
testcase pause_on_trace "pause-on-trace stops recording while trace is open"
testcase block "block changes the result of poll for an empty trace_pipe"
testcase annotate "annotate marks where the entries of a CPU begin"
testcase record_cmd "norecord-cmd leaves out the names of tasks"
finish
