// SPDX-License-Identifier: GPL-2.0
/*
 * Creation and removal of instances.
 *
 * An instance is created bottom-up: its buffer and the data of this directory first, then the
 * data of the parts of upper directories in the order of their registration. It cannot be used
 * before all parts have created their data. It is removed in reverse order: its tracer is
 * stopped; it is removed from the list, so that it can no longer be found; the parts destroy
 * their data; once none of it is in use any longer, the buffer is freed.
 */
#define pr_fmt(fmt) "tracing: " fmt

#include <linux/cleanup.h>
#include <linux/err.h>
#include <linux/export.h>
#include <linux/ftrace.h>
#include <linux/init.h>
#include <linux/kernel.h>
#include <linux/limits.h>
#include <linux/printk.h>
#include <linux/rculist.h>
#include <linux/ring_buffer.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/tracepoint.h>

#include "instance/core/buffer.h"
#include "instance/core/errlog.h"
#include "instance/core/instance.h"
#include "instance/core/options.h"
#include "instance/record/cmdlines.h"
#include "instance/record/printk.h"
#include "instance/snapshot/max_latency.h"
#include "instance/snapshot/snapshot.h"
#include "instance/tracer/current_tracer.h"
#include "instance/tracer/instance_create.h"
#include "instance/tracer/tracer.h"
#include "instance/tracer/tracer_options.h"

/*
 * Serializes creation and removal of instances and registration of parts. Taken before
 * trace_lock.
 */
static DEFINE_MUTEX(instances_lock);
static LIST_HEAD(parts);

static int trace_array_set_overwrite(struct trace_array *tr, bool on)
{
	/* A latency trace consists of the most recent entries. */
	if (!on && tr->snap_owned)
		return -EINVAL;

	ring_buffer_change_overwrite(tr->main.buffer, on);
	if (tr->snap.buffer)
		ring_buffer_change_overwrite(tr->snap.buffer, on);

	return 0;
}

/* Return: same as trace_buffer_create(). */
static int trace_array_init(struct trace_array *tr)
{
	int ret;

	tr->options = TRACE_OPT_DEFAULT;
	tr->tracer = &trace_nop;
	INIT_LIST_HEAD(&tr->errors);
	trace_snapshot_create(tr);
	trace_latency_create(tr);

	ret = trace_buffer_create(tr);
	if (ret)
		return ret;

	ret = tracer_options_create(tr);
	if (ret)
		trace_buffer_destroy(tr);

	return ret;
}

static void trace_array_free_instance(struct trace_array *tr)
{
	kfree(tr->systems);
	kfree(tr->name);
	kfree(tr);
}

/* The instance is no longer in use. */
static void trace_array_free(struct trace_array *tr)
{
	trace_errors_clear(tr);
	tracer_options_destroy(tr);
	trace_buffer_destroy(tr);
	trace_array_free_instance(tr);
}

/* Check that @name is a valid directory name. */
static int trace_array_check_name(const char *name)
{
	if (!*name || strchr(name, '/') || !strcmp(name, ".") ||
	    !strcmp(name, ".."))
		return -EINVAL;

	return strlen(name) > NAME_MAX ? -ENAMETOOLONG : 0;
}

/* Return: the instance, in the list but without the data of the parts; or an error. */
static struct trace_array *trace_array_alloc(const char *name, const char *systems,
					     void *memory, unsigned long size)
{
	struct trace_array *tr;
	int ret;

	ret = trace_array_check_name(name);
	if (ret)
		return ERR_PTR(ret);

	guard(mutex)(&trace_lock);

	if (trace_array_find(name))
		return ERR_PTR(-EEXIST);

	tr = kzalloc(sizeof(*tr), GFP_KERNEL);
	if (!tr)
		return ERR_PTR(-ENOMEM);

	/* The instance can be found from now on, but must not be opened before it is complete. */
	tr->ending = true;
	tr->memory = memory;
	tr->memory_size = size;
	tr->name = kstrdup(name, GFP_KERNEL);
	tr->systems = kstrdup(systems, GFP_KERNEL);
	ret = tr->name && (tr->systems || !systems) ? trace_array_init(tr) : -ENOMEM;
	if (ret) {
		trace_array_free_instance(tr);
		return ERR_PTR(ret);
	}
	trace_instances_add(tr);

	return tr;
}

/*
 * Make the instance invisible to files and callers, and stop recording into it. Clearing its
 * options undoes their effects elsewhere: for example, it is no longer the destination of
 * trace_printk().
 */
static void trace_array_unlist(struct trace_array *tr)
{
	enum trace_option i;

	lockdep_assert_held(&trace_lock);

	tr->ending = true;
	list_del_rcu(&tr->list);
	for (i = 0; i < TRACE_OPTIONS; i++)
		trace_option_set(tr, i, false);
}

/* Return: 0; -EBUSY while the instance is used, without a change. */
static int trace_array_retire(struct trace_array *tr)
{
	guard(mutex)(&trace_lock);

	if (tr->refs)
		return -EBUSY;

	if (WARN_ON(tracing_switch_tracer(tr, &trace_nop)))
		return -EBUSY;

	trace_array_unlist(tr);

	return 0;
}

/*
 * Wait for the remaining users of an instance that can no longer be found. Callbacks that are
 * still running may request snapshots until there is no spare buffer.
 */
static void trace_array_drain(struct trace_array *tr)
{
	struct trace_buffer *spare = trace_snapshot_end(tr);

	/* Wait for probes that the parts have unregistered from tracepoints */
	tracepoint_synchronize_unregister();
	/* While the command line is parsed there are no other users and no work to wait for. */
	if (system_state != SYSTEM_BOOTING) {
		lockdep_assert_not_held(&instances_lock);
		trace_wait_for_users(true);
		trace_latency_destroy(tr);
		trace_snapshot_destroy(tr);
	}
	if (spare)
		ring_buffer_free(spare);
}

/*
 * Destroy the data of the parts up to @last for an instance that was removed from the list. The
 * rest of the instance must be freed by trace_array_free_list().
 */
static void trace_array_end(struct trace_array *tr, struct list_head *last)
{
	struct trace_instance_ops *part;
	struct list_head *at;

	lockdep_assert_held(&instances_lock);

	for (at = last; at != &parts; at = at->prev) {
		part = list_entry(at, struct trace_instance_ops, list);
		if (part->destroy)
			part->destroy(tr);
	}
	tr->last_part = last;
}

/*
 * Remove an instance and add it to @removed: its name can be reused. @last is the last part
 * that has data for it, or &parts. Return: 0; -EBUSY while it is used, without a change.
 */
static int trace_array_leave(struct trace_array *tr, struct list_head *last,
			     struct list_head *removed)
{
	int ret = trace_array_retire(tr);

	if (ret)
		return ret;

	trace_array_end(tr, last);
	list_add_tail(&tr->leaving, removed);

	return 0;
}

/*
 * Free removed instances. This can take long: other tasks can create and remove instances
 * concurrently. Parts that register concurrently are added after the parts visited here.
 */
static void trace_array_free_list(struct list_head *removed)
{
	struct trace_array *tr, *next;
	struct trace_instance_ops *part;
	struct list_head *at;

	list_for_each_entry_safe(tr, next, removed, leaving) {
		trace_array_drain(tr);
		for (at = tr->last_part; at != &parts; at = at->prev) {
			part = list_entry(at, struct trace_instance_ops, list);
			if (part->release)
				part->release(tr);
		}
		trace_array_free(tr);
	}
}

/* If creation fails, the partially created instance is added to @removed. */
static struct trace_array *trace_array_create(const char *name, const char *systems,
					      void *memory, unsigned long size,
					      struct list_head *removed)
{
	struct trace_array *tr;
	struct trace_instance_ops *part;
	int ret;

	lockdep_assert_held(&instances_lock);

	tr = trace_array_alloc(name, systems, memory, size);
	if (IS_ERR(tr))
		return tr;

	list_for_each_entry(part, &parts, list) {
		ret = part->create ? part->create(tr) : 0;
		if (ret) {
			WARN_ON(trace_array_leave(tr, part->list.prev, removed));
			return ERR_PTR(ret);
		}
	}

	scoped_guard(mutex, &trace_lock)
		tr->ending = false;

	return tr;
}

/*
 * Remove an instance of the command line for which @create of a part failed. If it has users in
 * the kernel, it is kept permanently and records nothing.
 */
static void __init trace_array_give_up(struct trace_array *tr, int error,
				       struct list_head *removed)
{
	bool used;

	scoped_guard(mutex, &trace_lock) {
		/* The reference of an instance in memory that outlives the kernel is not a user. */
		if (tr->memory)
			tr->refs--;
		used = tr->refs;
		WARN_ON(!tr->pipes && tracing_switch_tracer(tr, &trace_nop));
		trace_array_unlist(tr);
		if (used)
			ring_buffer_record_disable(tr->main.buffer);
	}
	pr_warn("instance %s is removed: error %d\n", tr->name, error);
	trace_array_end(tr, parts.prev);
	if (!used)
		list_add_tail(&tr->leaving, removed);
}

static int __init trace_array_begin_part(struct trace_instance_ops *part, struct list_head *removed)
{
	static unsigned int nr_parts;
	struct trace_array *tr, *next;
	int ret;

	guard(mutex)(&instances_lock);

	if (WARN_ON(nr_parts == TRACE_SLOTS - 1))
		return -ENOSPC;

	part->slot = ++nr_parts;
	list_for_each_entry_safe(tr, next, &trace_instances, list) {
		ret = part->create ? part->create(tr) : 0;
		if (ret && tr == &trace_top)
			return ret;
		if (ret)
			trace_array_give_up(tr, ret, removed);
	}
	list_add_tail_rcu(&part->list, &parts);

	return 0;
}

/**
 * trace_instance_show_stats - print the lines of the parts in the statistics of a CPU
 * @m: output file
 * @tr: the instance
 * @cpu: CPU number
 *
 * trace_lock held.
 */
void trace_instance_show_stats(struct seq_file *m, struct trace_array *tr, int cpu)
{
	struct trace_instance_ops *part;

	lockdep_assert_held(&trace_lock);

	/* Parts are never removed. */
	list_for_each_entry_rcu(part, &parts, list, true)
		if (part->show_stats)
			part->show_stats(m, tr, cpu);
}

/**
 * register_trace_instance_ops - register callbacks for every instance
 * @part: the callbacks
 *
 * Called from an initcall. @part->create() is called for the existing instances, beginning with
 * the top one. The other callbacks of @part are never called for the top one. If
 * @part->create() fails for another instance, that instance is removed.
 *
 * Return: 0; -ENOSPC; or the error of @part->create() for the top instance.
 */
int __init register_trace_instance_ops(struct trace_instance_ops *part)
{
	LIST_HEAD(removed);
	int ret = trace_array_begin_part(part, &removed);

	trace_array_free_list(&removed);

	return ret;
}

/**
 * trace_instance_mkdir - create an instance (mkdir instances/NAME)
 * @name: its name
 *
 * May sleep.
 *
 * Return: 0; -EINVAL or -ENAMETOOLONG if the name is invalid, -EEXIST, -ENOMEM.
 */
int trace_instance_mkdir(const char *name)
{
	LIST_HEAD(removed);
	struct trace_array *tr;

	scoped_guard(mutex, &instances_lock)
		tr = trace_array_create(name, NULL, NULL, 0, &removed);
	trace_array_free_list(&removed);

	return PTR_ERR_OR_ZERO(tr);
}

/**
 * trace_instance_at_boot - create an instance of the command line
 * @name: its name
 * @memory: memory that outlives the kernel, to be used for its buffer; or NULL. An instance
 *	with @memory cannot be removed
 * @size: size of @memory in bytes
 *
 * Return: the instance, or an error of trace_instance_mkdir(); -ENXIO if @memory is too small
 * or not writable.
 */
struct trace_array * __init trace_instance_at_boot(const char *name, void *memory,
						   unsigned long size)
{
	LIST_HEAD(removed);
	struct trace_array *tr;

	scoped_guard(mutex, &instances_lock) {
		tr = trace_array_create(name, NULL, memory, size, &removed);
		if (!IS_ERR(tr) && memory) {
			guard(mutex)(&trace_lock);
			tr->refs++;
		}
	}
	trace_array_free_list(&removed);

	return tr;
}

/**
 * trace_instance_rmdir - remove an instance (rmdir instances/NAME)
 * @name: its name
 *
 * May sleep until all callbacks that were called earlier have returned.
 *
 * Return: 0; -ENOENT if there is no such instance, -EBUSY while it is used.
 */
int trace_instance_rmdir(const char *name)
{
	LIST_HEAD(removed);
	struct trace_array *tr;
	int ret;

	scoped_guard(mutex, &instances_lock) {
		scoped_guard(mutex, &trace_lock)
			tr = trace_array_find(name);
		ret = tr ? trace_array_leave(tr, parts.prev, &removed) : -ENOENT;
	}
	trace_array_free_list(&removed);

	return ret;
}

/**
 * trace_array_get_by_name - find or create an instance
 * @name: name of the instance
 * @systems: comma-separated names of the systems whose events a new instance has; NULL for all
 *
 * The instance cannot be removed until trace_array_put(). May sleep.
 *
 * Return: the instance, or NULL if it cannot be created.
 */
struct trace_array *trace_array_get_by_name(const char *name,
					    const char *systems)
{
	LIST_HEAD(removed);
	struct trace_array *tr;

	scoped_guard(mutex, &instances_lock) {
		scoped_guard(mutex, &trace_lock)
			tr = trace_array_find(name);

		if (!tr)
			tr = trace_array_create(name, systems, NULL, 0, &removed);
		if (IS_ERR(tr) || trace_array_get(tr))
			tr = NULL;
	}
	trace_array_free_list(&removed);

	return tr;
}
EXPORT_SYMBOL_GPL(trace_array_get_by_name);

/**
 * trace_array_destroy - remove an instance
 * @tr: the instance, after trace_array_put()
 *
 * May sleep.
 *
 * Return: 0; -EINVAL if @tr is NULL or the top instance; -ENODEV if it was already removed, as
 * long as its memory is not reused; -EBUSY while it is used.
 */
int trace_array_destroy(struct trace_array *tr)
{
	LIST_HEAD(removed);
	int ret;

	if (!tr || tr == &trace_top)
		return -EINVAL;

	scoped_guard(mutex, &instances_lock) {
		/* instances_lock prevents its removal between the two calls. */
		ret = trace_array_get(tr);
		if (!ret) {
			trace_array_put(tr);
			ret = trace_array_leave(tr, parts.prev, &removed);
		}
	}
	trace_array_free_list(&removed);

	return ret;
}
EXPORT_SYMBOL_GPL(trace_array_destroy);

/**
 * early_trace_init - create the top instance as soon as memory can be allocated
 *
 * Interrupts are off and the scheduler is not running yet.
 */
void __init early_trace_init(void)
{
	struct trace_array *tr = &trace_top;
	int ret;

	trace_option_handle(TRACE_OPTION_OVERWRITE, trace_array_set_overwrite);
	trace_buffer_apply_boot();
	current_tracer_init();
	trace_printk_init();

	mutex_lock(&trace_lock);
	ret = trace_cmdlines_init() ?: trace_array_init(tr);
	if (!ret) {
		tr->options |= TRACE_OPT(TRACE_PRINTK_DEST) |
			       TRACE_OPT(COPY_TRACE_MARKER);
		trace_instances_add(tr);
	}
	mutex_unlock(&trace_lock);

	if (ret)
		pr_err("no memory for the trace buffer, tracing is disabled\n");
}
