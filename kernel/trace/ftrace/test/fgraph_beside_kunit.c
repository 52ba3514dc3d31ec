// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of function graph together with other users of the same functions that replace return
 * addresses, or skip the function: the callbacks that are called, the reported callers, and the
 * result of unwinding.
 */
#include <kunit/test.h>
#include <linux/error-injection.h>
#include <linux/fprobe.h>
#include <linux/ftrace_arch.h>
#include <linux/kprobes.h>
#include <linux/sched/task.h>
#include <linux/stacktrace.h>

#include "ftrace/entry/ftrace_rcu.h"
#include "ftrace/fgraph/fgraph.h"
#include "ftrace/ops/opset.h"
#include "ftrace/test/kunit_target.h"

#define FRAMES	32

/* More users than a set can have, so that the list function calls them. */
#define CROWD	(FTRACE_OPSET_MAX + 1)

static struct task_struct *tester;
static unsigned int entries, returns, probed;

/* Caller that the last entry callback found. */
static unsigned long caller;

static int on_entry(struct ftrace_graph_ent *ent, struct fgraph_ops *gops)
{
	if (current != tester)
		return 0;

	entries++;
	caller = graph_entry_caller();
	return 1;
}

static void on_return(struct ftrace_graph_ret *ret, struct fgraph_ops *gops)
{
	returns++;
}

static void nothing(unsigned long ip, unsigned long parent_ip,
		    struct ftrace_ops *op, struct ftrace_regs *fregs)
{
}

/* Return address that a callback finds, and the parent addresses that it gets. */
static unsigned long found, parent, real_parent;

static void look(unsigned long ip, unsigned long parent_ip,
		 struct ftrace_ops *op, struct ftrace_regs *fregs)
{
	if (current != tester)
		return;

	found = *arch_ftrace_return_slot(fregs);
	parent = parent_ip;
	real_parent = graph_real_parent(parent_ip, fregs);
}

/* Part of the kernel's own data, so that unregistering does not wait for a grace period. */
static struct fgraph_ops users[2];
static struct ftrace_ops pool[CROWD];

static void add_function(struct kunit *test, struct ftrace_ops *ops, void *function)
{
	KUNIT_ASSERT_EQ(test, 0, ftrace_set_filter_ip(ops, (unsigned long)function, 0, 0));
}

static void remove_user(void *data)
{
	struct fgraph_ops *gops = data;

	unregister_ftrace_graph(gops);
	ftrace_free_filter(&gops->ops);
}

static void add_user(struct kunit *test, struct fgraph_ops *gops, void *first, void *second)
{
	gops->entryfunc = on_entry;
	gops->retfunc = on_return;
	tester = current;
	entries = 0;
	returns = 0;
	KUNIT_ASSERT_EQ(test, 0, kunit_add_action_or_reset(test, remove_user, gops));
	add_function(test, &gops->ops, first);
	if (second)
		add_function(test, &gops->ops, second);
	KUNIT_ASSERT_EQ(test, 0, register_ftrace_graph(gops));
}

static void remove_ops(void *data)
{
	struct ftrace_ops *ops = data;

	unregister_ftrace_function(ops);
	/* With static tracing, each function that is called reads the filters of all ops. */
	if (!IS_ENABLED(CONFIG_DYNAMIC_FTRACE))
		ftrace_synchronize();
	ftrace_free_filter(ops);
	memset(ops, 0, sizeof(*ops));
}

static void add_ops(struct kunit *test, struct ftrace_ops *ops, ftrace_func_t func,
		    unsigned long flags, void *function)
{
	ops->func = func;
	ops->flags = flags;
	KUNIT_ASSERT_EQ(test, 0, kunit_add_action_or_reset(test, remove_ops, ops));
	add_function(test, ops, function);
	KUNIT_ASSERT_EQ(test, 0, register_ftrace_function(ops));
}

static int probe_return(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	probed += current == tester;
	return 0;
}

NOKPROBE_SYMBOL(probe_return);

/*
 * Part of the kernel's own data, so that a test that is aborted leaves no kretprobe on its
 * stack.
 */
static struct kretprobe kretprobe;

static void remove_kretprobe(void *data)
{
	struct kretprobe *probe = data;

	unregister_kretprobe(probe);
	memset(probe, 0, sizeof(*probe));
}

static void add_kretprobe(struct kunit *test, const char *function)
{
	kretprobe.kp.symbol_name = function;
	kretprobe.handler = probe_return;
	kretprobe.maxactive = 4;
	KUNIT_ASSERT_EQ(test, 0, register_kretprobe(&kretprobe));
	KUNIT_ASSERT_EQ(test, 0, kunit_add_action_or_reset(test, remove_kretprobe, &kretprobe));
}

/**
 * struct stack - result of unwinding
 * @nr: number of addresses
 * @nr_reliable: number of addresses of the reliable stack trace, or an error
 * @frame: the addresses
 * @reliable: the addresses of the reliable stack trace
 */
struct stack {
	int		nr;
	int		nr_reliable;
	unsigned long	frame[FRAMES];
	unsigned long	reliable[FRAMES];
};

static int save_stack(void *data)
{
	struct stack *stack = data;

	stack->nr = stack_trace_save(stack->frame, FRAMES, 0);
	stack->nr_reliable = 0;
	if (IS_ENABLED(CONFIG_HAVE_RELIABLE_STACKTRACE))
		stack->nr_reliable = stack_trace_save_tsk_reliable(current, stack->reliable,
								   FRAMES);
	return 0;
}

static bool is_in(unsigned long addr, void *function)
{
	unsigned long size, offset;

	return kallsyms_lookup_size_offset(addr, &size, &offset) &&
	       addr - offset == (unsigned long)function;
}

static void expect_same_addresses(struct kunit *test, const unsigned long *plain,
				  const unsigned long *other, int nr, void *where)
{
	int i;

	for (i = 0; i < nr; i++) {
		if (is_in(plain[i], where))
			KUNIT_EXPECT_TRUE(test, is_in(other[i], where));
		else
			KUNIT_EXPECT_PTR_EQ(test, (void *)other[i], (void *)plain[i]);
	}
}

/* Expect that the stacks are the same, except for the address in the function @where. */
static void expect_same(struct kunit *test, const struct stack *plain,
			const struct stack *other, void *where)
{
	KUNIT_ASSERT_EQ(test, other->nr, plain->nr);
	expect_same_addresses(test, plain->frame, other->frame, plain->nr, where);

	if (!IS_ENABLED(CONFIG_HAVE_RELIABLE_STACKTRACE))
		return;
	KUNIT_EXPECT_GT(test, plain->nr_reliable, 0);
	KUNIT_ASSERT_EQ(test, other->nr_reliable, plain->nr_reliable);
	expect_same_addresses(test, plain->reliable, other->reliable, plain->nr_reliable,
			      where);
}

/**
 * struct order - a test in which a function with a kretprobe is the callee of a tail call
 * @both: function graph traces callee and caller, not only the caller
 * @probe_first: the kretprobe is registered first
 */
struct order {
	bool	both;
	bool	probe_first;
};

static void check_tail_call(struct kunit *test, struct order order)
{
	struct stack *plain = kunit_kzalloc(test, sizeof(*plain), GFP_KERNEL);
	struct stack *other = kunit_kzalloc(test, sizeof(*other), GFP_KERNEL);
	void *callee = order.both ? ftrace_kunit_run : NULL;

	KUNIT_ASSERT_NOT_NULL(test, plain);
	KUNIT_ASSERT_NOT_NULL(test, other);
	ftrace_kunit_tail_run(save_stack, plain);

	probed = 0;
	if (!order.probe_first)
		add_user(test, &users[0], ftrace_kunit_tail_run, callee);
	add_kretprobe(test, "ftrace_kunit_run");
	if (order.probe_first)
		add_user(test, &users[0], ftrace_kunit_tail_run, callee);

	ftrace_kunit_tail_run(save_stack, other);
	kunit_release_action(test, remove_kretprobe, &kretprobe);
	kunit_release_action(test, remove_user, &users[0]);

	KUNIT_EXPECT_EQ(test, probed, 1);
	KUNIT_EXPECT_EQ(test, entries, order.both ? 2 : 1);
	KUNIT_EXPECT_EQ(test, returns, entries);
	/* Without sibling call optimization, it is a call like any other. */
	KUNIT_EXPECT_TRUE(test, is_in(caller, check_tail_call) ||
			  is_in(caller, ftrace_kunit_tail_run));
	expect_same(test, plain, other, check_tail_call);
}

static void test_tail_call_kretprobe(struct kunit *test)
{
	if (!IS_ENABLED(CONFIG_KRETPROBES))
		kunit_skip(test, "CONFIG_KRETPROBES is off");

	check_tail_call(test, (struct order) { .both = true, .probe_first = true });
	check_tail_call(test, (struct order) { .both = true });
	check_tail_call(test, (struct order) { .probe_first = true });
	check_tail_call(test, (struct order) { });
}

/* A callback in the callee of a tail call gets the real caller. */
static void test_tail_call_parent(struct kunit *test)
{
	if (!IS_ENABLED(CONFIG_KRETPROBES))
		kunit_skip(test, "CONFIG_KRETPROBES is off");

	add_kretprobe(test, "ftrace_kunit_tail");
	add_user(test, &users[0], ftrace_kunit_tail, NULL);
	add_ops(test, &pool[0], look, 0, ftrace_kunit_add);
	KUNIT_EXPECT_EQ(test, ftrace_kunit_tail(2, 3), 5);
	kunit_release_action(test, remove_kretprobe, &kretprobe);
	KUNIT_EXPECT_TRUE(test, is_in(real_parent, test_tail_call_parent) ||
			  is_in(real_parent, ftrace_kunit_tail));
}

/* The caller of a function that has a kretprobe is not the kretprobe's trampoline. */
static void test_caller_kretprobe(struct kunit *test)
{
	if (!IS_ENABLED(CONFIG_KRETPROBES))
		kunit_skip(test, "CONFIG_KRETPROBES is off");

	add_user(test, &users[0], ftrace_kunit_add, NULL);
	add_kretprobe(test, "ftrace_kunit_add");
	KUNIT_EXPECT_EQ(test, ftrace_kunit_caller(2, 3), 6);
	kunit_release_action(test, remove_kretprobe, &kretprobe);
	KUNIT_EXPECT_TRUE(test, is_in(caller, ftrace_kunit_caller));
}

static void probe_exit(struct fprobe *fp, unsigned long entry_ip, unsigned long ret_ip,
		       struct pt_regs *regs, void *data)
{
	probed += current == tester;
}

static void remove_fprobe(void *data)
{
	struct fprobe *probe = data;

	unregister_fprobe(probe);
	memset(probe, 0, sizeof(*probe));
}

/* Part of the kernel's own data, so that it can be registered in each test. */
static struct fprobe fprobe;

static void add_fprobe(struct kunit *test)
{
	fprobe.exit_handler = probe_exit;
	KUNIT_ASSERT_EQ(test, 0, register_fprobe(&fprobe, "ftrace_kunit_run", NULL));
	KUNIT_ASSERT_EQ(test, 0, kunit_add_action_or_reset(test, remove_fprobe, &fprobe));
}

/* Bits of the users that replace the return address of one function */
#define GRAPH		BIT(0)
#define FPROBE		BIT(1)
#define KRETPROBE	BIT(2)

/* Register them in the order of the list, which ends with 0. */
static noinline __noclone void check_beside_fprobe(struct kunit *test, const unsigned int *order)
{
	struct stack *plain = kunit_kzalloc(test, sizeof(*plain), GFP_KERNEL);
	struct stack *other = kunit_kzalloc(test, sizeof(*other), GFP_KERNEL);
	bool has_kretprobe = false;

	KUNIT_ASSERT_NOT_NULL(test, plain);
	KUNIT_ASSERT_NOT_NULL(test, other);
	ftrace_kunit_run(save_stack, plain);

	probed = 0;
	for (; *order; order++) {
		if (*order == GRAPH) {
			add_user(test, &users[0], ftrace_kunit_run, NULL);
		} else if (*order == FPROBE) {
			add_fprobe(test);
		} else if (IS_ENABLED(CONFIG_KRETPROBES)) {
			add_kretprobe(test, "ftrace_kunit_run");
			has_kretprobe = true;
		}
	}

	ftrace_kunit_run(save_stack, other);
	if (has_kretprobe)
		kunit_release_action(test, remove_kretprobe, &kretprobe);
	kunit_release_action(test, remove_user, &users[0]);
	kunit_release_action(test, remove_fprobe, &fprobe);

	KUNIT_EXPECT_EQ(test, probed, 1 + has_kretprobe);
	KUNIT_EXPECT_EQ(test, entries, 1);
	KUNIT_EXPECT_EQ(test, returns, 1);
	KUNIT_EXPECT_TRUE(test, is_in(caller, check_beside_fprobe));
	expect_same(test, plain, other, check_beside_fprobe);
}

/* In any order, all are notified, and the stack trace is the same. */
static void test_fprobe(struct kunit *test)
{
	static const unsigned int orders[][4] = {
		{ GRAPH, FPROBE },
		{ FPROBE, GRAPH },
		{ GRAPH, FPROBE, KRETPROBE },
		{ FPROBE, KRETPROBE, GRAPH },
		{ KRETPROBE, GRAPH, FPROBE },
	};
	unsigned int i;

	if (!IS_ENABLED(CONFIG_FPROBE))
		kunit_skip(test, "CONFIG_FPROBE is off");

	for (i = 0; i < ARRAY_SIZE(orders); i++)
		check_beside_fprobe(test, orders[i]);
}

/* The list function calls function graph last, and each user once. */
static void test_crowd(struct kunit *test)
{
	unsigned int i;

	for (i = 0; i < CROWD; i++)
		add_ops(test, &pool[i], i ? nothing : look, 0, ftrace_kunit_add);
	for (i = 0; i < ARRAY_SIZE(users); i++)
		add_user(test, &users[i], ftrace_kunit_add, NULL);

	found = 0;
	KUNIT_EXPECT_EQ(test, ftrace_kunit_caller(2, 3), 6);
	KUNIT_EXPECT_PTR_EQ(test, (void *)found, (void *)parent);
	KUNIT_EXPECT_TRUE(test, is_in(found, ftrace_kunit_caller));
	KUNIT_EXPECT_TRUE(test, is_in(caller, ftrace_kunit_caller));
	KUNIT_EXPECT_EQ(test, entries, 2);
	KUNIT_EXPECT_EQ(test, returns, 2);
}

static void skip(unsigned long ip, unsigned long parent_ip,
		 struct ftrace_ops *op, struct ftrace_regs *fregs)
{
	ftrace_regs_set_return_value(fregs, 77);
	ftrace_override_function_with_return(fregs);
}

/* If a callback makes a function return immediately, its return is reported like any other. */
static void test_override(struct kunit *test)
{
	if (!IS_ENABLED(CONFIG_FUNCTION_ERROR_INJECTION) ||
	    !IS_ENABLED(CONFIG_DYNAMIC_FTRACE_WITH_ARGS))
		kunit_skip(test, "callbacks cannot override functions here");

	add_user(test, &users[0], ftrace_kunit_add, NULL);
	add_ops(test, &pool[0], skip, FTRACE_OPS_FL_IPMODIFY, ftrace_kunit_add);
	KUNIT_EXPECT_EQ(test, ftrace_kunit_add(2, 3), 77);
	KUNIT_EXPECT_EQ(test, entries, 1);
	KUNIT_EXPECT_EQ(test, returns, 1);
	KUNIT_EXPECT_EQ(test, current->curr_ret_stack, 0);
}

static struct kunit_case graph_beside_cases[] = {
	KUNIT_CASE(test_tail_call_kretprobe),
	KUNIT_CASE(test_tail_call_parent),
	KUNIT_CASE(test_caller_kretprobe),
	KUNIT_CASE(test_fprobe),
	KUNIT_CASE(test_crowd),
	KUNIT_CASE(test_override),
	{ }
};

static struct kunit_suite graph_beside_suite = {
	.name		= "ftrace_graph_beside",
	.test_cases	= graph_beside_cases,
};

kunit_test_suite(graph_beside_suite);

MODULE_DESCRIPTION("KUnit tests of function graph beside others");
MODULE_LICENSE("GPL");
