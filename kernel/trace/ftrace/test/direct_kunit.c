// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of direct calls in a running kernel: a single one, together with other ops, changed to
 * another trampoline, and refused ones.
 */
#include <kunit/test.h>
#include <linux/completion.h>
#include <linux/ftrace_arch.h>
#include <linux/kthread.h>
#include <linux/sched.h>
#include <linux/slab.h>

#include "ftrace/ops/ipmodify.h"
#include "ftrace/ops/ops.h"
#include "ftrace/ops/opset.h"
#include "ftrace/test/kunit_target.h"

/* Counters of the direct calls, see the architecture's entry code. */
unsigned int ftrace_kunit_counts[2];

#define A	((unsigned long)ftrace_kunit_direct_a)
#define B	((unsigned long)ftrace_kunit_direct_b)

static void count_call(unsigned long ip, unsigned long parent_ip,
		       struct ftrace_ops *op, struct ftrace_regs *fregs)
{
	++*(unsigned int *)op->private;
}

static int instead(int a, int b)
{
	return 1000;
}

static void redirect(unsigned long ip, unsigned long parent_ip,
		     struct ftrace_ops *op, struct ftrace_regs *fregs)
{
	ftrace_regs_set_instruction_pointer(fregs, (unsigned long)instead);
}

static void drop(void *data)
{
	struct ftrace_ops *ops = data;

	if (ops->flags & FTRACE_OPS_FL_DIRECT)
		unregister_ftrace_direct(ops, ops->direct_call, false);
	else
		unregister_ftrace_function(ops);
	ftrace_free_filter(ops);
}

static struct ftrace_ops *new_ops(struct kunit *test, char *name,
				  ftrace_func_t func, unsigned long flags)
{
	struct ftrace_ops *ops = kunit_kzalloc(test, sizeof(*ops), GFP_KERNEL);
	unsigned int *calls = kunit_kzalloc(test, sizeof(*calls), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, ops);
	KUNIT_ASSERT_NOT_NULL(test, calls);
	ops->func = func;
	ops->flags = flags;
	ops->private = calls;
	KUNIT_ASSERT_EQ(test, 0, kunit_add_action_or_reset(test, drop, ops));
	KUNIT_ASSERT_EQ(test, 0, ftrace_set_filter(ops, name, strlen(name), 1));
	return ops;
}

static unsigned int calls(const struct ftrace_ops *ops)
{
	return *(unsigned int *)ops->private;
}

/* Expect that the functions still work, and the numbers of calls of the direct calls. */
static void expect_add(struct kunit *test, int sum, unsigned int a, unsigned int b)
{
	memset(ftrace_kunit_counts, 0, sizeof(ftrace_kunit_counts));
	KUNIT_EXPECT_EQ(test, sum, ftrace_kunit_add(2, 3));
	KUNIT_EXPECT_EQ(test, 87654321, ftrace_kunit_eight(1, 2, 3, 4, 5, 6, 7, 8));
	KUNIT_EXPECT_EQ(test, a, ftrace_kunit_counts[0]);
	KUNIT_EXPECT_EQ(test, b, ftrace_kunit_counts[1]);
}

/* The site calls the user's trampoline directly. */
static void test_alone(struct kunit *test)
{
	struct ftrace_ops *ops = new_ops(test, "ftrace_kunit_[ae]*", NULL, 0);
	unsigned long site = ftrace_location((unsigned long)ftrace_kunit_add);
	u8 call[FTRACE_SITE_SIZE];

	KUNIT_ASSERT_EQ(test, 0, register_ftrace_direct(ops, A));
	expect_add(test, 5, 2, 0);
	KUNIT_EXPECT_EQ(test, A, ftrace_find_rec_direct(site));
	KUNIT_ASSERT_EQ(test, 0, ftrace_site_encode(call, site, A));
	KUNIT_EXPECT_MEMEQ(test, call, (void *)(site - FTRACE_SITE_BEFORE), sizeof(call));

	KUNIT_EXPECT_EQ(test, 0, modify_ftrace_direct(ops, B));
	expect_add(test, 5, 0, 2);
	KUNIT_EXPECT_EQ(test, 0, ftrace_switch(false));
	expect_add(test, 5, 0, 0);
	KUNIT_EXPECT_EQ(test, 0, modify_ftrace_direct(ops, A));
	KUNIT_EXPECT_EQ(test, 0, ftrace_switch(true));
	expect_add(test, 5, 2, 0);

	KUNIT_EXPECT_EQ(test, 0, unregister_ftrace_direct(ops, A, false));
	expect_add(test, 5, 0, 0);
	KUNIT_EXPECT_EQ(test, 0, ftrace_find_rec_direct(site));
	KUNIT_EXPECT_EQ(test, 0, register_ftrace_direct(ops, B));
	expect_add(test, 5, 0, 2);
}

static void test_beside(struct kunit *test)
{
	static const unsigned long flags[] = {
		0, FTRACE_OPS_FL_SAVE_REGS_IF_SUPPORTED, FTRACE_OPS_FL_RECURSION,
	};
	struct ftrace_ops *direct = new_ops(test, "ftrace_kunit_[ae]*", NULL, 0);
	unsigned int i;

	KUNIT_ASSERT_EQ(test, 0, register_ftrace_direct(direct, A));
	for (i = 0; i < ARRAY_SIZE(flags); i++) {
		struct ftrace_ops *ops = new_ops(test, "ftrace_kunit_*",
						 count_call, flags[i]);

		KUNIT_ASSERT_EQ(test, 0, register_ftrace_function(ops));
		expect_add(test, 5, 2, 0);
		KUNIT_EXPECT_EQ(test, 2, calls(ops));
		KUNIT_EXPECT_EQ(test, 0, modify_ftrace_direct(direct, B));
		expect_add(test, 5, 0, 2);
		KUNIT_EXPECT_EQ(test, 4, calls(ops));
		KUNIT_EXPECT_EQ(test, 0, unregister_ftrace_direct(direct, B, false));
		expect_add(test, 5, 0, 0);
		KUNIT_EXPECT_EQ(test, 6, calls(ops));
		KUNIT_EXPECT_EQ(test, 0, register_ftrace_direct(direct, A));
		expect_add(test, 5, 2, 0);
		KUNIT_EXPECT_EQ(test, 8, calls(ops));
	}
}

/* More ops than a set can have: the list function also leads to the direct call. */
static void test_list(struct kunit *test)
{
	struct ftrace_ops *direct = new_ops(test, "ftrace_kunit_[ae]*", NULL, 0);
	struct ftrace_ops *ops;
	unsigned int i;

	KUNIT_ASSERT_EQ(test, 0, register_ftrace_direct(direct, A));
	for (i = 0; i < FTRACE_OPSET_MAX; i++) {
		ops = new_ops(test, "ftrace_kunit_*", count_call, 0);
		KUNIT_ASSERT_EQ(test, 0, register_ftrace_function(ops));
	}
	expect_add(test, 5, 2, 0);
	KUNIT_EXPECT_EQ(test, 2, calls(ops));
	KUNIT_EXPECT_EQ(test, 0, modify_ftrace_direct(direct, B));
	expect_add(test, 5, 0, 2);
	KUNIT_EXPECT_EQ(test, 0, unregister_ftrace_function(ops));
	expect_add(test, 5, 0, 2);
	KUNIT_EXPECT_EQ(test, 0, unregister_ftrace_direct(direct, B, false));
	expect_add(test, 5, 0, 0);
	KUNIT_EXPECT_EQ(test, 4, calls(ops));
}

static void call_again(unsigned long ip, unsigned long parent_ip,
		       struct ftrace_ops *op, struct ftrace_regs *fregs)
{
	++*(unsigned int *)op->private;
	ftrace_kunit_add(1, 1);
}

/*
 * Direct calls and live patches take effect even when the function is called from inside a
 * callback that holds the recursion guard.
 */
static void test_list_nested(struct kunit *test)
{
	struct ftrace_ops *direct = new_ops(test, "ftrace_kunit_add", NULL, 0);
	struct ftrace_ops *nested = new_ops(test, "ftrace_kunit_add", call_again,
					    FTRACE_OPS_FL_RECURSION);
	unsigned int i;

	KUNIT_ASSERT_EQ(test, 0, register_ftrace_direct(direct, A));
	for (i = 0; i < FTRACE_OPSET_MAX; i++) {
		struct ftrace_ops *ops = new_ops(test, "ftrace_kunit_add", count_call, 0);

		KUNIT_ASSERT_EQ(test, 0, register_ftrace_function(ops));
	}
	KUNIT_ASSERT_EQ(test, 0, register_ftrace_function(nested));

	/* The guard lets one nested call through, and stops the callback in the next. */
	expect_add(test, 5, 3, 0);
	KUNIT_EXPECT_EQ(test, 2, calls(nested));
}

static void test_errors(struct kunit *test)
{
	struct ftrace_ops *ops = new_ops(test, "ftrace_kunit_add", NULL, 0);
	struct ftrace_ops *other = new_ops(test, "ftrace_kunit_*", NULL, 0);
	struct ftrace_ops *called = new_ops(test, "ftrace_kunit_mul", count_call, 0);
	struct ftrace_ops none = { };

	KUNIT_EXPECT_EQ(test, -EINVAL, register_ftrace_direct(&none, A));
	KUNIT_EXPECT_EQ(test, -EINVAL, register_ftrace_direct(called, A));
	KUNIT_EXPECT_EQ(test, -EINVAL, modify_ftrace_direct(ops, A));
	KUNIT_EXPECT_EQ(test, -EINVAL, unregister_ftrace_direct(ops, A, false));

	KUNIT_EXPECT_EQ(test, 0, register_ftrace_direct(ops, A));
	KUNIT_EXPECT_EQ(test, -EINVAL, register_ftrace_direct(ops, A));
	KUNIT_EXPECT_EQ(test, -EBUSY, register_ftrace_direct(other, B));
	KUNIT_EXPECT_EQ(test, -EINVAL, ftrace_set_filter(ops, NULL, 0, 1));
	expect_add(test, 5, 1, 0);

	/* The same if the conflict is caused by a filter change. */
	KUNIT_ASSERT_EQ(test, 0, ftrace_set_filter(other, "ftrace_kunit_eight", 18, 1));
	KUNIT_EXPECT_EQ(test, 0, register_ftrace_direct(other, B));
	KUNIT_EXPECT_EQ(test, -EBUSY,
			ftrace_set_filter(other, "ftrace_kunit_add", 16, 0));
	expect_add(test, 5, 1, 1);
}

/**
 * struct registering - a thread that registers a direct call
 * @ops: ops to register
 * @err: result of the registration
 * @done: completed after the registration
 */
struct registering {
	struct ftrace_ops	*ops;
	int			err;
	struct completion	done;
};

static int register_thread(void *data)
{
	struct registering *thread = data;

	thread->err = register_ftrace_direct(thread->ops, A);
	kthread_complete_and_exit(&thread->done, 0);
}

/* Start the thread, which has to wait for ftrace_direct_mutex. */
static void start_registering(struct kunit *test, struct registering *thread)
{
	struct task_struct *task;

	lockdep_assert_held(&ftrace_direct_mutex);

	init_completion(&thread->done);
	task = kthread_run(register_thread, thread, "direct_kunit");
	if (IS_ERR(task)) {
		KUNIT_FAIL(test, "no thread: %ld", PTR_ERR(task));
		complete(&thread->done);
		return;
	}
	while (task_is_running(task))
		schedule_timeout_uninterruptible(1);
}

/* If two threads register the same ops, the second one fails. */
static void test_register_at_once(struct kunit *test)
{
	struct ftrace_ops *ops = new_ops(test, "ftrace_kunit_add", NULL, 0);
	struct registering first = { .ops = ops }, second = { .ops = ops };

	scoped_guard(mutex, &ftrace_direct_mutex) {
		start_registering(test, &first);
		start_registering(test, &second);
	}
	wait_for_completion(&first.done);
	wait_for_completion(&second.done);

	KUNIT_EXPECT_EQ(test, 0, max(first.err, second.err));
	KUNIT_EXPECT_EQ(test, -EINVAL, min(first.err, second.err));
	expect_add(test, 5, 1, 0);
	KUNIT_EXPECT_EQ(test, 0, unregister_ftrace_direct(ops, A, false));
}

/* Record the commands that a DIRECT ops gets, in the bits of its count. */
static int agree(struct ftrace_ops *op, enum ftrace_ops_cmd cmd)
{
	*(unsigned int *)op->private |= BIT(cmd);
	return 0;
}

static void test_ipmodify(struct kunit *test)
{
	struct ftrace_ops *direct = new_ops(test, "ftrace_kunit_add", NULL, 0);
	struct ftrace_ops *ops = new_ops(test, "ftrace_kunit_add", redirect,
					 FTRACE_OPS_FL_IPMODIFY);
	unsigned int *asked = direct->private;

	KUNIT_ASSERT_EQ(test, 0, register_ftrace_direct(direct, A));
	KUNIT_EXPECT_EQ(test, -EBUSY, register_ftrace_function(ops));
	expect_add(test, 5, 1, 0);

	direct->ops_func = agree;
	KUNIT_EXPECT_EQ(test, 0, register_ftrace_function(ops));
	KUNIT_EXPECT_EQ(test, *asked, BIT(FTRACE_OPS_CMD_ENABLE_SHARE_IPMODIFY_PEER));
	expect_add(test, 1000, 1, 0);
	KUNIT_EXPECT_EQ(test, 0, unregister_ftrace_function(ops));
	KUNIT_EXPECT_TRUE(test, *asked & BIT(FTRACE_OPS_CMD_DISABLE_SHARE_IPMODIFY_PEER));
	expect_add(test, 5, 1, 0);

	KUNIT_EXPECT_EQ(test, 0, unregister_ftrace_direct(direct, A, false));
	KUNIT_EXPECT_EQ(test, 0, register_ftrace_function(ops));
	direct->ops_func = NULL;
	KUNIT_EXPECT_EQ(test, -EBUSY, register_ftrace_direct(direct, A));
	expect_add(test, 1000, 0, 0);
	direct->ops_func = agree;
	KUNIT_EXPECT_EQ(test, 0, register_ftrace_direct(direct, A));
	KUNIT_EXPECT_TRUE(test, *asked & BIT(FTRACE_OPS_CMD_ENABLE_SHARE_IPMODIFY_SELF));
	expect_add(test, 1000, 1, 0);
}

static int refuse(struct ftrace_ops *op, enum ftrace_ops_cmd cmd)
{
	*(unsigned int *)op->private |= BIT(cmd);
	return -EPERM;
}

#define ASKED_PEER	BIT(FTRACE_OPS_CMD_ENABLE_SHARE_IPMODIFY_PEER)
#define TOLD_PEER	BIT(FTRACE_OPS_CMD_DISABLE_SHARE_IPMODIFY_PEER)

/* A DIRECT ops is notified only when no IPMODIFY ops shares a function with it any longer. */
static void test_ipmodify_second(struct kunit *test)
{
	struct ftrace_ops *direct = new_ops(test, "ftrace_kunit_[am]*", NULL, 0);
	struct ftrace_ops *unwilling = new_ops(test, "ftrace_kunit_sub", NULL, 0);
	struct ftrace_ops *patch = new_ops(test, "ftrace_kunit_add", redirect,
					   FTRACE_OPS_FL_IPMODIFY);
	struct ftrace_ops *same = new_ops(test, "ftrace_kunit_add", redirect,
					  FTRACE_OPS_FL_IPMODIFY);
	struct ftrace_ops *other = new_ops(test, "ftrace_kunit_[ms]*", count_call,
					   FTRACE_OPS_FL_IPMODIFY);
	unsigned int *asked = direct->private;

	direct->ops_func = agree;
	unwilling->ops_func = refuse;
	KUNIT_ASSERT_EQ(test, 0, register_ftrace_direct(direct, A));
	KUNIT_ASSERT_EQ(test, 0, register_ftrace_direct(unwilling, B));
	KUNIT_ASSERT_EQ(test, 0, register_ftrace_function(patch));
	expect_add(test, 1000, 1, 0);

	/*
	 * Two that fail: a second one on a function, and one that is refused on another
	 * function.
	 */
	KUNIT_EXPECT_EQ(test, -EBUSY, register_ftrace_function(same));
	KUNIT_EXPECT_EQ(test, -EPERM, register_ftrace_function(other));
	KUNIT_EXPECT_EQ(test, ASKED_PEER, *asked);
	expect_add(test, 1000, 1, 0);

	/* One that shares another function, and is unregistered again. */
	KUNIT_EXPECT_EQ(test, 0, unregister_ftrace_direct(unwilling, B, false));
	KUNIT_EXPECT_EQ(test, 0, register_ftrace_function(other));
	KUNIT_EXPECT_EQ(test, 0, unregister_ftrace_function(other));
	KUNIT_EXPECT_EQ(test, ASKED_PEER, *asked);

	KUNIT_EXPECT_EQ(test, 0, unregister_ftrace_function(patch));
	KUNIT_EXPECT_EQ(test, ASKED_PEER | TOLD_PEER, *asked);
	expect_add(test, 5, 1, 0);
}

/* A peer that has agreed is notified if another ops refuses, and so the IPMODIFY ops fails. */
static void test_ipmodify_refused(struct kunit *test)
{
	struct ftrace_ops *unwilling = new_ops(test, "ftrace_kunit_mul", NULL, 0);
	struct ftrace_ops *direct = new_ops(test, "ftrace_kunit_add", NULL, 0);
	struct ftrace_ops *ops = new_ops(test, "ftrace_kunit_[am]*", redirect,
					 FTRACE_OPS_FL_IPMODIFY);
	unsigned int *asked = direct->private;

	/* The newest ops is queried first. */
	direct->ops_func = agree;
	KUNIT_ASSERT_EQ(test, 0, register_ftrace_direct(unwilling, B));
	KUNIT_ASSERT_EQ(test, 0, register_ftrace_direct(direct, A));
	KUNIT_EXPECT_EQ(test, -EBUSY, register_ftrace_function(ops));
	KUNIT_EXPECT_EQ(test, ASKED_PEER | TOLD_PEER, *asked);
	expect_add(test, 5, 1, 0);
}

static int unregister_thread(void *data)
{
	struct ftrace_ops *ops = data;

	unregister_ftrace_function(ops);
	complete(ops->private);
	return 0;
}

/* Prevent grace periods of RCU Tasks from ending. */
static int run_on(void *unused)
{
	while (!kthread_should_stop())
		cond_resched();
	return 0;
}

/* Is ftrace_direct_mutex free, and not just for the moment when a thread releases it? */
static bool mutex_is_free(void)
{
	bool is_free;

	schedule_timeout_uninterruptible(HZ / 10);
	is_free = mutex_trylock(&ftrace_direct_mutex);
	if (is_free)
		mutex_unlock(&ftrace_direct_mutex);
	return is_free;
}

/*
 * Direct calls can be registered and unregistered while an IPMODIFY ops waits for its last
 * caller.
 */
static void test_ipmodify_goes(struct kunit *test)
{
	struct ftrace_ops *ops = new_ops(test, "ftrace_kunit_add", redirect,
					 FTRACE_OPS_FL_IPMODIFY);
	DECLARE_COMPLETION_ONSTACK(done);
	struct task_struct *runner;
	bool is_free;

	ops->private = &done;
	KUNIT_ASSERT_EQ(test, 0, register_ftrace_function(ops));
	runner = kthread_run(run_on, NULL, "direct_kunit");
	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, runner);
	schedule_timeout_uninterruptible(1);
	KUNIT_EXPECT_NOT_ERR_OR_NULL(test, kthread_run(unregister_thread, ops,
						       "direct_kunit"));
	while (READ_ONCE(ops->flags) & FTRACE_OPS_FL_ENABLED)
		schedule_timeout_uninterruptible(1);
	is_free = mutex_is_free();
	kthread_stop(runner);
	wait_for_completion(&done);
	KUNIT_EXPECT_TRUE(test, is_free);
}

static int refused_thread(void *data)
{
	struct ftrace_ops *ops = data;
	int err = ops->flags & FTRACE_OPS_FL_IPMODIFY ? register_ftrace_function(ops) :
							register_ftrace_direct(ops, B);

	WARN_ON(err != -EBUSY);
	complete(ops->private);
	return 0;
}

/*
 * Direct calls can be registered and unregistered while a refused one waits for its possible
 * callers.
 */
static void check_refused(struct kunit *test, struct ftrace_ops *ops)
{
	DECLARE_COMPLETION_ONSTACK(done);
	struct task_struct *runner;
	bool is_free, waits;
	int i;

	ops->private = &done;
	runner = kthread_run(run_on, NULL, "direct_kunit");
	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, runner);
	schedule_timeout_uninterruptible(1);
	KUNIT_EXPECT_NOT_ERR_OR_NULL(test, kthread_run(refused_thread, ops, "direct_kunit"));
	/* The flag is set when the ops is added to the list. */
	for (i = 0; i < 1000 && !(data_race(ops->flags) & FTRACE_OPS_FL_DYNAMIC); i++)
		schedule_timeout_uninterruptible(1);
	is_free = mutex_is_free();
	waits = !completion_done(&done);
	kthread_stop(runner);
	wait_for_completion(&done);
	KUNIT_EXPECT_TRUE(test, waits);
	KUNIT_EXPECT_TRUE(test, is_free);
}

static void test_refused_waits(struct kunit *test)
{
	struct ftrace_ops *direct = new_ops(test, "ftrace_kunit_add", NULL, 0);
	struct ftrace_ops *other = new_ops(test, "ftrace_kunit_add", NULL, 0);
	struct ftrace_ops *first = new_ops(test, "ftrace_kunit_mul", redirect,
					   FTRACE_OPS_FL_IPMODIFY);
	struct ftrace_ops *second = new_ops(test, "ftrace_kunit_mul", redirect,
					    FTRACE_OPS_FL_IPMODIFY);

	KUNIT_ASSERT_EQ(test, 0, register_ftrace_direct(direct, A));
	check_refused(test, other);
	KUNIT_EXPECT_PTR_EQ(test, NULL, other->func);
	KUNIT_EXPECT_EQ(test, 0, other->flags & FTRACE_OPS_FL_DIRECT);
	expect_add(test, 5, 1, 0);

	KUNIT_ASSERT_EQ(test, 0, register_ftrace_function(first));
	check_refused(test, second);
}

/*
 * All kprobes with a post_handler share one IPMODIFY ops, whose filter they edit: so an edit
 * queries and notifies peers like a registration.
 */
static void test_ipmodify_edit(struct kunit *test)
{
	struct ftrace_ops *direct = new_ops(test, "ftrace_kunit_add", NULL, 0);
	struct ftrace_ops *ops = new_ops(test, "ftrace_kunit_mul", redirect,
					 FTRACE_OPS_FL_IPMODIFY);
	unsigned long add = (unsigned long)ftrace_kunit_add;
	unsigned int *asked = direct->private;

	KUNIT_ASSERT_EQ(test, 0, register_ftrace_direct(direct, A));
	KUNIT_ASSERT_EQ(test, 0, register_ftrace_function(ops));

	KUNIT_EXPECT_EQ(test, -EBUSY, ftrace_set_filter_ip(ops, add, 0, 0));
	direct->ops_func = refuse;
	KUNIT_EXPECT_EQ(test, -EPERM, ftrace_set_filter_ip(ops, add, 0, 0));
	KUNIT_EXPECT_EQ(test, ASKED_PEER, *asked);
	expect_add(test, 5, 1, 0);

	direct->ops_func = agree;
	KUNIT_EXPECT_EQ(test, 0, ftrace_set_filter_ip(ops, add, 0, 0));
	KUNIT_EXPECT_EQ(test, ASKED_PEER, *asked);
	expect_add(test, 1000, 1, 0);
	KUNIT_EXPECT_EQ(test, 0, ftrace_set_filter_ip(ops, add, 1, 0));
	KUNIT_EXPECT_EQ(test, ASKED_PEER | TOLD_PEER, *asked);
	expect_add(test, 5, 1, 0);
}

/* The filter of a DIRECT ops must not add it to a patched function without its agreement. */
static void test_ipmodify_unasked(struct kunit *test)
{
	struct ftrace_ops *direct = new_ops(test, "ftrace_kunit_mul", NULL, 0);
	struct ftrace_ops *ops = new_ops(test, "ftrace_kunit_add", redirect,
					 FTRACE_OPS_FL_IPMODIFY);
	bool was_listed;

	KUNIT_ASSERT_EQ(test, 0, register_ftrace_direct(direct, A));
	KUNIT_ASSERT_EQ(test, 0, register_ftrace_function(ops));
	KUNIT_EXPECT_EQ(test, -EBUSY, ftrace_set_filter(direct, "ftrace_kunit_add", 16, 0));
	expect_add(test, 1000, 0, 0);
	KUNIT_EXPECT_EQ(test, 0, unregister_ftrace_function(ops));

	/* Nor may an ops be added whose peers were queried before the filter was edited. */
	scoped_guard(mutex, &ftrace_direct_mutex) {
		KUNIT_EXPECT_EQ(test, 0, ftrace_set_filter(direct, "ftrace_kunit_add", 16, 0));
		KUNIT_EXPECT_EQ(test, -EBUSY, ftrace_ops_register(ops, &was_listed));
	}
	expect_add(test, 5, 1, 0);
}

/* The filter of a DIRECT ops may be removed after register_ftrace_direct() has checked it. */
static void test_without_filter(struct kunit *test)
{
	struct ftrace_ops *ops = new_ops(test, "ftrace_kunit_add", count_call,
					 FTRACE_OPS_FL_DIRECT);
	bool was_listed;

	ops->direct_call = A;
	KUNIT_ASSERT_EQ(test, 0, ftrace_set_filter(ops, NULL, 0, 1));
	scoped_guard(mutex, &ftrace_direct_mutex)
		KUNIT_EXPECT_EQ(test, -EINVAL, ftrace_ops_register(ops, &was_listed));
	KUNIT_EXPECT_FALSE(test, was_listed);
	expect_add(test, 5, 0, 0);
}

/* Behaves like an ops_func, which is called with the mutex held. */
static int modify_self(struct ftrace_ops *op, enum ftrace_ops_cmd cmd)
{
	if (cmd == FTRACE_OPS_CMD_ENABLE_SHARE_IPMODIFY_SELF)
		return 0;

	return modify_ftrace_direct_nolock(op, cmd == FTRACE_OPS_CMD_ENABLE_SHARE_IPMODIFY_PEER ?
					   B : A);
}

static void test_modify_nolock(struct kunit *test)
{
	struct ftrace_ops *direct = new_ops(test, "ftrace_kunit_add", NULL, 0);
	struct ftrace_ops *ops = new_ops(test, "ftrace_kunit_add", redirect,
					 FTRACE_OPS_FL_IPMODIFY);

	direct->ops_func = modify_self;
	KUNIT_ASSERT_EQ(test, 0, register_ftrace_direct(direct, A));
	expect_add(test, 5, 1, 0);
	KUNIT_EXPECT_EQ(test, 0, register_ftrace_function(ops));
	expect_add(test, 1000, 0, 1);
	KUNIT_EXPECT_EQ(test, 0, unregister_ftrace_function(ops));
	expect_add(test, 5, 1, 0);

	guard(mutex)(&ftrace_direct_mutex);
	KUNIT_EXPECT_EQ(test, -EINVAL, modify_ftrace_direct_nolock(direct, 0));
	KUNIT_EXPECT_EQ(test, -EINVAL, modify_ftrace_direct_nolock(ops, B));
}

static struct kunit_case ftrace_direct_cases[] = {
	KUNIT_CASE(test_alone),
	KUNIT_CASE(test_beside),
	KUNIT_CASE(test_list),
	KUNIT_CASE(test_list_nested),
	KUNIT_CASE(test_errors),
	KUNIT_CASE(test_register_at_once),
	KUNIT_CASE(test_ipmodify),
	KUNIT_CASE(test_ipmodify_second),
	KUNIT_CASE(test_ipmodify_refused),
	KUNIT_CASE(test_ipmodify_goes),
	KUNIT_CASE(test_refused_waits),
	KUNIT_CASE(test_ipmodify_edit),
	KUNIT_CASE(test_ipmodify_unasked),
	KUNIT_CASE(test_without_filter),
	KUNIT_CASE(test_modify_nolock),
	{ }
};

static struct kunit_suite ftrace_direct_suite = {
	.name		= "ftrace_direct",
	.test_cases	= ftrace_direct_cases,
};

kunit_test_suite(ftrace_direct_suite);

MODULE_DESCRIPTION("KUnit tests of direct calls");
MODULE_LICENSE("GPL");
