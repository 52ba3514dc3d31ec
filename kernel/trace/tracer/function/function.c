// SPDX-License-Identifier: GPL-2.0
/*
 * The function tracer: an entry for each call of a traced function.
 */
#include <linux/ftrace.h>
#include <linux/init.h>
#include <linux/kernel.h>
#include <linux/preempt.h>
#include <linux/printk.h>
#include <linux/slab.h>

#include "filter/func_command.h"
#include "filter/pids.h"
#include "ftrace/fgraph/fgraph_unwind.h"
#include "ftrace/ops/ops.h"
#include "instance/core/entries.h"
#include "instance/core/instance.h"
#include "instance/core/options.h"
#include "instance/record/entry.h"
#include "instance/record/export.h"
#include "instance/record/record_stack.h"
#include "instance/tracer/current_tracer.h"
#include "instance/tracer/instance_create.h"
#include "instance/tracer/register_tracer.h"
#include "ring/write.h"
#include "tracer/function/call_args.h"
#include "tracer/function/func_repeats.h"
#include "tracer/function/function.h"
#include "tracer/selftest/selftest.h"

/*
 * function_record_stack(), the callback, and the trampoline that called it: number of frames to
 * skip if unwinding cannot begin at the traced function. This is the case with frame pointers,
 * with which the compiler makes no tail calls.
 */
#define FRAMES_TO_SKIP	3

/*
 * Functions called for unwinding are recorded without a stack: otherwise recording stacks would
 * never end. A separate recursion bit is used instead of the guard that callbacks share,
 * because live patches and kprobes on these functions have to work during unwinding.
 */
static noinline void function_record_stack(struct trace_array *tr, struct ftrace_regs *fregs)
{
	int bit = trace_recursion_bit(TRACE_RECURSION_STACK);

	if (bit < 0)
		return;

	trace_recursion_enter(bit);
	trace_record_stack(tr, trace_context_now(),
			   arch_ftrace_unwind_regs(fregs), FRAMES_TO_SKIP);
	trace_recursion_leave(bit);
}

/*
 * The ring refuses a nested writer in the same context, so functions that the ring calls can be
 * traced without a recursion guard here.
 */
static __always_inline void function_write_call(unsigned long ip, unsigned long parent_ip,
						struct trace_array *tr,
						struct ftrace_regs *fregs, bool with_args)
{
	const size_t size = sizeof(struct ftrace_entry) +
			    (with_args ? sizeof(struct trace_args) : 0);
	unsigned int context = trace_context_now();
	struct ftrace_entry *entry;
	struct ring_write write;

	parent_ip = graph_real_parent(parent_ip, fregs);
	entry = ring_write_begin(tr->main.buffer, size, &write);
	if (likely(entry)) {
		trace_entry_fill(&entry->ent, TRACE_FN, context);
		entry->ip = ip;
		entry->parent_ip = parent_ip;
		if (with_args)
			trace_args_fill(entry->args, fregs);
		trace_export_function(entry, size);
		trace_cmdline_want();
		ring_write_end(&write);
	}
}

static noinline void function_record_call(unsigned long ip, unsigned long parent_ip,
					  struct trace_array *tr, struct ftrace_regs *fregs)
{
	function_write_call(ip, parent_ip, tr, fregs, false);
}

static noinline void function_record_call_args(unsigned long ip, unsigned long parent_ip,
					       struct trace_array *tr,
					       struct ftrace_regs *fregs)
{
	function_write_call(ip, parent_ip, tr, fregs, true);
}

/*
 * Called for each call of a traced function, in any context: this is the fast path.
 * function_record_call() is not inlined, so that no registers are saved for a task that is not
 * traced.
 */
static void function_call(unsigned long ip, unsigned long parent_ip,
			  struct ftrace_ops *op, struct ftrace_regs *fregs)
{
	struct trace_array *tr = op->private;

	if (!ftrace_pids_skip(tr->pids))
		function_record_call(ip, parent_ip, tr, fregs);
}

enum {
	FUNCTION_STACKS		= BIT(0),
	FUNCTION_NO_REPEATS	= BIT(1),
	FUNCTION_ARGS		= BIT(2),
	FUNCTION_FLAGS		= BIT(3) - 1,
};

static __always_inline void function_record_by(u32 flags, unsigned long ip,
					       unsigned long parent_ip,
					       struct trace_array *tr,
					       struct ftrace_regs *fregs)
{
	if (flags & FUNCTION_ARGS)
		function_record_call_args(ip, parent_ip, tr, fregs);
	else
		function_record_call(ip, parent_ip, tr, fregs);
	if (flags & FUNCTION_STACKS)
		function_record_stack(tr, fregs);
}

/* The callback with options; @flags is a constant. */
static __always_inline void function_call_by(u32 flags, unsigned long ip,
					     unsigned long parent_ip,
					     struct trace_array *tr,
					     struct ftrace_regs *fregs)
{
	if (ftrace_pids_skip(tr->pids))
		return;

	if (!(flags & FUNCTION_NO_REPEATS)) {
		function_record_by(flags, ip, parent_ip, tr, fregs);
		/* Prevent a tail call: FRAMES_TO_SKIP counts this function. */
		barrier();
		return;
	}

	/* A call is compared with the last call of its CPU. */
	preempt_disable_notrace();
	parent_ip = graph_real_parent(parent_ip, fregs);
	if (!trace_is_repeat(tr, trace_context_now(), ip, parent_ip))
		function_record_by(flags, ip, parent_ip, tr, fregs);
	preempt_enable_notrace();
}

#define FUNCTION_CALLBACK(name, flags)						\
static void name(unsigned long ip, unsigned long parent_ip,			\
		 struct ftrace_ops *op, struct ftrace_regs *fregs)		\
{										\
	function_call_by(flags, ip, parent_ip, op->private, fregs);		\
}

FUNCTION_CALLBACK(function_call_stack, FUNCTION_STACKS)
FUNCTION_CALLBACK(function_call_once, FUNCTION_NO_REPEATS)
FUNCTION_CALLBACK(function_call_once_stack, FUNCTION_NO_REPEATS | FUNCTION_STACKS)
FUNCTION_CALLBACK(function_call_args, FUNCTION_ARGS)
FUNCTION_CALLBACK(function_call_args_stack, FUNCTION_ARGS | FUNCTION_STACKS)
FUNCTION_CALLBACK(function_call_args_once, FUNCTION_ARGS | FUNCTION_NO_REPEATS)
FUNCTION_CALLBACK(function_call_args_once_stack,
		  FUNCTION_ARGS | FUNCTION_NO_REPEATS | FUNCTION_STACKS)

/*
 * Ops of the top instance, with the filters of set_ftrace_filter and ftrace_filter=. The
 * callback tests the task itself, which costs less than FTRACE_OPS_FL_PID.
 */
static struct ftrace_ops function_ops = {
	.func		= function_call,
	.private	= &trace_top,
};

static const ftrace_func_t function_callbacks[] = {
	[0]					= function_call,
	[FUNCTION_STACKS]			= function_call_stack,
	[FUNCTION_NO_REPEATS]			= function_call_once,
	[FUNCTION_NO_REPEATS | FUNCTION_STACKS]	= function_call_once_stack,
	[FUNCTION_ARGS]				= function_call_args,
	[FUNCTION_ARGS | FUNCTION_STACKS]	= function_call_args_stack,
	[FUNCTION_ARGS | FUNCTION_NO_REPEATS]	= function_call_args_once,
	[FUNCTION_FLAGS]			= function_call_args_once_stack,
};

static const struct tracer_option function_options[] = {
	{ "func_stack_trace", FUNCTION_STACKS },
	{ "func-no-repeats", FUNCTION_NO_REPEATS },
#ifdef CONFIG_DYNAMIC_FTRACE_WITH_ARGS
	{ "func-args", FUNCTION_ARGS },
#endif
	{ }
};

static struct tracer function_tracer;

static int function_start(struct trace_array *tr, u32 flags)
{
	int ret;

	if (flags & FUNCTION_NO_REPEATS) {
		ret = trace_repeats_prepare(tr);
		if (ret)
			return ret;
	}

	tr->ops->func = function_callbacks[flags & FUNCTION_FLAGS];

	return register_ftrace_function(tr->ops);
}

static int function_init(struct trace_array *tr)
{
	if (!tr->ops)
		return -ENODEV;

	return function_start(tr, tracer_flags(tr, &function_tracer));
}

/*
 * trace_lock is held, so do not wait here for callbacks in progress: all data that they use is
 * valid until function_release().
 */
static void function_reset(struct trace_array *tr)
{
	ftrace_ops_detach(tr->ops);
}

static int function_set_option(struct trace_array *tr, u32 bit, bool on)
{
	u32 flags = tracer_flags(tr, &function_tracer);
	int ret;

	if (tr->tracer != &function_tracer)
		return 0;

	function_reset(tr);
	ret = function_start(tr, flags ^ bit);
	if (ret && function_start(tr, flags))
		tracing_tracer_failed(tr);

	return ret;
}

static struct tracer function_tracer = {
	.name			= "function",
	.init			= function_init,
	.reset			= function_reset,
	.set_option		= function_set_option,
	.options		= function_options,
	.selftest		= function_selftest,
	.proves_sites		= true,
	.allow_instances	= true,
};

/* Option function-fork */
static int function_set_fork(struct trace_array *tr, bool on)
{
	if (tr->pids)
		WRITE_ONCE(tr->pids->follow, on);

	return 0;
}

static void function_release(struct trace_array *tr)
{
	ftrace_command_free_all(tr);
	if (tr->ops)
		ftrace_free_filter(tr->ops);
	kfree(tr->ops);
	ftrace_pids_free(tr->pids);
	/* An instance whose creation failed is released once more. */
	tr->ops = NULL;
	tr->pids = NULL;
}

static int function_create(struct trace_array *tr)
{
	if (tr == &trace_top) {
		ftrace_ops_set_global_filter(&function_ops);
		tr->ops = &function_ops;
		tr->pids = &ftrace_global_pids;
	} else {
		tr->ops = kzalloc(sizeof(*tr->ops), GFP_KERNEL);
		tr->pids = ftrace_pids_alloc();
		if (!tr->ops || !tr->pids) {
			function_release(tr);
			return -ENOMEM;
		}
		/* set_ftrace_filter may be opened before the tracer starts. */
		ftrace_ops_init(tr->ops);
		tr->ops->func = function_call;
		tr->ops->private = tr;
	}

	return function_set_fork(tr, tr->options & TRACE_OPT(FUNCTION_FORK));
}

static void function_destroy(struct trace_array *tr)
{
	ftrace_command_end_all(tr);
	ftrace_pids_clear(tr->pids);
}

static struct trace_instance_ops function_part = {
	.create		= function_create,
	.destroy	= function_destroy,
	.release	= function_release,
};

/**
 * trace_function_filters_init - register the per-instance filters of functions and tasks
 *
 * Called from early initcalls of each tracer that has these filters; only the first call has an
 * effect.
 *
 * Return: 0, -ENODEV without a buffer, or as register_trace_instance_ops()
 */
int __init trace_function_filters_init(void)
{
	static bool done __initdata;
	static int ret __initdata;

	if (done)
		return ret;

	done = true;
	if (!trace_top.main.buffer) {
		ret = -ENODEV;
		return ret;
	}

	trace_option_handle(TRACE_OPTION_FUNCTION_FORK, function_set_fork);
	ret = register_trace_instance_ops(&function_part);

	return ret;
}

static int __init function_tracer_init(void)
{
	int ret = trace_function_filters_init() ?: trace_repeats_init();

	return ret ?: register_tracer(&function_tracer);
}
early_initcall(function_tracer_init);
