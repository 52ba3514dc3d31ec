/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Stack traces of the kernel or of user space as entries.
 */
#ifndef _TRACE_INSTANCE_RECORD_RECORD_STACK_H
#define _TRACE_INSTANCE_RECORD_RECORD_STACK_H

#include <linux/compiler.h>

#include "instance/core/instance.h"
#include "instance/core/options.h"

struct pt_regs;

void trace_record_callers(struct trace_array *tr, unsigned int context,
			  const unsigned long *callers, unsigned int n);
void trace_record_stack(struct trace_array *tr, unsigned int context,
			struct pt_regs *regs, int skip);
void trace_record_stack_from(struct trace_array *tr, unsigned int context,
			     unsigned long from, unsigned int skip);
void trace_record_stacks(struct trace_array *tr, unsigned int context,
			 unsigned long from, unsigned int skip);

/*
 * trace_stacks_after - record the stack traces that options request after an entry
 *
 * @context is trace_context_now() of the entry; the stack begins with the caller that return
 * address @from belongs to, or @skip callers further out. Any context.
 */
static __always_inline void trace_stacks_after(struct trace_array *tr,
					       unsigned int context,
					       unsigned long from,
					       unsigned int skip)
{
	if (unlikely(READ_ONCE(tr->options) & TRACE_OPT_STACKS))
		trace_record_stacks(tr, context, from, skip);
}

#endif /* _TRACE_INSTANCE_RECORD_RECORD_STACK_H */
