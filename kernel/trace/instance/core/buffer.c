// SPDX-License-Identifier: GPL-2.0
/*
 * The ring buffer of an instance: its size, its CPUs and its content.
 *
 * An unused buffer has almost no memory. It is expanded to its size before the first entry is
 * recorded.
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

/* Default size in bytes per CPU after the first use, unless trace_buf_size= is given. */
#define TRACE_BUFFER_DEFAULT	1441792UL

/* Pages have headers, so this size makes two pages: one in use and the next one. */
#define TRACE_BUFFER_AT_REST	PAGE_SIZE

static unsigned long boot_size __initdata;
static unsigned long default_size __ro_after_init = TRACE_BUFFER_DEFAULT;

/* CPU hotplug state for CPUs that are brought up, 0 until it is set up. */
static enum cpuhp_state hotplug_state __ro_after_init;

/*
 * Requests larger than the memory are refused without an attempt: they would use up all memory
 * of the system before they fail.
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
 * trace_buffer_apply_boot - apply the buffer size of trace_buf_size=
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

/* CPUs that were never online have no ring; their size is 0. */
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
 * trace_array_expand - expand the buffer to its requested size
 * @tr: the instance
 *
 * Called before anything is recorded, with trace_lock held.
 *
 * Return: 0, or -ENOMEM with the buffer unchanged.
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
 * trace_array_size - requested size of the buffer of a CPU
 * @tr: the instance
 * @cpu: CPU number
 *
 * After the first use, the ring has at least this size, in whole pages. trace_lock held.
 *
 * Return: the size in bytes, 0 for a CPU that was never online
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
 * @size: bytes per CPU
 * @cpu: CPU number, or RING_BUFFER_ALL_CPUS
 *
 * Entries are kept as far as there is space for them. Takes trace_lock.
 *
 * Return: 0; -EINVAL if @size is 0 or the buffer is in memory that outlives the kernel; -ENOMEM
 * if @size is too large; -EBUSY while the buffer is mapped. After an error the size and the
 * entries are unchanged.
 */
int trace_array_resize(struct trace_array *tr, unsigned long size, int cpu)
{
	int ret;

	if (!size || tr->memory)
		return -EINVAL;

	if (!buffer_fits_into_memory(size, cpu))
		return -ENOMEM;

	guard(mutex)(&trace_lock);

	/* Before one CPU can get a different size, the other CPUs must have theirs. */
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
 * trace_array_clear - drop the recorded entries
 * @tr: the instance
 * @cpu: CPU number, or RING_BUFFER_ALL_CPUS
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
 * trace_array_clear_all - drop the recorded entries and the snapshot
 * @tr: the instance
 *
 * For changes that make old entries unreadable. trace_lock held.
 */
void trace_array_clear_all(struct trace_array *tr)
{
	lockdep_assert_held(&trace_lock);

	/* A pending snapshot would be empty: cancel it. */
	ring_buffer_swap_drop(tr->main.buffer);
	trace_array_clear(tr, RING_BUFFER_ALL_CPUS);
	if (tr->snap.buffer)
		ring_buffer_reset(tr->snap.buffer);
}

/*
 * Apply tr->cpumask to the ring of a CPU. A CPU that was never online has no ring yet:
 * buffer_trace_cpu_prepare() applies the mask when the CPU is brought up.
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
 * @text: CPU mask in the format of tracing_cpumask; it is applied to offline CPUs when they are
 *	brought up
 *
 * Takes trace_lock.
 *
 * Return: 0; -ENOMEM; -EINVAL or -EOVERFLOW if @text is not a valid mask
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
		/* Readers that wait for a CPU which no longer records get its remaining data. */
		ring_buffer_wake_waiters(tr->main.buffer, RING_BUFFER_ALL_CPUS);
	}
	free_cpumask_var(mask);

	return ret;
}

/*
 * A CPU is about to be brought up and has its ring. A CPU that is brought up for the first time
 * gets the size of the first CPU's ring.
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

/* Runs after CPU hotplug states are available and before any secondary CPU is brought up. */
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
 * Buffers in memory that outlives the kernel preserve the events that led to a panic. Stop
 * them: the code that runs after a panic, like the loop that waits for the reboot, would
 * overwrite these.
 */
static int buffer_stop_at_panic(struct notifier_block *nb, unsigned long unused, void *unused2)
{
	struct trace_array *tr;

	/* Another CPU may have been stopped while it held trace_lock. */
	guard(rcu)();

	list_for_each_entry_rcu(tr, &trace_instances, list)
		ring_buffer_saved_stop(tr->main.buffer);

	return NOTIFY_DONE;
}

/* Run first, so that the activity of other notifiers is not recorded. */
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
 * Create the ring buffer of a new instance: either a small one that is expanded at its first
 * use, or one of fixed size in memory that outlives the kernel.
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
 * trace_buffer_create - create the buffer of a new instance
 * @tr: the instance, zeroed except for @memory and @memory_size
 *
 * May sleep, except for the top instance, which is created before sleeping is possible.
 *
 * Return: 0; -ENOMEM; -ENXIO if its memory is too small or not RAM. Nothing is created after an
 * error.
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

	/* Instances of the command line are added in buffer_trace_hotplug_init(). */
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
 * @tr: an instance other than the top one, without a spare buffer; it no longer has writers and
 *	readers
 */
void trace_buffer_destroy(struct trace_array *tr)
{
	/* Instances that were created and removed by the command line were never added. */
	if (!hlist_unhashed(&tr->hotplug))
		cpuhp_state_remove_instance_nocalls(hotplug_state, &tr->hotplug);
	ring_buffer_free(tr->main.buffer);
	/* A NULL buffer in the top instance means that tracing is unavailable. */
	tr->main.buffer = NULL;
	free_percpu(tr->consume_cpu);
	free_percpu(tr->cpu_size);
	free_cpumask_var(tr->piped);
	free_cpumask_var(tr->cpus_off);
	free_cpumask_var(tr->cpumask);
}
