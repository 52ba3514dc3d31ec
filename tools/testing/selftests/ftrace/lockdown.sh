#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Lockdown: nobody opens a file of tracefs any more, root neither; what is open goes on.
# Cannot be undone: wants a boot of its own. A kernel that was locked down when it booted
# has no files at all.
# shellcheck source=functions.sh

LOCKDOWN=/sys/kernel/security/lockdown
TRACEFS=${TRACEFS:-/sys/kernel/tracing}

[ -f $LOCKDOWN ] || mount -t securityfs nodev /sys/kernel/security 2> /dev/null

if grep -qs '\[confidentiality\]' $LOCKDOWN; then
	echo "TAP version 13"
	mount -t tracefs nodev "$TRACEFS" 2> /dev/null
	if [ -z "$(ls "$TRACEFS")" ]; then
		echo "ok 1 no file is there"
	else
		ls "$TRACEFS" | sed 's/^/# /'
		echo "not ok 1 no file is there"
	fi
	echo "1..1"
	exit
fi

. "$(dirname "$0")/functions.sh"

[ -f $LOCKDOWN ] || skip_all "no lockdown"
# no case can set anything right after the first
tracing_is_dead=yes
put vfs_open set_ftrace_filter
put function current_tracer
exec 3< available_filter_functions 4> set_ftrace_notrace
echo confidentiality > $LOCKDOWN
reset_tracing()
{
	:
}

files()
{
	find . -type f > "$SCRATCH/files"
	expect_true "there are files" [ "$(wc -l < "$SCRATCH/files")" -gt 50 ]
	while read -r file; do
		for mode in r w rw wt; do
			expect "$("$FILEOP" open $mode "$file")" open:EPERM "open $mode of $file"
		done
	done < "$SCRATCH/files"
}

others()
{
	expect "$("$FILEOP" open ru trace)" open:EACCES "open of trace"
	expect_false "a new instance" mkdir instances/one
	expect "$(cat $FTRACE_ENABLED)" 1 "kernel.ftrace_enabled"
}

# Who had the files open before may go on; nothing breaks when they are closed.
open_files()
{
	expect_true "a list goes on" [ "$(wc -l <&3)" -gt 100 ]
	expect_true "a filter is written" sh -c 'echo vfs_read >&4'
	exec 3<&- 4>&-
	expect_true "the kernel goes on" ls /proc/self
}

testcase files "no file can be opened"
testcase others "no other way"
testcase open_files "files that were open before"
finish
