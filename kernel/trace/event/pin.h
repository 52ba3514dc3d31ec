/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Events in instances that others keep.
 */
#ifndef _TRACE_EVENT_PIN_H
#define _TRACE_EVENT_PIN_H

struct trace_array;
struct trace_event_file;

struct trace_event_file *trace_event_file_pin(struct trace_array *tr, const char *system,
					      const char *event);
void trace_event_file_unpin(struct trace_event_file *file);

#endif /* _TRACE_EVENT_PIN_H */
