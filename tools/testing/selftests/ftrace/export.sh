#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# register_ftrace_export(): who gets entries as they are written.
# shellcheck source=functions.sh

. "$(dirname "$0")/functions.sh"

FUNCTIONS=1
MARKERS=4

# begin KINDS: from here on the module gets these
begin()
{
	need_module ftest_export kinds="$1"
	put Y "$(param ftest_export on)"
}

# got NAME WANT
got()
{
	expect_file "$(param ftest_export "$1")" "$2"
}

# As many as there are in the buffer, while all CPUs are at work. The function that the
# export calls itself may be one of them, but not for its own sake again.
functions()
{
	put 4000 buffer_size_kb
	begin $FUNCTIONS
	put 'vfs_*' set_ftrace_filter
	put_more ftest_export_callee set_ftrace_filter
	put function current_tracer
	load_start
	sleep 0.5
	load_stop
	put 0 tracing_on
	expect_true "calls" [ "$(nr_events)" -gt 100 ]
	expect "$(awk '/^overrun|^dropped/ { n += $NF } END { print n }' per_cpu/cpu*/stats)" 0 \
	       "events lost"
	got functions "$(nr_events)"
	got wrong 0
	expect_true "no calls without end" \
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
		expect "$(head -n 1 "$(param ftest_export marker)")" "$text" "what it got"
	done
	got markers 3
	got functions 0
	got wrong 0
}

# While functions are traced on all CPUs.
come_and_go()
{
	put 'vfs_*' set_ftrace_filter
	put function current_tracer
	load_start
	begin $((FUNCTIONS | MARKERS))
	on=$(param ftest_export on)
	expect_write EEXIST w "$on" Y
	put N "$on"
	before=$(cat "$(param ftest_export functions)")
	put x trace_marker
	got functions "$before"
	got markers 0
	expect_write ENOENT w "$on" N
	put Y "$on"
	for _ in 1 2 3 4 5; do
		rmmod ftest_export || fail "it stays"
		begin $((FUNCTIONS | MARKERS))
	done
	load_stop
	got wrong 0
}

testcase functions "each function that is called"
testcase markers "each text of trace_marker"
testcase come_and_go "exports that come and go"
finish
