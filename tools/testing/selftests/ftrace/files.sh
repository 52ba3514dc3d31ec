#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# The files of tracefs, and the plain settings.
# shellcheck source=functions.sh

. "$(dirname "$0")/functions.sh"

first_total=$(cat buffer_total_size_kb)
first_cpu_size=$(cat per_cpu/cpu0/buffer_size_kb)

# remount OPTIONS: remounts tracefs in place
remount()
{
	mount -o "remount,$1" nodev "$TRACEFS" || fail "cannot remount with $1"
}

# opens WANT MODE FILE: open(2) returns WANT
opens()
{
	expect "$("$FILEOP" open "$2" "$3")" "$1" "open $2 of $3"
}

# Only root can open files, unless the mount options allow more.
mount_options()
{
	at_end 'mount -o remount,uid=0,gid=0,mode=700 nodev "$TRACEFS"'
	expect "$(stat -c %a .)" 700 "mode of tracefs"
	opens open:EACCES rg set_ftrace_filter
	remount gid=1234,mode=750
	expect "$(stat -c '%a %u %g' .)" '750 0 1234' "tracefs"
	expect "$(stat -c '%a %u %g' set_ftrace_filter)" '640 0 1234' "set_ftrace_filter"
	expect "$(stat -c '%a %u %g' per_cpu/cpu0/trace)" '640 0 1234' "per_cpu/cpu0/trace"
	opens 0 rg set_ftrace_filter
	opens 0 rg available_filter_functions
	opens open:EACCES wg set_ftrace_filter
	opens open:EACCES ru set_ftrace_filter
	opens open:EACCES wg current_tracer
	expect "$("$FILEOP" write wg trace_marker x)" 1 "the group may write trace_marker"
	remount uid=65534,gid=0,mode=700
	opens 0 wu set_ftrace_filter
	expect "$("$FILEOP" write wu current_tracer nop)" 3 "the owner may change the tracer"
	opens 0 rg set_ftrace_filter
	remount uid=0,gid=0,mode=700
	opens open:EACCES ru set_ftrace_filter
	opens open:EACCES wu trace_marker
}

modes()
{
	while read -r mode names; do
		for name in $names; do
			expect_true "$name exists" [ -e "$name" ]
			expect "$(stat -c %a "$name")" "$mode" "mode of $name"
		done
	done <<-END
		440 README available_filter_functions available_tracers
		440 dyn_ftrace_total_info enabled_functions saved_cmdlines trace_pipe
		640 buffer_size_kb current_tracer set_ftrace_filter set_ftrace_notrace
		640 trace trace_clock tracing_on buffer_subbuf_size_kb tracing_thresh
		220 trace_marker
		440 saved_tgids
		440 per_cpu/cpu0/stats per_cpu/cpu0/trace_pipe
		640 per_cpu/cpu0/trace per_cpu/cpu0/buffer_size_kb
	END
}

tracers()
{
	expect "$(wc -l < available_tracers)" 1 "lines of available_tracers"
	for tracer in nop function; do
		expect_true "$tracer is available" grep -qw $tracer available_tracers
	done
	for tracer in $(cat available_tracers); do
		put "$tracer" current_tracer
		expect_file current_tracer "$tracer"
		expect "$(head -n 1 trace)" "# tracer: $tracer" "head of the trace"
	done
	put nop current_tracer
	expect_file current_tracer nop
}

# Each tracer has a self test, except tracers of devices, because the devices do not exist at
# boot.
selftests()
{
	grep -q ' trace_selftest_inner$' /proc/kallsyms || skip "no self tests here"
	! grep -qE '(^| )(ftrace|trace_event)=' /proc/cmdline || skip "boot used a tracer"
	dmesg | grep -q '] Linux version\|^Linux version' || skip "the log has lost its first lines"
	for tracer in $(cat available_tracers); do
		case $tracer in
		nop|blk|mmiotrace) continue ;;
		esac
		expect "$(dmesg | grep -c "tracer $tracer passed its self test")" 1 \
		       "lines about the self test of $tracer"
	done
	expect "$(dmesg | grep 'failed its self test')" '' "self tests that failed"
}

# Blanks around a name are ignored, and a NUL ends it.
tracer_names()
{
	put 'vfs_open' set_ftrace_filter
	for name in function 'function\n' ' function\n' 'function \t\n' 'function\x00'; do
		put nop current_tracer
		"$FILEOP" write w current_tracer "$name" > /dev/null
		expect_file current_tracer function
	done
	# Writing the same name again changes nothing
	put 1 tracing_on
	expect_write 9 w current_tracer 'function\n'
	expect_file current_tracer function
}

# In microseconds; each instance has its own maximum.
latencies()
{
	[ -f tracing_max_latency ] || skip "no latency tracers here"
	for file in tracing_thresh tracing_max_latency; do
		put 1234 $file
		expect_file $file 1234
		expect_write EINVAL w $file 'x\n'
		expect_write EINVAL w $file '-5\n'
		expect_write ERANGE w $file '99999999999999999999999\n'
		expect_file $file 1234
		put 0 $file
		expect_file $file 0
	done
	[ -d instances ] || return
	mkdir instances/ftest_latency
	put 7 instances/ftest_latency/tracing_max_latency
	expect_file tracing_max_latency 0
	expect_file instances/ftest_latency/tracing_max_latency 7
	expect_false "the instance has a threshold" [ -e instances/ftest_latency/tracing_thresh ]
	rmdir instances/ftest_latency
}

readme()
{
	expect "$(head -n 1 README)" "tracing mini-HOWTO:" "first line of README"
	for name in available_tracers current_tracer trace trace_pipe tracing_on trace_clock \
		    trace_marker buffer_size_kb set_ftrace_filter set_ftrace_notrace; do
		expect_true "README explains $name" grep -qw $name README
	done
}

# Every existing file.
readme_whole()
{
	for name in *; do
		expect_true "README explains $name" \
			    sh -c "[ $name = README ] || grep -qw $name README"
	done
}

# The lines about files begin with one or more names of files.
readme_exact()
{
	sed -n 's/^  \([a-z].*\)/\1/p' README | awk -F '\t' '{ print $1 }' | tr -d , |
		sed 's/cpuN/cpu0/; s,/system/event/,/sched/sched_switch/,; s,/system/,/sched/,' |
		tr ' ' '\n' > "$SCRATCH/names"
	expect_true "README has names" [ "$(wc -l < "$SCRATCH/names")" -gt 30 ]
	while read -r name; do
		expect_true "$name exists" [ -e "$name" ]
	done < "$SCRATCH/names"
}

# README has the available commands, and no others.
readme_commands()
{
	[ -f set_ftrace_filter ] || skip "no filters of functions here"
	sed -n '/runs a command at each call/,/;$/p' README > "$SCRATCH/commands"
	for word in traceon traceoff stacktrace snapshot dump cpudump \
		    enable_event:sched:sched_switch disable_event:sched:sched_switch; do
		name=${word%%:*}
		if [ "$("$FILEOP" write wa set_ftrace_filter "vfs_open:$word\n")" = EINVAL ]; then
			expect_false "README has $name" grep -qw "$name" "$SCRATCH/commands"
		else
			expect_true "README has $name" grep -qw "$name" "$SCRATCH/commands"
		fi
	done
}

total_info()
{
	expect_true "shape of dyn_ftrace_total_info" \
		    grep -Eq '^[0-9]+ pages:[0-9]+ groups: [0-9]+$' dyn_ftrace_total_info
	expect "$(cut -d ' ' -f 1 dyn_ftrace_total_info)" \
	       "$(wc -l < available_filter_functions)" "number of functions"
}

boot_message()
{
	dmesg | grep -q '] Linux version\|^Linux version' || skip "the log has lost its first lines"
	dmesg | grep 'ftrace: ' > "$SCRATCH/log"
	expect_true "the log has the number of call sites" \
		    grep -Eq '[0-9]+ (entries|[a-z ]*sites|functions).* [0-9]+ pages' "$SCRATCH/log"
}

available_functions()
{
	cut -d ' ' -f 1 available_filter_functions | sort -u > "$SCRATCH/available"
	sed 's/^[^ ]* [^ ]* //; s/[ 	].*//' /proc/kallsyms | sort -u > "$SCRATCH/kallsyms"
	expect_true "many functions" [ "$(wc -l < "$SCRATCH/available")" -gt 1000 ]
	expect "$(awk 'NR == FNR { known[$0]; next } !($0 in known)' "$SCRATCH/kallsyms" \
		      "$SCRATCH/available" | head -n 5)" '' "names that are not in kallsyms"
	for name in vfs_read vfs_open schedule ksys_read; do
		expect_true "$name can be traced" grep -qx $name available_filter_functions
	done
	expect "$(sort available_filter_functions | uniq -c | awk '$1 > 9')" '' \
	       "names that are listed far too often"
}

# The address of each call site, then the line of available_filter_functions
addresses()
{
	expect "$(cut -d ' ' -f 2- available_filter_functions_addrs)" \
	       "$(cat available_filter_functions)" "functions and their order"
	expect "$(grep -vEc '^[0-9a-f]{8,16} ' available_filter_functions_addrs)" 0 \
	       "lines that do not begin with an address in hexadecimal"
	cut -d ' ' -f 1 available_filter_functions_addrs > "$SCRATCH/addrs"
	expect "$(sort -u "$SCRATCH/addrs" | wc -l)" "$(wc -l < "$SCRATCH/addrs")" \
	       "addresses that are different"
	site=$(sed -n 's/^\([0-9a-f]*\) vfs_read$/\1/p' available_filter_functions_addrs)
	symbol=$(sed -n 's/^\([0-9a-f]*\) . vfs_read$/\1/p' /proc/kallsyms)
	expect_true "the site of vfs_read is at its start: $symbol, $site" \
		    [ $((0x$site - 0x$symbol)) -ge 0 ]
	expect_true "at most 16 bytes after it" [ $((0x$site - 0x$symbol)) -le 16 ]
}

# A function that was once traced remains in touched_functions, but not in enabled_functions.
touched()
{
	put 'vfs_read vfs_open' set_ftrace_filter
	put function current_tracer
	grep -e '^vfs_read ' -e '^vfs_open ' touched_functions > "$SCRATCH/touched"
	expect_file "$SCRATCH/touched" "$(cat enabled_functions)"
	expect "$(cut -d ' ' -f 1 enabled_functions | sort | tr '\n' ' ')" 'vfs_open vfs_read ' \
	       "functions enabled"
	put nop current_tracer
	expect_file enabled_functions ''
	for name in vfs_read vfs_open; do
		expect_true "$name was traced" grep -q "^$name (0) " touched_functions
	done
	expect_false "a function that was never traced" grep -q '^start_kernel ' touched_functions
}

# The trampoline is shown by name, without kernel addresses.
trampoline_is_named()
{
	put vfs_read set_ftrace_filter
	put function current_tracer
	expect_true "the trampoline has a name: $(cat enabled_functions)" \
		    grep -Eq '^vfs_read \(1\) .*tramp: ftrace_[a-z_]+\+0x[0-9a-f]+/0x[0-9a-f]+ ' \
		    enabled_functions
	expect_false "an address is shown" grep -q 0xffff enabled_functions
	put nop current_tracer
}

clocks()
{
	expect_true "local is the clock" grep -q '^\[local\] global' trace_clock
	for clock in $(tr -d '[]' < trace_clock); do
		put x trace_marker
		put "$clock" trace_clock
		expect "$(tr ' ' '\n' < trace_clock | grep '\[')" "[$clock]" "clock in use"
		expect "$(nr_events)" 0 "entries after the clock changed"
		put x trace_marker
		expect_true "a time stamp of $clock" sh -c \
			    "grep -Eq '\] [^ ]+ +[0-9]+(\.[0-9]{6})?: tracing_mark' trace"
	done
	put ' local ' trace_clock
	expect_true "blanks around a name are ignored" grep -q '\[local\]' trace_clock
}

# The functions that a clock calls may also be traced.
traced_clocks()
{
	put 64 buffer_size_kb
	put '*time* *clock* *jiffies* *tsc* vfs_read' set_ftrace_filter
	put function current_tracer
	for clock in $(tr -d '[]' < trace_clock); do
		put "$clock" trace_clock
		read_something
		expect_true "calls by $clock" [ "$(nr_events)" -gt 0 ]
	done
	put nop current_tracer
}

counter_clock()
{
	grep -qw counter trace_clock || skip "no clock named counter"
	put counter trace_clock
	for _ in 1 2 3; do
		put x trace_marker
	done
	stamps=$(events | sed 's/.* \([0-9]*\): tracing.*/\1/')
	# shellcheck disable=SC2086
	set -- $stamps
	expect $# 3 "time stamps"
	expect_true "they rise" [ "$1" -lt "$2" ] && expect_true "they rise" [ "$2" -lt "$3" ]
}

# size_of SIZE: each CPU gets this size, rounded up to whole pages
size_of()
{
	put "$1" buffer_size_kb
	got=$(cat buffer_size_kb)
	expect_true "a number" sh -c "[ $got -ge 0 ]"
	expect_true "at least $1: $got" [ "$got" -ge "$1" ]
	expect_true "by at most two pages more: $got" [ "$got" -le $(($1 + 2 * page_kb)) ]
	for file in per_cpu/cpu[0-9]*/buffer_size_kb; do
		expect_file "$file" "$got"
	done
}

sizes()
{
	for size in 1000 64 100 1; do
		size_of $size
	done
	# only one CPU
	put 64 buffer_size_kb
	all=$(cat buffer_size_kb)
	put 200 per_cpu/cpu0/buffer_size_kb
	expect_true "200 at CPU 0" [ "$(cat per_cpu/cpu0/buffer_size_kb)" -ge 200 ]
	if [ -d per_cpu/cpu1 ]; then
		expect_file per_cpu/cpu1/buffer_size_kb "$all"
		expect_file buffer_size_kb X
	fi
	put 64 buffer_size_kb
	expect_file buffer_size_kb "$all"
	put abc trace_marker
	expect "$(nr_events)" 1 "entries in a buffer that was resized"
}

# Programs that append seek to the end first, even in files that have no size.
seeks()
{
	for file in tracing_on buffer_size_kb current_tracer trace_clock trace_options \
		    set_ftrace_filter trace set_event error_log; do
		for mode in r w rw; do
			expect "$("$FILEOP" end $mode $file)" 0 "end of $file, opened $mode"
		done
	done
	expect "$("$FILEOP" append rwa tracing_on '0\n')" 2 "appended to tracing_on"
	expect_file tracing_on 0
}

# Until tracing is used, buffers are small, and the file also shows their size after expansion.
first_size()
{
	case $first_size in
	*expanded*)
		expect_true "$first_size" sh -c \
			    "echo '$first_size' | grep -Eq '^[0-9]+ \(expanded: [0-9]+\)$'"
		;;
	*)
		expect_true "$first_size is a number" [ "$first_size" -gt 0 ]
		;;
	esac
	put 'vfs_open' set_ftrace_filter
	put function current_tracer
	expect_true "buffers have their size" grep -Eqx '[0-9]+' buffer_size_kb
}

# The file of a CPU has always shown only a number, and so do the files of an instance.
first_size_of_others()
{
	want=$(echo "$first_size" | sed 's/.*: \(.*\))/\1/')
	expect "$first_cpu_size" "$want" "size of a CPU at first"
	mkdir instances/sizes
	for file in buffer_size_kb per_cpu/cpu0/buffer_size_kb; do
		expect_true "$file of an instance" grep -Eqx '[0-9]+' instances/sizes/$file
	done
	put 99 instances/sizes/per_cpu/cpu0/buffer_size_kb
	expect_file instances/sizes/per_cpu/cpu0/buffer_size_kb 99
	rmdir instances/sizes
}

# The size of the pages is rounded up to the next possible size.
subbuf_size()
{
	expect_file buffer_subbuf_size_kb "$page_kb"
	put lost trace_marker
	two=$((2 * page_kb)) eight=$((8 * page_kb))
	for size in $two:$two $eight:$eight $((page_kb + 1)):$two 1:$page_kb; do
		put "${size%:*}" buffer_subbuf_size_kb
		expect_file buffer_subbuf_size_kb "${size#*:}"
		expect_true "header_page has the size" grep -q \
			    "char data;.*size:$((${size#*:} * 1024 - 16));" events/header_page
		expect "$(nr_events)" 0 "entries after the change"
		put kept trace_marker
		expect "$(nr_events)" 1 "entries written after the change"
		taken=$("$FILEOP" repeat w trace_marker y 70000)
		expect "$(events | tail -n 1 | sed 's/.*: //' | tr -d '\n' | wc -c)" "$taken" \
		       "bytes of a long entry"
	done
	for text in '0\n' 'x\n' '\n' '-4\n' '1048576\n'; do
		expect_write EINVAL w buffer_subbuf_size_kb "$text"
	done
	expect_file buffer_subbuf_size_kb "$page_kb"
	expect "$(nr_events)" 2 "entries after rejected writes"
}

# The buffer is freed when the process that has the file open exits.
free_buffer()
{
	put $((16 * page_kb)) buffer_size_kb
	size=$(cat buffer_size_kb)
	sh -c 'echo x > trace_marker; cat buffer_size_kb' 3> free_buffer > "$SCRATCH/size"
	expect "$(cat "$SCRATCH/size")" "$size" "size while it is open"
	expect_true "the size is smaller afterwards" [ "$(cat buffer_size_kb)" -lt "$size" ]
	expect_file tracing_on 1
	put disable_on_free trace_options
	sh -c : 3> free_buffer
	put nodisable_on_free trace_options
	expect_file tracing_on 0
	put 1 tracing_on
	put "$size" buffer_size_kb
}

# The thread group is recorded when a task is switched, while a tracer is in use.
thread_groups()
{
	put record-tgid trace_options
	put 'vfs_open vfs_write' set_ftrace_filter
	put function current_tracer
	pid=$(sh -c 'echo x > trace_marker; sleep 0.1; echo $$')
	expect "$(grep -c "^$pid $pid\$" saved_tgids)" 1 "its line in saved_tgids"
	expect_true "the header has a column for it" grep -q '^#  *TASK-PID *TGID *CPU#' trace
	expect "$(grep -Ec "sh-$pid +\( *$pid\) \[.*: x\$" trace)" 1 "line with the thread group"
	put norecord-tgid trace_options
	expect "$(grep -c "sh-$pid *\[.*: x\$" trace)" 1 "line without"
	pid=$(sh -c 'echo x > trace_marker; sleep 0.1; echo $$')
	expect "$(grep -c "^$pid $pid\$" saved_tgids)" 0 "lines of a later task"
}

# Also for tasks without entries, and for more tasks than saved_cmdlines keeps.
thread_groups_of_all()
{
	put record-tgid trace_options
	size=$(cat saved_cmdlines_size)
	put 1 saved_cmdlines_size
	pids=
	for i in 1 2 3; do
		pids="$pids $(sh -c 'echo $$')"
	done
	put "$size" saved_cmdlines_size
	for pid in $pids; do
		expect "$(grep -c "^$pid $pid\$" saved_tgids)" 1 "line of $pid in saved_tgids"
	done
}

# Also for tasks whose pids were beyond pid_max when the table was allocated.
thread_groups_beyond()
{
	put record-tgid trace_options
	most=$(cat /proc/sys/kernel/pid_max)
	put $((most + 10000)) /proc/sys/kernel/pid_max
	in_background "$FILEOP" aspid $((most + 5000))
	expect_true "its line in saved_tgids" \
		    wait_for 10 grep -qx "$((most + 5000)) $((most + 5000))" saved_tgids
	end_all_background
	# a smaller value affects only new tasks
	put "$most" /proc/sys/kernel/pid_max
}

# The sum over all CPUs. Before first use, it shows both sizes as buffer_size_kb does.
total_size()
{
	put 100 buffer_size_kb
	cpus=$(ls -d per_cpu/cpu[0-9]* | wc -l)
	expect_file buffer_total_size_kb $((cpus * $(cat per_cpu/cpu0/buffer_size_kb)))
	put 300 per_cpu/cpu0/buffer_size_kb
	expect_file buffer_total_size_kb \
		    "$(cat per_cpu/cpu[0-9]*/buffer_size_kb | awk '{ n += $1 } END { print n }')"
	expect_write EINVAL w buffer_total_size_kb '1\n'
	case $first_total in
	*expanded*)
		expect "$first_total" "$(echo "$first_size" | awk -v cpus="$cpus" '{
			print $1 * cpus " (expanded: " $3 * cpus ")" }')" "size at first"
		;;
	esac
}

cpu_stats()
{
	: > trace
	taskset 1 sh -c 'echo one > trace_marker; echo two > trace_marker'
	stats=per_cpu/cpu0/stats
	expect "$(sed 's/:.*//' $stats | tr '\n' ',')" \
"entries,overrun,commit overrun,bytes,oldest event ts,now ts,dropped events,read events," \
	       "names of the figures"
	expect "$(grep '^entries' $stats)" 'entries: 2' "entries"
	expect "$(grep '^overrun' $stats)" 'overrun: 0' "overrun"
	expect "$(grep '^commit' $stats)" 'commit overrun: 0' "commit overrun"
	"$FILEOP" read rn trace_pipe > /dev/null 2>&1
	expect "$(grep '^entries' $stats)" 'entries: 0' "entries after they were read"
	expect "$(grep '^read events' $stats)" 'read events: 2' "read events"
}

debugfs_too()
{
	[ -d /sys/kernel/debug/tracing ] || skip "no debugfs"
	# The directory is an automount point: reading a file in it mounts it
	expect "$(cat /sys/kernel/debug/tracing/available_tracers)" "$(cat available_tracers)" \
	       "available_tracers below debugfs"
}

# Tools write the same list for functions and events.
event_pids()
{
	for file in set_event_pid set_event_notrace_pid; do
		expect_write '2 4' wt $file '1\n' '1 7\n'
		expect_file $file "$(printf '1\n7')"
		for bytes in 'x\n' '-1\n' '3 x\n'; do
			expect_write EINVAL w $file "$bytes"
		done
		expect_file $file "$(printf '1\n7')"
		: > $file
	done
	put vfs_open set_ftrace_filter
	put function current_tracer
	put 1 set_event_pid
	: > trace
	read_something
	put 0 tracing_on
	expect_true "functions of all tasks are traced" [ "$(nr_events)" -gt 0 ]
	: > set_event_pid
	for file in set_event_pid set_event_notrace_pid; do
		expect_file $file ''
		expect_write 1 wt $file '\n'
		expect_write 1 wa $file '\n'
		: > $file
		expect_file $file ''
	done
}

# Tools that read pages depend on this.
formats()
{
	long=$(sed -n 's/.*unsigned long ip;.*size:\([0-9]*\);.*/\1/p' \
		   events/ftrace/function/format)
	files=
	types="bprint bputs func_repeats function kernel_stack print raw_data user_stack"
	for type in $types; do
		files="$files events/ftrace/$type/format"
	done
	# shellcheck disable=SC2086 # words
	expect_formats 8 $files
	header=$((8 + long))
	expect "$(cat events/header_page)" \
"	field: u64 timestamp;	offset:0;	size:8;	signed:0;
	field: local_t commit;	offset:8;	size:$long;	signed:1;
	field: int overwrite;	offset:8;	size:1;	signed:1;
	field: char data;	offset:$header;	size:$((1024 * page_kb - header));	signed:0;" \
	       header_page
	expect_true "header_event" grep -q '^	data max type_len  == 28$' events/header_event
}

cpumask()
{
	[ -d per_cpu/cpu1 ] || skip "one CPU only"
	all=$(cat tracing_cpumask)
	put 1 tracing_cpumask
	expect_true "mask" grep -Eqx '0*1' tracing_cpumask
	taskset 1 sh -c 'echo on0 > trace_marker'
	expect "$(taskset 2 "$FILEOP" write w trace_marker 'on1\n')" EBADF "write on the other CPU"
	expect "$(events | sed 's/.*: //')" on0 "entries"
	for bytes in '' 'x\n' '-1\n'; do
		expect_write EINVAL w tracing_cpumask "$bytes"
		expect_true "mask" grep -Eqx '0*1' tracing_cpumask
	done
	put "$all" tracing_cpumask
	expect_file tracing_cpumask "$all"
	taskset 2 sh -c 'echo on1 > trace_marker'
	expect "$(events | sed 's/.*: //' | tr '\n' ' ')" "on0 on1 " "entries"
}

names_size()
{
	size=$(cat saved_cmdlines_size)
	put vfs_open set_ftrace_filter
	put function current_tracer
	load_start
	for new in 1 5000 2 128; do
		put $new saved_cmdlines_size
		# It may be rounded up
		room=$(cat saved_cmdlines_size)
		expect_true "room for $new names: $room" [ "$room" -ge $new ]
		expect_true "no more names than there is room for" \
			    [ "$(wc -l < saved_cmdlines)" -le "$room" ]
		: < /proc/uptime
	done
	for bytes in '' '0\n' '-1\n' 'x\n' '4294967296\n'; do
		expect_write EINVAL w saved_cmdlines_size "$bytes"
		expect_file saved_cmdlines_size "$room"
	done
	load_stop
	: > trace
	read_something
	put 0 tracing_on
	expect_true "names are saved still" grep -Eq '^[0-9]+ fileop$' saved_cmdlines
	put "$size" saved_cmdlines_size
}

timestamp_mode()
{
	expect_file timestamp_mode '[delta] absolute'
	expect_write EINVAL w timestamp_mode 'absolute\n'
}

testcase modes "the files exist and have their modes"
testcase mount_options "mount options set the owner, group and mode of all files"
slowcase tracers "every available tracer can be selected"
testcase selftests "every tracer has passed its self test"
testcase tracer_names "blanks around the name of a tracer are ignored"
testcase latencies "tracing_thresh and tracing_max_latency accept microseconds"
testcase readme "README explains the main files"
testcase readme_exact "README names only files that exist"
testcase readme_commands "README has the commands on functions"
slowcase readme_whole "README has every file of the directory"
testcase total_info "dyn_ftrace_total_info has the number of available functions"
testcase boot_message "the boot log has the number of call sites"
slowcase available_functions "available_filter_functions has names that are in kallsyms"
testcase addresses "available_filter_functions_addrs has the address of each call site"
testcase touched "touched_functions keeps every function that was ever traced"
testcase trampoline_is_named "enabled_functions names the trampoline"
testcase first_size "buffers are small until tracing is used"
testcase first_size_of_others "buffers of instances and of CPUs show the size that they will have"
testcase clocks "every clock can be selected, which clears the buffer"
testcase traced_clocks "functions that a clock calls can be traced with that clock"
testcase counter_clock "the clock named counter counts"
testcase sizes "buffer_size_kb sets the size of all CPUs or of one"
testcase total_size "buffer_total_size_kb is the sum over all CPUs"
testcase subbuf_size "buffer_subbuf_size_kb sets the size of pages"
testcase free_buffer "closing free_buffer frees the buffer"
testcase thread_groups "the option record-tgid fills saved_tgids and a column of the trace"
testcase thread_groups_beyond "tasks whose pid was too large when recording began are recorded"
testcase thread_groups_of_all "the option record-tgid also records tasks without entries"
testcase cpu_stats "per_cpu/cpuN/stats counts the entries of a CPU"
testcase event_pids "lists of tasks for events do not affect functions"
testcase formats "the formats of entries and pages are consistent"
testcase cpumask "tracing_cpumask selects the CPUs that record"
testcase names_size "saved_cmdlines_size can be changed while names are saved"
testcase timestamp_mode "timestamp_mode is delta and read-only"
testcase seeks "a seek to the end of a file moves to its beginning"
testcase debugfs_too "tracing is also available in debugfs"
finish
