// SPDX-License-Identifier: GPL-2.0
/*
 * Changes to whole rings: resize, change of the page size, reset.
 *
 * All memory is allocated before anything changes, and the leftovers are freed afterwards. The
 * change itself is one short call of ring_run_exclusive() for each ring.
 */

#include "ring/page.h"
#include "ring/resize.h"

/* Allocate all that a ring of @nr slots needs in addition to its current pages. */
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

/* Free the allocations of the change, or after the change, its leftovers. */
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

/* Index of page @seq in the changed ring. */
static u32 ring_change_index(struct ring_change *change, u64 seq)
{
	return (seq - change->origin) % change->nr;
}

/* Copy the slot of @seq to its slot in the changed ring. */
static void ring_change_put(struct ring_cpu *cb, struct ring_change *change, u64 seq)
{
	u64 slot = atomic64_read(ring_slot_of(cb, seq));
	u32 index = ring_change_index(change, seq);

	change->pages[index] = ring_slot_page(cb, slot);
	atomic64_set(&change->slots[index], (slot & ~RING_SLOT_ID_MASK) | index);
}

/*
 * Writers have moved on to page @seq, where they reused the page of @seq minus the number of
 * slots. If the ring grows, the new slot of that older page becomes free.
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

/* Get the current positions of writers and of the reader. */
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
 * Copy the slots that have changed since ring_change::last and ring_change::reader, up to @last
 * and @reader, which were read before. Slots that change concurrently are copied again by the
 * next call.
 */
static void ring_change_catch_up(struct ring_cpu *cb, struct ring_change *change,
				 u64 last, u64 reader)
{
	u64 oldest = last + 1 - min(change->nr, cb->nr_slots), seq;

	/* A ring with fewer slots needs only the pages that fit. */
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
 * Copy all slots that are kept, while writers and the reader continue; then copy the slots that
 * changed during that time. The second pass is much faster, so few slots change during it:
 * ring_resize() only has to copy these.
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

/* Get a page before the commit page that is in its slot. */
static struct ring_page *ring_page_of(struct ring_cpu *cb, u64 seq)
{
	return ring_slot_page(cb, atomic64_read(ring_slot_of(cb, seq)));
}

/* Number of events that had been written when writers moved to such a page. */
static unsigned long ring_written_before(struct ring_page *page)
{
	return page->total_before + page->entries_before - page->count;
}

/*
 * Drop the @nr oldest pages. Their events count as overwritten; the number follows from the
 * counts of the first of these pages and of the page after them.
 */
static void ring_give_up(struct ring_cpu *cb, struct ring_change *change, u32 nr)
{
	u64 from = max(cb->reader_seq + 1, cb->floor);
	u64 stay = cb->commit_seq + 1 - cb->nr_slots + nr;
	struct ring_page *first, *stays;

	change->gone = stay - nr;
	change->nr_gone = nr;
	from = max(from, change->gone);
	if (from < stay) {
		first = ring_page_of(cb, from);
		stays = ring_page_of(cb, stay);
		local_add(ring_written_before(stays) - ring_written_before(first),
			  &cb->overrun);
		local_add(stays->bytes_before - first->bytes_before, &cb->overrun_bytes);
	}
}

/*
 * Install a slot array of another size. The newest pages keep their slots; added slots are
 * marked as already read. The remaining work does not depend on the number of slots.
 */
static int ring_resize(struct ring_cpu *cb, void *arg)
{
	struct ring_change *change = arg;
	u32 stay = min(change->nr, cb->nr_slots);

	ring_change_catch_up(cb, change, cb->commit_seq, cb->reader_seq);
	ring_give_up(cb, change, cb->nr_slots - stay);
	change->pages[change->nr] = cb->reader;
	cb->reader_id = change->nr;

	/* The old arrays are freed with @change, as are the dropped pages. */
	swap(cb->pages, change->pages);
	swap(cb->slots, change->slots);
	swap(cb->nr_slots, change->nr);
	swap(cb->origin, change->origin);
	change->fresh = 0;
	/* Readers that fell behind cannot be located in the new slots: make them skip. */
	cb->floor = max(cb->floor, cb->commit_seq + 1 - stay);
	return 0;
}

/* Restart with pages of another size. */
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
 * struct ring_resize_req - requested size of the rings of a buffer
 * @cpu: CPU of the ring, or RING_BUFFER_ALL_CPUS
 * @size: new size in bytes; 0: keep the requested size of each ring
 * @order: new order of the page size, or less than 0 to keep the current one
 */
struct ring_resize_req {
	int		cpu;
	unsigned long	size;
	int		order;
};

static const struct cpumask *ring_resize_req_cpus(const struct ring_resize_req *req,
						  struct trace_buffer *buffer)
{
	return req->cpu == RING_BUFFER_ALL_CPUS ? buffer->cpumask : cpumask_of(req->cpu);
}

/*
 * Allocate all that the rings need, without changing them. The caller frees @changes, one for
 * each CPU, in any case. cpus_read_lock() and trace_buffer::mutex held.
 */
static int ring_rebuild_alloc(struct trace_buffer *buffer, const struct ring_resize_req *req,
			      struct ring_change *changes)
{
	int cpu, ret, order = req->order < 0 ? buffer->order : req->order;
	struct ring_cpu *cb;
	unsigned long nr;

	if (req->cpu != RING_BUFFER_ALL_CPUS && !ring_of(buffer, req->cpu))
		return -EINVAL;
	if (!req->size && order == buffer->order)
		return 0;
	if (order != buffer->order && atomic_read(&buffer->iters))
		return -EBUSY;

	for_each_cpu(cpu, ring_resize_req_cpus(req, buffer)) {
		cb = ring_of_locked(buffer, cpu);
		nr = ring_slots_for(req->size ?: cb->requested, order);
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

/* Install the allocations of ring_rebuild_alloc() in the rings. Same locks held. */
static void ring_rebuild_apply(struct trace_buffer *buffer, const struct ring_resize_req *req,
			       struct ring_change *changes)
{
	int cpu;

	for_each_cpu(cpu, ring_resize_req_cpus(req, buffer)) {
		if (req->size)
			buffer->cpus[cpu]->requested = req->size;
		if (!changes[cpu].nr)
			continue;
		if (!changes[cpu].all)
			ring_change_prepare(buffer->cpus[cpu], &changes[cpu]);
		ring_run_exclusive(buffer, cpu, changes[cpu].all ?
				   ring_reorder : ring_resize, &changes[cpu]);
		ring_wake_resized(ring_of_locked(buffer, cpu));
	}
	/* Rings of CPUs that are brought up later get the same order. */
	if (req->order >= 0)
		WRITE_ONCE(buffer->order, req->order);
}

/*
 * Free the leftovers of @nr changes. If @ret is an error, no change was applied. No lock may be
 * held: the wait takes cpus_read_lock() itself. Returns @ret.
 */
static int ring_changes_free(struct ring_change *changes, u32 nr, int ret)
{
	bool wait = false;
	u32 i;

	/* A writer that is leaving compares a page with the state that it published. */
	for (i = 0; i < nr; i++)
		wait |= changes[i].nr_gone || changes[i].all;
	if (wait && !ret)
		ring_env_wait_for_writers();
	for (i = 0; i < nr; i++)
		ring_change_free(&changes[i]);
	kfree(changes);
	return ret;
}

/* Called with the mutexes of both buffers held; @other may be NULL. */
static int ring_rebuild_locked(struct trace_buffer *buffer, struct trace_buffer *other,
			       const struct ring_resize_req *req, struct ring_change *changes)
{
	int ret = ring_rebuild_alloc(buffer, req, changes);

	if (!ret && other)
		ret = ring_rebuild_alloc(other, req, changes + nr_cpu_ids);
	if (ret)
		return ret;

	ring_rebuild_apply(buffer, req, changes);
	if (other)
		ring_rebuild_apply(other, req, changes + nr_cpu_ids);
	return 0;
}

static int ring_rebuild(struct trace_buffer *buffer, struct trace_buffer *other,
			const struct ring_resize_req *req)
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
		ret = ring_rebuild_locked(buffer, other, req, changes);
		if (other)
			mutex_unlock(&other->mutex);
	}
	return ring_changes_free(changes, nr, ret);
}

/**
 * ring_buffers_resize - ring_buffer_resize() for two buffers
 * @buffer: the buffer; its mutex is taken before the mutex of @other
 * @other: the buffer that it exchanges rings with, or NULL
 * @size: same as for ring_buffer_resize()
 * @cpu_id: same as for ring_buffer_resize()
 *
 * Callers must always pass two buffers in the same order.
 *
 * Returns the same as ring_buffer_resize(), with both buffers changed or neither.
 */
int ring_buffers_resize(struct trace_buffer *buffer, struct trace_buffer *other,
			unsigned long size, int cpu_id)
{
	struct ring_resize_req req = { .cpu = cpu_id, .size = size ?: 1, .order = -1 };

	if (size > LONG_MAX || buffer->range)
		return -EINVAL;

	return ring_rebuild(buffer, other, &req);
}

/**
 * ring_buffer_resize - change the size of a ring
 * @buffer: the buffer; its mutex is taken, and cpus_read_lock() before it
 * @size: size in bytes, rounded up to whole pages, at least two
 * @cpu_id: CPU of the ring, or RING_BUFFER_ALL_CPUS
 *
 * Writers and readers can continue concurrently. The oldest events are lost if there is no
 * longer space for them, and count as overwritten. May sleep.
 *
 * Returns 0; -EINVAL for a size beyond any machine, a CPU without a ring, or a buffer in memory
 * that outlives the kernel; -EBUSY while user space has the ring mapped, -ENOMEM, or -EINTR
 * when the caller is being killed. An error has no effect.
 */
int ring_buffer_resize(struct trace_buffer *buffer, unsigned long size, int cpu_id)
{
	return ring_buffers_resize(buffer, NULL, size, cpu_id);
}
EXPORT_SYMBOL_GPL(ring_buffer_resize);

/**
 * ring_buffers_subbuf_order_set - ring_buffer_subbuf_order_set() for two buffers
 * @buffer: the buffer; its mutex is taken before the mutex of @other
 * @other: the buffer that it exchanges rings with, or NULL
 * @order: same as for ring_buffer_subbuf_order_set()
 *
 * Callers must always pass two buffers in the same order.
 *
 * Returns the same as ring_buffer_subbuf_order_set(), with both buffers changed or neither.
 */
int ring_buffers_subbuf_order_set(struct trace_buffer *buffer, struct trace_buffer *other,
				  int order)
{
	struct ring_resize_req req = { .cpu = RING_BUFFER_ALL_CPUS, .order = order };

	if (order < 0 || order > get_order(RING_MAX_SUBBUF))
		return -EINVAL;
	if (buffer->range)
		return order == buffer->order ? 0 : -EINVAL;

	return ring_rebuild(buffer, other, &req);
}

/**
 * ring_buffer_subbuf_order_set - change the size of the pages
 * @buffer: the buffer; its mutex is taken, and cpus_read_lock() before it
 * @order: new order; pages have PAGE_SIZE << @order bytes
 *
 * All events are lost; the rings keep their requested size. Pages for ring_buffer_read_page()
 * must be allocated again. May sleep.
 *
 * Returns 0; -EINVAL if the order is out of range, if a ring would have too many pages, or for
 * a buffer in memory that outlives the kernel; -EBUSY while user space has a ring mapped or
 * there is an iterator; -ENOMEM or -EINTR. An error has no effect.
 */
int ring_buffer_subbuf_order_set(struct trace_buffer *buffer, int order)
{
	return ring_buffers_subbuf_order_set(buffer, NULL, order);
}
EXPORT_SYMBOL_GPL(ring_buffer_subbuf_order_set);

/**
 * ring_buffer_subbuf_order_get - get the order of the page size
 * @buffer: the buffer; all its rings have pages of this order
 */
int ring_buffer_subbuf_order_get(struct trace_buffer *buffer)
{
	return READ_ONCE(buffer->order);
}
EXPORT_SYMBOL_GPL(ring_buffer_subbuf_order_get);

/**
 * ring_buffer_subbuf_size_get - get the size of the pages in bytes
 * @buffer: the buffer; the size includes the page headers
 */
int ring_buffer_subbuf_size_get(struct trace_buffer *buffer)
{
	return PAGE_SIZE << READ_ONCE(buffer->order);
}
EXPORT_SYMBOL_GPL(ring_buffer_subbuf_size_get);

/**
 * ring_buffer_reset_cpu - drop all events of a ring
 * @buffer: the buffer; nothing happens if @cpu has no ring in it
 * @cpu: CPU of the ring
 *
 * The counts are also reset. Writers and readers can continue concurrently. May sleep.
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
 * @buffer: the buffer; rings of other CPUs keep their events
 */
void ring_buffer_reset_online_cpus(struct trace_buffer *buffer)
{
	ring_reset_cpus(buffer, cpu_online_mask);
}

/**
 * ring_buffer_reset - ring_buffer_reset_cpu() for all CPUs
 * @buffer: the buffer; includes rings of offline CPUs
 */
void ring_buffer_reset(struct trace_buffer *buffer)
{
	ring_reset_cpus(buffer, cpu_possible_mask);
}
EXPORT_SYMBOL_GPL(ring_buffer_reset);
