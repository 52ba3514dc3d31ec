// SPDX-License-Identifier: GPL-2.0
/*
 * How instances begin and end.
 *
 * An instance is made from below: its buffer and what this room has for it, then
 * the parts of upper rooms in the order in which they registered. Nobody can use it
 * before all are there. It ends the other way round: its tracer stops; it leaves the list,
 * so that nobody finds it any more; the parts go; when nothing that it had is in use any
 * more, so does the buffer.
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

/* Instances and parts come and go under it. Taken before trace_lock. */
static DEFINE_MUTEX(instances_lock);
static LIST_HEAD(parts);

static int trace_array_set_overwrite(struct trace_array *tr, bool on)
{
	/* What leads to a latency is what was recorded last. */
	if (!on && tr->snap_owned)
		return -EINVAL;

	ring_buffer_change_overwrite(tr->main.buffer, on);
	if (tr->snap.buffer)
		ring_buffer_change_overwrite(tr->snap.buffer, on);

	return 0;
}

/* Return: as trace_buffer_create(). */
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

/* Nothing uses it any more. */
static void trace_array_free(struct trace_array *tr)
{
	trace_errors_clear(tr);
	tracer_options_destroy(tr);
	trace_buffer_destroy(tr);
	trace_array_free_instance(tr);
}

/* A directory can have the name. */
static int trace_array_check_name(const char *name)
{
	if (!*name || strchr(name, '/') || !strcmp(name, ".") ||
	    !strcmp(name, ".."))
		return -EINVAL;

	return strlen(name) > NAME_MAX ? -ENAMETOOLONG : 0;
}

/* Return: the instance, in the list and without the parts; or an error. */
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

	/* It is found from now on, but cannot be opened before it is whole. */
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
 * Let no file or caller find the instance, and have nothing record into it. What
 * its options do elsewhere ends: it is not the one that trace_printk() writes
 * into any more, and so on.
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

/* Return: 0; -EBUSY while the instance is used, which changes nothing. */
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
 * Wait until nobody uses an instance that nobody can find any more. Callbacks that are
 * still under way may ask for snapshots until there is no spare buffer.
 */
static void trace_array_drain(struct trace_array *tr)
{
	struct trace_buffer *spare = trace_snapshot_end(tr);

	/* Probes that the parts have taken off their tracepoints */
	tracepoint_synchronize_unregister();
	/* While the command line is obeyed there is nobody else, nor work to wait for. */
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
 * The parts up to @last end what they have for an instance that is not in the list any more.
 * The rest of it is to be freed by trace_array_free_list().
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
 * The instance leaves, and is one of @removed: another one can have its name. @last is the
 * last part that has something for it, or &parts. Return: 0; -EBUSY while it is used, and
 * stays.
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
 * Free instances that have left. This can take long: others make and remove instances
 * meanwhile. Parts that register meanwhile come behind those that are looked at.
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

/* Where the instance cannot be made, what there is of it is one of @removed. */
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
 * Remove an instance of the command line for which a part could not begin. If it is used, by
 * code of the kernel that has it, it is kept for good, and records nothing.
 */
static void __init trace_array_give_up(struct trace_array *tr, int error,
				       struct list_head *removed)
{
	bool used;

	scoped_guard(mutex, &trace_lock) {
		/* What keeps one in memory that outlives the kernel is no user. */
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
 * trace_instance_show_stats - print what parts add to the statistics of a CPU
 * @m: where to
 * @tr: the instance
 * @cpu: the CPU
 *
 * trace_lock held.
 */
void trace_instance_show_stats(struct seq_file *m, struct trace_array *tr, int cpu)
{
	struct trace_instance_ops *part;

	lockdep_assert_held(&trace_lock);

	/* A part never leaves the list. */
	list_for_each_entry_rcu(part, &parts, list, true)
		if (part->show_stats)
			part->show_stats(m, tr, cpu);
}

/**
 * register_trace_instance_ops - have something for every instance
 * @part: what is called for each
 *
 * Called from an initcall. @part->create() is called for the instances there are, for the top
 * one first. The others of @part are never called for the top one. Another instance for which
 * @part->create() fails is removed.
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
 * trace_instance_mkdir - make an instance (mkdir instances/NAME)
 * @name: its name
 *
 * May sleep.
 *
 * Return: 0; -EINVAL or -ENAMETOOLONG for what is no name, -EEXIST, -ENOMEM.
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
 * trace_instance_at_boot - make an instance that the command line asks for
 * @name: its name
 * @memory: what its buffer is to be in, which outlives the kernel; or NULL. Such an
 *	    instance cannot be removed
 * @size: bytes of @memory
 *
 * Return: the instance, or an error as of trace_instance_mkdir(); -ENXIO where @memory
 * is too small or cannot be written to.
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
 * May sleep, for as long as callbacks may run that were called before.
 *
 * Return: 0; -ENOENT without such an instance, -EBUSY while it is used.
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
 * trace_array_get_by_name - find or make an instance
 * @name: of the instance
 * @systems: names of the systems whose events a new instance is to have, with commas
 *	     between them; NULL for all
 *
 * The instance cannot be removed until trace_array_put(). May sleep.
 *
 * Return: the instance, or NULL where it cannot be made.
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
 * Return: 0; -EINVAL without an instance, and for the top one; -ENODEV for one that is gone
 * already, as long as its memory has no new use; -EBUSY while somebody uses it.
 */
int trace_array_destroy(struct trace_array *tr)
{
	LIST_HEAD(removed);
	int ret;

	if (!tr || tr == &trace_top)
		return -EINVAL;

	scoped_guard(mutex, &instances_lock) {
		/* Nobody else ends it before it is looked at again. */
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
 * early_trace_init - make the top instance, as soon as there is memory
 *
 * Interrupts are off and there is no scheduler yet.
 */
void __init early_trace_init(void)
{
	struct trace_array *tr = &trace_top;
	int ret;

	trace_option_handle(TRACE_OPTION_OVERWRITE, trace_array_set_overwrite);
	trace_buffer_apply_boot();
	tracer_switch_init();
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
