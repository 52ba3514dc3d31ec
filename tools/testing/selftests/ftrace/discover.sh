#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Call sites that are not listed, in a kernel with FTRACE_DISCOVER: each is found when it is
# executed. See also modules.sh and static.sh.
# shellcheck source=functions.sh

. "$(dirname "$0")/functions.sh"

grep -q ' pending: ' dyn_ftrace_total_info || skip_all "call sites are listed here"

TARGETS='ftest_caller ftest_one ftest_three ftest_two'

# total NAME: one of the numbers in dyn_ftrace_total_info
total()
{
	sed "s/.* $1: \([0-9]*\).*/\1/" dyn_ftrace_total_info
}

nr_found()
{
	cut -d ' ' -f 1 dyn_ftrace_total_info
}

# Announced sites get their records within a second.
has_found()
{
	grep -qx "$1 \[ftest_target\]" available_filter_functions
}

wait_until_found()
{
	for found_name; do
		wait_for 10 has_found "$found_name" || fail "$found_name has not been found"
	done
}

module_functions()
{
	grep '\[ftest_target\]' available_filter_functions | cut -d ' ' -f 1 | sort |
		tr '\n' ' ' | sed 's/ $//'
}

# The same work, three times. A site that was found does not announce itself again.
some_load()
{
	for _ in 1 2 3; do
		read_something
		cat /proc/stat /proc/self/maps > "$SCRATCH/read"
		"$FILEOP" write w "$SCRATCH/written" text > /dev/null
	done
}

# settled SECONDS: no more sites were found after SECONDS seconds of work
settled()
{
	settled_from=$(nr_found)
	for _ in $(seq "$1"); do
		some_load
		sleep 1
	done
	[ "$(nr_found)" -le $((settled_from + 2)) ] && [ "$(total pending)" -le 2 ]
}

# The kernel does other work in between, some of it for the first time.
settles()
{
	some_load
	for _ in 1 2 3 4 5 6 7 8 9 10; do
		quiet_at_last=1
		settled 3 && break
		quiet_at_last=
	done
	expect_true "no more functions are found: $(cat dyn_ftrace_total_info)" [ "$quiet_at_last" ]
	before=$(nr_found)
	expect_true "many functions have been found: $before" [ "$before" -gt 500 ]
	for name in vfs_read vfs_write vfs_open seq_read_iter; do
		expect_true "$name has been found" grep -qx $name available_filter_functions
	done
	expect "$(sort available_filter_functions_addrs | uniq -d)" '' "sites that are listed twice"
	expect_true "functions that are counted are listed" \
		    [ "$(wc -l < available_filter_functions)" -ge "$before" ]
}

quiet()
{
	call_targets 100
	[ "$(total pending)" = 0 ]
}

# A site that was not a NOP would be announced whenever it is executed.
nops()
{
	need_module ftest_target
	call_targets 1
	# shellcheck disable=SC2086 # words
	wait_until_found $TARGETS
	wait_for 10 quiet || fail "functions that have been found are found again"
	expect "$(module_functions)" "call_set $TARGETS" "functions of the module"
}

# A name specifies a function by its address: its first call is traced.
named()
{
	need_module ftest_target
	call_targets 1
	wait_until_found call_set
	expect_false "tree_slow has been found before it runs" has_found tree_slow
	expect_write EINVAL w set_ftrace_filter 'no_such_function\n'
	expect_write EINVAL w set_ftrace_filter 'ftest_target_init\n'
	put tree_slow set_ftrace_filter
	expect_true "tree_slow has a record" has_found tree_slow
	expect_file set_ftrace_filter 'tree_slow [ftest_target]'
	put function current_tracer
	put 1 "$(param ftest_target slow)"
	put 0 tracing_on
	expect "$(events | grep -c ': tree_slow <-slow_set')" 1 "calls of tree_slow"
}

# has_filter NAME: the filter has this function of the module
has_filter()
{
	grep -qx "$1 \[ftest_target\]" set_ftrace_filter
}

# A glob applies to the functions that are found later: to all calls from the second on.
glob_waits()
{
	need_module ftest_target
	expect_write EINVAL w set_ftrace_filter 'no_such_f*\n'
	put 'ftest_t* !ftest_three tree_slo?' set_ftrace_filter
	expect_file set_ftrace_filter 'ftest_t*
!ftest_three
tree_slo?'
	put function current_tracer
	expect "$(wc -l < enabled_functions)" 0 "enabled functions"
	call_targets 1
	put 1 "$(param ftest_target slow)"
	wait_for 10 has_filter ftest_two || fail "the glob is still pending"
	wait_for 10 has_filter tree_slow || fail "the glob is still pending"
	# shellcheck disable=SC2086 # words
	wait_until_found $TARGETS
	: > trace
	call_targets 2
	put 1 "$(param ftest_target slow)"
	put 0 tracing_on
	expect "$(events | grep -c ': ftest_two <-ftest_caller')" 2 "calls of ftest_two"
	expect "$(events | grep -c ': tree_slow <-slow_set')" 1 "calls of tree_slow"
	expect "$(events | grep -Evc ': (ftest_two|tree_slow) <-')" 0 "other functions"
	read_lines set_ftrace_filter "ftest_two [ftest_target]" "tree_slow [ftest_target]" \
		   'ftest_t*' '!ftest_three' 'tree_slo?'
}

# read_lines FILE LINE...: the file has these lines, in any order
read_lines()
{
	read_from=$1
	shift
	expect "$(sort "$read_from")" "$(printf '%s\n' "$@" | sort)" "lines of $read_from"
}

# A pattern for a module that is loaded waits for the functions that have not been found.
module_pattern()
{
	need_module ftest_target
	put 'ftest_t*:mod:ftest_target !ftest_one' set_ftrace_filter
	call_targets 1
	wait_for 10 has_filter ftest_two || fail "the pattern is still pending"
	wait_for 10 has_filter ftest_three || fail "the pattern is still pending"
	cat set_ftrace_filter > "$SCRATCH/lines"
	put '' set_ftrace_filter
	while read -r line; do
		put_more "$line" set_ftrace_filter
	done < "$SCRATCH/lines"
	expect "$(sort set_ftrace_filter)" "$(sort "$SCRATCH/lines")" "the same filter again"
}

# What the file shows can be removed, and pending globs do not come back.
glob_removed()
{
	need_module ftest_target
	put 'ftest_t*' set_ftrace_filter
	call_targets 1
	wait_for 10 has_filter ftest_two || fail "the glob is still pending"
	cat set_ftrace_filter > "$SCRATCH/lines"
	while read -r line; do
		put_more "!${line% \[*}" set_ftrace_filter
	done < "$SCRATCH/lines"
	expect_file set_ftrace_filter "$EMPTY_FILTER"
	put 'ftest_o* tree_s*' set_ftrace_filter
	put_more '!*' set_ftrace_filter
	expect_file set_ftrace_filter "$EMPTY_FILTER"
	put 'tree_s*' set_ftrace_notrace
	put '' set_ftrace_notrace
	put 1 "$(param ftest_target slow)"
	wait_until_found tree_slow
	sleep 2
	expect "$(grep -c tree_slow set_ftrace_filter set_ftrace_notrace |
		  tr '\n' ' ')" 'set_ftrace_filter:0 set_ftrace_notrace:0 ' "filters"
}

# The filters of the command line, which are read before any function is found.
booted()
{
	grep -q 'ftrace_notrace=vfs_fsync,xattr_f\*,no_such_function' /proc/cmdline ||
		skip "no ftrace_notrace on the command line"
	expect "$(dmesg | sed -n 's/.*ftrace: no function matches //p')" no_such_function \
	       "functions that were refused"
	expect_true "vfs_fsync has been found" grep -qx vfs_fsync available_filter_functions
}

filtered()
{
	put 'vfs_read' set_ftrace_filter
	put function current_tracer
	read_something
	put 0 tracing_on
	expect_true "vfs_read is traced" grep -q ': vfs_read <-' trace
	expect "$(events | grep -vc ': vfs_read <-')" 0 "other functions"
	expect "$(cut -d ' ' -f 1 enabled_functions)" vfs_read "enabled functions"
}

# Functions found while all functions are traced are traced; excluded functions are not.
traced_when_found()
{
	read -r me _ < /proc/self/stat
	put "$me" set_ftrace_pid
	put function current_tracer
	need_module ftest_target
	call_targets 1
	# shellcheck disable=SC2086 # words
	wait_until_found $TARGETS
	: > trace
	call_targets 3
	put 0 tracing_on
	expect_targets 3
	expect_true "ftest_one is enabled" grep -q '^ftest_one \[ftest_target\]' enabled_functions
	put nop current_tracer
	expect_file enabled_functions ''
}

# A pending pattern for a module takes effect when functions of the module are found.
word_waits()
{
	put 'ftest_t*:mod:ftest_target' set_ftrace_filter
	put function current_tracer
	need_module ftest_target
	call_targets 1
	# shellcheck disable=SC2086 # words
	wait_until_found $TARGETS
	wait_for 10 grep -q ftest_two enabled_functions || fail "the pattern is still pending"
	: > trace
	call_targets 2
	put 0 tracing_on
	expect "$(events | grep -c ': ftest_two <-ftest_caller')" 2 "calls of ftest_two"
	expect "$(cut -d ' ' -f 1 enabled_functions | sort | tr '\n' ' ')" \
	       'ftest_three ftest_two ' "enabled functions"
}

# Functions that the user has removed from the filter are not added again when more functions
# are found later.
taken_out()
{
	put '*:mod:ftest_target' set_ftrace_filter
	need_module ftest_target
	call_targets 1
	# shellcheck disable=SC2086 # words
	wait_until_found $TARGETS
	wait_for 10 grep -q ftest_two set_ftrace_filter || fail "the pattern is still pending"
	put_more '!ftest_two' set_ftrace_filter
	put 1 "$(param ftest_target slow)"
	wait_until_found tree_slow
	wait_for 10 grep -q tree_slow set_ftrace_filter || fail "the pattern is still pending"
	expect_false "ftest_two was added again" has_filter ftest_two
	expect_true "ftest_three is kept" has_filter ftest_three
}

# A reader of a list gets each line once, even if lines are inserted before its position.
read_meanwhile()
{
	need_module ftest_target
	call_targets 1
	# shellcheck disable=SC2086 # words
	wait_until_found $TARGETS
	cat available_filter_functions_addrs > "$SCRATCH/before"
	before=$(nr_found)
	{
		dd bs=256 count=$((before / 20)) 2> /dev/null
		put 1 "$(param ftest_target slow)" >&2
		mkdir "$SCRATCH/new" && mount -t tmpfs none "$SCRATCH/new" &&
			ln -s a "$SCRATCH/new/b" && umount "$SCRATCH/new"
		wait_until_found tree_slow >&2
		dd bs=256 2> /dev/null
	} < available_filter_functions_addrs > "$SCRATCH/read"
	note "found $before, and $(($(nr_found) - before)) while it read"
	expect_true "more have been found" [ "$(nr_found)" -gt "$before" ]
	expect "$(sort "$SCRATCH/read" | uniq -d)" '' "lines that are read twice"
	expect "$(awk 'NR == FNR { read[$0]; next } !($0 in read)' "$SCRATCH/read" \
		      "$SCRATCH/before")" '' "lines that are missing"
}

disabled()
{
	put 0 $FTRACE_ENABLED
	need_module ftest_target
	before=$(nr_found)
	call_targets 1
	sleep 3
	expect "$(module_functions)" '' "functions of the module that have been found"
	expect "$(nr_found)" "$before" "number of functions"
	put 1 $FTRACE_ENABLED
	call_targets 1
	# shellcheck disable=SC2086 # words
	wait_until_found $TARGETS
}

modules()
{
	groups=$(total groups)
	for _ in 1 2 3; do
		need_module ftest_target
		call_targets 1
		# shellcheck disable=SC2086 # words
		wait_until_found $TARGETS
		expect_false "an init function has been found" has_found ftest_target_init
		expect "$(total groups)" $((groups + 1)) "groups of functions"
		expect_true "rmmod" rmmod ftest_target
		expect "$(module_functions)" '' "functions of an unloaded module"
		expect "$(total groups)" "$groups" "groups of functions"
	done
}

# The module is unloaded while its functions wait for their records.
gone_before()
{
	for _ in 1 2 3 4 5; do
		need_module ftest_target
		call_targets 1
		expect_true "rmmod" rmmod ftest_target
	done
	sleep 2
	expect "$(module_functions)" '' "functions of an unloaded module"
	wait_for 10 quiet_without_module || fail "$(cat dyn_ftrace_total_info)"
}

quiet_without_module()
{
	[ "$(total pending)" -le 2 ]
}

# more_left_out N: at least N functions more than $left_out are left out
more_left_out()
{
	[ "$(total 'left out')" -ge $((left_out + $1)) ]
}

# Functions that have run in an NMI are left out permanently, whatever calls them later.
nmi()
{
	[ -f "$MODULES/ftest_nmi.ko" ] || skip "no module ftest_nmi"
	left_out=$(total 'left out')
	put 0 $FTRACE_ENABLED
	need_module ftest_target
	need_module ftest_nmi
	put 1 $FTRACE_ENABLED
	wait_for 10 more_left_out 5 || fail \
	       "no functions are left out: $(cat dyn_ftrace_total_info)"
	for _ in 1 2 3; do
		call_targets 1
		sleep 1
	done
	wait_until_found call_set
	expect "$(module_functions)" call_set "functions of the module that have been found"
	drop_module ftest_nmi
	call_targets 1
	sleep 2
	expect "$(module_functions)" call_set "functions of the module that have been found"
	left_out=$(total 'left out')
	drop_module ftest_target
	expect "$(total 'left out')" $((left_out - 4)) "left out after the module is unloaded"
}

# A live patch specifies a function by its address, and does not wait until the function runs.
by_address()
{
	[ -f "$MODULES/ftest_klp.ko" ] || skip "no module ftest_klp"
	put 0 $FTRACE_ENABLED
	need_module ftest_target
	expect "$(module_functions)" '' "functions of the module that have been found"
	put 1 $FTRACE_ENABLED
	need_module ftest_same
	need_module ftest_klp
	expect_true "tree_sits has a record" has_found tree_sits
	expect_true "tree_sits is patched" grep -q '^tree_sits ' enabled_functions
	wait_for 60 grep -q '^0$' /sys/kernel/livepatch/ftest_klp/transition
	expect "$(cat "$(param ftest_target value)")" 2000 "value that the live patch returns"
}

probed()
{
	[ -f "$MODULES/ftest_kprobe.ko" ] || skip "no module ftest_kprobe"
	put 0 $FTRACE_ENABLED
	need_module ftest_target
	put 1 $FTRACE_ENABLED
	need_module ftest_kprobe
	# with calls after the prologue, a kprobe at the entry is not at the call site
	! grep -q ' __fentry__$' /proc/kallsyms ||
		expect_true "ftest_one has a record" has_found ftest_one
	call_targets 3
	expect "$(cat "$(param ftest_kprobe hits)")" 'entry=3 inside=3 return=3' "hits"
	sleep 2
	call_targets 3
	# nor does a jump, which replaces a kprobe by then, cover a call site
	# shellcheck disable=SC2086 # words
	wait_until_found $TARGETS
	drop_module ftest_kprobe
	put "$TARGETS" set_ftrace_filter
	put function current_tracer
	call_targets 3
	put 0 tracing_on
	expect_targets 3
}

# Events of kprobes on a function that has been found, and on one that has not run yet.
probe_events()
{
	[ -f kprobe_events ] || skip "no kprobe events here"
	need_module ftest_target
	call_targets 1
	wait_until_found ftest_one
	expect_false "tree_slow has been found before it runs" has_found tree_slow
	put_more 'p:ftest/found ftest_one x=$arg1:s32' kprobe_events
	put_more 'p:ftest/later tree_slow us=$arg1:s32' kprobe_events
	put_more 'r:ftest/back tree_slow' kprobe_events
	put 1 events/ftest/enable
	! grep -q ' __fentry__$' /proc/kallsyms ||
		expect_true "tree_slow has a record" has_found tree_slow
	put 7 "$(param ftest_target slow)"
	call_targets 1
	expect "$(events | sed -n 's/.*: \([a-z]*\): ([^)]*)\(.*\)/\1\2/p')" 'later us=7
found x=7
back
found x=0' "hits"
	expect "$(grep -c ' back: (slow_set+0x.* <- tree_slow' trace)" 1 "the caller"
	wait_until_found tree_slow
	: > trace
	put 8 "$(param ftest_target slow)"
	put 0 events/ftest/enable
	expect "$(nr_events)" 3 "hits after the functions have been found"
	: > kprobe_events
	put tree_slow set_ftrace_filter
	put function current_tracer
	put 9 "$(param ftest_target slow)"
	expect "$(events | grep -c ': tree_slow <-slow_set')" 1 "calls after the probes are gone"
}

under_load()
{
	load_start
	for _ in $(rounds 5); do
		need_module ftest_target threads=2
		put function current_tracer
		sleep 1
		put 0 $FTRACE_ENABLED
		put 1 $FTRACE_ENABLED
		call_targets 1
		# shellcheck disable=SC2086 # words
		wait_until_found $TARGETS
		put nop current_tracer
		drop_module ftest_target
	done
	load_stop
	expect_file enabled_functions ''
	expect "$(module_functions)" '' "functions of an unloaded module"
}

testcase settles "the kernel settles when it repeats the same work"
testcase nops "functions that were found do not announce themselves again"
testcase booted "filters of the command line find functions that have not run"
testcase named "a function can be traced by name before it has run"
testcase glob_waits "a glob applies to functions that are found later"
testcase module_pattern "a pattern for a loaded module applies to functions that are found later"
testcase glob_removed "a pending glob can be removed"
testcase filtered "a function that was found can be traced"
testcase traced_when_found "a function that is found while all functions are traced is traced"
testcase word_waits "a pattern for a module takes effect when its functions are found"
testcase taken_out "functions removed from a filter are not added again"
testcase read_meanwhile "a list that is read while functions are found has each line once"
testcase disabled "no functions are found while kernel.ftrace_enabled is 0"
testcase modules "functions of modules are found, and removed with the module"
testcase gone_before "a module can be unloaded while its functions wait for records"
testcase nmi "functions that have run in an NMI are left out"
testcase by_address "a live patch does not wait for its functions to be found"
testcase probed "a kprobe does not wait for its function to be found"
testcase probe_events "events of kprobes do not wait for their functions to be found"
testcase under_load "functions are found under load"
finish
