/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Fields of trace events.
 */
#ifndef _TRACE_EVENT_CORE_FIELDS_H
#define _TRACE_EVENT_CORE_FIELDS_H

#include <linux/list.h>
#include <linux/trace_events.h>
#include <linux/types.h>

struct trace_event_call;

/**
 * struct ftrace_event_field - a field of an entry
 * @link: entry in the list of fields of its event, in the order of the format file
 * @name: its name
 * @type: its C type, followed by "[n]" for an array of n elements, or "[]" for an array up to
 *	the end of the entry
 * @filter_type: one of FILTER_*
 * @offset: its offset in the entry in bytes
 * @size: its size in bytes, 0 for an array up to the end of the entry
 * @is_signed: the number is signed
 * @len: number of elements of an array, 0 for other types
 */
struct ftrace_event_field {
	struct list_head	link;
	const char		*name;
	const char		*type;
	int			filter_type;
	unsigned int		offset;
	unsigned int		size;
	bool			is_signed;
	unsigned int		len;
};

/* Fields that all entries have, "common_...". */
extern struct list_head trace_common_fields;

struct list_head *trace_event_fields(struct trace_event_call *call);
struct ftrace_event_field *trace_event_field(struct trace_event_call *call,
					     const char *name);
void trace_event_fields_drop(struct trace_event_call *call);
void trace_event_fields_link(struct list_head *list, struct ftrace_event_field *table);

#endif /* _TRACE_EVENT_CORE_FIELDS_H */
