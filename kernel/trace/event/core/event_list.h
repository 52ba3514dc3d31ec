/* SPDX-License-Identifier: GPL-2.0 */
/*
 * List of all trace events.
 */
#ifndef _TRACE_EVENT_CORE_EVENT_LIST_H
#define _TRACE_EVENT_CORE_EVENT_LIST_H

#include <linux/atomic.h>
#include <linux/list.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/trace_events.h>

/* Protects the list of events and the per-instance data of events. Taken before trace_lock. */
extern struct mutex trace_event_lock;

/* In the order of their registration; trace_event_lock. */
extern struct list_head trace_event_calls;

/* trace_event_switchable - check whether an event can be enabled and disabled */
static inline bool trace_event_switchable(const struct trace_event_call *call)
{
	return call->class->reg && !(call->flags & TRACE_EVENT_FL_IGNORE_ENABLE);
}

static inline struct module *trace_event_module(const struct trace_event_call *call)
{
	return call->flags & TRACE_EVENT_FL_DYNAMIC ? NULL : call->module;
}

/*
 * trace_event_call_pin - take a reference on an event and its module
 *
 * Undone by trace_event_call_unpin(). trace_event_lock held, unless there already is a
 * reference.
 *
 * Return: false if the module is being unloaded, or is being loaded, which may fail
 */
static inline bool trace_event_call_pin(struct trace_event_call *call)
{
	struct module *module = trace_event_module(call);

	if (call->flags & TRACE_EVENT_FL_DYNAMIC)
		atomic_inc(&call->refcnt);

	return !module || (!module_is_coming(module) && try_module_get(module));
}

/*
 * trace_event_call_unpin - undo trace_event_call_pin()
 *
 * Any context. A dynamic event may be freed as soon as its count is decremented, so the event
 * must not be used afterwards.
 */
static inline void trace_event_call_unpin(struct trace_event_call *call)
{
	struct module *module = trace_event_module(call);

	if (call->flags & TRACE_EVENT_FL_DYNAMIC)
		atomic_dec(&call->refcnt);
	else
		module_put(module);
}

int trace_event_call_register(struct trace_event_call *call);
void trace_event_call_unregister(struct trace_event_call *call);
struct trace_event_call *trace_event_call_find(const char *system, const char *name);

#endif /* _TRACE_EVENT_CORE_EVENT_LIST_H */
