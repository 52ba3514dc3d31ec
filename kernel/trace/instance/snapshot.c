// SPDX-License-Identifier: GPL-2.0
/*
 * Snapshots: a spare buffer, and the exchange of the two.
 *
 * What was recorded stays in the spare buffer, where nothing overwrites it,
 * while recording goes on in what was the spare one, emptied.
 */
#include <linux/cleanup.h>
#include <linux/cpu.h>
#include <linux/export.h>
#include <linux/init.h>
#include <linux/irq_work.h>
#include <linux/kernel.h>
#include <linux/printk.h>
#include <linux/smp.h>
#include <linux/workqueue.h>

#include "instance/instance.h"

/* A writer that is interrupted in the middle is out of it soon. */
#define SWAP_TRIES	100

struct swap {
	struct trace_array	*tr;
	int			cpu;
	int			ret;
};

/* On the CPU itself, interrupts off; or anywhere for one that is offline. */
static void swap_cpu(void *info)
{
	struct swap *swap = info;

	swap->ret = ring_buffer_swap_cpu(swap->tr->main.buffer,
					 swap->tr->snap.buffer, swap->cpu);
}

static int swap_one(struct trace_array *tr, int cpu)
{
	struct swap swap = { .tr = tr, .cpu = cpu };
	int i;

	/* No ring: it was never online. */
	if (!ring_buffer_size(tr->main.buffer, cpu))
		return 0;

	for (i = 0; i < SWAP_TRIES; i++) {
		if (cpu_online(cpu))
			smp_call_function_single(cpu, swap_cpu, &swap, true);
		else
			swap_cpu(&swap);

		if (swap.ret != -EBUSY)
			break;

		cpu_relax();
	}

	return swap.ret;
}

static int swap_all(struct trace_array *tr)
{
	unsigned int cpu;
	int ret = 0;

	/* So that all CPUs' parts end at the same time. */
	ring_buffer_record_disable(tr->main.buffer);
	for_each_possible_cpu(cpu)
		ret = swap_one(tr, cpu) ?: ret;
	ring_buffer_record_enable(tr->main.buffer);

	return ret;
}

/* The spare buffer has to be like the other one for the exchange. */
static int snapshot_alloc(struct trace_array *tr)
{
	struct trace_buffer *buffer;
	unsigned int cpu;
	int ret;

	ret = trace_array_use(tr);
	if (ret < 0 || tr->snap.buffer)
		return ret;

	buffer = ring_buffer_alloc(PAGE_SIZE, RB_FL_OVERWRITE);
	if (!buffer)
		return -ENOMEM;

	ret = ring_buffer_subbuf_order_set(buffer,
					   ring_buffer_subbuf_order_get(tr->main.buffer));
	for_each_possible_cpu(cpu) {
		if (!ret && ring_buffer_size(buffer, cpu))
			ret = ring_buffer_resize(buffer,
						 trace_array_size(tr, cpu), cpu);
	}
	if (ret < 0) {
		ring_buffer_free(buffer);
		return ret;
	}

	ring_buffer_change_overwrite(buffer, tr->options & TRACE_OPT(OVERWRITE));
	trace_array_apply_clock(tr, buffer);
	ring_buffer_reset(buffer);
	tr->snap.tr = tr;
	WRITE_ONCE(tr->snap.buffer, buffer);

	return 0;
}

static int snapshot_alloc_now(struct trace_array *tr)
{
	guard(mutex)(&trace_lock);

	return snapshot_alloc(tr);
}

/**
 * trace_snapshot_arm - make the spare buffer, and keep it for snapshots to come
 * @tr: the instance
 *
 * Meanwhile nothing of it can be mapped. Undone by trace_snapshot_disarm().
 * Takes trace_lock.
 *
 * Return: 0; -ENOMEM; -EBUSY while user space has a ring mapped
 */
int trace_snapshot_arm(struct trace_array *tr)
{
	int ret;

	guard(mutex)(&trace_lock);

	/* Mappings look at the sign, and do not take trace_lock. */
	if (!tr->snap_armed && atomic_cmpxchg(&tr->maps, 0, -1))
		return -EBUSY;

	ret = snapshot_alloc(tr);
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

/**
 * trace_snapshot_free - give the spare buffer back (echo 0 > snapshot)
 * @tr: the instance
 *
 * Return: 0, or -EBUSY while somebody reads it, or functions have the command to
 * take snapshots. Takes trace_lock.
 */
int trace_snapshot_free(struct trace_array *tr)
{
	struct trace_buffer *buffer;

	guard(mutex)(&trace_lock);

	if (tr->snap_readers || tr->snap_armed)
		return -EBUSY;

	buffer = tr->snap.buffer;
	WRITE_ONCE(tr->snap.buffer, NULL);
	if (buffer) {
		/* Who was on the way in when it was exchanged may still be there. */
		trace_wait_for_users(true);
		ring_buffer_free(buffer);
	}

	return 0;
}

/**
 * trace_snapshot_take - exchange the buffers (echo 1 > snapshot)
 * @tr: the instance
 * @cpu: of which CPU, or RING_BUFFER_ALL_CPUS
 *
 * The spare buffer is made at the first time. Takes trace_lock, may sleep.
 *
 * Return: 0, -ENOMEM, or -EBUSY while user space has a ring mapped, when the
 * spare buffer is as it was, or where a CPU did not leave off writing.
 */
int trace_snapshot_take(struct trace_array *tr, int cpu)
{
	int ret;

	guard(mutex)(&trace_lock);

	if (atomic_read(&tr->maps) > 0)
		return -EBUSY;

	ret = snapshot_alloc(tr);
	if (ret < 0)
		return ret;

	guard(rwsem_write)(&tr->consume);

	if (cpu == RING_BUFFER_ALL_CPUS)
		ring_buffer_reset(tr->snap.buffer);
	else
		ring_buffer_reset_cpu(tr->snap.buffer, cpu);

	/* Only now: resetting takes a lock that is taken before this one. */
	guard(cpus_read_lock)();

	return cpu == RING_BUFFER_ALL_CPUS ? swap_all(tr) : swap_one(tr, cpu);
}

/**
 * trace_snapshot_hold - keep the spare buffer while it is read
 * @tr: the instance
 *
 * Return: 0, or -ENOENT where there is none. Takes trace_lock.
 */
int trace_snapshot_hold(struct trace_array *tr)
{
	guard(mutex)(&trace_lock);

	if (!tr->snap.buffer)
		return -ENOENT;

	tr->snap_readers++;

	return 0;
}

/**
 * trace_snapshot_let_go - undo one trace_snapshot_hold()
 * @tr: the instance
 */
void trace_snapshot_let_go(struct trace_array *tr)
{
	guard(mutex)(&trace_lock);

	tr->snap_readers--;
}

/**
 * trace_snapshot_clear - drop the snapshot (echo 2 > snapshot)
 * @tr: the instance
 * @cpu: of which CPU, or RING_BUFFER_ALL_CPUS
 *
 * Takes trace_lock.
 */
void trace_snapshot_clear(struct trace_array *tr, int cpu)
{
	guard(mutex)(&trace_lock);

	if (!tr->snap.buffer)
		return;

	if (cpu == RING_BUFFER_ALL_CPUS)
		ring_buffer_reset(tr->snap.buffer);
	else
		ring_buffer_reset_cpu(tr->snap.buffer, cpu);
}

static void snapshot_work(struct work_struct *unused)
{
	int ret = trace_snapshot_take(&trace_top, RING_BUFFER_ALL_CPUS);

	if (ret)
		pr_warn("tracing: no snapshot: error %d\n", ret);
}

static DECLARE_WORK(work, snapshot_work);

static void snapshot_irq_work(struct irq_work *unused)
{
	schedule_work(&work);
}

static DEFINE_IRQ_WORK(irq_work, snapshot_irq_work);

/**
 * tracing_snapshot - take a snapshot of the top buffer; any context
 *
 * It is taken as soon as that can be done; what is recorded until then is in
 * it. Without a spare buffer nothing happens: tracing_snapshot_alloc().
 */
void tracing_snapshot(void)
{
	if (READ_ONCE(trace_top.snap.buffer))
		irq_work_queue(&irq_work);
}
EXPORT_SYMBOL_GPL(tracing_snapshot);

/**
 * tracing_snapshot_alloc - take a snapshot of the top buffer; may sleep
 *
 * The spare buffer is made at the first time.
 */
void tracing_snapshot_alloc(void)
{
	if (!snapshot_alloc_now(&trace_top))
		tracing_snapshot();
}
EXPORT_SYMBOL_GPL(tracing_snapshot_alloc);

/* Both are of the top instance alone as long as there is no other. */
static bool boot_alloc __initdata;
static bool boot_take __initdata;

static int __init boot_alloc_setup(char *str)
{
	boot_alloc = true;

	return 1;
}
__setup("alloc_snapshot", boot_alloc_setup);

static int __init boot_take_setup(char *str)
{
	if (*str)
		return 0;

	boot_alloc = true;
	boot_take = true;

	return 1;
}
__setup("ftrace_boot_snapshot", boot_take_setup);

/* As soon as something can be waited for. */
static int __init snapshot_boot_alloc(void)
{
	if (boot_alloc && trace_top.main.buffer &&
	    snapshot_alloc_now(&trace_top))
		pr_warn("tracing: no memory for a snapshot\n");

	return 0;
}
early_initcall(snapshot_boot_alloc);

/* User space has not begun yet. */
static int __init snapshot_boot_take(void)
{
	if (boot_take && trace_top.main.buffer)
		snapshot_work(NULL);

	return 0;
}
late_initcall_sync(snapshot_boot_take);
