#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# The tracer mmiotrace. It needs 16 KiB or more of memory that the kernel does not use, reserved
# by "memmap=SIZE$ADDRESS" on the command line, and CONFIG_MMIOTRACE_TEST.
# shellcheck source=functions.sh

. "$(dirname "$0")/functions.sh"

# The text of a log, without times
TIME='[0-9]*\.[0-9]*'

reset_more()
{
	drop_module testmmiotrace
	[ ! -d instances/ftest ] || rmdir instances/ftest
}

need_mmiotrace()
{
	grep -qw mmiotrace available_tracers || skip "no tracer mmiotrace"
}

# run_test: the base's module accesses the memory: 8, 16 and 32 bit writes, then reads, and then
# ten mappings without an access
run_test()
{
	address=$(sed -n 's/.*memmap=[0-9a-fA-FxKMG]*\$\(0x[0-9a-f]*\).*/\1/p' /proc/cmdline)
	[ -n "$address" ] || skip "no memmap= on the command line"
	module=$(find /lib/modules -name testmmiotrace.ko)
	[ -n "$module" ] || skip "no module testmmiotrace"
	insmod "$module" mmio_address="$address" read_far=0 || fail "cannot load testmmiotrace"
}

use()
{
	need_mmiotrace
	put 4096 buffer_size_kb
	put mmiotrace current_tracer
}

online()
{
	cat /sys/devices/system/cpu/online
}

# line NUMBER PATTERN...: NUMBER lines of the log match the pattern
lines()
{
	lines_want=$1
	shift
	expect "$(grep -c "^$*\$" "$SCRATCH/log")" "$lines_want" "lines of the form $*"
}

# written WIDTH OFFSET: prints the values that were written there, and read
written()
{
	for written_op in W R; do
		sed -n "s/^$written_op $1 $TIME [0-9]* $(printf '0x%x' $((address + $2))) //p" \
			"$SCRATCH/log"
	done | tr '\n' ,
}

records()
{
	use
	run_test
	cat trace > "$SCRATCH/log"
	lines 256 "W 1 $TIME [0-9]* 0x[0-9a-f]* 0x[0-9a-f]* 0x0 0"
	lines 256 "R 1 $TIME [0-9]* 0x[0-9a-f]* 0x[0-9a-f]* 0x0 0"
	lines 2048 "W 2 $TIME [0-9]* 0x[0-9a-f]* 0x[0-9a-f]* 0x0 0"
	lines 2048 "R 2 $TIME [0-9]* 0x[0-9a-f]* 0x[0-9a-f]* 0x0 0"
	lines 2816 "W 4 $TIME [0-9]* 0x[0-9a-f]* 0x[0-9a-f]* 0x0 0"
	lines 2816 "R 4 $TIME [0-9]* 0x[0-9a-f]* 0x[0-9a-f]* 0x0 0"
	lines 0 "UNKNOWN .*"
	# The module uses these formulas
	expect "$(written 1 255)" "0xff 0x0 0,0xff 0x0 0," "a byte"
	expect "$(written 2 1024)" "$(printf '0x%x 0x0 0,' $((1024 * 12 + 7)) $((1024 * 12 + 7)))" \
	       "two bytes"
	value=$(((16380 * 212371 + 13) & 0xffffffff))
	expect "$(written 4 16380)" "$(printf '0x%x 0x0 0,' $value $value)" "four bytes"
}

mappings()
{
	use
	run_test
	cat trace > "$SCRATCH/log"
	lines 1 "MAP $TIME [0-9]* $address 0x[0-9a-f]* 0x4000 0x0 0"
	lines 10 "MAP $TIME [0-9]* $address 0x[0-9a-f]* 0x1000 0x0 0"
	lines 11 "UNMAP $TIME [0-9]* 0x0 0"
	# An access has the id of its mapping
	id=$(sed -n "s/^MAP $TIME \([0-9]*\) .* 0x4000 0x0 0\$/\1/p" "$SCRATCH/log")
	grep '^[RW] ' "$SCRATCH/log" | cut -d ' ' -f 4 | sort -u > "$SCRATCH/ids"
	expect_file "$SCRATCH/ids" "$id"
	expect "$(grep -c "^UNMAP $TIME $id " "$SCRATCH/log")" 1 "ends of this mapping"
}

markers()
{
	use
	echo "X is up" > trace_marker
	run_test
	cat trace > "$SCRATCH/log"
	lines 1 "MARK $TIME X is up"
	lines 1 "MARK $TIME Write test\."
	lines 1 "MARK $TIME Read errors: 8-bit 0, 16-bit 0, 32-bit 0\."
}

# Fields of a PCI device are separated by single spaces.
pci_devices()
{
	[ ! -f /proc/bus/pci/devices ] ||
		sed -e 's/[[:blank:]]\+/ /g' -e 's/^/PCIDEV /' /proc/bus/pci/devices
}

preface()
{
	use
	echo first > trace_marker
	pci_devices > "$SCRATCH/devices"
	timeout 2 cat trace_pipe > "$SCRATCH/log" 2> /dev/null
	expect "$(head -n 1 "$SCRATCH/log")" "VERSION 20070824" "first line of trace_pipe"
	sed -e 1d -e '/^MARK/,$d' "$SCRATCH/log" > "$SCRATCH/shown"
	expect_file "$SCRATCH/shown" "$(cat "$SCRATCH/devices")"
	expect "$(grep -c '^MARK .* first$' "$SCRATCH/log")" 1 "entries after that"
	grep -v '^#' trace > "$SCRATCH/log"
	{ echo "VERSION 20070824"; cat "$SCRATCH/devices"; } > "$SCRATCH/shown"
	expect_file "$SCRATCH/log" "$(cat "$SCRATCH/shown")"
}

# One CPU remains online, because accesses of other CPUs could be missed.
cpus()
{
	before=$(online)
	use
	expect "$(online)" 0 "CPUs while the tracer runs"
	put nop current_tracer
	expect "$(online)" "$before" "CPUs afterwards"
}

lost()
{
	need_mmiotrace
	put 64 buffer_size_kb
	put mmiotrace current_tracer
	run_test
	echo 0 > tracing_on
	cat trace_pipe > "$SCRATCH/log"
	nr_lost=$(sed -n "s/^MARK $TIME Lost \([0-9]*\) events\.\$/\1/p" "$SCRATCH/log")
	nr_read=$(grep -c -e '^[RW] ' -e '^MAP ' -e '^UNMAP ' "$SCRATCH/log")
	nr_marks=$(grep -c '^MARK' "$SCRATCH/log")
	# including the line about lost entries, and four lines of the module
	expect "$((nr_read + ${nr_lost:-0} + nr_marks - 1))" $((2 * 5120 + 22 + 4)) \
	       "lost (${nr_lost:-none}) and read ($nr_read and $nr_marks)"
	expect_true "some are lost" [ "${nr_lost:-0}" -gt 1000 ]
	expect "$(grep -c '^CPU:' "$SCRATCH/log")" 0 "lines without a keyword"
	put nop current_tracer
	expect "$(log_since_mark | grep -c 'mmiotrace has lost events')" 1 "messages in the log"
}

# A mapping that still exists when the tracer stops is no longer traced.
stops()
{
	use
	put nop current_tracer
	run_test
	expect "$(nr_events)" 0 "entries without the tracer"
}

instance()
{
	need_mmiotrace
	mkdir instances/ftest || skip "no instances"
	put 4096 instances/ftest/buffer_size_kb
	put mmiotrace instances/ftest/current_tracer
	expect_write EBUSY w current_tracer 'mmiotrace\n'
	expect_file current_tracer nop
	run_test
	cat instances/ftest/trace > "$SCRATCH/log"
	lines 2816 "W 4 .*"
	lines 1 "MARK $TIME Write test\."
	expect "$(nr_events)" 0 "entries of the top instance"
}

testcase records "each access is a line, with the value that was read or written"
testcase mappings "mappings are recorded, and accesses name them"
testcase markers "text of users and of drivers is recorded between accesses"
testcase preface "the version and the PCI devices are the first lines"
testcase cpus "one CPU is online while the tracer runs"
testcase lost "lost entries are counted, and the kernel's log has a warning"
testcase stops "nothing is recorded without the tracer"
testcase instance "one instance has the tracer, and all of its entries"
finish
