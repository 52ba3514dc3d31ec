#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# The branch profiler, and the tracer and the option "branch".
# shellcheck source=functions.sh

. "$(dirname "$0")/functions.sh"

[ -f trace_stat/branch_annotated ] || skip_all "branches are not profiled here"

# count FILE FUNCTION: adds up the two counts of the branches of a function
count()
{
	awk -v name="$2" '$4 == name { sum += $1 + $2 } END { print sum + 0 }' "trace_stat/$1"
}

# reads: calls vfs_read(), which has annotated branches, some ten times
reads()
{
	for _ in 1 2 3 4 5 6 7 8 9 10; do
		read -r _ < trace_clock
	done
}

counted()
{
	for file in branch_annotated branch_all; do
		[ -f trace_stat/$file ] || continue
		before=$(count $file vfs_read)
		reads
		after=$(count $file vfs_read)
		expect_true "$file: $before, then $after" [ "$after" -ge $((before + 10)) ]
		expect "$(sed -n 2p trace_stat/$file)" \
" ------- ---------  -        --------                  ----              ----" "$file"
	done
}

# From most to least often wrong, and those that did not run last.
sorted()
{
	expect_true "branches in the file" [ "$(wc -l < trace_stat/branch_annotated)" -gt 100 ]
	sed 1,2d trace_stat/branch_annotated | awk '{ print $3 == "X" ? -1 : $3 }' > "$SCRATCH/is"
	sort -rn "$SCRATCH/is" > "$SCRATCH/sorted"
	expect_true "the worst are first" cmp -s "$SCRATCH/is" "$SCRATCH/sorted"
	expect_true "not all are right" [ "$(head -n 1 "$SCRATCH/is")" -gt 0 ]
}

have_tracer()
{
	grep -qw branch available_tracers || skip "no tracer branch"
}

# branches: prints the number of branches in the trace
branches()
{
	grep -c '\[\(  ok  \| MISS \)\] [^:]*:[^:]*:[0-9]*$' trace
}

tracer()
{
	have_tracer
	put branch current_tracer
	reads
	put 0 tracing_on
	expect_true "branches of read()" \
		    grep -q '\[\(  ok  \| MISS \)\] vfs_read:read_write\.c:[0-9]*$' trace
	expect_true "wrong ones" grep -q '\[ MISS \]' trace
	put nop current_tracer
	put 1 tracing_on
	reads
	expect "$(branches)" 0 "branches after the end"
}

# The option makes other tracers record branches, too; both together record each branch once.
option()
{
	have_tracer
	put vfs_read set_ftrace_filter
	put function current_tracer
	put 1 options/branch
	reads
	put 0 options/branch
	expect_true "branches" [ "$(branches)" -gt 0 ]
	expect_true "functions" grep -q ': vfs_read <-' trace
	: > trace
	reads
	expect "$(branches)" 0 "branches without the option"
	put branch current_tracer
	put 1 options/branch
	put nop current_tracer
	: > trace
	reads
	expect_true "branches with the option alone" [ "$(branches)" -gt 0 ]
	put 0 options/branch
	: > trace
	reads
	expect "$(branches)" 0 "branches after both"
}

instance()
{
	have_tracer
	mkdir instances/ftest || fail "cannot make an instance"
	put branch instances/ftest/current_tracer
	expect_write EBUSY w current_tracer 'branch\n'
	expect_write EBUSY w options/branch '1\n'
	expect_file options/branch 0
	reads
	expect_true "branches in the instance" grep -q 'vfs_read:read_write' instances/ftest/trace
	expect "$(branches)" 0 "branches elsewhere"
	put nop instances/ftest/current_tracer
	put 1 instances/ftest/options/branch
	rmdir instances/ftest || fail "the instance stays"
	put branch current_tracer
	put nop current_tracer
}

format()
{
	have_tracer
	expect "$(sed -n 's/.*field:\([^;]*\);.*/\1/p' events/ftrace/branch/format | sed 1,4d)" \
"$(printf '%s\n' 'unsigned int line' 'char func[31]' 'char file[21]' 'char correct' \
		 'char constant')" "fields"
	put branch current_tracer
	reads
	put 0 tracing_on
	put 1 options/raw
	expect_true "raw" grep -q ' [01]:vfs_read:read_write\.c:[0-9]*$' trace
	put 0 options/raw
}

testcase counted "each branch that runs is counted"
testcase sorted "the branches that are most often wrong come first"
testcase tracer "the tracer records branches, and whether they went as expected"
testcase option "the option makes any tracer record branches"
testcase instance "one instance records branches"
testcase format "the format of branches is as documented"
finish
