// SPDX-License-Identifier: GPL-2.0
/* Tests of pid lists: they apply only to ops with FTRACE_OPS_FL_PID. */
#include <kunit/test.h>
#include <linux/ftrace.h>
#include <linux/slab.h>

#include "filter/pids.h"
#include "ftrace/test/kunit_target.h"

/* An ops that counts the calls of ftrace_kunit_add(). */
struct counter {
	struct ftrace_ops	ops;
	unsigned int		calls;
};

static void count(unsigned long ip, unsigned long parent_ip,
		  struct ftrace_ops *op, struct ftrace_regs *fregs)
{
	container_of(op, struct counter, ops)->calls++;
}

/* Unregister the ops at the end of its test, even if the test was aborted. */
static void drop_counter(void *data)
{
	struct counter *counter = data;

	unregister_ftrace_function(&counter->ops);
	ftrace_free_filter(&counter->ops);
}

static struct counter *new_counter(struct kunit *test, unsigned long flags)
{
	struct counter *counter = kunit_kzalloc(test, sizeof(*counter), GFP_KERNEL);
	static unsigned char name[] = "ftrace_kunit_add";

	KUNIT_ASSERT_NOT_NULL(test, counter);
	counter->ops.func = count;
	counter->ops.flags = flags;
	KUNIT_ASSERT_EQ(test, 0, kunit_add_action_or_reset(test, drop_counter, counter));
	KUNIT_ASSERT_EQ(test, 0, ftrace_set_filter(&counter->ops, name, strlen(name), 1));
	KUNIT_ASSERT_EQ(test, 0, register_ftrace_function(&counter->ops));
	return counter;
}

/* Make @pid the only one in a list, or remove the list if it is negative. */
static void set_pid(struct kunit *test, enum ftrace_pid_list list, int pid)
{
	struct ftrace_pids_edit edit;

	ftrace_pids_edit_begin(&edit, &ftrace_global_pids, list, true);
	if (pid >= 0)
		KUNIT_EXPECT_EQ(test, 0, ftrace_pids_edit_add(&edit, pid));
	KUNIT_EXPECT_EQ(test, 0, ftrace_pids_edit_end(&edit));
}

/*
 * Ops differ in the guard of their callback: none, against recursion, or RCU. The lists apply to
 * each of them.
 */
static void test_lists(struct kunit *test)
{
	static const unsigned long flags[] = {
		0, FTRACE_OPS_FL_RECURSION, FTRACE_OPS_FL_RCU,
	};
	struct counter *limited[ARRAY_SIZE(flags)], *other;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(flags); i++)
		limited[i] = new_counter(test, flags[i] | FTRACE_OPS_FL_PID);
	other = new_counter(test, 0);

	ftrace_kunit_add(1, 1);
	set_pid(test, FTRACE_PIDS_ONLY, current->pid);
	ftrace_kunit_add(1, 1);
	for (i = 0; i < ARRAY_SIZE(flags); i++)
		KUNIT_EXPECT_EQ(test, 2, limited[i]->calls);

	set_pid(test, FTRACE_PIDS_NEVER, current->pid);
	ftrace_kunit_add(1, 1);
	set_pid(test, FTRACE_PIDS_NEVER, -1);
	set_pid(test, FTRACE_PIDS_ONLY, 0);
	ftrace_kunit_add(1, 1);
	set_pid(test, FTRACE_PIDS_ONLY, -1);
	for (i = 0; i < ARRAY_SIZE(flags); i++)
		KUNIT_EXPECT_EQ(test, 2, limited[i]->calls);
	KUNIT_EXPECT_EQ(test, 4, other->calls);

	ftrace_kunit_add(1, 1);
	for (i = 0; i < ARRAY_SIZE(flags); i++)
		KUNIT_EXPECT_EQ(test, 3, limited[i]->calls);
}

static struct kunit_case ftrace_pids_cases[] = {
	KUNIT_CASE(test_lists),
	{ }
};

static struct kunit_suite ftrace_pids_suite = {
	.name		= "ftrace_pids",
	.test_cases	= ftrace_pids_cases,
};

kunit_test_suite(ftrace_pids_suite);

MODULE_DESCRIPTION("KUnit tests of the lists of tasks");
MODULE_LICENSE("GPL");
