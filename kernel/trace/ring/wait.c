// SPDX-License-Identifier: GPL-2.0
/*
 * Waiting for events.
 *
 * A writer may run in any context, with any lock held, or in an NMI: it cannot wake a task
 * directly. It queues an irq_work that does. After each event it checks for waiters with one
 * plain load, so a writer may miss a waiter that arrives at the same time. The waiter
 * compensates for that: a grace period after it has announced itself, every writer that may
 * have missed it has left, and if there are events to read by then, the waiters are woken
 * (ring_arm()). A writer where RCU is not watching, such as in an idle task, may be missed; the
 * next event or waiter compensates for that.
 */

#include <kunit/visibility.h>

#include "ring/page.h"

/* ring_wait::check */
enum ring_check {
	RING_CHECK_IDLE,	/* no grace period is pending */
	RING_CHECK_RUNS,	/* one is pending */
	RING_CHECK_AGAIN,	/* one is pending, and another one must follow */
};

/**
 * struct ring_wait - tasks that wait for one ring, or for any ring of a buffer
 * @queue: tasks that wait for an event
 * @full_queue: tasks that wait for a percentage of pages with events
 * @buffer: buffer that it belongs to, even if the ring is moved to another buffer
 * @cpu: CPU of the ring, or RING_BUFFER_ALL_CPUS
 * @work: wakes both queues
 * @full: lowest percentage that a task waits for; 0: no task waits for one
 * @check: enum ring_check
 * @rcu: the grace period
 * @woken: number of calls of ring_buffer_wake_waiters()
 */
struct ring_wait {
	wait_queue_head_t	queue;
	wait_queue_head_t	full_queue;
	struct trace_buffer	*buffer;
	int			cpu;
	struct irq_work		work;
	int			full;
	atomic_t		check;
	struct rcu_head		rcu;
	atomic_t		woken;
};

static void ring_wait_work(struct irq_work *work)
{
	struct ring_wait *wait = container_of(work, struct ring_wait, work);

	wake_up_all(&wait->queue);
	wake_up_all(&wait->full_queue);
}

/**
 * ring_wait_alloc - allocate a ring_wait
 * @buffer: buffer that it belongs to
 * @cpu: CPU of the ring, or RING_BUFFER_ALL_CPUS
 *
 * Returns NULL when out of memory.
 */
struct ring_wait *ring_wait_alloc(struct trace_buffer *buffer, int cpu)
{
	struct ring_wait *wait = kzalloc(sizeof(*wait), GFP_KERNEL);

	if (!wait)
		return NULL;
	wait->buffer = buffer;
	wait->cpu = cpu;
	init_waitqueue_head(&wait->queue);
	init_waitqueue_head(&wait->full_queue);
	init_irq_work(&wait->work, ring_wait_work);
	return wait;
}

/**
 * ring_wait_free - free a ring_wait without waiting tasks
 * @wait: queue from ring_wait_alloc(), or NULL
 */
void ring_wait_free(struct ring_wait *wait)
{
	if (!wait)
		return;
	if (ring_tasks_run())
		irq_work_sync(&wait->work);
	while (atomic_read(&wait->check) != RING_CHECK_IDLE)
		rcu_barrier();
	kfree(wait);
}

/**
 * ring_wake - wake waiters for an event, or for the writers to leave
 * @cb: a ring that writers have left
 */
void ring_wake(struct ring_cpu *cb)
{
	/* ring_wake:A: commit before wake is cleared; pairs with ring_arm_cpu:A */
	s64 wake = atomic64_xchg(&cb->wake, 0);

	struct trace_buffer *buffer = READ_ONCE(cb->buffer);

	if (wake & RING_WAKE_CPU)
		irq_work_queue(&buffer->waits[cb->cpu]->work);
	if (wake & RING_WAKE_ALL)
		irq_work_queue(&buffer->wait->work);
	if (wake & RING_WAKE_CALL)
		irq_work_queue(&cb->call_work);
}

/*
 * Do @full percent of the pages have events, and at least one page? The page that is being
 * written counts, also if it is the reader page.
 */
static bool ring_is_full_enough(struct ring_cpu *cb, int full)
{
	unsigned long pages;

	if (!cb)
		return false;
	pages = max(ring_dirty(cb), 1UL);
	return pages * 100 >= (unsigned long)full * READ_ONCE(cb->nr_slots);
}

static void ring_wake_full_at(struct ring_wait *wait, struct ring_cpu *cb)
{
	int full = READ_ONCE(wait->full);

	if (!full || !ring_is_full_enough(cb, full))
		return;
	WRITE_ONCE(wait->full, 0);
	irq_work_queue(&wait->work);
}

/**
 * ring_wake_full - wake the tasks that wait for pages with events, if there are enough
 * @cb: a ring whose writer moved to another page
 */
void ring_wake_full(struct ring_cpu *cb)
{
	struct trace_buffer *buffer = READ_ONCE(cb->buffer);

	ring_wake_full_at(buffer->waits[cb->cpu], cb);
	ring_wake_full_at(buffer->wait, cb);
}

/**
 * ring_wake_resized - make waiting tasks check their condition again
 * @cb: a ring whose number of pages changed: the filled percentage may be high enough now
 */
void ring_wake_resized(struct ring_cpu *cb)
{
	if (!ring_tasks_run())
		return;
	irq_work_queue(&cb->buffer->waits[cb->cpu]->work);
	irq_work_queue(&cb->buffer->wait->work);
}

/* Returns NULL if @cpu has no ring. */
static struct ring_wait *ring_wait_of(struct trace_buffer *buffer, int cpu)
{
	if (cpu == RING_BUFFER_ALL_CPUS)
		return buffer->wait;
	if ((unsigned int)cpu >= nr_cpu_ids)
		return NULL;
	/* ring_wait_of:A: address dependency; pairs with ring_cpu_add:A */
	return READ_ONCE(buffer->waits[cpu]);
}

/* Is the condition of a waiter met? */
static bool ring_ready(struct trace_buffer *buffer, int cpu, int full)
{
	if (cpu != RING_BUFFER_ALL_CPUS) {
		if (ring_buffer_empty_cpu(buffer, cpu))
			return false;
		return !full || ring_is_full_enough(ring_of(buffer, cpu), full);
	}
	if (!full)
		return !ring_buffer_empty(buffer);
	for_each_cpu(cpu, buffer->cpumask) {
		if (ring_ready(buffer, cpu, full))
			return true;
	}
	return false;
}

static void ring_check(struct rcu_head *rcu)
{
	struct ring_wait *wait = container_of(rcu, struct ring_wait, rcu);

	if (ring_ready(wait->buffer, wait->cpu, 0)) {
		wake_up_all(&wait->queue);
		wake_up_all(&wait->full_queue);
	}

	/* ring_check:A: count before the next grace period; pairs with ring_arm:A, ring_arm:C */
	if (atomic_dec_return(&wait->check) != RING_CHECK_IDLE)
		call_rcu_hurry(&wait->rcu, ring_check);
}

/*
 * Request that the next writer which leaves the ring of @cpu wakes the tasks of @wait. Returns
 * true if this was not requested before.
 */
static bool ring_arm_cpu(struct ring_wait *wait, int cpu, int full)
{
	int bit = wait->cpu == RING_BUFFER_ALL_CPUS ? RING_WAKE_ALL : RING_WAKE_CPU;
	struct trace_buffer *buffer = wait->buffer;
	struct ring_cpu *cb, *same;
	bool fresh = false;

	for (cb = ring_of(buffer, cpu); cb; cb = same) {
		/* A single event matters only if enough pages are filled already. */
		if (full && !ring_is_full_enough(cb, full))
			break;
		/* ring_arm_cpu:A: wake before check and commit; pairs with ring_wake:A */
		if (!(atomic64_fetch_or(bit, &cb->wake) & bit))
			fresh = true;
		/* The ring may have been exchanged for another one. */
		same = ring_of(buffer, cpu);
		if (same == cb)
			break;
	}
	return fresh;
}

/*
 * Wake all waiters at the lowest requested fill level; waiters with a higher level go back to
 * sleep.
 */
static void ring_arm_full(struct ring_wait *wait, int full)
{
	int old = READ_ONCE(wait->full);

	while (!old || full < old) {
		if (try_cmpxchg_relaxed(&wait->full, &old, full))
			break;
	}
}

/* Request that writers wake the tasks of @wait. Must be followed by ring_ready(). */
static void ring_arm(struct ring_wait *wait, int full)
{
	bool fresh = false;
	int cpu, old;

	if (full)
		ring_arm_full(wait, full);
	/* ring_arm:B: ring_wait::full before commit_seq; pairs with ring_publish:B */
	smp_mb();

	if (wait->cpu == RING_BUFFER_ALL_CPUS) {
		for_each_cpu(cpu, wait->buffer->cpumask)
			fresh |= ring_arm_cpu(wait, cpu, full);
	} else {
		fresh = ring_arm_cpu(wait, wait->cpu, full);
	}
	if (!fresh)
		return;

	/* ring_arm:A: after wake is set, by ring_arm_cpu:A; pairs with ring_check:A */
	old = atomic_read(&wait->check);
	while (old != RING_CHECK_AGAIN) {
		/* ring_arm:C: wake before check; pairs with ring_check:A */
		if (atomic_try_cmpxchg(&wait->check, &old, old + 1))
			break;
	}
	if (old == RING_CHECK_IDLE)
		call_rcu_hurry(&wait->rcu, ring_check);
}

/**
 * ring_buffer_wait - wait for events
 * @buffer: buffer to read
 * @cpu: CPU of the ring, or RING_BUFFER_ALL_CPUS for any ring
 * @full: 0: wait for an event; otherwise, percentage of the pages of a ring that must have
 *	events
 * @cond: the wait ends when it returns true; NULL: ring_buffer_wake_waiters() ends the wait
 * @data: argument of @cond
 *
 * To end the waits of some tasks but not of all, make their @cond true and call
 * ring_buffer_wake_waiters().
 *
 * Returns 0, also if there is nothing to read; -ERESTARTSYS for a signal, so that a reader
 * which was stopped, or whose handler has SA_RESTART, continues to wait; -ENODEV if @cpu has no
 * ring.
 */
int ring_buffer_wait(struct trace_buffer *buffer, int cpu, int full,
		     ring_buffer_cond_fn cond, void *data)
{
	struct ring_wait *wait = ring_wait_of(buffer, cpu);
	wait_queue_head_t *queue;
	DEFINE_WAIT(entry);
	int woken, ret = 0;

	if (!wait)
		return -ENODEV;

	queue = full ? &wait->full_queue : &wait->queue;
	woken = atomic_read(&wait->woken);
	for (;;) {
		prepare_to_wait(queue, &entry, TASK_INTERRUPTIBLE);
		ring_arm(wait, full);
		if (ring_ready(buffer, cpu, full))
			break;
		if (cond ? cond(data) : woken != atomic_read(&wait->woken))
			break;
		if (signal_pending(current)) {
			ret = -ERESTARTSYS;
			break;
		}
		schedule();
	}
	finish_wait(queue, &entry);
	return ret;
}
EXPORT_SYMBOL_IF_KUNIT(ring_buffer_wait);

/**
 * ring_buffer_poll_wait - poll() for events
 * @buffer: buffer to read
 * @cpu: CPU of the ring, or RING_BUFFER_ALL_CPUS for any ring
 * @filp: the file
 * @poll_table: argument of poll()
 * @full: same as for ring_buffer_wait()
 *
 * Returns EPOLLIN | EPOLLRDNORM if there are events, EPOLLERR if @cpu has no ring, otherwise 0.
 */
__poll_t ring_buffer_poll_wait(struct trace_buffer *buffer, int cpu,
			       struct file *filp, poll_table *poll_table, int full)
{
	struct ring_wait *wait = ring_wait_of(buffer, cpu);

	if (!wait)
		return EPOLLERR;

	poll_wait(filp, full ? &wait->full_queue : &wait->queue, poll_table);
	ring_arm(wait, full);
	return ring_ready(buffer, cpu, full) ? EPOLLIN | EPOLLRDNORM : 0;
}

/**
 * ring_buffer_wake_waiters - make waiting tasks check again, or end their waits
 * @buffer: the buffer; nothing happens if @cpu has no ring in it
 * @cpu: CPU of the ring, or RING_BUFFER_ALL_CPUS for all waiters
 *
 * Tasks in ring_buffer_wait() call their condition; without one, their wait ends. Tasks in
 * poll() check for events. Any context; early in boot no task waits.
 */
void ring_buffer_wake_waiters(struct trace_buffer *buffer, int cpu)
{
	struct ring_wait *wait = ring_wait_of(buffer, cpu);

	if (!wait || !ring_tasks_run())
		return;
	atomic_inc(&wait->woken);
	irq_work_queue(&wait->work);

	if (cpu == RING_BUFFER_ALL_CPUS) {
		for_each_cpu(cpu, buffer->cpumask)
			ring_buffer_wake_waiters(buffer, cpu);
	}
}
EXPORT_SYMBOL_IF_KUNIT(ring_buffer_wake_waiters);
