// SPDX-License-Identifier: GPL-2.0
/*
 * ftest_ops - ftrace_ops of a module: they are held during another test, or are unregistered
 * while they are called. KUnit tests the rest of the in-kernel interface.
 *
 * Writing a name to the parameter `run` runs that check. If the behavior differs from
 * Documentation/trace/ftrace-uses.rst, the log has the difference and the write returns EINVAL.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/atomic.h>
#include <linux/completion.h>
#include <linux/delay.h>
#include <linux/err.h>
#include <linux/ftrace.h>
#include <linux/kallsyms.h>
#include <linux/kthread.h>
#include <linux/module.h>
#include <linux/preempt.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "ftest_expect.h"
#include "ftest_target.h"

#define NR_CALLS	20
#define NR_ROUNDS	10

/**
 * struct probe - one ftrace_ops with the values that its callback has recorded
 * @ops: ops that is registered
 * @hits: number of calls of the callback
 * @last_ip: call site of the last call
 * @last_parent: caller of that function
 */
struct probe {
	struct ftrace_ops ops;
	atomic_t hits;
	unsigned long last_ip;
	unsigned long last_parent;
};

static notrace void count_func(unsigned long ip, unsigned long parent_ip,
			       struct ftrace_ops *op, struct ftrace_regs *fregs)
{
	struct probe *p = container_of(op, struct probe, ops);

	WRITE_ONCE(p->last_ip, ip);
	WRITE_ONCE(p->last_parent, parent_ip);
	atomic_inc(&p->hits);
}

static int filter(struct probe *p, const char *name, int reset)
{
	char buf[64];

	strscpy(buf, name);
	return ftrace_set_filter(&p->ops, (unsigned char *)buf, strlen(buf), reset);
}

static int notrace_filter(struct probe *p, const char *name, int reset)
{
	char buf[64];

	strscpy(buf, name);
	return ftrace_set_notrace(&p->ops, (unsigned char *)buf, strlen(buf), reset);
}

/* Returns the count of @p and resets it. */
static int hits(struct probe *p)
{
	return atomic_xchg(&p->hits, 0);
}

static void probe_end(struct probe *p)
{
	if (p->ops.flags & FTRACE_OPS_FL_ENABLED)
		unregister_ftrace_function(&p->ops);
	ftrace_free_filter(&p->ops);
	memset(p, 0, sizeof(*p));
}

static void call_targets(int nr)
{
	while (nr--)
		ftest_caller(nr);
}

/* Returns true if @addr is in the function @name, by the name that the log would show. */
static bool addr_is(unsigned long addr, const char *name)
{
	/* Not allocated: memory.sh makes each allocation fail in turn. */
	static char sym[KSYM_SYMBOL_LEN];
	size_t len = strlen(name);

	sprint_symbol_no_offset(sym, addr);
	return !strncmp(sym, name, len) && (!sym[len] || sym[len] == ' ');
}

static struct probe pa, pb, pc;

static int register_three(void)
{
	int ret;

	pa.ops.func = count_func;
	pb.ops.func = count_func;
	pc.ops.func = count_func;
	ret = filter(&pa, "ftest_one", 1);
	expect(!ret, "set_filter %d", ret);
	ret = filter(&pb, "ftest_one", 1) ?: filter(&pb, "ftest_two", 0);
	expect(!ret, "set_filter %d", ret);
	ret = filter(&pc, "ftest_*", 1) ?: notrace_filter(&pc, "ftest_two", 1) ?:
	      notrace_filter(&pc, "ftest_caller", 0);
	expect(!ret, "set_filter %d", ret);
	ret = register_ftrace_function(&pa.ops) ?: register_ftrace_function(&pb.ops) ?:
	      register_ftrace_function(&pc.ops);
	expect(!ret, "register %d", ret);
	return 0;
}

/* Removing an address from a filter does not need memory: see memory.sh. */
static int run_remove_ip(void)
{
	int ret, a;

	pa.ops.func = count_func;
	ret = filter(&pa, "ftest_one", 1) ?: filter(&pa, "ftest_two", 0) ?:
	      register_ftrace_function(&pa.ops);
	if (ret)
		return ret;
	ret = ftrace_set_filter_ip(&pa.ops, (unsigned long)ftest_one, 1, 0);
	expect(!ret, "remove %d", ret);
	call_targets(NR_CALLS);
	a = hits(&pa);
	expect(a == NR_CALLS, "%d calls", a);
	expect(addr_is(pa.last_ip, "ftest_two"), "ip is in %pS", (void *)pa.last_ip);
	ret = ftrace_set_filter_ip(&pa.ops, (unsigned long)ftest_one, 1, 0);
	expect(ret == -ENOENT, "remove again %d", ret);
	ret = ftrace_set_filter_ip(&pa.ops, (unsigned long)&pa, 1, 0);
	expect(ret == -EINVAL, "remove data %d", ret);
	return 0;
}

/* Calls a function that it traces itself. The guard stops that before @hits is large. */
static notrace void recurse_func(unsigned long ip, unsigned long parent_ip,
				 struct ftrace_ops *op, struct ftrace_regs *fregs)
{
	struct probe *p = container_of(op, struct probe, ops);

	if (atomic_inc_return(&p->hits) < NR_CALLS)
		ftest_two(1);
	/* Not a tail call: this function is the caller. */
	barrier();
}

static notrace void recurse_trylock_func(unsigned long ip, unsigned long parent_ip,
					 struct ftrace_ops *op, struct ftrace_regs *fregs)
{
	struct probe *p = container_of(op, struct probe, ops);
	int bit = ftrace_test_recursion_trylock(ip, parent_ip);

	if (bit < 0)
		return;
	if (atomic_inc_return(&p->hits) < NR_CALLS)
		ftest_three(1);
	ftrace_test_recursion_unlock(bit);
}

static int run_recurse(void)
{
	int ret, a, b;

	pa.ops.func = recurse_func;
	pa.ops.flags = FTRACE_OPS_FL_RECURSION;
	pb.ops.func = recurse_trylock_func;
	ret = filter(&pa, "ftest_two", 1) ?: register_ftrace_function(&pa.ops) ?:
	      filter(&pb, "ftest_three", 1) ?: register_ftrace_function(&pb.ops);
	if (ret)
		return ret;
	ftest_two(1);
	ftest_three(1);
	a = hits(&pa);
	b = hits(&pb);
	expect(a == 2 && b == 2, "calls with the flag %d, with the trylock %d", a, b);
	return 0;
}

/* Inverted addresses: kmemleak does not take them for references. */
static unsigned long leaked[4];

/*
 * Leaks on purpose, as a control for kmemleak: more than once, in case an old address is left
 * on some stack. The memory is freed when the module is unloaded.
 */
static noinline int run_leak(void)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(leaked); i++) {
		if (!leaked[i])
			leaked[i] = ~(unsigned long)kzalloc(64, GFP_KERNEL);
		if (!~leaked[i])
			return -ENOMEM;
	}
	return 0;
}

static void free_leaked(void)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(leaked); i++) {
		if (leaked[i])
			kfree((void *)~leaked[i]);
	}
}

/* Registers, unregisters, and poisons the memory at once, while threads call the function. */
static int run_free_under_load(void)
{
	struct probe *p;
	int i, ret, seen = 0;

	for (i = 0; i < NR_ROUNDS; i++) {
		p = kzalloc(sizeof(*p), GFP_KERNEL);
		if (!p)
			return -ENOMEM;
		p->ops.func = count_func;
		ret = filter(p, "ftest_one", 1) ?: register_ftrace_function(&p->ops);
		if (ret) {
			kfree(p);
			return ret;
		}
		usleep_range(2000, 4000);
		ret = unregister_ftrace_function(&p->ops);
		seen += hits(p);
		ftrace_free_filter(&p->ops);
		memset(p, 0x6b, sizeof(*p));
		kfree(p);
		expect(!ret, "unregister %d", ret);
	}
	expect(seen, "no thread called the function: set `threads` of ftest_target first");
	return 0;
}

static struct completion parked, unregistered;
static bool entered;
static bool release;
static bool others_ran;

/* Spins on its CPU, where it can be preempted, until @release. */
static notrace void park_func(unsigned long ip, unsigned long parent_ip,
			      struct ftrace_ops *op, struct ftrace_regs *fregs)
{
	WRITE_ONCE(entered, true);
	complete(&parked);
	while (!READ_ONCE(release))
		cpu_relax();
	count_func(ip, parent_ip, op, fregs);
}

static int park_thread(void *arg)
{
	ftest_one(0);
	while (!kthread_should_stop())
		schedule_timeout_interruptible(1);
	return 0;
}

static int neighbour_thread(void *arg)
{
	WRITE_ONCE(others_ran, true);
	while (!kthread_should_stop())
		schedule_timeout_interruptible(1);
	return 0;
}

static int unregister_thread(void *arg)
{
	int *ret = arg;

	while (!READ_ONCE(entered) && !kthread_should_stop())
		schedule_timeout_interruptible(1);
	*ret = unregister_ftrace_function(&pa.ops);
	complete(&unregistered);
	while (!kthread_should_stop())
		schedule_timeout_interruptible(1);
	return 0;
}

static struct task_struct *thread_on(int (*fn)(void *), void *arg, unsigned int cpu)
{
	struct task_struct *task = kthread_create(fn, arg, "ftest_ops/%u", cpu);

	if (IS_ERR(task))
		return NULL;
	kthread_bind(task, cpu);
	wake_up_process(task);
	return task;
}

static void thread_end(struct task_struct *task)
{
	if (task)
		kthread_stop(task);
}

static int park_check(int *unregister_ret)
{
	unsigned long left;
	bool early;

	/* gives a grace period time to end too early */
	early = wait_for_completion_timeout(&unregistered, HZ / 2);
	expect(!early, "unregistered while a task was in the callback");
	expect(READ_ONCE(others_ran), "the task in the callback was never preempted");
	WRITE_ONCE(release, true);
	left = wait_for_completion_timeout(&unregistered, 60 * HZ);
	expect(left, "unregister does not end");
	expect(!*unregister_ret, "unregister %d", *unregister_ret);
	expect(hits(&pa), "the callback never ended");
	return 0;
}

/*
 * A task is preempted in the callback while another task unregisters the ops. That must wait
 * until the first task has left the callback.
 */
static int run_parked(void)
{
	unsigned int last = cpumask_last(cpu_online_mask);
	unsigned int first = cpumask_first(cpu_online_mask);
	struct task_struct *walker, *neighbour, *killer;
	int unregister_ret = -1;
	int ret;

	/* Without preemption the callback would keep its CPU forever */
	if (!preempt_model_preemptible())
		return -EOPNOTSUPP;
	init_completion(&parked);
	init_completion(&unregistered);
	entered = false;
	release = false;
	others_ran = false;
	pa.ops.func = park_func;
	ret = filter(&pa, "ftest_one", 1) ?: register_ftrace_function(&pa.ops);
	if (ret)
		return ret;
	walker = thread_on(park_thread, NULL, last);
	ret = wait_for_completion_timeout(&parked, 10 * HZ);
	expect(ret, "the thread never came to the callback");
	neighbour = thread_on(neighbour_thread, NULL, last);
	killer = thread_on(unregister_thread, &unregister_ret, first);
	ret = walker && neighbour && killer ? park_check(&unregister_ret) : -ENOMEM;
	WRITE_ONCE(release, true);
	thread_end(walker);
	thread_end(neighbour);
	thread_end(killer);
	return ret;
}

static int run_hold(void)
{
	return register_three();
}

static int run_hold_regs(void)
{
	pa.ops.func = count_func;
	if (IS_ENABLED(CONFIG_DYNAMIC_FTRACE_WITH_REGS))
		pa.ops.flags = FTRACE_OPS_FL_SAVE_REGS;
	return filter(&pa, "ftest_one", 1) ?: register_ftrace_function(&pa.ops);
}

static int run_hold_permanent(void)
{
	pa.ops.func = count_func;
	pa.ops.flags = FTRACE_OPS_FL_PERMANENT;
	return filter(&pa, "ftest_one", 1) ?: register_ftrace_function(&pa.ops);
}

static int replacement(int x)
{
	return x + 1000;
}

static notrace void redirect_func(unsigned long ip, unsigned long parent_ip,
				  struct ftrace_ops *op, struct ftrace_regs *fregs)
{
	ftrace_regs_set_instruction_pointer(fregs, (unsigned long)replacement);
	count_func(ip, parent_ip, op, fregs);
}

static int run_hold_ipmodify(void)
{
	if (!IS_ENABLED(CONFIG_DYNAMIC_FTRACE_WITH_REGS) &&
	    !IS_ENABLED(CONFIG_DYNAMIC_FTRACE_WITH_ARGS))
		return -EOPNOTSUPP;
	pa.ops.func = redirect_func;
	pa.ops.flags = FTRACE_OPS_FL_SAVE_REGS_IF_SUPPORTED | FTRACE_OPS_FL_IPMODIFY;
	return filter(&pa, "ftest_one", 1) ?: register_ftrace_function(&pa.ops);
}

static int run_release(void)
{
	return 0;
}

/* @stays: ops remain registered until the next check runs or the module is unloaded. */
static const struct check {
	const char *name;
	int (*run)(void);
	bool stays;
} checks[] = {
	{ "remove_ip", run_remove_ip },
	{ "recurse", run_recurse },
	{ "leak", run_leak },
	{ "free_under_load", run_free_under_load },
	{ "parked", run_parked },
	{ "hold", run_hold, true },
	{ "hold_regs", run_hold_regs, true },
	{ "hold_permanent", run_hold_permanent, true },
	{ "hold_ipmodify", run_hold_ipmodify, true },
	{ "release", run_release },
};

static void release_all(void)
{
	probe_end(&pa);
	probe_end(&pb);
	probe_end(&pc);
}

static int run_set(const char *val, const struct kernel_param *kp)
{
	char name[32];
	size_t i;
	int ret;

	strscpy(name, val);
	for (i = 0; i < ARRAY_SIZE(checks); i++) {
		if (strcmp(strim(name), checks[i].name))
			continue;
		release_all();
		expect_begin();
		ret = expect_end(checks[i].run());
		if (ret || !checks[i].stays)
			release_all();
		return ret;
	}
	return -ENOENT;
}

static const struct kernel_param_ops run_ops = {
	.set = run_set,
};
module_param_cb(run, &run_ops, NULL, 0200);
MODULE_PARM_DESC(run, "Name of the check to run");

static int hits_get(char *buf, const struct kernel_param *kp)
{
	return sysfs_emit(buf, "%d %d %d\n", atomic_read(&pa.hits),
			  atomic_read(&pb.hits), atomic_read(&pc.hits));
}

static const struct kernel_param_ops hits_ops = {
	.get = hits_get,
};
module_param_cb(hits, &hits_ops, NULL, 0400);
MODULE_PARM_DESC(hits, "Calls counted by each of the ops that are held");

static int __init ftest_ops_init(void)
{
	return 0;
}
module_init(ftest_ops_init);

static void __exit ftest_ops_exit(void)
{
	release_all();
	free_leaked();
}
module_exit(ftest_ops_exit);

MODULE_DESCRIPTION("Checks of the in-kernel interface of function tracing");
MODULE_LICENSE("GPL");
