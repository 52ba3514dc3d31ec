// SPDX-License-Identifier: GPL-2.0
/*
 * The tracers wakeup, wakeup_rt and wakeup_dl: the longest time that the task of the highest
 * priority waits for a CPU after its wakeup, and the activity of that CPU during that time.
 *
 * One task is followed at a time: from its wakeup until it runs, or until a task with a higher
 * priority is woken. Several instances can have such a tracer at the same time, each with a
 * task of its own.
 */
#include <linux/cpumask.h>
#include <linux/ftrace.h>
#include <linux/init.h>
#include <linux/kernel.h>
#include <linux/lockdep.h>
#include <linux/preempt.h>
#include <linux/sched.h>
#include <linux/sched/deadline.h>
#include <linux/sched/prio.h>
#include <linux/sched/rt.h>
#include <linux/slab.h>
#include <linux/smp.h>
#include <trace/events/sched.h>

#include "instance/core/clocks.h"
#include "instance/core/entries.h"
#include "instance/core/instance.h"
#include "instance/record/entry.h"
#include "instance/record/record_stack.h"
#include "instance/snapshot/max_latency.h"
#include "instance/tracer/instance_create.h"
#include "instance/tracer/register_tracer.h"
#include "lib/probes.h"
#include "lib/untraced_lock.h"
#include "tracer/latency/latency_common.h"
#include "tracer/selftest/selftest.h"

/* Kinds of tasks to follow. */
enum wakeup_kind {
	WAKEUP_ANY,
	WAKEUP_RT,
	WAKEUP_DL,
};

/* No task has this pid. */
#define NOBODY	-1

/**
 * struct trace_wakeup - the task that an instance follows
 * @tr: the instance
 * @kind: kind of tasks to follow; changed under trace_lock
 * @lock: protects all fields after it; taken with interrupts off, inside the lock of a run
 *	queue
 * @run: number of times that a tracer was started. Results of a probe that began before the
 *	last start are discarded.
 * @pid: the task, or NOBODY
 * @prio: its priority, MAX_PRIO if there is no task: a task with a smaller number replaces it
 * @cpu: the CPU that it waits for
 * @clock: trace_clock_changes() when it was woken
 * @since: time when it was woken, by the clock of the instance
 */
struct trace_wakeup {
	struct trace_array	*tr;
	enum wakeup_kind	kind;
	arch_spinlock_t		lock;
	unsigned int		run;
	pid_t			pid;
	int			prio;
	int			cpu;
	unsigned int		clock;
	u64			since;
};

/* The lock is held. */
static void wakeup_follow_nobody(struct trace_wakeup *wakeup)
{
	WRITE_ONCE(wakeup->pid, NOBODY);
	WRITE_ONCE(wakeup->prio, MAX_PRIO);
}

static void wakeup_describe(struct task_struct *task, unsigned int *pid, unsigned char *prio,
			    unsigned char *state)
{
	*state = task_state_index(task);
	*prio = task->prio;
	*pid = task->pid;
}

/*
 * Record that @waker wakes @task, or that it is replaced by @task on the CPU, depending on
 * @type.
 */
static void wakeup_record_tasks(struct trace_array *tr, u16 type, struct task_struct *waker,
				struct task_struct *task)
{
	struct trace_buffer *buffer = tr->main.buffer;
	struct ctx_switch_entry *entry;

	entry = trace_entry_begin(buffer, type, sizeof(*entry), trace_context_now());
	if (!entry)
		return;

	wakeup_describe(waker, &entry->prev_pid, &entry->prev_prio, &entry->prev_state);
	wakeup_describe(task, &entry->next_pid, &entry->next_prio, &entry->next_state);
	entry->next_cpu = task_cpu(task);
	trace_entry_end(buffer);
}

static bool wakeup_is_kind(enum wakeup_kind kind, const struct task_struct *task)
{
	switch (kind) {
	case WAKEUP_DL:
		return dl_prio(task->prio);
	case WAKEUP_RT:
		return rt_or_dl_prio(task->prio);
	default:
		return true;
	}
}

/*
 * Follow @task only if it is not running and would preempt the current task. Deadlines of two
 * SCHED_DEADLINE tasks are not compared.
 */
static bool wakeup_is_highest(const struct trace_wakeup *wakeup, struct task_struct *task)
{
	if (!wakeup_is_kind(READ_ONCE(wakeup->kind), task) || task_curr(task) ||
	    task->prio >= READ_ONCE(wakeup->prio))
		return false;

	return dl_prio(task->prio) || task->prio < current->prio;
}

/* Is the CPU that a task waits for in tracing_cpumask? */
static bool wakeup_matches(const struct trace_array *tr, unsigned int cpu)
{
	return cpumask_test_cpu(cpu, tr->cpumask);
}

static void wakeup_task_is_woken(void *data, struct task_struct *task)
{
	struct trace_wakeup *wakeup = data;
	struct trace_array *tr = wakeup->tr;
	unsigned int run = READ_ONCE(wakeup->run);

	if (!wakeup_is_highest(wakeup, task) || !wakeup_matches(tr, task_cpu(task)))
		return;

	guard(untraced_lock)(&wakeup->lock);

	if (wakeup->run != run || task->prio >= wakeup->prio)
		return;

	wakeup->clock = trace_clock_changes(tr);
	wakeup->since = ring_buffer_time_stamp(tr->main.buffer);
	WRITE_ONCE(wakeup->cpu, task_cpu(task));
	WRITE_ONCE(wakeup->prio, task->prio);
	WRITE_ONCE(wakeup->pid, task->pid);
	wakeup_record_tasks(tr, TRACE_WAKE, current, task);
	trace_latency_record_call(tr, CALLER_ADDR0, CALLER_ADDR1);
}

static void wakeup_task_migrates(void *data, struct task_struct *task, int cpu)
{
	struct trace_wakeup *wakeup = data;

	if (task->pid != READ_ONCE(wakeup->pid))
		return;

	guard(untraced_lock)(&wakeup->lock);

	if (task->pid == wakeup->pid)
		WRITE_ONCE(wakeup->cpu, cpu);
}

static void wakeup_task_runs(void *data, bool preempt, struct task_struct *prev,
			     struct task_struct *next, unsigned int prev_state)
{
	struct trace_wakeup *wakeup = data;
	struct trace_array *tr = wakeup->tr;
	struct trace_latency latency = { .task = next };
	unsigned int run = READ_ONCE(wakeup->run);

	if (next->pid != READ_ONCE(wakeup->pid))
		return;

	guard(untraced_lock)(&wakeup->lock);

	if (wakeup->run != run || next->pid != wakeup->pid)
		return;

	latency.since = wakeup->since;
	latency.ns = ring_buffer_time_stamp(tr->main.buffer) - wakeup->since;
	if (wakeup->clock == trace_clock_changes(tr) && wakeup_matches(tr, smp_processor_id()) &&
	    trace_latency_counts(tr, latency.ns)) {
		trace_latency_record_call(tr, CALLER_ADDR0, CALLER_ADDR1);
		wakeup_record_tasks(tr, TRACE_CTX, prev, next);
		trace_latency_record_all(tr, &latency);
	}
	wakeup_follow_nobody(wakeup);
}

static struct trace_instance_ops wakeup_part;

static struct trace_wakeup *wakeup_of(const struct trace_array *tr)
{
	return trace_instance_data(tr, &wakeup_part);
}

/* Option function-trace */
static bool wakeup_should_record_call(struct trace_array *tr)
{
	const struct trace_wakeup *wakeup = wakeup_of(tr);

	return READ_ONCE(wakeup->pid) != NOBODY &&
	       READ_ONCE(wakeup->cpu) == smp_processor_id();
}

/*
 * Register the sched_switch probe first: if a sched_switch were missed, the tracer would follow
 * the task until its next wakeup.
 */
static const struct trace_probe probes[] = {
	TRACE_PROBE(sched_switch, wakeup_task_runs),
	TRACE_PROBE(sched_migrate_task, wakeup_task_migrates),
	TRACE_PROBE(sched_wakeup, wakeup_task_is_woken),
	TRACE_PROBE(sched_wakeup_new, wakeup_task_is_woken),
	{ }
};

/* Exists as long as the instance: probes may still be running when a tracer has stopped. */
static struct trace_wakeup *wakeup_alloc(struct trace_array *tr)
{
	struct trace_wakeup *wakeup = kzalloc(sizeof(*wakeup), GFP_KERNEL);

	if (wakeup) {
		wakeup->tr = tr;
		wakeup->lock = (arch_spinlock_t)__ARCH_SPIN_LOCK_UNLOCKED;
	}

	return wakeup;
}

static int wakeup_start(struct trace_array *tr, enum wakeup_kind kind)
{
	struct trace_wakeup *wakeup = wakeup_of(tr);

	lockdep_assert_held(&trace_lock);

	if (!wakeup)
		wakeup = wakeup_alloc(tr);
	if (!wakeup)
		return -ENOMEM;

	trace_instance_set_data(tr, &wakeup_part, wakeup);
	WRITE_ONCE(wakeup->kind, kind);
	scoped_guard(untraced_lock, &wakeup->lock) {
		WRITE_ONCE(wakeup->run, wakeup->run + 1);
		wakeup_follow_nobody(wakeup);
	}

	return trace_latency_start(tr, wakeup_should_record_call, probes, ~0U, wakeup);
}

static int wakeup_init(struct trace_array *tr)
{
	return wakeup_start(tr, WAKEUP_ANY);
}

static int wakeup_rt_init(struct trace_array *tr)
{
	return wakeup_start(tr, WAKEUP_RT);
}

static int wakeup_dl_init(struct trace_array *tr)
{
	return wakeup_start(tr, WAKEUP_DL);
}

static void wakeup_reset(struct trace_array *tr)
{
	trace_latency_stop(tr, probes, ~0U, wakeup_of(tr));
}

static void wakeup_release(struct trace_array *tr)
{
	kfree(wakeup_of(tr));
	trace_instance_set_data(tr, &wakeup_part, NULL);
}

static struct trace_instance_ops wakeup_part = {
	.release	= wakeup_release,
};

static struct tracer wakeup_tracers[] = {
	LATENCY_TRACER(wakeup, wakeup_reset),
	LATENCY_TRACER(wakeup_rt, wakeup_reset),
	LATENCY_TRACER(wakeup_dl, wakeup_reset),
};

static int __init wakeup_tracers_init(void)
{
	int i, ret;

	if (!trace_top.main.buffer)
		return -ENODEV;

	ret = register_trace_instance_ops(&wakeup_part);
	for (i = 0; !ret && i < ARRAY_SIZE(wakeup_tracers); i++)
		ret = register_tracer(&wakeup_tracers[i]);

	return ret;
}
early_initcall(wakeup_tracers_init);
