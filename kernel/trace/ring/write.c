// SPDX-License-Identifier: GPL-2.0
/*
 * Writing events. The fast path is inline in ring/write.h; this file has the slow paths, for a
 * full page, a long time since the last event, or a nested writer that was faster. The design
 * is documented in page.h.
 */

#include "ring/write.h"

/*
 * Does an event count as dropped because the whole ring is being changed? Events caused by the
 * change itself do not, and no event does while recording is off.
 */
static bool ring_is_busy_for(struct ring_cpu *cb, int context)
{
	int busy = READ_ONCE(cb->busy);

	return busy && context > busy && atomic_read(&cb->off) == 1;
}

/**
 * ring_context_again - handle a writer that does not appear to be nested
 * @buffer: the buffer
 * @cb: the ring
 * @context: ring_context() of the writer
 *
 * If @context is larger than the context of the frame below, recording is off, or an exchange
 * of rings was requested, in which case the caller must look up the ring again. Otherwise the
 * writer is in the same context as the one inside. This is either recursion, or an interrupt
 * that traces before preempt_count() accounts for it, and the two cannot be distinguished. So
 * each context admits one such writer and rejects further ones. If an event is rejected
 * although no such writer was admitted before it, it may well be from an interrupt, and is
 * counted as dropped: this happens if the writer inside has set RING_SHUT (ring_shut()), or if
 * there is no frame left.
 *
 * Returns the context to enter with, or -1 to not enter.
 */
int ring_context_again(struct trace_buffer *buffer, struct ring_cpu *cb, int context)
{
	/* ring_context_again:A: off before swaps; pairs with ring_buffer_swap_request:A */
	int inside, off = atomic_read_acquire(&buffer->off);
	unsigned long depth;

	if (off & ~RING_SWAP_MASK)
		return -1;
	if (atomic_read(&cb->off)) {
		if (ring_is_busy_for(cb, context))
			local_inc(&cb->dropped);
		return -1;
	}
	if (off) {
		ring_swap_pending(buffer, cb);
		cb = READ_ONCE(buffer->cpus[raw_smp_processor_id()]);
	}
	depth = ring_depth(cb);
	inside = READ_ONCE(cb->frame[depth]);
	if (context > inside)
		return context;

	if (inside & RING_SHUT || (depth >= RING_EXTRA_DEPTH && !(inside & RING_AGAIN))) {
		local_inc(&cb->dropped);
		return -1;
	}
	if (inside & RING_AGAIN)
		return -1;
	return (inside & ~RING_EXTENDED) | RING_AGAIN;
}

enum ring_claimed {
	RING_CLAIMED,
	RING_CHANGED,
	RING_FULL,
};

/*
 * Claim a slot for @seq. Its page belongs to the writer from then on: either it was blank, or
 * its events are overwritten. A nested writer that runs in between finds the slot unchanged, or
 * claimed.
 */
static enum ring_claimed ring_claim(struct ring_cpu *cb, atomic64_t *slot, u64 seq)
{
	u64 old = atomic64_read(slot);
	struct ring_page *page = ring_slot_page(cb, old);
	u32 count = 0, bytes = 0;

	switch (ring_slot_state(cb, old, seq)) {
	case RING_SLOT_THERE:
		return RING_CLAIMED;
	case RING_SLOT_BLANK:
		break;
	case RING_SLOT_NEWER:
		/* Claims stop at the commit page, so no writer has wrapped around. */
		local_inc(&cb->commit_overrun);
		return RING_FULL;
	case RING_SLOT_OLDER:
		if (!READ_ONCE(cb->buffer->overwrite)) {
			local_inc(&cb->dropped);
			return RING_FULL;
		}
		if (ring_slot_seq(cb, old) >= READ_ONCE(cb->commit_seq)) {
			local_inc(&cb->commit_overrun);
			return RING_FULL;
		}
		/* The reader may concurrently take the page and its sub-buffer. */
		count = page->count;
		bytes = page->bytes;
	}

	/* ring_claim:A: claim before stores to the page; pairs with ring_swap_page:A */
	if (!atomic64_try_cmpxchg(slot, (s64 *)&old,
				  ring_slot(seq, 0, old & RING_SLOT_ID_MASK)))
		return RING_CHANGED;

	local_add(count, &cb->overrun);
	local_add(bytes, &cb->overrun_bytes);
	return RING_CLAIMED;
}

/*
 * Move on from @page, which is full, to the next one. Each step either takes effect or finds
 * that a nested writer did it; in that case nothing is left to do: a nested writer never leaves
 * the move incomplete unless the ring is full.
 *
 * Returns false if the event must be dropped; it was counted.
 */
static bool ring_next_page(struct ring_cpu *cb, struct ring_page *page)
{
	unsigned long write = local_read(&page->write);
	u64 seq = READ_ONCE(page->seq) + 1;
	atomic64_t *slot = ring_slot_of(cb, seq);
	struct ring_page *next;
	unsigned long lost;
	u64 stamp, last;
	long base;

	/* Close the page first: events lost from now on are lost after all events of this page. */
	if (!(write & RING_CLOSED) &&
	    !local_try_cmpxchg(&page->write, (long *)&write, write | RING_CLOSED))
		return true;

	switch (ring_claim(cb, slot, seq)) {
	case RING_FULL:
		return false;
	case RING_CHANGED:
		return true;
	case RING_CLAIMED:
		break;
	}

	/*
	 * If @page is the tail after @base was read, no writer had given @next its new base
	 * before that; and if @base is unchanged when the new base is stored, no writer has
	 * since. A nested writer whose clock returned exactly the old base would have stored
	 * the same base: its time is not before @stamp, which was read before the tail was
	 * checked, and @stamp is not before the old base.
	 */
	next = ring_slot_page(cb, atomic64_read(slot));
	stamp = ring_clock(cb->buffer);
	base = local_read(&next->base);
	lost = local_read(&cb->dropped) + local_read(&cb->commit_overrun);
	barrier();
	if (READ_ONCE(cb->tail) != page)
		return true;

	/*
	 * All nested writers that reach this point store identical values, except that an event
	 * dropped in between may be accounted to the next page.
	 */
	ring_save_seq(next, 0);
	WRITE_ONCE(next->seq, seq);
	WRITE_ONCE(next->lost, lost);

	/* Time must not go backwards from one page to the next. */
	last = local_read(&page->base) + (local_read(&page->write) >> RING_REL_SHIFT);
	if ((s64)(stamp - last) < 0)
		stamp = last;
	if (local_try_cmpxchg(&next->base, &base, stamp))
		cmpxchg_local(&cb->tail, page, next);
	return true;
}

/* The frame of a writer, which nested writers read. */
static int *ring_frame(struct ring_cpu *cb)
{
	return &cb->frame[ring_depth(cb)];
}

/*
 * Reject further writers of this context, or admit them again. Otherwise a clock that can
 * itself be traced would livelock its caller: each read of the clock writes an event before the
 * current one, after which the clock must be read again. An interrupt that preempt_count() does
 * not account for yet is also rejected.
 */
static void ring_shut(struct ring_cpu *cb, bool shut)
{
	int *frame = ring_frame(cb);

	WRITE_ONCE(*frame, shut ? *frame | RING_SHUT : *frame & ~RING_SHUT);
	barrier();
}

/* Bytes that an event takes for times, in addition to its own size. */
static unsigned int ring_time_size(struct ring_cpu *cb, u64 delta, u64 past)
{
	if (past)
		return 2 * RING_EXTEND_SIZE;

	return !READ_ONCE(cb->delta_limit) || delta >= RING_DELTA_LIMIT ? RING_EXTEND_SIZE : 0;
}

/* Write the time before an event. Returns the address of the event. */
static struct ring_buffer_event *ring_encode_time(struct ring_cpu *cb,
						  struct ring_buffer_event *at,
						  unsigned long write, u64 delta, u64 stamp)
{
	if (!READ_ONCE(cb->delta_limit))
		ring_extend_encode(at, RINGBUF_TYPE_TIME_STAMP, stamp);
	else
		ring_extend_encode(at, RINGBUF_TYPE_TIME_EXTEND, delta);
	cb->undo[ring_depth(cb)] = write;
	WRITE_ONCE(*ring_frame(cb), *ring_frame(cb) | RING_EXTENDED);
	return (void *)at + RING_EXTEND_SIZE;
}

/*
 * Write an event of the past: its time before it, and @stamp after it, as time base of the next
 * event.
 */
static struct ring_buffer_event *ring_encode_past(struct ring_buffer_event *at,
						  unsigned int size, u64 past, u64 stamp)
{
	struct ring_buffer_event *event = (void *)at + RING_EXTEND_SIZE;

	ring_extend_encode(at, RINGBUF_TYPE_TIME_STAMP, past);
	ring_event_encode(event, size, 0);
	ring_extend_encode((void *)event + size, RINGBUF_TYPE_TIME_STAMP, stamp);
	return event;
}

/* @past: time of the event, which precedes earlier events; 0 for the current time */
static struct ring_buffer_event *ring_reserve_any(struct ring_cpu *cb, unsigned long size,
						  u64 past)
{
	struct ring_buffer_event *event;
	unsigned int extend, used;
	bool shut = false;
	struct ring_page *page;
	u64 stamp, delta, rel;
	unsigned long write;

	for (;;) {
		page = READ_ONCE(cb->tail);
		write = local_read(&page->write);
		stamp = ring_clock(cb->buffer);

		/* If the clock goes backwards, the time stamp stays at the last time. */
		rel = write >> RING_REL_SHIFT;
		delta = stamp - local_read(&page->base) - rel;
		if ((s64)delta < 0) {
			stamp -= delta;
			delta = 0;
		}

		extend = ring_time_size(cb, delta, past);
		used = write & RING_USED_MASK;
		if (used + extend + size > cb->size || rel + delta >= RING_REL_LIMIT) {
			if (!ring_next_page(cb, page))
				return NULL;
			continue;
		}
		if (local_try_cmpxchg(&page->write, (long *)&write,
				      write + (delta << RING_REL_SHIFT) +
				      extend + size))
			break;
		if (!shut && !(*ring_frame(cb) & RING_AGAIN)) {
			shut = true;
			ring_shut(cb, true);
		}
	}
	if (shut)
		ring_shut(cb, false);

	local_inc(&page->entries);
	event = (void *)page->data->data + used;
	if (past)
		return ring_encode_past(event, size, min(past, stamp), stamp);
	if (extend) {
		event = ring_encode_time(cb, event, write, delta, stamp);
		delta = 0;
	}
	ring_event_encode(event, size, delta);
	return event;
}

/**
 * ring_reserve_slow - slow path of ring_reserve()
 * @cb: ring of this CPU, entered
 * @size: return value of ring_event_size_for(), at most ring_cpu::size less RING_EXTEND_SIZE
 *
 * Returns the event with a complete header, or NULL if there is no space; the event is counted
 * as dropped then.
 */
struct ring_buffer_event *ring_reserve_slow(struct ring_cpu *cb, unsigned long size)
{
	return ring_reserve_any(cb, size, 0);
}

/**
 * ring_write_begin_past - reserve an event with a time before existing events
 * @buffer: buffer to write to
 * @length: length of the data, at most ring_buffer_max_event_size() less RING_EXTEND_SIZE
 * @time: time of the event, by the buffer's clock
 * @w: state for ring_write_end()
 *
 * A reader of this CPU's ring finds it after the existing events, with its own time. Its time
 * is absolute and is followed by the time of the last event, as the base of later deltas. If
 * the writer interrupts another writer, whose event has no header yet, the event gets the time
 * at which it is written: otherwise ring_buffer_event_time_stamp() of the other event could not
 * parse the page.
 *
 * Context: any; preemption is disabled up to ring_write_end(), and the event is not discarded
 *
 * Returns the address of the data; or NULL, which needs no undo.
 */
void *ring_write_begin_past(struct trace_buffer *buffer, unsigned int length, u64 time,
			    struct ring_write *w)
{
	struct ring_buffer_event *event;

	if (!ring_enter(buffer, &w->cb))
		return NULL;

	event = ring_reserve_any(w->cb, ring_event_size_for(length),
				 ring_depth(w->cb) == 1 ? time ?: 1 : 0);
	if (!event) {
		ring_leave(w->cb);
		return NULL;
	}
	return ring_buffer_event_data(event);
}

/**
 * ring_reserve_or_leave - ring_reserve_slow(), with ring_leave() if there is no space
 * @cb: ring of this CPU, entered
 * @size: same as for ring_reserve_slow()
 *
 * Returns the event or NULL.
 */
struct ring_buffer_event *ring_reserve_or_leave(struct ring_cpu *cb, unsigned long size)
{
	struct ring_buffer_event *event = ring_reserve_slow(cb, size);

	if (!event)
		ring_leave(cb);
	return event;
}

/* The page that writers moved to after @page, which is not the tail, was full. */
static struct ring_page *ring_page_after(struct ring_cpu *cb, struct ring_page *page)
{
	return ring_slot_page(cb, atomic64_read(ring_slot_of(cb, READ_ONCE(page->seq) + 1)));
}

/*
 * Publish the commit page, which writers have left before, to the readers, and move to the page
 * after it.
 */
static void ring_publish_page(struct ring_cpu *cb)
{
	struct ring_page *page = cb->commit;
	unsigned int bytes = local_read(&page->write) & RING_OFFSET_MASK;
	unsigned long entries = local_read(&page->entries);
	struct ring_page *next = ring_page_after(cb, page);

	/* ring_publish_page:A: events before commit; pairs with ring_page_end:A */
	smp_store_release(&page->data->commit, bytes);
	page->count = entries - page->entries_before;
	page->bytes = bytes;

	next->total_before = page->total_before + entries - next->entries_before;
	next->bytes_before = page->bytes_before + bytes;
	next->first = page->first + page->count + next->lost - cb->lost_seen;
	cb->lost_seen = next->lost;
	WRITE_ONCE(next->data->time_stamp, local_read(&next->base));
	WRITE_ONCE(next->data->commit, 0);
	ring_save_seq(next, next->seq);

	/* No writer that could still use these is inside. */
	page->entries_before = entries;
	local_set(&page->write, 0);
	WRITE_ONCE(cb->commit, next);

	/* ring_publish_page:B: header and counts before commit_seq; pairs with ring_commit_seq:A */
	smp_store_release(&cb->commit_seq, next->seq);
}

/**
 * ring_publish - slow path of ring_leave() for the outermost writer
 * @cb: the ring; the caller is the only writer inside
 *
 * Also wakes waiting tasks.
 */
void ring_publish(struct ring_cpu *cb)
{
	bool crossed = false;
	struct ring_page *page;
	unsigned long write;

	do {
		ring_push(cb, 1, ring_context());

		/* Nested writers may move the tail concurrently. */
		while (cb->commit != READ_ONCE(cb->tail)) {
			ring_publish_page(cb);
			crossed = true;
		}
		page = cb->commit;
		write = local_read(&page->write);
		/* ring_publish:A: events before commit; pairs with ring_page_end:A */
		smp_store_release(&page->data->commit, write & RING_OFFSET_MASK);

		barrier();
		WRITE_ONCE(cb->depth, 0);
		barrier();

		/* From here on the sub-buffer may belong to a reader. */
	} while (READ_ONCE(cb->tail) != page || local_read(&page->write) != write);

	if (crossed) {
		/* ring_publish:B: commit_seq before ring_wait::full; pairs with ring_arm:B */
		smp_mb();
		ring_wake_full(cb);
	}
	if (atomic64_read(&cb->wake))
		ring_wake(cb);
}

/**
 * ring_buffer_lock_reserve - reserve an event
 * @buffer: buffer to write to
 * @length: length of the data in bytes
 *
 * Any context. Returns the event, with preemption disabled until ring_buffer_unlock_commit() or
 * ring_buffer_discard_commit(); or NULL, which needs no undo: recording is off, @length
 * exceeds ring_buffer_max_event_size(), the ring is full and does not overwrite, or this
 * context is writing already.
 */
struct ring_buffer_event *ring_buffer_lock_reserve(struct trace_buffer *buffer,
						   unsigned long length)
{
	struct ring_buffer_event *event;
	struct ring_cpu *cb;
	unsigned long size;

	if (unlikely(!ring_enter(buffer, &cb)))
		return NULL;

	/* Data that is neither empty nor long has its length in the event header. */
	size = (length + 3 + RING_EVENT_HDR) & ~3UL;
	OPTIMIZER_HIDE_VAR(size);
	if (likely(size - RING_EVENT_HDR - 1 < RING_SHORT_DATA)) {
		if (likely(ring_reserve(buffer, cb, size, 0, &event)))
			return event;
		return ring_reserve_or_leave(cb, size);
	}

	size = cb->size - RING_EXTEND_SIZE;
	if (length <= size && ring_event_size_for(length) <= size)
		return ring_reserve_or_leave(cb, ring_event_size_for(length));
	ring_leave(cb);
	return NULL;
}
EXPORT_SYMBOL_GPL(ring_buffer_lock_reserve);

/*
 * Get the ring that the caller is inside of. It is the twin if the ring was exchanged after the
 * caller looked it up and before it entered: the event then belongs to the exchanged ring.
 */
static struct ring_cpu *ring_inside(struct trace_buffer *buffer)
{
	struct ring_cpu *cb = READ_ONCE(buffer->cpus[raw_smp_processor_id()]);

	return ring_depth(cb) || !cb->twin ? cb : cb->twin;
}

/**
 * ring_buffer_unlock_commit - commit an event
 * @buffer: buffer that was passed to ring_buffer_lock_reserve()
 *
 * It must be the last event reserved and not committed in this context. Returns 0.
 */
int ring_buffer_unlock_commit(struct trace_buffer *buffer)
{
	struct ring_cpu *cb = READ_ONCE(buffer->cpus[raw_smp_processor_id()]);

	if (unlikely(ring_depth(cb) != 1))
		cb = ring_inside(buffer);
	ring_leave(cb);
	return 0;
}
EXPORT_SYMBOL_GPL(ring_buffer_unlock_commit);

/* Get the page between commit and tail that contains @event. */
static struct ring_page *ring_event_page(struct ring_cpu *cb, void *event)
{
	struct ring_page *page = READ_ONCE(cb->commit);

	while (event < (void *)page->data->data ||
	       event >= (void *)page->data->data + cb->size) {
		if (WARN_ON_ONCE(page == READ_ONCE(cb->tail))) {
			ring_buffer_disable_permanent(cb->buffer);
			return NULL;
		}
		page = ring_page_after(cb, page);
	}
	return page;
}

/* Release the bytes of an event, if it is the last one and the page is not full. */
static bool ring_take_back(struct ring_cpu *cb, struct ring_page *page,
			   struct ring_buffer_event *event, unsigned int size)
{
	unsigned int end = (void *)event - (void *)page->data->data + size;
	unsigned long write = local_read(&page->write), undo;

	if ((write & RING_USED_MASK) != end)
		return false;
	if (*ring_frame(cb) & RING_EXTENDED)
		undo = cb->undo[ring_depth(cb)];
	else
		undo = write - ((unsigned long)event->time_delta << RING_REL_SHIFT) - size;
	return local_try_cmpxchg(&page->write, (long *)&write, undo);
}

/*
 * Turn an event with a time before it into padding. The time then follows the padding, minus
 * the time that the padding itself takes.
 */
static void ring_pad_extended(struct ring_buffer_event *event, unsigned int size)
{
	struct ring_buffer_event *extend = (void *)event - RING_EXTEND_SIZE;
	u64 value = ring_extend_value(extend);
	enum ring_buffer_type type = extend->type_len;

	if (type == RINGBUF_TYPE_TIME_EXTEND)
		value--;
	ring_padding_encode(extend, size, 1);
	ring_extend_encode((void *)extend + size, type, value);
}

/*
 * Turn an event with the same time as the event before it into padding. Padding must take at
 * least a nanosecond, so the time of the page's last event is increased by a nanosecond;
 * ring_page::write communicates that to the writers. If the page is closed, the next page may
 * have its time already. Then the events after it, which are complete, are moved to its place,
 * as padding that reaches to the end of the page takes no time.
 */
static void ring_pad_timeless(struct ring_page *page, struct ring_buffer_event *event,
			      unsigned int size)
{
	unsigned long write = local_read(&page->write);
	void *end;

	while (!(write & RING_CLOSED)) {
		if (local_try_cmpxchg(&page->write, (long *)&write,
				      write + (1UL << RING_REL_SHIFT))) {
			ring_padding_encode(event, size, 1);
			return;
		}
	}
	end = (void *)page->data->data + (write & RING_OFFSET_MASK) - size;
	memmove(event, (void *)event + size, end - (void *)event);
	ring_padding_encode(end, size, 0);
}

/**
 * ring_buffer_discard_commit - discard an event
 * @buffer: buffer that was passed to ring_buffer_lock_reserve()
 * @event: the last event reserved and not committed in this context
 *
 * Replaces ring_buffer_unlock_commit(). If no other event was written since, the previous state
 * is restored; otherwise the event becomes padding.
 */
void ring_buffer_discard_commit(struct trace_buffer *buffer,
				struct ring_buffer_event *event)
{
	struct ring_cpu *cb = ring_inside(buffer);
	unsigned int size = ring_data_event_size(event);
	struct ring_page *page = ring_event_page(cb, event);

	if (page) {
		local_dec(&page->entries);
		if (ring_take_back(cb, page, event, size))
			;
		else if (*ring_frame(cb) & RING_EXTENDED)
			ring_pad_extended(event, size);
		else if (event->time_delta)
			ring_padding_encode(event, size, event->time_delta);
		else
			ring_pad_timeless(page, event, size);
	}
	ring_leave(cb);
}
EXPORT_SYMBOL_GPL(ring_buffer_discard_commit);

/**
 * ring_buffer_write - write an event in a single call
 * @buffer: buffer to write to
 * @length: length of the data in bytes
 * @data: the data; it is copied
 *
 * Any context. Returns 0, or -EBUSY if ring_buffer_lock_reserve() would return NULL.
 */
int ring_buffer_write(struct trace_buffer *buffer, unsigned long length, void *data)
{
	struct ring_buffer_event *event = ring_buffer_lock_reserve(buffer, length);

	if (!event)
		return -EBUSY;
	memcpy(ring_buffer_event_data(event), data, length);
	return ring_buffer_unlock_commit(buffer);
}
EXPORT_SYMBOL_GPL(ring_buffer_write);

/**
 * ring_buffer_nest_start - allow an event within an event
 * @buffer: buffer that an event is being written to
 *
 * Until ring_buffer_nest_end(), another event may be written to @buffer in the context that has
 * reserved one. Disables preemption.
 */
void ring_buffer_nest_start(struct trace_buffer *buffer)
{
	struct ring_cpu *cb;

	preempt_disable_notrace();
	cb = buffer->cpus[raw_smp_processor_id()];
	if (ring_depth(cb) < RING_EXTRA_DEPTH)
		ring_push(cb, ring_depth(cb) + 1, -1);
	else
		WRITE_ONCE(cb->nests, ring_env_peek(cb->nests) + 1);
}

/**
 * ring_buffer_nest_end - undo ring_buffer_nest_start()
 * @buffer: the buffer
 */
void ring_buffer_nest_end(struct trace_buffer *buffer)
{
	struct ring_cpu *cb = ring_inside(buffer);

	/* All later calls that got no frame have ended. */
	if (ring_env_peek(cb->nests)) {
		WRITE_ONCE(cb->nests, ring_env_peek(cb->nests) - 1);
	} else if (ring_depth(cb)) {
		ring_leave(cb);
		return;
	}
	preempt_enable_notrace();
}

/**
 * ring_buffer_event_time_stamp - get the time of an event that is being written
 * @buffer: buffer that it is written to
 * @event: the last event reserved and not committed in this context
 *
 * The page has the time of its last event. The events between @event and that one are from
 * nested writers and complete. If one of them has an absolute time stamp, because the buffer
 * was switched to these since, its time is returned.
 */
u64 ring_buffer_event_time_stamp(struct trace_buffer *buffer,
				 struct ring_buffer_event *event)
{
	struct ring_cpu *cb = ring_inside(buffer);
	struct ring_page *page = ring_event_page(cb, event);
	struct ring_buffer_event *extend;
	struct ring_cursor cur = { };
	unsigned long write;
	u64 base;

	if (!page)
		return 0;

	base = local_read(&page->base);
	if (*ring_frame(cb) & RING_EXTENDED) {
		extend = (void *)event - RING_EXTEND_SIZE;
		if (extend->type_len == RINGBUF_TYPE_TIME_STAMP)
			return ring_extend_value(extend) | (base & ~RING_STAMP_MASK);
	}

	write = local_read(&page->write);
	cur.page = page->data;
	cur.at = (void *)event - (void *)page->data->data + ring_data_event_size(event);
	cur.end = write & RING_OFFSET_MASK;
	while (cur.at < cur.end) {
		event = ring_cursor_at(&cur);
		if (event->type_len == RINGBUF_TYPE_TIME_STAMP)
			return ring_extend_value(event) | (base & ~RING_STAMP_MASK);
		if (event->type_len <= RINGBUF_TYPE_DATA_TYPE_LEN_MAX)
			ring_cursor_advance(&cur, event);
		else
			ring_cursor_skip(&cur);
	}
	return base + (write >> RING_REL_SHIFT) - cur.stamp;
}

/**
 * ring_buffer_event_data - get the data of an event
 * @event: an event that ring_buffer_lock_reserve() or a reader returned
 */
void *ring_buffer_event_data(struct ring_buffer_event *event)
{
	return event->type_len ? event->array : event->array + 1;
}
EXPORT_SYMBOL_GPL(ring_buffer_event_data);

/**
 * ring_buffer_event_length - get the length of an event's data
 * @event: an event that ring_buffer_lock_reserve() or a reader returned
 *
 * It is the reserved length, rounded up to a multiple of four.
 */
unsigned int ring_buffer_event_length(struct ring_buffer_event *event)
{
	return event->type_len ? event->type_len * 4 : event->array[0] - 4;
}
EXPORT_SYMBOL_GPL(ring_buffer_event_length);
