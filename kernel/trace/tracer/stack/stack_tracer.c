// SPDX-License-Identifier: GPL-2.0
/*
 * The stack tracer: the deepest stack seen at the start of a function, with the share of each
 * caller.
 *
 * Only stacks of tasks are checked. Interrupts and exceptions that have stacks of their own are
 * left out, and so are NMIs.
 */
#define pr_fmt(fmt) "tracing: " fmt

#include <linux/cleanup.h>
#include <linux/ftrace.h>
#include <linux/ftrace_arch.h>
#include <linux/init.h>
#include <linux/kernel.h>
#include <linux/mutex.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/printk.h>
#include <linux/rcupdate.h>
#include <linux/sched/task_stack.h>
#include <linux/sysctl.h>

#include "filter/filter.h"
#include "ftrace/fgraph/fgraph_unwind.h"
#include "ftrace/ops/ops.h"
#include "lib/untraced_lock.h"
#include "tracer/stack/stack_tracer.h"

/* kernel.stack_tracer_enabled; changed under enable_lock */
int stack_tracer_enabled;
static DEFINE_MUTEX(enable_lock);

DEFINE_PER_CPU(int, disable_stack_tracer);

/* Size in bytes that a stack must exceed to be recorded. Written under deepest_lock. */
static unsigned int max_size;

/* Protects @deepest. Taken with interrupts off, and never in NMIs. */
static arch_spinlock_t deepest_lock = __ARCH_SPIN_LOCK_UNLOCKED;
static struct trace_stack deepest;

static unsigned long stack_tracer_depth_of(unsigned long sp)
{
	return (unsigned long)task_stack_page(current) + THREAD_SIZE - sp;
}

/* Return: false if there is no space for more frames. */
static bool stack_tracer_add_frame(void *data, unsigned long addr, unsigned long sp)
{
	struct trace_stack *stack = data;

	stack->frame[stack->nr].addr = addr;
	stack->frame[stack->nr].depth = stack_tracer_depth_of(sp);

	return ++stack->nr < TRACE_STACK_FRAMES;
}

static noinline void stack_tracer_keep(unsigned long ip, unsigned long parent_ip,
				       struct ftrace_regs *fregs)
{
	unsigned long sp = ftrace_regs_get_stack_pointer(fregs);

	guard(untraced_lock)(&deepest_lock);

	if (stack_tracer_depth_of(sp) <= max_size)
		return;

	WRITE_ONCE(max_size, stack_tracer_depth_of(sp));
	deepest.nr = 0;
	stack_tracer_add_frame(&deepest, ip, sp);
	ftrace_walk_frames(fregs, graph_real_parent(parent_ip, fregs), stack_tracer_add_frame,
			   &deepest);
}

static void stack_tracer_call(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *ops,
			      struct ftrace_regs *fregs)
{
	unsigned long sp = ftrace_regs_get_stack_pointer(fregs);

	/* On another stack the depth, as an unsigned number, is far too large. */
	if (likely(stack_tracer_depth_of(sp) <= READ_ONCE(max_size) ||
		   stack_tracer_depth_of(sp) > THREAD_SIZE))
		return;

	preempt_disable_notrace();

	/*
	 * Unwinding calls functions that call this one, which must not wait for the lock then.
	 * It may also look up the module of an address, which requires RCU.
	 */
	if (!this_cpu_read(disable_stack_tracer) && !in_nmi() && rcu_is_watching()) {
		stack_tracer_disable();
		stack_tracer_keep(ip, parent_ip, fregs);
		stack_tracer_enable();
	}

	preempt_enable_notrace();
}

static struct ftrace_ops stack_ops = {
	.func	= stack_tracer_call,
};

/**
 * trace_stack_copy - copy the deepest stack
 * @stack: destination; has no frames if no stack has been recorded yet
 */
void trace_stack_copy(struct trace_stack *stack)
{
	guard(untraced_lock)(&deepest_lock);

	*stack = deepest;
}

/**
 * trace_stack_max_size - get the depth of the deepest stack, in bytes
 */
unsigned int trace_stack_max_size(void)
{
	return READ_ONCE(max_size);
}

/**
 * trace_stack_set_max_size - record only stacks deeper than a size from now on
 * @size: the size in bytes; 0 to record the next stack
 */
void trace_stack_set_max_size(unsigned int size)
{
	guard(untraced_lock)(&deepest_lock);

	WRITE_ONCE(max_size, size);
}

/**
 * trace_stack_filters - get the filters of the functions to check
 */
struct ftrace_ops_hash *trace_stack_filters(void)
{
	return stack_ops.func_hash;
}

static int stack_tracer_switch(bool on)
{
	int err = 0;

	guard(mutex)(&enable_lock);

	if (on != stack_tracer_enabled)
		err = on ? register_ftrace_function(&stack_ops) :
			   ftrace_ops_detach(&stack_ops);
	if (!err)
		stack_tracer_enabled = on;

	return err;
}

/**
 * stack_trace_sysctl - handle the sysctl kernel.stack_tracer_enabled
 * @table: its table entry
 * @write: true if the value is written
 * @buffer: the text
 * @lenp: length of the text
 * @ppos: position in the file
 *
 * Any number except 0 enables the tracer.
 *
 * Return: 0; the error of proc_dointvec() or of register_ftrace_function().
 */
int stack_trace_sysctl(const struct ctl_table *table, int write, void *buffer,
		       size_t *lenp, loff_t *ppos)
{
	int value = READ_ONCE(stack_tracer_enabled);
	struct ctl_table copy = *table;
	int err;

	copy.data = &value;
	err = proc_dointvec(&copy, write, buffer, lenp, ppos);

	return err || !write ? err : stack_tracer_switch(value);
}

FTRACE_BOOT_FILTER(boot_filter, "stacktrace_filter=");

static bool boot_enable __initdata;

static int __init stack_tracer_boot_enable_setup(char *rest)
{
	/* This may be the beginning of a longer parameter. */
	if (*rest)
		return 0;

	boot_enable = true;

	return 1;
}
__setup("stacktrace", stack_tracer_boot_enable_setup);

static int __init stack_tracer_init(void)
{
	int err;

	ftrace_ops_init(&stack_ops);
	if (*boot_filter)
		boot_enable = true;
	ftrace_filter_boot(stack_ops.func_hash, boot_filter, false);

	err = boot_enable ? stack_tracer_switch(true) : 0;
	if (err)
		pr_warn("failed to start the stack tracer: error %d\n", err);

	return err;
}
core_initcall(stack_tracer_init);
