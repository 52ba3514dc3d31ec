// SPDX-License-Identifier: GPL-2.0
/*
 * Snapshots: a spare buffer that is exchanged with the active one.
 *
 * The entries recorded until then remain in the spare buffer, where they are not overwritten,
 * and recording continues in the other buffer, which is empty.
 */
#define pr_fmt(fmt) "tracing: " fmt

#include <linux/cleanup.h>
#include <linux/cpu.h>
#include <linux/export.h>
#include <linux/irq_work.h>
#include <linux/kernel.h>
#include <linux/printk.h>
#include <linux/smp.h>
#include <linux/workqueue.h>

#include "instance/core/buffer.h"
#include "instance/core/clocks.h"
#include "instance/core/instance.h"
#include "instance/core/options.h"
#include "instance/snapshot/snapshot.h"
#include "ring/swap.h"

/**
 * trace_snapshot_take_here - exchange the rings of this CPU, for the owner of the spare buffer
 * @tr: the instance, after trace_snapshot_own()
 *
 * The ring that is written to afterwards is empty. Called with interrupts off, in any context
 * except NMI.
 *
 * Return: 0; -EBUSY if a writer of this CPU was interrupted, or a ring is about to change;
 * -EINVAL if the rings have different sizes.
 */
int trace_snapshot_take_here(struct trace_array *tr)
{
	return ring_buffer_take_cpu(tr->main.buffer, tr->snap.buffer,
				    raw_smp_processor_id());
}

/*
 * Only rings of the same size can be exchanged. The sizes of the spare buffer can differ if a
 * resize failed half-way.
 */
static int snapshot_spare_align(struct trace_array *tr, struct trace_buffer *spare)
{
	struct trace_buffer *main = tr->main.buffer;
	unsigned int cpu;
	int ret;

	ret = ring_buffer_subbuf_order_set(spare,
					   ring_buffer_subbuf_order_get(main));

	for_each_possible_cpu(cpu) {
		unsigned long size = ring_buffer_size(main, cpu);

		if (ret < 0)
			break;
		if (size == ring_buffer_size(spare, cpu))
			continue;

		ret = ring_buffer_resize(spare, trace_array_size(tr, cpu), cpu);
		if (ret >= 0 && size != ring_buffer_size(spare, cpu))
			ret = ring_buffer_resize(spare, size, cpu);
	}

	return ret < 0 ? ret : 0;
}

/*
 * Allocate the spare buffer, or adapt the sizes of the existing one. A buffer that outlives the
 * kernel cannot be exchanged and has no spare buffer.
 */
static int snapshot_spare_prepare(struct trace_array *tr)
{
	struct trace_buffer *spare;
	int ret;

	lockdep_assert_held(&trace_lock);

	if (tr->memory)
		return -EINVAL;

	/* The trace of a latency tracer is not a snapshot. */
	if (tr->snap_implicit && tr->snap.buffer)
		ring_buffer_reset(tr->snap.buffer);
	tr->snap_implicit = false;

	if (tr->snap.buffer)
		return snapshot_spare_align(tr, tr->snap.buffer);

	ret = trace_array_expand(tr);
	if (ret < 0)
		return ret;

	spare = ring_buffer_alloc(PAGE_SIZE, RB_FL_OVERWRITE);
	if (!spare)
		return -ENOMEM;

	ret = ring_buffer_add_cpus(spare, tr->main.buffer) ?: snapshot_spare_align(tr, spare);
	if (ret < 0) {
		ring_buffer_free(spare);
		return ret;
	}

	ring_buffer_change_overwrite(spare, tr->options & TRACE_OPT(OVERWRITE));
	trace_array_apply_clock(tr, spare);
	ring_buffer_reset(spare);
	ring_buffer_swap_with(tr->main.buffer, spare, false);
	WRITE_ONCE(tr->snap.buffer, spare);

	return 0;
}

/* Complete the requested exchanges on all CPUs. */
static int snapshot_swap_all(struct trace_array *tr)
{
	lockdep_assert_held(&trace_lock);

	guard(rwsem_write)(&tr->consume);
	guard(cpus_read_lock)();

	return ring_buffer_swap_finish(tr->main.buffer);
}

/**
 * trace_snapshot_settle_locked - take the pending snapshots
 * @tr: the instance
 *
 * Called before any other operation on its buffers, and before they are read. Snapshots that
 * are requested concurrently are taken soon. After an error, which is logged, there is no
 * snapshot.
 *
 * Context: sleeps; trace_lock held, but neither trace_array.consume nor any lock inside it
 */
void trace_snapshot_settle_locked(struct trace_array *tr)
{
	int ret = -ENODEV;

	lockdep_assert_held(&trace_lock);

	if (!ring_buffer_swap_pending(tr->main.buffer))
		return;

	if (tr->snap.buffer) {
		ret = snapshot_swap_all(tr);
		if (ret == -EINVAL)
			ret = snapshot_spare_align(tr, tr->snap.buffer) ?: snapshot_swap_all(tr);
		if (ret)
			pr_warn_ratelimited("could not take a snapshot: error %d\n", ret);
	}
	if (ret)
		ring_buffer_swap_drop(tr->main.buffer);
}

/**
 * trace_snapshot_pending - check whether a requested snapshot has not been taken yet
 * @tr: the instance
 */
bool trace_snapshot_pending(struct trace_array *tr)
{
	return ring_buffer_swap_pending(tr->main.buffer);
}

/**
 * trace_snapshot_settle - trace_snapshot_settle_locked() for callers without trace_lock
 * @tr: the instance
 *
 * Takes trace_lock if a snapshot is pending.
 */
void trace_snapshot_settle(struct trace_array *tr)
{
	if (likely(!ring_buffer_swap_pending(tr->main.buffer)))
		return;

	guard(mutex)(&trace_lock);
	trace_snapshot_settle_locked(tr);
}

/**
 * trace_snapshot_alloc - allocate the spare buffer, or adapt its sizes
 * @tr: the instance
 *
 * Takes trace_lock.
 *
 * Return: 0; -ENOMEM; -EINVAL if the buffer outlives the kernel; -EBUSY while a latency tracer
 * owns the spare buffer
 */
int trace_snapshot_alloc(struct trace_array *tr)
{
	guard(mutex)(&trace_lock);

	return tr->snap_owned ? -EBUSY : snapshot_spare_prepare(tr);
}

/**
 * trace_snapshot_arm - allocate the spare buffer and pin it for later snapshots
 * @tr: the instance
 *
 * Rings of the instance cannot be mapped until trace_snapshot_disarm(). Takes trace_lock.
 *
 * Return: 0; -ENOMEM; -EINVAL if the buffer outlives the kernel; -EBUSY while user space has a
 * ring mapped, or a latency tracer owns the spare buffer
 */
int trace_snapshot_arm(struct trace_array *tr)
{
	int ret;

	guard(mutex)(&trace_lock);

	if (tr->snap_owned)
		return -EBUSY;

	/* mmap() tests the sign without taking trace_lock. */
	if (!tr->snap_armed && atomic_cmpxchg(&tr->maps, 0, -1))
		return -EBUSY;

	ret = snapshot_spare_prepare(tr);
	if (!ret)
		tr->snap_armed++;
	else if (!tr->snap_armed)
		atomic_set(&tr->maps, 0);

	return ret;
}

/**
 * trace_snapshot_disarm - undo one trace_snapshot_arm()
 * @tr: the instance
 */
void trace_snapshot_disarm(struct trace_array *tr)
{
	guard(mutex)(&trace_lock);

	if (!--tr->snap_armed)
		atomic_set(&tr->maps, 0);
}

/* The caller frees the spare buffer, without trace_lock and after trace_wait_for_users(). */
static struct trace_buffer *snapshot_spare_unlink(struct trace_array *tr)
{
	struct trace_buffer *spare = tr->snap.buffer;

	lockdep_assert_held(&trace_lock);

	ring_buffer_swap_with(tr->main.buffer, NULL, false);
	ring_buffer_swap_drop(tr->main.buffer);
	WRITE_ONCE(tr->snap.buffer, NULL);

	return spare;
}

static void snapshot_spare_free(struct trace_buffer *spare)
{
	if (!spare)
		return;

	/* A writer or reader that looked up a ring just before the exchange may still use it. */
	trace_wait_for_users(true);
	ring_buffer_free(spare);
}

static int snapshot_free(struct trace_array *tr, bool if_unwanted)
{
	struct trace_buffer *spare;

	scoped_guard(mutex, &trace_lock) {
		if (if_unwanted && !tr->snap_implicit)
			return 0;
		if (tr->snap_readers || tr->snap_armed || tr->snap_owned)
			return -EBUSY;
		spare = snapshot_spare_unlink(tr);
	}
	snapshot_spare_free(spare);

	return 0;
}

/**
 * trace_snapshot_free - free the spare buffer (echo 0 > snapshot)
 * @tr: the instance
 *
 * Takes trace_lock, but does not hold it while it waits, perhaps for long.
 *
 * Return: 0, or -EBUSY while the snapshot is read, the spare buffer is armed for later
 * snapshots, or a latency tracer owns it.
 */
int trace_snapshot_free(struct trace_array *tr)
{
	return snapshot_free(tr, false);
}

/*
 * Prevent mapping of rings until snapshot_maps_allow(), which takes the return value. A value
 * above 0 means that rings are mapped, and nothing has changed. A negative value means that
 * mapping was already prevented by armed snapshots.
 */
static int snapshot_maps_error(struct trace_array *tr)
{
	lockdep_assert_held(&trace_lock);

	return atomic_cmpxchg(&tr->maps, 0, -1);
}

static void snapshot_maps_allow(struct trace_array *tr, int maps)
{
	if (!maps)
		atomic_set(&tr->maps, 0);
}

/*
 * For a single CPU, exchange only its ring. For all CPUs, each CPU exchanges its ring at its
 * next write, or now.
 */
static int snapshot_take(struct trace_array *tr, int cpu)
{
	int ret;

	trace_snapshot_settle_locked(tr);
	if (cpu == RING_BUFFER_ALL_CPUS) {
		ring_buffer_swap_request(tr->main.buffer);
		ret = snapshot_swap_all(tr);
		if (ret)
			ring_buffer_swap_drop(tr->main.buffer);
		return ret;
	}

	guard(rwsem_write)(&tr->consume);
	ring_buffer_reset_cpu(tr->snap.buffer, cpu);

	/* Not earlier: ring_buffer_reset_cpu() takes this lock itself. */
	guard(cpus_read_lock)();

	return ring_buffer_exchange_cpu(tr->main.buffer, tr->snap.buffer, cpu);
}

/**
 * trace_snapshot_take - exchange the buffers (echo 1 > snapshot)
 * @tr: the instance
 * @cpu: CPU number, or RING_BUFFER_ALL_CPUS
 *
 * The spare buffer is allocated unless it already exists. Rings cannot be mapped during the call. A
 * snapshot that was requested earlier is completed first as a separate snapshot: the file has
 * the entries recorded after it. Takes trace_lock, may sleep.
 *
 * Return: 0; -ENOMEM; -EINVAL if the buffer outlives the kernel; -EBUSY, with the snapshot
 * unchanged, while user space has a ring mapped or a latency tracer owns the spare buffer.
 */
int trace_snapshot_take(struct trace_array *tr, int cpu)
{
	int maps, ret;

	guard(mutex)(&trace_lock);

	if (tr->snap_owned)
		return -EBUSY;

	maps = snapshot_maps_error(tr);
	if (maps > 0)
		return -EBUSY;

	ret = snapshot_spare_prepare(tr) ?: snapshot_take(tr, cpu);
	snapshot_maps_allow(tr, maps);

	return ret;
}

/**
 * trace_snapshot_own - take the spare buffer for a latency tracer
 * @tr: the instance
 *
 * Rings of the instance cannot be mapped until trace_snapshot_disown(). A snapshot is kept
 * until trace_snapshot_empty(). The caller sets tr->snap_owned. trace_lock held.
 *
 * Return: 0; -ENOMEM; -EBUSY while snapshots are armed, or user space has a ring mapped
 */
int trace_snapshot_own(struct trace_array *tr)
{
	bool unwanted;
	int ret;

	lockdep_assert_held(&trace_lock);

	if (tr->snap_armed || atomic_cmpxchg(&tr->maps, 0, -1))
		return -EBUSY;

	trace_snapshot_settle_locked(tr);
	unwanted = !tr->snap.buffer || tr->snap_implicit;
	ret = snapshot_spare_prepare(tr);
	tr->snap_implicit = unwanted;
	if (ret)
		atomic_set(&tr->maps, 0);
	else
		/* One latency may be the end of the trace of another latency. */
		ring_buffer_swap_with(tr->main.buffer, tr->snap.buffer, true);

	return ret;
}

/**
 * trace_snapshot_empty - drop the content of an owned spare buffer
 * @tr: the instance, after trace_snapshot_own()
 *
 * trace_lock held.
 */
void trace_snapshot_empty(struct trace_array *tr)
{
	lockdep_assert_held(&trace_lock);

	tr->snap_implicit = true;
	trace_snapshot_settle_locked(tr);
	ring_buffer_reset(tr->snap.buffer);
}

/* Queue the spare buffer for freeing if it was allocated only for a latency tracer. */
static void snapshot_drop_unwanted(struct trace_array *tr)
{
	if (tr->snap_implicit && !tr->snap_readers && !tr->snap_owned)
		queue_work(system_unbound_wq, &tr->snap_drop_work);
}

/**
 * trace_snapshot_disown - undo trace_snapshot_own()
 * @tr: the instance; the caller has cleared tr->snap_owned
 *
 * The spare buffer is freed soon, unless it is being read or still has its earlier snapshot.
 * trace_lock held.
 */
void trace_snapshot_disown(struct trace_array *tr)
{
	lockdep_assert_held(&trace_lock);

	trace_snapshot_settle_locked(tr);
	ring_buffer_swap_with(tr->main.buffer, tr->snap.buffer, false);
	atomic_set(&tr->maps, 0);
	snapshot_drop_unwanted(tr);
}

/* Free the spare buffer, unless it has a new user. */
static void snapshot_drop_work(struct work_struct *work)
{
	struct trace_array *tr = container_of(work, struct trace_array,
					      snap_drop_work);

	snapshot_free(tr, true);
}

/**
 * trace_snapshot_get - pin the spare buffer while it is read
 * @tr: the instance
 *
 * Takes trace_lock.
 *
 * Return: 0; -ENOENT without a spare buffer, -EBUSY while a latency tracer owns it
 */
int trace_snapshot_get(struct trace_array *tr)
{
	guard(mutex)(&trace_lock);

	if (tr->snap_owned)
		return -EBUSY;

	if (!tr->snap.buffer || tr->snap_implicit)
		return -ENOENT;

	trace_snapshot_settle_locked(tr);
	tr->snap_readers++;

	return 0;
}

/**
 * trace_snapshot_get_owned - pin the spare buffer while its maximum is read
 * @tr: the instance
 *
 * Return: false if no latency tracer owns it. Takes trace_lock.
 */
bool trace_snapshot_get_owned(struct trace_array *tr)
{
	guard(mutex)(&trace_lock);

	trace_snapshot_settle_locked(tr);
	if (tr->snap_owned)
		tr->snap_readers++;

	return tr->snap_owned;
}

/**
 * trace_snapshot_put - undo one trace_snapshot_get() or trace_snapshot_get_owned()
 * @tr: the instance
 */
void trace_snapshot_put(struct trace_array *tr)
{
	guard(mutex)(&trace_lock);

	tr->snap_readers--;
	snapshot_drop_unwanted(tr);
}

/**
 * trace_snapshot_clear - drop the snapshot (echo 2 > snapshot)
 * @tr: the instance
 * @cpu: CPU number, or RING_BUFFER_ALL_CPUS
 *
 * Takes trace_lock.
 *
 * Return: 0, or -EBUSY while a latency tracer owns the spare buffer.
 */
int trace_snapshot_clear(struct trace_array *tr, int cpu)
{
	guard(mutex)(&trace_lock);

	if (tr->snap_owned)
		return -EBUSY;

	if (!tr->snap.buffer)
		return 0;

	trace_snapshot_settle_locked(tr);
	if (cpu == RING_BUFFER_ALL_CPUS)
		ring_buffer_reset(tr->snap.buffer);
	else
		ring_buffer_reset_cpu(tr->snap.buffer, cpu);

	return 0;
}

/* Take the snapshot on behalf of CPUs that have not written since it was requested. */
static void snapshot_work(struct work_struct *work)
{
	struct trace_array *tr = container_of(work, struct trace_array, snap_work);

	if (atomic_xchg(&tr->snap_refused, 0))
		pr_warn_ratelimited("could not take a snapshot: error %d\n", -EBUSY);
	trace_snapshot_settle(tr);
}

static void snapshot_irq_work(struct irq_work *irq_work)
{
	struct trace_array *tr = container_of(irq_work, struct trace_array,
					      snap_irq_work);

	queue_work(system_unbound_wq, &tr->snap_work);
}

/**
 * trace_snapshot_request - request a snapshot of the entries recorded up to now
 * @tr: the instance
 *
 * Recording continues: the entries that this CPU records next are not in the snapshot, unless
 * the caller has interrupted code that was recording. Other CPUs take their part when they
 * record next, or soon. Nothing happens without a spare buffer, while a latency tracer owns it,
 * or while user space has a ring mapped; the last case is logged. Any context.
 *
 * Return: true if a snapshot will be taken for this request
 */
bool trace_snapshot_request(struct trace_array *tr)
{
	bool refused;

	if (!READ_ONCE(tr->snap.buffer) || READ_ONCE(tr->snap_implicit) ||
	    READ_ONCE(tr->snap_owned))
		return false;

	refused = atomic_read(&tr->maps) > 0;
	if (refused)
		atomic_set(&tr->snap_refused, 1);
	else if (!ring_buffer_swap_request(tr->main.buffer))
		return false;
	irq_work_queue(&tr->snap_irq_work);

	return !refused;
}

/**
 * trace_snapshot_create - prepare a new instance for snapshots
 * @tr: the instance
 */
void trace_snapshot_create(struct trace_array *tr)
{
	INIT_WORK(&tr->snap_work, snapshot_work);
	INIT_WORK(&tr->snap_drop_work, snapshot_drop_work);
	init_irq_work(&tr->snap_irq_work, snapshot_irq_work);
	tr->snap_cond.lock = (arch_spinlock_t)__ARCH_SPIN_LOCK_UNLOCKED;
}

/**
 * trace_snapshot_end - disable snapshots of an instance that is being removed
 * @tr: the instance
 *
 * Later requests do nothing; an earlier one may be in progress until trace_wait_for_users().
 * Takes trace_lock.
 *
 * Return: the spare buffer, which the caller frees after that and after
 * trace_snapshot_destroy(); or NULL.
 */
struct trace_buffer *trace_snapshot_end(struct trace_array *tr)
{
	guard(mutex)(&trace_lock);

	return snapshot_spare_unlink(tr);
}

/**
 * trace_snapshot_destroy - wait for deferred work of snapshot requests
 * @tr: the instance, after trace_snapshot_end() and trace_wait_for_users()
 *
 * Sleeps; called without trace_lock.
 */
void trace_snapshot_destroy(struct trace_array *tr)
{
	irq_work_sync(&tr->snap_irq_work);
	flush_work(&tr->snap_work);
	flush_work(&tr->snap_drop_work);
}

/**
 * tracing_snapshot - trace_snapshot_request() of the top instance; any context
 *
 * The required spare buffer is allocated by tracing_snapshot_alloc().
 */
void tracing_snapshot(void)
{
	trace_snapshot_request(&trace_top);
}
EXPORT_SYMBOL_GPL(tracing_snapshot);

/**
 * tracing_alloc_snapshot - allocate the spare buffer of the top instance; may sleep
 *
 * Return: 0; -ENOMEM; -EBUSY while a latency tracer owns the spare buffer
 */
int tracing_alloc_snapshot(void)
{
	return trace_snapshot_alloc(&trace_top);
}
EXPORT_SYMBOL_GPL(tracing_alloc_snapshot);

/**
 * tracing_snapshot_alloc - tracing_snapshot() that allocates the spare buffer; may sleep
 */
void tracing_snapshot_alloc(void)
{
	if (!tracing_alloc_snapshot())
		tracing_snapshot();
}
EXPORT_SYMBOL_GPL(tracing_snapshot_alloc);
