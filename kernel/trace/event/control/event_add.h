/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Registration of trace events.
 */
#ifndef _TRACE_EVENT_CONTROL_EVENT_ADD_H
#define _TRACE_EVENT_CONTROL_EVENT_ADD_H

#include <linux/list.h>

struct trace_event_call;

/**
 * struct trace_event_notifier - callbacks of an upper directory for added and removed events
 * @list: entry in the list of all notifiers; trace_event_lock
 * @added: an event was added; it may be used from now on
 * @removed: an event is being removed, and must not get new users
 *
 * Called with trace_event_lock held, may sleep.
 */
struct trace_event_notifier {
	struct list_head	list;
	void			(*added)(struct trace_event_call *call);
	void			(*removed)(struct trace_event_call *call);
};

void trace_event_notifier(struct trace_event_notifier *watch);
bool trace_event_call_is_used(struct trace_event_call *call, unsigned int kept);
void trace_event_call_retire(struct trace_event_call *call);
void trace_event_call_bury(struct trace_event_call *call);
int trace_event_add_fixed(struct trace_event_call *call);
int trace_events_init(void);

#endif /* _TRACE_EVENT_CONTROL_EVENT_ADD_H */
