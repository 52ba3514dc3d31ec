// SPDX-License-Identifier: GPL-2.0
/*
 * Entries outside of the ring, for filters and triggers that look at them.
 *
 * An entry that a filter may reject is copied to the ring only if it does not. And a trigger
 * acts whether its event is recorded or not: if it looks at the entry, and there is no entry
 * since the buffer is off or the task is not to be traced, it looks at one of these instead.
 */
#include <linux/lockdep.h>

#include "event/core/event_list.h"
#include "event/record/buffered_event.h"

/* Is allocated with the first filter or trigger, under trace_event_lock, and stays. */
struct trace_scratch __percpu *trace_scratch;

/**
 * trace_scratch_prepare - get ready for trace_scratch_get()
 *
 * trace_event_lock held. May sleep.
 *
 * Return: 0 or -ENOMEM
 */
int trace_scratch_prepare(void)
{
	struct trace_scratch __percpu *new;

	lockdep_assert_held(&trace_event_lock);

	if (trace_scratch)
		return 0;

	new = alloc_percpu(struct trace_scratch);
	if (!new)
		return -ENOMEM;

	/* Pairs with the address dependency in trace_scratch_get(). */
	smp_store_release(&trace_scratch, new);

	return 0;
}
