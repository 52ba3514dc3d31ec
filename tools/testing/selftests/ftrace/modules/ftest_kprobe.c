// SPDX-License-Identifier: GPL-2.0
/*
 * ftest_kprobe - kprobes on ftest_one() and near its call site.
 *
 * While it is loaded, one probe is on the entry of ftest_one(), which is its call site, a
 * second on a later instruction, and a third on its return. Reading the parameter `hits`
 * returns the count of each, and writing it resets the counts.
 *
 * If the parameter `on` names another function, only the first probe is registered, and is on
 * that function.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/atomic.h>
#include <linux/kprobes.h>
#include <linux/module.h>

#include "ftest_target.h"

/* An instruction after the call site starts before this many bytes. */
#define SEARCH_END	40

static atomic_t entry_hits, inside_hits, return_hits;

static int entry_handler(struct kprobe *kp, struct pt_regs *regs)
{
	atomic_inc(&entry_hits);
	return 0;
}

static int inside_handler(struct kprobe *kp, struct pt_regs *regs)
{
	atomic_inc(&inside_hits);
	return 0;
}

static int return_handler(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	atomic_inc(&return_hits);
	return 0;
}

static struct kprobe entry_probe = {
	.symbol_name = "ftest_one",
	.pre_handler = entry_handler,
};

/* A probe with a post handler is never a jump: it traps, unless it is on a call site. */
static void after_handler(struct kprobe *kp, struct pt_regs *regs, unsigned long flags)
{
}

static char *on;
module_param(on, charp, 0400);
MODULE_PARM_DESC(on, "The function that has the only probe");

static struct kprobe inside_probe;

static struct kretprobe return_probe = {
	.kp.symbol_name = "ftest_one",
	.handler = return_handler,
};

/* Finds the first address after the call site where an instruction starts. */
static int register_inside(void)
{
	unsigned int offset;
	int ret = -EINVAL;

	for (offset = 4; offset < SEARCH_END; offset++) {
		inside_probe = (struct kprobe) {
			.addr = (kprobe_opcode_t *)((unsigned long)ftest_one + offset),
			.pre_handler = inside_handler,
		};
		ret = register_kprobe(&inside_probe);
		if (ret)
			continue;
		if (!kprobe_ftrace(&inside_probe))
			return 0;
		/* on the call site itself: that would be a second entry probe */
		unregister_kprobe(&inside_probe);
	}
	return ret ?: -EINVAL;
}

static int hits_get(char *buf, const struct kernel_param *kp)
{
	return sysfs_emit(buf, "entry=%d inside=%d return=%d\n",
			  atomic_read(&entry_hits), atomic_read(&inside_hits),
			  atomic_read(&return_hits));
}

static int hits_set(const char *val, const struct kernel_param *kp)
{
	atomic_set(&entry_hits, 0);
	atomic_set(&inside_hits, 0);
	atomic_set(&return_hits, 0);
	return 0;
}

static const struct kernel_param_ops hits_ops = {
	.get = hits_get,
	.set = hits_set,
};
module_param_cb(hits, &hits_ops, NULL, 0600);
MODULE_PARM_DESC(hits, "Calls that each probe has counted");

static int __init ftest_kprobe_init(void)
{
	int ret;

	if (on) {
		entry_probe.symbol_name = on;
		entry_probe.post_handler = after_handler;
	}
	ret = register_kprobe(&entry_probe);
	if (ret || on)
		return ret;
	ret = register_inside();
	if (ret)
		goto no_inside;
	ret = register_kretprobe(&return_probe);
	if (ret)
		goto no_return;
	return 0;
no_return:
	unregister_kprobe(&inside_probe);
no_inside:
	unregister_kprobe(&entry_probe);
	return ret;
}
module_init(ftest_kprobe_init);

static void __exit ftest_kprobe_exit(void)
{
	if (!on) {
		unregister_kretprobe(&return_probe);
		unregister_kprobe(&inside_probe);
	}
	unregister_kprobe(&entry_probe);
}
module_exit(ftest_kprobe_exit);

MODULE_DESCRIPTION("Kprobes on a traced function");
MODULE_LICENSE("GPL");
