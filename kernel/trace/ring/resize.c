// SPDX-License-Identifier: GPL-2.0
/*
 * Changes to whole rings: more or fewer pages, larger ones, no events.
 *
 * All memory is there before anything changes, and what is left over is freed
 * when all is changed; what a ring sees of it is one short call of
 * ring_exclusive().
 */

#include "ring/page.h"

/**
 * struct ring_change - what a ring is to become
 * @nr: slots; 0: it stays as it is
 * @order: size of the pages
 * @kept: pages of the ring that go on being used or are freed afterwards; they
 *	get the first places in @pages
 * @pages: the pages that it is to have, new ones from @kept on
 * @slots: the slots that it is to have
 * @spare: a sub-buffer of the old size that nobody needs any more
 *
 * ring_resize() and ring_reorder() exchange @pages and @slots for the old
 * ones.
 */
struct ring_change {
	u32			nr;
	int			order;
	u32			kept;
	struct ring_page	**pages;
	atomic64_t		*slots;
	struct buffer_data_page	*spare;
};

static int ring_change_alloc(struct ring_change *change, struct ring_cpu *cb,
			     u32 nr, int order)
{
	u32 places;

	change->nr = nr;
	change->order = order;
	change->kept = order == cb->order ? cb->nr_slots + 1 : 0;
	places = max(nr + 1, change->kept);

	change->slots = kvcalloc(nr, sizeof(*change->slots), GFP_KERNEL);
	change->pages = kvcalloc(places, sizeof(*change->pages), GFP_KERNEL);
	if (!change->slots || !change->pages)
		return -ENOMEM;
	return ring_cpu_pages(cb, change->pages + change->kept,
			      places - change->kept, order);
}

static void ring_change_free(struct ring_change *change)
{
	u32 i;

	for (i = change->kept; change->pages && i <= change->nr; i++)
		ring_page_free(change->pages[i], change->order);
	kvfree(change->pages);
	kvfree(change->slots);
}

/* The old arrays go into @change. */
static void ring_change_arrays(struct ring_cpu *cb, struct ring_change *change)
{
	swap(cb->pages, change->pages);
	swap(cb->slots, change->slots);
	swap(cb->nr_slots, change->nr);
}

/* Events of the oldest page go when there is no room for it any more. */
static void ring_give_up(struct ring_cpu *cb, struct ring_page *page)
{
	local_add(page->count, &cb->overrun);
	local_add(page->bytes, &cb->overrun_bytes);
}

/* Where ring_resize() stands. */
struct ring_layout {
	struct ring_cpu		*cb;
	u32			used;	/* number of the next page with events */
	u32			blank;	/* number of the next blank one */
	u32			index;	/* next slot */
	u32			drop;	/* pages too many */
	u32			spare;	/* place of the next of these */
};

static void ring_place(struct ring_layout *to, struct ring_page *page, bool blank)
{
	struct ring_cpu *cb = to->cb;

	if (to->drop) {
		to->drop--;
		cb->pages[to->spare++] = page;
		if (!blank)
			ring_give_up(cb, page);
		return;
	}
	page->id = blank ? to->blank++ : to->used++;
	cb->pages[page->id] = page;
	ring_lay(cb, to->index, cb->origin + to->index, page, blank);
	to->index++;
}

/* How many of the old slots have pages with events, the one being written too. */
static u32 ring_used(const struct ring_change *change)
{
	u32 i, used = 0;

	for (i = 0; i < change->nr; i++)
		used += !(atomic64_read(&change->slots[i]) & RING_SLOT_TAKEN);
	return used;
}

/*
 * Lay the pages out anew: first blank ones, then those with events, the one
 * being written last. The slots of the blank ones stand for pages that could
 * have been there and were read. The numbers of pages are in the order in which
 * they will be read, from that of the reader on.
 */
static int ring_resize(struct ring_cpu *cb, void *arg)
{
	struct ring_change *change = arg;
	struct ring_layout to = { .cb = cb, .used = 1 };
	u64 seq, old, last = cb->commit_seq, origin = cb->origin;
	u32 i;

	ring_change_arrays(cb, change);
	if (change->nr > cb->nr_slots)
		to.drop = change->nr - cb->nr_slots;
	to.blank = min(ring_used(change), cb->nr_slots) + 1;
	to.spare = cb->nr_slots + 1;
	cb->pages[0] = cb->reader;
	cb->reader->id = 0;
	cb->origin = last + 1 - cb->nr_slots;

	for (i = 0; i < change->nr; i++) {
		old = atomic64_read(&change->slots[i]);
		if (old & RING_SLOT_TAKEN)
			ring_place(&to, change->pages[old & RING_SLOT_ID_MASK], true);
	}

	/* Pages that are new are where they belong. */
	for (i = change->kept; i <= cb->nr_slots; i++)
		ring_place(&to, cb->pages[i], true);

	for (seq = last + 1 - change->nr; seq <= last; seq++) {
		old = atomic64_read(&change->slots[(seq - origin) % change->nr]);
		if (!(old & RING_SLOT_TAKEN))
			ring_place(&to, change->pages[old & RING_SLOT_ID_MASK], false);
	}

	/* It may be the reader's, with a blank one in its slot. */
	cb->tail->slot = cb->nr_slots - 1;
	return 0;
}

/* Start again with pages of another size. */
static int ring_reorder(struct ring_cpu *cb, void *arg)
{
	struct ring_change *change = arg;
	u32 id;

	ring_change_arrays(cb, change);
	swap(cb->order, change->order);
	swap(cb->spare, change->spare);
	cb->size = ring_data_size(cb->order);
	for (id = 0; id <= cb->nr_slots; id++)
		cb->pages[id]->id = id;
	cb->reader = cb->pages[cb->nr_slots];
	ring_clear(cb);
	return 0;
}

static int ring_reset(struct ring_cpu *cb, void *arg)
{
	ring_clear(cb);
	if (cb->mapped)
		ring_map_update(cb);
	return 0;
}

/* Returns whether there is something to free that writers may still look at. */
static bool ring_change_apply(struct trace_buffer *buffer, int cpu,
			      struct ring_change *change)
{
	if (change->kept) {
		ring_exclusive(buffer, cpu, ring_resize, change);
		return change->nr > buffer->cpus[cpu]->nr_slots;
	}
	ring_exclusive(buffer, cpu, ring_reorder, change);
	return true;
}

static void ring_change_finish(struct ring_cpu *cb, struct ring_change *change)
{
	u32 i;

	if (change->kept) {
		for (i = cb->nr_slots + 1; i <= change->nr; i++)
			ring_page_free(cb->pages[i], cb->order);
		change->kept = change->nr + 1;
	}
	ring_data_free(change->spare, change->order);
	ring_change_free(change);
}

/* Give the rings of @cpus room for @room bytes, or as much as they shall have if 0. */
static int ring_rebuild(struct trace_buffer *buffer, const struct cpumask *cpus,
			unsigned long room, int order)
{
	struct ring_change *changes;
	struct ring_cpu *cb;
	bool wait = false;
	unsigned long nr;
	int cpu, ret = 0;

	changes = kcalloc(nr_cpu_ids, sizeof(*changes), GFP_KERNEL);
	if (!changes)
		return -ENOMEM;

	for_each_cpu(cpu, cpus) {
		cb = buffer->cpus[cpu];
		nr = ring_slots_for(room ?: cb->room, order);
		if (cb->mapped || nr >= RING_MAX_PAGES) {
			ret = cb->mapped ? -EBUSY : -EINVAL;
			break;
		}
		if (nr == cb->nr_slots && order == cb->order)
			continue;
		ret = ring_change_alloc(&changes[cpu], cb, nr, order);
		if (ret)
			break;
	}

	if (ret) {
		for_each_cpu(cpu, cpus)
			ring_change_free(&changes[cpu]);
		goto out;
	}

	for_each_cpu(cpu, cpus) {
		if (room)
			buffer->cpus[cpu]->room = room;
		if (changes[cpu].nr)
			wait |= ring_change_apply(buffer, cpu, &changes[cpu]);
	}
	/* A writer on its way out compares a page with what it published. */
	if (wait)
		synchronize_rcu();
	for_each_cpu(cpu, cpus) {
		if (changes[cpu].nr)
			ring_change_finish(buffer->cpus[cpu], &changes[cpu]);
	}
out:
	kfree(changes);
	return ret;
}

/**
 * ring_buffer_resize - change how much a ring has room for
 * @buffer: the buffer
 * @size: bytes, rounded up to whole pages, at least two
 * @cpu_id: whose ring, or RING_BUFFER_ALL_CPUS
 *
 * Writers and readers go on meanwhile. What does not fit any more are the
 * oldest events; they count as overwritten. May sleep.
 *
 * Returns 0; -EINVAL for a size that no machine has or a CPU without a ring,
 * -EBUSY while user space has the ring mapped, -ENOMEM, or -EINTR when the
 * caller is being killed. Nothing has changed then.
 */
int ring_buffer_resize(struct trace_buffer *buffer, unsigned long size, int cpu_id)
{
	const struct cpumask *cpus = buffer->cpumask;

	guard(mutex)(&buffer->mutex);
	guard(cpus_read_lock)();

	if (size > LONG_MAX)
		return -EINVAL;
	if (cpu_id != RING_BUFFER_ALL_CPUS) {
		if (!ring_of(buffer, cpu_id))
			return -EINVAL;
		cpus = cpumask_of(cpu_id);
	}
	return ring_rebuild(buffer, cpus, size ?: 1, buffer->order);
}
EXPORT_SYMBOL_GPL(ring_buffer_resize);

/**
 * ring_buffer_subbuf_order_set - change the size of the pages
 * @buffer: the buffer
 * @order: they are to be PAGE_SIZE << @order bytes
 *
 * All events are lost; the rings have the room that they were asked to have.
 * Pages for ring_buffer_read_page() have to be allocated anew. May sleep.
 *
 * Returns 0; -EINVAL for an impossible order, or where that would be more pages
 * than there can be; -EBUSY while user space has a ring mapped or there is an
 * iterator; -ENOMEM or -EINTR. Nothing has changed then.
 */
int ring_buffer_subbuf_order_set(struct trace_buffer *buffer, int order)
{
	int old, ret;

	if (order < 0 || order > get_order(RING_MAX_SUBBUF))
		return -EINVAL;

	guard(mutex)(&buffer->mutex);
	guard(cpus_read_lock)();

	old = buffer->order;
	if (order == old)
		return 0;
	if (atomic_read(&buffer->iters))
		return -EBUSY;

	/* Rings are never longer-lived than the buffer's order. */
	ret = ring_rebuild(buffer, buffer->cpumask, 0, order);
	if (!ret)
		WRITE_ONCE(buffer->order, order);
	return ret;
}
EXPORT_SYMBOL_GPL(ring_buffer_subbuf_order_set);

/**
 * ring_buffer_subbuf_order_get - the order of the pages
 * @buffer: the buffer
 */
int ring_buffer_subbuf_order_get(struct trace_buffer *buffer)
{
	return READ_ONCE(buffer->order);
}
EXPORT_SYMBOL_GPL(ring_buffer_subbuf_order_get);

/**
 * ring_buffer_subbuf_size_get - the size in bytes of the pages
 * @buffer: the buffer
 */
int ring_buffer_subbuf_size_get(struct trace_buffer *buffer)
{
	return PAGE_SIZE << READ_ONCE(buffer->order);
}
EXPORT_SYMBOL_GPL(ring_buffer_subbuf_size_get);

/**
 * ring_buffer_reset_cpu - forget all events of a ring
 * @buffer: the buffer
 * @cpu: whose ring
 *
 * The counts start again, too. Writers and readers may go on meanwhile. May
 * sleep.
 */
void ring_buffer_reset_cpu(struct trace_buffer *buffer, int cpu)
{
	guard(mutex)(&buffer->mutex);
	guard(cpus_read_lock)();

	if (ring_of(buffer, cpu))
		ring_exclusive(buffer, cpu, ring_reset, NULL);
}
EXPORT_SYMBOL_GPL(ring_buffer_reset_cpu);

static void ring_reset_cpus(struct trace_buffer *buffer, const struct cpumask *cpus)
{
	int cpu;

	guard(mutex)(&buffer->mutex);
	guard(cpus_read_lock)();

	for_each_cpu_and(cpu, buffer->cpumask, cpus)
		ring_exclusive(buffer, cpu, ring_reset, NULL);
}

/**
 * ring_buffer_reset_online_cpus - ring_buffer_reset_cpu() for all online CPUs
 * @buffer: the buffer
 */
void ring_buffer_reset_online_cpus(struct trace_buffer *buffer)
{
	ring_reset_cpus(buffer, cpu_online_mask);
}

/**
 * ring_buffer_reset - ring_buffer_reset_cpu() for all CPUs
 * @buffer: the buffer
 */
void ring_buffer_reset(struct trace_buffer *buffer)
{
	ring_reset_cpus(buffer, cpu_possible_mask);
}
EXPORT_SYMBOL_GPL(ring_buffer_reset);
