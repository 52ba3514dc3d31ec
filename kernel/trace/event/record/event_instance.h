/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Event data of an instance: struct trace_events.
 */
#ifndef _TRACE_EVENT_RECORD_EVENT_INSTANCE_H
#define _TRACE_EVENT_RECORD_EVENT_INSTANCE_H

#include <linux/list.h>
#include <linux/xarray.h>

struct ftrace_pids;
struct trace_event_file;
struct trace_syscalls;

/**
 * struct system_filter - last filter string of a system
 * @list: entry in trace_events.system_filters
 * @text: text that the file shows
 * @system: name of the system
 */
struct system_filter {
	struct list_head	list;
	char			*text;
	char			system[];
};

/**
 * struct trace_events - event data of an instance
 * @list: entry in trace_event_instances
 * @tr: the instance
 * @files: struct trace_event_file by type number, for events that were used; trace_event_lock
 * @pids: tasks whose events are recorded
 * @enabled: number of events whose probe is registered; trace_event_lock
 * @specs: event specifiers of set_event that are pending for modules; trace_event_lock
 * @system_filters: texts that the files filter of systems show; trace_event_lock
 * @marker: the event ftrace:print, once it has had a trigger
 * @syscalls: events of system calls, once one was enabled
 */
struct trace_events {
	struct list_head	list;
	struct trace_array	*tr;
	struct xarray		files;
	struct ftrace_pids	*pids;
	unsigned int		enabled;
	struct list_head	specs;
	struct list_head	system_filters;
	struct trace_event_file	*marker;
	struct trace_syscalls	*syscalls;
};

#endif /* _TRACE_EVENT_RECORD_EVENT_INSTANCE_H */
