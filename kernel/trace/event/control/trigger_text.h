/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Textual form of triggers: the files trigger.
 */
#ifndef _TRACE_EVENT_CONTROL_TRIGGER_TEXT_H
#define _TRACE_EVENT_CONTROL_TRIGGER_TEXT_H

struct seq_file;
struct trace_array;
struct trace_event_call;

int trace_trigger_set(struct trace_array *tr, struct trace_event_call *call,
		      const char *text);
void trace_triggers_truncate(struct trace_array *tr, struct trace_event_call *call);
void trace_triggers_show(struct seq_file *m, struct trace_array *tr,
			 struct trace_event_call *call);

#endif /* _TRACE_EVENT_CONTROL_TRIGGER_TEXT_H */
