// SPDX-License-Identifier: GPL-2.0
/*
 * Stack traces as entries. The options stacktrace and userstacktrace request them after entries
 * of trace_printk() and trace_marker; the function tracer has its own option, func_stack_trace.
 */
#include <linux/bits.h>
#include <linux/hardirq.h>
#include <linux/kernel.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/ptrace.h>
#include <linux/sched.h>
#include <linux/stacktrace.h>
#include <linux/string.h>

#include "instance/record/entry.h"
#include "instance/record/record_stack.h"

/* The array is on the stack, and the caller may have little stack left. */
#define STACK_MAX	48

/*
 * Contexts that are recording a stack on this CPU, by interrupt_context_level(). Recording may
 * itself trigger entries with a stack: for example, walking the user's stack can fault. An
 * interrupting context has its own bit, which it clears before it returns.
 */
static DEFINE_PER_CPU(unsigned int, walking);

/**
 * trace_record_callers - record a previously saved stack trace
 * @tr: the instance
 * @context: trace_context_now()
 * @callers: return addresses, innermost first
 * @n: number of @callers
 *
 * Any context.
 */
void trace_record_callers(struct trace_array *tr, unsigned int context,
			  const unsigned long *callers, unsigned int n)
{
	struct trace_buffer *buffer = tr->main.buffer;
	struct stack_entry *entry;

	entry = trace_entry_begin(buffer, TRACE_STACK,
				  struct_size(entry, caller, n), context);
	if (!entry)
		return;

	entry->size = n;
	memcpy(entry->caller, callers, n * sizeof(*callers));
	trace_entry_end(buffer);
}

/**
 * trace_record_stack - record the stack of the caller
 * @tr: the instance
 * @context: trace_context_now()
 * @regs: registers where the stack trace begins, or NULL
 * @skip: number of callers to skip if @regs is NULL
 *
 * Any context.
 */
noinline void trace_record_stack(struct trace_array *tr, unsigned int context,
				 struct pt_regs *regs, int skip)
{
	unsigned long callers[STACK_MAX];
	unsigned int n;

	if (regs)
		n = stack_trace_save_regs(regs, callers, STACK_MAX, 0);
	else
		n = stack_trace_save(callers, STACK_MAX, skip + 1);

	trace_record_callers(tr, context, callers, n);
}

/* Is @caller where the stack trace begins? */
static bool record_stack_is_start(const struct trace_stack_start *start, unsigned long caller)
{
	/*
	 * The return address is after the instructions of a call site. Code patched for one
	 * probe has at most 16 bytes.
	 */
	if (start->regs)
		return caller - instruction_pointer(start->regs) < 16;

	return caller == start->caller;
}

/**
 * trace_stack_save - save the stack from a given place on
 * @callers: set to return addresses, innermost first
 * @max: size of @callers. The functions of tracing before @start also need space.
 * @start: the place where it begins. If that is not on the stack, the whole stack is saved. A
 *	stack that cannot be unwound to @start->regs is unwound from there.
 *
 * Any context.
 *
 * Return: number of callers
 */
noinline unsigned int trace_stack_save(unsigned long *callers, unsigned int max,
				       const struct trace_stack_start *start)
{
	unsigned int n = stack_trace_save(callers, max, 1), first;

	for (first = 0; first < n && !record_stack_is_start(start, callers[first]); first++)
		;
	if (first == n)
		return start->regs ? stack_trace_save_regs(start->regs, callers, max, 0) : n;

	first = min(first + start->skip, n);
	memmove(callers, callers + first, (n - first) * sizeof(*callers));

	return n - first;
}

/**
 * trace_record_stack_from - record the stack from a given place on
 * @tr: the instance
 * @context: trace_context_now()
 * @start: the place where it begins, see trace_stack_save()
 *
 * Any context.
 */
void trace_record_stack_from(struct trace_array *tr, unsigned int context,
			     const struct trace_stack_start *start)
{
	unsigned long callers[STACK_MAX];

	trace_record_callers(tr, context, callers, trace_stack_save(callers, STACK_MAX, start));
}

static void record_stack_user(struct trace_array *tr, unsigned int context)
{
	struct trace_buffer *buffer = tr->main.buffer;
	unsigned long callers[TRACE_USER_STACK_MAX] = {};
	struct userstack_entry *entry;

	if (!stack_trace_save_user(callers, TRACE_USER_STACK_MAX))
		return;

	entry = trace_entry_begin(buffer, TRACE_USER_STACK, sizeof(*entry),
				  context);
	if (!entry)
		return;

	entry->tgid = current->tgid;
	memcpy(entry->caller, callers, sizeof(callers));
	trace_entry_end(buffer);
}

/* An NMI cannot read user memory, and kernel threads have none. */
static bool record_stack_has_user(void)
{
	return IS_ENABLED(CONFIG_USER_STACKTRACE_SUPPORT) && !in_nmi() &&
	       current->mm && !(current->flags & (PF_KTHREAD | PF_USER_WORKER));
}

/**
 * trace_record_stacks - record the stack traces that options request
 * @tr: the instance
 * @context: trace_context_now() of the entry that they belong to
 * @start: the place where the stack of the kernel begins, see trace_stack_save()
 *
 * Any context.
 */
void trace_record_stacks(struct trace_array *tr, unsigned int context,
			 const struct trace_stack_start *start)
{
	unsigned int level = BIT(interrupt_context_level());
	u64 options = READ_ONCE(tr->options);

	preempt_disable_notrace();
	if (__this_cpu_read(walking) & level)
		goto out;

	__this_cpu_or(walking, level);
	if (options & TRACE_OPT(STACKTRACE))
		trace_record_stack_from(tr, context, start);
	if (options & TRACE_OPT(USERSTACKTRACE) && record_stack_has_user())
		record_stack_user(tr, context);
	__this_cpu_and(walking, ~level);
out:
	preempt_enable_notrace();
}
