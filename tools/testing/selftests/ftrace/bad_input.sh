#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Invalid use of each file returns the documented errno and changes nothing. FTEST_SEED makes
# random input repeatable.
# shellcheck source=functions.sh

. "$(dirname "$0")/functions.sh"

# refused ERRNO FILE BYTES...: each of these writes fails, and the file reads as before
refused()
{
	refused_errno=$1
	refused_file=$2
	refused_before=$(cat "$refused_file")
	shift 2
	for bytes in "$@"; do
		expect_write "$refused_errno" w "$refused_file" "$bytes"
		expect "$(cat "$refused_file")" "$refused_before" "$refused_file after '$bytes'"
	done
}

# overlong FILE: a token too long for any parser, and an unmapped address, are rejected
overlong()
{
	overlong_before=$(cat "$1")
	for nr in 200 5000 70000; do
		expect "$("$FILEOP" repeat w "$1" x $nr)" EINVAL "write of $nr bytes to $1"
		expect "$(cat "$1")" "$overlong_before" "$1 after $nr bytes"
	done
	expect "$("$FILEOP" fault w "$1")" EFAULT "write from an unmapped address to $1"
	expect "$(cat "$1")" "$overlong_before" "$1 after a fault"
}

current_tracer()
{
	put vfs_open set_ftrace_filter
	for tracer in nop function; do
		put $tracer current_tracer
		refused EINVAL current_tracer '' '\n' ' ' 'garbage' 'garbage\n' 'Function\n' \
			'functions\n' 'functio\n' 'function nop\n' '\x00\x01\x80\xff\n' '-1\n'
		overlong current_tracer
	done
	# A name must be written in one write
	put nop current_tracer
	expect_write "EINVAL EINVAL" w current_tracer fun ction
	expect "$("$FILEOP" split w current_tracer 1 'function\n')" EINVAL \
	       "a name written byte by byte"
	expect_file current_tracer nop
}

tracing_on()
{
	for value in 1 0; do
		put $value tracing_on
		refused EINVAL tracing_on '' '\n' ' ' 'garbage\n' ' 1\n' '1 \n' '0x1\n' '-1\n' \
			'1 0\n' '\x00\x01\x80\xff\n'
		refused ERANGE tracing_on '99999999999999999999999\n'
		overlong tracing_on
	done
	# any other number means on
	expect_write "2 3" w tracing_on '0\n' '42\n'
	expect_file tracing_on 1
}

trace_clock()
{
	put global trace_clock
	put x trace_marker
	refused EINVAL trace_clock '' '\n' ' ' 'garbage\n' 'glob' 'locals\n' '[local]\n' \
		'local global\n' '\x00\x01\x80\xff\n' '1\n'
	overlong trace_clock
	expect "$(nr_events)" 1 "entries after rejected clocks"
}

buffer_size()
{
	put 64 buffer_size_kb
	put x trace_marker
	for file in buffer_size_kb per_cpu/cpu0/buffer_size_kb; do
		refused EINVAL $file '' '\n' ' ' '0\n' 'garbage\n' ' 64\n' '64 \n' '64k\n' \
			'0x40\n' '-5\n' '\x00\x01\x80\xff\n'
		refused ERANGE $file '99999999999999999999999\n'
		# more than the available memory
		refused ENOMEM $file '1000000000\n'
		overlong $file
	done
	expect "$(nr_events)" 1 "entries after rejected sizes"
}

# filter_file FILE: unknown names, and text that is not a name, are rejected
filter_file()
{
	put 'vfs_read vfs_write' "$1"
	for bytes in 'no_such_function\n' 'no_such_*\n' '*no_such\n' '*no_such*\n' \
		     'vfs_*_no_such\n' '-1\n' '0\n' '99999999\n' '99999999999999999999999\n' \
		     'vfs_read:no_such_command\n'; do
		expect_write EINVAL wa "$1" "$bytes"
		expect_lines "$1" vfs_read vfs_write
	done
	for bytes in '' ' ' '\n' ' \t\n'; do
		"$FILEOP" write wa "$1" "$bytes" > "$SCRATCH/result"
		expect_true "blanks are accepted: $(cat "$SCRATCH/result")" \
			    grep -Eqx '[0-3]' "$SCRATCH/result"
		expect_lines "$1" vfs_read vfs_write
	done
	# A last token without a trailing blank is parsed when the file is closed
	"$FILEOP" write wa "$1" 'no_such_function' > /dev/null
	expect_lines "$1" vfs_read vfs_write
	"$FILEOP" write wa "$1" '\x00\x01\x80\xff\n' > /dev/null
	expect_lines "$1" vfs_read vfs_write
	expect "$("$FILEOP" repeat wa "$1" x 5000)" EINVAL "a token of 5000 bytes"
	expect_lines "$1" vfs_read vfs_write
	expect "$("$FILEOP" fault wa "$1")" EFAULT "write from an unmapped address"
	expect_lines "$1" vfs_read vfs_write
}

filter()
{
	filter_file set_ftrace_filter
}

notrace()
{
	filter_file set_ftrace_notrace
}

# A bad name must not make a running tracer lose or gain a function.
filter_of_a_running_tracer()
{
	put 'vfs_read vfs_write' set_ftrace_filter
	put function current_tracer
	expect_write EINVAL wa set_ftrace_filter 'no_such_function\n'
	expect "$(cut -d ' ' -f 1 enabled_functions | sort | tr '\n' ' ')" "vfs_read vfs_write " \
	       "enabled"
	expect_write EINVAL wa set_ftrace_notrace 'no_such_function\n'
	expect "$(cut -d ' ' -f 1 enabled_functions | sort | tr '\n' ' ')" "vfs_read vfs_write " \
	       "enabled"
}

ftrace_enabled()
{
	refused EINVAL $FTRACE_ENABLED '\n' ' ' 'garbage\n' '\x00\x01\x80\xff\n' \
		'99999999999999999999999\n'
	overlong $FTRACE_ENABLED
}

marker()
{
	expect_write 0 w trace_marker ''
	expect "$("$FILEOP" fault w trace_marker)" EFAULT "marker from an unmapped address"
	: > trace
	expect_write 5 w trace_marker '\x01\x80\xff\x7f\n'
	expect "$(nr_events)" 1 "entries after a binary marker"
}

# Read-only files, and write-only files.
wrong_direction()
{
	for file in available_tracers available_filter_functions enabled_functions \
		    available_filter_functions_addrs touched_functions \
		    dyn_ftrace_total_info README saved_cmdlines trace_pipe per_cpu/cpu0/stats; do
		"$FILEOP" write w $file 'x\n' > "$SCRATCH/result"
		expect_true "write to $file: $(cat "$SCRATCH/result")" \
			    grep -Eqx 'EINVAL|EBADF|EACCES|EPERM|EIO|open:EACCES' "$SCRATCH/result"
	done
	expect "$("$FILEOP" read r trace_marker)" EINVAL "read of trace_marker"
	expect "$("$FILEOP" read rw trace_marker)" EINVAL "read of trace_marker"
}

# Files that only show something reject writes, and change nothing.
read_only_files()
{
	for file in printk_formats saved_tgids available_events events/header_page \
		    events/header_event events/ftrace/function/format events/ftrace/function/id \
		    buffer_total_size_kb timestamp_mode; do
		before=$(cat $file)
		for bytes in '' '\n' '1\n' 'x'; do
			expect_write EINVAL w $file "$bytes"
		done
		expect_file $file "$before"
		expect "$("$FILEOP" open ru $file)" open:EACCES "open of $file"
	done
	for file in events/ftrace/no_such/format events/no_such/enable; do
		expect "$("$FILEOP" open r $file)" open:ENOENT "open of $file"
	done
	expect_false "no directory can be made in events" mkdir events/mine
	expect_false "no directory is removed" rmdir events/ftrace
}

unprivileged()
{
	for file in trace available_tracers current_tracer trace_pipe README \
		    available_filter_functions_addrs touched_functions; do
		expect "$("$FILEOP" open ru $file)" open:EACCES "open of $file"
	done
	for file in current_tracer set_ftrace_filter trace tracing_on; do
		expect "$("$FILEOP" open wu $file)" open:EACCES "open of $file to write"
	done
}

# Reads of any size and from any offset return pieces of the same text.
every_offset()
{
	put 'vfs_r* vfs_w*' set_ftrace_filter
	put vfs_open set_ftrace_notrace
	put function current_tracer
	read_something
	put 0 tracing_on
	for file in README available_tracers current_tracer trace_clock tracing_on \
		    buffer_size_kb dyn_ftrace_total_info set_ftrace_filter \
		    set_ftrace_notrace enabled_functions saved_cmdlines trace \
		    per_cpu/cpu0/trace; do
		for size in 1 7 64 4095; do
			expect "$("$FILEOP" chunks $file $size)" same "$file by $size bytes"
		done
	done
	for file in README available_tracers current_tracer trace_clock tracing_on \
		    buffer_size_kb dyn_ftrace_total_info set_ftrace_filter \
		    set_ftrace_notrace enabled_functions; do
		expect "$("$FILEOP" offsets $file 1)" same "$file from every offset"
	done
	for file in available_filter_functions available_filter_functions_addrs; do
		expect "$("$FILEOP" chunks $file 4093)" same "$file by 4093 bytes"
		expect "$("$FILEOP" offsets $file 49999)" same "$file from some offsets"
	done
	expect "$("$FILEOP" chunks touched_functions 64)" same "touched_functions by 64 bytes"
}

# Files whose text changes by itself, or when they are read or written.
changes_by_itself()
{
	case $1 in
	*/trace | */trace_pipe* | */snapshot | */trace_marker* | */error_log | */free_buffer) ;;
	*/stats | */saved_*) ;;
	*) return 1 ;;
	esac
}

# Random bytes are accepted by a file, or rejected with an errno for bad input and without an
# effect; tracing works afterwards.
noise()
{
	noise_seed=$FTEST_SEED
	note "seed $noise_seed"
	put vfs_read set_ftrace_filter
	for file in $(find . -type f -perm -200 ! -name free_buffer ! -path './instances*' \
			   ! -path './events*' | sort); do
		for size in 3 700; do
			noise_seed=$((noise_seed + 1))
			before=
			changes_by_itself "$file" || before=$(cat "$file" 2> /dev/null)
			result=$("$FILEOP" noise $noise_seed $size "$file")
			case $file:$result in
			*:[0-9]*)
				continue ;;
			# the first bytes are the number of an event
			./user_events_data:ENOENT)
				continue ;;
			*:EINVAL | *:ERANGE | *:EFBIG | *:EOVERFLOW)
				nr_checks=$((nr_checks + 1)) ;;
			*)	fail "$file, seed $noise_seed: $result" ;;
			esac
			changes_by_itself "$file" ||
				expect "$(cat "$file" 2> /dev/null)" "$before" \
				       "$file after refused noise, seed $noise_seed"
		done
	done
	expect_file current_tracer nop
	put 1 tracing_on
	put vfs_read set_ftrace_filter
	put function current_tracer
	read_something
	put 0 tracing_on
	expect_true "calls are traced" grep -q ': vfs_read <-ksys_read' trace
}

# After two concurrent writes, the file has the value of one of the writers.
two_writers()
{
	expect "$("$FILEOP" race 8 set_ftrace_filter 'vfs_read\n' 'vfs_write vfs_open\n')" 0 \
	       "filters"
	expect_true "one of the two filters: $(tr '\n' ' ' < set_ftrace_filter)" sh -c \
		    "sort set_ftrace_filter | tr '\n' ' ' |
		     grep -Eqx 'vfs_read |vfs_open vfs_write '"
	put vfs_open set_ftrace_filter
	expect "$("$FILEOP" race 8 current_tracer 'function\n' 'nop\n')" 0 "tracers"
	expect_true "one of the two tracers" grep -Eqx 'nop|function' current_tracer
	put nop current_tracer
	expect_file enabled_functions ''
	expect "$("$FILEOP" race 5 buffer_size_kb '64\n' '200\n')" 0 "sizes"
	expect_true "one of the two sizes" [ "$(cat buffer_size_kb)" -ge 64 ]
	expect "$("$FILEOP" race 8 tracing_on '0\n' '1\n')" 0 "on and off"
	put 1 tracing_on
	: > trace
	expect "$("$FILEOP" race 50 trace_marker 'aaaaaaaaaaaaaaaa\n' 'bbbbbbbbbbbbbbbb\n')" 0 \
	       "markers"
	expect "$(events | grep -cE 'write: (a{16}|b{16})$')" 100 "whole markers"
}

filter_against_tracer()
{
	put vfs_open set_ftrace_filter
	in_background "$FILEOP" race 8 set_ftrace_filter 'vfs_read\n' 'vfs_write\n' \
		> "$SCRATCH/race"
	for _ in 1 2 3 4 5 6 7 8; do
		put function current_tracer
		put nop current_tracer
	done
	wait "$background_pid"
	expect_file "$SCRATCH/race" 0
	expect_file enabled_functions ''
	put function current_tracer
	expect "$(cut -d ' ' -f 1 enabled_functions)" "$(cat set_ftrace_filter)" "enabled"
}

# log_entry FILE MESSAGE COMMAND AT: this is the last entry of error_log, with its mark below
# character AT of the command
log_entry()
{
	tail -n 3 error_log > "$SCRATCH/log"
	head -n 1 "$SCRATCH/log" > "$SCRATCH/head"
	expect_true "shape of '$(cat "$SCRATCH/head")'" \
		    grep -Eq "^\[ *[0-9]+\.[0-9]{6}\] $1: error: $2" "$SCRATCH/head"
	expect "$(sed -n 2p "$SCRATCH/log")" "  Command: $3" "command"
	expect "$(sed -n 3p "$SCRATCH/log")" "$(printf '%*s^' $((11 + $4)) '')" "mark below it"
}

# It explains rejected tokens where an errno is not specific enough.
error_log()
{
	expect "$(stat -c %a error_log)" 640 "mode"
	echo > error_log
	expect_file error_log ''
	expect_write EINVAL w current_tracer 'bogus\n'
	log_entry current_tracer 'No such tracer' bogus 0
	expect_write EINVAL w trace_clock 'glob\n'
	log_entry trace_clock 'No such clock' glob 0
	expect_write EINVAL w trace_options 'nosuch\n'
	log_entry trace_options 'No such option' nosuch 0
	expect_write EINVAL w tracing_cpumask 'xyz\n'
	log_entry tracing_cpumask 'Not a mask' xyz 0
	expect_write EINVAL wa set_ftrace_filter 'vfs_open no_such vfs_read\n'
	log_entry set_ftrace_filter 'No such function' 'vfs_open no_such vfs_read' 9
	expect_write EINVAL wa set_ftrace_notrace 'no_such_*\n'
	log_entry set_ftrace_notrace 'No such function' 'no_such_*' 0
	# Errors that are found in close(2) are not returned, so they are only in the log
	expect_write 15 wa set_ftrace_filter 'vfs_open no_end'
	log_entry set_ftrace_filter 'No such function' no_end 0
	expect_write EINVAL wa set_event 'no_such\n'
	log_entry set_event 'There is no such event' no_such 0
	expect "$(grep -c Command: error_log)" 8 "errors"
	# The error is about a whole token including its colon, and not about a part of another
	# token
	expect_write EINVAL wa set_ftrace_filter 'vfs_read vfs_read:no_such\n'
	log_entry set_ftrace_filter 'No such function' 'vfs_read vfs_read:no_such' 9
	expect_write EINVAL wa set_ftrace_filter 'vfs_read* vfs_rea !vfs_ope\n'
	log_entry set_ftrace_filter 'No such function' 'vfs_read* vfs_rea !vfs_ope' 10
	expect_write EINVAL wa set_ftrace_filter 'vfs_open* !vfs_ope\n'
	log_entry set_ftrace_filter 'No such function' 'vfs_open* !vfs_ope' 11
	expect_write EINVAL wa set_ftrace_filter 'vfs_read:src:no_such/file.c\n'
	log_entry set_ftrace_filter 'No such function' 'vfs_read:src:no_such/file.c' 0
	# The oldest entry is dropped
	expect_write EINVAL w current_tracer 'x\x01y\n'
	log_entry current_tracer 'No such tracer' 'x?y' 0
	expect "$(grep -c Command: error_log)" 8 "errors after one more"
	expect "$(grep -c bogus error_log)" 0 "the first of them"
	expect_write EINVAL w set_ftrace_filter "$(printf 'a%.0s' $(seq 1 100)) no_such_function\n"
	# A write without O_TRUNC has no effect
	expect_write 2 w error_log 'x\n'
	expect_write 0 w error_log ''
	expect "$(grep -c Command: error_log)" 8 "errors after a write"
	: > error_log
	expect_file error_log ''
	# Errors that an errno explains are not in the log
	expect_write EINVAL w tracing_on 'x\n'
	expect_write EINVAL w buffer_size_kb '0\n'
	expect_file error_log ''
}

# fuzz FILE TOKEN...: of random sequences of tokens, some are accepted and some are rejected
fuzz()
{
	fuzz_file=$1
	"$FILEOP" fuzz "$FTEST_SEED" 3 "$@" > "$SCRATCH/fuzz"
	note "$fuzz_file, seed $FTEST_SEED: accepted, refused: $(tr '\n' ' ' < "$SCRATCH/fuzz")"
	{ read -r fuzz_taken; read -r fuzz_refused; } < "$SCRATCH/fuzz"
	expect_true "writes were accepted" [ "$fuzz_taken" -gt 0 ]
	expect_true "writes were rejected" [ "$fuzz_refused" -gt 0 ]
}

damaged_words()
{
	put function current_tracer
	put 0 tracing_on
	set -- vfs_read vfs_open 'vfs_*' 'schedul?' 'vfs_[rw]*' 1 77 'do_*:src:fs/*' \
	       ':src:fs/read_write.c' 'ftest_*:mod:ftest_target' '*:mod:!*:src:mm/slub.o' \
	       'x*:mod:y*:src:z*' no_such_function '#' ''
	fuzz set_ftrace_filter "$@" vfs_read:traceoff vfs_write:traceon:3 'vfs_*:traceoff:0'
	fuzz set_ftrace_notrace "$@" vfs_read:traceoff
	cat set_ftrace_filter set_ftrace_notrace enabled_functions > "$SCRATCH/read"
	# The rest can be removed, and everything works as before
	for command in $(grep -o ':trace[a-z]*:[a-z]*' set_ftrace_filter | sort -u); do
		case $command in
		*:unlimited) put_more "!*${command%:*}" set_ftrace_filter ;;
		*) put_more "!*${command%:*}:0" set_ftrace_filter ;;
		esac
	done
	put '' set_ftrace_filter
	put '' set_ftrace_notrace
	expect_file set_ftrace_filter "$EMPTY_FILTER"
	expect_file set_ftrace_notrace "$EMPTY_NOTRACE"
	put vfs_open set_ftrace_filter
	expect "$(cut -d ' ' -f 1 enabled_functions)" vfs_open "enabled"
}

slowcase current_tracer "current_tracer rejects names that are not tracers"
slowcase tracing_on "tracing_on rejects text that is not a number"
testcase trace_clock "trace_clock rejects names that are not clocks"
slowcase buffer_size "buffer_size_kb rejects text that is not a size"
slowcase filter "set_ftrace_filter rejects a pattern that matches no function"
slowcase notrace "set_ftrace_notrace rejects a pattern that matches no function"
testcase filter_of_a_running_tracer "a rejected name changes nothing for a running tracer"
testcase ftrace_enabled "kernel.ftrace_enabled rejects text that is not a number"
testcase marker "trace_marker rejects unmapped addresses and accepts any byte"
testcase wrong_direction "read-only files cannot be written, write-only files cannot be read"
testcase unprivileged "unprivileged users cannot open any file"
slowcase every_offset "reads of every size and from every offset return the same text"
slowcase noise "random bytes into every file do no harm"
slowcase damaged_words "random sequences of damaged tokens in the filters do no harm"
testcase two_writers "of two concurrent writers, one prevails"
testcase filter_against_tracer "filter and tracer can change at the same time"
slowcase error_log "error_log explains rejected tokens"
slowcase read_only_files "files that only show something reject writes"
finish
