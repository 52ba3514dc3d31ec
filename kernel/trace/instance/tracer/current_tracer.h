/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The current tracer of an instance.
 */
#ifndef _TRACE_INSTANCE_TRACER_CURRENT_TRACER_H
#define _TRACE_INSTANCE_TRACER_CURRENT_TRACER_H

#include <linux/types.h>

struct trace_array;
struct tracer;

void current_tracer_init(void);
void tracing_tracer_failed(struct trace_array *tr);
int tracing_switch_tracer(struct trace_array *tr, struct tracer *tracer);
int trace_cmdlines_events(struct trace_array *tr, bool on);
int tracing_set_tracer(struct trace_array *tr, const char *name);

#endif /* _TRACE_INSTANCE_TRACER_CURRENT_TRACER_H */
