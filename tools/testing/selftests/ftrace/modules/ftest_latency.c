// SPDX-License-Identifier: GPL-2.0
/*
 * ftest_latency - makes latencies for the latency tracers to measure.
 *
 * Writing "KIND MICROSECONDS" to the parameter `make` makes a latency: interrupts or preemption
 * are off for that long ("irqs", "preempt"); preemption is off and then interrupts are off,
 * without a gap ("both"); or a task is woken and kept waiting, with a real-time policy
 * ("wakeup"), a deadline ("deadline"), or as a fair task with the highest possible priority
 * ("fair").
 */
#include <linux/completion.h>
#include <linux/delay.h>
#include <linux/err.h>
#include <linux/irqflags.h>
#include <linux/kernel.h>
#include <linux/kthread.h>
#include <linux/module.h>
#include <linux/preempt.h>
#include <linux/sched.h>
#include <linux/smp.h>
#include <linux/string.h>
#include <linux/time64.h>
#include <uapi/linux/sched/types.h>

#define LONGEST_US	100000

static noinline void make_irqs(unsigned int us)
{
	local_irq_disable();
	udelay(us);
	local_irq_enable();
}

static noinline void make_preempt(unsigned int us)
{
	preempt_disable();
	udelay(us);
	preempt_enable();
}

static noinline void make_both(unsigned int us)
{
	unsigned long flags;

	preempt_disable();
	udelay(us / 2);
	local_irq_save(flags);
	preempt_enable();
	udelay(us / 2);
	local_irq_restore(flags);
}

static DECLARE_COMPLETION(woken);

static void use_fair(void)
{
	set_user_nice(current, MIN_NICE);
}

static void use_realtime(void)
{
	sched_set_fifo(current);
}

static void use_deadline(void)
{
	const struct sched_attr attr = {
		.size		= sizeof(attr),
		.sched_policy	= SCHED_DEADLINE,
		.sched_runtime	= 10 * NSEC_PER_MSEC,
		.sched_deadline	= 100 * NSEC_PER_MSEC,
		.sched_period	= 100 * NSEC_PER_MSEC,
	};

	WARN_ON(sched_setattr_nocheck(current, &attr));
}

static int wait_once(void *use_policy)
{
	void (*use)(void) = use_policy;

	use();
	wait_for_completion(&woken);
	while (!kthread_should_stop())
		schedule_timeout_interruptible(1);
	return 0;
}

/* The task is bound to this CPU, which is busy until the time is over. */
static int make_wakeup(unsigned int us, void (*use_policy)(void))
{
	struct task_struct *task;
	int ret;

	migrate_disable();
	reinit_completion(&woken);
	task = kthread_create(wait_once, use_policy, "ftest_woken");
	if (IS_ERR(task)) {
		migrate_enable();
		return PTR_ERR(task);
	}
	kthread_bind(task, smp_processor_id());
	wake_up_process(task);
	msleep(20);

	preempt_disable();
	complete(&woken);
	udelay(us);
	preempt_enable();
	ret = kthread_stop(task);
	migrate_enable();
	return ret;
}

static int set_make(const char *val, const struct kernel_param *kp)
{
	unsigned int us;
	char kind[16];

	if (sscanf(val, "%15s %u", kind, &us) != 2 || us > LONGEST_US)
		return -EINVAL;
	if (!strcmp(kind, "irqs"))
		make_irqs(us);
	else if (!strcmp(kind, "preempt"))
		make_preempt(us);
	else if (!strcmp(kind, "both"))
		make_both(us);
	else if (!strcmp(kind, "wakeup"))
		return make_wakeup(us, use_realtime);
	else if (!strcmp(kind, "deadline"))
		return make_wakeup(us, use_deadline);
	else if (!strcmp(kind, "fair"))
		return make_wakeup(us, use_fair);
	else
		return -EINVAL;
	return 0;
}

static const struct kernel_param_ops make_ops = {
	.set	= set_make,
};
module_param_cb(make, &make_ops, NULL, 0200);

MODULE_DESCRIPTION("Latencies for tests of the latency tracers");
MODULE_LICENSE("GPL");
