// SPDX-License-Identifier: GPL-2.0
/*
 * The longest latency of an instance, and the trace of it.
 *
 * A latency tracer records into the main buffer all the time. When it has measured
 * a latency that counts, what led there goes into the spare buffer, and the file
 * trace shows that. A tracer of what happens on one CPU exchanges the rings of its
 * CPU at once. One that is about all CPUs cannot do so where latencies end, with
 * interrupts off: it requests the exchange, which each CPU makes when it records the
 * next entry, or a work item for it. Recording goes on, and a longer latency that comes
 * meanwhile is recorded likewise.
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

/* As the file: microseconds. */
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

/* Options that a latency tracer needs, or is best read with. */
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

/* What is in the spare buffer now is the trace of @max. Under max_lock. */
static void max_latency_set(struct trace_array *tr, const struct trace_max *max)
{
	tr->snap.max = *max;
	/* With tracing_thresh a shorter one comes after a longer one. */
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
 * trace_latency_record_cpu - keep the trace of a latency, as far as this CPU goes
 * @tr: the instance
 * @latency: the latency; does nothing unless trace_latency_counts()
 *
 * Called with interrupts off, anywhere but in an NMI. If a writer of entries was
 * interrupted, it goes as with trace_latency_record_all().
 *
 * Return: whether the trace is, or soon will be, in the spare buffer.
 */
bool trace_latency_record_cpu(struct trace_array *tr,
			      const struct trace_latency *latency)
{
	return max_latency_record(tr, latency, true);
}

/**
 * trace_latency_record_all - keep the trace of a latency, of all CPUs
 * @tr: the instance
 * @latency: the latency; does nothing unless trace_latency_counts()
 *
 * Context as for trace_latency_record_cpu().
 *
 * Return: whether the trace soon will be in the spare buffer.
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
	/* None ever leaves the list. */
	list_for_each_entry_rcu(watch, &max_watches, list, true)
		watch->new_max(tr);
	/* A longer one that came meanwhile has queued this again. */
	cmpxchg(&tr->max_unreported, told, 0);
}

static void max_latency_irq_work(struct irq_work *irq_work)
{
	struct trace_array *tr = container_of(irq_work, struct trace_array,
					      max_irq_work);

	/* Not here: what has just been measured may keep this CPU busy. */
	queue_work(system_unbound_wq, &tr->max_work);
}

/**
 * trace_latency_on_max - have a function called when an instance has a new maximum
 * @watch: what to call
 *
 * From an initcall before user space.
 */
void __init trace_latency_on_max(struct trace_latency_watch *watch)
{
	guard(mutex)(&trace_lock);

	list_add_tail_rcu(&watch->list, &max_watches);
}

/* Start or stop keeping maxima; there is none now. */
static void max_latency_reset(struct trace_array *tr, bool owned)
{
	guard(untraced_lock)(&tr->max_lock);

	tr->snap_owned = owned;
	tr->snap.max = (struct trace_max){};
	WRITE_ONCE(tr->max_unreported, 0);
}

/* Drop the maximum and its trace. A latency that ends meanwhile is not kept. */
static void max_latency_drop(struct trace_array *tr)
{
	max_latency_reset(tr, false);
	trace_snapshot_empty(tr);
	max_latency_reset(tr, true);
}

/**
 * trace_latency_keep_max - keep maxima from now on; the maximum is 0
 * @tr: the instance, after trace_latency_begin()
 *
 * The snapshot that the spare buffer may have is dropped. trace_lock held.
 */
void trace_latency_keep_max(struct trace_array *tr)
{
	max_latency_drop(tr);
	trace_latency_set_max(tr, 0);
}

/**
 * trace_latency_begin - a latency tracer is about to start
 * @tr: the instance
 *
 * The spare buffer is for its maxima alone until trace_latency_end(), and keeps what it has
 * until trace_latency_keep_max(). Options are set that suit the tracer. trace_lock held.
 *
 * Return: 0; -ENOMEM; -EBUSY while the spare buffer has another use, or user space
 * has a ring mapped; -EINVAL for a buffer that outlives the kernel
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
 * trace_latency_end - undo trace_latency_begin(), and trace_latency_keep_max()
 * @tr: the instance, whose latency tracer has stopped or did not start
 *
 * The number in tracing_max_latency stays. trace_lock held.
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
 * trace_latency_raise - a latency that has no trace of its own was measured
 * @tr: the instance; nothing changes if its recording is switched off already
 * @ns: how long it took, which becomes the maximum if the maximum is less
 *
 * Any context but NMIs.
 */
void trace_latency_raise(struct trace_array *tr, u64 ns)
{
	if (ns <= READ_ONCE(tr->max_latency) || !trace_array_is_on(tr))
		return;

	guard(untraced_lock)(&tr->max_lock);

	WRITE_ONCE(tr->max_latency, max(tr->max_latency, ns));
}

/**
 * trace_latency_set_max - make a number the maximum, whatever it was
 * @tr: the instance
 * @ns: nanoseconds
 *
 * A trace of a latency stays. Any context but NMIs.
 */
void trace_latency_set_max(struct trace_array *tr, u64 ns)
{
	guard(untraced_lock)(&tr->max_lock);

	WRITE_ONCE(tr->max_latency, ns);
}

/**
 * trace_latency_max - what the trace in a buffer is of
 * @ab: the buffer
 *
 * Return: the latency; all zero in a buffer that has no trace of a latency
 */
struct trace_max trace_latency_max(struct array_buffer *ab)
{
	guard(untraced_lock)(&ab->tr->max_lock);

	return ab->max;
}

/**
 * trace_latency_clear - drop the trace of the longest latency (echo > trace)
 * @tr: the instance; nothing happens if it has no latency tracer
 * @cpu: of which CPU, or RING_BUFFER_ALL_CPUS
 *
 * tracing_max_latency stays as it is. Takes trace_lock.
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
 * trace_latency_drop - trace_latency_clear() of all CPUs, with trace_lock held
 * @tr: the instance
 */
void trace_latency_drop(struct trace_array *tr)
{
	lockdep_assert_held(&trace_lock);

	if (tr->snap_owned)
		max_latency_drop(tr);
}

/**
 * trace_latency_create - make an instance ready for latency tracers
 * @tr: the instance, zeroed
 */
void trace_latency_create(struct trace_array *tr)
{
	tr->max_lock = (arch_spinlock_t)__ARCH_SPIN_LOCK_UNLOCKED;
	init_irq_work(&tr->max_irq_work, max_latency_irq_work);
	INIT_WORK(&tr->max_work, max_latency_work);
}

/**
 * trace_latency_destroy - wait for what a latency tracer has left
 * @tr: the instance, which goes away and records nothing any more
 *
 * Sleeps; without trace_lock.
 */
void trace_latency_destroy(struct trace_array *tr)
{
	irq_work_sync(&tr->max_irq_work);
	flush_work(&tr->max_work);
}
