// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of function graph: calls that are just being entered, calls that are left without a
 * return, and users that were unregistered before their function is called.
 */
#include <kunit/test.h>
#include <linux/compiler.h>
#include <linux/ftrace.h>
#include <linux/kthread.h>
#include <linux/preempt.h>

#include "filter/set_filter.h"
#include "ftrace/fgraph/fgraph.h"
#include "ftrace/fgraph/ret_stack.h"
#include "ftrace/test/kunit_target.h"

/*
 * Users are part of the kernel's own data, so that unregistering does not wait for a grace
 * period.
 */
static struct fgraph_ops graph_user, gone_user;
static struct ftrace_ops plain_ops;

static struct task_struct *tester;
static unsigned int entries, returns, bad_data;

static void remove_user(void *data)
{
	struct fgraph_ops *gops = data;

	unregister_ftrace_graph(gops);
	ftrace_free_filter(&gops->ops);
}

static void add_user(struct kunit *test, struct fgraph_ops *gops, trace_func_graph_ent_t entry,
		     trace_func_graph_ret_t ret, char *functions)
{
	tester = current;
	entries = 0;
	returns = 0;
	bad_data = 0;
	gops->entryfunc = entry;
	gops->retfunc = ret;
	KUNIT_ASSERT_EQ(test, 0, kunit_add_action_or_reset(test, remove_user, gops));
	KUNIT_ASSERT_EQ(test, 0, ftrace_set_filter(&gops->ops, functions, strlen(functions), 1));
	KUNIT_ASSERT_EQ(test, 0, register_ftrace_graph(gops));
}

/*
 * Data of calls around a call
 */

static void *outermost, *outer;

static bool calls(const struct ftrace_graph_ent *ent, void *function)
{
	return ent->func == ftrace_filter_site_of((unsigned long)function);
}

/*
 * ftrace_kunit_mul() is called at the point of a possible interrupt: after data was reserved,
 * and before the call that it was reserved for counts as accepted.
 */
static int reserve(struct ftrace_graph_ent *ent, struct fgraph_ops *gops)
{
	void *data;

	if (current != tester)
		return 0;

	if (calls(ent, ftrace_kunit_mul)) {
		outer = graph_outer_data(gops->idx);
		return 0;
	}

	data = fgraph_reserve_data(gops->idx, sizeof(long));
	if (calls(ent, ftrace_kunit_caller))
		outermost = data;
	else
		ftrace_kunit_mul(2, 3);
	return 1;
}

/* A call that is being entered is not an outer call of calls in an interrupt. */
static void test_outer_data(struct kunit *test)
{
	char functions[] = "ftrace_kunit_caller ftrace_kunit_add ftrace_kunit_mul";

	add_user(test, &graph_user, reserve, NULL, functions);
	KUNIT_EXPECT_EQ(test, 6, ftrace_kunit_caller(2, 3));
	KUNIT_EXPECT_NOT_NULL(test, outer);
	KUNIT_EXPECT_PTR_EQ(test, outermost, outer);
}

/* Calls that are left without a return */

#define DATA	0x5a5a

static int keep_data(struct ftrace_graph_ent *ent, struct fgraph_ops *gops)
{
	unsigned long *data;

	if (current != tester)
		return 0;

	entries++;
	data = fgraph_reserve_data(gops->idx, sizeof(*data));
	if (data)
		*data = DATA + ent->depth;
	return 1;
}

static void check_data(struct ftrace_graph_ret *ret, struct fgraph_ops *gops)
{
	unsigned long *data = fgraph_retrieve_data(gops->idx, NULL);

	returns++;
	bad_data += !data || *data != DATA + ret->depth;
}

/*
 * Make ftrace_kunit_run(), which has called this, return to its caller as if it were not traced.
 * Its return address is on the stack, perhaps above stale values of its entry code.
 */
static int __no_sanitize_address leave(void *unused)
{
	struct fgraph_ret_stack *stack = ret_stack_of(current);
	unsigned long *word = __builtin_frame_address(0);
	int i;

	for (i = 0; i < 128; i++, word++) {
		if (READ_ONCE_NOCHECK(*word) == (unsigned long)return_to_handler)
			WRITE_ONCE(*word, stack->call[ret_stack_nr(current) - 1].ret);
	}
	return 0;
}

/*
 * The outer calls keep their data, and the data of the abandoned call does not use space
 * permanently.
 */
static void test_left(struct kunit *test)
{
	char functions[] = "ftrace_kunit_run ftrace_kunit_caller ftrace_kunit_add";
	unsigned int before, data;
	int sum, nr;

	add_user(test, &graph_user, keep_data, check_data, functions);
	scoped_guard(preempt) {
		ftrace_kunit_run(leave, NULL);
		before = ret_stack_nr(current);
		sum = ftrace_kunit_caller(2, 3);
		nr = ret_stack_nr(current);
		data = ret_stack_of(current)->data;
	}
	if (!before)
		kunit_skip(test, "it was not left: return addresses are kept elsewhere, or signed");

	KUNIT_EXPECT_EQ(test, 1, before);
	KUNIT_EXPECT_EQ(test, 6, sum);
	KUNIT_EXPECT_EQ(test, 3, entries);
	KUNIT_EXPECT_EQ(test, 2, returns);
	KUNIT_EXPECT_EQ(test, 0, bad_data);
	KUNIT_EXPECT_EQ(test, 0, nr);
	KUNIT_EXPECT_EQ(test, RET_STACK_ROOM, data);
}

/* Users that were unregistered */

static int count_entry(struct ftrace_graph_ent *ent, struct fgraph_ops *gops)
{
	entries += current == tester;
	return current == tester;
}

static int refuse(struct ftrace_graph_ent *ent, struct fgraph_ops *gops)
{
	return 0;
}

static void count_return(struct ftrace_graph_ret *ret, struct fgraph_ops *gops)
{
	returns++;
}

/* Like the list function, if it has found the user before that was unregistered. */
static void enter_gone(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *op,
		       struct ftrace_regs *fregs)
{
	if (current == tester)
		ftrace_graph_func(ip, parent_ip, &gone_user.ops, fregs);
}

static void remove_plain(void *unused)
{
	unregister_ftrace_function(&plain_ops);
	ftrace_free_filter(&plain_ops);
}

/* Register users until one gets the number of the unregistered one. */
static void take_over(struct kunit *test)
{
	char functions[] = "ftrace_kunit_add";
	int i;

	for (i = 0; i < GRAPH_USERS; i++) {
		add_user(test, &graph_user, refuse, count_return, functions);
		if (graph_user.idx == gone_user.idx)
			break;
		kunit_release_action(test, remove_user, &graph_user);
	}
	KUNIT_ASSERT_EQ(test, graph_user.idx, gone_user.idx);
}

/*
 * Its entry callback is no longer called, and the return callback of the next user with its
 * number is not called.
 */
static void test_gone(struct kunit *test)
{
	char functions[] = "ftrace_kunit_mul";
	const unsigned long site = (unsigned long)ftrace_kunit_mul;

	add_user(test, &gone_user, count_entry, NULL, functions);
	KUNIT_EXPECT_EQ(test, 6, ftrace_kunit_mul(2, 3));
	KUNIT_EXPECT_EQ(test, 1, entries);
	kunit_release_action(test, remove_user, &gone_user);
	/* Otherwise the list function would treat it as an ops of another kind. */
	KUNIT_EXPECT_TRUE(test, gone_user.ops.flags & FTRACE_OPS_FL_GRAPH);

	take_over(test);
	plain_ops.func = enter_gone;
	KUNIT_ASSERT_EQ(test, 0, kunit_add_action_or_reset(test, remove_plain, NULL));
	KUNIT_ASSERT_EQ(test, 0, ftrace_set_filter_ip(&plain_ops, site, 0, 1));
	KUNIT_ASSERT_EQ(test, 0, register_ftrace_function(&plain_ops));
	KUNIT_EXPECT_EQ(test, 6, ftrace_kunit_mul(2, 3));
	KUNIT_EXPECT_EQ(test, 0, entries);
	KUNIT_EXPECT_EQ(test, 0, returns);
}

static struct kunit_case graph_calls_cases[] = {
	KUNIT_CASE(test_outer_data),
	KUNIT_CASE(test_left),
	KUNIT_CASE(test_gone),
	{ }
};

static struct kunit_suite graph_calls_suite = {
	.name		= "ftrace_graph_calls",
	.test_cases	= graph_calls_cases,
};

kunit_test_suite(graph_calls_suite);

MODULE_DESCRIPTION("KUnit tests of calls on return stacks");
MODULE_LICENSE("GPL");
