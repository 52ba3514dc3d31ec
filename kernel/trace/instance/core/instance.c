// SPDX-License-Identifier: GPL-2.0
/*
 * The list of trace instances, and the switches of an instance.
 */
#include <linux/cleanup.h>
#include <linux/export.h>
#include <linux/ftrace.h>
#include <linux/kernel.h>
#include <linux/rculist.h>
#include <linux/rcupdate.h>
#include <linux/string.h>

#include "instance/core/instance.h"
#include "ring/stats.h"
#include "ring/swap.h"

/* instance.h says what it guards, and its place among the locks. */
DEFINE_MUTEX(trace_lock);
LIST_HEAD(trace_instances);

/* Nested tracing_stop(); trace_lock. */
static unsigned int stops;

/* The instance of the top directory. It is never freed. */
struct trace_array trace_top = {
	.list		= LIST_HEAD_INIT(trace_top.list),
};

/**
 * trace_array_get - keep an instance from being removed
 * @tr: the instance
 *
 * Takes trace_lock.
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
 * trace_array_find - find an instance by its name
 * @name: the name, which the top instance does not have
 *
 * Return: the instance, or NULL. trace_lock held.
 */
struct trace_array *trace_array_find(const char *name)
{
	struct trace_array *tr;

	lockdep_assert_held(&trace_lock);

	list_for_each_entry(tr, &trace_instances, list) {
		if (tr->name && !strcmp(tr->name, name))
			return tr;
	}

	return NULL;
}

/**
 * trace_array_find_atomic - find an instance by its name, in any context
 * @name: the name, which need not end with a NUL
 * @len: its length
 *
 * Return: the instance, or NULL. It stays as long as the caller, who has preemption
 * disabled, keeps it so: trace_wait_for_users() comes before it is freed.
 */
struct trace_array *trace_array_find_atomic(const char *name, size_t len)
{
	struct trace_array *tr;

	list_for_each_entry_rcu(tr, &trace_instances, list, true) {
		if (tr->name && strlen(tr->name) == len &&
		    !memcmp(tr->name, name, len))
			return tr;
	}

	return NULL;
}

/**
 * trace_instances_add - add an instance to the list
 * @tr: the instance, which has its buffer
 *
 * It does not record while tracing_stop() is in force. trace_lock held.
 */
void trace_instances_add(struct trace_array *tr)
{
	unsigned int i;

	lockdep_assert_held(&trace_lock);

	for (i = 0; i < stops; i++)
		ring_buffer_record_disable(tr->main.buffer);
	list_add_tail_rcu(&tr->list, &trace_instances);
}

/**
 * trace_array_put - undo trace_array_get() or trace_array_get_by_name()
 * @tr: the instance, may be NULL
 *
 * Takes trace_lock.
 */
void trace_array_put(struct trace_array *tr)
{
	if (!tr)
		return;

	guard(mutex)(&trace_lock);

	if (!WARN_ON_ONCE(!tr->refs))
		tr->refs--;
}
EXPORT_SYMBOL_GPL(trace_array_put);

/**
 * trace_array_on - record (tracing_on)
 * @tr: the instance
 *
 * Any context, like trace_array_off() and trace_array_is_on().
 *
 * Return: false if it was on already; of several calls at once, one has switched it on
 */
bool trace_array_on(struct trace_array *tr)
{
	return tr->main.buffer && ring_buffer_switch(tr->main.buffer, true);
}

/**
 * trace_array_off - do not record until trace_array_on()
 * @tr: the instance
 *
 * Readers that wait for more get what there is.
 *
 * Return: false if it was off already
 */
bool trace_array_off(struct trace_array *tr)
{
	if (!tr->main.buffer || !ring_buffer_switch(tr->main.buffer, false))
		return false;

	ring_buffer_wake_waiters(tr->main.buffer, RING_BUFFER_ALL_CPUS);

	return true;
}

/**
 * trace_array_is_on - whether recording is switched on
 * @tr: the instance
 *
 * trace_array_stop() does not matter.
 */
bool trace_array_is_on(struct trace_array *tr)
{
	return tr->main.buffer && ring_buffer_record_is_set_on(tr->main.buffer);
}

/**
 * trace_array_stop - do not record for a while, whatever tracing_on says
 * @tr: the instance
 *
 * Calls nest. Takes trace_lock.
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
 * trace_consume_begin - become the only one who consumes entries
 * @tr: the instance
 * @cpu: of which CPU, or RING_BUFFER_ALL_CPUS
 *
 * An entry that was peeked at stays valid until trace_consume_end(). Sleeps.
 */
void trace_consume_begin(struct trace_array *tr, int cpu)
{
	if (cpu == RING_BUFFER_ALL_CPUS) {
		down_write(&tr->consume);
	} else {
		down_read(&tr->consume);
		mutex_lock(per_cpu_ptr(tr->consume_cpu, cpu));
	}
	/* Latency tracers exchange rings where they cannot wait. */
	ring_buffer_consume_begin(tr->main.buffer, cpu);
}

/**
 * trace_consume_end - let others consume entries
 * @tr: the instance
 * @cpu: as given to trace_consume_begin()
 */
void trace_consume_end(struct trace_array *tr, int cpu)
{
	ring_buffer_consume_end(tr->main.buffer);
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
 * Called where something went wrong, it keeps what led there in the buffer.
 * Only tracing_on() or a write to the file tracing_on undoes it.
 */
void tracing_off(void)
{
	trace_array_off(&trace_top);
}
EXPORT_SYMBOL_GPL(tracing_off);

/**
 * tracing_is_on - whether the top buffer records; any context
 */
int tracing_is_on(void)
{
	return trace_array_is_on(&trace_top);
}
EXPORT_SYMBOL_GPL(tracing_is_on);

/**
 * tracing_stop - stop recording into all instances until as many tracing_start()
 *
 * Takes trace_lock.
 */
void tracing_stop(void)
{
	struct trace_array *tr;

	guard(mutex)(&trace_lock);

	stops++;
	list_for_each_entry(tr, &trace_instances, list)
		ring_buffer_record_disable(tr->main.buffer);
}

/**
 * tracing_start - undo one tracing_stop()
 *
 * Takes trace_lock.
 */
void tracing_start(void)
{
	struct trace_array *tr;

	guard(mutex)(&trace_lock);

	if (WARN_ON_ONCE(!stops))
		return;

	stops--;
	list_for_each_entry(tr, &trace_instances, list)
		ring_buffer_record_enable(tr->main.buffer);
}

static void instance_wait_for_writers(void)
{
	if (IS_ENABLED(CONFIG_FUNCTION_TRACER))
		synchronize_rcu_tasks_rude();
	else
		synchronize_rcu();
}

/**
 * trace_wait_for_users - wait until nobody uses what was reachable before
 * @readers: also wait for readers, not only for writers of entries
 *
 * Writers have preemption disabled; a traced function may be called on an idle
 * CPU that RCU does not watch. A reader may be preempted between looking up a
 * ring and taking the ring's lock, but does not sleep there. Sleeps, perhaps
 * for long: callers must not hold trace_lock.
 */
void trace_wait_for_users(bool readers)
{
	instance_wait_for_writers();
	if (readers)
		synchronize_rcu_tasks();
}
