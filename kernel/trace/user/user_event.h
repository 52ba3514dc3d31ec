/* SPDX-License-Identifier: GPL-2.0 */
/*
 * User events: trace events that programs define and write. See
 * Documentation/trace/user_events.rst.
 *
 * A program registers an event along with a bit in its memory, which the kernel sets while the
 * event is enabled. An event exists as long as it has references: one from each open file that it
 * was registered with, from each bit, and from each user; or until it is deleted, if it is
 * persistent.
 *
 * Order of locks: user_events_lock, trace_event_lock, user_mms_lock (in user_mm.c).
 */
#ifndef _TRACE_USER_USER_EVENT_H
#define _TRACE_USER_USER_EVENT_H

#include <linux/atomic.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/trace_events.h>
#include <linux/types.h>

struct seq_buf;
struct seq_file;

/* Maximum size of an entry, which must fit in a page of the buffer with its headers */
#define USER_ENTRY_MAX		4064

/* Protects the list of user events. Taken before trace_event_lock. */
extern struct mutex user_events_lock;

/* In the order of their definition; user_events_lock. */
extern struct list_head user_events;

/**
 * enum user_field_data - data that a field refers to
 * @USER_DATA_NONE: none, the field is the value
 * @USER_DATA_LOC: its offset is from the beginning of the entry
 * @USER_DATA_REL: its offset is from the end of the field
 */
enum user_field_data {
	USER_DATA_NONE,
	USER_DATA_LOC,
	USER_DATA_REL,
};

/**
 * struct user_field - a field
 * @type: its type
 * @name: its name
 * @size: its size in bytes
 * @offset: its offset in the entry. There is no padding between fields.
 * @is_signed: it may be negative
 * @data: data that it refers to: a string, with its NUL
 */
struct user_field {
	char			*type;
	char			*name;
	unsigned int		size;
	unsigned int		offset;
	bool			is_signed;
	enum user_field_data	data;
};

/**
 * struct user_event - a user event
 * @list: entry in user_events
 * @class: its class, which is not shared with other events
 * @call: the trace event
 * @name: name that it was registered with
 * @fields: its fields
 * @nr: number of fields
 * @size: minimum size of an entry
 * @has_data: a field refers to data
 * @multi: other events may have the same @name and other fields
 * @persists: it exists until it is deleted
 * @refs: number of references; increased from 0 only with user_events_lock or trace_event_lock
 *	held
 * @users: instances where it is enabled, see struct trace_event_user; trace_event_lock, and RCU
 * @perf: perf receives entries
 */
struct user_event {
	struct list_head		list;
	struct trace_event_class	class;
	struct trace_event_call		call;
	char				*name;
	struct user_field		*fields;
	unsigned int			nr;
	unsigned int			size;
	bool				has_data;
	bool				multi;
	bool				persists;
	atomic_t			refs;
	struct list_head		users;
	bool				perf;
};

/* user_event_is_enabled - check whether there is a user to write entries for; any context */
static inline bool user_event_is_enabled(const struct user_event *event)
{
	return !list_empty(&event->users) || READ_ONCE(event->perf);
}

static inline void user_event_get(struct user_event *event)
{
	atomic_inc(&event->refs);
}

/* user_event.c */
struct user_event *user_event_register(const char *text, unsigned int flags);
void user_event_put(struct user_event *event);
int user_event_delete(const char *name);
int user_event_delete_call(const char *system, const char *name);

/* user_field.c */
int user_fields_parse(struct user_event *event, char *text);
void user_fields_free(struct user_event *event);
bool user_fields_match(const struct user_event *a, const struct user_event *b);
void user_fields_show(struct seq_file *m, const struct user_event *event);
char *user_fields_print_format(const struct user_event *event);
struct trace_event_fields *user_fields_table(const struct user_event *event);
bool user_fields_are_valid(const struct user_event *event, const void *entry, unsigned int len);

/* user_hit.c */
int user_event_reg(struct trace_event_call *call, enum trace_reg type, void *data);
void user_event_hit(struct user_event *event, const void *entry, unsigned int len);
extern struct trace_event_functions user_event_functions;

/* user_mm.c */
int user_bit_register(struct user_event *event, unsigned long address, unsigned int size,
		      unsigned int bit);
int user_bit_unregister(unsigned long address, unsigned int bit);
bool user_bit_is_registered(unsigned long address, unsigned int bit);
void user_bits_update(const struct user_event *event);

#endif /* _TRACE_USER_USER_EVENT_H */
