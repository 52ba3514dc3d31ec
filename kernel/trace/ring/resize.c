// SPDX-License-Identifier: GPL-2.0
/*
 * Changes to whole rings: more or fewer pages, larger ones, no events.
 *
 * All memory is allocated before anything changes, and what is left over is freed
 * afterwards. The change itself is one short call of ring_exclusive() for each
 * ring.
 */

#include "ring/page.h"
#include "ring/resize.h"

/* Allocate all that a ring of @nr slots needs beyond the pages that it has. */
static int ring_change_alloc(struct ring_change *change, struct ring_cpu *cb,
			     u32 nr, int order)
{
	bool all = order != cb->order;
	u32 old = cb->nr_slots;

	change->nr = nr;
	change->order = order;
	change->fresh = all ? 0 : min(nr, old) + 1;
	change->slots = kvcalloc(nr, sizeof(*change->slots), GFP_KERNEL);
	change->pages = kvcalloc(nr + 1, sizeof(*change->pages), GFP_KERNEL);
	if (!change->slots || !change->pages)
		return -ENOMEM;
	if (!all && nr < old) {
		change->gone = kvcalloc(old - nr, sizeof(*change->gone), GFP_KERNEL);
		if (!change->gone)
			return -ENOMEM;
	}

	/* The numbers of pages stay while trace_buffer::mutex is held. */
	memcpy(change->pages, cb->pages, change->fresh * sizeof(*change->pages));
	if (all)
		ring_slots_blank(change->slots, nr, 0);
	else if (nr > old)
		ring_slots_blank(change->slots, nr - old, old + 1);
	return ring_cpu_pages(cb, change->pages + change->fresh,
			      nr + 1 - change->fresh, order);
}

/* Free what the change needed, or after the change, what is left over. */
static void ring_change_free(struct ring_change *change)
{
	u32 i;

	for (i = change->fresh; change->pages && i <= change->nr; i++) {
		ring_page_free(change->pages[i], change->order);
		cond_resched();
	}
	for (i = 0; i < change->nr_gone; i++) {
		ring_page_free(change->gone[i], change->order);
		cond_resched();
	}
	ring_data_free(change->spare, change->order);
	kvfree(change->gone);
	kvfree(change->pages);
	kvfree(change->slots);
}

/* Goes through the slots of a ring in the order of their sequence numbers. */
struct ring_walk {
	atomic64_t	*slots;
	u32		nr;
	u32		index;
};

static u64 ring_walk_next(struct ring_walk *walk)
{
	u64 slot = atomic64_read(&walk->slots[walk->index]);

	walk->index++;
	if (walk->index == walk->nr)
		walk->index = 0;
	return slot;
}

static struct ring_walk ring_walk_from(struct ring_cpu *cb, u64 seq)
{
	return (struct ring_walk){ cb->slots, cb->nr_slots, ring_index(cb, seq) };
}

/* A page before the commit page that is in its slot. */
static struct ring_page *ring_page_of(struct ring_cpu *cb, u64 seq)
{
	return ring_slot_page(cb, atomic64_read(ring_slot_of(cb, seq)));
}

/* How many events had been written when the writers came to such a page. */
static unsigned long ring_written_before(struct ring_page *page)
{
	return page->total_before + page->entries_before - page->count;
}

/*
 * The @nr oldest pages find no place. Their events count as overwritten; how many
 * there are is known from the first of these pages and from the one behind them.
 */
static void ring_give_up(struct ring_cpu *cb, struct ring_change *change,
			 struct ring_walk *oldest, u32 nr)
{
	u64 from = max(cb->reader_seq + 1, cb->floor);
	u64 stay = cb->commit_seq + 1 - cb->nr_slots + nr;
	struct ring_page *first, *behind;

	from = max(from, stay - nr);
	if (from < stay) {
		first = ring_page_of(cb, from);
		behind = ring_page_of(cb, stay);
		local_add(ring_written_before(behind) - ring_written_before(first),
			  &cb->overrun);
		local_add(behind->bytes_before - first->bytes_before, &cb->overrun_bytes);
	}
	while (change->nr_gone < nr)
		change->gone[change->nr_gone++] = ring_slot_page(cb, ring_walk_next(oldest));
}

/*
 * The number that page @id is to have in a ring of fewer pages: its own, or one
 * of a page that finds no place, which @oldest goes through.
 */
static u32 ring_renumber(struct ring_cpu *cb, struct ring_change *change,
			 struct ring_walk *oldest, u32 id)
{
	u32 number;

	if (id <= change->nr)
		return id;
	do {
		number = ring_walk_next(oldest) & RING_SLOT_ID_MASK;
	} while (number > change->nr);
	change->pages[number] = cb->pages[id];
	return number;
}

/*
 * Exchange the slots for more or fewer. The youngest stay what they are, and new
 * ones stand for pages that could have been there before and were read. This
 * takes a few nanoseconds a slot: but for two, no page is looked at.
 */
static int ring_resize(struct ring_cpu *cb, void *arg)
{
	struct ring_change *change = arg;
	u32 stay = min(change->nr, cb->nr_slots), gone = cb->nr_slots - stay, i;
	u64 slot, last = cb->commit_seq;
	struct ring_walk oldest = ring_walk_from(cb, last + 1 - cb->nr_slots);
	struct ring_walk numbers = oldest;

	ring_give_up(cb, change, &oldest, gone);
	for (i = change->nr - stay; i < change->nr; i++) {
		slot = ring_walk_next(&oldest);
		if ((slot & RING_SLOT_ID_MASK) > change->nr)
			slot = (slot & ~RING_SLOT_ID_MASK) |
			       ring_renumber(cb, change, &numbers,
					     slot & RING_SLOT_ID_MASK);
		atomic64_set(&change->slots[i], slot);
	}
	cb->reader_id = ring_renumber(cb, change, &numbers, cb->reader_id);

	/* The old arrays are freed with @change, and no page of theirs. */
	swap(cb->pages, change->pages);
	swap(cb->slots, change->slots);
	swap(cb->nr_slots, change->nr);
	change->fresh = change->nr + 1;
	cb->origin = last + 1 - cb->nr_slots;
	/* Readers that were left behind do not find their way through new slots. */
	cb->floor = max(cb->floor, last + 1 - stay);
	return 0;
}

/* Start again with pages of another size. */
static int ring_reorder(struct ring_cpu *cb, void *arg)
{
	ring_change_pages(cb, arg);
	return 0;
}

static int ring_reset(struct ring_cpu *cb, void *arg)
{
	ring_clear(cb);
	if (cb->mapped)
		ring_map_update(cb);
	return 0;
}

/**
 * struct ring_wish - how the rings of a buffer are to be
 * @cpu: whose ring, or RING_BUFFER_ALL_CPUS
 * @room: bytes that they are to have room for; 0: what each was asked to have
 * @order: of their pages, or less than 0 for that which they have
 */
struct ring_wish {
	int		cpu;
	unsigned long	room;
	int		order;
};

static const struct cpumask *ring_wish_cpus(const struct ring_wish *wish,
					    struct trace_buffer *buffer)
{
	return wish->cpu == RING_BUFFER_ALL_CPUS ? buffer->cpumask : cpumask_of(wish->cpu);
}

/*
 * Allocate what the rings need, of which nothing changes yet. @changes, one for each CPU, are
 * to be freed in any case. cpus_read_lock() and trace_buffer::mutex held.
 */
static int ring_rebuild_alloc(struct trace_buffer *buffer, const struct ring_wish *wish,
			      struct ring_change *changes)
{
	int cpu, ret, order = wish->order < 0 ? buffer->order : wish->order;
	struct ring_cpu *cb;
	unsigned long nr;

	if (wish->cpu != RING_BUFFER_ALL_CPUS && !ring_of(buffer, wish->cpu))
		return -EINVAL;
	if (!wish->room && order == buffer->order)
		return 0;
	if (order != buffer->order && atomic_read(&buffer->iters))
		return -EBUSY;

	for_each_cpu(cpu, ring_wish_cpus(wish, buffer)) {
		cb = ring_of_locked(buffer, cpu);
		nr = ring_slots_for(wish->room ?: cb->room, order);
		if (cb->mapped)
			return -EBUSY;
		if (nr >= RING_MAX_PAGES)
			return -EINVAL;
		if (nr == cb->nr_slots && order == cb->order)
			continue;
		ret = ring_change_alloc(&changes[cpu], cb, nr, order);
		if (ret)
			return ret;
	}
	return 0;
}

/* What ring_rebuild_alloc() has allocated becomes the rings. The same locks held. */
static void ring_rebuild_apply(struct trace_buffer *buffer, const struct ring_wish *wish,
			       struct ring_change *changes)
{
	int cpu;

	for_each_cpu(cpu, ring_wish_cpus(wish, buffer)) {
		if (wish->room)
			buffer->cpus[cpu]->room = wish->room;
		if (!changes[cpu].nr)
			continue;
		ring_exclusive(buffer, cpu, changes[cpu].fresh ?
			       ring_resize : ring_reorder, &changes[cpu]);
		ring_wake_resized(ring_of_locked(buffer, cpu));
	}
	/* Rings of CPUs that come are like the others. */
	if (wish->order >= 0)
		WRITE_ONCE(buffer->order, wish->order);
}

/*
 * Free what is left over of @nr changes, of which none was applied if @ret is an error. No lock
 * may be held: the wait takes cpus_read_lock() itself. Returns @ret.
 */
static int ring_changes_free(struct ring_change *changes, u32 nr, int ret)
{
	bool wait = false;
	u32 i;

	/* A writer on its way out compares a page with what it published. */
	for (i = 0; i < nr; i++)
		wait |= changes[i].nr_gone || (changes[i].nr && !changes[i].fresh);
	if (wait && !ret)
		ring_env_wait_for_writers();
	for (i = 0; i < nr; i++)
		ring_change_free(&changes[i]);
	kfree(changes);
	return ret;
}

/* With the mutexes of both buffers held; @other may be NULL. */
static int ring_rebuild_locked(struct trace_buffer *buffer, struct trace_buffer *other,
			       const struct ring_wish *wish, struct ring_change *changes)
{
	int ret = ring_rebuild_alloc(buffer, wish, changes);

	if (!ret && other)
		ret = ring_rebuild_alloc(other, wish, changes + nr_cpu_ids);
	if (ret)
		return ret;

	ring_rebuild_apply(buffer, wish, changes);
	if (other)
		ring_rebuild_apply(other, wish, changes + nr_cpu_ids);
	return 0;
}

static int ring_rebuild(struct trace_buffer *buffer, struct trace_buffer *other,
			const struct ring_wish *wish)
{
	u32 nr = other ? 2 * nr_cpu_ids : nr_cpu_ids;
	struct ring_change *changes;
	int ret;

	changes = kcalloc(nr, sizeof(*changes), GFP_KERNEL);
	if (!changes)
		return -ENOMEM;

	scoped_guard(cpus_read_lock) {
		guard(mutex)(&buffer->mutex);
		if (other)
			mutex_lock_nested(&other->mutex, SINGLE_DEPTH_NESTING);
		ret = ring_rebuild_locked(buffer, other, wish, changes);
		if (other)
			mutex_unlock(&other->mutex);
	}
	return ring_changes_free(changes, nr, ret);
}

/**
 * ring_buffers_resize - ring_buffer_resize() for two buffers
 * @buffer: its mutex is taken before that of @other
 * @other: the one whose rings it exchanges with it, or NULL
 * @size: as for ring_buffer_resize()
 * @cpu_id: likewise
 *
 * Callers must name two buffers in the same order always.
 *
 * Returns as ring_buffer_resize(), with both changed or neither.
 */
int ring_buffers_resize(struct trace_buffer *buffer, struct trace_buffer *other,
			unsigned long size, int cpu_id)
{
	struct ring_wish wish = { .cpu = cpu_id, .room = size ?: 1, .order = -1 };

	if (size > LONG_MAX || buffer->range)
		return -EINVAL;

	return ring_rebuild(buffer, other, &wish);
}

/**
 * ring_buffer_resize - change how much a ring has room for
 * @buffer: its mutex is taken, and cpus_read_lock() before it
 * @size: bytes, rounded up to whole pages, at least two
 * @cpu_id: whose ring, or RING_BUFFER_ALL_CPUS
 *
 * Writers and readers go on meanwhile. The oldest events are lost if there is no
 * room for them any more, and count as overwritten. May sleep.
 *
 * Returns 0; -EINVAL for a size that no machine has, a CPU without a ring, or a
 * buffer in memory that outlives the kernel; -EBUSY while user space has the ring
 * mapped, -ENOMEM, or -EINTR when the caller is being killed. Nothing has changed then.
 */
int ring_buffer_resize(struct trace_buffer *buffer, unsigned long size, int cpu_id)
{
	return ring_buffers_resize(buffer, NULL, size, cpu_id);
}
EXPORT_SYMBOL_GPL(ring_buffer_resize);

/**
 * ring_buffers_subbuf_order_set - ring_buffer_subbuf_order_set() for two buffers
 * @buffer: its mutex is taken before that of @other
 * @other: the one whose rings it exchanges with it, or NULL
 * @order: as for ring_buffer_subbuf_order_set()
 *
 * Callers must name two buffers in the same order always.
 *
 * Returns as ring_buffer_subbuf_order_set(), with both changed or neither.
 */
int ring_buffers_subbuf_order_set(struct trace_buffer *buffer, struct trace_buffer *other,
				  int order)
{
	struct ring_wish wish = { .cpu = RING_BUFFER_ALL_CPUS, .order = order };

	if (order < 0 || order > get_order(RING_MAX_SUBBUF))
		return -EINVAL;
	if (buffer->range)
		return order == buffer->order ? 0 : -EINVAL;

	return ring_rebuild(buffer, other, &wish);
}

/**
 * ring_buffer_subbuf_order_set - change the size of the pages
 * @buffer: its mutex is taken, and cpus_read_lock() before it
 * @order: they are to be PAGE_SIZE << @order bytes
 *
 * All events are lost; the rings have the room that they were asked to have.
 * Pages for ring_buffer_read_page() have to be allocated anew. May sleep.
 *
 * Returns 0; -EINVAL for an impossible order, where that would be more pages than
 * there can be, or for a buffer in memory that outlives the kernel; -EBUSY while user
 * space has a ring mapped or there is an iterator; -ENOMEM or -EINTR. Nothing has
 * changed then.
 */
int ring_buffer_subbuf_order_set(struct trace_buffer *buffer, int order)
{
	return ring_buffers_subbuf_order_set(buffer, NULL, order);
}
EXPORT_SYMBOL_GPL(ring_buffer_subbuf_order_set);

/**
 * ring_buffer_subbuf_order_get - the order of the pages
 * @buffer: all its rings have pages of this order
 */
int ring_buffer_subbuf_order_get(struct trace_buffer *buffer)
{
	return READ_ONCE(buffer->order);
}
EXPORT_SYMBOL_GPL(ring_buffer_subbuf_order_get);

/**
 * ring_buffer_subbuf_size_get - the size in bytes of the pages
 * @buffer: the headers of its pages are part of their size
 */
int ring_buffer_subbuf_size_get(struct trace_buffer *buffer)
{
	return PAGE_SIZE << READ_ONCE(buffer->order);
}
EXPORT_SYMBOL_GPL(ring_buffer_subbuf_size_get);

/**
 * ring_buffer_reset_cpu - forget all events of a ring
 * @buffer: nothing happens where @cpu has no ring in it
 * @cpu: whose ring
 *
 * The counts start again, too. Writers and readers may go on meanwhile. May
 * sleep.
 */
void ring_buffer_reset_cpu(struct trace_buffer *buffer, int cpu)
{
	guard(cpus_read_lock)();
	guard(mutex)(&buffer->mutex);

	if (ring_of(buffer, cpu))
		ring_exclusive(buffer, cpu, ring_reset, NULL);
}
EXPORT_SYMBOL_GPL(ring_buffer_reset_cpu);

static void ring_reset_cpus(struct trace_buffer *buffer, const struct cpumask *cpus)
{
	int cpu;

	guard(cpus_read_lock)();
	guard(mutex)(&buffer->mutex);

	for_each_cpu_and(cpu, buffer->cpumask, cpus)
		ring_exclusive(buffer, cpu, ring_reset, NULL);
}

/**
 * ring_buffer_reset_online_cpus - ring_buffer_reset_cpu() for all online CPUs
 * @buffer: its rings of other CPUs keep their events
 */
void ring_buffer_reset_online_cpus(struct trace_buffer *buffer)
{
	ring_reset_cpus(buffer, cpu_online_mask);
}

/**
 * ring_buffer_reset - ring_buffer_reset_cpu() for all CPUs
 * @buffer: its rings of CPUs that are down are meant, too
 */
void ring_buffer_reset(struct trace_buffer *buffer)
{
	ring_reset_cpus(buffer, cpu_possible_mask);
}
EXPORT_SYMBOL_GPL(ring_buffer_reset);
