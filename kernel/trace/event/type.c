// SPDX-License-Identifier: GPL-2.0
/*
 * The registry of types of entries.
 *
 * A type that belongs to a module goes with it. A reader that prints entries
 * holds the read lock, which keeps what it has found; the number of a type that
 * has gone is given out again only after all others, since entries with that
 * number may still be in a buffer.
 */
#include <linux/cleanup.h>
#include <linux/export.h>
#include <linux/init.h>
#include <linux/kernel.h>
#include <linux/rwsem.h>
#include <linux/xarray.h>

#include "event/type.h"
#include "instance/entries.h"

/* Outside of it nothing of tracing is locked but the file that is read. */
static DECLARE_RWSEM(types_lock);

/* struct trace_event by number; types_lock to change. */
static DEFINE_XARRAY_ALLOC(types);
static u32 types_next = TRACE_TYPE_FIXED;

LIST_HEAD(trace_event_types);
LIST_HEAD(trace_common_fields);

/**
 * trace_event_read_lock - keep the types of entries as they are
 *
 * May sleep. A type returned by trace_event_find() stays until
 * trace_event_read_unlock().
 */
void trace_event_read_lock(void)
{
	down_read(&types_lock);
}

/**
 * trace_event_read_unlock - undo trace_event_read_lock()
 */
void trace_event_read_unlock(void)
{
	up_read(&types_lock);
}

/**
 * trace_event_find - find out how entries of a type are printed
 * @type: the number in the entry
 *
 * Under trace_event_read_lock(); a dump, which cannot take it, risks that a
 * module goes meanwhile.
 *
 * Return: NULL if there is no such type.
 */
struct trace_event *trace_event_find(unsigned int type)
{
	return xa_load(&types, type);
}

/**
 * trace_event_type_find - find the descriptor of a type
 * @type: the number in the entry
 *
 * Return: the descriptor, which stays; NULL if there is no such type, or one
 * that was registered without a descriptor.
 */
struct trace_event_type *trace_event_type_find(unsigned int type)
{
	struct trace_event_type *each;

	list_for_each_entry(each, &trace_event_types, list) {
		if (each->event.type == type)
			return each;
	}

	return NULL;
}

/**
 * register_trace_event - say how entries of a type are printed
 * @event: with the functions, of which each may be NULL, and the number of the
 *	   type, 0 for any that is free
 *
 * May sleep.
 *
 * Return: the number, or 0 if it is taken, if none is free, or without memory.
 */
int register_trace_event(struct trace_event *event)
{
	u32 id;

	if (WARN_ON(!event || !event->funcs || event->type < 0))
		return 0;

	guard(rwsem_write)(&types_lock);

	if (event->type)
		return xa_insert(&types, event->type, event, GFP_KERNEL) ?
		       0 : event->type;

	if (xa_alloc_cyclic(&types, &id, event,
			    XA_LIMIT(TRACE_TYPE_FIXED, TRACE_EVENT_TYPE_MAX),
			    &types_next, GFP_KERNEL) < 0)
		return 0;

	event->type = id;

	return id;
}
EXPORT_SYMBOL_GPL(register_trace_event);

/**
 * unregister_trace_event - undo register_trace_event()
 * @event: the event
 *
 * Waits for readers that print entries; may sleep. Entries of the type that are
 * left in a buffer are shown as unknown from now on.
 *
 * Return: 0, or -ENOENT if it is not registered.
 */
int unregister_trace_event(struct trace_event *event)
{
	guard(rwsem_write)(&types_lock);

	if (xa_load(&types, event->type) != event)
		return -ENOENT;

	xa_erase(&types, event->type);

	return 0;
}
EXPORT_SYMBOL_GPL(unregister_trace_event);

static void fields_add(struct list_head *list, struct ftrace_event_field *table)
{
	for (; table->name; table++)
		list_add_tail(&table->link, list);
}

/**
 * trace_event_type_register - add a type that stays for good
 * @type: its descriptor, with a number of its own
 *
 * Return: 0; -EBUSY if the number is taken, or without memory.
 */
int __init trace_event_type_register(struct trace_event_type *type)
{
	if (!register_trace_event(&type->event))
		return -EBUSY;

	INIT_LIST_HEAD(&type->fields);
	fields_add(&type->fields, type->field_table);
	list_add_tail(&type->list, &trace_event_types);

	return 0;
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

static int __init common_fields_init(void)
{
	fields_add(&trace_common_fields, common_fields);

	return 0;
}
early_initcall(common_fields_init);
