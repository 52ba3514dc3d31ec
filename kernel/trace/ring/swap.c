// SPDX-License-Identifier: GPL-2.0
/*
 * Exchanging rings between buffers.
 */

#include "ring/page.h"
#include "ring/swap.h"

/* Is somebody about to change the ring, or does one of its readers have an event? */
static bool ring_is_held(struct ring_cpu *cb)
{
	/* ring_is_held:A */
	return atomic_read_acquire(&cb->buffer->consumers) ||
	       mutex_is_locked(&cb->buffer->mutex);
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

/*
 * Exchange two rings, whose locks are held and which are busy. @clear: forget what is in
 * @b before it is written.
 */
static int exchange_rings(struct ring_cpu *a, struct ring_cpu *b, bool clear)
{
	struct trace_buffer *buffer_a = a->buffer, *buffer_b = b->buffer;

	if (a->nr_slots != b->nr_slots || a->order != b->order)
		return -EINVAL;
	if (a->depth || b->depth || a->mapped || b->mapped)
		return -EBUSY;

	if (clear)
		ring_clear_now(b);
	ring_exchange(a, b);
	/* exchange_rings:A */
	smp_store_release(&buffer_a->cpus[a->cpu], b);
	/* exchange_rings:B */
	smp_store_release(&buffer_b->cpus[a->cpu], a);

	return 0;
}

/*
 * Lock the ring that a buffer has now. The CPU may be down, and others may exchange its rings
 * meanwhile: the rings of two buffers are exchanged with the lock of that of the first buffer
 * held, so nobody has the two locks in the other order. Keeps off ring_exclusive(), too.
 */
static struct ring_cpu *lock_ring(struct trace_buffer *buffer, int cpu, unsigned long *flags)
{
	struct ring_cpu *cb;

	for (;;) {
		cb = ring_of(buffer, cpu);
		if (!cb)
			return NULL;
		raw_spin_lock_irqsave(&cb->reader_lock, *flags);
		if (cb == ring_of(buffer, cpu))
			return cb;
		raw_spin_unlock_irqrestore(&cb->reader_lock, *flags);
	}
}

static int swap_rings(struct trace_buffer *buffer_a, struct trace_buffer *buffer_b,
		      int cpu, bool clear)
{
	unsigned long flags;
	struct ring_cpu *a = lock_ring(buffer_a, cpu, &flags), *b;
	int ret = -EBUSY;

	if (!a)
		return -EINVAL;
	b = ring_of(buffer_b, cpu);
	if (!b || a->saved || b->saved) {
		raw_spin_unlock_irqrestore(&a->reader_lock, flags);
		return -EINVAL;
	}

	raw_spin_lock_nested(&b->reader_lock, SINGLE_DEPTH_NESTING);
	ring_busy_begin(a);
	ring_busy_begin(b);

	if (b == buffer_b->cpus[cpu] && !ring_is_held(a) && !ring_is_held(b))
		ret = exchange_rings(a, b, clear);

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
 * rings is mapped, being changed, or between ring_buffer_consume_begin() and _end().
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

/* By ring_exclusive(): nobody is in @a, and its lock is held. */
static int exchange_with(struct ring_cpu *a, void *arg)
{
	struct ring_cpu *b = arg;
	int ret;

	raw_spin_lock_nested(&b->reader_lock, SINGLE_DEPTH_NESTING);
	ring_busy_begin(b);
	ret = exchange_rings(a, b, false);
	ring_busy_end(b);
	raw_spin_unlock(&b->reader_lock);

	return ret;
}

/**
 * ring_buffer_exchange_cpu - exchange the rings of one CPU when no writer is inside
 * @buffer: one that writers may be writing to
 * @idle: another one, into which nobody writes
 * @cpu: the CPU
 *
 * ring_buffer_swap_cpu() from any CPU, which waits for a writer that is inside. The
 * caller sees to it that nobody is between ring_buffer_consume_begin() and _end().
 *
 * Context: sleeps; cpus_read_lock() held
 *
 * Returns 0, also where @cpu was never up; -EINVAL as ring_buffer_swap_cpu(); -EBUSY if
 * one of the rings is mapped.
 */
int ring_buffer_exchange_cpu(struct trace_buffer *buffer, struct trace_buffer *idle, int cpu)
{
	struct ring_cpu *a, *b;
	int ret;

	mutex_lock(&buffer->mutex);
	mutex_lock_nested(&idle->mutex, SINGLE_DEPTH_NESTING);

	a = ring_of_locked(buffer, cpu);
	b = ring_of_locked(idle, cpu);
	if (!a && !b) {
		ret = 0;
	} else if (!a || !b || a->saved || b->saved) {
		ret = -EINVAL;
	} else if (a->mapped || b->mapped) {
		ret = -EBUSY;
	} else {
		/* A writer that looked up @b before the last exchange may be in there. */
		do
			ret = ring_exclusive(buffer, cpu, exchange_with, b);
		while (ret == -EBUSY);
	}

	mutex_unlock(&idle->mutex);
	mutex_unlock(&buffer->mutex);

	return ret;
}

/**
 * ring_buffer_add_cpus - give a buffer rings for all CPUs that another one has rings for
 * @buffer: rings that it has already stay as they are
 * @like: the other one, which is older: it may have rings of CPUs that are down now
 *
 * Takes cpus_read_lock(), may sleep. Returns 0 or -ENOMEM.
 */
int ring_buffer_add_cpus(struct trace_buffer *buffer, const struct trace_buffer *like)
{
	int cpu, ret = 0;

	guard(cpus_read_lock)();
	for_each_cpu(cpu, like->cpumask)
		ret = ret ?: trace_rb_cpu_prepare(cpu, &buffer->node);
	return ret;
}

/**
 * ring_buffer_consume_begin - keep the rings of a buffer while its events are consumed
 * @buffer: may still be resized and reset, and exchanged by ring_buffer_exchange_cpu()
 * @cpu: whose events, or RING_BUFFER_ALL_CPUS
 *
 * Until ring_buffer_consume_end() no ring of it is exchanged by ring_buffer_swap_cpu()
 * or ring_buffer_take_cpu(). So an event that ring_buffer_peek() has found is the one that
 * ring_buffer_consume() takes, and stays where it is.
 *
 * Context: where interrupts are enabled. Calls nest.
 */
void ring_buffer_consume_begin(struct trace_buffer *buffer, int cpu)
{
	atomic_inc(&buffer->consumers);
	if (cpu != RING_BUFFER_ALL_CPUS) {
		ring_settled(buffer, cpu);
	} else {
		for_each_cpu(cpu, buffer->cpumask)
			ring_settled(buffer, cpu);
	}
}

/**
 * ring_buffer_consume_end - undo one ring_buffer_consume_begin()
 * @buffer: of ring_buffer_consume_begin(), which any task may have called
 */
void ring_buffer_consume_end(struct trace_buffer *buffer)
{
	/* ring_buffer_consume_end:A */
	(void)atomic_dec_return_release(&buffer->consumers);
}
