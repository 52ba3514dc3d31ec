/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What latency tracers have in common: the calls of functions that they record, and
 * the stack where a latency ended.
 */
#ifndef _TRACE_TRACER_LATENCY_H
#define _TRACE_TRACER_LATENCY_H

#include <linux/ftrace.h>

struct trace_array;

void trace_latency_record_call(struct trace_array *tr, unsigned long ip,
			       unsigned long parent_ip);

#ifdef CONFIG_FUNCTION_TRACER
int trace_latency_functions_begin(struct trace_array *tr, ftrace_func_t func);
void trace_latency_functions_end(struct trace_array *tr);
#else
/* Where functions cannot be traced, @func is NULL. */
static inline int trace_latency_functions_begin(struct trace_array *tr, void *func)
{
	return 0;
}

static inline void trace_latency_functions_end(struct trace_array *tr)
{
}
#endif

#endif /* _TRACE_TRACER_LATENCY_H */
