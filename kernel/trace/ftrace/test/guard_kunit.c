// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of the guards against recursion: they stop it in each context, and let each context
 * interrupt another.
 */
#include <kunit/test.h>
#include <linux/ftrace.h>
#include <linux/irqflags.h>
#include <linux/preempt.h>

#include "ftrace/test/kunit_target.h"

/* Increment of preempt_count() by each context, relative to the context that it interrupts. */
static const unsigned int contexts[] = {
	0, SOFTIRQ_OFFSET, HARDIRQ_OFFSET, NMI_OFFSET,
};

/**
 * struct guarded - an ops whose callback calls the traced function again
 * @ops: the ops; has the structure as its private data
 * @calls: number of times that the guard let the callback run
 * @level: index of the context that it runs in
 * @climb: call from the next higher context, as long as there is one
 * @atomic: preemption was disabled in all calls
 */
struct guarded {
	struct ftrace_ops	ops;
	unsigned int		calls;
	unsigned int		level;
	bool			climb;
	bool			atomic;
};

/* The context is derived from preempt_count(), so no real interrupts are needed. */
static void call_in(unsigned int level)
{
	__preempt_count_add(contexts[level]);
	ftrace_kunit_add(1, 1);
	__preempt_count_sub(contexts[level]);
}

static void recurse(unsigned long ip, unsigned long parent_ip,
		    struct ftrace_ops *op, struct ftrace_regs *fregs)
{
	struct guarded *guarded = op->private;

	guarded->calls++;
	guarded->atomic &= !!(preempt_count() & PREEMPT_MASK);
	/* A failing test is better than a stack overflow. */
	if (guarded->calls > 20)
		return;

	if (guarded->climb && guarded->level < ARRAY_SIZE(contexts) - 1) {
		guarded->level++;
		call_in(guarded->level);
		guarded->level--;
	} else {
		ftrace_kunit_add(1, 1);
	}
}

static void recurse_trylock(unsigned long ip, unsigned long parent_ip,
			    struct ftrace_ops *op, struct ftrace_regs *fregs)
{
	int bit = ftrace_test_recursion_trylock(ip, parent_ip);

	if (bit < 0)
		return;

	recurse(ip, parent_ip, op, fregs);
	ftrace_test_recursion_unlock(bit);
}

static void drop(void *data)
{
	struct guarded *guarded = data;

	unregister_ftrace_function(&guarded->ops);
	ftrace_free_filter(&guarded->ops);
}

static struct guarded *new_guarded(struct kunit *test, ftrace_func_t func,
				   unsigned long flags)
{
	struct guarded *guarded = kunit_kzalloc(test, sizeof(*guarded), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, guarded);
	guarded->ops = (struct ftrace_ops) {
		.func = func, .flags = flags, .private = guarded,
	};
	guarded->atomic = true;
	KUNIT_ASSERT_EQ(test, 0, kunit_add_action_or_reset(test, drop, guarded));
	KUNIT_ASSERT_EQ(test, 0, ftrace_set_filter(&guarded->ops, "ftrace_kunit_add",
						   strlen("ftrace_kunit_add"), 1));
	KUNIT_ASSERT_EQ(test, 0, register_ftrace_function(&guarded->ops));
	return guarded;
}

static void check_guard(struct kunit *test, ftrace_func_t func, unsigned long opsflags)
{
	struct guarded *guarded = new_guarded(test, func, opsflags);
	unsigned long before = current->trace_recursion;
	unsigned int i, count = preempt_count();
	unsigned long flags;

	/* In each context the first call, and a second one on the spare bit. */
	for (i = 0; i < ARRAY_SIZE(contexts); i++) {
		guarded->calls = 0;
		local_irq_save(flags);
		call_in(i);
		local_irq_restore(flags);
		KUNIT_EXPECT_EQ_MSG(test, 2, guarded->calls, "context %u", i);
	}

	/* The first call in each context, and one more on the spare bit. */
	guarded->calls = 0;
	guarded->climb = true;
	local_irq_save(flags);
	call_in(0);
	local_irq_restore(flags);
	KUNIT_EXPECT_EQ(test, ARRAY_SIZE(contexts) + 1, guarded->calls);

	KUNIT_EXPECT_TRUE(test, guarded->atomic);
	KUNIT_EXPECT_EQ(test, before, current->trace_recursion);
	KUNIT_EXPECT_EQ(test, count, preempt_count());
	KUNIT_EXPECT_EQ(test, 0, unregister_ftrace_function(&guarded->ops));
}

static void test_flag_recursion(struct kunit *test)
{
	check_guard(test, recurse, FTRACE_OPS_FL_RECURSION);
}

static void test_flag_rcu(struct kunit *test)
{
	check_guard(test, recurse, FTRACE_OPS_FL_RCU);
}

static void test_trylock(struct kunit *test)
{
	check_guard(test, recurse_trylock, 0);
}

static void count_trylock(unsigned long ip, unsigned long parent_ip,
			  struct ftrace_ops *op, struct ftrace_regs *fregs)
{
	struct guarded *guarded = op->private;
	int bit = ftrace_test_recursion_trylock(ip, parent_ip);

	if (bit < 0)
		return;

	guarded->calls++;
	ftrace_test_recursion_unlock(bit);
}

/* A callback with its own guard is called inside of a callback with the flag. */
static void test_guards_are_apart(struct kunit *test)
{
	struct guarded *flag = new_guarded(test, recurse, FTRACE_OPS_FL_RECURSION);
	struct guarded *own = new_guarded(test, count_trylock, 0);

	/* The function is called twice more, and the flag lets one of these calls through. */
	ftrace_kunit_add(1, 1);
	KUNIT_EXPECT_EQ(test, 2, flag->calls);
	KUNIT_EXPECT_EQ(test, 3, own->calls);
}

static struct kunit_case ftrace_guard_cases[] = {
	KUNIT_CASE(test_flag_recursion),
	KUNIT_CASE(test_flag_rcu),
	KUNIT_CASE(test_trylock),
	KUNIT_CASE(test_guards_are_apart),
	{ }
};

static struct kunit_suite ftrace_guard_suite = {
	.name		= "ftrace_guard",
	.test_cases	= ftrace_guard_cases,
};

kunit_test_suite(ftrace_guard_suite);

MODULE_DESCRIPTION("KUnit tests of guards against recursion");
MODULE_LICENSE("GPL");
