/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Events by words: set_event, boot parameters, and functions of the kernel.
 */
#ifndef _TRACE_EVENT_CONTROL_EVENT_SET_H
#define _TRACE_EVENT_CONTROL_EVENT_SET_H

#include <linux/types.h>

struct event_word;
struct module;
struct trace_array;

int trace_events_set(struct trace_array *tr, const char *system, const char *event,
		     bool on);
void trace_events_of_module(struct module *mod);

bool trace_event_word_waits(const struct event_word *word);
int trace_event_word_check(struct trace_array *tr, const struct event_word *word);
int trace_event_word_obey(struct trace_array *tr, struct event_word *word);
int trace_events_word(struct trace_array *tr, const char *text);

#endif /* _TRACE_EVENT_CONTROL_EVENT_SET_H */
