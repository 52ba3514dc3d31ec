/* SPDX-License-Identifier: GPL-2.0 */
/*
 * ftrace:function as a perf event.
 */
#ifndef _TRACE_EVENT_RECORD_PERF_FUNCTION_H
#define _TRACE_EVENT_RECORD_PERF_FUNCTION_H

#include "instance/core/entries.h"

struct event_filter;
struct perf_event;

static inline bool trace_perf_is_function(const struct trace_event_call *call)
{
	return call->event.type == TRACE_FN;
}

#if defined(CONFIG_PERF_EVENTS) && defined(CONFIG_FUNCTION_TRACER)
void trace_perf_function_add(struct trace_event_call *call);
int trace_perf_function_filter(struct perf_event *event, const struct event_filter *filter);
#else
static inline void trace_perf_function_add(struct trace_event_call *call)
{
}

static inline int trace_perf_function_filter(struct perf_event *event,
					     const struct event_filter *filter)
{
	return -EINVAL;
}
#endif

#endif /* _TRACE_EVENT_RECORD_PERF_FUNCTION_H */
