/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What an instance has of events.
 */
#ifndef _TRACE_EVENT_RECORD_EVENT_INSTANCE_H
#define _TRACE_EVENT_RECORD_EVENT_INSTANCE_H

#include <linux/list.h>
#include <linux/xarray.h>

struct ftrace_pids;
struct trace_event_file;
struct trace_syscalls;

/**
 * struct system_filter - what was last written to the filter of a system
 * @list: in trace_events.system_filters
 * @text: what the file shows
 * @system: the name of the system
 */
struct system_filter {
	struct list_head	list;
	char			*text;
	char			system[];
};

/**
 * struct trace_events - what an instance has of events
 * @list: in trace_event_instances
 * @tr: the instance
 * @files: struct trace_event_file by the number of the type, for events that were used;
 *	   trace_event_lock
 * @pids: the tasks whose events are recorded
 * @enabled: events whose probe is attached; trace_event_lock
 * @words: words of set_event that wait for modules; trace_event_lock
 * @system_filters: what the files filter of systems show; trace_event_lock
 * @marker: the event ftrace:print, once it has had a trigger
 * @syscalls: the events of system calls, once one was enabled
 */
struct trace_events {
	struct list_head	list;
	struct trace_array	*tr;
	struct xarray		files;
	struct ftrace_pids	*pids;
	unsigned int		enabled;
	struct list_head	words;
	struct list_head	system_filters;
	struct trace_event_file	*marker;
	struct trace_syscalls	*syscalls;
};

#endif /* _TRACE_EVENT_RECORD_EVENT_INSTANCE_H */
