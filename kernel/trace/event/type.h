/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Types of entries: one number, one descriptor.
 *
 * Everything that has to know what an entry is made of reads the same descriptor:
 * the text of trace, the option fields, the format files, and what comes later.
 */
#ifndef _TRACE_EVENT_TYPE_H
#define _TRACE_EVENT_TYPE_H

#include <linux/list.h>
#include <linux/trace_events.h>
#include <linux/types.h>

/**
 * struct ftrace_event_field - a field of an entry
 * @link: in the list of fields of its type, in the order of the format file
 * @name: its name
 * @type: its type as in C, with "[n]" behind it for an array of n elements and
 *	  "[]" for one that goes up to the end of the entry
 * @filter_type: one of FILTER_*
 * @offset: in the entry, in bytes
 * @size: in bytes, 0 for an array that goes up to the end of the entry
 * @is_signed: whether a number is signed
 * @len: how many elements an array has, 0 for anything else
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

/**
 * struct trace_event_type - what there is to know about a type of entries
 * @event: its number and how its entries are printed
 * @list: in trace_event_types
 * @name: as in events/ftrace/<name>
 * @print_fmt: how an entry is printed, the way printf() is called, for tools
 * @field_table: the fields beyond those that every entry has; ended by a field
 *		 without a name
 * @fields: the same, as a list
 */
struct trace_event_type {
	struct trace_event		event;
	struct list_head		list;
	const char			*name;
	const char			*print_fmt;
	struct ftrace_event_field	*field_table;
	struct list_head		fields;
};

/* Those of trace_event_type_register(), which stay; in the order they came. */
extern struct list_head trace_event_types;

/* The fields that every entry has, "common_...". */
extern struct list_head trace_common_fields;

int trace_event_type_register(struct trace_event_type *type);

void trace_event_read_lock(void);
void trace_event_read_unlock(void);
struct trace_event *trace_event_find(unsigned int type);
struct trace_event_type *trace_event_type_find(unsigned int type);

#endif /* _TRACE_EVENT_TYPE_H */
