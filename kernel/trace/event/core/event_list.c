// SPDX-License-Identifier: GPL-2.0
/*
 * List of all trace events.
 */
#include <linux/export.h>
#include <linux/lockdep.h>
#include <linux/string.h>

#include "event/core/event_list.h"
#include "event/core/fields.h"
#include "event/core/type.h"

/* Guards the list of events and the per-instance data of events. */
DEFINE_MUTEX(trace_event_lock);
LIST_HEAD(trace_event_calls);

/**
 * trace_event_raw_init - initialize an event of include/trace/
 * @call: the event
 *
 * Used as trace_event_class.raw_init of these events.
 *
 * Return: 0; -EBUSY if no type number is free, -ENOMEM
 */
int trace_event_raw_init(struct trace_event_call *call)
{
	return trace_event_call_add(call);
}
EXPORT_SYMBOL_GPL(trace_event_raw_init);

/**
 * trace_event_call_register - add an event
 * @call: the event; if its class has no raw_init, its type is registered here
 *
 * trace_event_lock held.
 *
 * Return: 0, or an error without adding it
 */
int trace_event_call_register(struct trace_event_call *call)
{
	int err;

	lockdep_assert_held(&trace_event_lock);

	if (!trace_event_name(call))
		return -EINVAL;

	err = call->class->raw_init ? call->class->raw_init(call) :
				      trace_event_call_add(call);
	if (err)
		return err;

	list_add_tail(&call->list, &trace_event_calls);

	return 0;
}

/**
 * trace_event_call_unregister - remove an event that is no longer in use
 * @call: the event
 *
 * Waits for readers that print entries, so that the caller can drop the fields.
 * trace_event_lock held.
 */
void trace_event_call_unregister(struct trace_event_call *call)
{
	lockdep_assert_held(&trace_event_lock);

	list_del(&call->list);
	unregister_trace_event(&call->event);
}

/**
 * trace_event_call_find - find an event by its name
 * @system: name of its system
 * @name: name of the event without the system
 *
 * trace_event_lock held, which also prevents removal of the event.
 *
 * Return: the event, or NULL
 */
struct trace_event_call *trace_event_call_find(const char *system, const char *name)
{
	struct trace_event_call *call;

	lockdep_assert_held(&trace_event_lock);

	list_for_each_entry(call, &trace_event_calls, list) {
		if (!strcmp(trace_event_name(call), name) &&
		    !strcmp(call->class->system, system))
			return call;
	}

	return NULL;
}
