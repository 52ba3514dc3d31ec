/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Threads of tracers that run on CPUs to measure something there.
 */
#ifndef _TRACE_TRACER_OSNOISE_PERCPU_KTHREADS_H
#define _TRACE_TRACER_OSNOISE_PERCPU_KTHREADS_H

#include <linux/cpumask.h>
#include <linux/list.h>
#include <linux/threads.h>

/**
 * struct trace_workers - one thread for each CPU of a mask that is online
 * @name: of the threads, with a %u for the CPU
 * @run: their function, which returns when kthread_should_stop()
 * @mask: the CPUs
 * @running: they have been started
 * @tasks: the threads by CPU
 * @hotplug: in the CPU hotplug state
 *
 * The fields but the first two belong to percpu_kthreads.c. They change under cpu_hotplug_lock:
 * held for reading by trace_workers_start(), _set_mask() and _stop(), of which one runs at a
 * time, and for writing when a CPU comes or goes.
 */
struct trace_workers {
	const char		*name;
	int			(*run)(void *unused);
	struct cpumask		mask;
	bool			running;
	struct task_struct	*tasks[NR_CPUS];
	struct hlist_node	hotplug;
};

int trace_workers_start(struct trace_workers *workers, const struct cpumask *mask);
int trace_workers_set_mask(struct trace_workers *workers, const struct cpumask *mask);
void trace_workers_stop(struct trace_workers *workers);

#endif /* _TRACE_TRACER_OSNOISE_PERCPU_KTHREADS_H */
