/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Repeated calls of a function from the same place, recorded once
 * (option func-no-repeats of the function tracer).
 */
#ifndef _TRACE_TRACER_FUNCTION_FUNC_REPEATS_H
#define _TRACE_TRACER_FUNCTION_FUNC_REPEATS_H

#include <linux/types.h>

struct trace_array;

int trace_repeats_init(void);
int trace_repeats_prepare(struct trace_array *tr);
bool trace_is_repeat(struct trace_array *tr, unsigned int context,
		     unsigned long ip, unsigned long parent_ip);

#endif /* _TRACE_TRACER_FUNCTION_FUNC_REPEATS_H */
