// SPDX-License-Identifier: GPL-2.0
/*
 * ftest_rv - a monitor and a reactor that count how often they are called.
 *
 * The parameters `monitor` and `reactor` have their names. With `slot`, the monitor takes a
 * slot in tasks while it is enabled. The counts are `enabled`, `disabled`, `reset` and
 * `reacted`. Writing to `wake` wakes the writing task while it is running, which the monitor
 * wwnr does not expect.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/module.h>
#include <linux/rv.h>
#include <linux/sched.h>

static char *monitor = "ftest";
module_param(monitor, charp, 0);
static char *reactor = "ftest";
module_param(reactor, charp, 0);
static bool slot;
module_param(slot, bool, 0644);

static int enabled;
module_param(enabled, int, 0444);
static int disabled;
module_param(disabled, int, 0444);
static int reset;
module_param(reset, int, 0444);
static int reacted;
module_param(reacted, int, 0444);

/* The slot of the monitor, or a negative number if it has none. */
static int taken = -1;

static int ftest_enable(void)
{
	if (slot) {
		taken = rv_get_task_monitor_slot();
		if (taken < 0)
			return taken;
	}
	enabled++;

	return 0;
}

static void ftest_disable(void)
{
	if (taken >= 0)
		rv_put_task_monitor_slot(taken);
	taken = -1;
	disabled++;
}

static void ftest_reset(void)
{
	reset++;
}

static void ftest_react(char *msg)
{
	reacted++;
}

static struct rv_monitor ftest_monitor = {
	.description	= "counts its calls",
	.enable		= ftest_enable,
	.disable	= ftest_disable,
	.reset		= ftest_reset,
};

static struct rv_reactor ftest_reactor = {
	.description	= "counts its calls",
	.react		= ftest_react,
};

static int wake_set(const char *val, const struct kernel_param *kp)
{
	/* to be switched in while it is monitored */
	schedule_timeout_uninterruptible(1);

	set_current_state(TASK_INTERRUPTIBLE);
	wake_up_process(current);
	__set_current_state(TASK_RUNNING);

	return 0;
}
module_param_call(wake, wake_set, NULL, NULL, 0200);

static int __init ftest_rv_init(void)
{
	int ret;

	ftest_monitor.name = monitor;
	ftest_reactor.name = reactor;

	ret = rv_register_reactor(&ftest_reactor);
	if (ret)
		return ret;

	ret = rv_register_monitor(&ftest_monitor);
	if (ret)
		rv_unregister_reactor(&ftest_reactor);

	return ret;
}
module_init(ftest_rv_init);

static void __exit ftest_rv_exit(void)
{
	if (rv_unregister_monitor(&ftest_monitor) || rv_unregister_reactor(&ftest_reactor))
		pr_err("WARNING: they were not registered\n");
	if (!rv_unregister_monitor(&ftest_monitor) || !rv_unregister_reactor(&ftest_reactor))
		pr_err("WARNING: they were registered twice\n");
}
module_exit(ftest_rv_exit);

MODULE_DESCRIPTION("A monitor and a reactor of runtime verification");
MODULE_LICENSE("GPL");
