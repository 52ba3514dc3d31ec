#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Lockdown: files of tracefs can no longer be opened, not even by root; files that are already
# open continue to work. Lockdown cannot be undone, so this needs its own boot. A kernel that is
# locked down from boot on shows no files at all.
# shellcheck source=functions.sh

LOCKDOWN=/sys/kernel/security/lockdown
TRACEFS=${TRACEFS:-/sys/kernel/tracing}

# An empty directory to mount on also has no files.
no_files()
{
	grep " $TRACEFS tracefs " /proc/mounts | sed 's/^/# /'
	ls "$TRACEFS" | sed 's/^/# /'
	grep -q " $TRACEFS tracefs " /proc/mounts && [ -z "$(ls "$TRACEFS")" ]
}

# Only the log and the names of trampolines are still visible.
no_tracer()
{
	dmesg | grep -q 'tracing: ftrace=[a-z]*: error' &&
		! grep -q '__builtin__ftrace' /proc/kallsyms
}

[ -f $LOCKDOWN ] || mount -t securityfs nodev /sys/kernel/security 2> /dev/null

if grep -qs '\[confidentiality\]' $LOCKDOWN; then
	. "$(dirname "$0")/../kselftest/ktap_helpers.sh"
	ktap_print_header
	ktap_set_plan 2
	grep -q " $TRACEFS tracefs " /proc/mounts || mount -t tracefs nodev "$TRACEFS" 2>&1 |
		sed 's/^/# /'
	ktap_test_result "lockdown.from-boot: a kernel locked down from boot on shows no file" \
			 no_files
	if grep -q 'ftrace=' /proc/cmdline; then
		ktap_test_result "lockdown.no-tracer: ftrace= starts no tracer" no_tracer
	else
		ktap_test_skip "lockdown.no-tracer: no ftrace= on the command line"
	fi
	ktap_finished
fi

. "$(dirname "$0")/functions.sh"

[ -f $LOCKDOWN ] || skip_all "no lockdown"
put vfs_open set_ftrace_filter
put function current_tracer
exec 3< available_filter_functions 5< trace_pipe 6> trace_marker
mkfifo "$SCRATCH/go"
sh -c "exec 4> set_ftrace_notrace
       echo > $SCRATCH/open; read -r _ < $SCRATCH/go
       echo vfs_open >&4 && exec 4>&- && : > $SCRATCH/written" > /dev/null 2>&1 &
wait_for 10 [ -f "$SCRATCH/open" ] || fail "set_ftrace_notrace is not open"
find . -type f > "$SCRATCH/files"
echo confidentiality > $LOCKDOWN
# Settings can no longer be undone
reset_tracing()
{
	:
}

opening()
{
	expect_true "there are files" [ "$(wc -l < "$SCRATCH/files")" -gt 50 ]
	while read -r file; do
		for mode in r w rw wt; do
			expect "$("$FILEOP" open $mode "$file")" open:EPERM "open $mode of $file"
		done
	done < "$SCRATCH/files"
}

# calls_until MARK: reads trace_pipe up to this marker, and counts the calls of vfs_open
calls_until()
{
	calls=0
	while read -r line <&5; do
		case $line in
		*"tracing_mark_write: $1") return ;;
		*': vfs_open <-'*) calls=$((calls + 1)) ;;
		esac
	done
}

open_files()
{
	expect_true "the list can be read to its end" [ "$(wc -l <&3)" -gt 100 ]
	read_something
	echo first >&6
	calls_until first
	expect_true "calls are read from the open trace_pipe" [ $calls -gt 0 ]
	# A filter takes effect when the file is closed
	echo > "$SCRATCH/go"
	expect_true "the open set_ftrace_notrace is written" wait_for 10 [ -f "$SCRATCH/written" ]
	echo second >&6
	calls_until second
	read_something
	echo third >&6
	calls_until third
	expect $calls 0 "calls of the function that is not to be traced"
}

no_instances()
{
	[ -d instances ] || skip "no instances here"
	before=$(ls instances)
	expect "$(LC_ALL=C mkdir instances/locked 2>&1 | sed 's/.*: //')" \
		"Operation not permitted" "mkdir"
	expect "$(ls instances)" "$before" "instances"
}

testcase opening "files cannot be opened"
testcase open_files "files that were opened before continue to work"
testcase no_instances "instances cannot be created"
finish
