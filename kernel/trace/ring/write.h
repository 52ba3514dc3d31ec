/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _TRACE_RING_WRITE_H
#define _TRACE_RING_WRITE_H
/*
 * The writer's fast path, for callers that inline it.
 *
 * A tracer that writes an event of constant size on every function call saves two calls and the
 * lookup of the ring with
 *
 *	struct ring_write w;
 *	struct my_entry *entry = ring_write_begin(buffer, sizeof(*entry), &w);
 *
 *	if (entry) {
 *		entry->... = ...;
 *		ring_write_end(&w);
 *	}
 *
 * Any context; preemption is disabled between the two.
 */

#include "ring/page.h"

/**
 * struct ring_write - a writer between ring_write_begin() and ring_write_end()
 * @cb: the ring
 */
struct ring_write {
	struct ring_cpu		*cb;
};

/* write.c */
struct ring_buffer_event *ring_reserve_slow(struct ring_cpu *cb, unsigned long size);
struct ring_buffer_event *ring_reserve_or_leave(struct ring_cpu *cb, unsigned long size);
void *ring_write_begin_past(struct trace_buffer *buffer, unsigned int length, u64 time,
			    struct ring_write *w);
int ring_context_again(struct trace_buffer *buffer, struct ring_cpu *cb, int context);

/* Flags in a frame, along with its ring_context(): */
#define RING_AGAIN	1	/* second writer that appears to be in this context */
#define RING_SHUT	2	/* further such writers are rejected */
#define RING_EXTENDED	4	/* its event has a time before it, and ring_cpu::undo is valid */

/*
 * Number of writers inside, read by one of them. Nested writers restore the number that they
 * found, so it is the same before and after they run.
 */
static __always_inline unsigned long ring_depth(const struct ring_cpu *cb)
{
	return ring_env_peek(cb->depth);
}

/*
 * Record a writer as the @depth-th. A nested writer may run between any two of the stores and
 * use the same frame: the context that it leaves there is not below the context of this writer,
 * and the last store restores @context.
 */
static __always_inline void ring_push(struct ring_cpu *cb, unsigned long depth,
				      int context)
{
	WRITE_ONCE(cb->frame[depth], context);
	barrier();
	WRITE_ONCE(cb->depth, depth);
	barrier();
	WRITE_ONCE(cb->frame[depth], context);
	barrier();
}

/**
 * ring_enter - enter the ring of this CPU as a writer
 * @buffer: buffer to write to
 * @to: set to the ring of this CPU; the caller leaves it with ring_leave()
 *
 * If an interrupt exchanges the ring after it was looked up here, the writer still writes to
 * this ring: see ring_buffer_swap_cpu(). A pending exchange is made here, if possible.
 *
 * Returns true with preemption disabled; or false if nothing must be written: recording is off,
 * or the writer that is already inside is in the same context.
 */
static __always_inline bool ring_enter(struct trace_buffer *buffer, struct ring_cpu **to)
{
	struct ring_cpu *cb;
	unsigned long depth;
	int context;

	preempt_disable_notrace();
	cb = READ_ONCE(buffer->cpus[raw_smp_processor_id()]);
	depth = ring_depth(cb);
	context = ring_context();
	if (unlikely(ring_env_peek(buffer->off.counter) | ring_env_peek(cb->off.counter)) ||
	    unlikely(context <= ring_env_peek(cb->frame[depth]))) {
		context = ring_context_again(buffer, cb, context);
		if (context < 0) {
			preempt_enable_notrace();
			return false;
		}
		cb = READ_ONCE(buffer->cpus[raw_smp_processor_id()]);
		depth = ring_depth(cb);
	}
	ring_push(cb, depth + 1, context);
	*to = cb;
	return true;
}

/*
 * ring_leave() for the outermost writer, except that preemption remains disabled
 *
 * The outermost writer publishes all events that were written since it entered. Nested writers
 * rely on it to do so, so it checks for events of nested writers again after it has left.
 */
static __always_inline void ring_leave_outermost(struct ring_cpu *cb)
{
	struct ring_page *page = cb->commit;
	unsigned long write = local_read(&page->write);

	if (unlikely(write & RING_CLOSED))
		goto slow;

	/* ring_leave_outermost:A: events before commit; pairs with ring_page_end:A */
	smp_store_release(&page->data->commit, write & RING_OFFSET_MASK);
	barrier();
	WRITE_ONCE(cb->depth, 0);
	barrier();

	/* ring_leave_outermost:B: no order; ring_check() makes up for a missed ring_arm_cpu:A */
	if (likely(!((ring_env_peek_local(&page->write) ^ write) |
		     ring_env_peek(cb->wake.counter))))
		return;
slow:
	ring_publish(cb);
}

/**
 * ring_leave - leave a ring as a writer
 * @cb: the ring that ring_enter() returned in @to
 */
static __always_inline void ring_leave(struct ring_cpu *cb)
{
	if (unlikely(ring_depth(cb) != 1))
		WRITE_ONCE(cb->depth, ring_depth(cb) - 1);
	else
		ring_leave_outermost(cb);
	preempt_enable_notrace();
}

/* ring_reserve() after @write, which is ring_page::write of the tail @page */
static __always_inline bool ring_reserve_at(struct ring_cpu *cb, struct ring_page *page,
					    unsigned long write, unsigned long size,
					    u64 time, struct ring_buffer_event **event)
{
	u64 delta = time - ring_env_peek_local(&page->base) - (write >> RING_REL_SHIFT);
	unsigned long used = write & RING_USED_MASK;

	/* A time that went backwards is a very large delta. */
	if (unlikely(delta >= ring_env_peek(cb->delta_limit) ||
		     used + size > ring_env_peek(cb->size)))
		return false;
	if (unlikely(!local_try_cmpxchg(&page->write, (long *)&write,
					write + (delta << RING_REL_SHIFT) + size)))
		return false;

	local_inc(&page->entries);
	*event = (void *)page->data->data + used;
	ring_event_encode_short(*event, size, delta);
	return true;
}

/**
 * ring_reserve - reserve the bytes of an event
 * @buffer: the buffer
 * @cb: the ring that ring_enter() returned in @to
 * @size: return value of ring_event_size_for() for at most RING_SHORT_DATA bytes
 * @time: time of the event; 0 for the current time
 * @event: set to the event, whose header is complete
 *
 * Returns false if the fast path is not possible: the caller then uses ring_reserve_slow().
 */
static __always_inline bool ring_reserve(struct trace_buffer *buffer, struct ring_cpu *cb,
					 unsigned long size, u64 time,
					 struct ring_buffer_event **event)
{
	struct ring_page *page = ring_env_peek(cb->tail);
	unsigned long write = local_read(&page->write);

	return ring_reserve_at(cb, page, write, size, time ?: ring_clock(buffer), event);
}

/* @time: same as for ring_reserve() */
static __always_inline void *ring_write_begin_time(struct trace_buffer *buffer,
						   unsigned int length, u64 time,
						   struct ring_write *w)
{
	unsigned long size = ring_event_size_for(length);
	struct ring_buffer_event *event;

	BUILD_BUG_ON(!__builtin_constant_p(length) || length > RING_SHORT_DATA);

	if (unlikely(!ring_enter(buffer, &w->cb)))
		return NULL;
	if (likely(ring_reserve(buffer, w->cb, size, time, &event)))
		return event->array;
	event = ring_reserve_or_leave(w->cb, size);
	return event ? event->array : NULL;
}

/**
 * ring_write_begin - reserve an event of constant size
 * @buffer: buffer to write to
 * @length: length of the data, at most RING_SHORT_DATA
 * @w: state for ring_write_end()
 *
 * Returns the address of the data, to be followed by ring_write_end(); or NULL with nothing to
 * undo.
 */
static __always_inline void *ring_write_begin(struct trace_buffer *buffer,
					      unsigned int length, struct ring_write *w)
{
	return ring_write_begin_time(buffer, length, 0, w);
}

/**
 * ring_write_begin_at - reserve an event with a time stamp shortly before now
 * @buffer: buffer to write to
 * @length: length of the data, at most RING_SHORT_DATA
 * @time: time of the event by trace_clock_local(), on this CPU
 * @w: state for ring_write_end()
 *
 * Avoids reading the clock again, unless the buffer has another clock. If an interrupt has
 * written a later event in the meantime, this event gets the time when it is written.
 *
 * Context: any; preemption is disabled up to ring_write_end()
 *
 * Returns the same as ring_write_begin().
 */
static __always_inline void *ring_write_begin_at(struct trace_buffer *buffer,
						 unsigned int length, u64 time,
						 struct ring_write *w)
{
	return ring_write_begin_time(buffer, length,
				     unlikely(READ_ONCE(buffer->clock)) ? 0 : time, w);
}

/**
 * ring_write_end - make an event visible to readers
 * @w: state set by ring_write_begin()
 */
static __always_inline void ring_write_end(struct ring_write *w)
{
	ring_leave(w->cb);
}

/*
 * Most events are written by a task, by a writer that is not nested. If preemption is already
 * disabled, the common path is much cheaper if another function handles all unusual cases: then
 * the common path keeps nothing in registers for it.
 *
 *	struct ring_cpu *cb = NULL;
 *	struct my_entry *entry;
 *	void *data;
 *
 *	if (unlikely(!ring_plain_begin(buffer, sizeof(*entry), time, &cb, &data)))
 *		return my_other_function(..., cb);
 *	entry = data;
 *	entry->... = ...;
 *	ring_plain_end(cb);
 *
 * The other function calls ring_plain_undo() first, and then ring_write_begin_at().
 */

/**
 * ring_plain_begin - reserve an event of constant size in the common case
 * @buffer: buffer to write to
 * @length: length of the data, at most RING_SHORT_DATA
 * @time: time of the event by trace_clock_local(), on this CPU
 * @to: set to the ring, for ring_plain_end() or ring_plain_undo()
 * @data: set to the address of the data
 *
 * Context: a task outside of interrupts; preemption is disabled up to ring_plain_end()
 *
 * Returns false in unusual cases.
 */
static __always_inline bool ring_plain_begin(struct trace_buffer *buffer,
					     unsigned int length, u64 time,
					     struct ring_cpu **to, void **data)
{
	struct ring_cpu *cb = READ_ONCE(buffer->cpus[raw_smp_processor_id()]);
	struct ring_buffer_event *event;
	struct ring_page *page;

	BUILD_BUG_ON(!__builtin_constant_p(length) || length > RING_SHORT_DATA);

	*to = NULL;
	if (unlikely(ring_env_peek(buffer->off.counter) | ring_env_peek(cb->off.counter)) ||
	    unlikely(READ_ONCE(buffer->clock)) || unlikely(ring_depth(cb)))
		return false;

	/* The context of a task is 0, which is above frame[0]. */
	ring_push(cb, 1, 0);
	*to = cb;
	page = ring_env_peek(cb->tail);
	if (unlikely(!ring_reserve_at(cb, page, local_read(&page->write),
				      ring_event_size_for(length), time, &event)))
		return false;
	*data = event->array;
	return true;
}

/**
 * ring_plain_end - make an event visible to readers
 * @cb: the ring that ring_plain_begin() returned in @to, with a return value of true
 *
 * Context: same as ring_plain_begin(); preemption remains disabled
 */
static __always_inline void ring_plain_end(struct ring_cpu *cb)
{
	ring_leave_outermost(cb);
}

/**
 * ring_plain_undo - clean up after ring_plain_begin() returned false
 * @cb: the ring that it returned in @to
 *
 * Context: same as ring_plain_begin(); preemption remains disabled
 */
static inline void ring_plain_undo(struct ring_cpu *cb)
{
	if (cb)
		ring_leave_outermost(cb);
}

#endif /* _TRACE_RING_WRITE_H */
