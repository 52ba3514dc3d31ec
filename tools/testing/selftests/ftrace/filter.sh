#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# set_ftrace_filter and set_ftrace_notrace: names, globs, '!', append and truncate.
# shellcheck source=functions.sh

. "$(dirname "$0")/functions.sh"

# available EXPRESSION: the sorted names in available_filter_functions that match
available()
{
	cut -d ' ' -f 1 available_filter_functions | grep -E "$1" | sort -u
}

# filtered [FILE]: the sorted names in a filter
filtered()
{
	cut -d ' ' -f 1 "${1:-set_ftrace_filter}" | sort -u
}

# filter_is GLOB EXPRESSION: both select the same functions, at least one
filter_is()
{
	put "$1" set_ftrace_filter
	expect_true "nothing available for $2" [ -n "$(available "$2")" ]
	expect "$(filtered)" "$(available "$2")" "functions that '$1' selects"
}

exact_name()
{
	put vfs_read set_ftrace_filter
	expect_file set_ftrace_filter vfs_read
	put vfs_write set_ftrace_filter
	expect_file set_ftrace_filter vfs_write
}

several_names()
{
	put 'vfs_read vfs_write' set_ftrace_filter
	expect_lines set_ftrace_filter vfs_read vfs_write
	put '  vfs_open	 vfs_read  ' set_ftrace_filter
	expect_lines set_ftrace_filter vfs_open vfs_read
	printf 'vfs_write\nvfs_open\n' > set_ftrace_filter
	expect_true "names on lines of their own" [ $? -eq 0 ]
	expect_lines set_ftrace_filter vfs_open vfs_write
	put 'vfs_read vfs_read vfs_read' set_ftrace_filter
	expect_file set_ftrace_filter vfs_read
}

globs()
{
	filter_is 'vfs_op*' '^vfs_op'
	filter_is '*_open' '_open$'
	filter_is '*fs_ope*' 'fs_ope'
	filter_is 'vfs*write' '^vfs.*write$'
	filter_is 'vfs_[rw]*' '^vfs_[rw]'
	filter_is 'vfs_?ead' '^vfs_.ead$'
	filter_is 'v*_*ea*' '^v.*_.*ea'
	filter_is '*' ''
}

append()
{
	put vfs_read set_ftrace_filter
	put_more vfs_write set_ftrace_filter
	expect_lines set_ftrace_filter vfs_read vfs_write
	put_more 'vfs_op*' set_ftrace_filter
	expect "$(filtered)" "$(available '^vfs_op|^vfs_read$|^vfs_write$')" "after an append"
	put vfs_open set_ftrace_filter
	expect_file set_ftrace_filter vfs_open
}

remove()
{
	put 'vfs_read vfs_write vfs_open' set_ftrace_filter
	put_more '!vfs_read' set_ftrace_filter
	expect_lines set_ftrace_filter vfs_open vfs_write
	put_more '!vfs_w*' set_ftrace_filter
	expect_file set_ftrace_filter vfs_open
	put_more '!vfs_open vfs_read' set_ftrace_filter
	expect_file set_ftrace_filter vfs_read
	put 'vfs_*' set_ftrace_filter
	put_more '!vfs_*' set_ftrace_filter
	expect_file set_ftrace_filter "$EMPTY_FILTER"
}

clear()
{
	put vfs_read set_ftrace_filter
	put '' set_ftrace_filter
	expect_file set_ftrace_filter "$EMPTY_FILTER"
	put vfs_read set_ftrace_filter
	: > set_ftrace_filter
	expect_file set_ftrace_filter "$EMPTY_FILTER"
	put vfs_read set_ftrace_notrace
	: > set_ftrace_notrace
	expect_file set_ftrace_notrace "$EMPTY_NOTRACE"
}

by_index()
{
	first=$(head -n 1 available_filter_functions | cut -d ' ' -f 1)
	fiftieth=$(sed -n 50p available_filter_functions | cut -d ' ' -f 1)
	put 1 set_ftrace_filter
	expect "$(filtered)" "$first" "function with the index 1"
	put '1 50' set_ftrace_filter
	expect_lines set_ftrace_filter "$first" "$fiftieth"
	put_more '!1' set_ftrace_filter
	expect "$(filtered)" "$fiftieth" "after index 1 was removed"
}

centiseconds()
{
	tr -d . < /proc/uptime | cut -d ' ' -f 1
}

# time_of FILE: writes its content to set_ftrace_filter; prints the time it took, in 1/100 s
time_of()
{
	time_begun=$(centiseconds)
	cat "$1" > set_ftrace_filter || fail "cannot write $1"
	echo $(($(centiseconds) - time_begun))
}

# Numbers are the fast way to select many functions: they are not looked up one by one.
by_many_indexes()
{
	head -n 4000 available_filter_functions > "$SCRATCH/lines"
	cut -d ' ' -f 1 "$SCRATCH/lines" | grep -v '[.]' > "$SCRATCH/names"
	seq "$(wc -l < "$SCRATCH/lines")" -1 1 > "$SCRATCH/numbers"
	by_names=$(time_of "$SCRATCH/names")
	by_numbers=$(time_of "$SCRATCH/numbers")
	expect_true "the same functions" cmp -s set_ftrace_filter "$SCRATCH/lines"
	{
		echo vfs_read
		seq 3 9
		echo vfs_write
		seq 9 -2 1
	} > "$SCRATCH/mixed"
	cat "$SCRATCH/mixed" > set_ftrace_filter
	{
		echo vfs_read
		echo vfs_write
		sed -n '1p;3,9p' "$SCRATCH/lines" | cut -d ' ' -f 1
	} | sort > "$SCRATCH/wanted"
	cut -d ' ' -f 1 set_ftrace_filter | sort > "$SCRATCH/got"
	expect_true "names and numbers" cmp -s "$SCRATCH/got" "$SCRATCH/wanted"
	sed 's/^/!/' "$SCRATCH/mixed" >> set_ftrace_filter
	expect_file set_ftrace_filter "$EMPTY_FILTER"
	need_time
	expect_true "$by_numbers for numbers, $by_names for names" \
		    [ "$by_numbers" -le $((2 * by_names + 20)) ]
}

wrong_indexes()
{
	put vfs_read set_ftrace_filter
	for bytes in '0\n' '1 0 3\n' '1 2 99999999 3\n' '!99999999\n' 'vfs_open 1 99999999999\n'; do
		expect_write EINVAL wa set_ftrace_filter "$bytes"
		expect_file set_ftrace_filter vfs_read
	done
}

notrace()
{
	put 'vfs_read vfs_write' set_ftrace_notrace
	expect_lines set_ftrace_notrace vfs_read vfs_write
	put_more vfs_open set_ftrace_notrace
	put_more '!vfs_write' set_ftrace_notrace
	expect_lines set_ftrace_notrace vfs_open vfs_read
	put '*_open' set_ftrace_notrace
	expect "$(filtered set_ftrace_notrace)" "$(available '_open$')" "notrace *_open"
}

# Only functions that are in the filter and not in notrace are traced. Both lists change before
# and while a tracer runs.
both_lists()
{
	put 'vfs_read vfs_write vfs_open' set_ftrace_filter
	put vfs_read set_ftrace_notrace
	put function current_tracer
	expect "$(filtered enabled_functions)" "$(printf 'vfs_open\nvfs_write')" "enabled"
	put '' set_ftrace_notrace
	expect "$(filtered enabled_functions)" "$(printf 'vfs_open\nvfs_read\nvfs_write')" \
	       "enabled after notrace was cleared"
	put_more '!vfs_open' set_ftrace_filter
	expect "$(filtered enabled_functions)" "$(printf 'vfs_read\nvfs_write')" \
	       "enabled after one was removed from the filter"
	put vfs_write set_ftrace_notrace
	expect "$(filtered enabled_functions)" vfs_read "enabled after notrace was set"
	put nop current_tracer
	expect_file enabled_functions ''
}

traced()
{
	put 'vfs_read vfs_open' set_ftrace_filter
	put function current_tracer
	read_something
	put 0 tracing_on
	expect "$(events | sed 's/.*: \([^ ]*\) <-.*/\1/' | sort -u)" \
	       "$(printf 'vfs_open\nvfs_read')" "functions in the trace"
	put nop current_tracer
	put '' set_ftrace_filter
	put 'vfs_*' set_ftrace_notrace
	put 200 buffer_size_kb
	put 1 tracing_on
	put function current_tracer
	read_something
	put 0 tracing_on
	cat trace > "$SCRATCH/trace"
	expect_true "other functions are traced" [ "$(nr_events "$SCRATCH/trace")" -gt 100 ]
	expect "$(grep -c ': vfs_[a-z_]* <-' "$SCRATCH/trace")" 0 "functions of notrace"
}

# Names may be split over writes, because a filter takes effect when the file is closed.
split_writes()
{
	expect "$("$FILEOP" split wt set_ftrace_filter 1 'vfs_read vfs_write')" 18 \
	       "one byte at a time"
	expect_lines set_ftrace_filter vfs_read vfs_write
	expect "$("$FILEOP" split wt set_ftrace_filter 4 'vfs_open vfs_read\n')" 18 \
	       "four bytes at a time"
	expect_lines set_ftrace_filter vfs_open vfs_read
	expect_write "4 4 1 7 3" wt set_ftrace_filter vfs_ open ' ' vfs_wri 'te\n'
	expect_lines set_ftrace_filter vfs_open vfs_write
}

# compiled_in EXPRESSION: the sorted names of functions whose source matches
compiled_in()
{
	grep -E "^$1 " available_filter_functions_sources | cut -d ' ' -f 2 | sort -u
}

# source_is PATTERN EXPRESSION: both select the same functions, at least one
source_is()
{
	put "$1" set_ftrace_filter
	expect_true "nothing compiled in $2" [ -n "$(compiled_in "$2")" ]
	expect "$(filtered)" "$(compiled_in "$2")" "functions that '$1' selects"
}

sources_listed()
{
	expect "$(cut -d ' ' -f 2- available_filter_functions_sources)" \
	       "$(cat available_filter_functions)" "functions whose source is known"
	for pair in fs/read_write.o:vfs_read kernel/sched/core.o:schedule \
		    mm/slub.o:kmem_cache_free init/main.o:start_kernel; do
		grep -q "^${pair#*:}\$" available_filter_functions || continue
		expect_true "$pair" grep -qx "${pair%:*} ${pair#*:}" \
			    available_filter_functions_sources
	done
}

by_source()
{
	source_is ':src:kernel/sched/*' 'kernel/sched/.*'
	source_is '*:src:fs/read_write.o' 'fs/read_write[.]o'
	source_is ':src:fs/read_write.c' 'fs/read_write[.]o'
	put 'vfs_*:src:fs/*' set_ftrace_filter
	expect "$(filtered)" "$(compiled_in 'fs/.*' | grep '^vfs_')" "a name and a source"
	put 'vfs_read:src:fs/read_write.c' set_ftrace_filter
	expect_file set_ftrace_filter vfs_read
	put 'vfs_*:mod:!*:src:fs/*' set_ftrace_filter
	expect "$(filtered)" "$(compiled_in 'fs/.*' | grep '^vfs_')" \
	       "a source of the kernel, not of a module"
}

less_by_source()
{
	put 'vfs_*' set_ftrace_filter
	put_more '!*:src:fs/read_write.c' set_ftrace_filter
	expect_false "a function of the source that was removed" grep -qx vfs_read set_ftrace_filter
	expect_true "a function of another source" grep -qx vfs_open set_ftrace_filter
	put ':src:fs/open.c' set_ftrace_notrace
	expect "$(filtered set_ftrace_notrace)" "$(compiled_in 'fs/open[.]o')" "notrace"
	put function current_tracer
	expect_false "a function in set_ftrace_notrace" grep -q '^vfs_open ' enabled_functions
	put nop current_tracer
}

bad_source()
{
	put vfs_read set_ftrace_filter
	for word in ':src:' 'vfs_read:src' ':src:no/such/*' 'vfs_read:src:fs/open.c' \
		    ':src:fs/*:src:fs/*' ':src:fs/*:mod:' ':source:fs/*'; do
		expect_write EINVAL w set_ftrace_filter "$word\n"
	done
	expect_file set_ftrace_filter vfs_read
	expect_write EINVAL w available_filter_functions_sources x
}

every_function()
{
	put function current_tracer
	put nop current_tracer
	put '*' set_ftrace_filter
	expect "$(wc -l < set_ftrace_filter)" "$(wc -l < available_filter_functions)" \
	       "number of functions that * selects"
}

testcase exact_name "a write with an exact name replaces the filter"
testcase several_names "one write can have several names"
slowcase globs "a glob selects the available functions that match"
testcase append "an appending write adds to the filter"
testcase remove "an exclamation mark removes functions"
testcase clear "an empty write and truncation clear a list"
testcase by_index "a number selects a function by its line"
testcase by_many_indexes "many numbers do not take longer than names"
testcase wrong_indexes "a number without a line is rejected, with the whole write"
testcase notrace "set_ftrace_notrace also accepts names, globs and exclamation marks"
testcase both_lists "functions in the filter and not in notrace are enabled"
slowcase traced "the trace has the functions that the filters select"
testcase split_writes "names may be split over several writes"
testcase sources_listed "available_filter_functions_sources has the source of each function"
slowcase by_source "a source selects the functions compiled in it"
testcase less_by_source "a source can be removed, and can be in set_ftrace_notrace"
testcase bad_source "an invalid source is rejected"
testcase every_function "a star selects all functions"
finish
