// SPDX-License-Identifier: GPL-2.0
/*
 * Iterators: reading without consuming, concurrently with writers and consuming readers.
 *
 * An iterator copies one page at a time into its own page. The slot of the page shows
 * afterwards whether the copy is consistent. Events are then read from the copy without time
 * pressure.
 */

#include "ring/page.h"

/**
 * struct ring_buffer_iter - an iterator
 * @buffer: the buffer that it reads
 * @cpu: CPU of the ring
 * @ring: ring_cpu::id of the ring at the last access; the ring may have been exchanged since
 * @order: order of the size of @copy
 * @seq: sequence number of the current page; 0: start with the oldest event
 * @dropped: events were lost since the last call of ring_buffer_iter_dropped()
 * @cursor: current position in @copy
 * @copy: copy of the page up to the cursor's end
 */
struct ring_buffer_iter {
	struct trace_buffer	*buffer;
	int			cpu;
	u64			ring;
	int			order;
	u64			seq;
	bool			dropped;
	struct ring_cursor	cursor;
	struct buffer_data_page	*copy;
};

/* The page that is copied next, and the value that its slot must keep during the copy. */
struct ring_source {
	struct buffer_data_page	*data;
	atomic64_t		*slot;
	u64			old;
};

/* Move to the start of page @seq. */
static void ring_iter_go(struct ring_buffer_iter *iter, u64 seq)
{
	iter->seq = seq;
	iter->cursor.at = 0;
	iter->cursor.end = 0;
}

/* Move to the position of the reader: earlier events were consumed. */
static void ring_iter_go_reader(struct ring_buffer_iter *iter, struct ring_cpu *cb)
{
	iter->seq = cb->reader_seq;
	iter->cursor = cb->cursor;
	iter->cursor.page = iter->copy;
	iter->cursor.end = iter->cursor.at;
}

/*
 * Find the page of ring_buffer_iter::seq, or move to the first existing page after it. Returns
 * false after the last page.
 */
static bool ring_iter_find(struct ring_buffer_iter *iter, struct ring_cpu *cb,
			   struct ring_source *src)
{
	for (;;) {
		if (iter->seq < cb->reader_seq) {
			/*
			 * A check for available events can also advance the reader, past lost
			 * events.
			 */
			iter->dropped |= iter->seq && cb->lost;
			ring_iter_go_reader(iter, cb);
		}
		if (iter->seq == cb->reader_seq) {
			*src = (struct ring_source){ .data = cb->reader->data };
			return true;
		}
		if (iter->seq > ring_commit_seq(cb))
			return false;
		if (iter->seq < cb->floor) {
			/* The page was dropped when the ring shrank. */
			ring_iter_go(iter, cb->floor);
			iter->dropped = true;
		}

		src->slot = ring_slot_of(cb, iter->seq);
		/* ring_iter_find:A: slot before page and commit_seq; pairs with ring_claim:A */
		src->old = atomic64_read_acquire(src->slot);
		if (ring_slot_state(cb, src->old, iter->seq) == RING_SLOT_THERE) {
			src->data = ring_slot_page(cb, src->old)->data;
			return true;
		}
		/* Overtaken by the writer. */
		ring_iter_go(iter, ring_oldest_seq(cb, src->old));
		iter->dropped = true;
	}
}

/*
 * Copy the part of the page that has become readable since the last call. Returns false if the
 * page was overwritten during the copy.
 */
static bool ring_iter_copy(struct ring_buffer_iter *iter, struct ring_source *src)
{
	struct ring_cursor *cur = &iter->cursor;
	unsigned int end = ring_page_end(src->data);
	u64 stamp = READ_ONCE(src->data->time_stamp);

	if (end > ring_data_size(iter->order))
		end = 0;
	if (end > cur->end)
		ring_env_copy(iter->copy->data + cur->end,
			      src->data->data + cur->end, end - cur->end);
	else
		end = cur->end;

	/* ring_iter_copy:A: copy before slot, read again; pairs with ring_claim:A */
	smp_rmb();
	if (src->slot && (u64)atomic64_read(src->slot) != src->old)
		return false;

	if (end > cur->end) {
		iter->copy->time_stamp = stamp;
		if (!cur->at)
			cur->stamp = stamp;
		cur->end = end;
	}
	return true;
}

/*
 * Make an event of @cb, whose lock is held, available at the cursor. Returns false if there is
 * no event.
 */
static bool ring_iter_fill_from(struct ring_buffer_iter *iter, struct ring_cpu *cb)
{
	struct ring_source src;
	bool more;
	u64 last;

	if (iter->order != cb->order)
		return false;
	if (iter->ring != cb->id) {
		/* Sequence numbers of the previous ring are meaningless in this one. */
		iter->ring = cb->id;
		iter->dropped = true;
		ring_iter_go_reader(iter, cb);
	}

	for (;;) {
		last = ring_commit_seq(cb);
		if (!ring_iter_find(iter, cb, &src))
			return false;
		if (!ring_iter_copy(iter, &src)) {
			iter->dropped = true;
			continue;
		}
		more = ring_cursor_event(&iter->cursor);
		if (more || iter->seq >= last)
			return more;
		ring_iter_go(iter, iter->seq + 1);
	}
}

/*
 * The ring may be exchanged before its lock is taken. Afterwards it may still get an event, of
 * a writer that looked it up before, which can be later than events of its successor.
 */
static bool ring_iter_fill(struct ring_buffer_iter *iter)
{
	struct ring_cpu *cb;
	unsigned long flags;
	bool more, same;

	do {
		cb = ring_of(iter->buffer, iter->cpu);
		if (!ring_read_lock(cb, flags))
			return false;
		same = cb == ring_of(iter->buffer, iter->cpu);
		more = same && ring_iter_fill_from(iter, cb);
		raw_spin_unlock_irqrestore(&cb->reader_lock, flags);
	} while (!same);
	return more;
}

static struct ring_buffer_event *ring_iter_event(struct ring_buffer_iter *iter)
{
	struct ring_buffer_event *event = ring_cursor_event(&iter->cursor);

	if (unlikely(!event) && ring_iter_fill(iter))
		event = ring_cursor_event(&iter->cursor);
	return event;
}

/**
 * ring_buffer_read_start - create an iterator
 * @buffer: buffer to read
 * @cpu: CPU of the ring
 * @flags: allocation flags
 *
 * It starts with the oldest event. May sleep. Returns NULL when out of memory or if @cpu has no
 * ring.
 */
struct ring_buffer_iter *ring_buffer_read_start(struct trace_buffer *buffer, int cpu,
						gfp_t flags)
{
	struct ring_buffer_iter *iter;

	if (!ring_of(buffer, cpu))
		return NULL;
	iter = kzalloc(sizeof(*iter), flags);
	if (!iter)
		return NULL;

	iter->buffer = buffer;
	iter->cpu = cpu;
	/* From here on the size of the pages cannot change. */
	mutex_lock(&buffer->mutex);
	atomic_inc(&buffer->iters);
	iter->order = buffer->order;
	mutex_unlock(&buffer->mutex);
	iter->copy = ring_data_alloc(cpu, iter->order, flags);
	if (!iter->copy) {
		atomic_dec(&buffer->iters);
		kfree(iter);
		return NULL;
	}
	ring_buffer_iter_reset(iter);
	return iter;
}
EXPORT_SYMBOL_GPL(ring_buffer_read_start);

/**
 * ring_buffer_read_finish - free an iterator
 * @iter: the iterator
 */
void ring_buffer_read_finish(struct ring_buffer_iter *iter)
{
	atomic_dec(&iter->buffer->iters);
	ring_data_free(iter->copy, iter->order);
	kfree(iter);
}
EXPORT_SYMBOL_GPL(ring_buffer_read_finish);

/**
 * ring_buffer_iter_peek - get the event at the position of an iterator
 * @iter: the iterator
 * @ts: set to its time, or NULL
 *
 * Returns the event, which remains valid until the iterator is advanced; or NULL at the end,
 * where there may be more events later.
 */
struct ring_buffer_event *ring_buffer_iter_peek(struct ring_buffer_iter *iter, u64 *ts)
{
	struct ring_buffer_event *event = ring_iter_event(iter);

	if (event && ts)
		*ts = iter->cursor.stamp + event->time_delta;
	return event;
}
EXPORT_SYMBOL_GPL(ring_buffer_iter_peek);

/**
 * ring_buffer_iter_advance - advance an iterator to the next event
 * @iter: the iterator
 */
void ring_buffer_iter_advance(struct ring_buffer_iter *iter)
{
	struct ring_buffer_event *event = ring_iter_event(iter);

	if (event)
		ring_cursor_advance(&iter->cursor, event);
}
EXPORT_SYMBOL_GPL(ring_buffer_iter_advance);

/**
 * ring_buffer_iter_reset - move an iterator back to the oldest event
 * @iter: the iterator
 */
void ring_buffer_iter_reset(struct ring_buffer_iter *iter)
{
	iter->ring = ring_of(iter->buffer, iter->cpu)->id;
	iter->seq = 0;
	iter->dropped = false;
	iter->cursor = (struct ring_cursor){ .page = iter->copy };
}
EXPORT_SYMBOL_GPL(ring_buffer_iter_reset);

/**
 * ring_buffer_iter_empty - check whether there is no event to read
 * @iter: the iterator
 */
int ring_buffer_iter_empty(struct ring_buffer_iter *iter)
{
	return !ring_iter_event(iter);
}
EXPORT_SYMBOL_GPL(ring_buffer_iter_empty);

/**
 * ring_buffer_iter_dropped - check whether the iterator was overtaken by writers
 * @iter: the iterator
 *
 * Returns true only once for a loss, which was before the current event.
 */
bool ring_buffer_iter_dropped(struct ring_buffer_iter *iter)
{
	bool dropped = iter->dropped;

	iter->dropped = false;
	return dropped;
}
EXPORT_SYMBOL_GPL(ring_buffer_iter_dropped);

/**
 * ring_buffer_iter_saved - check whether the current event is from an earlier boot
 * @iter: the iterator, after ring_buffer_iter_peek() has returned an event
 */
bool ring_buffer_iter_saved(struct ring_buffer_iter *iter)
{
	return iter->seq < ring_of(iter->buffer, iter->cpu)->saved_end;
}
