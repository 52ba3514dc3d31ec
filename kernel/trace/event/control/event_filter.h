/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Event filters of instances: the files filter.
 */
#ifndef _TRACE_EVENT_CONTROL_EVENT_FILTER_H
#define _TRACE_EVENT_CONTROL_EVENT_FILTER_H

struct event_filter;
struct seq_file;
struct trace_array;
struct trace_event_call;
struct trace_event_file;
struct trace_events;

struct event_filter *trace_event_filter_compile(struct trace_array *tr,
						struct trace_event_call *call,
						const char *text, const char *whole,
						char **message);

int trace_event_filter_set(struct trace_array *tr, struct trace_event_call *call,
			   const char *text);
void trace_event_filter_show(struct seq_file *m, struct trace_array *tr,
			     struct trace_event_call *call);
int trace_system_filter_set(struct trace_array *tr, const char *system, const char *text);
void trace_system_filter_show(struct seq_file *m, struct trace_array *tr,
			      const char *system);

#endif /* _TRACE_EVENT_CONTROL_EVENT_FILTER_H */
