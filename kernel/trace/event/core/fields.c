// SPDX-License-Identifier: GPL-2.0
/*
 * Fields of trace events.
 *
 * include/trace/ defines a table of fields for each class of events. The list of fields is
 * created from the table when a format file or a filter first needs it; most lists are never
 * needed.
 */
#include <linux/align.h>
#include <linux/cleanup.h>
#include <linux/err.h>
#include <linux/export.h>
#include <linux/init.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/trace_events.h>

#include "event/core/fields.h"

LIST_HEAD(trace_common_fields);

/* Held while lists are created. No other lock is taken while it is held. */
static DEFINE_MUTEX(fields_lock);

/* Filter type of a field whose table does not specify it. */
static int event_fields_filter_type_of(const char *type)
{
	bool text = strstr(type, "char");

	if (strstarts(type, "__data_loc") || strstarts(type, "__rel_loc")) {
		if (strstr(type, "cpumask_t"))
			return FILTER_CPUMASK;
		if (!text)
			return FILTER_OTHER;
		return strstarts(type, "__rel_loc") ? FILTER_RDYN_STRING :
						      FILTER_DYN_STRING;
	}

	if (text && strchr(type, '['))
		return FILTER_STATIC_STRING;
	if (!strcmp(type, "char *") || !strcmp(type, "const char *"))
		return FILTER_PTR_STRING;

	return FILTER_OTHER;
}

static struct list_head *event_fields_of(struct trace_event_call *call)
{
	struct trace_event_class *class = call->class;

	return class->get_fields ? class->get_fields(call) : &class->fields;
}

static int event_fields_add(struct trace_event_call *call, const struct ftrace_event_field *field)
{
	struct ftrace_event_field *added;

	lockdep_assert_held(&fields_lock);

	added = kmemdup(field, sizeof(*field), GFP_KERNEL);
	if (!added)
		return -ENOMEM;

	if (added->filter_type == FILTER_OTHER)
		added->filter_type = event_fields_filter_type_of(added->type);
	list_add_tail(&added->link, event_fields_of(call));

	return 0;
}

/**
 * trace_define_field - add a field to an event
 * @call: the event
 * @type: C type of the field; @type and @name must remain valid as long as the event
 * @name: name of the field
 * @offset: its offset in the entry in bytes
 * @size: its size in bytes
 * @is_signed: the number is signed
 * @filter_type: one of FILTER_*; FILTER_OTHER to derive it from @type
 *
 * Only for trace_event_fields.define_fields, whose caller holds the lock. May sleep.
 *
 * Return: 0 or -ENOMEM
 */
int trace_define_field(struct trace_event_call *call, const char *type,
		       const char *name, int offset, int size, int is_signed,
		       int filter_type)
{
	struct ftrace_event_field field = {
		.name		= name,
		.type		= type,
		.filter_type	= filter_type,
		.offset		= offset,
		.size		= size,
		.is_signed	= is_signed,
	};

	return event_fields_add(call, &field);
}
EXPORT_SYMBOL_GPL(trace_define_field);

/* Offsets are the same as those of the members of a C struct. */
static int event_fields_define(struct trace_event_call *call)
{
	unsigned int offset = sizeof(struct trace_entry);
	const struct trace_event_fields *row;
	int err;

	for (row = call->class->fields_array; row->type; row++) {
		if (row->type == TRACE_FUNCTION_TYPE) {
			err = row->define_fields(call);
		} else {
			struct ftrace_event_field field = {
				.name		= row->name,
				.type		= row->type,
				.filter_type	= row->filter_type,
				.offset		= ALIGN(offset, row->align),
				.size		= row->size,
				.is_signed	= row->is_signed,
				.len		= row->len,
			};

			offset = field.offset + field.size;
			err = event_fields_add(call, &field);
		}
		if (err)
			return err;
	}

	return 0;
}

static void event_fields_free(struct trace_event_call *call)
{
	struct ftrace_event_field *field, *next;

	list_for_each_entry_safe(field, next, event_fields_of(call), link) {
		list_del(&field->link);
		kfree(field);
	}
}

/**
 * trace_event_fields - get the fields of an event, without the common ones
 * @call: the event
 *
 * May sleep, except for an event without a table of fields: its list never changes.
 *
 * Return: the list, which remains valid as long as the event and may be empty; or -ENOMEM
 */
struct list_head *trace_event_fields(struct trace_event_call *call)
{
	struct list_head *fields = event_fields_of(call);
	int err = 0;

	if (!call->class->fields_array)
		return fields;

	guard(mutex)(&fields_lock);

	if (list_empty(fields))
		err = event_fields_define(call);
	if (err) {
		event_fields_free(call);
		return ERR_PTR(err);
	}

	return fields;
}

static struct ftrace_event_field *event_fields_find(struct list_head *fields, const char *name)
{
	struct ftrace_event_field *field;

	list_for_each_entry(field, fields, link) {
		if (!strcmp(field->name, name))
			return field;
	}

	return NULL;
}

/**
 * trace_event_field - find a field of an event by its name
 * @call: the event
 * @name: name of one of its own fields or of a common field
 *
 * May sleep.
 *
 * Return: the field, which remains valid as long as the event; NULL if there is no such field; or
 * -ENOMEM
 */
struct ftrace_event_field *trace_event_field(struct trace_event_call *call, const char *name)
{
	struct list_head *fields = trace_event_fields(call);

	if (IS_ERR(fields))
		return ERR_CAST(fields);

	return event_fields_find(fields, name) ?: event_fields_find(&trace_common_fields, name);
}

/**
 * trace_event_fields_drop - free the fields of an event
 * @call: the event, which is being removed. Other events of its class are also being removed,
 *	or recreate the fields when they need them.
 */
void trace_event_fields_drop(struct trace_event_call *call)
{
	guard(mutex)(&fields_lock);

	if (call->class->fields_array)
		event_fields_free(call);
}

/**
 * trace_event_fields_link - make a list from a table of fields
 * @list: list that the fields are appended to; they remain in @table
 * @table: fields, terminated by one without a name
 */
void __init trace_event_fields_link(struct list_head *list, struct ftrace_event_field *table)
{
	for (; table->name; table++)
		list_add_tail(&table->link, list);
}

#define COMMON(c_type, field) {						\
	.name		= "common_" #field,				\
	.type		= #c_type,					\
	.offset		= offsetof(struct trace_entry, field),		\
	.size		= sizeof_field(struct trace_entry, field),	\
	.is_signed	= is_signed_type(c_type),			\
}

static struct ftrace_event_field common_fields[] = {
	COMMON(unsigned short, type),
	COMMON(unsigned char, flags),
	COMMON(unsigned char, preempt_count),
	COMMON(int, pid),
	{ }
};

static int __init event_fields_common_init(void)
{
	trace_event_fields_link(&trace_common_fields, common_fields);

	return 0;
}
early_initcall(event_fields_common_init);
