/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Pid filters of events (set_event_pid and set_event_notrace_pid).
 */
#ifndef _TRACE_EVENT_RECORD_EVENT_PIDS_H
#define _TRACE_EVENT_RECORD_EVENT_PIDS_H

#include <linux/trace_events.h>

#include "event/record/event_instance.h"
#include "filter/pids.h"
#include "instance/core/instance.h"

/*
 * trace_event_pids_skip - check whether the pid lists exclude an event of the current task
 *
 * Some events name another task. For these, the decision is made when the entry is written:
 * trace_event_pids_want(). Any context.
 */
static __always_inline bool trace_event_pids_skip(const struct trace_event_file *file)
{
	return ftrace_pids_in_any_instance() && ftrace_pids_skip(file->tr->events->pids) &&
	       !(READ_ONCE(file->flags) & EVENT_FILE_FL_PID_FILTER);
}

bool trace_event_pids_want(const struct trace_event_file *file, const void *entry);
int trace_event_pids_names_task(struct trace_event_call *call);

#endif /* _TRACE_EVENT_RECORD_EVENT_PIDS_H */
