/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Entry types by number.
 */
#ifndef _TRACE_EVENT_CORE_TYPE_H
#define _TRACE_EVENT_CORE_TYPE_H

#include <linux/trace_events.h>

void trace_event_read_lock(void);
void trace_event_read_unlock(void);
struct trace_event *trace_event_find(unsigned int type);

unsigned int trace_event_types_end(void);

int trace_event_call_add(struct trace_event_call *call);
struct trace_event_call *trace_event_call_of(unsigned int type);

#endif /* _TRACE_EVENT_CORE_TYPE_H */
