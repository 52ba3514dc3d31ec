/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Events by words: set_event, boot parameters, and functions of the kernel.
 */
#ifndef _TRACE_EVENT_SET_H
#define _TRACE_EVENT_SET_H

#include <linux/types.h>

struct trace_array;

int trace_events_set(struct trace_array *tr, const char *system, const char *event,
		     bool on);
int trace_events_word(struct trace_array *tr, char *word, bool apply);

#endif /* _TRACE_EVENT_SET_H */
