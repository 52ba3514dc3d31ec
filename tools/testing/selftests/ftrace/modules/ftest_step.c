// SPDX-License-Identifier: GPL-2.0
/*
 * ftest_step - unwinds the stack at each instruction of a traced call.
 *
 * Writing to the parameter `call` calls ftest_one() with the processor's trap flag set. So each
 * instruction of the function raises a debug exception, and so does each instruction that is
 * executed for its users. The handler saves the stack trace, which must include the caller.
 *
 * Reading it returns the number of instructions of the last call, followed by the instructions
 * where the caller was not found; if there are several in a row in one function, only the
 * first:
 *
 *   steps=1234 return_to_handler+0x0/0x30
 *
 * While the parameter `probe` is 1, a kretprobe hooks the return of ftest_one().
 */
#include <linux/kallsyms.h>
#include <linux/kdebug.h>
#include <linux/kernel.h>
#include <linux/kprobes.h>
#include <linux/kstrtox.h>
#include <linux/module.h>
#include <linux/preempt.h>
#include <linux/sched.h>
#include <linux/stacktrace.h>
#include <linux/string.h>
#include <asm/debugreg.h>
#include <asm/processor-flags.h>

#include "ftest_target.h"

#define MAX_LOST	16
#define MAX_DEPTH	64

static struct task_struct *stepped;
static unsigned long caller;
static unsigned int steps;
static char lost[MAX_LOST][KSYM_SYMBOL_LEN];
static unsigned int nr_lost;

static bool is_caller_found(void)
{
	/* Used only by the one task that is stepped, in which exceptions do not nest. */
	static unsigned long entries[MAX_DEPTH];
	unsigned int i, nr = stack_trace_save(entries, MAX_DEPTH, 0);

	for (i = 0; i < nr; i++)
		if (entries[i] == caller)
			return true;
	return false;
}

static void add_lost(unsigned long ip)
{
	char name[KSYM_NAME_LEN];

	snprintf(name, sizeof(name), "%ps+", (void *)ip);
	if (nr_lost == MAX_LOST || (nr_lost && strstarts(lost[nr_lost - 1], name)))
		return;
	snprintf(lost[nr_lost++], sizeof(lost[0]), "%pS", (void *)ip);
}

static int step_notify(struct notifier_block *nb, unsigned long event, void *data)
{
	struct die_args *args = data;
	unsigned long *dr6 = (unsigned long *)args->err;

	if (event != DIE_DEBUG || !(*dr6 & DR_STEP) || current != stepped)
		return NOTIFY_DONE;

	*dr6 &= ~DR_STEP;
	steps++;
	if (!is_caller_found())
		add_lost(args->regs->ip);
	return NOTIFY_STOP;
}

static struct notifier_block step_block = {
	.notifier_call	= step_notify,
};

static __always_inline void set_trap_flag(bool on)
{
	unsigned long flags = native_save_fl();

	if (on)
		flags |= X86_EFLAGS_TF;
	else
		flags &= ~X86_EFLAGS_TF;
	asm volatile("push %0; popf" : : "r" (flags) : "memory", "cc");
}

/* Another task would inherit the flag. */
static noinline void step_call(void)
{
	caller = (unsigned long)__builtin_return_address(0);
	preempt_disable();
	set_trap_flag(true);
	ftest_one(1);
	set_trap_flag(false);
	preempt_enable();
}

static int call_set(const char *val, const struct kernel_param *kp)
{
	int ret = register_die_notifier(&step_block);

	if (ret)
		return ret;

	steps = 0;
	nr_lost = 0;
	stepped = current;
	step_call();
	stepped = NULL;
	return unregister_die_notifier(&step_block);
}

static int call_get(char *buf, const struct kernel_param *kp)
{
	unsigned int i;
	int len = sysfs_emit(buf, "steps=%u", steps);

	for (i = 0; i < nr_lost; i++)
		len += sysfs_emit_at(buf, len, " %s", lost[i]);
	return len + sysfs_emit_at(buf, len, "\n");
}

static const struct kernel_param_ops call_ops = {
	.set	= call_set,
	.get	= call_get,
};
module_param_cb(call, &call_ops, NULL, 0600);

static struct kretprobe probe;
static bool probing;

static int probe_returned(struct kretprobe_instance *instance, struct pt_regs *regs)
{
	return 0;
}

static void probe_end(void)
{
	if (probing)
		unregister_kretprobe(&probe);
	probing = false;
}

static int probe_set(const char *val, const struct kernel_param *kp)
{
	bool on;
	int ret = kstrtobool(val, &on);

	if (ret)
		return ret;
	probe_end();
	if (!on)
		return 0;
	/* Registering again requires a kretprobe that was never used. */
	probe = (struct kretprobe) {
		.kp.symbol_name	= "ftest_one",
		.handler	= probe_returned,
	};
	ret = register_kretprobe(&probe);
	probing = !ret;
	return ret;
}

static const struct kernel_param_ops probe_ops = {
	.set	= probe_set,
};
module_param_cb(probe, &probe_ops, NULL, 0200);

static int __init ftest_step_init(void)
{
	return 0;
}
module_init(ftest_step_init);

static void __exit ftest_step_exit(void)
{
	probe_end();
}
module_exit(ftest_step_exit);

MODULE_DESCRIPTION("Stack traces at each instruction of a call");
MODULE_LICENSE("GPL");
