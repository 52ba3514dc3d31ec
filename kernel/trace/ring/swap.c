// SPDX-License-Identifier: GPL-2.0
/*
 * Exchange of rings between buffers.
 */

#include "ring/page.h"
#include "ring/swap.h"

/* Is the ring about to be changed, or does a reader hold one of its events? */
static bool ring_is_held(struct ring_cpu *cb)
{
	/* ring_is_held:A: consumers before the exchange; pairs with ring_buffer_consume_end:A */
	return atomic_read_acquire(&cb->buffer->consumers) ||
	       mutex_is_locked(&cb->buffer->mutex);
}

/* State of a ring that belongs to its buffer, and not to its events. */
struct ring_place {
	struct trace_buffer	*buffer;
	unsigned long		requested;
	u64			delta_limit;
	unsigned int		swaps;
	int			off;
};

static struct ring_place ring_place_of(struct ring_cpu *cb)
{
	return (struct ring_place){
		.buffer		= cb->buffer,
		.requested	= cb->requested,
		.delta_limit	= cb->delta_limit,
		.swaps		= cb->swaps,
		/* do not include ring_block_writers() */
		.off		= atomic_read(&cb->off) - !!READ_ONCE(cb->busy),
	};
}

static void ring_put(struct ring_cpu *cb, const struct ring_place *place, struct ring_cpu *twin)
{
	int off = place->off - ring_place_of(cb).off;

	WRITE_ONCE(cb->buffer, place->buffer);
	cb->requested = place->requested;
	WRITE_ONCE(cb->delta_limit, place->delta_limit);
	WRITE_ONCE(cb->swaps, place->swaps);
	WRITE_ONCE(cb->mixed, false);
	atomic_add(off, &cb->off);
	cb->twin = twin;
	/* A spurious wakeup is harmless. */
	atomic64_or(RING_WAKE_CPU | RING_WAKE_ALL, &cb->wake);
}

/* Clear a ring as ring_run_exclusive() would. No writer is inside. */
static void ring_clear_now(struct ring_cpu *cb)
{
	/* A writer that is leaving may not have published the events of nested writers. */
	ring_publish(cb);
	ring_clear(cb);
}

/*
 * Exchange two rings, whose locks are held, with interrupts off on the CPU. @clear: drop the
 * content of @b before it is written to.
 *
 * NMIs may write concurrently, and so may traced functions that are called from here: they
 * write to @a, which is unchanged, until the buffer of @a points to @b; and then to @b, which
 * is complete.
 */
static int ring_exchange(struct ring_cpu *a, struct ring_cpu *b, bool clear)
{
	struct ring_place place_a = ring_place_of(a), place_b = ring_place_of(b);

	if (a->nr_slots != b->nr_slots || a->order != b->order)
		return -EINVAL;
	if (a->depth || b->depth || a->mapped || b->mapped)
		return -EBUSY;

	/* As in ring_clear_now(): @a is read from now on, and no longer written to. */
	ring_publish(a);
	if (clear)
		ring_clear_now(b);
	ring_put(b, &place_a, a);
	/* ring_exchange:A: state of @b before the pointer to it; pairs with ring_of:A */
	smp_store_release(&place_a.buffer->cpus[a->cpu], b);
	ring_put(a, &place_b, b);
	/* ring_exchange:B: state of @a before the pointer to it; pairs with ring_of:A */
	smp_store_release(&place_b.buffer->cpus[a->cpu], a);

	return 0;
}

/* Function that exchanges two rings, in the way of ring_exchange(). */
typedef int (*exchange_t)(struct ring_cpu *a, struct ring_cpu *b);

static int ring_exchange_and_keep(struct ring_cpu *a, struct ring_cpu *b)
{
	return ring_exchange(a, b, false);
}

/* An event that is written during the exchange belongs to the new ring. */
static void ring_swaps_done(struct ring_cpu *cb, unsigned int swaps)
{
	WRITE_ONCE(cb->swaps, swaps);
	barrier();
	WRITE_ONCE(cb->mixed, false);
}

/* Exchanges that were requested before are no longer needed. */
static int ring_exchange_and_clear(struct ring_cpu *a, struct ring_cpu *b)
{
	struct trace_buffer *buffer = a->buffer;
	int ret = ring_exchange(a, b, true);

	if (!ret)
		ring_swaps_done(b, atomic_read(&buffer->swaps));
	return ret;
}

/* Number of exchanges of the ring that were requested and are still pending. */
static unsigned int ring_swaps_left(struct trace_buffer *buffer, struct ring_cpu *cb)
{
	/* A ring that has just been moved to the spare buffer counts as having some left. */
	return atomic_read(&buffer->swaps) - READ_ONCE(cb->swaps);
}

/*
 * Complete the requested exchanges. If no event was written since the first of several
 * requests, the next request has no events to save, and drops those that the first one saved.
 * More than two requests have the same effect as two. If events were written since, they are
 * kept, along with the events from before.
 */
static int ring_exchange_pending(struct ring_cpu *a, struct ring_cpu *b)
{
	struct trace_buffer *buffer = a->buffer;
	unsigned int swaps = atomic_read(&buffer->swaps), left = swaps - a->swaps;
	bool keep = READ_ONCE(a->mixed) || READ_ONCE(buffer->swap_keep);
	int ret;

	if (!left)
		return 0;
	ret = ring_exchange(a, b, true);
	if (!ret && left > 1 && !keep) {
		ret = ring_exchange(b, a, true);
		b = a;
	}
	if (!ret)
		ring_swaps_done(b, swaps);
	return ret;
}

/* Called with both locks held. */
static int ring_exchange_locked(struct ring_cpu *a, struct ring_cpu *b, exchange_t exchange)
{
	if (ring_is_held(a) || ring_is_held(b))
		return -EBUSY;
	return exchange(a, b);
}

/*
 * Exchange the rings of a CPU. The CPU may be offline, and another CPU may exchange its rings
 * concurrently: two buffers are always passed in the same order, and the lock of the first
 * buffer's ring is held, so the two locks are never taken in the opposite order. Also excludes
 * ring_run_exclusive().
 */
static int ring_swap(struct trace_buffer *buffer_a, struct trace_buffer *buffer_b,
		     int cpu, exchange_t exchange)
{
	struct ring_cpu *a, *b;
	unsigned long flags;
	int ret = -EINVAL;

	for (;;) {
		a = ring_of(buffer_a, cpu);
		if (!a)
			return -EINVAL;
		raw_spin_lock_irqsave(&a->reader_lock, flags);
		if (a == ring_of(buffer_a, cpu))
			break;
		raw_spin_unlock_irqrestore(&a->reader_lock, flags);
	}

	b = ring_of(buffer_b, cpu);
	if (b && !a->saved && !b->saved) {
		raw_spin_lock_nested(&b->reader_lock, SINGLE_DEPTH_NESTING);
		ret = -EBUSY;
		if (b == ring_of(buffer_b, cpu))
			ret = ring_exchange_locked(a, b, exchange);
		raw_spin_unlock(&b->reader_lock);
	}
	raw_spin_unlock_irqrestore(&a->reader_lock, flags);
	return ret;
}

/*
 * With the lock of @a held, try to take the lock of @b. Both rings must still belong to their
 * buffers.
 */
static bool ring_try_pending_with(struct trace_buffer *buffer, struct ring_cpu *a,
				  struct trace_buffer *spare, struct ring_cpu *b)
{
	bool done = false;

	if (!raw_spin_trylock(&b->reader_lock))
		return false;
	if (a == ring_of(buffer, a->cpu) && b == ring_of(spare, a->cpu))
		done = !ring_exchange_locked(a, b, ring_exchange_pending);
	raw_spin_unlock(&b->reader_lock);
	return done;
}

static bool ring_try_pending_both(struct trace_buffer *buffer, struct ring_cpu *a,
				  struct trace_buffer *spare, struct ring_cpu *b)
{
	bool done;

	if (!raw_spin_trylock(&a->reader_lock))
		return false;
	done = ring_try_pending_with(buffer, a, spare, b);
	raw_spin_unlock(&a->reader_lock);
	return done;
}

/*
 * Try to complete requested exchanges like ring_swap(), without waiting for a lock: a writer
 * may be called with any lock held. Returns true if @a, the ring of this CPU, was exchanged.
 */
static bool ring_try_pending(struct trace_buffer *buffer, struct ring_cpu *a)
{
	/* ring_try_pending:A: address dependency; pairs with ring_buffer_swap_with:A */
	struct trace_buffer *spare = READ_ONCE(buffer->swap_with);
	struct ring_cpu *b = spare ? ring_of(spare, a->cpu) : NULL;
	unsigned long flags;
	bool done;

	if (!b)
		return false;

	local_irq_save(flags);
	done = ring_try_pending_both(buffer, a, spare, b);
	local_irq_restore(flags);
	return done;
}

/**
 * ring_swap_pending - complete requested exchanges, as a writer
 * @buffer: buffer that is about to be written to
 * @cb: its ring of this CPU
 *
 * Nothing changes if an exchange is impossible: inside an interrupted writer, in an NMI, while
 * a reader has the ring or it is being resized. Then the event is written to @cb, and the
 * requests remain pending.
 *
 * Context: any, with preemption disabled
 */
void ring_swap_pending(struct trace_buffer *buffer, struct ring_cpu *cb)
{
	bool done = false;

	if (!ring_swaps_left(buffer, cb))
		return;
	/* Locks are traced: writers called by them must not try the same. */
	if (!ring_env_peek(cb->depth) && !READ_ONCE(cb->swapping) && ring_env_may_lock()) {
		WRITE_ONCE(cb->swapping, true);
		barrier();
		done = ring_try_pending(buffer, cb);
		barrier();
		WRITE_ONCE(cb->swapping, false);
	}
	if (!done)
		WRITE_ONCE(cb->mixed, true);
}

/**
 * ring_buffer_swap_cpu - exchange the rings of one CPU between two buffers
 * @buffer_a: a buffer
 * @buffer_b: another buffer
 * @cpu: the CPU: this one, with interrupts off, or one that is not online
 *
 * Used for snapshots. Waiters stay with their buffer. All callers that exchange the rings of
 * two buffers must pass the buffers in the same order.
 *
 * If this interrupts a writer that has looked up its ring and is not yet inside, the writer
 * writes its event to that ring, which then belongs to @buffer_b. So @buffer_b must not be
 * freed before a grace period has passed.
 *
 * Returns 0; -EINVAL if the rings differ in size, one does not exist, or one is in memory that
 * outlives the kernel; -EBUSY if a writer is inside, or one of the rings is mapped, being
 * changed, or between ring_buffer_consume_begin() and _end().
 */
int ring_buffer_swap_cpu(struct trace_buffer *buffer_a,
			 struct trace_buffer *buffer_b, int cpu)
{
	return ring_swap(buffer_a, buffer_b, cpu, ring_exchange_and_keep);
}
EXPORT_SYMBOL_GPL(ring_buffer_swap_cpu);

/**
 * ring_buffer_take_cpu - move the events of a CPU to another buffer
 * @from: buffer with the events; its ring of the CPU is empty afterwards
 * @to: the other buffer; the content of its ring of the CPU is dropped
 * @cpu: the CPU
 *
 * Same as ring_buffer_swap_cpu() with an empty ring whose counts are also 0. Context and return
 * value are the same.
 */
int ring_buffer_take_cpu(struct trace_buffer *from, struct trace_buffer *to, int cpu)
{
	return ring_swap(from, to, cpu, ring_exchange_and_clear);
}

/* Arguments of ring_exchange_with(). */
struct ring_with {
	struct ring_cpu	*with;
	exchange_t	exchange;
};

/* Called by ring_run_exclusive(): no writer is inside @a, and its lock is held. */
static int ring_exchange_with(struct ring_cpu *a, void *arg)
{
	struct ring_with *how = arg;
	struct ring_cpu *b = how->with;
	int ret;

	raw_spin_lock_nested(&b->reader_lock, SINGLE_DEPTH_NESTING);
	ret = how->exchange(a, b);
	raw_spin_unlock(&b->reader_lock);

	return ret;
}

/* ring_swap() at a time when no writer is inside, with cpus_read_lock() held. */
static int ring_exchange_alone(struct trace_buffer *buffer, struct trace_buffer *idle, int cpu,
			       exchange_t exchange)
{
	struct ring_with how = { .exchange = exchange };
	struct ring_cpu *a, *b;
	int ret;

	mutex_lock(&buffer->mutex);
	mutex_lock_nested(&idle->mutex, SINGLE_DEPTH_NESTING);

	a = ring_of_locked(buffer, cpu);
	b = ring_of_locked(idle, cpu);
	how.with = b;
	if (!a && !b) {
		ret = 0;
	} else if (!a || !b || a->saved || b->saved) {
		ret = -EINVAL;
	} else if (a->mapped || b->mapped) {
		ret = -EBUSY;
	} else {
		/* A writer that looked up @b before the last exchange may be inside it. */
		do
			ret = ring_run_exclusive(buffer, cpu, ring_exchange_with, &how);
		while (ret == -EBUSY);
	}

	mutex_unlock(&idle->mutex);
	mutex_unlock(&buffer->mutex);

	return ret;
}

/**
 * ring_buffer_exchange_cpu - exchange the rings of one CPU when no writer is inside
 * @buffer: buffer that may be written to concurrently
 * @idle: another buffer, without writers
 * @cpu: the CPU
 *
 * Same as ring_buffer_swap_cpu(), but for callers on any CPU; waits for a writer that is
 * inside. The caller ensures that no task is between ring_buffer_consume_begin() and _end().
 *
 * Context: sleeps; cpus_read_lock() held
 *
 * Returns 0, also if @cpu was never online; -EINVAL like ring_buffer_swap_cpu(); -EBUSY if one
 * of the rings is mapped.
 */
int ring_buffer_exchange_cpu(struct trace_buffer *buffer, struct trace_buffer *idle, int cpu)
{
	return ring_exchange_alone(buffer, idle, cpu, ring_exchange_and_keep);
}

/**
 * ring_buffer_swap_with - set the buffer that rings are exchanged with on request
 * @buffer: the buffer that is written to
 * @spare: a buffer without writers; NULL: refuse requests from now on
 * @keep: several exchanges that a CPU has not made yet count as one: no events are dropped
 *
 * The previous spare buffer may be in use until a grace period has passed. Callers must
 * serialize this function, ring_buffer_swap_finish() and ring_buffer_swap_drop().
 */
void ring_buffer_swap_with(struct trace_buffer *buffer, struct trace_buffer *spare, bool keep)
{
	WRITE_ONCE(buffer->swap_keep, keep);
	/* ring_buffer_swap_with:A: spare before the pointer; pairs with ring_try_pending:A */
	smp_store_release(&buffer->swap_with, spare);
}

/**
 * ring_buffer_swap_request - request a move of the current events to the spare buffer
 * @buffer: the buffer, after ring_buffer_swap_with()
 *
 * The content of the spare buffer is dropped. Recording continues: each CPU exchanges its ring
 * when it writes the next event, which is the first event in the new ring. An event that is
 * written in a context where rings cannot be exchanged, see ring_swap_pending(), is written to
 * the old ring. The caller ensures that ring_buffer_swap_finish() is called soon, for CPUs that
 * do not write.
 *
 * Context: any
 *
 * Returns false if there is no spare buffer.
 */
bool ring_buffer_swap_request(struct trace_buffer *buffer)
{
	if (!READ_ONCE(buffer->swap_with))
		return false;

	atomic_inc(&buffer->swaps);
	/* ring_buffer_swap_request:A: swaps before off; pairs with ring_context_again:A */
	(void)atomic_add_return_release(RING_SWAP_REQUEST, &buffer->off);
	atomic_or(RING_SWAP_PENDING, &buffer->off);
	return true;
}

/**
 * ring_buffer_swap_pending - check whether a requested exchange is not finished
 * @buffer: the buffer
 */
bool ring_buffer_swap_pending(struct trace_buffer *buffer)
{
	return atomic_read(&buffer->off) & RING_SWAP_MASK;
}

/* Clear the pending state, unless an exchange was requested since @seen was read. */
static void ring_swaps_end(struct trace_buffer *buffer, int seen, int swaps)
{
	int off = atomic_read(&buffer->off);

	do {
		/* The number in @off recurs after some hundred requests. */
		if ((off ^ seen) & RING_SWAP_MASK || atomic_read(&buffer->swaps) != swaps)
			return;
		/* ring_swaps_end:A: exchanges before off; pairs with ring_context_again:A */
	} while (!atomic_try_cmpxchg(&buffer->off, &off, off & ~RING_SWAP_MASK));
}

/* Arguments of ring_try_here(). */
struct ring_try {
	struct trace_buffer	*buffer;
	int			cpu;
};

/* Runs on the CPU with interrupts off, or on behalf of an offline CPU. */
static void ring_try_here(void *info)
{
	struct ring_try *try = info;

	/* If this fails, ring_finish_cpu() sees that requests are left. */
	ring_swap(try->buffer, try->buffer->swap_with, try->cpu, ring_exchange_pending);
}

static int ring_finish_cpu(struct trace_buffer *buffer, int cpu)
{
	struct ring_try try = { .buffer = buffer, .cpu = cpu };
	struct ring_cpu *cb = ring_of(buffer, cpu);
	unsigned long flags;

	if (!cb || !ring_swaps_left(buffer, cb))
		return 0;

	preempt_disable();
	if (cpu == smp_processor_id() || !cpu_online(cpu)) {
		local_irq_save(flags);
		ring_try_here(&try);
		local_irq_restore(flags);
	} else {
		smp_call_function_single(cpu, ring_try_here, &try, 1);
	}
	preempt_enable();

	cb = ring_of(buffer, cpu);
	if (!ring_swaps_left(buffer, cb))
		return 0;
	return ring_exchange_alone(buffer, buffer->swap_with, cpu, ring_exchange_pending);
}

/**
 * ring_buffer_swap_finish - complete the requested exchanges
 * @buffer: the buffer, with its spare buffer
 *
 * Requests that are made concurrently may be left. The caller ensures that no task is between
 * ring_buffer_consume_begin() and _end().
 *
 * Context: sleeps; cpus_read_lock() held
 *
 * Returns 0; or an error of ring_buffer_exchange_cpu(), while exchanges are pending.
 */
int ring_buffer_swap_finish(struct trace_buffer *buffer)
{
	/* ring_buffer_swap_finish:A: off before swaps; pairs with ring_buffer_swap_request:A */
	int seen = atomic_read_acquire(&buffer->off), swaps, cpu, ret = 0, one;

	if (!(seen & RING_SWAP_MASK))
		return 0;
	swaps = atomic_read(&buffer->swaps);

	for_each_cpu(cpu, buffer->cpumask) {
		one = ring_finish_cpu(buffer, cpu);
		ret = ret ?: one;
	}
	if (!ret)
		ring_swaps_end(buffer, seen, swaps);
	return ret;
}

/**
 * ring_buffer_swap_drop - cancel requested exchanges
 * @buffer: the buffer; some CPUs may have made their exchanges already
 *
 * Context: sleeps
 */
void ring_buffer_swap_drop(struct trace_buffer *buffer)
{
	int cpu, seen, swaps;
	struct ring_cpu *cb;
	unsigned long flags;

	if (!ring_buffer_swap_pending(buffer))
		return;

	guard(mutex)(&buffer->mutex);

	/* ring_buffer_swap_drop:A: off before swaps; pairs with ring_buffer_swap_request:A */
	seen = atomic_read_acquire(&buffer->off);
	swaps = atomic_read(&buffer->swaps);
	for_each_cpu(cpu, buffer->cpumask) {
		cb = ring_of_locked(buffer, cpu);
		raw_spin_lock_irqsave(&cb->reader_lock, flags);
		ring_swaps_done(cb, swaps);
		raw_spin_unlock_irqrestore(&cb->reader_lock, flags);
	}
	ring_swaps_end(buffer, seen, swaps);
}

/**
 * ring_buffer_add_cpus - add rings for all CPUs that have a ring in another buffer
 * @buffer: the buffer; its existing rings are unchanged
 * @like: the other buffer, which is older: it may have rings of CPUs that are offline now
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
 * ring_buffer_consume_begin - prevent exchange of rings while events are consumed
 * @buffer: the buffer; may still be resized and reset, and exchanged by
 *	ring_buffer_exchange_cpu()
 * @cpu: CPU whose events are consumed, or RING_BUFFER_ALL_CPUS
 *
 * Until ring_buffer_consume_end() its rings are not exchanged by ring_buffer_swap_cpu() or
 * ring_buffer_take_cpu(). So an event that ring_buffer_peek() has found is the one that
 * ring_buffer_consume() returns, and remains valid.
 *
 * Context: interrupts enabled. Calls nest.
 */
void ring_buffer_consume_begin(struct trace_buffer *buffer, int cpu)
{
	atomic_inc(&buffer->consumers);
	if (cpu != RING_BUFFER_ALL_CPUS) {
		ring_get_stable(buffer, cpu);
	} else {
		for_each_cpu(cpu, buffer->cpumask)
			ring_get_stable(buffer, cpu);
	}
}

/**
 * ring_buffer_consume_end - undo one ring_buffer_consume_begin()
 * @buffer: the buffer; any task may have called ring_buffer_consume_begin()
 */
void ring_buffer_consume_end(struct trace_buffer *buffer)
{
	/* ring_buffer_consume_end:A: reads of events before consumers; pairs with ring_is_held:A */
	(void)atomic_dec_return_release(&buffer->consumers);
}
