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

/**
 * struct trace_stack_start - where a stack trace begins
 * @caller: return address in a caller
 * @skip: number of callers to skip, from that one on
 * @regs: registers of the kernel's code that a probe has hit, where it begins instead; or NULL
 */
struct trace_stack_start {
	unsigned long	caller;
	unsigned int	skip;
	struct pt_regs	*regs;
};

unsigned int trace_stack_save(unsigned long *callers, unsigned int max,
			      const struct trace_stack_start *start);
void trace_record_stack_from(struct trace_array *tr, unsigned int context,
			     const struct trace_stack_start *start);
void trace_record_stacks(struct trace_array *tr, unsigned int context,
			 const struct trace_stack_start *start);

/*
 * trace_stacks_after - record the stack traces that options request after an entry
 *
 * @context is trace_context_now() of the entry; the stack begins with the caller that return
 * address @from belongs to. Any context.
 */
static __always_inline void trace_stacks_after(struct trace_array *tr,
					       unsigned int context,
					       unsigned long from)
{
	if (unlikely(READ_ONCE(tr->options) & TRACE_OPT_STACKS)) {
		const struct trace_stack_start start = { .caller = from };

		trace_record_stacks(tr, context, &start);
	}
}

#endif /* _TRACE_INSTANCE_RECORD_RECORD_STACK_H */
