/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _TRACE_RING_WRITE_H
#define _TRACE_RING_WRITE_H
/*
 * The writer's fast path, for those who want it inline.
 *
 * A tracer that writes an event of constant size on every function call spares
 * two calls and the look-up of the ring with
 *
 *	struct ring_write w;
 *	struct my_entry *entry = ring_write_begin(buffer, sizeof(*entry), &w);
 *
 *	if (entry)
 *		entry->... = ...;
 *	ring_write_end(&w);
 *
 * ring_write_end() is due in both cases. From any context; preemption is
 * disabled between the two.
 */

#include "ring/page.h"

/**
 * struct ring_write - a writer between ring_write_begin() and ring_write_end()
 * @cb: the ring; NULL when nothing is to be written
 */
struct ring_write {
	struct ring_cpu		*cb;
};

/* write.c */
struct ring_buffer_event *ring_reserve_slow(struct ring_cpu *cb, unsigned int size);
int ring_context_again(struct ring_cpu *cb, struct ring_frame *top, int context);
void ring_publish(struct ring_cpu *cb);

/*
 * A number that is larger in a context that interrupts another: the fields of
 * preempt_count() lie in that order. The lowest bit is left free.
 */
static __always_inline int ring_context(void)
{
	return preempt_count() & (NMI_MASK | HARDIRQ_MASK | SOFTIRQ_OFFSET);
}

/*
 * Note a writer in the frame above @top. A nested one may come in between any
 * two of the stores and use the same frame: it finds and leaves a context not
 * below ours, so that what it can do to us is undone by the last store.
 */
static __always_inline void ring_push(struct ring_cpu *cb, struct ring_frame *top,
				      int context)
{
	WRITE_ONCE(top[1].context, context);
	barrier();
	WRITE_ONCE(cb->top, top + 1);
	barrier();
	WRITE_ONCE(top[1].context, context);
}

/**
 * ring_enter - come in as a writer
 * @buffer: to write to
 *
 * Returns the ring of this CPU, to be left by ring_leave(), with preemption
 * disabled; or NULL when nothing is to be written: recording is off, or the
 * writer that is already inside is in this very context.
 */
static __always_inline struct ring_cpu *ring_enter(struct trace_buffer *buffer)
{
	struct ring_frame *top;
	struct ring_cpu *cb;
	int context;

	preempt_disable_notrace();
	if (unlikely(atomic_read(&buffer->off)))
		goto out;

	cb = READ_ONCE(buffer->cpus[raw_smp_processor_id()]);
	top = READ_ONCE(cb->top);
	context = ring_context();
	if (unlikely(atomic_read(&cb->off) || context <= READ_ONCE(top->context))) {
		context = ring_context_again(cb, top, context);
		if (context < 0)
			goto out;
	}
	ring_push(cb, top, context);
	return cb;
out:
	preempt_enable_notrace();
	return NULL;
}

/**
 * ring_leave - go out as a writer
 * @cb: what ring_enter() returned
 *
 * The outermost writer makes all that was written since it came in readable.
 * While it is at it others may come and leave that to it, so it looks once
 * more after it has gone.
 */
static __always_inline void ring_leave(struct ring_cpu *cb)
{
	struct ring_frame *top = cb->top - 1;
	struct ring_page *page;
	unsigned long write;

	if (unlikely(top != cb->frame)) {
		WRITE_ONCE(cb->top, top);
		goto out;
	}

	page = cb->commit;
	write = local_read(&page->write);
	if (unlikely(write & RING_CLOSED))
		goto slow;

	/* ring_leave:A */
	smp_store_release(&page->data->commit, write & RING_OFFSET_MASK);
	barrier();
	WRITE_ONCE(cb->top, top);
	barrier();

	/* ring_leave:B */
	if (likely(local_read(&page->write) == write && !atomic_read(&cb->wake)))
		goto out;
slow:
	ring_publish(cb);
out:
	preempt_enable_notrace();
}

/**
 * ring_reserve - take the bytes of an event
 * @buffer: whose ring
 * @cb: what ring_enter() returned
 * @size: what ring_event_size_for() gave
 *
 * Returns the event, its header complete, or NULL: there was no room.
 */
static __always_inline struct ring_buffer_event *
ring_reserve(struct trace_buffer *buffer, struct ring_cpu *cb, unsigned int size)
{
	struct ring_page *page = READ_ONCE(cb->tail);
	unsigned long write = local_read(&page->write);
	u64 stamp = ring_clock(buffer);
	u64 delta = stamp - local_read(&page->base) - (write >> RING_REL_SHIFT);
	unsigned int room = write & RING_ROOM_MASK;
	struct ring_buffer_event *event;

	/* A time that went back is a very long delta. */
	if (unlikely(delta >= cb->delta_limit || room + size > cb->size))
		return ring_reserve_slow(cb, size);
	if (unlikely(!local_try_cmpxchg(&page->write, (long *)&write,
					write + (delta << RING_REL_SHIFT) + size)))
		return ring_reserve_slow(cb, size);

	local_inc(&page->entries);
	cb->top->stamp = stamp;
	event = (void *)page->data->data + room;
	ring_event_encode(event, size, delta);
	return event;
}

/**
 * ring_write_begin - take room for an event of constant size
 * @buffer: to write to
 * @length: of the data, at most RING_SHORT_DATA
 * @w: for ring_write_end(), to be called whatever this returns
 *
 * Returns where to put the data, or NULL.
 */
static __always_inline void *ring_write_begin(struct trace_buffer *buffer,
					      unsigned int length,
					      struct ring_write *w)
{
	struct ring_buffer_event *event;

	BUILD_BUG_ON(!__builtin_constant_p(length) || length > RING_SHORT_DATA);

	w->cb = ring_enter(buffer);
	if (unlikely(!w->cb))
		return NULL;
	event = ring_reserve(buffer, w->cb, ring_event_size_for(length));
	return likely(event) ? event->array : NULL;
}

/**
 * ring_write_end - make readable what was written
 * @w: of ring_write_begin()
 */
static __always_inline void ring_write_end(struct ring_write *w)
{
	if (likely(w->cb))
		ring_leave(w->cb);
}

#endif /* _TRACE_RING_WRITE_H */
