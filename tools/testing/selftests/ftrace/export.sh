#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# register_ftrace_export(): an exporter gets entries as they are written.
# shellcheck source=functions.sh

. "$(dirname "$0")/functions.sh"

FUNCTIONS=1
MARKERS=4

# begin KINDS: registers an export for these kinds of entries
begin()
{
	need_module ftest_export kinds="$1"
	put Y "$(param ftest_export on)"
}

# got NAME WANT: checks a counter of the export
got()
{
	expect_file "$(param ftest_export "$1")" "$2"
}

enough_events()
{
	[ "$(nr_events)" -gt 100 ]
}

# The export gets as many entries as the buffer, while all CPUs record. The function that the
# export itself calls is also traced, but its entries are not exported again.
functions()
{
	put 4000 buffer_size_kb
	begin $FUNCTIONS
	put 'vfs_*' set_ftrace_filter
	put_more ftest_export_callee set_ftrace_filter
	put function current_tracer
	load_start
	expect_true "many calls" wait_for 60 enough_events
	load_stop
	put 0 tracing_on
	expect "$(awk '/^overrun|^dropped/ { n += $NF } END { print n }' per_cpu/cpu*/stats)" 0 \
	       "events lost"
	got functions "$(nr_events)"
	got wrong 0
	expect_true "the export is not called for its own calls" \
		    [ $((2 * $(events | grep -c ': ftest_export_callee '))) -le "$(nr_events)" ]
	put 1 tracing_on
	put text trace_marker
	got markers 0
}

markers()
{
	begin $MARKERS
	put vfs_open set_ftrace_filter
	put function current_tracer
	for text in 'a text' b ''; do
		put "$text" trace_marker
		expect "$(head -n 1 "$(param ftest_export marker)")" "$text" "text exported"
	done
	got markers 3
	got functions 0
	got wrong 0
}

unable()
{
	need_module ftest_export
	expect_write EINVAL w "$(param ftest_export unable)" Y
}

twice()
{
	begin $MARKERS
	on=$(param ftest_export on)
	expect_write EEXIST w "$on" Y
	put text trace_marker
	got markers 1
	put N "$on"
	expect_write ENOENT w "$on" N
}

come_and_go()
{
	put 'vfs_*' set_ftrace_filter
	put function current_tracer
	load_start
	begin $((FUNCTIONS | MARKERS))
	on=$(param ftest_export on)
	put N "$on"
	before=$(cat "$(param ftest_export functions)")
	put x trace_marker
	got functions "$before"
	got markers 0
	put Y "$on"
	for _ in 1 2 3 4 5; do
		rmmod ftest_export || fail "rmmod"
		begin $((FUNCTIONS | MARKERS))
	done
	load_stop
	got wrong 0
}

testcase functions "an export gets every function call that is recorded"
testcase markers "an export gets the text of every trace_marker write"
testcase unable "an export without a write callback is rejected"
testcase twice "an export cannot be registered twice, nor unregistered twice"
slowcase come_and_go "exports can be registered and unregistered while functions are traced"
finish
