// SPDX-License-Identifier: GPL-2.0
/* Tests of static tracing: the callbacks of functions whose call sites never change. */
#include <kunit/test.h>
#include <linux/ftrace.h>
#include <linux/kallsyms.h>
#include <linux/static_call.h>

#include "ftrace/ops/ops.h"
#include "ftrace/ops/static.h"
#include "ftrace/test/kunit_target.h"

/**
 * struct seen - record of the calls of a callback by ftrace_kunit_*()
 * @calls: number of calls
 * @ip: call site of the last call
 * @parent_ip: return address of the function
 * @nested: call another of these functions from inside
 */
struct seen {
	unsigned int	calls;
	unsigned long	ip;
	unsigned long	parent_ip;
	bool		nested;
};

static unsigned long function_of(unsigned long addr)
{
	unsigned long offset = 0;

	return kallsyms_lookup_size_offset(addr, NULL, &offset) ? addr - offset : 0;
}

/* The call sites of functions that only tests call. */
static unsigned long sites[4];

static int find_sites(struct kunit *test)
{
	sites[0] = ftrace_static_site((unsigned long)ftrace_kunit_add);
	sites[1] = ftrace_static_site((unsigned long)ftrace_kunit_mul);
	sites[2] = ftrace_static_site((unsigned long)ftrace_kunit_eight);
	sites[3] = ftrace_static_site((unsigned long)ftrace_kunit_caller);
	return sites[0] && sites[1] && sites[2] && sites[3] ? 0 : -ENOENT;
}

/* The functions that this calls must not be traced. */
static bool is_ours(unsigned long ip)
{
	return ip == sites[0] || ip == sites[1] || ip == sites[2] || ip == sites[3];
}

static void see(unsigned long ip, unsigned long parent_ip,
		struct ftrace_ops *op, struct ftrace_regs *fregs)
{
	struct seen *seen = op->private;

	if (!is_ours(ip))
		return;

	seen->calls++;
	seen->ip = ip;
	seen->parent_ip = parent_ip;
	if (seen->nested)
		ftrace_kunit_add(1, 1);
}

/* Unregister an ops at the end of its test, even if the test was aborted. */
static void drop_ops(void *data)
{
	struct ftrace_ops *ops = data;

	unregister_ftrace_function(ops);
	ftrace_free_filter(ops);
}

/* @names: functions, NULL for all */
static struct ftrace_ops *new_ops(struct kunit *test, char *names, unsigned long flags)
{
	struct ftrace_ops *ops = kunit_kzalloc(test, sizeof(*ops), GFP_KERNEL);
	struct seen *seen = kunit_kzalloc(test, sizeof(*seen), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, ops);
	KUNIT_ASSERT_NOT_NULL(test, seen);
	ops->func = see;
	ops->private = seen;
	ops->flags = flags;
	KUNIT_ASSERT_EQ(test, 0, kunit_add_action_or_reset(test, drop_ops, ops));
	if (names)
		KUNIT_ASSERT_EQ(test, 0, ftrace_set_filter(ops, names, strlen(names), 1));
	return ops;
}

static struct ftrace_ops *registered_ops(struct kunit *test, char *names,
					 unsigned long flags)
{
	struct ftrace_ops *ops = new_ops(test, names, flags);

	KUNIT_ASSERT_EQ(test, 0, register_ftrace_function(ops));
	return ops;
}

static unsigned int calls(const struct ftrace_ops *ops)
{
	return ((struct seen *)ops->private)->calls;
}

static void test_one(struct kunit *test)
{
	struct ftrace_ops *ops = registered_ops(test, "ftrace_kunit_add", 0);
	struct seen *seen = ops->private;

	KUNIT_EXPECT_EQ(test, 10, ftrace_kunit_caller(4, 5));
	ftrace_kunit_mul(2, 3);
	KUNIT_EXPECT_EQ(test, 1, seen->calls);
	KUNIT_EXPECT_EQ(test, ftrace_static_site((unsigned long)ftrace_kunit_add),
			seen->ip);
	KUNIT_EXPECT_EQ(test, (unsigned long)ftrace_kunit_caller,
			function_of(seen->parent_ip));

	KUNIT_EXPECT_EQ(test, 0, unregister_ftrace_function(ops));
	ftrace_kunit_add(2, 3);
	KUNIT_EXPECT_EQ(test, 1, seen->calls);
}

static void test_arguments_survive(struct kunit *test)
{
	struct ftrace_ops *ops = registered_ops(test, NULL, 0);

	KUNIT_EXPECT_EQ(test, 87654321, ftrace_kunit_eight(1, 2, 3, 4, 5, 6, 7, 8));
	KUNIT_EXPECT_EQ(test, 1, calls(ops));
}

static void test_several(struct kunit *test)
{
	struct ftrace_ops *all = registered_ops(test, NULL, 0);
	struct ftrace_ops *add = registered_ops(test, "ftrace_kunit_add", 0);
	struct ftrace_ops *both = registered_ops(test, "ftrace_kunit_add  ftrace_kunit_mul ", 0);
	struct ftrace_ops *others = new_ops(test, NULL, 0);

	KUNIT_EXPECT_EQ(test, 0, ftrace_set_notrace(others, "ftrace_kunit_mul", 16, 1));
	KUNIT_EXPECT_EQ(test, 0, register_ftrace_function(others));
	ftrace_kunit_caller(1, 1);
	ftrace_kunit_mul(1, 1);
	KUNIT_EXPECT_EQ(test, 3, calls(all));
	KUNIT_EXPECT_EQ(test, 1, calls(add));
	KUNIT_EXPECT_EQ(test, 2, calls(both));
	KUNIT_EXPECT_EQ(test, 2, calls(others));

	KUNIT_EXPECT_EQ(test, 0, unregister_ftrace_function(all));
	ftrace_kunit_mul(1, 1);
	KUNIT_EXPECT_EQ(test, 3, calls(all));
	KUNIT_EXPECT_EQ(test, 3, calls(both));
}

static void test_refilter(struct kunit *test)
{
	struct ftrace_ops *ops = registered_ops(test, "ftrace_kunit_add", 0);
	unsigned long mul = (unsigned long)ftrace_kunit_mul;
	unsigned long bad[] = { mul, 1 };

	KUNIT_EXPECT_EQ(test, 0, ftrace_set_filter_ip(ops, mul, 0, 0));
	ftrace_kunit_add(1, 1);
	ftrace_kunit_mul(1, 1);
	KUNIT_EXPECT_EQ(test, 2, calls(ops));

	/* All or nothing. */
	KUNIT_EXPECT_EQ(test, 0, ftrace_set_filter_ip(ops, mul, 1, 0));
	KUNIT_EXPECT_EQ(test, -ENOENT, ftrace_set_filter_ip(ops, mul, 1, 0));
	KUNIT_EXPECT_EQ(test, -EINVAL, ftrace_set_filter_ips(ops, bad, 2, 0, 0));
	KUNIT_EXPECT_EQ(test, -EINVAL, ftrace_set_filter_ip(ops, 0, 0, 1));
	KUNIT_EXPECT_EQ(test, -EINVAL, ftrace_set_filter(ops, "no_such", 7, 1));
	ftrace_kunit_mul(1, 1);
	KUNIT_EXPECT_EQ(test, 2, calls(ops));

	/* Without functions, all are traced. */
	KUNIT_EXPECT_EQ(test, 0, ftrace_set_filter(ops, NULL, 0, 1));
	ftrace_kunit_mul(1, 1);
	KUNIT_EXPECT_EQ(test, 3, calls(ops));
}

static void test_flags(struct kunit *test)
{
	struct ftrace_ops *ops = new_ops(test, NULL, FTRACE_OPS_FL_SAVE_REGS);
	struct seen *seen;

	KUNIT_EXPECT_EQ(test, -EINVAL, register_ftrace_function(ops));

	ops = registered_ops(test, "ftrace_kunit_add ftrace_kunit_mul", FTRACE_OPS_FL_RCU);
	seen = ops->private;
	KUNIT_EXPECT_EQ(test, -EBUSY, register_ftrace_function(ops));
	/* At most once more from inside itself. */
	seen->nested = true;
	ftrace_kunit_mul(1, 1);
	KUNIT_EXPECT_GE(test, seen->calls, 1);
	KUNIT_EXPECT_LE(test, seen->calls, 2);
}

/* kernel.ftrace_enabled, and the state while no function is traced */
static void test_switch(struct kunit *test)
{
	struct ftrace_ops *ops = registered_ops(test, "ftrace_kunit_add", 0);
	struct ftrace_ops *permanent = new_ops(test, "ftrace_kunit_mul",
					       FTRACE_OPS_FL_PERMANENT);

	KUNIT_ASSERT_EQ(test, 0, ftrace_switch(false));
	ftrace_kunit_add(1, 1);
	KUNIT_EXPECT_EQ(test, 0, calls(ops));
	KUNIT_EXPECT_EQ(test, -EBUSY, register_ftrace_function(permanent));
	KUNIT_EXPECT_FALSE(test, ftrace_static_is_on());

	KUNIT_ASSERT_EQ(test, 0, ftrace_switch(true));
	ftrace_kunit_add(1, 1);
	KUNIT_EXPECT_EQ(test, 1, calls(ops));
	KUNIT_EXPECT_TRUE(test, ftrace_static_is_on());

	KUNIT_EXPECT_EQ(test, 0, register_ftrace_function(permanent));
	KUNIT_EXPECT_EQ(test, -EBUSY, ftrace_switch(false));
	KUNIT_EXPECT_EQ(test, 0, unregister_ftrace_function(permanent));
	KUNIT_EXPECT_EQ(test, 0, unregister_ftrace_function(ops));
	KUNIT_EXPECT_FALSE(test, ftrace_static_is_on());
}

static struct kunit_case static_cases[] = {
	KUNIT_CASE(test_one),
	KUNIT_CASE(test_arguments_survive),
	KUNIT_CASE(test_several),
	KUNIT_CASE(test_refilter),
	KUNIT_CASE(test_flags),
	KUNIT_CASE(test_switch),
	{ }
};

static struct kunit_suite static_suite = {
	.name		= "ftrace_static",
	.init		= find_sites,
	.test_cases	= static_cases,
};

kunit_test_suites(&static_suite);
