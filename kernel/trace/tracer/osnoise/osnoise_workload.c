// SPDX-License-Identifier: GPL-2.0
/*
 * Common part of the tracers osnoise and timerlat: the values set by files, the instances that
 * record, and the start and stop of the measuring threads.
 *
 * Only one of the two tracers is active at a time, because each would disturb the measurements
 * of the other. All instances that have the tracer share its threads and get the same entries.
 */
#include <linux/bits.h>
#include <linux/cleanup.h>
#include <linux/cpumask.h>
#include <linux/init.h>
#include <linux/lockdep.h>
#include <linux/math64.h>
#include <linux/mutex.h>
#include <linux/panic.h>
#include <linux/rculist.h>
#include <linux/slab.h>
#include <linux/smp.h>

#include "instance/core/instance.h"
#include "instance/snapshot/max_latency.h"
#include "tracer/osnoise/osnoise_account.h"
#include "tracer/osnoise/osnoise_workload.h"

/* With interrupts off for longer than this, the watchdogs trigger. */
#define RUNTIME_MAX_US		(10 * USEC_PER_SEC)

/* A shorter period leaves no time for anything else. */
#define TIMERLAT_PERIOD_MIN_US	100
#define TIMERLAT_PERIOD_MAX_US	USEC_PER_SEC

/* Changed under trace_lock, read anywhere. */
static unsigned long numbers[OSNOISE_NUMBERS] = {
	[OSNOISE_RUNTIME]		= USEC_PER_SEC,
	[OSNOISE_PERIOD]		= USEC_PER_SEC,
	[OSNOISE_TIMERLAT_PERIOD]	= USEC_PER_MSEC,
};

const char * const trace_osnoise_options[OSNOISE_OPTIONS] = {
	[OSNOISE_WORKLOAD]		= "OSNOISE_WORKLOAD",
	[OSNOISE_PANIC]			= "PANIC_ON_STOP",
	[OSNOISE_PREEMPT_DISABLE]	= "OSNOISE_PREEMPT_DISABLE",
	[OSNOISE_IRQ_DISABLE]		= "OSNOISE_IRQ_DISABLE",
};

#define DEFAULT_OPTIONS		BIT(OSNOISE_WORKLOAD)

static unsigned long options = DEFAULT_OPTIONS;

/* CPUs of the threads; protected by trace_lock */
static struct cpumask cpus;

/* Workload of the tracer that instances have, or NULL; protected by trace_lock */
static struct trace_workload *active;

/**
 * struct osnoise_workload_user - an instance that has the tracer
 * @list: entry in users
 * @rcu: head for freeing it
 * @tr: the instance
 */
struct osnoise_workload_user {
	struct list_head	list;
	struct rcu_head		rcu;
	struct trace_array	*tr;
};

/* Changed under trace_lock; read under RCU */
static LIST_HEAD(users);

/**
 * trace_workload_record - record an entry in all instances that have the tracer
 * @record: writes it to one instance, under RCU
 * @data: passed to @record
 *
 * Any context except NMIs.
 */
void trace_workload_record(void (*record)(struct trace_array *tr, const void *data),
			   const void *data)
{
	struct osnoise_workload_user *user;

	guard(rcu)();

	list_for_each_entry_rcu(user, &users, list)
		record(user->tr, data);
}

/**
 * trace_workload_is_recording - is an instance that has the tracer recording?
 *
 * Any context except NMIs.
 */
bool trace_workload_is_recording(void)
{
	struct osnoise_workload_user *user;

	guard(rcu)();

	list_for_each_entry_rcu(user, &users, list) {
		if (trace_array_is_on(user->tr))
			return true;
	}

	return false;
}

/**
 * trace_workload_stop_recording - turn off recording in all instances that have the tracer
 * @why: name of the exceeded latency, for the panic of option PANIC_ON_STOP
 * @ns: the latency in nanoseconds
 *
 * Any context except NMIs.
 */
void trace_workload_stop_recording(const char *why, u64 ns)
{
	struct osnoise_workload_user *user;

	if (trace_osnoise_option(OSNOISE_PANIC) && trace_workload_is_recording())
		panic("osnoise: %s of %llu us on CPU %u\n", why,
		      div_u64(ns, NSEC_PER_USEC), raw_smp_processor_id());

	guard(rcu)();

	list_for_each_entry_rcu(user, &users, list)
		trace_array_off(user->tr);
}

/* Start the threads if the option is set, or stop them if it is not. */
static int osnoise_workload_apply_option(void)
{
	lockdep_assert_held(&trace_lock);

	if (!active)
		return 0;

	if (!trace_osnoise_option(OSNOISE_WORKLOAD)) {
		trace_workers_stop(&active->workers);
		return 0;
	}

	if (active->evict)
		active->evict();

	return active->workers.running ? 0 : trace_workers_start(&active->workers, &cpus);
}

static int osnoise_workload_start(struct trace_workload *workload)
{
	int ret;

	ret = trace_noise_begin();
	if (ret)
		return ret;

	active = workload;
	ret = osnoise_workload_apply_option();
	if (ret) {
		active = NULL;
		trace_noise_end();
	}

	return ret;
}

static void osnoise_workload_stop(void)
{
	trace_workers_stop(&active->workers);
	if (active->evict)
		active->evict();
	trace_noise_end();
	active = NULL;
}

/**
 * trace_workload_begin - let an instance get the measurements of the threads
 * @tr: the instance
 * @workload: workload of its tracer; the threads are started if no other instance has it
 *
 * trace_lock held, may sleep.
 *
 * Return: 0; -EBUSY if an instance has the other tracer; -ENOMEM or another error of
 * starting threads
 */
int trace_workload_begin(struct trace_array *tr, struct trace_workload *workload)
{
	struct osnoise_workload_user *user;
	int ret;

	lockdep_assert_held(&trace_lock);

	if (active && active != workload)
		return -EBUSY;

	user = kzalloc(sizeof(*user), GFP_KERNEL);
	if (!user)
		return -ENOMEM;

	trace_latency_set_max(tr, 0);
	user->tr = tr;
	list_add_rcu(&user->list, &users);
	ret = active ? 0 : osnoise_workload_start(workload);
	if (ret) {
		list_del_rcu(&user->list);
		kfree_rcu(user, rcu);
	}

	return ret;
}

/**
 * trace_workload_end - undo trace_workload_begin()
 * @tr: the instance
 *
 * trace_lock held, may sleep.
 */
void trace_workload_end(struct trace_array *tr)
{
	struct osnoise_workload_user *user;

	lockdep_assert_held(&trace_lock);

	list_for_each_entry(user, &users, list) {
		if (user->tr == tr)
			break;
	}
	if (WARN_ON_ONCE(list_entry_is_head(user, &users, list)))
		return;

	/*
	 * Threads use an instance under RCU, and an instance is freed only after a grace
	 * period.
	 */
	list_del_rcu(&user->list);
	kfree_rcu(user, rcu);
	if (list_empty(&users))
		osnoise_workload_stop();
}

/**
 * trace_workload_is_active - do instances have the tracer of this workload?
 * @workload: workload of osnoise or of timerlat
 *
 * trace_lock held.
 */
bool trace_workload_is_active(const struct trace_workload *workload)
{
	lockdep_assert_held(&trace_lock);

	return active == workload;
}

/**
 * trace_osnoise_number - get a value set by a file, in microseconds
 * @number: the value to get
 */
unsigned long trace_osnoise_number(enum osnoise_number number)
{
	return READ_ONCE(numbers[number]);
}

static bool osnoise_workload_number_is_valid(enum osnoise_number number, unsigned long us)
{
	switch (number) {
	case OSNOISE_RUNTIME:
		return us && us <= numbers[OSNOISE_PERIOD] && us <= RUNTIME_MAX_US;
	case OSNOISE_PERIOD:
		return us >= numbers[OSNOISE_RUNTIME] && us <= LONG_MAX / NSEC_PER_USEC;
	case OSNOISE_TIMERLAT_PERIOD:
		return us >= TIMERLAT_PERIOD_MIN_US && us <= TIMERLAT_PERIOD_MAX_US;
	default:
		return us <= LONG_MAX / NSEC_PER_USEC;
	}
}

/**
 * trace_osnoise_set_number - set a value
 * @number: the value to set
 * @us: the new value in microseconds
 *
 * trace_lock held. Threads use the value from their next period on.
 *
 * Return: 0, or -EINVAL if the value is too large or too small, or if the runtime would be
 *	longer than the period
 */
int trace_osnoise_set_number(enum osnoise_number number, unsigned long us)
{
	lockdep_assert_held(&trace_lock);

	if (!osnoise_workload_number_is_valid(number, us))
		return -EINVAL;

	WRITE_ONCE(numbers[number], us);

	return 0;
}

/**
 * trace_osnoise_options_are_default - do all options have their default values?
 */
bool trace_osnoise_options_are_default(void)
{
	return READ_ONCE(options) == DEFAULT_OPTIONS;
}

/**
 * trace_osnoise_option - is an option set?
 * @option: the option
 */
bool trace_osnoise_option(enum osnoise_option option)
{
	return READ_ONCE(options) & BIT(option);
}

/**
 * trace_osnoise_set_options - change options; takes trace_lock
 * @defaults: reset all options to their default values before the changes
 * @on: options to set, BIT() of each
 * @off: options to clear, BIT() of each
 *
 * Return: 0, or an error of starting threads, with the options unchanged
 */
int trace_osnoise_set_options(bool defaults, unsigned long on, unsigned long off)
{
	unsigned long old;
	int ret;

	guard(mutex)(&trace_lock);

	old = options;
	WRITE_ONCE(options, ((defaults ? DEFAULT_OPTIONS : old) | on) & ~off);
	ret = osnoise_workload_apply_option();
	if (ret)
		WRITE_ONCE(options, old);

	return ret;
}

/**
 * trace_osnoise_cpus - copy the mask of CPUs where threads run; takes trace_lock
 * @to: destination
 */
void trace_osnoise_cpus(struct cpumask *to)
{
	guard(mutex)(&trace_lock);

	cpumask_copy(to, &cpus);
}

/**
 * trace_osnoise_set_cpus - set the CPUs where threads run; takes trace_lock
 * @from: the CPUs
 *
 * Return: 0; -EINVAL if none of them is possible, or an error of starting threads, without
 * effect
 */
int trace_osnoise_set_cpus(const struct cpumask *from)
{
	int ret = 0;

	if (!cpumask_intersects(from, cpu_possible_mask))
		return -EINVAL;

	guard(mutex)(&trace_lock);

	if (active && active->workers.running)
		ret = trace_workers_set_mask(&active->workers, from);
	if (!ret)
		cpumask_copy(&cpus, from);

	return ret;
}

static int __init osnoise_workload_init(void)
{
	cpumask_copy(&cpus, cpu_possible_mask);

	return 0;
}
early_initcall(osnoise_workload_init);
