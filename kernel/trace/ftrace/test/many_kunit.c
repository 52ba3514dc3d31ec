// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of many functions, each with its own user: all of them get a set, and a trampoline takes
 * a small part of a page. many_kunit.functions=N on the kernel's command line sets the number of
 * functions; a number larger than the number of call sites means all.
 */
#include <kunit/test.h>
#include <linux/async.h>
#include <linux/ftrace.h>
#include <linux/mm.h>
#include <linux/moduleparam.h>

#include "ftrace/entry/trampoline.h"
#include "ftrace/ops/opset.h"
#include "ftrace/test/kunit_target.h"
#include "patch/records.h"

static unsigned int functions = 200;
module_param(functions, uint, 0400);
MODULE_PARM_DESC(functions, "Number of functions, each with a user of its own");

/* Minimum number of trampolines of one callback that share a page. */
#define IN_A_PAGE	8

/**
 * struct many - functions, each with its own user
 * @ops: the users
 * @nr: number of users
 * @registered: number of users that are registered
 */
struct many {
	struct ftrace_ops	*ops;
	unsigned int		nr;
	unsigned int		registered;
};

static void nothing(unsigned long ip, unsigned long parent_ip,
		    struct ftrace_ops *op, struct ftrace_regs *fregs)
{
}

static int register_one(struct ftrace_ops *ops, bool direct)
{
	if (direct)
		return register_ftrace_direct(ops, (unsigned long)ftrace_kunit_direct_a);

	ops->func = nothing;
	return register_ftrace_function(ops);
}

static void unregister_one(void *data, async_cookie_t cookie)
{
	struct ftrace_ops *ops = data;

	if (ops->flags & FTRACE_OPS_FL_DIRECT)
		unregister_ftrace_direct(ops, ops->direct_call, true);
	else
		unregister_ftrace_function(ops);
	ftrace_free_filter(ops);
}

/* All wait for their grace period at the same time. */
static void unregister_many(struct many *many)
{
	ASYNC_DOMAIN_EXCLUSIVE(domain);
	unsigned int i;

	for (i = 0; i < many->registered; i++)
		async_schedule_domain(unregister_one, &many->ops[i], &domain);
	async_synchronize_full_domain(&domain);
	many->registered = 0;
}

static void free_many(void *data)
{
	struct many *many = data;

	unregister_many(many);
	kvfree(many->ops);
}

static struct many *new_many(struct kunit *test)
{
	struct many *many = kunit_kzalloc(test, sizeof(*many), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, many);
	many->nr = min(functions, ftrace_records_totals().records);
	many->ops = kvcalloc(many->nr, sizeof(*many->ops), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, many->ops);
	KUNIT_ASSERT_EQ(test, 0, kunit_add_action_or_reset(test, free_many, many));
	return many;
}

/* The call site after @ip. */
static unsigned long site_after(unsigned long ip)
{
	struct ftrace_rec_iter iter;
	struct dyn_ftrace *rec;

	guard(mutex)(&ftrace_lock);

	rec = ftrace_rec_seek_ip(&iter, ip + 1);
	return rec ? ftrace_rec_ip(rec) : 0;
}

static void register_all(struct kunit *test, struct many *many, bool direct)
{
	unsigned long ip = 0;
	unsigned int i;

	for (i = 0; i < many->nr; i++) {
		ip = site_after(ip);
		KUNIT_ASSERT_NE(test, 0, ip);
		KUNIT_ASSERT_EQ(test, 0, ftrace_set_filter_ip(&many->ops[i], ip, 0, 0));
		KUNIT_ASSERT_EQ(test, 0, register_one(&many->ops[i], direct));
		many->registered++;
		cond_resched();
	}
}

static void check_many(struct kunit *test, bool direct, int pages_allowed)
{
	unsigned int sets = ftrace_opset_count();
	int pages = ftrace_trampoline_pages();
	struct many *many = new_many(test);

	register_all(test, many, direct);
	pages = ftrace_trampoline_pages() - pages;
	kunit_info(test, "%u functions, %d pages of trampolines\n", many->nr, pages);
	KUNIT_EXPECT_EQ(test, many->nr, ftrace_opset_count() - sets);
	KUNIT_EXPECT_LE(test, pages, pages_allowed);

	unregister_many(many);
	KUNIT_EXPECT_EQ(test, sets, ftrace_opset_count());
}

/* Several trampolines share a page. */
static void test_ops_of_their_own(struct kunit *test)
{
	check_many(test, false, functions / IN_A_PAGE + 1);
}

/* The site calls the user's code directly. */
static void test_direct_calls_of_their_own(struct kunit *test)
{
	check_many(test, true, 0);
}

/* More sets than a kernel has call sites: too many for numbers of 14 bits. */
#define MANY_SETS	20000

static void test_many_sets(struct kunit *test)
{
	struct ftrace_ops *ops = kvcalloc(MANY_SETS, sizeof(*ops), GFP_KERNEL);
	unsigned int before = ftrace_opset_count(), nr, last = 0, i;

	KUNIT_ASSERT_NOT_NULL(test, ops);

	scoped_guard(mutex, &ftrace_lock) {
		for (i = 0; i < MANY_SETS; i++) {
			struct ftrace_ops *member = &ops[i];

			member->flags = FTRACE_OPS_FL_DIRECT;
			member->direct_call = (unsigned long)ftrace_kunit_direct_a;
			nr = ftrace_opset_of(&member, 1);
			if (nr < FTRACE_NR_SET || nr == last)
				break;
			if (ftrace_opset_code(nr) != member->direct_call)
				break;
			last = nr;
		}
		KUNIT_EXPECT_EQ(test, MANY_SETS, i);
		KUNIT_EXPECT_EQ(test, before + i, ftrace_opset_count());
		ftrace_opset_sweep();
	}
	KUNIT_EXPECT_EQ(test, before, ftrace_opset_count());
	kvfree(ops);
}

static struct kunit_case many_cases[] = {
	KUNIT_CASE(test_many_sets),
	KUNIT_CASE_SLOW(test_ops_of_their_own),
	KUNIT_CASE_SLOW(test_direct_calls_of_their_own),
	{}
};

static struct kunit_suite many_suite = {
	.name = "ftrace_many",
	.test_cases = many_cases,
};

kunit_test_suite(many_suite);

MODULE_DESCRIPTION("KUnit tests of many users of function tracing");
MODULE_LICENSE("GPL");
