// SPDX-License-Identifier: GPL-2.0
/*
 * Accounting of interference with a thread: NMIs, interrupts, softirqs and other threads. They
 * are counted, and the tracepoints osnoise:*_noise report the duration of each, excluding the
 * time of other interferences that interrupted it.
 */
#include <linux/types.h>
#include <linux/ftrace_irq.h>
#include <linux/interrupt.h>
#include <linux/percpu.h>
#include <linux/sched.h>
#include <linux/sched/clock.h>
#include <linux/trace.h>
#include <linux/tracepoint.h>
#include <trace/events/irq.h>
#include <trace/events/sched.h>

#define CREATE_TRACE_POINTS
#include <trace/events/osnoise.h>

#include "lib/probes.h"
#include "tracer/osnoise/osnoise_account.h"

DEFINE_PER_CPU(struct noise_counts, trace_noise_counts);

/**
 * struct osnoise_account_noise_level - an interference that is running, or was interrupted
 * @active: there is such an interference
 * @since: time when it began
 * @stolen: nanoseconds taken from it by other interferences
 */
struct osnoise_account_noise_level {
	bool	active;
	u64	since;
	u64	stolen;
};

static DEFINE_PER_CPU(struct osnoise_account_noise_level, levels[NOISE_KINDS]);

/* The thread that measures noise on the CPU: it is not an interference itself. */
static DEFINE_PER_CPU(struct task_struct *, ignored);

static void osnoise_account_level_begin(enum noise_kind kind)
{
	struct osnoise_account_noise_level *level = this_cpu_ptr(&levels[kind]);

	this_cpu_inc(trace_noise_counts.all);
	this_cpu_inc(trace_noise_counts.of[kind]);
	level->stolen = 0;
	level->since = sched_clock();
	/* An interference that interrupts it from here on finds it complete. */
	barrier();
	WRITE_ONCE(level->active, true);
}

/*
 * Return: its duration in nanoseconds without other interferences, -1 if its beginning was
 *	missed.
 */
static s64 osnoise_account_level_end(enum noise_kind kind, u64 *since)
{
	struct osnoise_account_noise_level *level = this_cpu_ptr(&levels[kind]);
	u64 total;

	if (!level->active)
		return -1;

	total = sched_clock() - level->since;
	WRITE_ONCE(level->active, false);
	barrier();

	*since = level->since;
	while (kind--) {
		if (__this_cpu_read(levels[kind].active)) {
			this_cpu_add(levels[kind].stolen, total);
			break;
		}
	}

	return total - min(total, level->stolen);
}

/* NMI entry and exit test it before the call. */
bool trace_osnoise_callback_enabled;

/**
 * trace_osnoise_callback - handle the beginning or end of an NMI, while
 * trace_osnoise_callback_enabled
 * @enter: true at the beginning
 */
void trace_osnoise_callback(bool enter)
{
	u64 since;
	s64 ns;

	if (enter) {
		osnoise_account_level_begin(NOISE_NMI);
		return;
	}

	ns = osnoise_account_level_end(NOISE_NMI, &since);
	if (ns >= 0)
		trace_nmi_noise(since, ns);
}

/**
 * osnoise_trace_irq_entry - account the beginning of an interrupt
 * @id: its number or vector
 *
 * Called by probes of this file and of the architecture.
 */
void osnoise_trace_irq_entry(int id)
{
	osnoise_account_level_begin(NOISE_IRQ);
}

/**
 * osnoise_trace_irq_exit - account the end of an interrupt
 * @id: its number or vector, the same as at entry
 * @desc: its name
 */
void osnoise_trace_irq_exit(int id, const char *desc)
{
	u64 since;
	s64 ns = osnoise_account_level_end(NOISE_IRQ, &since);

	if (ns >= 0)
		trace_irq_noise(id, desc, since, ns);
}

static void osnoise_account_irq_begins(void *data, int irq, struct irqaction *action)
{
	osnoise_trace_irq_entry(irq);
}

static void osnoise_account_irq_ends(void *data, int irq, struct irqaction *action, int ret)
{
	osnoise_trace_irq_exit(irq, action->name);
}

static void osnoise_account_softirq_begins(void *data, unsigned int vec)
{
	osnoise_account_level_begin(NOISE_SOFTIRQ);
}

static void osnoise_account_softirq_ends(void *data, unsigned int vec)
{
	u64 since;
	s64 ns = osnoise_account_level_end(NOISE_SOFTIRQ, &since);

	if (ns >= 0)
		trace_softirq_noise(vec, since, ns);
}

static bool osnoise_account_is_noise(struct task_struct *task)
{
	return !is_idle_task(task) && task != READ_ONCE(*this_cpu_ptr(&ignored));
}

static void osnoise_account_task_switch(void *data, bool preempt, struct task_struct *prev,
					struct task_struct *next, unsigned int prev_state)
{
	u64 since;
	s64 ns = osnoise_account_level_end(NOISE_THREAD, &since);

	if (ns >= 0 && osnoise_account_is_noise(prev))
		trace_thread_noise(prev, since, ns);
	if (osnoise_account_is_noise(next))
		osnoise_account_level_begin(NOISE_THREAD);
}

static const struct trace_probe probes[] = {
	TRACE_PROBE(sched_switch, osnoise_account_task_switch),
	TRACE_PROBE(irq_handler_entry, osnoise_account_irq_begins),
	TRACE_PROBE(irq_handler_exit, osnoise_account_irq_ends),
	TRACE_PROBE(softirq_entry, osnoise_account_softirq_begins),
	TRACE_PROBE(softirq_exit, osnoise_account_softirq_ends),
	{ }
};

/**
 * osnoise_arch_register - enable accounting of architecture interrupts without irqaction
 *
 * These interrupts then call osnoise_trace_irq_entry() and osnoise_trace_irq_exit().
 *
 * Return: 0, or an error without effect
 */
int __weak osnoise_arch_register(void)
{
	return 0;
}

/**
 * osnoise_arch_unregister - undo osnoise_arch_register()
 */
void __weak osnoise_arch_unregister(void)
{
}

/**
 * trace_noise_ignore - set the thread of a CPU that is not counted as noise
 * @cpu: the CPU
 * @task: the thread; it must exist until trace_noise_unignore()
 */
void trace_noise_ignore(unsigned int cpu, struct task_struct *task)
{
	WRITE_ONCE(per_cpu(ignored, cpu), task);
}

/**
 * trace_noise_unignore - undo trace_noise_ignore(), unless another thread was set since
 * @cpu: the CPU
 * @task: the thread
 */
void trace_noise_unignore(unsigned int cpu, struct task_struct *task)
{
	cmpxchg(per_cpu_ptr(&ignored, cpu), task, NULL);
}

/**
 * trace_noise_since_irq - restart the accounting at the start of this interrupt
 *
 * The time of the interrupted thread and softirq before the interrupt is not counted. Called in
 * an interrupt.
 */
void trace_noise_since_irq(void)
{
	struct osnoise_account_noise_level *on_cpu = this_cpu_ptr(levels);
	u64 since = on_cpu[NOISE_IRQ].active ? on_cpu[NOISE_IRQ].since : sched_clock();
	enum noise_kind kind;

	for (kind = NOISE_THREAD; kind < NOISE_IRQ; kind++) {
		on_cpu[kind].since = since;
		on_cpu[kind].stolen = 0;
	}
}

/**
 * trace_noise_begin - start the accounting
 *
 * Under trace_lock, may sleep.
 *
 * Return: 0 or an error; the accounting is then off
 */
int trace_noise_begin(void)
{
	int ret;

	ret = trace_probes_register(probes, ~0U, NULL);
	if (ret)
		return ret;

	ret = osnoise_arch_register();
	if (ret) {
		trace_probes_unregister(probes, ~0U, NULL);
		return ret;
	}
	WRITE_ONCE(trace_osnoise_callback_enabled, true);

	return 0;
}

/**
 * trace_noise_end - undo trace_noise_begin()
 */
void trace_noise_end(void)
{
	unsigned int cpu, kind;

	WRITE_ONCE(trace_osnoise_callback_enabled, false);
	osnoise_arch_unregister();
	trace_probes_unregister(probes, ~0U, NULL);
	tracepoint_synchronize_unregister();

	/* The exit probes are gone: clear the state of interferences still in progress. */
	for_each_possible_cpu(cpu) {
		for (kind = 0; kind < NOISE_KINDS; kind++)
			WRITE_ONCE(per_cpu(levels[kind], cpu).active, false);
	}
}
