// SPDX-License-Identifier: GPL-2.0
/*
 * Changes to whole rings: more or fewer pages, larger ones, no events.
 *
 * All memory is allocated before anything changes, and what is left over is freed
 * afterwards. The change itself is one short call of ring_run_exclusive() for each
 * ring.
 */

#include "ring/page.h"
#include "ring/resize.h"

/* Allocate all that a ring of @nr slots needs beyond the pages that it has. */
static int ring_change_alloc(struct ring_change *change, struct ring_cpu *cb,
			     u32 nr, int order)
{
	u32 old = cb->nr_slots;

	change->nr = nr;
	change->order = order;
	change->all = order != cb->order;
	change->slots = kvcalloc(nr, sizeof(*change->slots), GFP_KERNEL);
	change->pages = kvcalloc(nr + 1, sizeof(*change->pages), GFP_KERNEL);
	if (!change->slots || !change->pages)
		return -ENOMEM;

	if (change->all)
		change->fresh = nr + 1;
	else if (nr > old)
		change->fresh = nr - old;
	ring_slots_blank(change->slots, min(change->fresh, nr), 0);
	return ring_cpu_pages(cb, change->pages, change->fresh, order);
}

/* Free what the change needed, or after the change, what is left over. */
static void ring_change_free(struct ring_change *change)
{
	u64 seq;
	u32 i;

	for (i = 0; change->pages && i < change->fresh; i++) {
		ring_page_free(change->pages[i], change->order);
		cond_resched();
	}
	for (seq = change->gone; seq < change->gone + change->nr_gone; seq++) {
		i = (seq - change->origin) % change->nr;
		i = atomic64_read(&change->slots[i]) & RING_SLOT_ID_MASK;
		ring_page_free(change->pages[i], change->order);
		cond_resched();
	}
	ring_data_free(change->spare, change->order);
	kvfree(change->pages);
	kvfree(change->slots);
}

/* Where page @seq is to be in the changed ring. */
static u32 ring_change_index(struct ring_change *change, u64 seq)
{
	return (seq - change->origin) % change->nr;
}

/* Put what is in the slot of @seq into that of the changed ring. */
static void ring_change_put(struct ring_cpu *cb, struct ring_change *change, u64 seq)
{
	u64 slot = atomic64_read(ring_slot_of(cb, seq));
	u32 index = ring_change_index(change, seq);

	change->pages[index] = ring_slot_page(cb, slot);
	atomic64_set(&change->slots[index], (slot & ~RING_SLOT_ID_MASK) | index);
}

/*
 * The writers have gone on to page @seq, and there have used again the page of @seq less the
 * number of slots. Where there will be more slots, that one's new place becomes free.
 */
static void ring_change_step(struct ring_cpu *cb, struct ring_change *change, u64 seq)
{
	u32 blank, index = ring_change_index(change, seq);

	if (change->nr > cb->nr_slots) {
		blank = ring_change_index(change, seq - cb->nr_slots);
		change->pages[blank] = change->pages[index];
		atomic64_set(&change->slots[blank], ring_slot(0, RING_SLOT_TAKEN, blank));
	}
	ring_change_put(cb, change, seq);
}

/* Where writers and the reader are. */
static u64 ring_change_now(struct ring_cpu *cb, u64 *reader)
{
	unsigned long flags;
	u64 last;

	raw_spin_lock_irqsave(&cb->reader_lock, flags);
	*reader = cb->reader_seq;
	last = ring_commit_seq(cb);
	raw_spin_unlock_irqrestore(&cb->reader_lock, flags);
	return last;
}

/*
 * Put what has changed since ring_change::last and ring_change::reader, up to @last and
 * @reader, which were read before. What changes meanwhile is put once more by the next call.
 */
static void ring_change_catch_up(struct ring_cpu *cb, struct ring_change *change,
				 u64 last, u64 reader)
{
	u64 oldest = last + 1 - min(change->nr, cb->nr_slots), seq;

	/* A ring of fewer slots needs only what it has room for. */
	seq = change->last + 1;
	if (change->nr < cb->nr_slots)
		seq = max(seq, oldest);
	for (; seq <= last; seq++)
		ring_change_step(cb, change, seq);
	for (seq = max(change->reader + 1, oldest); seq <= min(reader, last); seq++)
		ring_change_put(cb, change, seq);
	change->last = last;
	change->reader = reader;
}

/*
 * Put all that stays, while writers and the reader go on; and then, as that takes some time,
 * what they have changed. That takes far less, and what they change meanwhile is
 * little: ring_resize() has to put no more than that.
 */
static void ring_change_prepare(struct ring_cpu *cb, struct ring_change *change)
{
	u64 reader, last = ring_change_now(cb, &reader), seq;
	u32 done = 0;

	change->last = last;
	change->reader = reader;
	change->origin = last + 1 - change->nr;
	for (seq = last + 1 - min(change->nr, cb->nr_slots); seq <= last; seq++) {
		ring_change_put(cb, change, seq);
		if (!(++done % 4096))
			cond_resched();
	}
	last = ring_change_now(cb, &reader);
	ring_change_catch_up(cb, change, last, reader);
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
static void ring_give_up(struct ring_cpu *cb, struct ring_change *change, u32 nr)
{
	u64 from = max(cb->reader_seq + 1, cb->floor);
	u64 stay = cb->commit_seq + 1 - cb->nr_slots + nr;
	struct ring_page *first, *behind;

	change->gone = stay - nr;
	change->nr_gone = nr;
	from = max(from, change->gone);
	if (from < stay) {
		first = ring_page_of(cb, from);
		behind = ring_page_of(cb, stay);
		local_add(ring_written_before(behind) - ring_written_before(first),
			  &cb->overrun);
		local_add(behind->bytes_before - first->bytes_before, &cb->overrun_bytes);
	}
}

/*
 * Exchange the slots for more or fewer. The youngest stay what they are, and new
 * ones stand for pages that could have been there before and were read. What is left to do
 * does not depend on how many there are.
 */
static int ring_resize(struct ring_cpu *cb, void *arg)
{
	struct ring_change *change = arg;
	u32 stay = min(change->nr, cb->nr_slots);

	ring_change_catch_up(cb, change, cb->commit_seq, cb->reader_seq);
	ring_give_up(cb, change, cb->nr_slots - stay);
	change->pages[change->nr] = cb->reader;
	cb->reader_id = change->nr;

	/* The old arrays are freed with @change, and of their pages those that are gone. */
	swap(cb->pages, change->pages);
	swap(cb->slots, change->slots);
	swap(cb->nr_slots, change->nr);
	swap(cb->origin, change->origin);
	change->fresh = 0;
	/* Readers that were left behind do not find their way through new slots. */
	cb->floor = max(cb->floor, cb->commit_seq + 1 - stay);
	return 0;
}

/* Start again with pages of another size. */
static int ring_reorder(struct ring_cpu *cb, void *arg)
{
	struct ring_change *change = arg;

	ring_change_pages(cb, change);
	change->fresh = change->nr + 1;
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
 * struct ring_resize_req - how the rings of a buffer are to be
 * @cpu: whose ring, or RING_BUFFER_ALL_CPUS
 * @room: bytes that they are to have room for; 0: what each was asked to have
 * @order: of their pages, or less than 0 for that which they have
 */
struct ring_resize_req {
	int		cpu;
	unsigned long	room;
	int		order;
};

static const struct cpumask *ring_resize_req_cpus(const struct ring_resize_req *wish,
						  struct trace_buffer *buffer)
{
	return wish->cpu == RING_BUFFER_ALL_CPUS ? buffer->cpumask : cpumask_of(wish->cpu);
}

/*
 * Allocate what the rings need, of which nothing changes yet. @changes, one for each CPU, are
 * to be freed in any case. cpus_read_lock() and trace_buffer::mutex held.
 */
static int ring_rebuild_alloc(struct trace_buffer *buffer, const struct ring_resize_req *wish,
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

	for_each_cpu(cpu, ring_resize_req_cpus(wish, buffer)) {
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
static void ring_rebuild_apply(struct trace_buffer *buffer, const struct ring_resize_req *wish,
			       struct ring_change *changes)
{
	int cpu;

	for_each_cpu(cpu, ring_resize_req_cpus(wish, buffer)) {
		if (wish->room)
			buffer->cpus[cpu]->room = wish->room;
		if (!changes[cpu].nr)
			continue;
		if (!changes[cpu].all)
			ring_change_prepare(buffer->cpus[cpu], &changes[cpu]);
		ring_run_exclusive(buffer, cpu, changes[cpu].all ?
				   ring_reorder : ring_resize, &changes[cpu]);
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
		wait |= changes[i].nr_gone || changes[i].all;
	if (wait && !ret)
		ring_env_wait_for_writers();
	for (i = 0; i < nr; i++)
		ring_change_free(&changes[i]);
	kfree(changes);
	return ret;
}

/* With the mutexes of both buffers held; @other may be NULL. */
static int ring_rebuild_locked(struct trace_buffer *buffer, struct trace_buffer *other,
			       const struct ring_resize_req *wish, struct ring_change *changes)
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
			const struct ring_resize_req *wish)
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
	struct ring_resize_req wish = { .cpu = cpu_id, .room = size ?: 1, .order = -1 };

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
	struct ring_resize_req wish = { .cpu = RING_BUFFER_ALL_CPUS, .order = order };

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
		ring_run_exclusive(buffer, cpu, ring_reset, NULL);
}
EXPORT_SYMBOL_GPL(ring_buffer_reset_cpu);

static void ring_reset_cpus(struct trace_buffer *buffer, const struct cpumask *cpus)
{
	int cpu;

	guard(cpus_read_lock)();
	guard(mutex)(&buffer->mutex);

	for_each_cpu_and(cpu, buffer->cpumask, cpus)
		ring_run_exclusive(buffer, cpu, ring_reset, NULL);
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
