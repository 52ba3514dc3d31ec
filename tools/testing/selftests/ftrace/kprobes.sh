#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Probe events in the kernel: kprobe_events, dynamic_events, kprobe_profile.
# shellcheck source=functions.sh

. "$(dirname "$0")/functions.sh"
# shellcheck source=probes.sh
. "$(dirname "$0")/probes.sh"

[ -f kprobe_events ] || skip_all "no kprobe events here"

K=events/kprobes

# registers: of the first two arguments, and with the address of the probe
case $(uname -m) in
x86_64) REG=%di SECOND=%si IP=%ip ;;
*) REG=%x0 SECOND=%x1 IP=%pc ;;
esac

PROBE_FILE=kprobe_events

reset_more()
{
	undefine_all kprobes ftest
}

# call ARG: calls call_args() of ftest_target with ARG in all arguments
call()
{
	put "$1" "$(param ftest_target args)"
}

files()
{
	expect "$(stat -c %a kprobe_events dynamic_events kprobe_profile | tr '\n' ' ')" \
		'640 640 440 ' modes
	expect_file kprobe_events ''
	define 'p:first vfs_read' 'r:ftest/second vfs_read' 'p vfs_open+0 a=$arg1'
	expect_file kprobe_events 'p:kprobes/first vfs_read
r:ftest/second vfs_read
p:kprobes/p_vfs_open_0 vfs_open a=$arg1'
	expect "$(cat dynamic_events)" "$(cat kprobe_events)" dynamic_events
	expect_true "a directory" [ -f $K/first/format ]
	expect_true "the directory of another group" [ -f events/ftest/second/trigger ]
	expect_formats 3 $K/*/format events/ftest/*/format
	put_more '-:first' kprobe_events
	expect_false "the directory of a removed event" [ -e $K/first ]
	put_more '-:ftest/' dynamic_events
	expect_file kprobe_events 'p:kprobes/p_vfs_open_0 vfs_open a=$arg1'
	put '# nothing' kprobe_events
	expect_file kprobe_events ''
	expect_false "the directory of a removed group" [ -e $K ]
}

# Each line that is shown defines the same event again.
written_back()
{
	open=$(awk '$3 == "vfs_open" { print $1 }' /proc/kallsyms)
	define 'p:g1/all do_sys_openat2 a=$arg1:s32 c=$comm d=\-1 e=@jiffies f=$stack3' \
		"p:g1/memory do_sys_openat2 b=+8(+u4($REG)):x8[4]" \
		'r20:g1/ret vfs_read a=$retval:s64 $arg1' 'p:g2/two vfs_read' 'p:g2/two vfs_write' \
		'p:later ftest_target:ftest_one+0 $arg1' "p 0x$open"
	expect_written_back kprobe_events
}

numbers()
{
	need_module ftest_target
	define 'p:n call_args a=$arg1 b=$arg2:u64 c=$arg1:s64 d=$arg1:x8 e=$arg1:s16 f=\65:char \7'
	enabled kprobes/n call -3
	expect "$(entries n)" \
"a=0xfffffffffffffffd b=18446744073709551613 c=-3 d=0xfd e=-3 f='A' arg7=0x7" "numbers of each kind"
	define 'p:bits call_args a=$arg1:b4@0/32 b=$arg1:b3@1/8'
	enabled kprobes/bits call 0x5a
	expect "$(entries bits)" 'a=10 b=5' "bits of numbers"
}

# The name of the kernel is a string in memory.
memory()
{
	need_module ftest_target
	text=@linux_banner
	define 'p:m call_args c=$comm'" s=$text:string a=$text:x8[4] b=$text:b4@4/8 t=\\\"now\"" \
		'p:f call_args s=+0($arg1):string n=+8($arg1):u32 l=+0(+0($arg1)):u8'
	enabled kprobes/m call -3
	# The string ends with a newline
	expect "$(events)" "$(events | head -n 1)
\" a={0x4c,0x69,0x6e,0x75} b=4 t=\"now\"" "memory"
	expect_true "the string" grep -qF "c=\"sh\" s=\"$(cat /proc/version)" trace
	enabled kprobes/f call -3
	expect "$(entries f)" 's=(fault) n=0 l=0' "memory that cannot be read"
}

returns()
{
	need_module ftest_target
	define 'r:ret ftest_one v=$retval:s32 x=$arg1:s32' 'p:ret2 ftest_two%return v=$retval:s32'
	enabled kprobes/ret put 3 "$(param ftest_target call)"
	expect "$(entries ret)" 'v=1 x=0
v=2 x=1
v=3 x=2' "return values and arguments"
	expect "$(grep -Ec '\(ftest_caller\+0x.* <- ftest_one( .*)?\)' trace)" 3 "entries"
	enabled kprobes/ret2 put 1 "$(param ftest_target call)"
	expect "$(entries ret2)" 'v=3' "the return value of the other function"
}

# A return that several probes have hooked goes to the caller in each of their entries.
returns_together()
{
	need_module ftest_target
	define 'r:ret ftest_one' 'r:again ftest_one' 'r:third ftest_one'
	enabled kprobes put 2 "$(param ftest_target call)"
	expect "$(events | sed -n 's/.*: (\(ftest_caller\)+0x.* <- \(ftest_one\).*)$/\1 \2/p')" \
"$(printf 'ftest_caller ftest_one\n%.0s' 1 2 3 4 5 6)" "callers of the function"
	expect "$(nr_events)" 6 "entries"
}

user_strings()
{
	define 'p:open do_sys_openat2 name=+0($arg2):ustring u=+u0($arg2):string n=+u0($arg2):x8[4]'
	enabled kprobes/open read_something
	shape='name="/proc/uptime" u="/proc/uptime" n={0x2f,0x70,0x72,0x6f}$'
	expect "$(grep -c "$shape" trace)" 1 "entries"
}

# After the entry of a function, where a breakpoint is needed instead of a call site
inside()
{
	for inside_at in 5 6 7 8 9 10 11 12; do
		! echo "p:in do_sys_openat2+$inside_at u=+0($SECOND):ustring" >> kprobe_events ||
			break
	done 2> /dev/null
	enabled kprobes/in read_something
	expect "$(grep -c 'u="/proc/uptime"$' trace)" 1 "a hit with a string of user space"
	# of irqs-off, need-resched, hardirq and softirq, preempt-depth and migrate-disable
	expect "$(events | grep -c '\] [^ ]*f[^ ]* ')" 0 "depths that no code has"
}

names()
{
	define 'p:f vfs_read n=$arg1:%pD' "p:s vfs_read ip=$IP:symbol t=$IP:symstr"
	enabled kprobes/f read_something
	expect "$(grep -Ec 'n="uptime"$' trace)" 1 "entries"
	enabled kprobes/s read_something
	expect_true "a symbol and its text" grep -Eq \
		'ip=vfs_read\+0x[0-9a-f]+/0x[0-9a-f]+ t="vfs_read\+0x[0-9a-f]+/0x[0-9a-f]+"' trace
}

# Several places can share one event.
several()
{
	need_module ftest_target
	define 'p:two ftest_one x=$arg1:s32' 'p:two ftest_two x=$arg1:s32'
	enabled kprobes/two put 1 "$(param ftest_target call)"
	expect "$(events | sed -n 's/.* two: (\([^+]*\)[^)]*)/\1/p')" 'ftest_one x=0
ftest_two x=1' "hits of both"
	refused '^p:two ftest_two x=$arg1:s32' 'The event has this probe already' EEXIST
	refused '^p:two ftest_three x=$arg1:u32' \
		'The event has arguments of other names or types' EEXIST
	refused '^r:two ftest_three x=$arg1:s32' 'The event has probes of another kind' EEXIST
	put 1 $K/two/enable
	define 'p:two ftest_three x=$arg1:s32'
	: > trace
	put 1 "$(param ftest_target call)"
	expect "$(nr_events)" 3 "hits of one that was added while the event was enabled"
	expect_write EBUSY w kprobe_events '-:two ftest_one\n'
	put 0 $K/two/enable
	put_more '-:two ftest_one' kprobe_events
	expect_file kprobe_events 'p:kprobes/two ftest_two x=$arg1:s32
p:kprobes/two ftest_three x=$arg1:s32'
	enabled kprobes/two put 1 "$(param ftest_target call)"
	expect "$(nr_events)" 2 "hits of the remaining places"
}

# An event in use is not removed, and neither are other events of the write.
busy()
{
	define 'p:one vfs_read' 'p:two vfs_read'
	put 1 $K/two/enable
	expect_write EBUSY w kprobe_events '-:two\n'
	expect_write EBUSY w kprobe_events '-:kprobes/two\n'
	expect_write EBUSY w kprobe_events '-:kprobes/\n'
	expect_false "O_TRUNC" sh -c ': > kprobe_events'
	expect_false "O_TRUNC" sh -c ': > dynamic_events'
	expect_file kprobe_events 'p:kprobes/one vfs_read
p:kprobes/two vfs_read'
	put 0 $K/two/enable
	expect_write ENOENT w kprobe_events '-:three\n'
	expect_write ENOENT w dynamic_events '-:no/two\n'
	mkdir instances/ftest
	put 1 instances/ftest/events/kprobes/one/enable
	expect_write EBUSY w kprobe_events '-:one\n'
	rmdir instances/ftest
	: > kprobe_events
	expect_file dynamic_events ''
}

mistakes()
{
	refused 'p^' 'There is no place' EINVAL
	refused '^x:a vfs_read' 'Unknown command' EINVAL
	refused 'p:^ vfs_read' 'There is no name of an event' EINVAL
	refused 'p:^9a vfs_read' 'Invalid name of an event' EINVAL
	refused 'p:^a-b/c vfs_read' 'Invalid name of a group' EINVAL
	refused 'p^3 vfs_read' 'Only a return probe has a maximum' EINVAL
	refused 'r^x vfs_read' 'Invalid maximum' EINVAL
	refused 'r^5000 vfs_read' 'The maximum is too large' E2BIG
	refused 'p ^no_such_function' 'There is no such symbol' ENOENT
	refused 'p ^/bin/sh:0x40' 'Invalid name of a module' EINVAL
	refused 'p vfs_read^+x' 'Invalid offset' EINVAL
	refused 'p vfs_read^%ret' 'Only %return can follow a symbol' EINVAL
	[ $IP != %ip ] || refused 'p ^vfs_read+1' 'No instruction begins there' EINVAL
	refused 'p vfs_read ^foo' 'Unknown kind of argument' EINVAL
	refused 'p vfs_read $^foo' 'Unknown variable' EINVAL
	refused 'p vfs_read $^arg0' 'Invalid argument number' EINVAL
	refused 'p vfs_read $^arg200' 'Invalid argument number' EINVAL
	refused 'p vfs_read $^retval' 'Only return probes have $retval' EINVAL
	refused 'p vfs_read a=%^no' 'Unknown register' EINVAL
	refused 'p vfs_read @^no_such_symbol' 'There is no such symbol' EINVAL
	refused 'p vfs_read @linux_banner^+x' 'Invalid offset of a symbol' EINVAL
	refused 'p vfs_read \^x' 'Invalid immediate value' EINVAL
	refused 'p vfs_read +^x($arg1)' 'Invalid offset' EINVAL
	refused 'p vfs_read +8($arg1^' 'A bracket is not closed' EINVAL
	refused 'p vfs_read +8^' 'There is no address in brackets' EINVAL
	refused 'p vfs_read +8(^$comm)' 'A string is not an address' EINVAL
	refused 'p vfs_read $arg1:^u7' 'Unknown type' EINVAL
	refused 'p vfs_read $arg1:^string' 'A string is in memory' EINVAL
	refused 'p vfs_read $arg1:^u8[2]' 'An array is in memory' EINVAL
	refused 'p vfs_read +0($arg1):u8[^0]' 'Invalid length of an array' EINVAL
	refused 'p vfs_read +0($arg1):u8[^65]' 'The array is too long' EINVAL
	refused 'p vfs_read +0($arg1):u8[2^' 'An array is closed by ]' EINVAL
	refused 'p vfs_read $comm:^u8' 'A string must have the type string' EINVAL
	refused 'p vfs_read $arg1:b^8@4/8' 'The bitfield is not within its number' EINVAL
	refused 'p vfs_read $arg1:b^8' 'A bitfield is bWIDTH@OFFSET/SIZE' EINVAL
	refused 'p vfs_read ^9=$arg1' 'Invalid name of an argument' EINVAL
	refused 'p vfs_read ^common_pid=$arg1' 'All entries have a field of this name' EINVAL
	refused 'p vfs_read a=$arg1 ^a=$arg2' 'An argument of this name already exists' EINVAL
	refused '^p:sched/sched_switch vfs_read' 'An event of this name already exists' EEXIST
	expect_file kprobe_events ''
}

# Functions that must not be probed, and symbols that are not unique
refused_places()
{
	expect_write EINVAL w kprobe_events 'p notify_die\n'
	# where kprobes use call sites
	! grep -q ' kprobe_ftrace_handler$' /proc/kallsyms ||
		expect_write EINVAL w kprobe_events 'p trace_event_buffer_reserve\n'
	twice=$(awk '$2 ~ /^t$/ && !$4 { print $3 }' /proc/kallsyms | sort | uniq -d |
		grep -v '[.]' | head -n 1)
	refused "p ^$twice" 'The symbol is not unique' EADDRNOTAVAIL
}

# A probe waits for its module, and is set again when the module is loaded again.
modules()
{
	define 'p:m ftest_target:ftest_one x=$arg1:s32'
	put 1 $K/m/enable
	expect_hits_in_module m
	put 0 $K/m/enable
	expect_file kprobe_events 'p:kprobes/m ftest_target:ftest_one x=$arg1:s32'
}

# Symbols in arguments are found when their module is loaded, also by probes in the kernel.
module_symbols()
{
	expect_symbols_of_module p:ftest/m ftest_target:ftest_one
	need_module ftest_target
	define 'p:k do_sys_openat2 s=@fails_after:string'
	put 1 $K/k/enable
	: > trace
	read_something
	expect "$(entries k | sort -u)" 's=""' "a number in a module"
	drop_module ftest_target
	: > trace
	read_something
	expect "$(entries k | sort -u)" 's=(fault)' "a number in a module that is not loaded"
	need_module ftest_target
	: > trace
	read_something
	expect "$(entries k | sort -u)" 's=""' "a number in a module that is loaded again"
	put 0 $K/k/enable
	drop_module ftest_target
	refused 'p:l ftest_target:ftest_one @fails_after^+x' 'Invalid offset of a symbol' EINVAL
	refused 'p:l vfs_read @^fails_after' 'There is no such symbol' EINVAL
}

# Kernel code defines events through the API.
by_module()
{
	need_module ftest_probe
	expect_file "$(param ftest_probe failed)" 0
	expect_file kprobe_events 'p:ftest/gen vfs_read count=$arg3 stack=$stack0 a=$arg1 b=$arg2 who=$comm
r:ftest/gen_ret vfs_read v=$retval:s64'
	enabled ftest read_something
	expect_true "hits" grep -Eq ' gen_ret: \(.*\) v=[1-9][0-9]*$' trace
	drop_module ftest_probe
	expect_file kprobe_events ''
}

filters_and_triggers()
{
	need_module ftest_target
	define 'p:f ftest_one x=$arg1:s32 c=$comm'
	put 'x >= 5 && c == "sh"' $K/f/filter
	enabled kprobes/f put 8 "$(param ftest_target call)"
	expect "$(entries f)" 'x=5 c="sh"
x=6 c="sh"
x=7 c="sh"' "entries that the filter accepts"
	put 0 $K/f/filter
	put 'traceoff if x == 2' $K/f/trigger
	enabled kprobes/f put 8 "$(param ftest_target call)"
	expect "$(nr_events)" 6 "entries up to the trigger"
	put '!traceoff' $K/f/trigger
}

profile()
{
	need_module ftest_target
	define 'p:f ftest_one'
	enabled kprobes/f put 8 "$(param ftest_target call)"
	expect "$(awk '{ print $1, $2, $3 }' kprobe_profile)" 'f 8 0' kprobe_profile
}

# perf_kprobe OPTION... PLACE: counts and samples of perf's type kprobe there, for a process that
# calls ftest_one() three times
perf_kprobe()
{
	perf_param=$(param ftest_target call)
	# perfevent replaces the options of the shell
	"$HERE/perfevent" "$@" /bin/sh -c "echo 3 > $perf_param" > "$SCRATCH/out" 2>&1
	sed 's/ [0-9]*$//' "$SCRATCH/out"
}

# Perf events that define their probes themselves; no file lists these.
perf_type()
{
	[ -d /sys/bus/event_source/devices/kprobe ] || skip "no perf here"
	[ -x "$HERE/perfevent" ] || skip "no perfevent"
	need_module ftest_target
	expect_file /sys/bus/event_source/devices/kprobe/format/retprobe config:0
	expect "$(perf_kprobe -k 0 ftest_one)" '3 3' "by name"
	expect "$(perf_kprobe -k 0 ftest_target:ftest_one)" '3 3' "by module and name"
	expect "$(perf_kprobe -k 1 ftest_one)" '3 3' "at the return"
	expect "$(perf_kprobe -k 0 "0x$(sed -n 's/ [tT] ftest_one.*//p' /proc/kallsyms)")" '3 3' \
	       "by address"
	expect "$(perf_kprobe -c -k 0 ftest_one)" '3 0' "without samples"
	expect "$(perf_kprobe -f 'common_pid == 0' -k 0 ftest_one)" '0 0' "with a filter"
	# 2 is ENOENT, 7 E2BIG, 13 EACCES, 22 EINVAL
	expect "$(perf_kprobe -k 0 no_such_function)" open:2 "a missing function"
	expect "$(perf_kprobe -k 0 no_module:ftest_one)" open:2 "a missing module"
	expect "$(perf_kprobe -k 0 "$(printf '%0600d' 1)")" open:7 "a long name"
	expect "$(perf_kprobe -k 0 'ftest one')" open:22 "a name with a blank"
	expect "$(perf_kprobe -k 1 ftest_one+8)" open:22 "a return inside of a function"
	expect "$(perf_kprobe -k 0 0x10)" open:2 "an address without code"
	expect "$(perf_kprobe -u 1000 -k 0 ftest_one)" open:13 "another user"
	expect_file kprobe_events ''
	rmmod ftest_target || fail "the module is still in use"
}

stacks()
{
	need_module ftest_target
	for inside_at in 5 6 7 8 9 10 11 12 16; do
		! echo "p:in ftest_one+$inside_at" > kprobe_events || break
	done 2> /dev/null
	define 'p:at ftest_one' 'r:ret ftest_one'
	expect_stacks kprobes/at 'ftest_one ftest_caller' put 1 "$(param ftest_target call)"
	expect_stacks kprobes/in ftest_one put 1 "$(param ftest_target call)"
	expect_stacks kprobes/ret ftest_caller put 1 "$(param ftest_target call)"
}

# Events are defined, removed, enabled and hit at the same time.
under_load()
{
	need_module ftest_target
	put 2 "$(param ftest_target threads)"
	for _ in $(rounds 10); do
		define 'p:a ftest_one x=$arg1 c=$comm' 'r:b ftest_one x=$arg1:s32 v=$retval:s32' \
			'p:a ftest_two x=$arg1 c=$comm'
		put 1 $K/enable
		put 'x & 1' $K/b/filter
		wait_for 30 has_events 20 || fail "no hits"
		put 0 $K/a/enable
		put_more '-:a' kprobe_events
		put 0 $K/b/enable
		: > kprobe_events
		: > trace
	done
	expect_file kprobe_events ''
}

testcase files "events are defined, listed and removed in kprobe_events and dynamic_events"
testcase written_back "each line that is shown can be written"
testcase numbers "numbers are shown according to their types"
testcase memory "memory is read, and a fault is shown as such"
testcase returns "a return probe has the value, the arguments and the return address"
testcase returns_together "probes at one return have the same return address"
testcase user_strings "strings of user space are read"
testcase inside "a probe can be after the entry of a function"
testcase names "file names and symbols are shown"
testcase several "an event can have several probes"
testcase busy "an event in use is not removed"
testcase mistakes "an invalid definition changes nothing, and error_log shows the position"
testcase refused_places "functions that must not be probed are rejected"
testcase modules "a probe waits for its module"
testcase module_symbols "symbols in arguments are found when their module is loaded"
testcase by_module "kernel code can define events"
testcase filters_and_triggers "filters and triggers can use the arguments"
testcase profile "kprobe_profile counts hits"
testcase perf_type "perf events can define their probes themselves"
testcase stacks "stack traces begin in the code with the probe"
testcase under_load "events can be defined and removed while they are hit"
finish
