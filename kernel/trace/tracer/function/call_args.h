/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The arguments of a call, as entries of tracers have them.
 */
#ifndef _TRACE_TRACER_FUNCTION_CALL_ARGS_H
#define _TRACE_TRACER_FUNCTION_CALL_ARGS_H

#include <linux/ftrace.h>

#ifdef CONFIG_DYNAMIC_FTRACE_WITH_ARGS

/* Packed: where it is in an entry is aligned to 4 bytes. */
struct trace_args {
	unsigned long reg[FTRACE_REGS_MAX_ARGS];
} __packed;

/*
 * trace_args_fill - what the registers of arguments have at the entry of a function
 *
 * How many arguments there are is not known here: registers that the function does not use
 * have whatever its caller left there.
 */
static __always_inline void trace_args_fill(void *to, const struct ftrace_regs *fregs)
{
	struct trace_args *args = to;
	int i;

	for (i = 0; i < FTRACE_REGS_MAX_ARGS; i++)
		args->reg[i] = ftrace_regs_get_argument((struct ftrace_regs *)fregs, i);
}

#else

/* Call sites that stand behind the prologue: the arguments are no longer there. */
struct trace_args { };

static inline void trace_args_fill(void *to, const struct ftrace_regs *fregs) { }

#endif

#endif /* _TRACE_TRACER_FUNCTION_CALL_ARGS_H */
