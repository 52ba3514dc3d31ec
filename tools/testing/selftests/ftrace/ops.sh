#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Several users of one function: ops of modules, kprobes, a live patch, the tracer.
# shellcheck source=functions.sh

. "$(dirname "$0")/functions.sh"

PATCH=/sys/kernel/livepatch/ftest_klp

# check NAME [THREADS]: runs one of the checks of ftest_ops
check()
{
	need_module ftest_target "threads=${2:-0}"
	need_module ftest_ops
	"$FILEOP" write w "$(param ftest_ops run)" "$1" > "$SCRATCH/result"
	grep -q EOPNOTSUPP "$SCRATCH/result" && skip "not supported by this kernel"
	grep -q '^[0-9]' "$SCRATCH/result" || log_since_mark | sed 's/^/# /'
	expect_true "$1: $(cat "$SCRATCH/result")" grep -q '^[0-9]' "$SCRATCH/result"
}

free_under_load()
{
	check free_under_load 2
}

parked()
{
	check parked
}

# The callback of ftest_two() calls it again, and so does that of ftest_three().
recursed()
{
	[ -f recursed_functions ] || skip "recursion is not recorded here"
	: > recursed_functions
	expect_file recursed_functions ''
	check recurse
	for _ in 1 2; do
		put recurse "$(param ftest_ops run)"
		expect "$(sed 's/+0x[^:]* \[ftest_ops\]:/:/;s/+0x.*//' recursed_functions)" \
		       "$(printf '%s:\t%s\n' recurse_func ftest_two \
			  recurse_trylock_func ftest_three)" "functions and their callers"
	done
	echo x > recursed_functions
	expect_file recursed_functions ''
	put recurse "$(param ftest_ops run)"
	expect "$(wc -l < recursed_functions)" 2 "functions"
	: > recursed_functions
}

enabled_functions()
{
	need_module ftest_target
	need_module ftest_ops
	put hold "$(param ftest_ops run)"
	expect "$(sed 's/).*/)/' enabled_functions | sort)" \
	       "$(printf '%s [ftest_target] (%s)\n' ftest_one 3 ftest_three 1 ftest_two 1)" \
	       "functions and users"
	put 'ftest_two' set_ftrace_filter
	put function current_tracer
	expect_true "ftest_two has two" grep -q '^ftest_two \[ftest_target\] (2)' enabled_functions
	put hold_regs "$(param ftest_ops run)"
	# on kernels that can save registers
	if grep -q ' ftrace_regs_caller$' /proc/kallsyms; then
		expect_true "R for registers" \
			    grep -q '^ftest_one \[ftest_target\] (1) R' enabled_functions
	fi
	expect "$(wc -l < enabled_functions)" 2 "functions"
	put release "$(param ftest_ops run)"
	put nop current_tracer
	expect_file enabled_functions ''
}

# kallsyms has a name for the trampoline that a function calls.
trampoline_symbol()
{
	need_module ftest_target
	need_module ftest_ops
	put hold_regs "$(param ftest_ops run)"
	name=$(sed -n 's/^ftest_one .*tramp: \([a-z_]*\)+0x0\/0x[0-9a-f]* .*/\1/p' \
		   enabled_functions)
	expect "$name" ftrace_trampoline "its name in enabled_functions"
	expect_true "kallsyms has it" \
		    grep -Eq "^[0-9a-f]* . $name.*\[__builtin__ftrace\]" /proc/kallsyms
}

rmmod_at_once()
{
	load_start
	for _ in 1 2 3; do
		need_module ftest_target threads=2
		need_module ftest_ops
		put hold "$(param ftest_ops run)"
		sleep 0.1
		# Its exit function unregisters the ops, then its text is freed
		drop_module ftest_ops
		drop_module ftest_target
	done
	load_stop
	expect_false "the module is loaded" module_loaded ftest_ops
	expect_file enabled_functions ''
}

kprobes()
{
	need_module ftest_target
	need_module ftest_kprobe
	hits=$(param ftest_kprobe hits)
	call_targets 3
	expect_file "$hits" "entry=3 inside=3 return=3"
	# The tracer is started and stopped, and the probes are kept
	put 'ftest_*' set_ftrace_filter
	put function current_tracer
	call_targets 2
	put 0 tracing_on
	expect_file "$hits" "entry=5 inside=5 return=5"
	expect "$(events | grep -c ': ftest_one <-')" 2 "calls traced"
	put nop current_tracer
	call_targets 1
	expect_file "$hits" "entry=6 inside=6 return=6"
}

kprobes_on_traced()
{
	need_module ftest_target
	need_module ftest_ops
	put 'ftest_*' set_ftrace_filter
	put function current_tracer
	put hold "$(param ftest_ops run)"
	need_module ftest_kprobe
	call_targets 2
	expect_file "$(param ftest_kprobe hits)" "entry=2 inside=2 return=2"
	expect_file "$(param ftest_ops hits)" "2 4 4"
	drop_module ftest_kprobe
	call_targets 2
	put 0 tracing_on
	expect_file "$(param ftest_ops hits)" "4 8 8"
	expect "$(events | grep -c ': ftest_one <-')" 4 "calls traced"
}

entry_hits()
{
	sed 's/entry=\([0-9]*\) .*/\1/' "$(param ftest_kprobe hits)"
}

# Unwinding calls functions that have probes, and that are themselves traced with a stack.
kprobe_under_stack()
{
	[ -f "$MODULES/ftest_kprobe.ko" ] || skip "no module ftest_kprobe"
	[ -f options/func_stack_trace ] || skip "no option func_stack_trace"
	grep -qx arch_stack_walk available_filter_functions || skip "no function arch_stack_walk"
	need_module ftest_target
	put 'ftest_two arch_stack_walk' set_ftrace_filter
	need_module ftest_kprobe on=arch_stack_walk
	put 1 options/func_stack_trace
	put 0 tracing_on
	put function current_tracer
	put 1 tracing_on
	call_targets 20
	put 0 tracing_on
	walks=$(events | grep -c ': arch_stack_walk <-')
	hits=$(entry_hits)
	put nop current_tracer
	put 0 options/func_stack_trace
	expect_true "stacks are walked: $walks" [ "$walks" -ge 20 ]
	expect_true "each call is a hit: $hits of $walks" [ "$hits" -ge "$walks" ]
}

# rcu_is_watching() has a probe. If the guard called it, that would trap, and the handler of
# traps is traced by the same command.
kprobe_inside_of_guard()
{
	[ -f "$MODULES/ftest_kprobe.ko" ] || skip "no module ftest_kprobe"
	grep -qx kprobe_int3_handler available_filter_functions ||
		skip "no function kprobe_int3_handler"
	need_module ftest_target
	put 'ftest_two:traceon' set_ftrace_filter
	put_more 'kprobe_int3_handler:traceon' set_ftrace_filter
	need_module ftest_kprobe on=rcu_is_watching
	put 0 tracing_on
	call_targets 3
	expect_file tracing_on 1
	drop_module ftest_kprobe
	put_more '!kprobe_int3_handler:traceon' set_ftrace_filter
	put_more '!ftest_two:traceon' set_ftrace_filter
}

# value_is VALUE: the patched function returns VALUE
value_is()
{
	[ "$(cat "$(param ftest_target value)")" = "$1" ]
}

need_live_patches()
{
	[ -d /sys/kernel/livepatch ] || skip "no live patches"
	! is_preempt_rt || skip "a check of live patches fails with PREEMPT_RT"
}

livepatch()
{
	need_live_patches
	need_module ftest_target
	expect_file "$(param ftest_target value)" 1
	need_module ftest_klp
	expect_true "patched" wait_for 60 value_is 2000
	expect_true "the transition ends" wait_for 60 grep -q 0 $PATCH/transition
	expect_true "I for a modified ip" \
		    grep -Eq '^ftest_one \[ftest_target\] \(1\) .*I' enabled_functions
	expect_write EBUSY w $FTRACE_ENABLED '0\n'
	put ftest_one set_ftrace_filter
	put function current_tracer
	expect_file "$(param ftest_target value)" 2000
	put 0 tracing_on
	expect_true "the patched function is traced" grep -q ': ftest_one <-value_get' trace
	put 0 $PATCH/enabled
	expect_true "unpatched" wait_for 60 test ! -d $PATCH
	put 1 tracing_on
	: > trace
	expect_file "$(param ftest_target value)" 1
	put 0 tracing_on
	expect_true "the function is still traced" grep -q ': ftest_one <-value_get' trace
}

# Undoes the settings of livepatch_graph
reset_more()
{
	[ ! -f options/funcgraph-keep-slow ] || echo 0 > options/funcgraph-keep-slow
	[ ! -f tracing_thresh ] || echo 0 > tracing_thresh
}

# sits_in FUNCTION COMMAND...: the command begins a transition while a thread is in the
# function, whose return address the tracer has replaced. The transition waits until the thread
# has left it.
sits_in()
{
	put 1 "$(param ftest_target sits)"
	if [ -r /proc/1/stack ]; then
		sits_pid=$(ps | sed -n 's,^ *\([0-9]*\) .*\[ftest/sits\].*,\1,p')
		expect_true "the thread is in $1" \
			    wait_for 10 grep -q " $1+" "/proc/$sits_pid/stack"
		expect_true "its caller" grep -q ' sitter_fn+' "/proc/$sits_pid/stack"
	fi
	shift
	"$@"
	# livepatch retries once a second
	sleep 3
	expect_file $PATCH/transition 1
	put 0 "$(param ftest_target sits)"
}

livepatch_graph()
{
	need_live_patches
	grep -qw function_graph available_tracers || skip "no function_graph here"
	need_module ftest_target
	for slow in 0 1; do
		if [ $slow = 1 ]; then
			[ -f options/funcgraph-keep-slow ] || break
			put 1 options/funcgraph-keep-slow
			put 1000000 tracing_thresh
		fi
		put 'ftest_* tree_* schedule kthread_should_stop' set_ftrace_filter
		put function_graph current_tracer
		sits_in tree_sits need_module ftest_klp
		expect_true "the transition ends" wait_for 60 begins $PATCH/transition 0
		expect_file "$(param ftest_target value)" 2000
		sits_in patched_sits put 0 $PATCH/enabled
		expect_true "unpatched" wait_for 60 test ! -d $PATCH
		expect_file "$(param ftest_target value)" 1
		put 0 tracing_on
		expect "$(events | grep -c ' tree_sits.*() {')" 2 "calls in the trace"
		put nop current_tracer
		put 1 tracing_on
		drop_module ftest_klp
	done
}

# same_are FIRST SECOND: the functions of the same name return these values
same_are()
{
	[ "$(cat "$(param ftest_same first)") $(cat "$(param ftest_same second)")" = "$1 $2" ]
}

livepatch_of_same()
{
	need_live_patches
	need_module ftest_same
	expect_true "both as they are" same_are 1 2
	need_module ftest_klp
	expect_true "a patch that is loaded later" wait_for 60 same_are 1 3000
	expect_true "the transition ends" \
		    wait_for 60 grep -q 0 /sys/kernel/livepatch/ftest_klp/transition
	drop_module ftest_same
	need_module ftest_same
	expect_true "a patch that was loaded before" same_are 1 3000
}

slowcase free_under_load "the memory of an ftrace_ops can be freed right after it is unregistered"
slowcase parked "unregistering waits for a task that was preempted in the callback"
testcase recursed "functions that callbacks recurse through are listed"
testcase enabled_functions "enabled_functions shows the users of each function"
testcase trampoline_symbol "kallsyms has the trampoline"
slowcase rmmod_at_once "a module that is unloaded under load unregisters its ftrace_ops"
testcase kprobes "kprobes are kept when a function becomes traced and untraced"
testcase kprobes_on_traced "kprobes can be set and removed on a traced function"
testcase kprobe_under_stack "a kprobe is hit while the stack of a call is recorded"
testcase kprobe_inside_of_guard "a kprobe can be on the function that tells whether RCU is watching"
testcase livepatch "a function can be live patched and traced"
slowcase livepatch_graph "a live patch waits for tasks in a function that function_graph traces"
testcase livepatch_of_same "a live patch finds one of two functions of the same name"
finish
