// SPDX-License-Identifier: GPL-2.0
/*
 * Entries that are not recorded, for triggers that look at them.
 *
 * A trigger acts whether its event is recorded or not. If it looks at the entry, and there is
 * no entry since the buffer is off or the task is not to be traced, the event's probe fills
 * in one of these instead.
 */
#include <linux/container_of.h>
#include <linux/lockdep.h>
#include <linux/percpu.h>
#include <linux/preempt.h>

#include "event/registry.h"
#include "event/scratch.h"

/* An entry in the buffer is not longer: it fits into a page. */
#define ENTRY_MAX	4096

/* A task, a softirq, an interrupt and an NMI. */
#define NEST		4

/**
 * struct scratch_entry - an entry
 * @len: its length
 * @bytes: its content
 */
struct scratch_entry {
	size_t	len;
	char	bytes[ENTRY_MAX] __aligned(sizeof(u64));
};

/**
 * struct scratch - the entries of a CPU
 * @depth: how many are in use
 * @entries: the one that was taken last is at @depth - 1
 */
struct scratch {
	unsigned int		depth;
	struct scratch_entry	entries[NEST];
};

/* Is allocated with the first trigger that needs it, under trace_event_lock, and stays. */
static struct scratch __percpu *scratch;

/**
 * trace_scratch_prepare - get ready for trace_scratch_get()
 *
 * trace_event_lock held. May sleep.
 *
 * Return: 0 or -ENOMEM
 */
int trace_scratch_prepare(void)
{
	struct scratch __percpu *new;

	lockdep_assert_held(&trace_event_lock);

	if (scratch)
		return 0;

	new = alloc_percpu(struct scratch);
	if (!new)
		return -ENOMEM;

	/* Pairs with the address dependency in trace_scratch_get(). */
	smp_store_release(&scratch, new);

	return 0;
}

/**
 * trace_scratch_get - begin to use an entry
 * @len: its length
 *
 * Context: any; preemption stays disabled until trace_scratch_put()
 *
 * Return: the entry; NULL if it is too long, or one too many on this CPU, or if no trigger
 * has ever asked for entries
 */
void *trace_scratch_get(size_t len)
{
	struct scratch __percpu *all = READ_ONCE(scratch);
	struct scratch *mine;
	unsigned int depth;

	if (!all || len > ENTRY_MAX)
		return NULL;

	preempt_disable_notrace();
	mine = this_cpu_ptr(all);
	depth = mine->depth;
	if (depth == NEST) {
		preempt_enable_notrace();
		return NULL;
	}

	/* What interrupts this from now on uses the next one. */
	mine->depth = depth + 1;
	barrier();
	mine->entries[depth].len = len;

	return mine->entries[depth].bytes;
}

/**
 * trace_scratch_len - the length of an entry
 * @entry: of trace_scratch_get()
 */
size_t trace_scratch_len(const void *entry)
{
	return container_of(entry, struct scratch_entry, bytes[0])->len;
}

/**
 * trace_scratch_put - end the use of the entry that trace_scratch_get() returned last
 */
void trace_scratch_put(void)
{
	barrier();
	this_cpu_ptr(scratch)->depth--;
	preempt_enable_notrace();
}
