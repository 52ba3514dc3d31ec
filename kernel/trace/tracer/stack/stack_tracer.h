/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The stack tracer: the deepest stack seen at the start of a function.
 */
#ifndef _TRACE_TRACER_STACK_STACK_TRACER_H
#define _TRACE_TRACER_STACK_STACK_TRACER_H

#include <linux/ftrace.h>

/* Maximum number of frames. Frames beyond it, at the outer end of a stack, are not recorded. */
#define TRACE_STACK_FRAMES	400

/**
 * struct trace_stack - a stack
 * @nr: number of frames
 * @frame: the frames, beginning with the traced function: an address in the function, and the
 *	number of bytes of the stack used by it and its callers
 */
struct trace_stack {
	unsigned int	nr;
	struct {
		unsigned long	addr;
		unsigned int	depth;
	} frame[TRACE_STACK_FRAMES];
};

void trace_stack_copy(struct trace_stack *stack);
unsigned int trace_stack_max_size(void);
void trace_stack_set_max_size(unsigned int size);

#ifdef CONFIG_STACK_TRACER
struct ftrace_ops_hash *trace_stack_filters(void);
#else
static inline struct ftrace_ops_hash *trace_stack_filters(void)
{
	return NULL;
}
#endif

#endif /* _TRACE_TRACER_STACK_STACK_TRACER_H */
