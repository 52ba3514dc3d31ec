// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of the operations of a callback on the registers of the traced function, by each kind of
 * trampoline.
 */
#include <kunit/test.h>
#include <linux/error-injection.h>
#include <linux/ftrace_arch.h>
#include <linux/string.h>

#include "ftrace/ops/opset.h"
#include "ftrace/test/kunit_target.h"

/* More users than a set can have, so that the list function calls them. */
#define CROWD		(FTRACE_OPSET_MAX + 1)

/**
 * struct kind - one of the ways to call a callback
 * @flags: flags of its ops
 * @others: number of other ops on the function
 */
struct kind {
	unsigned long	flags;
	unsigned int	others;
};

static const struct kind kinds[] = {
	{ FTRACE_OPS_FL_IPMODIFY, 0 },
	{ FTRACE_OPS_FL_IPMODIFY, 1 },
	{ FTRACE_OPS_FL_IPMODIFY | FTRACE_OPS_FL_SAVE_REGS_IF_SUPPORTED, 0 },
	{ FTRACE_OPS_FL_IPMODIFY | FTRACE_OPS_FL_RECURSION, 1 },
	{ FTRACE_OPS_FL_IPMODIFY, CROWD },
	{ FTRACE_OPS_FL_IPMODIFY | FTRACE_OPS_FL_SAVE_REGS_IF_SUPPORTED, CROWD },
};

static void nothing(unsigned long ip, unsigned long parent_ip,
		    struct ftrace_ops *op, struct ftrace_regs *fregs)
{
}

/* The return address of the traced function that the callback finds. */
static unsigned long found;
static unsigned long parent;

static void set_argument(unsigned long ip, unsigned long parent_ip,
			 struct ftrace_ops *op, struct ftrace_regs *fregs)
{
	int offset = ftrace_regs_query_register_offset(FTRACE_KUNIT_ARGUMENT);

	found = *arch_ftrace_return_slot(fregs);
	parent = parent_ip;
	*(unsigned long *)((void *)&arch_ftrace_regs(fregs)->regs + offset) = 40;
}

static void skip(unsigned long ip, unsigned long parent_ip,
		 struct ftrace_ops *op, struct ftrace_regs *fregs)
{
	ftrace_regs_set_return_value(fregs, 77);
	ftrace_override_function_with_return(fregs);
}

/* Part of the kernel's own data, so that unregistering does not wait for a grace period. */
static struct ftrace_ops pool[CROWD + 1];

static void unhook(void *data)
{
	struct ftrace_ops *ops = data;

	unregister_ftrace_function(ops);
	ftrace_free_filter(ops);
	memset(ops, 0, sizeof(*ops));
}

static void hook(struct kunit *test, struct ftrace_ops *ops, ftrace_func_t func,
		 unsigned long flags)
{
	ops->func = func;
	ops->flags = flags;
	KUNIT_ASSERT_EQ(test, 0, kunit_add_action_or_reset(test, unhook, ops));
	KUNIT_ASSERT_EQ(test, 0, ftrace_set_filter_ip(ops, (unsigned long)ftrace_kunit_add,
						      0, 0));
	KUNIT_ASSERT_EQ(test, 0, register_ftrace_function(ops));
}

/* The sum of two and three that the function returns with such a callback on it. */
static int sum_with(struct kunit *test, ftrace_func_t func, const struct kind *kind)
{
	unsigned int i;
	int sum;

	for (i = 0; i < kind->others; i++)
		hook(test, &pool[i], nothing, 0);
	hook(test, &pool[i], func, kind->flags);
	sum = ftrace_kunit_add(2, 3);
	kunit_release_action(test, unhook, &pool[i]);
	KUNIT_EXPECT_EQ(test, 5, ftrace_kunit_add(2, 3));
	while (i--)
		kunit_release_action(test, unhook, &pool[i]);
	return sum;
}

static void test_set_argument(struct kunit *test)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(kinds); i++) {
		found = 0;
		KUNIT_EXPECT_EQ(test, 43, sum_with(test, set_argument, &kinds[i]));
		KUNIT_EXPECT_NE(test, 0, found);
		KUNIT_EXPECT_EQ(test, parent, found);
	}
}

static void test_skip(struct kunit *test)
{
	unsigned int i;

	if (!IS_ENABLED(CONFIG_FUNCTION_ERROR_INJECTION))
		kunit_skip(test, "no CONFIG_FUNCTION_ERROR_INJECTION");

	for (i = 0; i < ARRAY_SIZE(kinds); i++)
		KUNIT_EXPECT_EQ(test, 77, sum_with(test, skip, &kinds[i]));
}

static struct kunit_case ftrace_regs_cases[] = {
	KUNIT_CASE(test_set_argument),
	KUNIT_CASE(test_skip),
	{ }
};

static struct kunit_suite ftrace_regs_suite = {
	.name		= "ftrace_regs",
	.test_cases	= ftrace_regs_cases,
};

kunit_test_suite(ftrace_regs_suite);

MODULE_DESCRIPTION("KUnit tests of the registers of traced functions");
MODULE_LICENSE("GPL");
