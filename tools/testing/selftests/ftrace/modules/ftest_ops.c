// SPDX-License-Identifier: GPL-2.0
/*
 * ftest_ops - checks of the in-kernel interface of function tracing.
 *
 * Writing the name of a check to the parameter `run` runs it: the write succeeds,
 * or fails, with EINVAL after the log said what was found. Written from
 * Documentation/trace/ftrace-uses.rst.
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
#include <linux/stacktrace.h>
#include <linux/string.h>
#include <linux/time64.h>
#include <uapi/linux/sched/types.h>

#include "ftest_target.h"

#define NR_CALLS	20
#define NR_ROUNDS	10
#define STACK_DEPTH	24

static unsigned int nr_unmet;

/* Lets the check that it stands in fail in the end; the log gets the place and what was found. */
#define expect(cond, fmt, ...)							\
do {										\
	if (!(cond)) {								\
		pr_err("%s:%d: %s; " fmt "\n", __func__, __LINE__, #cond,	\
		       ##__VA_ARGS__);						\
		nr_unmet++;							\
	}									\
} while (0)

/**
 * struct probe - one ftrace_ops with what its callback saw
 * @ops: what is registered
 * @hits: number of calls of the callback
 * @last_ip: where the last of them came from
 * @last_parent: who called that function
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

	p->last_ip = ip;
	p->last_parent = parent_ip;
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

/* Takes the count of @p and starts it anew. */
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

/* Tells whether @addr lies in the function @name, by the name that the log would show. */
static bool addr_is(unsigned long addr, const char *name)
{
	/* Not allocated: memory.sh has each allocation fail in turn. */
	static char sym[KSYM_SYMBOL_LEN];
	size_t len = strlen(name);

	sprint_symbol_no_offset(sym, addr);
	return !strncmp(sym, name, len) && (!sym[len] || sym[len] == ' ');
}

static struct probe pa, pb, pc;

static int run_single(void)
{
	int ret;

	pa.ops.func = count_func;
	ret = filter(&pa, "ftest_one", 1);
	expect(!ret, "set_filter %d", ret);
	ret = register_ftrace_function(&pa.ops);
	expect(!ret, "register %d", ret);
	call_targets(NR_CALLS);
	ret = hits(&pa);
	expect(ret == NR_CALLS, "%d calls counted", ret);
	expect(addr_is(pa.last_ip, "ftest_one"), "ip is in %pS", (void *)pa.last_ip);
	expect(addr_is(pa.last_parent, "ftest_caller"), "parent is in %pS",
	       (void *)pa.last_parent);
	ret = unregister_ftrace_function(&pa.ops);
	expect(!ret, "unregister %d", ret);
	call_targets(NR_CALLS);
	ret = hits(&pa);
	expect(!ret, "%d calls counted after the end", ret);
	/* an ops may come back */
	ret = register_ftrace_function(&pa.ops);
	expect(!ret, "register again %d", ret);
	call_targets(1);
	ret = hits(&pa);
	expect(ret == 1, "%d calls counted", ret);
	return 0;
}

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

static int run_several(void)
{
	int ret = register_three();
	int a, b, c;

	if (ret)
		return ret;
	call_targets(NR_CALLS);
	a = hits(&pa);
	b = hits(&pb);
	c = hits(&pc);
	expect(a == NR_CALLS, "%d calls of one", a);
	expect(b == 2 * NR_CALLS, "%d calls of one and two", b);
	expect(c == 2 * NR_CALLS, "%d calls of one and three", c);
	/* one goes, the others stay */
	ret = unregister_ftrace_function(&pb.ops);
	expect(!ret, "unregister %d", ret);
	call_targets(NR_CALLS);
	a = hits(&pa);
	b = hits(&pb);
	c = hits(&pc);
	expect(a == NR_CALLS, "%d calls of one", a);
	expect(!b, "%d calls to one that is gone", b);
	expect(c == 2 * NR_CALLS, "%d calls of one and three", c);
	return 0;
}

static int run_refilter(void)
{
	int ret, a;

	pa.ops.func = count_func;
	ret = filter(&pa, "ftest_one", 1) ?: register_ftrace_function(&pa.ops);
	expect(!ret, "register %d", ret);
	/* a filter may change while its ops is registered */
	ret = filter(&pa, "ftest_two", 1);
	expect(!ret, "set_filter %d", ret);
	call_targets(NR_CALLS);
	a = hits(&pa);
	expect(a == NR_CALLS, "%d calls", a);
	expect(addr_is(pa.last_ip, "ftest_two"), "ip is in %pS", (void *)pa.last_ip);
	ret = filter(&pa, "ftest_three", 0);
	expect(!ret, "set_filter %d", ret);
	call_targets(NR_CALLS);
	a = hits(&pa);
	expect(a == 2 * NR_CALLS, "%d calls", a);
	ret = notrace_filter(&pa, "ftest_three", 1);
	expect(!ret, "set_notrace %d", ret);
	call_targets(NR_CALLS);
	a = hits(&pa);
	expect(a == NR_CALLS, "%d calls", a);
	ret = ftrace_set_notrace(&pa.ops, NULL, 0, 1);
	expect(!ret, "clear notrace %d", ret);
	call_targets(NR_CALLS);
	a = hits(&pa);
	expect(a == 2 * NR_CALLS, "%d calls", a);
	return 0;
}

static int run_filter_ip(void)
{
	unsigned long site;
	int ret, a;

	/* the site of the function is only known from a call of it */
	pa.ops.func = count_func;
	ret = filter(&pa, "ftest_one", 1) ?: register_ftrace_function(&pa.ops);
	expect(!ret, "register %d", ret);
	call_targets(1);
	site = pa.last_ip;
	probe_end(&pa);

	pa.ops.func = count_func;
	ret = ftrace_set_filter_ip(&pa.ops, site, 0, 1);
	expect(!ret, "set_filter_ip %d", ret);
	ret = register_ftrace_function(&pa.ops);
	expect(!ret, "register %d", ret);
	call_targets(NR_CALLS);
	a = hits(&pa);
	expect(a == NR_CALLS, "%d calls", a);
	expect(pa.last_ip == site, "ip %lx, not %lx", pa.last_ip, site);
	/* an address that is no site is refused and changes nothing */
	ret = ftrace_set_filter_ip(&pa.ops, (unsigned long)&pa, 0, 0);
	expect(ret == -EINVAL, "set_filter_ip of data %d", ret);
	call_targets(NR_CALLS);
	a = hits(&pa);
	expect(a == NR_CALLS, "%d calls", a);
	return 0;
}

/* What is there can be taken away, also without memory: see memory.sh. */
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

static int run_errors(void)
{
	int ret, a;

	pa.ops.func = count_func;
	ret = filter(&pa, "ftest_one", 1) ?: register_ftrace_function(&pa.ops);
	expect(!ret, "register %d", ret);
	ret = filter(&pa, "ftest_no_such_function", 0);
	expect(ret == -EINVAL, "filter without a match %d", ret);
	call_targets(NR_CALLS);
	a = hits(&pa);
	expect(a == NR_CALLS, "%d calls", a);
	return 0;
}

static int seen_arg;
static bool seen_regs;

static notrace void arg_func(unsigned long ip, unsigned long parent_ip,
			     struct ftrace_ops *op, struct ftrace_regs *fregs)
{
	seen_regs = ftrace_get_regs(fregs);
	if (ftrace_regs_has_args(fregs))
		seen_arg = (int)ftrace_regs_get_argument(fregs, 0);
	count_func(ip, parent_ip, op, fregs);
}

static int run_args(void)
{
	int ret;

	pa.ops.func = arg_func;
	ret = filter(&pa, "ftest_one", 1) ?: register_ftrace_function(&pa.ops);
	expect(!ret, "register %d", ret);
	seen_arg = -1;
	ret = ftest_one(4711);
	expect(ret == 4711 + FTEST_ONE_ADDS, "the function returned %d", ret);
	expect(hits(&pa) == 1, "not called once");
	if (IS_ENABLED(CONFIG_DYNAMIC_FTRACE_WITH_ARGS))
		expect(seen_arg == 4711, "argument seen is %d", seen_arg);
	if (!IS_ENABLED(CONFIG_DYNAMIC_FTRACE_WITH_REGS))
		return 0;
	probe_end(&pa);

	pa.ops.func = arg_func;
	pa.ops.flags = FTRACE_OPS_FL_SAVE_REGS;
	ret = filter(&pa, "ftest_one", 1) ?: register_ftrace_function(&pa.ops);
	expect(!ret, "register %d", ret);
	seen_arg = -1;
	ret = ftest_one(42);
	expect(ret == 42 + FTEST_ONE_ADDS, "the function returned %d", ret);
	expect(seen_regs, "no registers were given");
	expect(seen_arg == 42, "argument seen is %d", seen_arg);
	/* a second ops that wants none, on the same function */
	pb.ops.func = count_func;
	ret = filter(&pb, "ftest_one", 1) ?: register_ftrace_function(&pb.ops);
	expect(!ret, "register %d", ret);
	seen_regs = false;
	ftest_one(43);
	expect(seen_regs, "no registers were given beside another ops");
	expect(seen_arg == 43, "argument seen is %d", seen_arg);
	expect(hits(&pb) == 1, "not called once");
	return 0;
}

static noinline int replacement(int x)
{
	barrier();
	return x + 1000;
}

static notrace void redirect_func(unsigned long ip, unsigned long parent_ip,
				  struct ftrace_ops *op, struct ftrace_regs *fregs)
{
	ftrace_regs_set_instruction_pointer(fregs, (unsigned long)replacement);
	count_func(ip, parent_ip, op, fregs);
}

static int run_ipmodify(void)
{
	int ret;

	if (!IS_ENABLED(CONFIG_DYNAMIC_FTRACE_WITH_REGS) &&
	    !IS_ENABLED(CONFIG_DYNAMIC_FTRACE_WITH_ARGS))
		return 0;
	pa.ops.func = redirect_func;
	pa.ops.flags = FTRACE_OPS_FL_SAVE_REGS_IF_SUPPORTED | FTRACE_OPS_FL_IPMODIFY;
	ret = filter(&pa, "ftest_one", 1) ?: register_ftrace_function(&pa.ops);
	expect(!ret, "register %d", ret);
	ret = ftest_one(5);
	expect(ret == 1005, "the function returned %d", ret);
	/* only one at a time may do that on a function ... */
	pb.ops.func = redirect_func;
	pb.ops.flags = FTRACE_OPS_FL_SAVE_REGS_IF_SUPPORTED | FTRACE_OPS_FL_IPMODIFY;
	ret = filter(&pb, "ftest_one", 1);
	expect(!ret, "set_filter %d", ret);
	ret = register_ftrace_function(&pb.ops);
	expect(ret == -EBUSY, "register a second %d", ret);
	ret = ftest_one(5);
	expect(ret == 1005, "the function returned %d", ret);
	/* ... but on another one it may, and a plain ops may join */
	ret = filter(&pb, "ftest_two", 1) ?: register_ftrace_function(&pb.ops);
	expect(!ret, "register on another function %d", ret);
	pc.ops.func = count_func;
	ret = filter(&pc, "ftest_one", 1) ?: register_ftrace_function(&pc.ops);
	expect(!ret, "register a plain one %d", ret);
	ret = ftest_one(5);
	expect(ret == 1005, "the function returned %d", ret);
	expect(hits(&pc) == 1, "the plain one was not called once");
	ret = ftest_two(5);
	expect(ret == 1005, "the other function returned %d", ret);
	probe_end(&pa);
	ret = ftest_one(5);
	expect(ret == 5 + FTEST_ONE_ADDS, "the function returned %d", ret);
	return 0;
}

static unsigned long stack_entries[STACK_DEPTH];
static unsigned int stack_nr;

static notrace void stack_func(unsigned long ip, unsigned long parent_ip,
			       struct ftrace_ops *op, struct ftrace_regs *fregs)
{
	stack_nr = stack_trace_save(stack_entries, STACK_DEPTH, 0);
	count_func(ip, parent_ip, op, fregs);
}

/* The stack seen from the callback holds the traced function and, next, its caller. */
static void stack_check(const char *how)
{
	unsigned int i;

	stack_nr = 0;
	call_targets(1);
	expect(hits(&pa), "%s: not called", how);
	for (i = 0; i + 1 < stack_nr; i++) {
		if (addr_is(stack_entries[i], "ftest_one"))
			break;
	}
	if (i + 1 < stack_nr && addr_is(stack_entries[i + 1], "ftest_caller"))
		return;
	expect(false, "%s: %u entries without ftest_one and ftest_caller", how, stack_nr);
	for (i = 0; i < stack_nr; i++)
		pr_err("%s: %pS\n", how, (void *)stack_entries[i]);
}

static int run_stack(void)
{
	int ret;

	pa.ops.func = stack_func;
	ret = filter(&pa, "ftest_one", 1) ?: register_ftrace_function(&pa.ops);
	expect(!ret, "register %d", ret);
	stack_check("one ops");
	pb.ops.func = count_func;
	ret = filter(&pb, "ftest_one", 1) ?: register_ftrace_function(&pb.ops);
	expect(!ret, "register %d", ret);
	stack_check("two ops");
	probe_end(&pa);
	probe_end(&pb);

	pa.ops.func = stack_func;
	pa.ops.flags = FTRACE_OPS_FL_SAVE_REGS_IF_SUPPORTED;
	ret = filter(&pa, "ftest_one", 1) ?: register_ftrace_function(&pa.ops);
	expect(!ret, "register %d", ret);
	stack_check("registers");
	return 0;
}

/*
 * Calls a function that is traced by the same ops. One such call may come through:
 * it cannot be told from one of an interrupt that has not been counted yet.
 */
static notrace void recurse_func(unsigned long ip, unsigned long parent_ip,
				 struct ftrace_ops *op, struct ftrace_regs *fregs)
{
	int bit = ftrace_test_recursion_trylock(ip, parent_ip);

	if (bit < 0)
		return;
	ftest_two(0);
	count_func(ip, parent_ip, op, fregs);
	ftrace_test_recursion_unlock(bit);
}

static notrace void careless_func(unsigned long ip, unsigned long parent_ip,
				  struct ftrace_ops *op, struct ftrace_regs *fregs)
{
	ftest_two(0);
	count_func(ip, parent_ip, op, fregs);
}

static int run_recursion(void)
{
	int ret, a;

	pa.ops.func = recurse_func;
	ret = filter(&pa, "ftest_one", 1) ?: filter(&pa, "ftest_two", 0) ?:
	      register_ftrace_function(&pa.ops);
	expect(!ret, "register %d", ret);
	call_targets(NR_CALLS);
	a = hits(&pa);
	expect(a >= 2 * NR_CALLS && a <= 4 * NR_CALLS, "%d calls", a);
	probe_end(&pa);

	/* with these flags the core protects the callback */
	pa.ops.func = careless_func;
	pa.ops.flags = FTRACE_OPS_FL_RECURSION | FTRACE_OPS_FL_RCU;
	ret = filter(&pa, "ftest_one", 1) ?: filter(&pa, "ftest_two", 0) ?:
	      register_ftrace_function(&pa.ops);
	expect(!ret, "register %d", ret);
	call_targets(NR_CALLS);
	a = hits(&pa);
	expect(a >= 2 * NR_CALLS && a <= 4 * NR_CALLS, "%d calls", a);
	return 0;
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
	expect(seen, "the threads never called: write `threads` of ftest_target first");
	return 0;
}

static struct completion parked, unregistered;
static bool release;
static bool others_ran;

/* Stays on its CPU, where it can be preempted, until it is told to go on. */
static notrace void park_func(unsigned long ip, unsigned long parent_ip,
			      struct ftrace_ops *op, struct ftrace_regs *fregs)
{
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
	unsigned long left = wait_for_completion_timeout(&parked, 10 * HZ);
	bool early;

	expect(left, "the thread never came to the callback");
	/* a grace period is given time to end wrongly */
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

/* A task is preempted in the callback while its ops goes: that must wait for the task. */
static int run_parked(void)
{
	unsigned int last = cpumask_last(cpu_online_mask);
	unsigned int first = cpumask_first(cpu_online_mask);
	struct task_struct *walker, *neighbour, *killer;
	int unregister_ret = -1;
	int ret;

	/* a callback that nothing preempts would keep its CPU for good */
	if (!preempt_model_preemptible())
		return -EOPNOTSUPP;
	init_completion(&parked);
	init_completion(&unregistered);
	release = false;
	others_ran = false;
	pa.ops.func = park_func;
	ret = filter(&pa, "ftest_one", 1) ?: register_ftrace_function(&pa.ops);
	expect(!ret, "register %d", ret);
	walker = thread_on(park_thread, NULL, last);
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

static int run_release(void)
{
	return 0;
}

/* @stays: what was registered is left so until the next check runs or the module goes. */
static const struct check {
	const char *name;
	int (*run)(void);
	bool stays;
} checks[] = {
	{ "single", run_single },
	{ "several", run_several },
	{ "refilter", run_refilter },
	{ "filter_ip", run_filter_ip },
	{ "remove_ip", run_remove_ip },
	{ "errors", run_errors },
	{ "args", run_args },
	{ "ipmodify", run_ipmodify },
	{ "stack", run_stack },
	{ "recursion", run_recursion },
	{ "free_under_load", run_free_under_load },
	{ "parked", run_parked },
	{ "hold", run_hold, true },
	{ "hold_regs", run_hold_regs, true },
	{ "hold_permanent", run_hold_permanent, true },
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
		nr_unmet = 0;
		ret = checks[i].run();
		if (!ret && nr_unmet)
			ret = -EINVAL;
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
}
module_exit(ftest_ops_exit);

MODULE_DESCRIPTION("Checks of the in-kernel interface of function tracing");
MODULE_LICENSE("GPL");
