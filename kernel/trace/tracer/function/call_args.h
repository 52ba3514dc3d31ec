/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Arguments of a call, as stored in entries of tracers.
 */
#ifndef _TRACE_TRACER_FUNCTION_CALL_ARGS_H
#define _TRACE_TRACER_FUNCTION_CALL_ARGS_H

#include <linux/ftrace.h>

#ifdef CONFIG_DYNAMIC_FTRACE_WITH_ARGS

/* Packed: its place in an entry is only aligned to 4 bytes. */
struct trace_args {
	unsigned long reg[FTRACE_REGS_MAX_ARGS];
} __packed;

/*
 * trace_args_fill - store the argument registers at the entry of a function
 *
 * The number of arguments is not known here: registers that the function does not use contain
 * leftover values of its caller.
 */
static __always_inline void trace_args_fill(void *to, const struct ftrace_regs *fregs)
{
	struct trace_args *args = to;
	int i;

	for (i = 0; i < FTRACE_REGS_MAX_ARGS; i++)
		args->reg[i] = ftrace_regs_get_argument((struct ftrace_regs *)fregs, i);
}

#else

/* Call sites that are after the prologue: the arguments are no longer available. */
struct trace_args { };

static inline void trace_args_fill(void *to, const struct ftrace_regs *fregs) { }

#endif

#endif /* _TRACE_TRACER_FUNCTION_CALL_ARGS_H */
