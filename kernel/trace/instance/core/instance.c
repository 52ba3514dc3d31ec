// SPDX-License-Identifier: GPL-2.0
/*
 * Trace instances: their list, and switching their recording on and off.
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

/* instance.h documents what it guards, and where it is in the lock order. */
DEFINE_MUTEX(trace_lock);
LIST_HEAD(trace_instances);

/* Nested tracing_stop(); trace_lock. */
static unsigned int stops;

/* The instance of the top directory. It is never freed. */
struct trace_array trace_top = {
	.list		= LIST_HEAD_INIT(trace_top.list),
};

/**
 * trace_array_get - take a reference that prevents removal of an instance
 * @tr: the instance
 *
 * Takes trace_lock.
 *
 * Return: 0, or -ENODEV if it is being removed.
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
 * @name: name of the instance; the top instance has none
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
 * @name: the name, not necessarily NUL-terminated
 * @len: length of @name
 *
 * Return: the instance, or NULL. It remains valid as long as the caller has preemption
 * disabled: trace_wait_for_users() runs before it is freed.
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
 * @tr: the instance; its buffer is allocated
 *
 * Its recording is disabled while tracing_stop() is in effect. trace_lock held.
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
 * trace_array_on - enable recording (tracing_on)
 * @tr: the instance
 *
 * Any context, like trace_array_off() and trace_array_is_on().
 *
 * Return: false if it was already on; one of several concurrent calls returns true
 */
bool trace_array_on(struct trace_array *tr)
{
	return tr->main.buffer && ring_buffer_switch(tr->main.buffer, true);
}

/**
 * trace_array_off - disable recording until trace_array_on()
 * @tr: the instance
 *
 * Waiting readers are woken and get the available data.
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
 * trace_array_is_on - check whether recording is switched on
 * @tr: the instance
 *
 * Independent of trace_array_stop().
 */
bool trace_array_is_on(struct trace_array *tr)
{
	return tr->main.buffer && ring_buffer_record_is_set_on(tr->main.buffer);
}

/**
 * trace_array_stop - suspend recording regardless of tracing_on
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
 * trace_consume_begin - become the only consumer of entries
 * @tr: the instance
 * @cpu: CPU number, or RING_BUFFER_ALL_CPUS
 *
 * A peeked entry remains valid until trace_consume_end(). Sleeps.
 */
void trace_consume_begin(struct trace_array *tr, int cpu)
{
	if (cpu == RING_BUFFER_ALL_CPUS) {
		down_write(&tr->consume);
	} else {
		down_read(&tr->consume);
		mutex_lock(per_cpu_ptr(tr->consume_cpu, cpu));
	}
	/* Latency tracers exchange rings in contexts where they cannot wait for a mutex. */
	ring_buffer_consume_begin(tr->main.buffer, cpu);
}

/**
 * trace_consume_end - let other readers consume entries
 * @tr: the instance
 * @cpu: @cpu that was passed to trace_consume_begin()
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
 * tracing_on - enable recording into the top buffer; any context
 */
void tracing_on(void)
{
	trace_array_on(&trace_top);
}
EXPORT_SYMBOL_GPL(tracing_on);

/**
 * tracing_off - disable recording into the top buffer; any context
 *
 * Called when an error is detected, it preserves the entries that led to the error. Only
 * tracing_on() or a write to the file tracing_on undoes it.
 */
void tracing_off(void)
{
	trace_array_off(&trace_top);
}
EXPORT_SYMBOL_GPL(tracing_off);

/**
 * tracing_is_on - check whether the top buffer records; any context
 */
int tracing_is_on(void)
{
	return trace_array_is_on(&trace_top);
}
EXPORT_SYMBOL_GPL(tracing_is_on);

/**
 * tracing_stop - disable recording into all instances until as many tracing_start()
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
	if (IS_ENABLED(CONFIG_FUNCTION_TRACER) || IS_ENABLED(CONFIG_BRANCH_TRACER))
		synchronize_rcu_tasks_rude();
	else
		synchronize_rcu();
}

/**
 * trace_wait_for_users - wait until earlier lookups are no longer in use
 * @readers: also wait for readers, not only for writers of entries
 *
 * Writers have preemption disabled. A traced function may be called, and a branch be recorded, on
 * an idle CPU that RCU does not watch. A reader may be preempted between looking up a ring and
 * taking the ring's lock, but does not sleep there. Sleeps, perhaps for long: callers must not hold
 * trace_lock.
 */
void trace_wait_for_users(bool readers)
{
	instance_wait_for_writers();
	if (readers)
		synchronize_rcu_tasks();
}
