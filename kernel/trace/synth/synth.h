/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Synthetic events: trace events that users define by their fields, and that histograms or
 * kernel code let happen.
 */
#ifndef _TRACE_SYNTH_SYNTH_H
#define _TRACE_SYNTH_SYNTH_H

#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/trace_events.h>

#include "event/core/value.h"

struct seq_file;

#define SYNTH_SYSTEM		"synthetic"
#define SYNTH_FIELDS_MAX	64

/* Synthetic events come and go under it. Taken before trace_event_lock. */
extern struct mutex synth_lock;

/* In the order in which they came; synth_lock. */
extern struct list_head synth_events;

/**
 * struct synth_type - a type of numbers
 * @name: as in C
 * @format: how it is printed
 * @size: in bytes
 * @is_signed: it may be negative
 */
struct synth_type {
	const char	*name;
	const char	*format;
	u8		size;
	bool		is_signed;
};

/**
 * struct synth_field - a field of a synthetic event
 * @name: its name
 * @type: its type, with the brackets of an array behind it
 * @c_type: the same as the format file has it
 * @kind: what it is
 * @number: the type of a number
 * @is_dynamic: its length differs from entry to entry, where __data_loc tells it
 * @size: in the entry, in bytes
 * @offset: in the entry
 */
struct synth_field {
	char			*name;
	char			*type;
	char			*c_type;
	enum value_kind		kind;
	const struct synth_type	*number;
	bool			is_dynamic;
	unsigned int		size;
	unsigned int		offset;
};

/**
 * struct synth_event - a synthetic event
 * @list: in synth_events
 * @class: its class, which no other event has
 * @call: the trace event
 * @field: its fields
 * @nr: how many
 * @size: of an entry without what is dynamic
 * @has_dynamic: a field is dynamic
 * @files: struct synth_file, the instances in which it is enabled; trace_event_lock, and RCU
 * @perf: perf gets entries
 */
struct synth_event {
	struct list_head		list;
	struct trace_event_class	class;
	struct trace_event_call		call;
	struct synth_field		*field;
	unsigned int			nr;
	unsigned int			size;
	bool				has_dynamic;
	struct list_head		files;
	bool				perf;
};

/**
 * struct synth_value - what a field is to have
 * @value: a number; or the address of a string, or of the addresses of a stack
 * @max: of a string, the bytes that it has at most; of a stack, the addresses
 */
struct synth_value {
	u64		value;
	unsigned int	max;
};

/* synth.c */
int synth_command(const char *text, const char *where);
int synth_define(const char *name, const char *fields, const char *text, const char *where);
int synth_remove(const char *name);
int synth_remove_all(void);
void synth_show(struct seq_file *m, const struct synth_event *event);
struct synth_event *synth_of_call(struct trace_event_call *call);

/* synth_text.c */
int synth_field_set(struct synth_field *field, const char *type, size_t type_len,
		    const char *name, size_t name_len);
void synth_field_free(struct synth_field *field);
char *synth_print_format(const struct synth_event *event);
struct trace_event_fields *synth_fields_table(const struct synth_event *event);
extern struct trace_event_functions synth_event_functions;

/* synth_hit.c */
int synth_reg(struct trace_event_call *call, enum trace_reg type, void *data);
void synth_hit(struct synth_event *event, const struct synth_value *values);
int synth_record(struct trace_event_file *file, const struct synth_value *values);
void synth_set_field(void *entry, const struct synth_field *field,
		     const struct synth_value *value, unsigned int *end);

#endif /* _TRACE_SYNTH_SYNTH_H */
