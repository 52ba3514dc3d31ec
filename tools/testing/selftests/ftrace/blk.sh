#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Requests of block devices: the tracer blk with /sys/block/DEVICE/trace, and the ioctls and
# the binary stream of blktrace.
# shellcheck source=functions.sh

. "$(dirname "$0")/functions.sh"

. "$HERE/disk.sh"

reset_more()
{
	for reset_option in options/blk_*; do
		[ ! -f $reset_option ] || echo 0 > $reset_option
	done
	drop_module null_blk
	[ ! -d instances/ftest ] || rmdir instances/ftest
}

# use: starts the tracer, for all requests of the disk
use()
{
	need_disk
	put 1 $TRACE/enable
	put blk current_tracer
}

# actions PATTERN: the text after the device in dd's lines that match PATTERN, on one line
actions()
{
	events | sed -n 's/^ *dd-[0-9]* .*: *[0-9]*,0 *//p' | grep "$1" | tr -s ' ' | tr '\n' ';'
}

files()
{
	need_disk
	expect_file $TRACE/enable 0
	for file in act_mask pid start_lba end_lba; do
		expect_file $TRACE/$file disabled
	done
	put 1 $TRACE/enable
	expect_file $TRACE/enable 1
	more=fs,pc,notify,ahead,meta,discard,drv_data,fua
	expect_file $TRACE/act_mask \
	    "read,write,flush,sync,queue,requeue,issue,complete,$more"
	expect_file $TRACE/pid 0
	expect_file $TRACE/start_lba 0
	expect_file $TRACE/end_lba 2097151
	put "read,barrier,ISSUE" $TRACE/act_mask
	expect_file $TRACE/act_mask read,flush,issue
	put 0x12 $TRACE/act_mask
	expect_file $TRACE/act_mask write,queue
	put 0 $TRACE/enable
	expect_file $TRACE/act_mask disabled
	# writing one of the other files also enables tracing
	put 17 $TRACE/pid
	expect_file $TRACE/enable 1
	expect_file $TRACE/pid 17
}

bad_input()
{
	need_disk
	expect_write EINVAL w $TRACE/act_mask 'read,no_such\n'
	expect_write EINVAL w $TRACE/act_mask '65536\n'
	expect_write EINVAL w $TRACE/pid '5000000\n'
	expect_write EINVAL w $TRACE/pid 'x\n'
	expect_write EINVAL w $TRACE/start_lba '\n'
	expect_write EINVAL w $TRACE/enable 'yes\n'
	expect_file $TRACE/enable 0
}

lines()
{
	use
	request of=$DISK bs=4k count=1 seek=4
	request if=$DISK bs=8k count=1
	expect "$(actions ' WS ' | sed 's/[IC] WS [^;]*;//g')" \
	       "Q WS 32 + 8 [dd];G WS 32 + 8 [dd];D WS 32 + 8 [dd];" "steps of the write"
	expect "$(actions ' RS ' | sed 's/[IC] RS [^;]*;//g')" \
	       "Q RS 0 + 16 [dd];G RS 0 + 16 [dd];D RS 0 + 16 [dd];" "steps of the read"
	expect "$(events | grep -c ': *[0-9]*,0 *C *WS 32 + 8 \[0\]$')" 1 "completions of the write"
	expect "$(events | grep -c ': *[0-9]*,0 *C *RS 0 + 16 \[0\]$')" 1 "completions of the read"
}

classic()
{
	use
	put 1 options/blk_classic
	request of=$DISK bs=4k count=1 seek=9
	expect "$(head -n 1 trace)" '# DEV   CPU TIMESTAMP     PID ACT FLG' "header"
	line='^[ 0-9]{3},[0-9] +[ 0-9]{2} +[0-9]+\.[0-9]{9} +[0-9]+ +Q +WS 72 \+ 8 \[dd\]$'
	expect "$(events | grep -Ec "$line")" 1 "lines of the classic form"
	put 0 options/blk_classic
	put 1 options/verbose
	expect "$(events | grep -c ' queue *WS 72 + 8 \[dd\]$')" 1 "actions by name"
}

masks()
{
	use
	put write $TRACE/act_mask
	request of=$DISK bs=4k count=1
	request if=$DISK bs=4k count=1
	expect_true "writes" [ "$(events | grep -c ' WS ')" -gt 2 ]
	expect "$(events | grep -c ' RS ')" 0 "reads"
	put complete $TRACE/act_mask
	: > trace
	request if=$DISK bs=4k count=1
	expect "$(events | grep -vc ' C *RS 0 + 8 ')" 0 "entries that are not completions"
	expect "$(nr_events)" 1 "completions"
}

sectors()
{
	use
	put 100 $TRACE/start_lba
	put 199 $TRACE/end_lba
	# Each request has eight sectors
	for block in 12 13 24 25; do
		request if=$DISK bs=4k count=1 skip=$block
	done
	events | sed -n 's/.* Q *RS \([0-9]*\) .*/\1/p' > "$SCRATCH/sectors"
	expect "$(tr '\n' ' ' < "$SCRATCH/sectors")" "104 192 " "sectors"
}

tasks()
{
	use
	put $$ $TRACE/pid
	request if=$DISK bs=4k count=1
	expect "$(nr_events)" 0 "events of another task"
	sh -c "echo \$\$ > $TRACE/pid
	       exec dd if=$DISK of=/dev/null bs=4k count=1 iflag=direct" 2> /dev/null
	expect "$(events | grep -c ' Q *RS 0 + 8 ')" 1 "requests of the task"
}

# A request of a partition is remapped to the disk.
partition()
{
	use
	printf 'n\np\n1\n2048\n4095\nw\n' | fdisk -u $DISK > /dev/null 2>&1
	wait_for 10 test -b ${DISK}p1 || skip "no partition"
	part=/sys/block/nullb0/nullb0p1/trace
	put 0 $TRACE/enable
	put 1 $part/enable
	expect_file $part/start_lba 2048
	expect_file $part/end_lba 4095
	: > trace
	request if=${DISK}p1 bs=4k count=1 skip=1
	dev=$(cat /sys/block/nullb0/nullb0p1/dev | tr : ,)
	expect "$(events | grep -c " A *RS 2056 + 8 <- ($dev) 8\$")" 1 "remapped requests"
}

needs_tracer()
{
	need_disk
	put 1 $TRACE/enable
	request if=$DISK bs=4k count=1
	expect "$(nr_events)" 0 "entries without the tracer"
	mkdir instances/ftest || skip "no instances"
	put blk instances/ftest/current_tracer
	expect_write EBUSY w current_tracer 'blk\n'
	request if=$DISK bs=4k count=1
	expect "$(events instances/ftest/trace | grep -c ' Q *RS 0 + 8 \[dd\]')" 1 "its entries"
	expect "$(nr_events)" 0 "entries of the top instance"
}

binary()
{
	use
	request if=$DISK bs=4k count=1 skip=2
	put 1 options/bin
	put 0 options/context-info
	put 0 tracing_on
	expect_true "magic numbers of the stream" \
		    [ "$(tr -d '\0' < trace_pipe | grep -o tae | wc -l)" -gt 3 ]
}

# results WANT COMMAND...: the results of these ioctls are WANT
results()
{
	results_want=$1
	shift
	expect "$("$BLKOP" $DISK "$@" | tr '\n' ' ')" "$results_want" "$*"
}

# The ioctls in valid and invalid order
ioctls()
{
	need_disk
	results "EINVAL EINVAL EINVAL " start stop teardown
	results "EINVAL EINVAL EFAULT " setup=0,4,0 setup=4096,0,0 bad-address
	results "EFAULT EINVAL " read-only teardown
	# The address is checked first, although the device already has a stream
	results "0 nullb0 EFAULT 0 " setup=4096,4,0 read-only teardown
	results "0 nullb0 EBUSY EINVAL 0 " setup=4096,4,0 setup=4096,4,0 stop start
	results "EINVAL 0 " start stop
	results "EINVAL 0 " stop start
	expect_true "files" [ -f $DEBUG/dropped ]
	expect_file $DEBUG/dropped 0
	results "0 " teardown
	results "EINVAL " teardown
	expect_false "files afterwards" [ -f $DEBUG/dropped ]
	expect_false "streams afterwards" [ -f $DEBUG/trace0 ]
	put 1 $TRACE/enable
	# The disk is in use by the tracer
	results "EBUSY EINVAL EINVAL " setup=4096,4,0 start stop
}

# stream: prints the events of all CPUs; the sequence numbers of each CPU have no gaps
stream()
{
	for stream_file in $DEBUG/trace*; do
		"$BLKOP" - events < "$stream_file" || fail "$stream_file"
	done
}

streams()
{
	need_disk
	"$BLKOP" $DISK setup=65536,4,0 start > /dev/null
	echo "hello stream" > $DEBUG/msg
	request of=$DISK bs=4k count=1 seek=4
	"$BLKOP" $DISK stop > /dev/null
	stream > "$SCRATCH/stream"
	# a timestamp on the CPU that started it, the names of tasks, a message; Q 1, D 7, C 8
	expect "$(grep -c '^N1 ' "$SCRATCH/stream")" 1 "times"
	expect "$(grep -c '^N0 .* 0 0 0 dd$' "$SCRATCH/stream")" 1 "names of the task"
	expect "$(grep -c '^N2 .*hello stream$' "$SCRATCH/stream")" 1 "messages"
	for action in 1 7 8; do
		expect "$(grep -c "^$action [0-9a-f]* [0-9]* 32 4096 0 \$" "$SCRATCH/stream")" 1 \
		       "events $action of the write"
	done
	expect_write EINVAL w $DEBUG/msg "$(printf '%0128d' 0)"
	"$BLKOP" $DISK teardown > /dev/null
}

# A stream without a reader keeps its first events, and counts the events that it drops.
full()
{
	need_disk
	"$BLKOP" $DISK setup=1024,2,0 start > /dev/null
	request if=$DISK bs=4k count=100
	expect_true "events are dropped" [ "$(cat $DEBUG/dropped)" -gt 100 ]
	"$BLKOP" $DISK stop > /dev/null
	stream > "$SCRATCH/stream"
	expect_true "events are kept" [ "$(grep -c '^1 .* 4096 0 $' "$SCRATCH/stream")" -gt 2 ]
	"$BLKOP" $DISK teardown > /dev/null
}

# The tracer and the stream get all events.
together()
{
	need_disk
	put blk current_tracer
	"$BLKOP" $DISK setup=65536,4,0 start > /dev/null
	request of=$DISK bs=4k count=1 seek=4
	"$BLKOP" $DISK stop > /dev/null
	expect "$(stream | grep -c '^1 .* 32 4096 0 $')" 1 "requests in the stream"
	expect "$(events | grep -c ' Q *WS 32 + 8 \[dd\]')" 1 "requests in the trace"
	"$BLKOP" $DISK teardown > /dev/null
}

disk_goes()
{
	need_disk
	"$BLKOP" $DISK setup=65536,4,0 start > /dev/null
	request if=$DISK bs=4k count=1
	expect_true "the disk is removed" rmmod null_blk
	expect_false "its directory" [ -d $DEBUG ]
	use
	request if=$DISK bs=4k count=1
	expect_true "the next disk is removed" rmmod null_blk
	expect_true "its entries" has_events 3
}

cgroups()
{
	use
	[ -f /proc/cgroups ] && grep -qw io /proc/cgroups || grep -qw blkio /proc/cgroups ||
		skip "no cgroups of block devices"
	put 1 options/blk_cgroup
	request if=$DISK bs=4k count=1
	line='Q *RS 0 + 8 \[dd\]$'
	expect "$(events | grep -c ": *[0-9]*,0 *1,0 *$line")" 1 "requests of the root cgroup"
	put 1 options/blk_cgname
	expect "$(events | grep -c ": *[0-9]*,0 */ *$line")" 1 "requests with its path"
}

# Requests while tracing is switched on and off
under_load()
{
	need_disk
	put blk current_tracer
	for load in 1 2; do
		in_background sh -c "while :; do
			dd if=$DISK of=/dev/null bs=4k count=64 iflag=direct
			done" 2> /dev/null
	done
	for round in 1 2 3 4 5 6 7 8 9 10; do
		put 1 $TRACE/enable
		usleep 5000
		put 0 $TRACE/enable
		[ "$("$BLKOP" $DISK setup=4096,4,0 start | tr '\n' ' ')" = "0 nullb0 0 " ] ||
			fail "round $round"
		usleep 5000
		"$BLKOP" $DISK teardown > /dev/null
		put nop current_tracer
		put blk current_tracer
	done
	end_all_background
	expect_file $TRACE/enable 0
}

testcase files "the files of a disk show the values that were written"
testcase bad_input "invalid input is rejected, and enables nothing"
testcase lines "the steps of a request are lines of the trace"
testcase classic "options change the format of lines"
testcase masks "categories of requests are selected by name"
testcase sectors "sectors are selected by number"
testcase tasks "a task is selected by number"
testcase partition "requests of a partition are remapped to the disk"
testcase needs_tracer "entries are written only to the instance of the tracer"
testcase binary "the option bin outputs the binary format of a stream"
testcase ioctls "setup, start, stop and teardown work in any order"
testcase streams "the stream has the events, names of tasks, and messages"
testcase full "a stream without a reader counts lost events"
testcase together "the tracer and a stream work at the same time"
testcase disk_goes "a disk can be removed while it is traced"
testcase cgroups "events have the cgroup of the request"
testcase under_load "tracing can be switched on and off under load"
finish
