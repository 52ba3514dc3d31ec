// SPDX-License-Identifier: GPL-2.0
/*
 * Buffered events: entries outside of the ring, for filters and triggers that read them.
 *
 * An entry that a filter may reject is written here, and copied to the ring only if the filter
 * accepts it. Also, a trigger acts whether its event is recorded or not: if it reads the entry,
 * and there is no entry because the event is not enabled, the buffer is off or the task must not
 * be traced, it reads a buffered one instead.
 */
#include <linux/lockdep.h>

#include "event/core/event_list.h"
#include "event/record/buffered_event.h"

/* Allocated with the first filter or trigger, under trace_event_lock, and never freed. */
struct trace_buffered_event __percpu *trace_buffered_event;

/**
 * trace_buffered_event_prepare - allocate the entries for trace_buffered_event_get()
 *
 * trace_event_lock held. May sleep.
 *
 * Return: 0 or -ENOMEM
 */
int trace_buffered_event_prepare(void)
{
	struct trace_buffered_event __percpu *new;

	lockdep_assert_held(&trace_event_lock);

	if (trace_buffered_event)
		return 0;

	new = alloc_percpu(struct trace_buffered_event);
	if (!new)
		return -ENOMEM;

	/* Pairs with the address dependency in trace_buffered_event_get(). */
	smp_store_release(&trace_buffered_event, new);

	return 0;
}
