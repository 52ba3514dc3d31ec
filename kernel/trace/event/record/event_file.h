/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Events in instances: struct trace_event_file.
 */
#ifndef _TRACE_EVENT_RECORD_EVENT_FILE_H
#define _TRACE_EVENT_RECORD_EVENT_FILE_H

#include <linux/list.h>
#include <linux/trace_events.h>

#include "event/record/event_instance.h"
#include "instance/core/instance.h"

/**
 * enum trace_event_state - state of an event, as in its file enable
 * @TRACE_EVENT_OFF: it is not recorded
 * @TRACE_EVENT_ON: it is recorded
 * @TRACE_EVENT_MIXED: some events are recorded, and others are not
 * @TRACE_EVENT_NONE: there is no event
 *
 * The combined state of two events is the bitwise OR of their states.
 */
enum trace_event_state {
	TRACE_EVENT_NONE	= 0,
	TRACE_EVENT_OFF		= 1,
	TRACE_EVENT_ON		= 2,
	TRACE_EVENT_MIXED	= TRACE_EVENT_OFF | TRACE_EVENT_ON,
};

/* Event data of all instances, including instances that are being removed; trace_event_lock. */
extern struct list_head trace_event_instances;

#define trace_event_for_each_instance(events)				\
	list_for_each_entry(events, &trace_event_instances, list)

bool trace_event_in(struct trace_array *tr, struct trace_event_call *call);
struct trace_event_file *trace_event_file_find(struct trace_array *tr,
					       struct trace_event_call *call);
struct trace_event_file *trace_event_file_lookup(struct trace_array *tr,
						 struct trace_event_call *call);
int trace_event_set(struct trace_array *tr, struct trace_event_call *call, bool on);
int trace_event_soft_enable(struct trace_event_file *file);
void trace_event_soft_disable(struct trace_event_file *file);

enum trace_event_state trace_event_state(struct trace_array *tr,
					 struct trace_event_call *call);
bool trace_event_is_soft(struct trace_array *tr, struct trace_event_call *call);

void trace_event_disable_all(struct trace_event_call *call);
void trace_event_files_free(struct trace_event_call *call);
int trace_event_files_init(void);

#endif /* _TRACE_EVENT_RECORD_EVENT_FILE_H */
