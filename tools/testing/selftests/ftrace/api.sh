#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Functions of tracing for modules, called by modules/ftest_api.c.
# shellcheck source=functions.sh

. "$(dirname "$0")/functions.sh"

# call NAME: runs the test NAME of ftest_api
call()
{
	module_loaded ftest_api || need_module ftest_api
	"$FILEOP" write w "$(param ftest_api run)" "$1" > "$SCRATCH/result"
	grep -q EOPNOTSUPP "$SCRATCH/result" && skip "not supported by this kernel"
	grep -q '^[0-9]' "$SCRATCH/result" || log_since_mark | sed 's/^/# /'
	expect_true "$1: $(cat "$SCRATCH/result")" grep -q '^[0-9]' "$SCRATCH/result"
}

tracing_off()
{
	call off
	expect_file tracing_on 0
	expect_write EBADF w trace_marker 'x\n'
	call on
	expect_file tracing_on 1
	expect_write 2 w trace_marker 'x\n'
}

# tracing_snapshot() cannot allocate the spare buffer, tracing_snapshot_alloc() can.
snapshot()
{
	[ -f snapshot ] || skip "no snapshots here"
	put 0 snapshot
	put early trace_marker
	call snapshot
	expect "$(grep -c ': early' snapshot)" 0 "entries without a spare buffer"
	put 1 tracing_on
	put before trace_marker
	call snapshot_alloc
	expect_true "the first snapshot is taken" wait_for 10 grep -q ': before' snapshot
	expect "$(grep -c ': before' snapshot)" 1 "entries of the first snapshot"
	expect "$(grep -c ': before' trace)" 0 "entries left in the buffer"
	put after trace_marker
	call snapshot
	expect_true "the second snapshot is taken" wait_for 10 grep -q ': after' snapshot
	expect "$(grep -c ': after' snapshot)" 1 "entries of the second snapshot"
	expect "$(grep -c ': before' snapshot)" 0 "entries of the first in the second"
	put 0 snapshot
}

snapshot_cond()
{
	[ -f snapshot ] || skip "no snapshots here"
	call snapshot_cond
	expect "$(grep -c ': larger' instances/ftest_api/snapshot)" 1 "entries of the snapshot"
	expect "$(grep -c ': smaller' instances/ftest_api/snapshot)" 0 \
	       "later entries in the snapshot"
	expect "$(grep -c ': smaller' instances/ftest_api/trace)" 1 "later entries in the buffer"
	expect "$(grep -c ': last' instances/ftest_api/trace)" 1 "last entries in the buffer"
	call array_destroy
	put 0 snapshot
}

trace_seq()
{
	call seq
	call seq_full
}

no_instance()
{
	call null_array
}

instance()
{
	call array
	expect "$(grep -c 'run_array: number 7$' instances/ftest_api/trace)" 1 "formatted entries"
	expect "$(grep -c 'run_array: text$' instances/ftest_api/trace)" 1 "constant entries"
	expect "$(nr_events)" 0 "entries outside the instance"
	call array_destroy
	expect_false "the instance is still there" [ -d instances/ftest_api ]
}

instance_events()
{
	[ -d events/sched ] || skip "no events here"
	call array_events
	expect_file instances/ftest_api/events/sched/sched_wakeup/enable 1
	expect_file instances/ftest_api/events/sched/sched_switch/enable 0
	expect_file events/sched/enable 0
	call array_destroy
}

instance_in_use()
{
	call array_busy
	expect_false "the instance is still there" [ -d instances/ftest_api ]
}

own_type()
{
	call own_type
	expect "$(grep -c ': own type: 7$' trace)" 1 "entries of the type"
	drop_module ftest_api
	expect "$(grep -c ': Unknown type ' trace)" 1 "entries of an unregistered type"
}

# The module is unloaded while entries of its type are printed.
own_type_goes()
{
	in_background sh -c 'while :; do cat trace; done > /dev/null'
	in_background "$FILEOP" read r trace_pipe > /dev/null
	for _ in $(rounds 10); do
		call own_type
		drop_module ftest_api
	done
	end_all_background
	expect "$(grep -c ': own type: ' trace)" 0 "entries of unregistered types"
}

testcase tracing_off "tracing_off() and tracing_on() switch recording off and on"
testcase snapshot "tracing_snapshot_alloc() and tracing_snapshot() take snapshots"
testcase snapshot_cond "a module takes snapshots on a condition"
testcase trace_seq "trace_seq accepts formatted text and bitmaps until it is full"
testcase no_instance "functions that write to an instance reject NULL"
testcase instance "a module can create an instance and write to it"
testcase instance_events "a module can enable events in its instance"
testcase instance_in_use "an instance with a user is not destroyed"
testcase own_type "a module can register an entry type"
testcase own_type_goes "a module can be unloaded while entries of its type are read"
finish
