/* SPDX-License-Identifier: GPL-2.0 */
/*
 * References to events in instances.
 */
#ifndef _TRACE_EVENT_RECORD_FILE_REF_H
#define _TRACE_EVENT_RECORD_FILE_REF_H

#include <linux/bitops.h>
#include <linux/trace_events.h>

struct seq_file;
struct trace_array;

struct trace_event_file *trace_event_file_get(struct trace_array *tr, const char *system,
					      const char *event);
struct trace_event_file *trace_event_file_get_named(struct trace_array *tr, char **text);
void trace_event_file_put(struct trace_event_file *file);
void trace_event_file_show(struct seq_file *m, const struct trace_event_file *file);

/*
 * Make the probe of an event record, or do nothing. Any context. Return: true if this is a
 * change
 */
static inline bool trace_event_file_switch(struct trace_event_file *file, bool on)
{
	return on ? test_and_clear_bit(EVENT_FILE_FL_SOFT_DISABLED_BIT, &file->flags) :
		    !test_and_set_bit(EVENT_FILE_FL_SOFT_DISABLED_BIT, &file->flags);
}

#endif /* _TRACE_EVENT_RECORD_FILE_REF_H */
