// SPDX-License-Identifier: GPL-2.0
/*
 * The tracer osnoise: the share of a CPU available to a thread that tries to use all of it, and
 * the causes of interference.
 *
 * A thread on each CPU reads the clock in a loop. If two readings are far apart, either there
 * was an interference, as counted by tracer/osnoise/osnoise_account.c, or an activity invisible
 * to the kernel, which is noise of the hardware.
 */
#include <linux/ftrace.h>
#include <linux/init.h>
#include <linux/kthread.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/percpu.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/sched/clock.h>
#include <trace/events/osnoise.h>

#include "instance/core/entries.h"
#include "instance/core/instance.h"
#include "instance/record/entry.h"
#include "instance/snapshot/max_latency.h"
#include "instance/tracer/register_tracer.h"
#include "instance/tracer/tracer.h"
#include "tracer/osnoise/osnoise.h"
#include "tracer/osnoise/osnoise_account.h"
#include "tracer/osnoise/osnoise_workload.h"
#include "tracer/selftest/selftest.h"

/* Used if tracing_thresh is 0 */
#define DEFAULT_THRESH_NS	NSEC_PER_USEC

/**
 * struct osnoise_reading - a reading of the clock
 * @ns: time of the clock
 * @all: noise_counts.all at that time
 */
struct osnoise_reading {
	u64		ns;
	unsigned int	all;
};

/* If there is an interference between both reads, the time may be too old: read again. */
static struct osnoise_reading osnoise_take_reading(void)
{
	struct osnoise_reading now;

	do {
		now.all = this_cpu_read(trace_noise_counts.all);
		barrier();
		now.ns = sched_clock();
		barrier();
	} while (now.all != this_cpu_read(trace_noise_counts.all));

	return now;
}

/**
 * struct osnoise_period - result of a period
 * @noise: sum of noise, in ns
 * @runtime: duration of the measurement, in ns
 * @most: longest single noise, in ns
 * @hardware: number of noises without an interference
 * @counts: numbers of interferences
 */
struct osnoise_period {
	u64			noise;
	u64			runtime;
	u64			most;
	unsigned int		hardware;
	struct noise_counts	counts;
};

static void osnoise_see_noise(struct osnoise_period *period, const struct osnoise_reading *last,
			      const struct osnoise_reading *now)
{
	u64 stop = trace_osnoise_ns(OSNOISE_STOP);
	u64 ns = now->ns - last->ns;

	if (now->all == last->all)
		period->hardware++;
	period->noise += ns;
	period->most = max(period->most, ns);
	trace_sample_threshold(last->ns, ns, now->all - last->all);
	if (stop && ns > stop)
		trace_workload_stop_recording("a noise", ns);
}

/* @may_sleep: preemption and interrupts are also on */
static void osnoise_look_for_noise(struct osnoise_period *period, bool may_sleep)
{
	u64 thresh = READ_ONCE(trace_latency_thresh) ?: DEFAULT_THRESH_NS;
	u64 runtime = trace_osnoise_ns(OSNOISE_RUNTIME);
	struct osnoise_reading last = osnoise_take_reading();
	struct osnoise_reading now;
	u64 since = last.ns;

	do {
		now = osnoise_take_reading();
		if (now.ns - last.ns >= thresh)
			osnoise_see_noise(period, &last, &now);
		last = now;
		if (may_sleep)
			cond_resched();
	} while (now.ns - since < runtime && !kthread_should_stop());

	period->runtime = now.ns - since;
}

/* Tools expect the times in the entry to be in microseconds. */
static void osnoise_record_period(struct trace_array *tr, const void *data)
{
	const struct osnoise_period *period = data;
	struct trace_buffer *buffer = tr->main.buffer;
	struct osnoise_entry *entry;

	entry = trace_entry_begin(buffer, TRACE_OSNOISE, sizeof(*entry), trace_context_now());
	if (!entry)
		return;

	entry->noise = div_u64(period->noise, NSEC_PER_USEC);
	entry->runtime = div_u64(period->runtime, NSEC_PER_USEC);
	entry->max_sample = div_u64(period->most, NSEC_PER_USEC);
	entry->hw_count = period->hardware;
	entry->nmi_count = period->counts.of[NOISE_NMI];
	entry->irq_count = period->counts.of[NOISE_IRQ];
	entry->softirq_count = period->counts.of[NOISE_SOFTIRQ];
	entry->thread_count = period->counts.of[NOISE_THREAD];
	trace_entry_end(buffer);
}

static void osnoise_run_period(void)
{
	bool no_irqs = trace_osnoise_option(OSNOISE_IRQ_DISABLE);
	bool no_preempt = no_irqs || trace_osnoise_option(OSNOISE_PREEMPT_DISABLE);
	u64 stop = trace_osnoise_ns(OSNOISE_STOP_TOTAL);
	struct osnoise_period period = {};
	struct noise_counts before;
	int kind;

	if (no_preempt)
		preempt_disable();
	if (no_irqs)
		local_irq_disable();
	before = *raw_cpu_ptr(&trace_noise_counts);
	osnoise_look_for_noise(&period, !no_preempt);
	period.counts = *raw_cpu_ptr(&trace_noise_counts);
	if (no_irqs)
		local_irq_enable();
	if (no_preempt)
		preempt_enable();

	for (kind = 0; kind < NOISE_KINDS; kind++)
		period.counts.of[kind] -= before.of[kind];

	trace_workload_record(osnoise_record_period, &period);
	if (stop && period.noise > stop)
		trace_workload_stop_recording("noise", period.noise);
}

static void osnoise_sleep_ns(u64 ns)
{
	ktime_t end = ktime_add_ns(ktime_get(), ns);

	set_current_state(TASK_INTERRUPTIBLE);
	if (!kthread_should_stop())
		schedule_hrtimeout(&end, HRTIMER_MODE_ABS);
	__set_current_state(TASK_RUNNING);
}

/* Time between checks while no instance is recording and the measurement is paused. */
#define OFF_NS	(100 * NSEC_PER_MSEC)

static int osnoise_run(void *unused)
{
	unsigned int cpu = raw_smp_processor_id();

	trace_noise_ignore(cpu, current);
	while (!kthread_should_stop()) {
		u64 period = trace_osnoise_ns(OSNOISE_PERIOD);
		u64 runtime = trace_osnoise_ns(OSNOISE_RUNTIME);

		if (trace_workload_is_recording()) {
			osnoise_run_period();
			/*
			 * If the runtime is the whole period, the thread never sleeps. Other
			 * tasks may wait for the CPU, and RCU Tasks for this thread.
			 */
			cond_resched_tasks_rcu_qs();
			if (period > runtime)
				osnoise_sleep_ns(period - runtime);
		} else {
			osnoise_sleep_ns(OFF_NS);
		}
	}
	trace_noise_unignore(cpu, current);

	return 0;
}

static struct trace_workload workload = {
	.workers = {
		.name	= "osnoise/%u",
		.run	= osnoise_run,
	},
};

static int osnoise_init(struct trace_array *tr)
{
	return trace_workload_begin(tr, &workload);
}

static struct tracer osnoise_tracer = {
	.name			= "osnoise",
	.init			= osnoise_init,
	.reset			= trace_workload_end,
	.header			= trace_osnoise_header,
	.selftest		= osnoise_selftest,
	.allow_instances	= true,
};

static int __init osnoise_tracer_init(void)
{
	return trace_top.main.buffer ? register_tracer(&osnoise_tracer) : -ENODEV;
}

/* Threads that never sleep must not start before all CPUs are online. */
late_initcall(osnoise_tracer_init);
