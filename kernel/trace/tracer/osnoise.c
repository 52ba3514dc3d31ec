// SPDX-License-Identifier: GPL-2.0
/*
 * The tracer osnoise: how much of a CPU a thread gets that tries to use all of it, and
 * what takes the rest.
 *
 * A thread on each CPU reads the clock in a loop. Where two readings are far apart something
 * interfered, as tracer/noise.c counts; or nothing that the kernel knows of, which is
 * noise of the hardware. Instances that have the tracer share the threads.
 */
#include <linux/bits.h>
#include <linux/cleanup.h>
#include <linux/cpumask.h>
#include <linux/ftrace.h>
#include <linux/init.h>
#include <linux/kthread.h>
#include <linux/minmax.h>
#include <linux/mutex.h>
#include <linux/panic.h>
#include <linux/percpu.h>
#include <linux/rculist.h>
#include <linux/sched.h>
#include <linux/sched/clock.h>
#include <linux/slab.h>
#include <trace/events/osnoise.h>

#include "instance/entries.h"
#include "instance/instance.h"
#include "instance/latency.h"
#include "instance/tracer.h"
#include "instance/write.h"
#include "tracer/noise.h"
#include "tracer/osnoise.h"
#include "tracer/selftest.h"
#include "tracer/workers.h"

/* With 0 in tracing_thresh */
#define DEFAULT_THRESH_NS	NSEC_PER_USEC

/* With interrupts off for longer than this the watchdogs bark. */
#define RUNTIME_MAX_US		(10 * USEC_PER_SEC)

/* Changed under trace_lock, read anywhere. */
static unsigned long numbers[OSNOISE_NUMBERS] = {
	[OSNOISE_RUNTIME]	= USEC_PER_SEC,
	[OSNOISE_PERIOD]	= USEC_PER_SEC,
};

const char * const trace_osnoise_options[OSNOISE_OPTIONS] = {
	[OSNOISE_WORKLOAD]		= "OSNOISE_WORKLOAD",
	[OSNOISE_PANIC]			= "PANIC_ON_STOP",
	[OSNOISE_PREEMPT_DISABLE]	= "OSNOISE_PREEMPT_DISABLE",
	[OSNOISE_IRQ_DISABLE]		= "OSNOISE_IRQ_DISABLE",
};

#define DEFAULT_OPTIONS		BIT(OSNOISE_WORKLOAD)

static unsigned long options = DEFAULT_OPTIONS;

/* Where threads run; trace_lock */
static struct cpumask cpus;

/**
 * struct osnoise_user - an instance that has the tracer
 * @list: in users
 * @rcu: frees it
 * @tr: the instance
 */
struct osnoise_user {
	struct list_head	list;
	struct rcu_head		rcu;
	struct trace_array	*tr;
};

/* trace_lock to change; read under RCU */
static LIST_HEAD(users);

/* Does an instance record? */
static bool is_recording(void)
{
	struct osnoise_user *user;

	guard(rcu)();

	list_for_each_entry_rcu(user, &users, list) {
		if (trace_array_is_on(user->tr))
			return true;
	}

	return false;
}

static void stop_recording(const char *why, u64 ns)
{
	struct osnoise_user *user;

	if (trace_osnoise_option(OSNOISE_PANIC))
		panic("osnoise: %s of %llu us on CPU %u\n", why,
		      div_u64(ns, NSEC_PER_USEC), raw_smp_processor_id());

	guard(rcu)();

	list_for_each_entry_rcu(user, &users, list)
		trace_array_off(user->tr);
}

/* A number of microseconds that a file sets, in nanoseconds */
static u64 number_ns(enum osnoise_number number)
{
	return (u64)trace_osnoise_number(number) * NSEC_PER_USEC;
}

/**
 * struct reading - a moment
 * @ns: the clock
 * @all: noise_counts.all at that time
 */
struct reading {
	u64		ns;
	unsigned int	all;
};

/* If something interferes between both, the clock may be too old: read again. */
static struct reading take_reading(void)
{
	struct reading now;

	do {
		now.all = this_cpu_read(trace_noise_counts.all);
		barrier();
		now.ns = sched_clock();
		barrier();
	} while (now.all != this_cpu_read(trace_noise_counts.all));

	return now;
}

/**
 * struct period - what was seen in a period
 * @noise: sum of noise, in ns
 * @runtime: how long the thread looked, in ns
 * @most: the longest single noise, in ns
 * @hardware: noises without an interference
 * @counts: interferences
 */
struct period {
	u64			noise;
	u64			runtime;
	u64			most;
	unsigned int		hardware;
	struct noise_counts	counts;
};

static void see_noise(struct period *period, const struct reading *last,
		      const struct reading *now)
{
	u64 stop = number_ns(OSNOISE_STOP);
	u64 ns = now->ns - last->ns;

	if (now->all == last->all)
		period->hardware++;
	period->noise += ns;
	period->most = max(period->most, ns);
	trace_sample_threshold(last->ns, ns, now->all - last->all);
	if (stop && ns > stop)
		stop_recording("a noise", ns);
}

/* @may_sleep: preemption and interrupts are on, too */
static void look_for_noise(struct period *period, bool may_sleep)
{
	u64 thresh = READ_ONCE(trace_latency_thresh) ?: DEFAULT_THRESH_NS;
	u64 runtime = number_ns(OSNOISE_RUNTIME);
	struct reading last = take_reading();
	struct reading now;
	u64 since = last.ns;

	do {
		now = take_reading();
		if (now.ns - last.ns >= thresh)
			see_noise(period, &last, &now);
		last = now;
		if (may_sleep)
			cond_resched();
	} while (now.ns - since < runtime && !kthread_should_stop());

	period->runtime = now.ns - since;
}

static void record_period(struct trace_array *tr, const struct period *period)
{
	struct trace_buffer *buffer = tr->main.buffer;
	struct osnoise_entry *entry;

	entry = trace_entry_begin(buffer, TRACE_OSNOISE, sizeof(*entry), trace_context_now());
	if (!entry)
		return;

	entry->noise = period->noise;
	entry->runtime = period->runtime;
	entry->max_sample = period->most;
	entry->hw_count = period->hardware;
	entry->nmi_count = period->counts.of[NOISE_NMI];
	entry->irq_count = period->counts.of[NOISE_IRQ];
	entry->softirq_count = period->counts.of[NOISE_SOFTIRQ];
	entry->thread_count = period->counts.of[NOISE_THREAD];
	trace_entry_end(buffer);
}

static void run_period(void)
{
	bool no_irqs = trace_osnoise_option(OSNOISE_IRQ_DISABLE);
	bool no_preempt = no_irqs || trace_osnoise_option(OSNOISE_PREEMPT_DISABLE);
	u64 stop = number_ns(OSNOISE_STOP_TOTAL);
	struct osnoise_user *user;
	struct period period = {};
	struct noise_counts before;
	int kind;

	if (no_preempt)
		preempt_disable();
	if (no_irqs)
		local_irq_disable();
	before = *raw_cpu_ptr(&trace_noise_counts);
	look_for_noise(&period, !no_preempt);
	period.counts = *raw_cpu_ptr(&trace_noise_counts);
	if (no_irqs)
		local_irq_enable();
	if (no_preempt)
		preempt_enable();

	for (kind = 0; kind < NOISE_KINDS; kind++)
		period.counts.of[kind] -= before.of[kind];

	scoped_guard(rcu) {
		list_for_each_entry_rcu(user, &users, list)
			record_period(user->tr, &period);
	}
	if (stop && period.noise > stop)
		stop_recording("noise", period.noise);
}

static void sleep_ns(u64 ns)
{
	ktime_t end = ktime_add_ns(ktime_get(), ns);

	set_current_state(TASK_INTERRUPTIBLE);
	if (!kthread_should_stop())
		schedule_hrtimeout(&end, HRTIMER_MODE_ABS);
	__set_current_state(TASK_RUNNING);
}

/* Nothing is measured while no instance records. */
#define OFF_NS	(100 * NSEC_PER_MSEC)

static int osnoise_run(void *unused)
{
	trace_noise_ignore(current);
	while (!kthread_should_stop()) {
		u64 period = number_ns(OSNOISE_PERIOD);
		u64 runtime = number_ns(OSNOISE_RUNTIME);

		if (is_recording()) {
			run_period();
			/* Others may wait for the CPU, as with a runtime of the whole period. */
			cond_resched();
			if (period > runtime)
				sleep_ns(period - runtime);
		} else {
			sleep_ns(OFF_NS);
		}
	}
	trace_noise_ignore(NULL);

	return 0;
}

static struct trace_workers workers = {
	.name	= "osnoise/%u",
	.run	= osnoise_run,
};

static int workload_start(void)
{
	int ret;

	lockdep_assert_held(&trace_lock);

	ret = trace_noise_begin();
	if (ret)
		return ret;

	if (trace_osnoise_option(OSNOISE_WORKLOAD))
		ret = trace_workers_start(&workers, &cpus);
	if (ret)
		trace_noise_end();

	return ret;
}

static void workload_stop(void)
{
	lockdep_assert_held(&trace_lock);

	trace_workers_stop(&workers);
	trace_noise_end();
}

static int osnoise_init(struct trace_array *tr)
{
	struct osnoise_user *user = kzalloc(sizeof(*user), GFP_KERNEL);
	bool first = list_empty(&users);
	int ret;

	if (!user)
		return -ENOMEM;

	WRITE_ONCE(tr->max_latency, 0);
	user->tr = tr;
	list_add_rcu(&user->list, &users);
	ret = first ? workload_start() : 0;
	if (ret) {
		list_del_rcu(&user->list);
		kfree_rcu(user, rcu);
	}

	return ret;
}

static void osnoise_reset(struct trace_array *tr)
{
	struct osnoise_user *user;

	list_for_each_entry(user, &users, list) {
		if (user->tr == tr)
			break;
	}
	if (WARN_ON_ONCE(list_entry_is_head(user, &users, list)))
		return;

	/* Threads use an instance under RCU, and instances outlive that. */
	list_del_rcu(&user->list);
	kfree_rcu(user, rcu);
	if (list_empty(&users))
		workload_stop();
}

/* Threads take a new setting when they start. */
static int restart(void)
{
	lockdep_assert_held(&trace_lock);

	if (list_empty(&users) || !workers.running)
		return 0;

	trace_workers_stop(&workers);

	return trace_workers_start(&workers, &cpus);
}

/**
 * trace_osnoise_number - a number that a file sets, in microseconds
 * @number: which
 */
unsigned long trace_osnoise_number(enum osnoise_number number)
{
	return READ_ONCE(numbers[number]);
}

/**
 * trace_osnoise_set_number - set a number; trace_lock held
 * @number: which
 * @us: its value
 *
 * Return: 0, or -EINVAL if the runtime were longer than the period, 0 or too long
 */
int trace_osnoise_set_number(enum osnoise_number number, unsigned long us)
{
	lockdep_assert_held(&trace_lock);

	switch (number) {
	case OSNOISE_RUNTIME:
		if (!us || us > numbers[OSNOISE_PERIOD] || us > RUNTIME_MAX_US)
			return -EINVAL;
		break;
	case OSNOISE_PERIOD:
		if (us < numbers[OSNOISE_RUNTIME] || us > LONG_MAX / NSEC_PER_USEC)
			return -EINVAL;
		break;
	default:
		if (us > LONG_MAX / NSEC_PER_USEC)
			return -EINVAL;
	}
	WRITE_ONCE(numbers[number], us);

	return 0;
}

/**
 * trace_osnoise_option - whether an option is set
 * @option: which
 */
bool trace_osnoise_option(enum osnoise_option option)
{
	return READ_ONCE(options) & BIT(option);
}

static int set_options(unsigned long new)
{
	unsigned long changed = options ^ new;
	int ret = 0;

	lockdep_assert_held(&trace_lock);

	WRITE_ONCE(options, new);
	if (list_empty(&users) || !(changed & BIT(OSNOISE_WORKLOAD)))
		return 0;

	if (new & BIT(OSNOISE_WORKLOAD))
		ret = trace_workers_start(&workers, &cpus);
	else
		trace_workers_stop(&workers);

	return ret;
}

/**
 * trace_osnoise_set_option - set or clear an option; takes trace_lock
 * @option: which
 * @on: set it
 *
 * Return: 0 or an error of starting threads
 */
int trace_osnoise_set_option(enum osnoise_option option, bool on)
{
	guard(mutex)(&trace_lock);

	return set_options(on ? options | BIT(option) : options & ~BIT(option));
}

/**
 * trace_osnoise_default_options - give the options their first values; takes trace_lock
 *
 * Return: 0 or an error of starting threads
 */
int trace_osnoise_default_options(void)
{
	guard(mutex)(&trace_lock);

	return set_options(DEFAULT_OPTIONS);
}

/**
 * trace_osnoise_cpus - copy the CPUs where threads run; takes trace_lock
 * @to: where to
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
 * Return: 0, -EINVAL if none of them is possible, or an error of starting threads
 */
int trace_osnoise_set_cpus(const struct cpumask *from)
{
	guard(mutex)(&trace_lock);

	if (!cpumask_intersects(from, cpu_possible_mask))
		return -EINVAL;

	cpumask_copy(&cpus, from);

	return restart();
}

/* Registered by output/osnoise.c, which adds the header. */
struct tracer trace_osnoise_tracer = {
	.name			= "osnoise",
	.init			= osnoise_init,
	.reset			= osnoise_reset,
	.selftest		= osnoise_selftest,
	.allow_instances	= true,
};

static int __init osnoise_tracer_init(void)
{
	cpumask_copy(&cpus, cpu_possible_mask);

	return 0;
}
early_initcall(osnoise_tracer_init);
