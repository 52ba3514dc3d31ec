// SPDX-License-Identifier: GPL-2.0
/*
 * Start-up self tests of the latency tracers: each tracer must measure a latency made by the
 * test.
 */
#define pr_fmt(fmt) "tracing: " fmt

#include <linux/completion.h>
#include <linux/delay.h>
#include <linux/err.h>
#include <linux/init.h>
#include <linux/irqflags.h>
#include <linux/kthread.h>
#include <linux/minmax.h>
#include <linux/preempt.h>
#include <linux/printk.h>
#include <linux/sched.h>
#include <linux/smp.h>
#include <linux/time64.h>
#include <linux/trace_clock.h>
#include <uapi/linux/sched/types.h>

#include "instance/core/instance.h"
#include "instance/snapshot/max_latency.h"
#include "instance/tracer/tracer.h"
#include "tracer/selftest/selftest.h"

#define DELAY_US	3000

/* Delay by the clock that latencies are measured with; give up if that clock does not advance. */
static void latency_selftest_keep_busy(void)
{
	u64 begin = trace_clock_local();
	int i;

	for (i = 0; i < 100; i++) {
		udelay(DELAY_US / 10);
		if (trace_clock_local() - begin >= DELAY_US * NSEC_PER_USEC)
			return;
	}
}

/* Let @tracer measure the latency that @delay makes. */
static int latency_selftest_measure_once(struct trace_array *tr, struct tracer *tracer,
					 int (*delay)(void), u64 *ns)
{
	int ret;

	ret = trace_latency_begin(tr);
	if (ret)
		return ret;

	ret = tracer->init(tr);
	if (ret)
		goto out;

	trace_latency_keep_max(tr);
	ret = delay();
	tracer->reset(tr);
	*ns = tr->max_latency;
out:
	trace_latency_end(tr);
	return ret;
}

#define TRIES	20

/*
 * A latency above the threshold replaces the trace of the previous one, so a shorter latency
 * must be ignored. A longer latency may be caused by the machine, but it also shows that the
 * tracer measures.
 */
static int latency_selftest(struct trace_array *tr, struct tracer *tracer,
			    int (*delay)(void), u64 least_us)
{
	u64 thresh = trace_latency_thresh, ns = 0;
	int i, ret = 0;

	WRITE_ONCE(trace_latency_thresh, least_us * NSEC_PER_USEC - 1);
	/* A task with a higher priority may have been woken instead. */
	for (i = 0; i < TRIES && !ret && !ns; i++)
		ret = latency_selftest_measure_once(tr, tracer, delay, &ns);
	WRITE_ONCE(trace_latency_thresh, thresh);

	if (ret || ns)
		return ret;

	pr_err("%s did not measure a latency of %llu us\n", tracer->name, least_us);
	return -EIO;
}

static int __maybe_unused latency_selftest_irqs_off(void)
{
	local_irq_disable();
	latency_selftest_keep_busy();
	local_irq_enable();

	return 0;
}

static int __maybe_unused latency_selftest_preempt_off(void)
{
	preempt_disable();
	latency_selftest_keep_busy();
	preempt_enable();

	return 0;
}

/* One section: interrupts and preemption are never both on. */
static int __maybe_unused latency_selftest_in_turn(void)
{
	preempt_disable();
	latency_selftest_keep_busy();
	local_irq_disable();
	preempt_enable_no_resched();
	latency_selftest_keep_busy();
	local_irq_enable();

	return 0;
}

#ifdef CONFIG_IRQSOFF_TRACER
int irqsoff_selftest(struct trace_array *tr, struct tracer *tracer)
{
	return latency_selftest(tr, tracer, latency_selftest_irqs_off, DELAY_US);
}
#endif

#ifdef CONFIG_PREEMPT_TRACER
int preemptoff_selftest(struct trace_array *tr, struct tracer *tracer)
{
	return latency_selftest(tr, tracer, latency_selftest_preempt_off, DELAY_US);
}

int preemptirqsoff_selftest(struct trace_array *tr, struct tracer *tracer)
{
	return latency_selftest(tr, tracer, latency_selftest_in_turn, 2 * DELAY_US);
}
#endif

#ifdef CONFIG_SCHED_TRACER
/**
 * struct latency_selftest_sleeper - a task to wake
 * @attr: scheduling attributes
 * @cpu: CPU that it is bound to, or -1
 * @ready: it is about to sleep
 * @woken: completed to wake it
 * @runs: it runs again
 */
struct latency_selftest_sleeper {
	struct sched_attr	attr;
	int			cpu;
	struct completion	ready;
	struct completion	woken;
	struct completion	runs;
};

static int latency_selftest_sleep_once(void *data)
{
	struct latency_selftest_sleeper *sleeper = data;
	int ret = sched_setattr_nocheck(current, &sleeper->attr);

	complete(&sleeper->ready);
	wait_for_completion(&sleeper->woken);
	complete(&sleeper->runs);

	/* The task must exist until kthread_stop(). */
	while (!kthread_should_stop())
		schedule_timeout_interruptible(1);

	return ret;
}

/* Keep the CPU busy for a while after waking a task that is to run there. */
static int latency_selftest_wake_up_late(struct latency_selftest_sleeper *sleeper)
{
	struct task_struct *task;

	init_completion(&sleeper->ready);
	init_completion(&sleeper->woken);
	init_completion(&sleeper->runs);
	task = kthread_create(latency_selftest_sleep_once, sleeper, "trace_selftest");
	if (IS_ERR(task))
		return PTR_ERR(task);
	if (sleeper->cpu >= 0)
		kthread_bind(task, sleeper->cpu);
	wake_up_process(task);
	wait_for_completion(&sleeper->ready);
	while (!wait_task_inactive(task, TASK_UNINTERRUPTIBLE))
		schedule_timeout_uninterruptible(1);

	preempt_disable();
	complete(&sleeper->woken);
	latency_selftest_keep_busy();
	preempt_enable();
	wait_for_completion(&sleeper->runs);

	return kthread_stop(task);
}

/* On this CPU, where the task cannot run in between. */
static int latency_selftest_wake_up_here(struct latency_selftest_sleeper *sleeper)
{
	int ret;

	migrate_disable();
	sleeper->cpu = smp_processor_id();
	ret = latency_selftest_wake_up_late(sleeper);
	migrate_enable();

	return ret;
}

static int latency_selftest_wake_fair(void)
{
	struct latency_selftest_sleeper sleeper = {
		.attr	= { .sched_policy = SCHED_NORMAL, .sched_nice = -10 },
	};

	return latency_selftest_wake_up_here(&sleeper);
}

static int latency_selftest_wake_rt(void)
{
	struct latency_selftest_sleeper sleeper = {
		.attr	= { .sched_policy = SCHED_FIFO, .sched_priority = 5 },
	};

	return latency_selftest_wake_up_here(&sleeper);
}

/* A deadline task cannot be bound to a CPU, so it may run on another CPU at once. */
static int latency_selftest_wake_dl(void)
{
	struct latency_selftest_sleeper sleeper = {
		.attr	= {
			.sched_policy	= SCHED_DEADLINE,
			.sched_runtime	= 100000,
			.sched_deadline	= 10000000,
			.sched_period	= 10000000,
		},
		.cpu	= -1,
	};

	return latency_selftest_wake_up_late(&sleeper);
}

int wakeup_selftest(struct trace_array *tr, struct tracer *tracer)
{
	return latency_selftest(tr, tracer, latency_selftest_wake_fair, DELAY_US);
}

int wakeup_rt_selftest(struct trace_array *tr, struct tracer *tracer)
{
	return latency_selftest(tr, tracer, latency_selftest_wake_rt, DELAY_US);
}

int wakeup_dl_selftest(struct trace_array *tr, struct tracer *tracer)
{
	return latency_selftest(tr, tracer, latency_selftest_wake_dl, 1);
}
#endif
