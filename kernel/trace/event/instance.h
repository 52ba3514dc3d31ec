/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What an instance has of events.
 */
#ifndef _TRACE_EVENT_INSTANCE_H
#define _TRACE_EVENT_INSTANCE_H

#include <linux/xarray.h>

struct ftrace_pids;

/**
 * struct trace_events - what an instance has of events
 * @files: struct trace_event_file by the number of the type, for events that were used;
 *	   trace_event_lock
 * @pids: the tasks whose events are recorded
 * @enabled: events whose probe is attached; trace_event_lock
 */
struct trace_events {
	struct xarray		files;
	struct ftrace_pids	*pids;
	unsigned int		enabled;
};

#endif /* _TRACE_EVENT_INSTANCE_H */
