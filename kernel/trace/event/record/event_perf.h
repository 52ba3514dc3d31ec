/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Trace events as perf events.
 */
#ifndef _TRACE_EVENT_RECORD_EVENT_PERF_H
#define _TRACE_EVENT_RECORD_EVENT_PERF_H

struct perf_event;
struct trace_event_call;

int trace_perf_attach(struct perf_event *event, struct trace_event_call *call);

#ifdef CONFIG_PERF_EVENTS
void trace_perf_forget(struct trace_event_call *call);
#else
static inline void trace_perf_forget(struct trace_event_call *call)
{
}
#endif

#endif /* _TRACE_EVENT_RECORD_EVENT_PERF_H */
