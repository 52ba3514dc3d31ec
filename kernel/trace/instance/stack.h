/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Stacks that the options stacktrace and userstacktrace ask for.
 */
#ifndef _TRACE_INSTANCE_STACK_H
#define _TRACE_INSTANCE_STACK_H

#include <linux/compiler.h>

#include "instance/instance.h"

void trace_record_stacks(struct trace_array *tr, unsigned int context,
			 unsigned long from);

/*
 * trace_stacks_after - an entry was recorded, its stacks may be wanted
 *
 * @context is trace_context_now() of the entry, @from the address that who
 * recorded it returns to. Any context.
 */
static __always_inline void trace_stacks_after(struct trace_array *tr,
					       unsigned int context,
					       unsigned long from)
{
	if (unlikely(READ_ONCE(tr->options) & TRACE_OPT_STACKS))
		trace_record_stacks(tr, context, from);
}

#endif /* _TRACE_INSTANCE_STACK_H */
