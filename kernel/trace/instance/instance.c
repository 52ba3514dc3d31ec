// SPDX-License-Identifier: GPL-2.0
/*
 * Life of a trace instance, and the switches of its buffer.
 */
#include <linux/cleanup.h>
#include <linux/cpumask.h>
#include <linux/export.h>
#include <linux/ftrace.h>
#include <linux/init.h>
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/printk.h>
#include <linux/rcupdate.h>

#include "instance/instance.h"
#include "instance/names.h"
#include "instance/printk.h"
#include "instance/registry.h"

/* As pages have headers, this takes one to be in use and one to go on with. */
#define TRACE_BUFFER_AT_REST	PAGE_SIZE

/* What it guards, and its place among the locks, is said in instance.h. */
DEFINE_MUTEX(trace_lock);
LIST_HEAD(trace_instances);

/* The instance of the top directory. It is never freed. */
struct trace_array trace_top = {
	.list		= LIST_HEAD_INIT(trace_top.list),
	.size		= TRACE_BUFFER_DEFAULT,
	.options	= TRACE_OPT_DEFAULT | TRACE_OPT(TRACE_PRINTK_DEST),
	.errors		= LIST_HEAD_INIT(trace_top.errors),
	.buffer_percent	= 50,
	.consume	= __RWSEM_INITIALIZER(trace_top.consume),
};

/**
 * trace_array_get - keep an instance from being removed
 * @tr: the instance
 *
 * Return: 0, or -ENODEV when it is being removed.
 */
int trace_array_get(struct trace_array *tr)
{
	struct trace_array *each;

	guard(mutex)(&trace_lock);

	list_for_each_entry(each, &trace_instances, list) {
		if (each == tr) {
			tr->refs++;
			return 0;
		}
	}

	return -ENODEV;
}

/**
 * trace_array_put - let go of an instance
 * @tr: the instance, of trace_array_get() or trace_array_get_by_name()
 */
void trace_array_put(struct trace_array *tr)
{
	if (!tr)
		return;

	guard(mutex)(&trace_lock);

	WARN_ON_ONCE(!tr->refs);
	tr->refs--;
}
EXPORT_SYMBOL_GPL(trace_array_put);

/**
 * trace_array_get_by_name - find or make an instance
 * @name: of the instance
 * @systems: of the events it is to have, NULL for all
 *
 * Return: NULL, until there are instances beside the top one.
 */
struct trace_array *trace_array_get_by_name(const char *name,
					    const char *systems)
{
	return NULL;
}
EXPORT_SYMBOL_GPL(trace_array_get_by_name);

/**
 * trace_array_destroy - remove an instance made by trace_array_get_by_name()
 * @tr: the instance
 *
 * Return: -EINVAL for what is no such instance, the top one among it.
 */
int trace_array_destroy(struct trace_array *tr)
{
	return -EINVAL;
}
EXPORT_SYMBOL_GPL(trace_array_destroy);

/**
 * trace_array_set_clr_event - enable events in an instance, or disable them
 * @tr: the instance
 * @system: of the events
 * @event: which one, NULL for all of @system
 * @enable: whether they are to be enabled
 *
 * Return: -ENOENT without an instance; -EINVAL, as there are no events yet.
 */
int trace_array_set_clr_event(struct trace_array *tr, const char *system,
			      const char *event, bool enable)
{
	return tr ? -EINVAL : -ENOENT;
}
EXPORT_SYMBOL_GPL(trace_array_set_clr_event);

static void note_size(struct trace_array *tr, unsigned long size, int cpu)
{
	unsigned int each;

	for_each_possible_cpu(each) {
		if (cpu == RING_BUFFER_ALL_CPUS || cpu == each)
			*per_cpu_ptr(tr->cpu_size, each) = size;
	}
}

/**
 * trace_array_use - give the buffer the size it was asked to have
 * @tr: the instance
 *
 * A buffer at rest has next to no memory. Called before anything is to be
 * recorded, with trace_lock held.
 *
 * Return: 0, or -ENOMEM with the buffer as it was.
 */
int trace_array_use(struct trace_array *tr)
{
	int ret;

	lockdep_assert_held(&trace_lock);

	if (tr->in_use)
		return 0;

	ret = ring_buffer_resize(tr->main.buffer, tr->size,
				 RING_BUFFER_ALL_CPUS);
	if (ret < 0)
		return ret;

	note_size(tr, tr->size, RING_BUFFER_ALL_CPUS);
	tr->in_use = true;

	return 0;
}

/**
 * trace_array_use_now - trace_array_use() for who does not hold trace_lock
 * @tr: the instance
 */
int trace_array_use_now(struct trace_array *tr)
{
	guard(mutex)(&trace_lock);

	return trace_array_use(tr);
}

/*
 * More than there is memory is not even tried: it would be taken from everybody
 * before it fails.
 */
static bool fits_into_memory(unsigned long size, int cpu)
{
	unsigned int cpus = cpu == RING_BUFFER_ALL_CPUS ? num_possible_cpus() : 1;

	return size >> PAGE_SHIFT <= totalram_pages() / cpus;
}

/* The two stay alike; so if one cannot follow, the other goes back. */
static int resize_both(struct trace_array *tr, unsigned long size, int cpu)
{
	unsigned int each;
	int ret;

	ret = ring_buffer_resize(tr->main.buffer, size, cpu);
	if (ret < 0 || !tr->snap.buffer)
		return ret;

	ret = ring_buffer_resize(tr->snap.buffer, size, cpu);
	if (ret >= 0)
		return ret;

	for_each_possible_cpu(each) {
		if (cpu == RING_BUFFER_ALL_CPUS || cpu == each)
			ring_buffer_resize(tr->main.buffer,
					   trace_array_size(tr, each), each);
	}

	return ret;
}

/**
 * trace_array_resize - change the size of the buffer
 * @tr: the instance
 * @size: bytes a CPU
 * @cpu: which CPU, or RING_BUFFER_ALL_CPUS
 *
 * Entries are kept as far as there is room for them. Takes trace_lock.
 *
 * Return: 0; -EINVAL for nothing, -ENOMEM for too much, -EBUSY while the
 * buffer is held as it is; an error leaves the size as it was.
 */
int trace_array_resize(struct trace_array *tr, unsigned long size, int cpu)
{
	int ret;

	if (!size)
		return -EINVAL;

	if (!fits_into_memory(size, cpu))
		return -ENOMEM;

	guard(mutex)(&trace_lock);

	/* One CPU alone is not first use: the others still have to follow. */
	if (cpu != RING_BUFFER_ALL_CPUS) {
		ret = trace_array_use(tr);
		if (ret < 0)
			return ret;
	}

	guard(rwsem_write)(&tr->consume);
	ret = resize_both(tr, size, cpu);
	if (ret < 0)
		return ret;

	note_size(tr, size, cpu);
	if (cpu == RING_BUFFER_ALL_CPUS) {
		tr->size = size;
		tr->in_use = true;
	}

	return 0;
}

/**
 * trace_array_set_subbuf - change the size of the buffer's pages
 * @tr: the instance
 * @order: they are to be PAGE_SIZE << @order bytes
 *
 * What was recorded is lost, and the snapshot too. Takes trace_lock.
 *
 * Return: 0; -EINVAL for an impossible order, -EBUSY while the buffer is read
 * or mapped, -ENOMEM; an error leaves the size as it was.
 */
int trace_array_set_subbuf(struct trace_array *tr, int order)
{
	int old, ret;

	guard(mutex)(&trace_lock);
	guard(rwsem_write)(&tr->consume);

	old = ring_buffer_subbuf_order_get(tr->main.buffer);
	ret = ring_buffer_subbuf_order_set(tr->main.buffer, order);
	if (ret || !tr->snap.buffer)
		return ret;

	ret = ring_buffer_subbuf_order_set(tr->snap.buffer, order);
	if (ret)
		ring_buffer_subbuf_order_set(tr->main.buffer, old);

	return ret;
}

/**
 * trace_array_size - the size that the buffer of a CPU was asked to have
 * @tr: the instance
 * @cpu: which CPU
 *
 * It has at least that much, in whole pages. trace_lock held.
 *
 * Return: the size in bytes; before its first use the size that it has.
 */
unsigned long trace_array_size(struct trace_array *tr, int cpu)
{
	lockdep_assert_held(&trace_lock);

	if (!tr->in_use)
		return ring_buffer_size(tr->main.buffer, cpu);

	return *per_cpu_ptr(tr->cpu_size, cpu);
}

/**
 * trace_array_clear - drop what was recorded
 * @tr: the instance
 * @cpu: of which CPU, or RING_BUFFER_ALL_CPUS
 */
void trace_array_clear(struct trace_array *tr, int cpu)
{
	struct trace_buffer *buffer = tr->main.buffer;

	guard(rwsem_write)(&tr->consume);

	if (cpu == RING_BUFFER_ALL_CPUS)
		ring_buffer_reset(buffer);
	else
		ring_buffer_reset_cpu(buffer, cpu);
}

/**
 * trace_array_clear_all - drop what was recorded, and the snapshot
 * @tr: the instance
 *
 * For changes that old entries do not go with. trace_lock held.
 */
void trace_array_clear_all(struct trace_array *tr)
{
	lockdep_assert_held(&trace_lock);

	trace_array_clear(tr, RING_BUFFER_ALL_CPUS);
	if (tr->snap.buffer)
		ring_buffer_reset(tr->snap.buffer);
}

/**
 * trace_array_on - record (tracing_on)
 * @tr: the instance
 *
 * Any context, as trace_array_off() and trace_array_is_on().
 */
void trace_array_on(struct trace_array *tr)
{
	if (tr->main.buffer)
		ring_buffer_record_on(tr->main.buffer);
}

/**
 * trace_array_off - do not record until trace_array_on()
 * @tr: the instance
 */
void trace_array_off(struct trace_array *tr)
{
	if (tr->main.buffer)
		ring_buffer_record_off(tr->main.buffer);
}

/**
 * trace_array_is_on - whether trace_array_on() was the last that was asked
 * @tr: the instance
 */
bool trace_array_is_on(struct trace_array *tr)
{
	return tr->main.buffer && ring_buffer_record_is_set_on(tr->main.buffer);
}

/**
 * trace_array_stop - do not record for a while, whatever tracing_on says
 * @tr: the instance
 *
 * Calls nest.
 */
void trace_array_stop(struct trace_array *tr)
{
	guard(mutex)(&trace_lock);

	tr->stops++;
	ring_buffer_record_disable(tr->main.buffer);
}

/**
 * trace_array_start - undo one trace_array_stop()
 * @tr: the instance
 */
void trace_array_start(struct trace_array *tr)
{
	guard(mutex)(&trace_lock);

	if (WARN_ON_ONCE(!tr->stops))
		return;

	tr->stops--;
	ring_buffer_record_enable(tr->main.buffer);
}

/**
 * trace_array_set_cpumask - choose the CPUs that record
 * @tr: the instance
 * @mask: the CPUs
 */
int trace_array_set_cpumask(struct trace_array *tr, const struct cpumask *mask)
{
	struct trace_buffer *buffer = tr->main.buffer;
	unsigned int cpu;

	guard(mutex)(&trace_lock);

	for_each_possible_cpu(cpu) {
		bool is = cpumask_test_cpu(cpu, tr->cpumask);
		bool will = cpumask_test_cpu(cpu, mask);

		if (is && !will)
			ring_buffer_record_disable_cpu(buffer, cpu);
		else if (!is && will)
			ring_buffer_record_enable_cpu(buffer, cpu);
	}
	cpumask_copy(tr->cpumask, mask);

	return 0;
}

/**
 * trace_consume_begin - be the one who takes entries out of the buffer
 * @tr: the instance
 * @cpu: of which CPU, or RING_BUFFER_ALL_CPUS
 *
 * An entry that was peeked at stays what it is until trace_consume_end().
 */
void trace_consume_begin(struct trace_array *tr, int cpu)
{
	if (cpu == RING_BUFFER_ALL_CPUS) {
		down_write(&tr->consume);
	} else {
		down_read(&tr->consume);
		mutex_lock(per_cpu_ptr(tr->consume_cpu, cpu));
	}
}

/**
 * trace_consume_end - let others take entries out of the buffer
 * @tr: the instance
 * @cpu: as trace_consume_begin() had it
 */
void trace_consume_end(struct trace_array *tr, int cpu)
{
	if (cpu == RING_BUFFER_ALL_CPUS) {
		up_write(&tr->consume);
	} else {
		mutex_unlock(per_cpu_ptr(tr->consume_cpu, cpu));
		up_read(&tr->consume);
	}
}

/**
 * tracing_on - record into the top buffer; any context
 */
void tracing_on(void)
{
	trace_array_on(&trace_top);
}
EXPORT_SYMBOL_GPL(tracing_on);

/**
 * tracing_off - stop recording into the top buffer; any context
 *
 * Put where something went wrong, it leaves what led there in the buffer. Only
 * tracing_on() or user space writing to tracing_on undoes it.
 */
void tracing_off(void)
{
	trace_array_off(&trace_top);
}
EXPORT_SYMBOL_GPL(tracing_off);

/**
 * tracing_off_permanent - never record into the top buffer again; any context
 *
 * For who finds it broken. Nothing undoes it.
 */
void tracing_off_permanent(void)
{
	if (trace_top.main.buffer)
		ring_buffer_disable_permanent(trace_top.main.buffer);
}
EXPORT_SYMBOL_GPL(tracing_off_permanent);

/**
 * tracing_is_on - whether the top buffer records; any context
 */
int tracing_is_on(void)
{
	return trace_array_is_on(&trace_top);
}
EXPORT_SYMBOL_GPL(tracing_is_on);

/**
 * tracing_stop - have no instance record until as many tracing_start(); sleeps
 */
void tracing_stop(void)
{
	struct trace_array *tr;

	guard(mutex)(&trace_lock);

	list_for_each_entry(tr, &trace_instances, list)
		ring_buffer_record_disable(tr->main.buffer);
}

/**
 * tracing_start - undo one tracing_stop(); sleeps
 */
void tracing_start(void)
{
	struct trace_array *tr;

	guard(mutex)(&trace_lock);

	list_for_each_entry(tr, &trace_instances, list)
		ring_buffer_record_enable(tr->main.buffer);
}

#ifdef CONFIG_FUNCTION_TRACER
static void wait_for_writers(void)
{
	synchronize_rcu_tasks_rude();
}
#else
static void wait_for_writers(void)
{
	synchronize_rcu();
}
#endif

/**
 * trace_wait_for_users - wait until nobody uses what was reachable before
 * @readers: wait for those who read, too, and not only for writers of entries
 *
 * Writers have preemption disabled; where functions are traced, it may be on an
 * idle CPU that RCU does not watch. Who reads may be preempted between looking
 * up a ring and taking its lock, but does not sleep there. May sleep, for long.
 */
void trace_wait_for_users(bool readers)
{
	wait_for_writers();
	if (readers)
		synchronize_rcu_tasks();
}

/* Return: 0, or -ENOMEM with everything given back. */
static int __init trace_array_alloc(struct trace_array *tr)
{
	unsigned int cpu;

	if (!alloc_cpumask_var(&tr->cpumask, GFP_KERNEL))
		return -ENOMEM;
	cpumask_copy(tr->cpumask, cpu_possible_mask);

	if (!zalloc_cpumask_var(&tr->piped, GFP_KERNEL))
		goto no_piped;

	tr->cpu_size = alloc_percpu(unsigned long);
	if (!tr->cpu_size)
		goto no_sizes;

	tr->consume_cpu = alloc_percpu(struct mutex);
	if (!tr->consume_cpu)
		goto no_locks;
	for_each_possible_cpu(cpu)
		mutex_init(per_cpu_ptr(tr->consume_cpu, cpu));

	tr->main.tr = tr;
	tr->main.buffer = ring_buffer_alloc(TRACE_BUFFER_AT_REST,
					    RB_FL_OVERWRITE);
	if (!tr->main.buffer)
		goto no_buffer;

	return 0;

no_buffer:
	free_percpu(tr->consume_cpu);
no_locks:
	free_percpu(tr->cpu_size);
no_sizes:
	free_cpumask_var(tr->piped);
no_piped:
	free_cpumask_var(tr->cpumask);
	return -ENOMEM;
}

/**
 * early_trace_init - make the top instance, as soon as there is memory
 *
 * Interrupts are off and there is no scheduler yet.
 */
void __init early_trace_init(void)
{
	struct trace_array *tr = &trace_top;

	if (fits_into_memory(trace_boot_size, RING_BUFFER_ALL_CPUS))
		tr->size = trace_boot_size ?: tr->size;
	else
		pr_warn("tracing: trace_buf_size=%lu: more than there is memory, it is %lu\n",
			trace_boot_size, tr->size);

	if (trace_array_alloc(tr) || trace_names_init()) {
		pr_err("tracing: no memory for the trace buffer, tracing is off\n");
		return;
	}

	tr->tracer = &trace_nop;
	list_add(&tr->list, &trace_instances);
	trace_printk_boot();
}

/**
 * trace_init - what of booting needs interrupts and a clock
 */
void __init trace_init(void)
{
	struct trace_array *tr = &trace_top;

	if (!tr->main.buffer)
		return;

	if (*trace_boot_clock && trace_array_set_clock(tr, trace_boot_clock))
		pr_warn("tracing: trace_clock=%s: no such clock\n",
			trace_boot_clock);

	trace_option_apply_boot(tr);
}
