// SPDX-License-Identifier: GPL-2.0
/*
 * Maximum latency of an instance, and its trace.
 *
 * A latency tracer continuously records into the main buffer. When it has measured a latency
 * that counts, the entries that led to it are moved to the spare buffer, which the file trace
 * then shows. A per-CPU latency tracer exchanges the rings of its CPU immediately. A tracer of
 * all CPUs cannot do so at the end of a latency, where interrupts are off: it requests the
 * exchange, which is done by each CPU when it records its next entry, or by a work item on its
 * behalf. Recording continues, and a longer latency that is measured in the meantime is
 * recorded in the same way.
 */
#include <linux/cred.h>
#include <linux/init.h>
#include <linux/irq_work.h>
#include <linux/kstrtox.h>
#include <linux/limits.h>
#include <linux/minmax.h>
#include <linux/printk.h>
#include <linux/smp.h>
#include <linux/string.h>
#include <linux/uidgid.h>
#include <linux/user_namespace.h>
#include <linux/workqueue.h>

#include "instance/core/options.h"
#include "instance/snapshot/max_latency.h"
#include "instance/snapshot/snapshot.h"
#include "lib/untraced_lock.h"
#include "ring/swap.h"

u64 trace_latency_thresh;

/* In microseconds, like the file. */
static int __init max_latency_boot_thresh_setup(char *str)
{
	unsigned long us;

	if (kstrtoul(str, 0, &us) || us > U64_MAX / NSEC_PER_USEC)
		return 0;

	trace_latency_thresh = us * NSEC_PER_USEC;

	return 1;
}
__setup("tracing_thresh=", max_latency_boot_thresh_setup);

/* Filled at boot; trace_lock to change. */
static LIST_HEAD(max_watches);

/* Options that a latency tracer needs or sets for readability. */
#define KEPT_OPTIONS	(TRACE_OPT(OVERWRITE) | TRACE_OPT(LATENCY_FORMAT))

static struct trace_max max_latency_describe(const struct trace_latency *latency)
{
	struct task_struct *task = latency->task;
	struct trace_max max = {
		.latency	= latency->ns,
		.since		= latency->since,
		.start_ip	= latency->start_ip,
		.end_ip		= latency->end_ip,
		.cpu		= raw_smp_processor_id(),
		.pid		= task->pid,
		.nice		= task_nice(task),
		.policy		= task->policy,
		.rt_priority	= task->rt_priority,
	};
	/* task_uid() uses RCU, which may not be watching where an interrupt ends. */
	kuid_t uid = task == current ? current_uid() : task_uid(task);

	max.uid = from_kuid_munged(&init_user_ns, uid);
	memcpy(max.comm, task->comm, sizeof(max.comm));
	max.comm[sizeof(max.comm) - 1] = '\0';

	return max;
}

/* The spare buffer now has the trace of @max. max_lock held. */
static void max_latency_set(struct trace_array *tr, const struct trace_max *max)
{
	tr->snap.max = *max;
	/* With tracing_thresh a shorter latency may follow a longer one. */
	WRITE_ONCE(tr->max_latency, max(tr->max_latency, max->latency));
}

static bool max_latency_record(struct trace_array *tr, const struct trace_latency *latency,
			       bool this_cpu)
{
	struct trace_max max = max_latency_describe(latency);

	guard(untraced_lock)(&tr->max_lock);

	if (!tr->snap_owned || !ring_buffer_record_is_on(tr->main.buffer) ||
	    !trace_latency_counts(tr, latency->ns))
		return false;

	if (!this_cpu || trace_snapshot_take_here(tr))
		ring_buffer_swap_request(tr->main.buffer);
	max_latency_set(tr, &max);
	WRITE_ONCE(tr->max_unreported, latency->ns);
	irq_work_queue(&tr->max_irq_work);

	return true;
}

/**
 * trace_latency_record_cpu - save the trace of a latency, for this CPU only
 * @tr: the instance
 * @latency: the latency; does nothing unless trace_latency_counts()
 *
 * Called with interrupts off, in any context except NMI. If a writer of entries was
 * interrupted, the exchange is requested as by trace_latency_record_all().
 *
 * Return: true if the trace is, or soon will be, in the spare buffer.
 */
bool trace_latency_record_cpu(struct trace_array *tr,
			      const struct trace_latency *latency)
{
	return max_latency_record(tr, latency, true);
}

/**
 * trace_latency_record_all - save the trace of a latency, for all CPUs
 * @tr: the instance
 * @latency: the latency; does nothing unless trace_latency_counts()
 *
 * Same context as trace_latency_record_cpu().
 *
 * Return: true if the trace soon will be in the spare buffer.
 */
bool trace_latency_record_all(struct trace_array *tr,
			      const struct trace_latency *latency)
{
	return max_latency_record(tr, latency, false);
}

static void max_latency_work(struct work_struct *work)
{
	struct trace_array *tr = container_of(work, struct trace_array, max_work);
	u64 told = READ_ONCE(tr->max_unreported);
	struct trace_latency_watch *watch;

	trace_snapshot_settle(tr);
	/* Watches are never removed. */
	list_for_each_entry_rcu(watch, &max_watches, list, true)
		watch->new_max(tr);
	/* If a longer latency was recorded in the meantime, this work is queued again. */
	cmpxchg(&tr->max_unreported, told, 0);
}

static void max_latency_irq_work(struct irq_work *irq_work)
{
	struct trace_array *tr = container_of(irq_work, struct trace_array,
					      max_irq_work);

	/* Not done here: the code just measured may keep this CPU busy. */
	queue_work(system_unbound_wq, &tr->max_work);
}

/**
 * trace_latency_on_max - register a listener for new maxima
 * @watch: the listener
 *
 * Called from an initcall before user space runs.
 */
void __init trace_latency_on_max(struct trace_latency_watch *watch)
{
	guard(mutex)(&trace_lock);

	list_add_tail_rcu(&watch->list, &max_watches);
}

/* Start or stop keeping maxima, and reset the current maximum. */
static void max_latency_reset(struct trace_array *tr, bool owned)
{
	guard(untraced_lock)(&tr->max_lock);

	tr->snap_owned = owned;
	tr->snap.max = (struct trace_max){};
	WRITE_ONCE(tr->max_unreported, 0);
}

/* Drop the maximum and its trace. A latency that ends concurrently is not recorded. */
static void max_latency_drop(struct trace_array *tr)
{
	max_latency_reset(tr, false);
	trace_snapshot_empty(tr);
	max_latency_reset(tr, true);
}

/**
 * trace_latency_keep_max - start keeping maxima, with a maximum of 0
 * @tr: the instance, after trace_latency_begin()
 *
 * A snapshot in the spare buffer is dropped. trace_lock held.
 */
void trace_latency_keep_max(struct trace_array *tr)
{
	max_latency_drop(tr);
	trace_latency_set_max(tr, 0);
}

/**
 * trace_latency_begin - reserve the spare buffer for a latency tracer that is about to start
 * @tr: the instance
 *
 * The spare buffer is used only for maxima until trace_latency_end(), and keeps its content
 * until trace_latency_keep_max(). Options that suit the tracer are set. trace_lock held.
 *
 * Return: 0; -ENOMEM; -EBUSY while the spare buffer has another use, or user space has a ring
 * mapped; -EINVAL if the buffer outlives the kernel
 */
int trace_latency_begin(struct trace_array *tr)
{
	int ret;

	lockdep_assert_held(&trace_lock);

	ret = trace_snapshot_own(tr);
	if (ret)
		return ret;

	tr->max_options = tr->options & KEPT_OPTIONS;
	trace_option_set(tr, TRACE_OPTION_OVERWRITE, true);
	trace_option_set(tr, TRACE_OPTION_LATENCY_FORMAT, true);

	return 0;
}

/**
 * trace_latency_end - undo trace_latency_begin() and trace_latency_keep_max()
 * @tr: the instance, whose latency tracer has stopped or did not start
 *
 * The value of tracing_max_latency is kept. trace_lock held.
 */
void trace_latency_end(struct trace_array *tr)
{
	lockdep_assert_held(&trace_lock);

	max_latency_reset(tr, false);
	trace_snapshot_disown(tr);
	if (!(tr->max_options & TRACE_OPT(OVERWRITE)))
		trace_option_set(tr, TRACE_OPTION_OVERWRITE, false);
	if (!(tr->max_options & TRACE_OPT(LATENCY_FORMAT)))
		trace_option_set(tr, TRACE_OPTION_LATENCY_FORMAT, false);
}

/**
 * trace_latency_raise - raise the maximum to a latency that has no trace
 * @tr: the instance; nothing changes if its recording is already switched off
 * @ns: the latency in nanoseconds; becomes the maximum if it exceeds the maximum
 *
 * Any context except NMI.
 */
void trace_latency_raise(struct trace_array *tr, u64 ns)
{
	if (ns <= READ_ONCE(tr->max_latency) || !trace_array_is_on(tr))
		return;

	guard(untraced_lock)(&tr->max_lock);

	WRITE_ONCE(tr->max_latency, max(tr->max_latency, ns));
}

/**
 * trace_latency_set_max - set the maximum to any value
 * @tr: the instance
 * @ns: nanoseconds
 *
 * The trace of a latency is kept. Any context except NMI.
 */
void trace_latency_set_max(struct trace_array *tr, u64 ns)
{
	guard(untraced_lock)(&tr->max_lock);

	WRITE_ONCE(tr->max_latency, ns);
}

/**
 * trace_latency_max - get the latency that a buffer has the trace of
 * @ab: the buffer
 *
 * Return: the latency; all zero if the buffer has no trace of a latency
 */
struct trace_max trace_latency_max(struct array_buffer *ab)
{
	guard(untraced_lock)(&ab->tr->max_lock);

	return ab->max;
}

/**
 * trace_latency_clear - drop the trace of the maximum latency (echo > trace)
 * @tr: the instance; nothing happens if it has no latency tracer
 * @cpu: CPU number, or RING_BUFFER_ALL_CPUS
 *
 * tracing_max_latency is not changed. Takes trace_lock.
 */
void trace_latency_clear(struct trace_array *tr, int cpu)
{
	guard(mutex)(&trace_lock);

	if (cpu == RING_BUFFER_ALL_CPUS)
		trace_latency_drop(tr);
	else if (tr->snap_owned)
		ring_buffer_reset_cpu(tr->snap.buffer, cpu);
}

/**
 * trace_latency_drop - trace_latency_clear() for all CPUs, with trace_lock held
 * @tr: the instance
 */
void trace_latency_drop(struct trace_array *tr)
{
	lockdep_assert_held(&trace_lock);

	if (tr->snap_owned)
		max_latency_drop(tr);
}

/**
 * trace_latency_create - prepare a new instance for latency tracers
 * @tr: the instance, zeroed
 */
void trace_latency_create(struct trace_array *tr)
{
	tr->max_lock = (arch_spinlock_t)__ARCH_SPIN_LOCK_UNLOCKED;
	init_irq_work(&tr->max_irq_work, max_latency_irq_work);
	INIT_WORK(&tr->max_work, max_latency_work);
}

/**
 * trace_latency_destroy - wait for deferred work of a latency tracer
 * @tr: the instance, which is being removed and no longer records
 *
 * Sleeps; called without trace_lock.
 */
void trace_latency_destroy(struct trace_array *tr)
{
	irq_work_sync(&tr->max_irq_work);
	flush_work(&tr->max_work);
}
