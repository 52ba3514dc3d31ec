// SPDX-License-Identifier: GPL-2.0
/*
 * ftest_target - functions to be traced, and threads that call them.
 *
 * Writing N to the parameter `call` calls each function N times. `threads` is the number of
 * threads that call them in a loop, bound to the CPUs in turn. Reading `value` returns
 * ftest_one(0). While `sits` is 1 there is a thread inside tree_sits(); writing 1 again makes
 * it start another call.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/cpumask.h>
#include <linux/delay.h>
#include <linux/err.h>
#include <linux/kthread.h>
#include <linux/module.h>
#include <linux/sched.h>
#include <linux/sched/clock.h>

#include "ftest_target.h"

#define MAX_THREADS	8

static struct task_struct *threads[MAX_THREADS];
static unsigned int nr_threads;

/* The barriers prevent the compiler from computing the results of calls. */
noinline int ftest_one(int x)
{
	barrier();
	return x + FTEST_ONE_ADDS;
}
EXPORT_SYMBOL_GPL(ftest_one);

noinline int ftest_two(int x)
{
	barrier();
	return x + FTEST_TWO_ADDS;
}
EXPORT_SYMBOL_GPL(ftest_two);

noinline int ftest_three(int x)
{
	barrier();
	return x * 3;
}
EXPORT_SYMBOL_GPL(ftest_three);

noinline void ftest_caller(int x)
{
	WRITE_ONCE(x, ftest_one(x));
	barrier();
	WRITE_ONCE(x, ftest_two(x));
	barrier();
	WRITE_ONCE(x, ftest_three(x));
	barrier();
}
EXPORT_SYMBOL_GPL(ftest_caller);

static int thread_fn(void *arg)
{
	int x = 0;

	while (!kthread_should_stop()) {
		ftest_caller(x++);
		/* leaves most of the CPU to the tests */
		if (!(x & 0xff))
			usleep_range(200, 400);
	}
	return 0;
}

static void threads_stop(void)
{
	while (nr_threads)
		kthread_stop(threads[--nr_threads]);
}

static int threads_start(unsigned int nr)
{
	unsigned int cpu = cpumask_first(cpu_online_mask);
	struct task_struct *task;

	while (nr_threads < nr) {
		task = kthread_create(thread_fn, NULL, "ftest/%u", nr_threads);
		if (IS_ERR(task)) {
			threads_stop();
			return PTR_ERR(task);
		}
		kthread_bind(task, cpu);
		threads[nr_threads++] = task;
		wake_up_process(task);
		cpu = cpumask_next(cpu, cpu_online_mask);
		if (cpu >= nr_cpu_ids)
			cpu = cpumask_first(cpu_online_mask);
	}
	return 0;
}

static int threads_set(const char *val, const struct kernel_param *kp)
{
	unsigned int nr;
	int ret = kstrtouint(val, 0, &nr);

	if (ret)
		return ret;
	if (nr > MAX_THREADS)
		return -EINVAL;
	threads_stop();
	return threads_start(nr);
}

static int threads_get(char *buf, const struct kernel_param *kp)
{
	return sysfs_emit(buf, "%u\n", nr_threads);
}

static const struct kernel_param_ops threads_ops = {
	.set = threads_set,
	.get = threads_get,
};
module_param_cb(threads, &threads_ops, NULL, 0600);
MODULE_PARM_DESC(threads, "Threads that call the functions without end");

static int call_set(const char *val, const struct kernel_param *kp)
{
	unsigned int nr;
	int ret = kstrtouint(val, 0, &nr);

	if (ret)
		return ret;
	while (nr--)
		ftest_caller(nr);
	return 0;
}

static const struct kernel_param_ops call_ops = {
	.set = call_set,
};
module_param_cb(call, &call_ops, NULL, 0200);
MODULE_PARM_DESC(call, "Call each function this many times");

/*
 * Functions that return the value that a test has written, each of another type. The one that
 * returns an int leaves garbage in the upper half of its register.
 */
noinline long tree_returns(long x)
{
	ftest_one(x);
	barrier();
	return x;
}

noinline int tree_returns_int(long x)
{
	ftest_one(x);
	x ^= 0x5a5a5a5a00000000;
	OPTIMIZER_HIDE_VAR(x);
	return x;
}

static int returns_set(const char *val, const struct kernel_param *kp)
{
	long value;
	int ret = kstrtol(val, 0, &value);

	if (ret)
		return ret;
	tree_returns(value);
	tree_returns_int(value);
	return 0;
}

static const struct kernel_param_ops returns_ops = {
	.set = returns_set,
};
module_param_cb(returns, &returns_ops, NULL, 0200);
MODULE_PARM_DESC(returns, "Call functions that return this number");

/* A parameter of each kind; a clone would be called with other registers. */
noinline __noclone void call_args(long number, unsigned long word, const void *pointer,
				  bool flag, signed char small, unsigned short half)
{
	barrier();
}

static int args_set(const char *val, const struct kernel_param *kp)
{
	long value;
	int ret = kstrtol(val, 0, &value);

	if (!ret)
		call_args(value, value, (void *)value, value & 1, value, value);
	return ret;
}

static const struct kernel_param_ops args_ops = {
	.set = args_set,
};
module_param_cb(args, &args_ops, NULL, 0200);
MODULE_PARM_DESC(args, "Call a function with this number in all of its arguments");

noinline void tree_slow(unsigned int us)
{
	ftest_one(us);
	udelay(us);
	ftest_two(us);
}

static int slow_set(const char *val, const struct kernel_param *kp)
{
	unsigned int us;
	int ret = kstrtouint(val, 0, &us);

	if (!ret)
		tree_slow(us);
	return ret;
}

static const struct kernel_param_ops slow_ops = {
	.set = slow_set,
};
module_param_cb(slow, &slow_ops, NULL, 0200);
MODULE_PARM_DESC(slow, "Call a function that takes so many microseconds");

noinline void tree_naps(unsigned int us)
{
	usleep_range(us, us + 1);
}

noinline void tree_sleeps(unsigned int us)
{
	ftest_one(us);
	tree_naps(us);
	ftest_two(us);
}

static int sleeps_set(const char *val, const struct kernel_param *kp)
{
	unsigned int us;
	int ret = kstrtouint(val, 0, &us);

	if (!ret)
		tree_sleeps(us);
	return ret;
}

static const struct kernel_param_ops sleeps_ops = {
	.set = sleeps_set,
};
module_param_cb(sleeps, &sleeps_ops, NULL, 0200);
MODULE_PARM_DESC(sleeps, "Call a function that sleeps so many microseconds");

noinline void tree_many(unsigned int nr)
{
	while (nr--)
		ftest_caller(nr);
}

static int many_set(const char *val, const struct kernel_param *kp)
{
	unsigned int nr;
	int ret = kstrtouint(val, 0, &nr);

	if (!ret)
		tree_many(nr);
	return ret;
}

static const struct kernel_param_ops many_ops = {
	.set = many_set,
};
module_param_cb(many, &many_ops, NULL, 0200);
MODULE_PARM_DESC(many, "Call a function that calls each of the others this many times");

/* Measured several times, with interrupts off, because disturbances only add time. */
static u64 timed_ns;

static int timed_set(const char *val, const struct kernel_param *kp)
{
	unsigned long irqs;
	unsigned int nr, i;
	u64 start;
	int ret = kstrtouint(val, 0, &nr);

	if (ret)
		return ret;

	timed_ns = U64_MAX;
	for (i = 0; i < 5; i++) {
		local_irq_save(irqs);
		start = local_clock();
		tree_many(nr);
		timed_ns = min(timed_ns, local_clock() - start);
		local_irq_restore(irqs);
	}
	return 0;
}

static int timed_get(char *buf, const struct kernel_param *kp)
{
	return sysfs_emit(buf, "%llu\n", timed_ns);
}

static const struct kernel_param_ops timed_ops = {
	.set = timed_set,
	.get = timed_get,
};
module_param_cb(timed, &timed_ops, NULL, 0600);
MODULE_PARM_DESC(timed, "Do as many does, five times; the time of the fastest in nanoseconds");

/*
 * A live patch replaces this function while it is on the stack of a task, and its transition
 * waits for that task.
 */
noinline void tree_sits(void)
{
	ftest_sit();
}

static struct task_struct *sitter;

static int sitter_fn(void *arg)
{
	tree_sits();
	barrier();
	return 0;
}

static void sitter_stop(void)
{
	if (sitter)
		kthread_stop(sitter);
	sitter = NULL;
}

static int sits_set(const char *val, const struct kernel_param *kp)
{
	struct task_struct *task;
	bool sits;
	int ret = kstrtobool(val, &sits);

	if (ret)
		return ret;
	sitter_stop();
	if (!sits)
		return 0;
	task = kthread_run(sitter_fn, NULL, "ftest/sits");
	if (IS_ERR(task))
		return PTR_ERR(task);
	sitter = task;
	return 0;
}

static int sits_get(char *buf, const struct kernel_param *kp)
{
	return sysfs_emit(buf, "%d\n", !!sitter);
}

static const struct kernel_param_ops sits_ops = {
	.set = sits_set,
	.get = sits_get,
};
module_param_cb(sits, &sits_ops, NULL, 0600);
MODULE_PARM_DESC(sits, "Whether a thread is inside of a function");

static int value_get(char *buf, const struct kernel_param *kp)
{
	return sysfs_emit(buf, "%d\n", ftest_one(0));
}

static const struct kernel_param_ops value_ops = {
	.get = value_get,
};
module_param_cb(value, &value_ops, NULL, 0400);
MODULE_PARM_DESC(value, "What ftest_one(0) returns");

static int fails_after;
module_param(fails_after, int, 0400);
MODULE_PARM_DESC(fails_after, "The milliseconds after which loading fails; 0 if it does not");

static int __init ftest_target_init(void)
{
	ftest_caller(0);
	if (fails_after) {
		msleep(fails_after);
		return -ENODEV;
	}
	return 0;
}
module_init(ftest_target_init);

static void __exit ftest_target_exit(void)
{
	sitter_stop();
	threads_stop();
}
module_exit(ftest_target_exit);

MODULE_DESCRIPTION("Functions for the ftrace selftests to trace");
MODULE_LICENSE("GPL");
