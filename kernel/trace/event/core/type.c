// SPDX-License-Identifier: GPL-2.0
/*
 * Entry types by number.
 *
 * A type of a module is unregistered when the module is unloaded. A reader that prints entries
 * holds the read lock, so that the types that it has found remain valid. The number of an
 * unregistered type is reused only after all other numbers, since entries with that number may
 * still be in a buffer.
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
 * Taken by readers of a buffer. While it is held, they take the lock of event fields, and the
 * lock of comms; no other lock of tracing is taken while any of these is held.
 */
static DECLARE_RWSEM(types_lock);

/* struct trace_event by number; types_lock to change. */
static DEFINE_XARRAY_ALLOC(types);
static u32 types_next = TRACE_TYPE_FIXED;

/* Mark of types that are embedded in a struct trace_event_call. */
#define TYPE_OF_CALL	XA_MARK_1

/**
 * trace_event_read_lock - prevent types of entries from being unregistered
 *
 * May sleep. A type returned by trace_event_find() remains valid until
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
 * trace_event_find - find the print functions of an entry type
 * @type: type number of the entry
 *
 * Called with trace_event_read_lock() held; a dump, which cannot take it, risks that the module
 * is unloaded concurrently.
 *
 * Return: NULL if there is no such type.
 */
struct trace_event *trace_event_find(unsigned int type)
{
	return xa_load(&types, type);
}

/**
 * trace_event_call_of - find an event by the type of its entries
 * @type: type number of the entry
 *
 * The event remains valid while trace_event_read_lock() or trace_event_lock is held. A dump
 * holds neither, and the event may be freed at any time.
 *
 * Return: NULL if there is no such type, or it is not an event
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
 * trace_event_types_end - get the first number that was never assigned to a type
 *
 * Only during boot, when numbers are not reused yet.
 */
unsigned int __init trace_event_types_end(void)
{
	guard(rwsem_read)(&types_lock);

	return types_next;
}

/**
 * register_trace_event - register the print functions of an entry type
 * @event: the functions, each of which may be NULL, and the type number, 0 to assign a free one
 *
 * May sleep.
 *
 * Return: the number; 0 if it is taken or too large, if no number is free, or if out of memory.
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
 * Waits for readers that print entries; may sleep. Remaining entries of the type in a buffer
 * are shown as unknown from now on.
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
 * @call: the event; if its @event.type is 0, a free number is assigned
 *
 * Undone by unregister_trace_event(). May sleep.
 *
 * Return: 0; -EBUSY if the number is taken or too large, or no number is free; -ENOMEM
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
 * trace_handle_return - return value of a function that prints an entry
 * @s: output of the function
 */
enum print_line_t trace_handle_return(struct trace_seq *s)
{
	return trace_seq_has_overflowed(s) ? TRACE_TYPE_PARTIAL_LINE :
					     TRACE_TYPE_HANDLED;
}
EXPORT_SYMBOL_GPL(trace_handle_return);
