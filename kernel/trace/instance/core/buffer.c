// SPDX-License-Identifier: GPL-2.0
/*
 * The buffer of an instance: its size, its CPUs, its content as a whole.
 *
 * A buffer at rest has next to no memory; it grows to its size when something
 * is to be recorded for the first time.
 */
#define pr_fmt(fmt) "tracing: " fmt

#include <linux/cleanup.h>
#include <linux/cpu.h>
#include <linux/cpuhotplug.h>
#include <linux/cpumask.h>
#include <linux/err.h>
#include <linux/init.h>
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/notifier.h>
#include <linux/panic_notifier.h>
#include <linux/percpu.h>
#include <linux/printk.h>
#include <linux/rculist.h>

#include "instance/core/buffer.h"
#include "instance/core/clocks.h"
#include "instance/core/instance.h"
#include "instance/core/last_boot.h"
#include "ring/persist.h"
#include "ring/resize.h"
#include "ring/swap.h"

/* Bytes a CPU from first use on, unless trace_buf_size= says otherwise. */
#define TRACE_BUFFER_DEFAULT	1441792UL

/* Pages have headers, so this makes two pages: one in use and a next one. */
#define TRACE_BUFFER_AT_REST	PAGE_SIZE

static unsigned long boot_size __initdata;
static unsigned long default_size __ro_after_init = TRACE_BUFFER_DEFAULT;

/* The state in which CPUs come up, 0 before there is one. */
static enum cpuhp_state hotplug_state __ro_after_init;

/*
 * Larger requests than there is memory are not even tried: they would take
 * everybody's memory before they fail.
 */
static bool buffer_fits_into_memory(unsigned long size, int cpu)
{
	unsigned int cpus = cpu == RING_BUFFER_ALL_CPUS ? num_possible_cpus() : 1;

	return size >> PAGE_SHIFT <= totalram_pages() / cpus;
}

static int __init buffer_boot_size_setup(char *str)
{
	boot_size = memparse(str, &str);
	if (*str)
		boot_size = 0;

	return boot_size != 0;
}
__setup("trace_buf_size=", buffer_boot_size_setup);

/**
 * trace_buffer_apply_boot - give buffers the size that trace_buf_size= asks for
 */
void __init trace_buffer_apply_boot(void)
{
	if (!boot_size)
		return;

	if (buffer_fits_into_memory(boot_size, RING_BUFFER_ALL_CPUS))
		default_size = max(boot_size, PAGE_SIZE);
	else
		pr_warn("trace_buf_size=%lu exceeds available memory, using %lu\n",
			boot_size, default_size);
}

/* CPUs that were never up have no ring, and 0 stands for that. */
static void buffer_set_cpu_size(struct trace_array *tr, unsigned long size, int cpu)
{
	unsigned int each;

	for_each_possible_cpu(each) {
		if (cpu != RING_BUFFER_ALL_CPUS && cpu != each)
			continue;
		if (ring_buffer_size(tr->main.buffer, each))
			*per_cpu_ptr(tr->cpu_size, each) = size;
	}
}

/**
 * trace_array_expand - give the buffer the size it was asked to have
 * @tr: the instance
 *
 * Called before anything is to be recorded, with trace_lock held.
 *
 * Return: 0, or -ENOMEM with the buffer as it was.
 */
int trace_array_expand(struct trace_array *tr)
{
	int ret;

	lockdep_assert_held(&trace_lock);

	if (tr->in_use)
		return 0;

	ret = ring_buffer_resize(tr->main.buffer, tr->size,
				 RING_BUFFER_ALL_CPUS);
	if (ret < 0)
		return ret;

	buffer_set_cpu_size(tr, tr->size, RING_BUFFER_ALL_CPUS);
	tr->in_use = true;

	return 0;
}

/**
 * trace_array_expand_now - trace_array_expand() for callers without trace_lock
 * @tr: the instance
 */
int trace_array_expand_now(struct trace_array *tr)
{
	guard(mutex)(&trace_lock);

	return trace_array_expand(tr);
}

/**
 * trace_array_size - the size that the buffer of a CPU was asked to have
 * @tr: the instance
 * @cpu: which CPU
 *
 * From first use on the ring has at least that much, in whole pages. trace_lock held.
 *
 * Return: the size in bytes, 0 for a CPU that was never up
 */
unsigned long trace_array_size(struct trace_array *tr, int cpu)
{
	lockdep_assert_held(&trace_lock);

	if (!tr->in_use)
		return ring_buffer_size(tr->main.buffer, cpu) ? tr->size : 0;

	return *per_cpu_ptr(tr->cpu_size, cpu);
}

/**
 * trace_array_resize - change the size of the buffer
 * @tr: the instance
 * @size: bytes a CPU
 * @cpu: which CPU, or RING_BUFFER_ALL_CPUS
 *
 * Entries are kept as far as there is room for them. Takes trace_lock.
 *
 * Return: 0; -EINVAL for no size at all, and for a buffer that outlives the kernel;
 * -ENOMEM for too large a size, -EBUSY while the buffer is mapped; an error leaves
 * the size and the entries as they were.
 */
int trace_array_resize(struct trace_array *tr, unsigned long size, int cpu)
{
	int ret;

	if (!size || tr->memory)
		return -EINVAL;

	if (!buffer_fits_into_memory(size, cpu))
		return -ENOMEM;

	guard(mutex)(&trace_lock);

	/* The other CPUs have to have their size before one can differ. */
	if (cpu != RING_BUFFER_ALL_CPUS) {
		ret = trace_array_expand(tr);
		if (ret < 0)
			return ret;
	}

	guard(rwsem_write)(&tr->consume);
	ret = ring_buffers_resize(tr->main.buffer, tr->snap.buffer, size, cpu);
	if (ret < 0)
		return ret;

	buffer_set_cpu_size(tr, size, cpu);
	if (cpu == RING_BUFFER_ALL_CPUS) {
		tr->size = size;
		tr->in_use = true;
	}

	return 0;
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
 * For changes after which old entries cannot be read any more. trace_lock held.
 */
void trace_array_clear_all(struct trace_array *tr)
{
	lockdep_assert_held(&trace_lock);

	/* Of a snapshot that is still to be taken nothing would be left. */
	ring_buffer_swap_drop(tr->main.buffer);
	trace_array_clear(tr, RING_BUFFER_ALL_CPUS);
	if (tr->snap.buffer)
		ring_buffer_reset(tr->snap.buffer);
}

/*
 * Make the ring of a CPU obey tr->cpumask. A CPU that was never up has no ring
 * that could be told: buffer_trace_cpu_prepare() does it when the CPU comes.
 */
static void buffer_apply_cpumask(struct trace_array *tr, unsigned int cpu)
{
	struct trace_buffer *buffer = tr->main.buffer;
	bool off = !cpumask_test_cpu(cpu, tr->cpumask);

	lockdep_assert_cpus_held();

	if (off == cpumask_test_cpu(cpu, tr->cpus_off) ||
	    !ring_buffer_size(buffer, cpu))
		return;

	if (off)
		ring_buffer_record_disable_cpu(buffer, cpu);
	else
		ring_buffer_record_enable_cpu(buffer, cpu);
	cpumask_assign_cpu(cpu, tr->cpus_off, off);
}

/**
 * trace_array_set_cpumask - choose the CPUs that record
 * @tr: the instance
 * @text: the CPUs, as tracing_cpumask has them; those that are not up yet obey it when
 *	  they come
 *
 * Takes trace_lock.
 *
 * Return: 0; -ENOMEM; -EINVAL or -EOVERFLOW for what is no mask
 */
int trace_array_set_cpumask(struct trace_array *tr, const char *text)
{
	cpumask_var_t mask;
	unsigned int cpu;
	int ret;

	if (!zalloc_cpumask_var(&mask, GFP_KERNEL))
		return -ENOMEM;

	ret = cpumask_parse(text, mask);
	if (!ret) {
		guard(mutex)(&trace_lock);
		guard(cpus_read_lock)();

		cpumask_copy(tr->cpumask, mask);
		for_each_possible_cpu(cpu)
			buffer_apply_cpumask(tr, cpu);
		/* Of a CPU that does not record, readers get what there is. */
		ring_buffer_wake_waiters(tr->main.buffer, RING_BUFFER_ALL_CPUS);
	}
	free_cpumask_var(mask);

	return ret;
}

/*
 * A CPU is about to come up and has its ring. At its first time the ring has
 * the size of that of the first CPU.
 */
static int buffer_trace_cpu_prepare(unsigned int cpu, struct hlist_node *node)
{
	struct trace_array *tr = hlist_entry(node, struct trace_array, hotplug);
	unsigned long *size = per_cpu_ptr(tr->cpu_size, cpu);
	unsigned int first;

	for_each_possible_cpu(first) {
		if (*size)
			break;
		if (first != cpu && ring_buffer_size(tr->main.buffer, first))
			*size = *per_cpu_ptr(tr->cpu_size, first);
	}
	buffer_apply_cpumask(tr, cpu);

	return 0;
}

/* Once there are CPU hotplug states, and before any other CPU comes up. */
static int __init buffer_trace_hotplug_init(void)
{
	struct trace_array *tr;
	int state, ret;

	if (!trace_top.main.buffer)
		return 0;

	state = cpuhp_setup_state_multi(CPUHP_BP_PREPARE_DYN, "trace:prepare",
					buffer_trace_cpu_prepare, NULL);
	if (state < 0)
		return state;

	hotplug_state = state;

	guard(mutex)(&trace_lock);

	list_for_each_entry(tr, &trace_instances, list) {
		ret = cpuhp_state_add_instance_nocalls(hotplug_state,
						       &tr->hotplug);
		if (ret)
			return ret;
	}

	return 0;
}
early_initcall(buffer_trace_hotplug_init);

/*
 * Buffers that outlive the kernel keep what led to a panic. What comes after it, like the loop
 * that waits for the reboot, would overwrite that.
 */
static int buffer_stop_at_panic(struct notifier_block *nb, unsigned long unused, void *unused2)
{
	struct trace_array *tr;

	/* Another CPU may have been stopped while it had trace_lock. */
	guard(rcu)();

	list_for_each_entry_rcu(tr, &trace_instances, list)
		ring_buffer_saved_stop(tr->main.buffer);

	return NOTIFY_DONE;
}

/* What other notifiers do is of no interest. */
static struct notifier_block panic_nb = {
	.notifier_call	= buffer_stop_at_panic,
	.priority	= INT_MAX,
};

static int __init buffer_panic_init(void)
{
	return atomic_notifier_chain_register(&panic_notifier_list, &panic_nb);
}
early_initcall(buffer_panic_init);

/*
 * The ring buffer of a new instance: a small one that grows at its first use, or the
 * one that is in memory which outlives the kernel, and stays what it is.
 */
static int buffer_make(struct trace_array *tr)
{
	static struct lock_class_key saved_key;
	struct trace_buffer *buffer;

	if (!tr->memory) {
		tr->main.buffer = ring_buffer_alloc(TRACE_BUFFER_AT_REST,
						    RB_FL_OVERWRITE);
		return tr->main.buffer ? 0 : -ENOMEM;
	}

	buffer = ring_buffer_alloc_saved(RB_FL_OVERWRITE, 0, tr->memory, tr->memory_size,
					 trace_saved_entry, &saved_key);
	if (IS_ERR(buffer))
		return PTR_ERR(buffer);

	tr->main.buffer = buffer;
	tr->size = ring_buffer_size(tr->main.buffer,
				    cpumask_first(cpu_possible_mask));
	buffer_set_cpu_size(tr, tr->size, RING_BUFFER_ALL_CPUS);
	tr->in_use = true;

	return 0;
}

/**
 * trace_buffer_create - make the buffer of a new instance
 * @tr: the instance, zeroed but for its memory
 *
 * May sleep, but for the top instance, which is made before anything can.
 *
 * Return: 0; -ENOMEM; -ENXIO where its memory is too small or no memory. Nothing
 * is made then.
 */
int trace_buffer_create(struct trace_array *tr)
{
	int ret = -ENOMEM;
	unsigned int cpu;

	if (!alloc_cpumask_var(&tr->cpumask, GFP_KERNEL))
		return -ENOMEM;
	cpumask_copy(tr->cpumask, cpu_possible_mask);

	if (!zalloc_cpumask_var(&tr->cpus_off, GFP_KERNEL))
		goto no_cpus_off;

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
	init_rwsem(&tr->consume);

	tr->size = default_size;
	tr->buffer_percent = 50;
	tr->main.tr = tr;
	tr->snap.tr = tr;
	ret = buffer_make(tr);
	if (ret)
		goto no_buffer;
	trace_array_first_clock(tr);

	/* Those of the command line join in buffer_trace_hotplug_init(). */
	if (!hotplug_state ||
	    !cpuhp_state_add_instance_nocalls(hotplug_state, &tr->hotplug))
		return 0;

	ret = -ENOMEM;
	ring_buffer_free(tr->main.buffer);
	tr->main.buffer = NULL;
no_buffer:
	free_percpu(tr->consume_cpu);
no_locks:
	free_percpu(tr->cpu_size);
no_sizes:
	free_cpumask_var(tr->piped);
no_piped:
	free_cpumask_var(tr->cpus_off);
no_cpus_off:
	free_cpumask_var(tr->cpumask);
	return ret;
}

/**
 * trace_buffer_destroy - undo trace_buffer_create()
 * @tr: an instance other than the top one, without a spare buffer; it has no more
 *	writers and readers
 */
void trace_buffer_destroy(struct trace_array *tr)
{
	/* It did not join while the command line was obeyed. */
	if (!hlist_unhashed(&tr->hotplug))
		cpuhp_state_remove_instance_nocalls(hotplug_state, &tr->hotplug);
	ring_buffer_free(tr->main.buffer);
	/* Without one for the top instance there is no tracing. */
	tr->main.buffer = NULL;
	free_percpu(tr->consume_cpu);
	free_percpu(tr->cpu_size);
	free_cpumask_var(tr->piped);
	free_cpumask_var(tr->cpus_off);
	free_cpumask_var(tr->cpumask);
}
