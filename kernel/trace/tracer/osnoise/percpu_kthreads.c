// SPDX-License-Identifier: GPL-2.0
/*
 * Per-CPU threads of tracers. They are started and stopped when CPUs go online and offline.
 */
#define pr_fmt(fmt) "tracing: " fmt

#include <linux/cleanup.h>
#include <linux/cpu.h>
#include <linux/cpuhotplug.h>
#include <linux/err.h>
#include <linux/init.h>
#include <linux/kthread.h>
#include <linux/printk.h>

#include "tracer/osnoise/percpu_kthreads.h"

static enum cpuhp_state workers_state __ro_after_init;

static int percpu_kthreads_start_one(struct trace_workers *workers, unsigned int cpu)
{
	struct task_struct *task;

	lockdep_assert_cpus_held();

	task = kthread_run_on_cpu(workers->run, NULL, cpu, workers->name);
	if (IS_ERR(task))
		return PTR_ERR(task);

	workers->tasks[cpu] = task;

	return 0;
}

static void percpu_kthreads_stop_one(struct trace_workers *workers, unsigned int cpu)
{
	lockdep_assert_cpus_held();

	if (!workers->tasks[cpu])
		return;

	kthread_stop(workers->tasks[cpu]);
	workers->tasks[cpu] = NULL;
}

static void percpu_kthreads_stop_all(struct trace_workers *workers)
{
	unsigned int cpu;

	for_each_possible_cpu(cpu)
		percpu_kthreads_stop_one(workers, cpu);
}

static void percpu_kthreads_stop_outside(struct trace_workers *workers, const struct cpumask *mask)
{
	unsigned int cpu;

	for_each_possible_cpu(cpu) {
		if (!cpumask_test_cpu(cpu, mask))
			percpu_kthreads_stop_one(workers, cpu);
	}
}

/* Start the missing threads of a mask. */
static int percpu_kthreads_start_missing(struct trace_workers *workers, const struct cpumask *mask)
{
	unsigned int cpu;
	int ret = 0;

	for_each_cpu_and(cpu, mask, cpu_online_mask) {
		if (!ret && !workers->tasks[cpu])
			ret = percpu_kthreads_start_one(workers, cpu);
	}

	return ret;
}

/**
 * trace_workers_stop - stop the threads
 * @workers: the threads; no effect if they were not started
 *
 * The threads have exited when it returns. May sleep.
 */
void trace_workers_stop(struct trace_workers *workers)
{
	if (!workers->running)
		return;

	cpuhp_state_remove_instance_nocalls(workers_state, &workers->hotplug);

	guard(cpus_read_lock)();

	workers->running = false;
	percpu_kthreads_stop_all(workers);
}

/**
 * trace_workers_start - start a thread on each CPU of a mask, now or when it comes online
 * @workers: the threads
 * @mask: the CPUs
 *
 * May sleep.
 *
 * Return: 0 or an error, with no thread left. The thread of a CPU that comes online later may
 *	be missing for lack of memory, which is logged.
 */
int trace_workers_start(struct trace_workers *workers, const struct cpumask *mask)
{
	int ret;

	guard(cpus_read_lock)();

	cpumask_copy(&workers->mask, mask);
	ret = percpu_kthreads_start_missing(workers, mask) ?:
	      cpuhp_state_add_instance_nocalls_cpuslocked(workers_state, &workers->hotplug);
	if (ret)
		percpu_kthreads_stop_all(workers);
	else
		workers->running = true;

	return ret;
}

/**
 * trace_workers_set_mask - change the CPUs of running threads
 * @workers: the threads
 * @mask: the CPUs; threads of CPUs that are in both the old and the new mask continue
 *
 * May sleep.
 *
 * Return: 0 or an error, with only the old threads
 */
int trace_workers_set_mask(struct trace_workers *workers, const struct cpumask *mask)
{
	int ret;

	guard(cpus_read_lock)();

	ret = percpu_kthreads_start_missing(workers, mask);
	if (!ret)
		cpumask_copy(&workers->mask, mask);
	percpu_kthreads_stop_outside(workers, &workers->mask);

	return ret;
}

static int percpu_kthreads_prepare_cpu(unsigned int cpu, struct hlist_node *node)
{
	struct trace_workers *workers = hlist_entry(node, struct trace_workers, hotplug);

	if (cpumask_test_cpu(cpu, &workers->mask) && !workers->tasks[cpu] &&
	    percpu_kthreads_start_one(workers, cpu))
		pr_warn("could not create a kthread for CPU %u\n", cpu);

	return 0;
}

static int percpu_kthreads_cpu_offline(unsigned int cpu, struct hlist_node *node)
{
	percpu_kthreads_stop_one(hlist_entry(node, struct trace_workers, hotplug), cpu);

	return 0;
}

static int __init percpu_kthreads_trace_workers_init(void)
{
	int ret = cpuhp_setup_state_multi(CPUHP_AP_ONLINE_DYN, "trace/workers:online",
					  percpu_kthreads_prepare_cpu, percpu_kthreads_cpu_offline);

	if (ret < 0)
		return ret;

	workers_state = ret;

	return 0;
}
early_initcall(percpu_kthreads_trace_workers_init);
