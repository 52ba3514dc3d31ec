/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Event specifiers, as in set_event.
 *
 *   EVENT		the events of that name, or all events of a system of that name
 *   SYSTEM:EVENT	one event; each part is a glob, and a missing one means all
 *   ...:mod:MODULE	only events of that module, whose name may be a glob; all of its
 *			events if `:mod:' is at the beginning
 *   !...		disable instead of enable
 */
#ifndef _TRACE_EVENT_CORE_EVENT_SPEC_H
#define _TRACE_EVENT_CORE_EVENT_SPEC_H

#include <linux/list.h>
#include <linux/types.h>

struct module;
struct trace_event_call;

/**
 * struct event_spec - an event specifier
 * @list: entry in the specifiers of a write, or in trace_events.specs
 * @any: glob for the name of the event or its system, NULL if @system and @event are used
 * @system: glob for its system, NULL or empty for any
 * @event: glob for its name, NULL or empty for any
 * @module: glob for its module, NULL for any module and the kernel
 * @on: true if the events are to be enabled
 * @text: the original text, followed by a copy that the other fields point into
 */
struct event_spec {
	struct list_head	list;
	const char		*any;
	const char		*system;
	const char		*event;
	const char		*module;
	bool			on;
	char			text[];
};

struct event_spec *trace_event_spec_parse(const char *text, size_t len);
void trace_event_specs_free(struct list_head *specs);
bool trace_event_spec_fits(const struct event_spec *spec, struct trace_event_call *call);
bool trace_event_spec_fits_module(const struct event_spec *spec, struct module *mod);
bool trace_event_spec_cancels(const struct event_spec *spec,
			      const struct event_spec *other);

#endif /* _TRACE_EVENT_CORE_EVENT_SPEC_H */
