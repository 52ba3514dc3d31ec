/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Writing the entry of an event.
 */
#ifndef _TRACE_EVENT_RECORD_EVENT_COMMIT_H
#define _TRACE_EVENT_RECORD_EVENT_COMMIT_H

#include <linux/jump_label.h>

struct trace_event_buffer;
struct trace_event_file;
struct trace_stack_start;

/* Enabled while entries of events are printed as they are written (tp_printk). */
DECLARE_STATIC_KEY_FALSE(trace_event_printk_on);

/*
 * Prints an entry that is about to be committed; any context, preemption is disabled. Set
 * before trace_event_printk_on is enabled for the first time.
 */
extern void (*trace_event_printk)(struct trace_event_file *file, void *entry,
				  unsigned int size);

void trace_event_buffer_commit_at(struct trace_event_buffer *fbuffer,
				  const struct trace_stack_start *start);

#endif /* _TRACE_EVENT_RECORD_EVENT_COMMIT_H */
