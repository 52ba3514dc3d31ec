/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Per-CPU threads of tracers, for measurements on each CPU.
 */
#ifndef _TRACE_TRACER_OSNOISE_PERCPU_KTHREADS_H
#define _TRACE_TRACER_OSNOISE_PERCPU_KTHREADS_H

#include <linux/cpumask.h>
#include <linux/list.h>
#include <linux/threads.h>

/**
 * struct trace_workers - one thread for each online CPU of a mask
 * @name: name of the threads, with a %u for the CPU
 * @run: function of the threads, which returns when kthread_should_stop()
 * @mask: the CPUs
 * @running: the threads have been started
 * @tasks: the threads, by CPU
 * @hotplug: node in the CPU hotplug state
 *
 * All fields except the first two are private to percpu_kthreads.c. They are changed under
 * cpu_hotplug_lock: held for reading by trace_workers_start(), _set_mask() and _stop(), which
 * callers must serialize, and for writing when a CPU goes online or offline.
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
