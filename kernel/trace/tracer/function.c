// SPDX-License-Identifier: GPL-2.0
/*
 * The function tracer: an entry for each call of a traced function.
 */
#include <linux/ftrace.h>
#include <linux/init.h>
#include <linux/jump_label.h>
#include <linux/kernel.h>
#include <linux/string.h>

#include "instance/entries.h"
#include "instance/instance.h"
#include "instance/pids.h"
#include "instance/printk.h"
#include "instance/registry.h"
#include "instance/write.h"
#include "ring/write.h"
#include "tracer/selftest.h"

/* Option func_stack_trace is set, for whatever instance. */
static DEFINE_STATIC_KEY_FALSE(wants_stacks);

/* record_stack(), the callback, and the trampoline that called it. */
#define FRAMES_OF_OURS	3

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
 * On the way to each traced function, in any context: every instruction here
 * counts. The ring lets nobody in who is inside already in the same context,
 * so that what the ring calls can be traced without an end to it all being
 * needed here.
 */
static void function_call(unsigned long ip, unsigned long parent_ip,
			  struct ftrace_ops *op, struct ftrace_regs *fregs)
{
	struct trace_array *tr = op->private;
	struct ftrace_entry *entry;
	struct ring_write write;
	unsigned int context;

	if (trace_ignores_current(tr))
		return;

	context = trace_context_now();
	entry = ring_write_begin(tr->main.buffer, sizeof(*entry), &write);
	if (likely(entry)) {
		trace_entry_fill(&entry->ent, TRACE_FN, context);
		entry->ip = ip;
		entry->parent_ip = parent_ip;
		trace_name_want();
		ring_write_end(&write);
	}

	if (static_branch_unlikely(&wants_stacks)) {
		record_stack(tr, context, ip, parent_ip, fregs);
		/* A call, not a jump, so that FRAMES_OF_OURS is right. */
		barrier();
	}
}

/* set_ftrace_filter and ftrace_filter= say which functions. */
static struct ftrace_ops function_ops = {
	.func		= function_call,
	.private	= &trace_top,
};

enum {
	FUNCTION_STACKS	= BIT(0),
};

static const struct tracer_option function_options[] = {
	{ "func_stack_trace", FUNCTION_STACKS },
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

static int function_init(struct trace_array *tr)
{
	int ret;

	ret = register_ftrace_function(tr->ops);
	if (!ret)
		function_watch_stacks(function_tracer.flags & FUNCTION_STACKS);

	return ret;
}

static void function_reset(struct trace_array *tr)
{
	function_watch_stacks(false);
	unregister_ftrace_function(tr->ops);
}

static int function_set_option(struct trace_array *tr, u32 bit, bool on)
{
	if (tr->tracer == &function_tracer)
		function_watch_stacks(on);

	return 0;
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

	return register_tracer(&function_tracer);
}
early_initcall(function_tracer_init);
