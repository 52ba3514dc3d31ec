// SPDX-License-Identifier: GPL-2.0
/*
 * Types of entries by their number.
 *
 * A type that belongs to a module goes with it. A reader that prints entries
 * holds the read lock, which keeps what it has found; the number of a type that
 * has gone is given out again only after all others, since entries with that
 * number may still be in a buffer.
 */
#include <linux/cleanup.h>
#include <linux/container_of.h>
#include <linux/export.h>
#include <linux/kernel.h>
#include <linux/rwsem.h>
#include <linux/xarray.h>

#include "event/core/type.h"
#include "instance/core/entries.h"

/*
 * Taken by readers of a buffer. Under it they take the lock of the fields of events, and that
 * of task names; no other lock of tracing is taken under any of these.
 */
static DECLARE_RWSEM(types_lock);

/* struct trace_event by number; types_lock to change. */
static DEFINE_XARRAY_ALLOC(types);
static u32 types_next = TRACE_TYPE_FIXED;

/* On those that are in a struct trace_event_call. */
#define TYPE_OF_CALL	XA_MARK_1

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
 * trace_event_call_of - find an event by the type of its entries
 * @type: the number in the entry
 *
 * What keeps the event is trace_event_read_lock(), or trace_event_lock. A dump has neither,
 * and the event may go at any time.
 *
 * Return: NULL if there is no such type, or one that is no event
 */
struct trace_event_call *trace_event_call_of(unsigned int type)
{
	struct trace_event *event = xa_load(&types, type);

	if (!event || !xa_get_mark(&types, type, TYPE_OF_CALL))
		return NULL;

	return container_of(event, struct trace_event_call, event);
}

static int event_type_add(struct trace_event *event, u32 *id)
{
	lockdep_assert_held_write(&types_lock);

	if (event->type < 0 || event->type > TRACE_TYPE_MAX)
		return -EINVAL;

	if (event->type) {
		*id = event->type;
		return xa_insert(&types, event->type, event, GFP_KERNEL);
	}

	return xa_alloc_cyclic(&types, id, event,
			       XA_LIMIT(TRACE_TYPE_FIXED, TRACE_TYPE_MAX),
			       &types_next, GFP_KERNEL);
}

/**
 * trace_event_types_end - the first number that no type has had
 *
 * During boot, when numbers do not come again yet.
 */
unsigned int __init trace_event_types_end(void)
{
	guard(rwsem_read)(&types_lock);

	return types_next;
}

/**
 * register_trace_event - say how entries of a type are printed
 * @event: with the functions, of which each may be NULL, and the number of the
 *	   type, 0 for any that is free
 *
 * May sleep.
 *
 * Return: the number, or 0 if it is taken or too large, if none is free, or without memory.
 */
int register_trace_event(struct trace_event *event)
{
	u32 id;

	if (WARN_ON(!event || !event->funcs))
		return 0;

	guard(rwsem_write)(&types_lock);

	if (event_type_add(event, &id) < 0)
		return 0;

	event->type = id;

	return id;
}
EXPORT_SYMBOL_GPL(register_trace_event);

/**
 * unregister_trace_event - undo register_trace_event()
 * @event: may be freed afterwards
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

/**
 * trace_event_call_add - register the type of an event
 * @call: the event; its @event.type is 0 for any number that is free
 *
 * unregister_trace_event() undoes it. May sleep.
 *
 * Return: 0; -EBUSY if the number is taken or too large, or none is free; -ENOMEM
 */
int trace_event_call_add(struct trace_event_call *call)
{
	int err;
	u32 id;

	guard(rwsem_write)(&types_lock);

	err = event_type_add(&call->event, &id);
	if (err < 0)
		return err == -ENOMEM ? err : -EBUSY;

	call->event.type = id;
	xa_set_mark(&types, id, TYPE_OF_CALL);

	return 0;
}

/**
 * trace_handle_return - the return value of a function that prints an entry
 * @s: what it has printed into
 */
enum print_line_t trace_handle_return(struct trace_seq *s)
{
	return trace_seq_has_overflowed(s) ? TRACE_TYPE_PARTIAL_LINE :
					     TRACE_TYPE_HANDLED;
}
EXPORT_SYMBOL_GPL(trace_handle_return);
