#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Events of system calls: the system syscalls.
# shellcheck source=functions.sh

. "$(dirname "$0")/functions.sh"

[ -d events/syscalls ] || skip_all "no events of system calls here"

ENTER=events/syscalls/sys_enter_write
EXIT=events/syscalls/sys_exit_write

formats()
{
	expect "$(sed 's/^ID: .*/ID:/' $ENTER/format)" "name: sys_enter_write
ID:
format:
	field:unsigned short common_type;	offset:0;	size:2;	signed:0;
	field:unsigned char common_flags;	offset:2;	size:1;	signed:0;
	field:unsigned char common_preempt_count;	offset:3;	size:1;	signed:0;
	field:int common_pid;	offset:4;	size:4;	signed:1;

	field:int __syscall_nr;	offset:8;	size:4;	signed:1;
	field:unsigned int fd;	offset:16;	size:8;	signed:0;
	field:const char * buf;	offset:24;	size:8;	signed:0;
	field:size_t count;	offset:32;	size:8;	signed:0;

print fmt: \"fd: 0x%08lx, buf: 0x%08lx, count: 0x%08lx\", ((unsigned long)(REC->fd)), ((unsigned long)(REC->buf)), ((unsigned long)(REC->count))" \
	       "format of sys_enter_write"
	expect "$(sed -n '9,$p' $EXIT/format)" \
"	field:int __syscall_nr;	offset:8;	size:4;	signed:1;
	field:long ret;	offset:16;	size:8;	signed:1;

print fmt: \"0x%lx\", REC->ret" "format of sys_exit_write"
	expect "$(grep -h '^print' events/syscalls/sys_exit_*/format | sort -u)" \
	       'print fmt: "0x%lx", REC->ret' "formats of all returns"
	expect "$(sed -n 's/^print fmt: //p' events/syscalls/sys_enter_getpid/format)" '""' \
	       "format of a call without arguments"
	expect "$(find events/syscalls -name 'sys_enter_*' | wc -l)" \
	       "$(find events/syscalls -name 'sys_exit_*' | wc -l)" "pairs"
	# sys_ni_syscall() is shared by all unused numbers
	expect_false "sys_ni_syscall has events" [ -e events/syscalls/sys_enter_ni_syscall ]
}

entries()
{
	in_instance
	put 'count == 5' $ENTER/filter
	put 1 $ENTER/enable
	printf 'five!' > /dev/null
	printf 'seven!!' > /dev/null
	put 0 $ENTER/enable
	expect "$(events | sed 's/.*: sys_write(/sys_write(/; s/buf: [0-9a-f]*/buf: X/')" \
	       'sys_write(fd: 1, buf: X, count: 5)' "entries of write"
	put 'ret == 5' $EXIT/filter
	: > trace
	put 1 $EXIT/enable
	printf 'five!' > /dev/null
	put 0 $EXIT/enable
	expect "$(events | sed 's/.*: sys_write/sys_write/')" 'sys_write -> 0x5' \
	       "entries of its return"
	printf 'five!' > /dev/null
	expect "$(nr_events)" 1 "entries when it is disabled"
}

strings_of_users()
{
	in_instance
	put 'filename.ustring ~ "*/uptime"' events/syscalls/sys_enter_openat/filter
	put 1 events/syscalls/sys_enter_openat/enable
	read_something
	cat /proc/version > /dev/null
	cat /proc/uptime > /dev/null
	put 0 events/syscalls/sys_enter_openat/enable
	expect_true "entries of the file" [ "$(nr_events)" -ge 1 ]
	put 'filename.ustring ~ "*/no_such"' events/syscalls/sys_enter_openat/filter
	: > trace
	put 1 events/syscalls/sys_enter_openat/enable
	cat /proc/uptime > /dev/null
	put 0 events/syscalls/sys_enter_openat/enable
	expect "$(nr_events)" 0 "entries of another file"
	put 'filename.ustring == ""' events/syscalls/sys_enter_openat/filter
	: > trace
	put 1 events/syscalls/sys_enter_openat/enable
	expect "$("$FILEOP" read r '')" open:ENOENT "a file without a name"
	cat /proc/uptime > /dev/null
	put 0 events/syscalls/sys_enter_openat/enable
	expect "$(nr_events)" 1 "entries of an empty string"
}

# A string that cannot be read matches no filter.
strings_that_fault()
{
	in_instance
	: > "$SCRATCH/file"
	for filter in 'buf.ustring ~ "*"' 'buf.ustring != "x"'; do
		put "$filter && count == 16" $ENTER/filter
		: > trace
		put 1 $ENTER/enable
		expect "$("$FILEOP" fault w "$SCRATCH/file")" EFAULT \
		       "a write from an unmapped address"
		printf '0123456789abcdef' > /dev/null
		put 0 $ENTER/enable
		expect "$(nr_events)" 1 "entries with $filter"
	done
}

triggers()
{
	in_instance
	put 'traceoff:1 if count == 5' $ENTER/trigger
	printf 'seven!!' > /dev/null
	expect_file tracing_on 1
	printf 'five!' > /dev/null
	expect_file tracing_on 0
	put 1 tracing_on
	put '!traceoff' $ENTER/trigger
	put 'traceoff:1' $EXIT/trigger
	printf 'any' > /dev/null
	expect_file tracing_on 0
	expect_file $EXIT/trigger traceoff:count=0
	expect "$(nr_events)" 0 "entries of events that are not enabled"
}

# An event of a system call enables the event of its return.
triggers_enable()
{
	in_instance
	put 'enable_event:syscalls:sys_exit_write:1 if count == 5' $ENTER/trigger
	expect_file $EXIT/enable '0*'
	printf 'seven!!' > /dev/null
	expect_file $EXIT/enable '0*'
	expect "$(nr_events)" 0 "entries before"
	printf 'five!' > /dev/null
	expect_file $EXIT/enable '1*'
	expect "$(events | head -n 1 | sed 's/.*: sys_write/sys_write/')" 'sys_write -> 0x5' \
	       "the entry of the return"
	expect "$(events | grep -c ': sys_write(')" 0 "entries of the event with the trigger"
	put 'disable_event:syscalls:sys_exit_write if ret == 7' $EXIT/trigger
	expect_file $EXIT/enable '1*'
	printf 'seven!!' > /dev/null
	expect_file $EXIT/enable '0*'
	put '!disable_event:syscalls:sys_exit_write' $EXIT/trigger
	put '!enable_event:syscalls:sys_exit_write' $ENTER/trigger
	expect_file $EXIT/enable 0
}

all_of_them()
{
	in_instance
	put 1 events/syscalls/enable
	expect_file events/syscalls/enable 1
	"$FILEOP" read r /proc/uptime > /dev/null
	expect_true "a call and its return" \
		    sh -c "grep -q ': sys_execve(' trace && grep -q ': sys_close -> 0x0' trace"
	put 0 events/syscalls/enable
	expect_file ../../events/syscalls/enable 0
}

# The number of a 32-bit call stands for a different 64-bit call.
compat()
{
	in_instance
	[ "$("$FILEOP" compat)" = 5 ] || skip "no 32-bit system calls here"
	put 1 events/syscalls/enable
	put 1 events/raw_syscalls/enable
	"$FILEOP" compat > /dev/null
	put 0 events/raw_syscalls/enable
	put 0 events/syscalls/enable
	expect "$(grep -c ': sys_enter: NR 4 ([0-9a-f]*, [0-9a-f]*, 5,' trace)" 1 \
	       "entries of raw_syscalls with the number of a 32-bit call"
	expect "$(grep -c ': sys_\(newstat\|stat\)\>' trace)" 0 \
	       "entries of the 64-bit call with that number"
}

under_load()
{
	in_instance
	load_start
	"$FILEOP" race 100 events/syscalls/enable '1 ' '0 ' > /dev/null
	"$FILEOP" race 100 $ENTER/enable '1 ' '0 ' > /dev/null
	load_stop
	put 0 events/syscalls/enable
	expect_file events/syscalls/enable 0
}

slowcase formats "formats have the arguments by their names"
testcase entries "a call and its return make entries"
testcase strings_of_users "filters can match strings in user space"
testcase strings_that_fault "user space strings that cannot be read match no filter"
testcase triggers "triggers on system calls work"
testcase triggers_enable "triggers of system calls enable and disable other events"
testcase all_of_them "all system calls can be traced"
testcase compat "32-bit system calls are not recorded as 64-bit calls"
testcase under_load "events of system calls can be switched under load"
finish
