// SPDX-License-Identifier: GPL-2.0
/*
 * Iterators: reading without consuming, while writers write and others consume.
 *
 * An iterator copies a page at a time into one of its own. The slot of the
 * page tells afterwards whether the copy is whole, and what is shown comes
 * from the copy, at leisure.
 */

#include "ring/page.h"

/**
 * struct ring_buffer_iter - an iterator
 * @buffer: what it reads
 * @cpu: whose ring
 * @ring: ring_cpu::id of the ring that it was; there may be another one in its place
 * @order: size of @copy
 * @seq: of the page it is in; 0: start with the oldest event
 * @dropped: events were lost since ring_buffer_iter_dropped() was asked
 * @cursor: where it is in @copy
 * @copy: the bytes of the page up to the cursor's end
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

/* The page that is copied next, and the word that its slot has to keep meanwhile. */
struct ring_source {
	struct buffer_data_page	*data;
	atomic64_t		*slot;
	u64			old;
};

/* Go to the start of page @seq. */
static void ring_iter_go(struct ring_buffer_iter *iter, u64 seq)
{
	iter->seq = seq;
	iter->cursor.at = 0;
	iter->cursor.end = 0;
}

/* Go to where the reader is: what is before it was consumed. */
static void ring_iter_go_reader(struct ring_buffer_iter *iter, struct ring_cpu *cb)
{
	iter->seq = cb->reader_seq;
	iter->cursor = cb->cursor;
	iter->cursor.page = iter->copy;
	iter->cursor.end = iter->cursor.at;
}

/*
 * Find the page of ring_buffer_iter::seq, or go to the first one after it that
 * is still there. Returns false behind the last one.
 */
static bool ring_iter_find(struct ring_buffer_iter *iter, struct ring_cpu *cb,
			   struct ring_source *src)
{
	for (;;) {
		if (iter->seq < cb->reader_seq) {
			/* To look for events also makes the reader go on. */
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
			/* Given up when the ring shrank. */
			ring_iter_go(iter, cb->floor);
			iter->dropped = true;
		}

		src->slot = ring_slot_of(cb, iter->seq);
		/* ring_iter_find:A */
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
 * Copy what has become readable of the page since the last time. Returns false
 * if it was overwritten meanwhile.
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

	/* ring_iter_copy:A */
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

/* Have an event at the cursor, or return false: there is none. */
static bool ring_iter_fill(struct ring_buffer_iter *iter)
{
	struct ring_cpu *cb = ring_of(iter->buffer, iter->cpu);
	struct ring_source src;
	unsigned long flags;
	bool more = false;
	u64 last;

	if (!ring_read_lock(cb, flags))
		return false;
	if (iter->order != cb->order)
		goto out;
	if (iter->ring != cb->id) {
		/* The numbers of its pages mean nothing here. */
		iter->ring = cb->id;
		iter->dropped = true;
		ring_iter_go_reader(iter, cb);
	}

	for (;;) {
		last = ring_commit_seq(cb);
		more = ring_iter_find(iter, cb, &src);
		if (!more)
			break;
		if (!ring_iter_copy(iter, &src)) {
			iter->dropped = true;
			continue;
		}
		more = ring_cursor_event(&iter->cursor);
		if (more || iter->seq >= last)
			break;
		ring_iter_go(iter, iter->seq + 1);
	}
out:
	raw_spin_unlock_irqrestore(&cb->reader_lock, flags);
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
 * ring_buffer_read_start - make an iterator
 * @buffer: to read from
 * @cpu: whose ring
 * @flags: for the allocation
 *
 * It starts with the oldest event. May sleep. Returns NULL when out of memory or when
 * @cpu has no ring.
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
	/* From here on the size of the pages stays. */
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
 * ring_buffer_read_finish - the end of an iterator
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
 * ring_buffer_iter_peek - the event an iterator is at
 * @iter: the iterator
 * @ts: set to its time, or NULL
 *
 * Returns the event, which stays where it is until the iterator moves on; or
 * NULL at the end, where there may be more later.
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
 * ring_buffer_iter_advance - go to the next event
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
 * ring_buffer_iter_reset - go back to the oldest event
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
 * ring_buffer_iter_empty - is there no event?
 * @iter: the iterator
 */
int ring_buffer_iter_empty(struct ring_buffer_iter *iter)
{
	return !ring_iter_event(iter);
}
EXPORT_SYMBOL_GPL(ring_buffer_iter_empty);

/**
 * ring_buffer_iter_dropped - was the iterator overtaken by the writers?
 * @iter: the iterator
 *
 * Says so once, about the events before the one it is at.
 */
bool ring_buffer_iter_dropped(struct ring_buffer_iter *iter)
{
	bool dropped = iter->dropped;

	iter->dropped = false;
	return dropped;
}
EXPORT_SYMBOL_GPL(ring_buffer_iter_dropped);

/**
 * ring_buffer_iter_saved - is the event an iterator is at one of an earlier boot?
 * @iter: the iterator, after ring_buffer_iter_peek() has returned an event
 */
bool ring_buffer_iter_saved(struct ring_buffer_iter *iter)
{
	return iter->seq < ring_of(iter->buffer, iter->cpu)->saved_end;
}
