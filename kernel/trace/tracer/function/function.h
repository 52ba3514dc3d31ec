/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What other tracers of functions share with the function tracer.
 */
#ifndef _TRACE_TRACER_FUNCTION_FUNCTION_H
#define _TRACE_TRACER_FUNCTION_FUNCTION_H

int trace_function_filters_init(void);

#endif /* _TRACE_TRACER_FUNCTION_FUNCTION_H */
