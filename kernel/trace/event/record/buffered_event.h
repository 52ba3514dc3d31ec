/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Buffered events: entries outside of the ring, for filters and triggers that read them.
 */
#ifndef _TRACE_EVENT_RECORD_BUFFERED_EVENT_H
#define _TRACE_EVENT_RECORD_BUFFERED_EVENT_H

#include <linux/container_of.h>
#include <linux/percpu.h>

/* An entry in the buffer is not longer, as it must fit into a page. */
#define TRACE_BUFFERED_EVENT_MAX	4096

/* A task, a softirq, an interrupt and an NMI. */
#define TRACE_BUFFERED_EVENT_NEST	4

/**
 * struct trace_buffered_event_entry - a buffered entry
 * @len: its length
 * @triggers: triggers read it
 * @bytes: its content
 */
struct trace_buffered_event_entry {
	unsigned int	len;
	bool		triggers;
	char		bytes[TRACE_BUFFERED_EVENT_MAX] __aligned(sizeof(u64));
};

/**
 * struct trace_buffered_event - buffered entries of a CPU
 * @depth: number of entries in use
 * @entries: the entries; the last one in use is at @depth - 1
 */
struct trace_buffered_event {
	unsigned int			depth;
	struct trace_buffered_event_entry	entries[TRACE_BUFFERED_EVENT_NEST];
};

extern struct trace_buffered_event __percpu *trace_buffered_event;

int trace_buffered_event_prepare(void);

/*
 * trace_buffered_event_get - get a buffered entry of @len bytes, @triggers if triggers read it
 *
 * Context: any, with preemption disabled until trace_buffered_event_put()
 *
 * Return: the entry; NULL if it is too long, if all entries of this CPU are in use, or if they
 * could not be allocated
 */
static __always_inline void *trace_buffered_event_get(size_t len, bool triggers)
{
	struct trace_buffered_event __percpu *all = READ_ONCE(trace_buffered_event);
	struct trace_buffered_event_entry *entry;
	struct trace_buffered_event *mine;
	unsigned int depth;

	if (unlikely(!all || len > TRACE_BUFFERED_EVENT_MAX))
		return NULL;

	mine = this_cpu_ptr(all);
	depth = mine->depth;
	if (unlikely(depth == TRACE_BUFFERED_EVENT_NEST))
		return NULL;

	/* Contexts that interrupt this one from now on use the next entry. */
	mine->depth = depth + 1;
	barrier();
	entry = &mine->entries[depth];
	entry->len = len;
	entry->triggers = triggers;

	return entry->bytes;
}

/* trace_buffered_event_len - length of an entry that trace_buffered_event_get() returned */
static __always_inline unsigned int trace_buffered_event_len(const void *entry)
{
	return container_of(entry, struct trace_buffered_event_entry, bytes[0])->len;
}

/* trace_buffered_event_has_triggers - was it requested for triggers? */
static __always_inline bool trace_buffered_event_has_triggers(const void *entry)
{
	return container_of(entry, struct trace_buffered_event_entry, bytes[0])->triggers;
}

/* trace_buffered_event_put - release the last entry that trace_buffered_event_get() returned */
static __always_inline void trace_buffered_event_put(void)
{
	barrier();
	this_cpu_ptr(trace_buffered_event)->depth--;
}

#endif /* _TRACE_EVENT_RECORD_BUFFERED_EVENT_H */
