// SPDX-License-Identifier: GPL-2.0
/*
 * ftest_nmi - NMIs that call traced functions.
 *
 * While it is loaded, a thread repeatedly sends an NMI to every CPU. The NMI handler calls
 * the functions of ftest_target, so that call sites are executed in NMI context while they
 * are patched. Reading the parameter `handled` returns the number of NMIs so far.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/atomic.h>
#include <linux/cpumask.h>
#include <linux/delay.h>
#include <linux/err.h>
#include <linux/kthread.h>
#include <linux/module.h>
#include <linux/nmi.h>
#include <asm/apic.h>
#include <asm/nmi.h>

#include "ftest_target.h"

static unsigned int period_us = 2000;
module_param(period_us, uint, 0400);
MODULE_PARM_DESC(period_us, "Time between two NMIs of a CPU");

static atomic_t handled;
static struct task_struct *sender;

/*
 * The handler claims all local NMIs. Two of them may be merged into one, so a count of sent
 * NMIs could not tell which are ours.
 */
static int handle_nmi(unsigned int cmd, struct pt_regs *regs)
{
	ftest_caller(atomic_inc_return(&handled));
	return NMI_HANDLED;
}

static int sender_fn(void *arg)
{
	while (!kthread_should_stop()) {
		cpus_read_lock();
		__apic_send_IPI_mask(cpu_online_mask, NMI_VECTOR);
		cpus_read_unlock();
		usleep_range(period_us, period_us + period_us / 2 + 1);
	}
	return 0;
}

static int handled_get(char *buf, const struct kernel_param *kp)
{
	return sysfs_emit(buf, "%d\n", atomic_read(&handled));
}

static const struct kernel_param_ops handled_ops = {
	.get = handled_get,
};
module_param_cb(handled, &handled_ops, NULL, 0400);
MODULE_PARM_DESC(handled, "NMIs handled so far");

static int __init ftest_nmi_init(void)
{
	int ret = register_nmi_handler(NMI_LOCAL, handle_nmi, 0, "ftest_nmi");

	if (ret)
		return ret;
	sender = kthread_run(sender_fn, NULL, "ftest_nmi");
	if (!IS_ERR(sender))
		return 0;
	unregister_nmi_handler(NMI_LOCAL, "ftest_nmi");
	return PTR_ERR(sender);
}
module_init(ftest_nmi_init);

static void __exit ftest_nmi_exit(void)
{
	kthread_stop(sender);
	/* The handler must remain registered until the last NMIs have arrived */
	msleep(20);
	unregister_nmi_handler(NMI_LOCAL, "ftest_nmi");
}
module_exit(ftest_nmi_exit);

MODULE_DESCRIPTION("NMIs that call traced functions");
MODULE_LICENSE("GPL");
