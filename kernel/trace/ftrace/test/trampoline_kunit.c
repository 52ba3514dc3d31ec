// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of the look-up of the trampoline at an address, as the unwinder does it in any context,
 * and of targets that a call site cannot reach.
 */
#include <kunit/test.h>
#include <linux/ftrace.h>
#include <linux/ftrace_arch.h>
#include <linux/sched.h>
#include <linux/sizes.h>

#include "ftrace/ops/opset.h"
#include "ftrace/test/kunit_target.h"
#include "patch/records.h"

static struct task_struct *watched;
static unsigned int calls_seen;

/* Count calls of traced functions by the task that is watched. */
static void watch(unsigned long ip, unsigned long parent_ip,
		  struct ftrace_ops *op, struct ftrace_regs *fregs)
{
	if (READ_ONCE(watched) == current)
		calls_seen++;
}

/* Part of the kernel's own data, so unregistering does not wait for a grace period. */
static struct ftrace_ops watch_ops = {
	.func	= watch,
};

static void unregister_watch(void *unused)
{
	unregister_ftrace_function(&watch_ops);
}

/* The trampoline that a function calls. */
static unsigned long trampoline_of(unsigned long func)
{
	const struct ftrace_opset *set;
	struct dyn_ftrace *rec;

	guard(mutex)(&ftrace_lock);

	rec = ftrace_rec_find(ftrace_location(func));
	set = rec ? ftrace_opset(ftrace_rec_have(rec)) : NULL;
	return set ? set->code : 0;
}

static void begin_watching(void)
{
	calls_seen = 0;
	WRITE_ONCE(watched, current);
}

static void end_watching(void)
{
	WRITE_ONCE(watched, NULL);
}

/* The watch sees a call of a traced function, but no calls during look-ups. */
static void test_lookup_calls_nothing_traced(struct kunit *test)
{
	unsigned long code, flags, template;
	bool found, other;

	KUNIT_ASSERT_EQ(test, 0, register_ftrace_function(&watch_ops));
	KUNIT_ASSERT_EQ(test, 0, kunit_add_action_or_reset(test, unregister_watch, NULL));
	code = trampoline_of((unsigned long)ftrace_kunit_add);
	KUNIT_ASSERT_NE(test, 0, code);

	local_irq_save(flags);
	begin_watching();
	ftrace_kunit_add(1, 2);
	end_watching();
	local_irq_restore(flags);
	KUNIT_EXPECT_EQ(test, 1, calls_seen);

	local_irq_save(flags);
	begin_watching();
	template = ftrace_trampoline_template(code + 1);
	found = is_ftrace_trampoline(code + 1);
	other = is_ftrace_trampoline((unsigned long)ftrace_kunit_add);
	end_watching();
	local_irq_restore(flags);
	KUNIT_EXPECT_EQ(test, 0, calls_seen);
	KUNIT_EXPECT_NE(test, 0, template);
	KUNIT_EXPECT_TRUE(test, found);
	KUNIT_EXPECT_FALSE(test, other);
}

/* A site outside of all text has no veneers either. */
static void test_out_of_reach(struct kunit *test)
{
	unsigned long site = ftrace_location((unsigned long)ftrace_kunit_add);
	u8 insn[FTRACE_SITE_SIZE];

	KUNIT_ASSERT_NE(test, 0, site);
	KUNIT_EXPECT_EQ(test, 0, ftrace_site_encode(insn, site, FTRACE_LIST_ENTRY));
	KUNIT_EXPECT_EQ(test, -ERANGE,
			ftrace_site_encode(insn, site - SZ_8G, FTRACE_LIST_ENTRY));
	KUNIT_EXPECT_EQ(test, 0, ftrace_site_encode(insn, site - SZ_8G, 0));
}

static struct kunit_case trampoline_cases[] = {
	KUNIT_CASE(test_lookup_calls_nothing_traced),
	KUNIT_CASE(test_out_of_reach),
	{ }
};

static struct kunit_suite trampoline_suite = {
	.name		= "ftrace_trampoline",
	.test_cases	= trampoline_cases,
};

kunit_test_suite(trampoline_suite);

MODULE_DESCRIPTION("KUnit tests of trampolines, and of what call sites reach");
MODULE_LICENSE("GPL");
