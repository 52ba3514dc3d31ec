// SPDX-License-Identifier: GPL-2.0
/*
 * Exchanging rings between buffers.
 */

#include "ring/page.h"
#include "ring/swap.h"

/* Is the ring mapped by user space, or is somebody about to change it? */
static bool ring_is_held(struct ring_cpu *cb)
{
	return cb->mapped || mutex_is_locked(&cb->buffer->mutex);
}

/* What belongs to the buffer and not to the events. */
static void ring_exchange(struct ring_cpu *a, struct ring_cpu *b)
{
	int off = atomic_read(&a->off) - atomic_read(&b->off);

	swap(a->buffer, b->buffer);
	swap(a->room, b->room);
	swap(a->delta_limit, b->delta_limit);
	atomic_sub(off, &a->off);
	atomic_add(off, &b->off);
	a->twin = b;
	b->twin = a;
	/* A needless wake-up does no harm. */
	atomic64_or(RING_WAKE_CPU | RING_WAKE_ALL, &a->wake);
	atomic64_or(RING_WAKE_CPU | RING_WAKE_ALL, &b->wake);
}

/* As ring_exclusive() does it. Nobody is in the ring. */
static void ring_clear_now(struct ring_cpu *cb)
{
	/* A writer on its way out has perhaps not published what nested ones wrote. */
	ring_publish(cb);
	ring_clear(cb);
}

/* @clear: forget what is in @b before it is written. */
static int swap_rings(struct trace_buffer *buffer_a, struct trace_buffer *buffer_b,
		      int cpu, bool clear)
{
	struct ring_cpu *a = ring_of(buffer_a, cpu);
	struct ring_cpu *b = ring_of(buffer_b, cpu);
	unsigned long flags;
	int ret = -EBUSY;

	if (!a || !b || a->saved || b->saved)
		return -EINVAL;

	/* Keeps off ring_exclusive(), too, where the CPU is down. */
	raw_spin_lock_irqsave(&a->reader_lock, flags);
	raw_spin_lock_nested(&b->reader_lock, SINGLE_DEPTH_NESTING);
	ring_busy_begin(a);
	ring_busy_begin(b);

	if (a != buffer_a->cpus[cpu] || b != buffer_b->cpus[cpu])
		goto out;
	if (a->nr_slots != b->nr_slots || a->order != b->order) {
		ret = -EINVAL;
	} else if (!a->depth && !b->depth && !ring_is_held(a) && !ring_is_held(b)) {
		if (clear)
			ring_clear_now(b);
		ring_exchange(a, b);
		/* swap_rings:A */
		smp_store_release(&buffer_a->cpus[cpu], b);
		/* swap_rings:B */
		smp_store_release(&buffer_b->cpus[cpu], a);
		ret = 0;
	}
out:
	ring_busy_end(a);
	ring_busy_end(b);
	raw_spin_unlock(&b->reader_lock);
	raw_spin_unlock_irqrestore(&a->reader_lock, flags);
	return ret;
}

/**
 * ring_buffer_swap_cpu - exchange the rings of one CPU between two buffers
 * @buffer_a: a buffer
 * @buffer_b: another one
 * @cpu: the CPU: this one, with interrupts off, or one that is not online
 *
 * The snapshot. Waiters stay with their buffer. All callers that exchange the rings
 * of two buffers must name the buffers in the same order.
 *
 * If this interrupts a writer that has looked up its ring and is not yet inside,
 * the writer writes its event to that ring, which is in @buffer_b then. So
 * @buffer_b must not be freed before a grace period has passed.
 *
 * Returns 0; -EINVAL when the rings differ in size, one is not there, or one is in
 * memory that outlives the kernel; -EBUSY when a writer is inside, or one of the
 * rings is mapped or being changed.
 */
int ring_buffer_swap_cpu(struct trace_buffer *buffer_a,
			 struct trace_buffer *buffer_b, int cpu)
{
	return swap_rings(buffer_a, buffer_b, cpu, false);
}
EXPORT_SYMBOL_GPL(ring_buffer_swap_cpu);

/**
 * ring_buffer_take_cpu - have the events of a CPU in another buffer
 * @from: the buffer that has them, whose ring of the CPU is empty afterwards
 * @to: the other one; what its ring of the CPU had is forgotten
 * @cpu: the CPU
 *
 * ring_buffer_swap_cpu() with a ring that is empty, also in that it has counted
 * nothing. Context and return value are the same.
 */
int ring_buffer_take_cpu(struct trace_buffer *from, struct trace_buffer *to, int cpu)
{
	return swap_rings(from, to, cpu, true);
}
