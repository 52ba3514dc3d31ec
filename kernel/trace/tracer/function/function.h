/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Parts of the function tracer shared with other tracers of functions.
 */
#ifndef _TRACE_TRACER_FUNCTION_FUNCTION_H
#define _TRACE_TRACER_FUNCTION_FUNCTION_H

int trace_function_filters_init(void);

#endif /* _TRACE_TRACER_FUNCTION_FUNCTION_H */
