// SPDX-License-Identifier: GPL-2.0
/*
 * References to events in instances, which also pin the event's module.
 */
#include <linux/cleanup.h>
#include <linux/err.h>
#include <linux/export.h>
#include <linux/seq_file.h>
#include <linux/string.h>
#include <linux/trace_events.h>

#include "event/core/event_list.h"
#include "event/record/event_file.h"
#include "event/record/file_ref.h"
#include "instance/core/instance.h"

/**
 * trace_event_file_get - find an event in an instance, and take a reference
 * @tr: the instance
 * @system: system of the event
 * @event: name of the event
 *
 * trace_event_lock held. May sleep.
 *
 * Return: the event, which remains valid until trace_event_file_put(), but not longer than the
 * instance; -EINVAL if there is no such event that can be enabled, -EBUSY if its module is
 * being unloaded, -ENOMEM
 */
struct trace_event_file *trace_event_file_get(struct trace_array *tr, const char *system,
					      const char *event)
{
	struct trace_event_call *call = trace_event_call_find(system, event);
	struct trace_event_file *file;

	if (!call || !trace_event_switchable(call) || !trace_event_in(tr, call))
		return ERR_PTR(-EINVAL);
	if (!trace_event_call_pin(call))
		return ERR_PTR(-EBUSY);

	file = trace_event_file_lookup(tr, call);
	if (IS_ERR(file))
		trace_event_call_unpin(call);

	return file;
}

/**
 * trace_event_file_get_named - trace_event_file_get() for the parameters of a command
 * @tr: the instance
 * @text: text beginning with "system:event"; set to the text after it, NULL at the end
 *
 * trace_event_lock held. May sleep.
 *
 * Return: same as trace_event_file_get(); also -EINVAL if a part is missing
 */
struct trace_event_file *trace_event_file_get_named(struct trace_array *tr, char **text)
{
	const char *system = strsep(text, ":"), *event = strsep(text, ":");

	return event ? trace_event_file_get(tr, system, event) : ERR_PTR(-EINVAL);
}

/**
 * trace_event_file_show - print the parameters of a command for an event
 * @m: output file
 * @file: the event in an instance
 */
void trace_event_file_show(struct seq_file *m, const struct trace_event_file *file)
{
	seq_printf(m, ":%s:%s", file->event_call->class->system,
		   trace_event_name(file->event_call));
}

/**
 * trace_event_file_put - undo trace_event_file_get()
 * @file: the event in an instance
 */
void trace_event_file_put(struct trace_event_file *file)
{
	trace_event_call_unpin(file->event_call);
}

static struct trace_event_file *file_ref_lock_and_get(struct trace_array *tr, const char *system,
						      const char *event)
{
	guard(mutex)(&trace_event_lock);

	return trace_event_file_get(tr, system, event);
}

/**
 * trace_get_event_file - find an event in an instance
 * @instance: name of the instance, NULL for the top one
 * @system: system of the event
 * @event: name of the event
 *
 * May sleep. Neither the instance nor the event is removed until trace_put_event_file().
 *
 * Return: the event; -ENODEV if there is no such instance, -EINVAL if there is no such event,
 * -EBUSY if its module is being unloaded, -ENOMEM
 */
struct trace_event_file *trace_get_event_file(const char *instance, const char *system,
					      const char *event)
{
	struct trace_event_file *file;
	struct trace_array *tr;

	if (!system || !event)
		return ERR_PTR(-EINVAL);

	scoped_guard(mutex, &trace_lock) {
		tr = instance ? trace_array_find(instance) : &trace_top;
		if (!tr || tr->ending)
			return ERR_PTR(-ENODEV);
		tr->refs++;
	}

	file = file_ref_lock_and_get(tr, system, event);
	if (IS_ERR(file))
		trace_array_put(tr);

	return file;
}
EXPORT_SYMBOL_GPL(trace_get_event_file);

/**
 * trace_put_event_file - undo trace_get_event_file()
 * @file: the event in the instance
 */
void trace_put_event_file(struct trace_event_file *file)
{
	struct trace_array *tr = file->tr;

	trace_event_file_put(file);
	trace_array_put(tr);
}
EXPORT_SYMBOL_GPL(trace_put_event_file);
