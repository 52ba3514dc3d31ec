// SPDX-License-Identifier: GPL-2.0
/*
 * Stacks that the options stacktrace and userstacktrace ask for, after entries
 * of trace_printk() and trace_marker. The function tracer has an option of its
 * own, func_stack_trace.
 */
#include <linux/hardirq.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/sched.h>
#include <linux/stacktrace.h>
#include <linux/string.h>

#include "instance/stack.h"
#include "instance/write.h"

/* On the stack of the caller, who may be short of it. */
#define STACK_MAX	48

/* To walk the user's stack can fault, and what handles that may record too. */
static DEFINE_PER_CPU(unsigned int, walking);

/* The callers begin with whoever @from returns to, as far as it is found. */
static void record_stack(struct trace_array *tr, unsigned int context,
			 unsigned long from)
{
	struct trace_buffer *buffer = tr->main.buffer;
	unsigned long callers[STACK_MAX];
	struct stack_entry *entry;
	unsigned int n, first;

	n = stack_trace_save(callers, STACK_MAX, 1);
	for (first = 0; first < n && callers[first] != from; first++)
		;
	if (first == n)
		first = 0;
	n -= first;

	entry = trace_entry_begin(buffer, TRACE_STACK,
				  struct_size(entry, caller, n), context);
	if (!entry)
		return;

	entry->size = n;
	memcpy(entry->caller, callers + first, n * sizeof(*callers));
	trace_entry_end(buffer);
}

static void record_user_stack(struct trace_array *tr, unsigned int context)
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

/* User memory cannot be looked at from an NMI, and kernel threads have none. */
static bool has_user_stack(void)
{
	return IS_ENABLED(CONFIG_USER_STACKTRACE_SUPPORT) && !in_nmi() &&
	       current->mm && !(current->flags & (PF_KTHREAD | PF_USER_WORKER));
}

/**
 * trace_record_stacks - record the stacks that the options ask for
 * @tr: the instance
 * @context: trace_context_now() of the entry they are of
 * @from: the address that who recorded it returns to
 *
 * Any context.
 */
void trace_record_stacks(struct trace_array *tr, unsigned int context,
			 unsigned long from)
{
	u64 options = READ_ONCE(tr->options);

	preempt_disable_notrace();
	if (__this_cpu_inc_return(walking) > 1)
		goto out;

	if (options & TRACE_OPT(STACKTRACE))
		record_stack(tr, context, from);
	if (options & TRACE_OPT(USERSTACKTRACE) && has_user_stack())
		record_user_stack(tr, context);
out:
	__this_cpu_dec(walking);
	preempt_enable_notrace();
}
