// SPDX-License-Identifier: GPL-2.0
/*
 * Consuming reads: single events, and whole pages.
 */

#include "ring/page.h"
#include "ring/read.h"

/* A holder on another CPU releases the lock in time; an interrupted holder never does. */
#define RING_READ_TRIES	1000

bool ring_read_is_hasty;

/**
 * ring_buffer_set_trylock - choose whether readers may wait for each other
 * @on: true while a reader may have interrupted another reader, or be called by it
 *
 * While it is set, ring_buffer_peek() and ring_buffer_consume() find no event in a ring whose
 * lock does not become free soon. Any context; one caller at a time.
 */
void ring_buffer_set_trylock(bool on)
{
	WRITE_ONCE(ring_read_is_hasty, on);
}

/**
 * ring_read_trylock - ring_read_lock() for a reader that must not wait
 * @cb: the ring
 * @flags: saved flags for raw_spin_unlock_irqrestore() of ring_cpu::reader_lock
 */
bool ring_read_trylock(struct ring_cpu *cb, unsigned long *flags)
{
	int tries = RING_READ_TRIES;

	while (!raw_spin_trylock_irqsave(&cb->reader_lock, *flags)) {
		if (!--tries)
			return false;
		cpu_relax();
	}

	/* For sparse: the macro of the callers annotates that the lock is held. */
	__release(&cb->reader_lock);
	return true;
}

/*
 * Exchange the reader page, which is fully read and was left by the writers, for the oldest
 * page in the ring.
 */
static bool ring_swap_page(struct ring_cpu *cb, u64 seq)
{
	unsigned long expect = cb->reader->first + cb->reader->count;
	struct ring_page *page;
	atomic64_t *slot;
	u64 old;

	/* The reader page becomes a writer page in the exchange. */
	ring_save_seq(cb->reader, 0);
	seq = max(seq, cb->floor);
	for (;;) {
		if (seq > ring_commit_seq(cb))
			return false;
		slot = ring_slot_of(cb, seq);
		/* ring_swap_page:B: slot before commit_seq; pairs with ring_claim:A */
		old = atomic64_read_acquire(slot);
		if (ring_slot_state(cb, old, seq) != RING_SLOT_THERE) {
			seq = ring_oldest_seq(cb, old);
			continue;
		}

		page = ring_slot_page(cb, old);
		/* ring_swap_page:A: stores to blank page before slot; pairs with ring_claim:A */
		if (atomic64_try_cmpxchg(slot, (s64 *)&old,
					 ring_slot(seq, RING_SLOT_TAKEN,
						   cb->reader_id)))
			break;
	}

	cb->reader = page;
	cb->reader_id = old & RING_SLOT_ID_MASK;
	cb->reader_seq = seq;
	cb->lost += page->first - expect;
	cb->read_bytes += cb->cursor.end;
	cb->cursor.page = page->data;
	cb->cursor.at = 0;
	cb->cursor.end = ring_page_end(page->data);
	cb->cursor.stamp = page->data->time_stamp;
	return true;
}

/**
 * ring_take_slow - slow path of ring_take(), at the end of the known part of the page
 * @cb: the ring
 */
bool ring_take_slow(struct ring_cpu *cb)
{
	u64 last;

	do {
		/* Read in this order: the commit of a page before @last is final. */
		last = ring_commit_seq(cb);
		cb->cursor.end = ring_page_end(cb->cursor.page);
		if (cb->cursor.at < cb->cursor.end)
			return true;
		ring_save_read(cb);
		if (cb->reader_seq >= last)
			return false;
		if (!ring_swap_page(cb, cb->reader_seq + 1))
			return false;
		if (cb->mapped)
			ring_map_update(cb);
	} while (1);
}

/*
 * Make events available at the cursor. Returns false if there are none. Padding counts as an
 * event.
 */
static __always_inline bool ring_take(struct ring_cpu *cb)
{
	return likely(cb->cursor.at < cb->cursor.end) || ring_take_slow(cb);
}

/* Find the next event and move the cursor to it. Returns false if there is none. */
static __always_inline bool ring_peek(struct ring_cpu *cb, struct ring_buffer_event **event)
{
	do {
		if (!ring_take(cb))
			return false;
		*event = ring_cursor_at(&cb->cursor);
		if (likely((*event)->type_len <= RINGBUF_TYPE_DATA_TYPE_LEN_MAX))
			return true;
		ring_cursor_skip(&cb->cursor);
	} while (1);
}

/**
 * ring_buffer_peek - get the next event without consuming it
 * @buffer: buffer to read
 * @cpu: CPU of the ring
 * @ts: set to its time, or NULL
 * @lost_events: set to the number of events that were lost between the last consumed event and
 *	this one, or NULL
 *
 * Returns the event, NULL if there is none. It remains valid until the next event is consumed,
 * or ring_buffer_subbuf_order_set() frees its page.
 */
struct ring_buffer_event *ring_buffer_peek(struct trace_buffer *buffer, int cpu,
					   u64 *ts, unsigned long *lost_events)
{
	struct ring_cpu *cb = ring_of(buffer, cpu);
	struct ring_buffer_event *event = NULL;
	unsigned long flags;

	if (!cb || !ring_read_lock(cb, flags))
		return NULL;
	if (!ring_peek(cb, &event)) {
		event = NULL;
	} else {
		if (ts)
			*ts = cb->cursor.stamp + event->time_delta;
		if (lost_events)
			*lost_events = cb->lost;
	}
	raw_spin_unlock_irqrestore(&cb->reader_lock, flags);
	return event;
}
EXPORT_SYMBOL_GPL(ring_buffer_peek);

/**
 * ring_buffer_consume - consume the next event
 * @buffer: buffer to read
 * @cpu: CPU of the ring
 * @ts: set to its time, or NULL
 * @lost_events: set to the number of events that were lost before it, or NULL
 *
 * Returns the event, NULL if there is none. It remains valid until the next event is consumed,
 * or ring_buffer_subbuf_order_set() frees its page.
 */
struct ring_buffer_event *ring_buffer_consume(struct trace_buffer *buffer, int cpu,
					      u64 *ts, unsigned long *lost_events)
{
	struct ring_cpu *cb = ring_of(buffer, cpu);
	struct ring_buffer_event *event;
	unsigned long flags;

	if (unlikely(!cb || !ring_read_lock(cb, flags)))
		return NULL;

	if (unlikely(!ring_peek(cb, &event))) {
		event = NULL;
		goto out;
	}
	ring_cursor_advance(&cb->cursor, event);
	cb->read++;
	if (ts)
		*ts = cb->cursor.stamp;
	if (lost_events)
		*lost_events = cb->lost;
	cb->lost = 0;
out:
	raw_spin_unlock_irqrestore(&cb->reader_lock, flags);
	return event;
}
EXPORT_SYMBOL_GPL(ring_buffer_consume);

/* Number of bytes of a page that are copied to find its first event. */
#define RING_GLANCE	16

/*
 * Does a page that a writer may overwrite concurrently have any events? @ts is set to the time
 * of the first event; if discarded events precede it, to their time.
 */
static bool ring_glance(struct buffer_data_page *data, u64 *ts)
{
	/* The cursor may also read the length after a header. */
	u64 copy[(RING_PAGE_HDR + RING_GLANCE) / sizeof(u64) + 1] = { };
	struct ring_cursor cur = { .page = (void *)copy };
	struct ring_buffer_event *event;

	cur.end = min_t(unsigned int, ring_page_end(data), RING_GLANCE);
	cur.page->time_stamp = READ_ONCE(data->time_stamp);
	cur.stamp = cur.page->time_stamp;
	ring_env_copy(cur.page->data, data->data, cur.end);
	event = ring_cursor_event(&cur);
	*ts = cur.stamp + (event ? event->time_delta : 0);
	return cur.end;
}

/*
 * Is there an event in the pages after the reader page? Used for a ring that user space has
 * mapped, whose reader page must not change until user space requests the next one.
 */
static bool ring_look_ahead(struct ring_cpu *cb, u64 *ts)
{
	u64 old, seq = max(cb->reader_seq + 1, cb->floor);
	atomic64_t *slot;
	bool any;

	while (seq <= ring_commit_seq(cb)) {
		slot = ring_slot_of(cb, seq);
		/* ring_look_ahead:A: slot before page and commit_seq; pairs with ring_claim:A */
		old = atomic64_read_acquire(slot);
		if (ring_slot_state(cb, old, seq) != RING_SLOT_THERE) {
			seq = ring_oldest_seq(cb, old);
			continue;
		}
		any = ring_glance(ring_slot_page(cb, old)->data, ts);
		/* ring_look_ahead:B: copy before slot, read again; pairs with ring_claim:A */
		smp_rmb();
		if ((u64)atomic64_read(slot) != old)
			continue;
		if (any)
			return true;
		seq++;
	}
	return false;
}

/* Is there an event to read? @ts is set to its time. */
static bool ring_look(struct ring_cpu *cb, u64 *ts)
{
	struct ring_buffer_event *event;
	struct ring_cursor cur;

	if (!cb->mapped) {
		if (!ring_peek(cb, &event))
			return false;
		*ts = cb->cursor.stamp + event->time_delta;
		return true;
	}

	/* All events of a page may have been discarded. */
	if (!ring_stats(cb).entries)
		return false;
	cur = cb->cursor;
	cur.end = ring_page_end(cur.page);
	event = ring_cursor_event(&cur);
	if (event) {
		*ts = cur.stamp + event->time_delta;
		return true;
	}
	return ring_look_ahead(cb, ts);
}

/**
 * ring_buffer_empty_cpu - check whether a ring has no events to read
 * @buffer: the buffer; true if @cpu has no ring in it
 * @cpu: CPU of the ring
 *
 * Events that are being written, and events after them, do not count. Also true if
 * ring_read_lock() fails.
 */
bool ring_buffer_empty_cpu(struct trace_buffer *buffer, int cpu)
{
	struct ring_cpu *cb = ring_of(buffer, cpu);
	unsigned long flags;
	bool any;
	u64 ts;

	if (!cb || !ring_read_lock(cb, flags))
		return true;
	any = ring_look(cb, &ts);
	raw_spin_unlock_irqrestore(&cb->reader_lock, flags);
	return !any;
}
EXPORT_SYMBOL_GPL(ring_buffer_empty_cpu);

/**
 * ring_buffer_empty - check whether no ring has events to read
 * @buffer: the buffer; includes rings of offline CPUs
 */
bool ring_buffer_empty(struct trace_buffer *buffer)
{
	int cpu;

	for_each_cpu(cpu, buffer->cpumask) {
		if (!ring_buffer_empty_cpu(buffer, cpu))
			return false;
	}
	return true;
}
EXPORT_SYMBOL_GPL(ring_buffer_empty);

/**
 * ring_buffer_oldest_event_ts - get the time of the next event to read
 * @buffer: the buffer; ring_buffer_consume() would return this event
 * @cpu: CPU of the ring
 *
 * Returns 0 if there is no event.
 */
u64 ring_buffer_oldest_event_ts(struct trace_buffer *buffer, int cpu)
{
	struct ring_cpu *cb = ring_of(buffer, cpu);
	unsigned long flags;
	u64 ts = 0;

	if (!cb || !ring_read_lock(cb, flags))
		return 0;
	if (!ring_look(cb, &ts))
		ts = 0;
	raw_spin_unlock_irqrestore(&cb->reader_lock, flags);
	return ts;
}
EXPORT_SYMBOL_GPL(ring_buffer_oldest_event_ts);

/**
 * struct buffer_data_read_page - a page for ring_buffer_read_page()
 * @order: order of its size
 * @data: the sub-buffer; can be a different one after each read
 */
struct buffer_data_read_page {
	int			order;
	struct buffer_data_page	*data;
};

/**
 * ring_buffer_alloc_read_page - allocate a page to read into
 * @buffer: buffer to read
 * @cpu: CPU of the ring
 * @rpage: set to the page
 *
 * It can be used until ring_buffer_subbuf_order_set(). Returns 0, -ENODEV or -ENOMEM.
 */
int ring_buffer_alloc_read_page(struct trace_buffer *buffer, int cpu,
				struct buffer_data_read_page **rpage)
{
	struct ring_cpu *cb = ring_of(buffer, cpu);
	struct buffer_data_read_page *page;
	unsigned long flags;

	if (!cb)
		return -ENODEV;
	page = kzalloc(sizeof(*page), GFP_KERNEL);
	if (!page)
		return -ENOMEM;

	raw_spin_lock_irqsave(&cb->reader_lock, flags);
	page->order = cb->order;
	swap(page->data, cb->spare);
	raw_spin_unlock_irqrestore(&cb->reader_lock, flags);

	if (!page->data)
		page->data = ring_data_alloc(cpu, page->order, GFP_KERNEL | __GFP_NORETRY);
	if (!page->data) {
		kfree(page);
		return -ENOMEM;
	}
	*rpage = page;
	return 0;
}
EXPORT_SYMBOL_GPL(ring_buffer_alloc_read_page);

/**
 * ring_buffer_free_read_page - free a page
 * @buffer: @buffer that was passed to ring_buffer_alloc_read_page(), which keeps the memory for
 *	the next such page; NULL if the buffer may have been freed, in which case the memory is
 *	freed
 * @cpu: @cpu that was passed to ring_buffer_alloc_read_page()
 * @page: page from ring_buffer_alloc_read_page(); its structure is freed in any case
 *
 * Other users may still hold references to its memory (splice).
 */
void ring_buffer_free_read_page(struct trace_buffer *buffer, int cpu,
				struct buffer_data_read_page *page)
{
	struct ring_cpu *cb = buffer ? ring_of(buffer, cpu) : NULL;
	unsigned long flags;

	if (cb && page_ref_count(virt_to_page(page->data)) == 1) {
		raw_spin_lock_irqsave(&cb->reader_lock, flags);
		if (!cb->spare && page->order == cb->order)
			swap(page->data, cb->spare);
		raw_spin_unlock_irqrestore(&cb->reader_lock, flags);
	}
	ring_data_free(page->data, page->order);
	kfree(page);
}
EXPORT_SYMBOL_GPL(ring_buffer_free_read_page);

/**
 * ring_buffer_read_page_data - get the sub-buffer of a page
 * @page: page from ring_buffer_alloc_read_page()
 */
void *ring_buffer_read_page_data(struct buffer_data_read_page *page)
{
	return page->data;
}
EXPORT_SYMBOL_GPL(ring_buffer_read_page_data);

/**
 * ring_buffer_read_page_size - get the size of the page's sub-buffer in bytes
 * @rpage: page from ring_buffer_alloc_read_page()
 */
unsigned int ring_buffer_read_page_size(struct buffer_data_read_page *rpage)
{
	return PAGE_SIZE << rpage->order;
}
EXPORT_SYMBOL_GPL(ring_buffer_read_page_size);

/*
 * Copy events from the cursor on, as many as fit into @space bytes, and consume them. Returns
 * the number of bytes copied; the header of @to gets their time.
 */
static unsigned int ring_copy_events(struct ring_cpu *cb,
				     struct buffer_data_page *to, unsigned int space)
{
	struct ring_cursor *cur = &cb->cursor;
	unsigned int from, bytes = 0;
	struct ring_buffer_event *event;
	struct ring_cursor next;

	to->time_stamp = cur->stamp;
	from = cur->at;
	next = *cur;
	while ((event = ring_cursor_event(&next))) {
		ring_cursor_advance(&next, event);
		if (next.at - from > space)
			break;
		*cur = next;
		bytes = cur->at - from;
		cb->read++;
	}
	memcpy(to->data, cur->page->data + from, bytes);
	return bytes;
}

/* Record in a page for user space how many events are missing before it. */
static void ring_mark_lost(struct ring_cpu *cb, struct buffer_data_page *data,
			   unsigned int size)
{
	unsigned long lost = cb->lost;
	unsigned int end = data->commit & RING_COMMIT_MASK;

	/* The flags of a page that was mapped are not meant for this reader. */
	data->commit = end;
	if (lost) {
		data->commit |= RB_MISSED_EVENTS;
		if (size - end >= sizeof(lost)) {
			memcpy(data->data + end, &lost, sizeof(lost));
			data->commit |= RB_MISSED_STORED;
			end += sizeof(lost);
		}
		cb->lost = 0;
	}
	/* Do not expose the bytes after the events to user space. */
	memset(data->data + end, 0, size - end);
}

/* ring_buffer_read_page() with the lock held. */
static int ring_read_page(struct ring_cpu *cb, struct buffer_data_read_page *rpage,
			  size_t len, bool full)
{
	struct buffer_data_page *data = rpage->data;
	struct ring_buffer_event *event;
	struct ring_page *reader;
	bool left;

	if (rpage->order != cb->order)
		return -EINVAL;
	if (!ring_peek(cb, &event))
		return -EAGAIN;

	reader = cb->reader;
	left = cb->reader_seq < ring_commit_seq(cb);
	if (left)
		cb->cursor.end = ring_page_end(cb->cursor.page);
	else if (full)
		return -EAGAIN;

	if (left && !cb->cursor.at && !cb->mapped && !cb->saved &&
	    len >= PAGE_SIZE << rpage->order) {
		/* Writers have left this page: exchange it instead of copying. */
		cb->read += reader->count;
		cb->read_bytes += cb->cursor.end;
		rpage->data = reader->data;
		reader->data = data;
		data->commit = 0;
		cb->cursor = (struct ring_cursor){ .page = data };
		data = rpage->data;
	} else {
		data->commit = ring_copy_events(cb, data, len - RING_PAGE_HDR);
		if (!data->commit)
			return -EINVAL;
	}
	ring_mark_lost(cb, data, cb->size);
	ring_save_read(cb);
	return 0;
}

/**
 * ring_buffer_read_page - read a page of events
 * @buffer: buffer to read
 * @data_page: page from ring_buffer_alloc_read_page() for this buffer
 * @len: maximum number of bytes to fill, including the header
 * @cpu: CPU of the ring
 * @full: if not 0, only read a page that is completely written
 *
 * The page is exchanged for one of the ring if possible; otherwise events are copied from the
 * reader's position on. Returns the offset of the first event after the header, which is 0; or
 * -EAGAIN if there are no events, or -EINVAL if @len is too small or @data_page has another
 * size.
 */
int ring_buffer_read_page(struct trace_buffer *buffer,
			  struct buffer_data_read_page *data_page,
			  size_t len, int cpu, int full)
{
	struct ring_cpu *cb = ring_of(buffer, cpu);
	unsigned long flags;
	int ret;

	if (!cb || !data_page || !data_page->data || len <= RING_PAGE_HDR)
		return -EINVAL;

	len = min(len, PAGE_SIZE << data_page->order);
	raw_spin_lock_irqsave(&cb->reader_lock, flags);
	ret = ring_read_page(cb, data_page, len, full);
	if (!ret && cb->mapped)
		ring_map_update(cb);
	raw_spin_unlock_irqrestore(&cb->reader_lock, flags);
	return ret;
}
EXPORT_SYMBOL_GPL(ring_buffer_read_page);
