/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Writing of an entry: the fields common to all entries, reserve and commit.
 */
#ifndef _TRACE_INSTANCE_RECORD_ENTRY_H
#define _TRACE_INSTANCE_RECORD_ENTRY_H

#include <linux/irqflags.h>
#include <linux/ring_buffer.h>

#include "instance/core/entries.h"
#include "instance/core/instance.h"
#include "instance/core/options.h"
#include "instance/record/cmdlines.h"

/* trace_context_now - trace_context() of the caller; any context */
static __always_inline unsigned int trace_context_now(void)
{
	return trace_context(raw_irqs_disabled() ? TRACE_FLAG_IRQS_OFF : 0);
}

/*
 * trace_context_plain - fast path of trace_context_now() for a task in a common state
 * @context: output
 *
 * Return: false if the caller must use trace_context_now().
 */
static __always_inline bool trace_context_plain(unsigned int *context)
{
	unsigned int pc = preempt_count();

	*context = pc | (raw_irqs_disabled() ? TRACE_FLAG_IRQS_OFF << 16 : 0);
	return trace_context_is_plain(pc);
}

/* trace_entry_fill - set the fields common to all entries */
static __always_inline void trace_entry_fill(struct trace_entry *ent, u16 type,
					     unsigned int context)
{
	ent->type = type;
	ent->flags = context >> 16;
	ent->preempt_count = context;
	ent->pid = current->pid;
}

/*
 * trace_entry_begin - reserve an entry of @size bytes, including the header
 *
 * Any context.
 *
 * Return: the entry, which the caller fills before trace_entry_end(), or NULL if recording is
 * disabled.
 */
static __always_inline void *trace_entry_begin(struct trace_buffer *buffer,
					       u16 type, unsigned long size,
					       unsigned int context)
{
	struct ring_buffer_event *event;
	struct trace_entry *ent;

	event = ring_buffer_lock_reserve(buffer, size);
	if (!event)
		return NULL;

	ent = ring_buffer_event_data(event);
	trace_entry_fill(ent, type, context);

	return ent;
}

/* trace_entry_end - commit the entry: readers can see it from now on */
static __always_inline void trace_entry_end(struct trace_buffer *buffer)
{
	ring_buffer_unlock_commit(buffer);
	trace_cmdline_want();
}

/*
 * trace_cmdline_save_now - save the comm of the current task now, unless the instance's option
 * record-cmd is off. For entries that are written while comms may not be recorded otherwise.
 */
static inline void trace_cmdline_save_now(const struct trace_array *tr)
{
	if (READ_ONCE(tr->options) & TRACE_OPT(RECORD_CMD))
		tracing_record_cmdline(current);
}

#endif /* _TRACE_INSTANCE_RECORD_ENTRY_H */
