/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Enabling of events by specifier: set_event, boot parameters, and functions of the kernel.
 */
#ifndef _TRACE_EVENT_CONTROL_EVENT_SET_H
#define _TRACE_EVENT_CONTROL_EVENT_SET_H

#include <linux/types.h>

struct event_spec;
struct module;
struct trace_array;

int trace_events_set(struct trace_array *tr, const char *system, const char *event,
		     bool on);
void trace_events_of_module(struct module *mod);

bool trace_event_spec_pending(const struct event_spec *spec);
int trace_event_spec_check(struct trace_array *tr, const struct event_spec *spec);
int trace_event_spec_apply(struct trace_array *tr, struct event_spec *spec);
int trace_events_apply(struct trace_array *tr, const char *text);

#endif /* _TRACE_EVENT_CONTROL_EVENT_SET_H */
