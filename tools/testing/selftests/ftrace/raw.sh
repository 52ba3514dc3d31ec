#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# per_cpu/cpuN/trace_pipe_raw and snapshot_raw: the pages as tools take them, by read, splice
# and mmap. Their content matches the text files.
# shellcheck source=functions.sh

. "$(dirname "$0")/functions.sh"

RAW=per_cpu/cpu0/trace_pipe_raw
[ -x "$HERE/rawop" ] || skip_all "no rawop, see README"

# rawop HOW [FILE]: takes pages by HOW, and prints their entries
rawop()
{
	"$HERE/rawop" "$1" "${2:-$RAW}" $(($(cat buffer_subbuf_size_kb) * 1024))
}

# fill FROM TO: writes entries with these numbers on CPU 0
fill()
{
	taskset 1 sh -c "i=$1; while [ \$i -lt $2 ]; do
		echo \"number \$i of many that fill the buffer$pad\"; i=\$((i + 1))
	done > trace_marker"
}

# marks FROM TO: prints the texts of these entries
marks()
{
	i=$1
	while [ "$i" -lt "$2" ]; do
		echo "number $i of many that fill the buffer$pad"
		i=$((i + 1))
	done
}

# pages HOW: takes all pages. A splice may leave the last page, which is not full, for a read.
pages()
{
	rawop "$1"
	case $1 in splice | tee) rawop read ;; esac
}

# Each way returns all entries, once.
ways()
{
	marks 0 300 > "$SCRATCH/want"
	for how in read splice tee map; do
		: > trace
		put 1 tracing_on
		fill 0 300
		put 0 tracing_on
		pages $how > "$SCRATCH/got"
		expect_true "pages by $how" cmp "$SCRATCH/got" "$SCRATCH/want"
		expect "$(nr_events per_cpu/cpu0/trace)" 0 "entries left after $how"
		expect "$(rawop $how)" '' "entries that are returned again"
	done
}

# Numbers and losses leave no gap.
lost()
{
	for how in read splice map; do
		put $((2 * page_kb)) buffer_size_kb
		: > trace
		put 1 tracing_on
		fill 0 700
		put 0 tracing_on
		pages $how > "$SCRATCH/got"
		awk '/^lost/ { next_nr += $2; lost += $2; next }
		     { if ($2 != next_nr) print "line", NR; next_nr = $2 + 1 }
		     END { if (next_nr != 700 || !lost) print "ends at", next_nr }' \
			"$SCRATCH/got" > "$SCRATCH/gaps"
		expect "$(cat "$SCRATCH/gaps")" '' "gaps in the entries by $how"
	done
}

larger_pages()
{
	put $((4 * page_kb)) buffer_subbuf_size_kb
	marks 0 600 > "$SCRATCH/want"
	for how in read splice; do
		put 1 tracing_on
		fill 0 600
		put 0 tracing_on
		pages $how > "$SCRATCH/got"
		expect_true "large pages by $how" cmp "$SCRATCH/got" "$SCRATCH/want"
	done
}

# The pages have only the function that was called.
functions()
{
	put vfs_open set_ftrace_filter
	put function current_tracer
	taskset 1 "$FILEOP" read r /proc/uptime > /dev/null 2>&1
	put 0 tracing_on
	lines=$(nr_events per_cpu/cpu0/trace)
	expect "$(rawop read)" "other $lines" "entries in the pages"
}

of_snapshot()
{
	[ -f snapshot ] || skip "no snapshots"
	fill 0 50
	put 1 snapshot
	fill 50 60
	marks 0 50 > "$SCRATCH/want"
	rawop read per_cpu/cpu0/snapshot_raw > "$SCRATCH/got"
	expect_true "pages of the snapshot" cmp "$SCRATCH/got" "$SCRATCH/want"
	expect "$("$HERE/rawop" splice_some r per_cpu/cpu0/snapshot_raw 65536)" 0 "pages left"
	marks 50 60 > "$SCRATCH/want"
	rawop read > "$SCRATCH/got"
	expect_true "pages of the buffer" cmp "$SCRATCH/got" "$SCRATCH/want"
	put 0 snapshot
}

# A page that is spliced outlives the snapshot, and need not be full.
snapshot_spliced()
{
	[ -f snapshot ] || skip "no snapshots"
	put 0 snapshot
	expect "$("$HERE/rawop" splice_some r per_cpu/cpu0/snapshot_raw 65536)" 0 "no snapshot"
	fill 0 150
	marks 0 150 > "$SCRATCH/want"
	put 1 snapshot
	rawop splice per_cpu/cpu0/snapshot_raw > "$SCRATCH/got"
	expect_true "pages of the snapshot" cmp "$SCRATCH/got" "$SCRATCH/want"
	fill 150 160
	marks 150 160 > "$SCRATCH/want"
	put 1 snapshot
	in_background "$HERE/rawop" hold splice per_cpu/cpu0/snapshot_raw > "$SCRATCH/got"
	pid=$background_pid
	expect_true "it has a page" wait_for 10 grep -q held "$SCRATCH/got"
	put 0 snapshot
	end_background "$pid"
	expect "$(sed 1d "$SCRATCH/got" | cmp - "$SCRATCH/want" 2>&1)" '' "the page in the pipe"
}

bad()
{
	expect "$("$FILEOP" read rn $RAW 2> /dev/null)" EAGAIN "an empty buffer"
	expect_write EINVAL w $RAW 'x\n'
	fill 0 10
	expect "$("$FILEOP" read rn $RAW 0 2> /dev/null)" 0 "a read of nothing"
	expect "$(rawop read | wc -l)" 10 "entries after it"
	percent=$(cat buffer_percent)
	for bytes in '' '\n' '101\n' '-1\n' 'x\n'; do
		expect_write EINVAL w buffer_percent "$bytes"
		expect_file buffer_percent "$percent"
	done
}

testcase ways "pages can be taken by read, splice and mmap"
testcase lost "lost entries are reported in the page that follows them"
testcase larger_pages "larger pages can be taken by read and splice"
testcase functions "pages have the entries of the function tracer"
testcase of_snapshot "snapshot_raw has the pages of the snapshot"
testcase snapshot_spliced "snapshot_raw can be spliced, into a pipe that outlives it"
testcase bad "invalid reads and writes are rejected"
finish
