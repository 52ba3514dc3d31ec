// SPDX-License-Identifier: GPL-2.0
/*
 * The function tracer: an entry for each call of a traced function.
 */
#include <linux/ftrace.h>
#include <linux/init.h>
#include <linux/jump_label.h>
#include <linux/kernel.h>
#include <linux/preempt.h>
#include <linux/printk.h>
#include <linux/string.h>

#include "filter/pids.h"
#include "instance/entries.h"
#include "instance/export.h"
#include "instance/instance.h"
#include "instance/printk.h"
#include "instance/registry.h"
#include "instance/write.h"
#include "ring/write.h"
#include "tracer/repeats.h"
#include "tracer/selftest.h"

/* Option func_stack_trace is set, for whatever instance. */
static DEFINE_STATIC_KEY_FALSE(wants_stacks);

/*
 * record_stack(), record_call(), the callback, and the trampoline that called
 * it: to be left out where unwinding cannot begin at the traced function, that
 * is with frame pointers, with which no call is made a jump.
 */
#define FRAMES_OF_OURS	4

/*
 * Unwinding is traced like anything else, so it must not begin anew within
 * itself; what it calls still shows as functions.
 */
static noinline void record_stack(struct trace_array *tr, unsigned int context,
				  unsigned long ip, unsigned long parent_ip,
				  struct ftrace_regs *fregs)
{
	int bit = ftrace_test_recursion_trylock(ip, parent_ip);

	if (bit < 0)
		return;

	trace_record_stack(tr, context, arch_ftrace_unwind_regs(fregs),
			   FRAMES_OF_OURS);
	ftrace_test_recursion_unlock(bit);
}

/*
 * The ring lets nobody in who is inside already in the same context, so that
 * what the ring calls can be traced without an end to it all being needed here.
 */
static noinline void record_call(unsigned long ip, unsigned long parent_ip,
				 struct trace_array *tr, struct ftrace_regs *fregs)
{
	unsigned int context = trace_context_now();
	struct ftrace_entry *entry;
	struct ring_write write;

	entry = ring_write_begin(tr->main.buffer, sizeof(*entry), &write);
	if (likely(entry)) {
		trace_entry_fill(&entry->ent, TRACE_FN, context);
		entry->ip = ip;
		entry->parent_ip = parent_ip;
		trace_export_function(entry, sizeof(*entry));
		trace_name_want();
		ring_write_end(&write);
	}

	if (static_branch_unlikely(&wants_stacks))
		record_stack(tr, context, ip, parent_ip, fregs);
}

/*
 * On the way to each traced function, in any context: every instruction here
 * counts. Apart, so that a task that is not traced saves no registers.
 */
static void function_call(unsigned long ip, unsigned long parent_ip,
			  struct ftrace_ops *op, struct ftrace_regs *fregs)
{
	struct trace_array *tr = op->private;

	if (!ftrace_pids_skip(tr->pids))
		record_call(ip, parent_ip, tr, fregs);
}

/* The same with func-no-repeats. */
static void function_call_once(unsigned long ip, unsigned long parent_ip,
			       struct ftrace_ops *op, struct ftrace_regs *fregs)
{
	struct trace_array *tr = op->private;

	preempt_disable_notrace();
	if (!ftrace_pids_skip(tr->pids) &&
	    !trace_is_repeat(tr, trace_context_now(), ip, parent_ip)) {
		function_call(ip, parent_ip, op, fregs);
		barrier();
	}
	preempt_enable_notrace();
}

/*
 * set_ftrace_filter and ftrace_filter= say which functions. It asks for the
 * task itself, which costs less than FTRACE_OPS_FL_PID.
 */
static struct ftrace_ops function_ops = {
	.func		= function_call,
	.private	= &trace_top,
};

enum {
	FUNCTION_STACKS		= BIT(0),
	FUNCTION_NO_REPEATS	= BIT(1),
};

static const struct tracer_option function_options[] = {
	{ "func_stack_trace", FUNCTION_STACKS },
	{ "func-no-repeats", FUNCTION_NO_REPEATS },
	{ }
};

static struct tracer function_tracer;

static void function_watch_stacks(bool on)
{
	if (on)
		static_branch_enable(&wants_stacks);
	else
		static_branch_disable(&wants_stacks);
}

static int function_start(struct trace_array *tr, u32 flags)
{
	bool once = flags & FUNCTION_NO_REPEATS;
	int ret;

	ret = once ? trace_repeats_begin(tr) : 0;
	if (ret)
		return ret;

	tr->ops->func = once ? function_call_once : function_call;
	ret = register_ftrace_function(tr->ops);
	if (ret)
		trace_repeats_end(tr);

	return ret;
}

static void function_stop(struct trace_array *tr)
{
	unregister_ftrace_function(tr->ops);
	trace_repeats_end(tr);
}

static int function_init(struct trace_array *tr)
{
	int ret = function_start(tr, function_tracer.flags);

	if (!ret)
		function_watch_stacks(function_tracer.flags & FUNCTION_STACKS);

	return ret;
}

static void function_reset(struct trace_array *tr)
{
	function_watch_stacks(false);
	function_stop(tr);
}

static int function_set_option(struct trace_array *tr, u32 bit, bool on)
{
	int ret;

	if (tr->tracer != &function_tracer)
		return 0;

	if (bit == FUNCTION_STACKS) {
		function_watch_stacks(on);
		return 0;
	}

	function_stop(tr);
	ret = function_start(tr, function_tracer.flags ^ bit);
	if (ret && function_start(tr, function_tracer.flags))
		pr_warn("tracing: the function tracer did not start again\n");

	return ret;
}

static struct tracer function_tracer = {
	.name		= "function",
	.init		= function_init,
	.reset		= function_reset,
	.set_option	= function_set_option,
	.options	= function_options,
	.selftest	= function_selftest,
};

static int __init function_tracer_init(void)
{
	ftrace_ops_set_global_filter(&function_ops);
	trace_top.ops = &function_ops;
	ftrace_global_pids.follow = trace_top.options & TRACE_OPT(FUNCTION_FORK);
	trace_top.pids = &ftrace_global_pids;

	return register_tracer(&function_tracer);
}
early_initcall(function_tracer_init);
