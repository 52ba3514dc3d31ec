// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of kprobes on call sites: where they are, the registers that handlers see and change, and
 * when they are not called.
 */
#include <kunit/test.h>
#include <linux/error-injection.h>
#include <linux/ftrace.h>
#include <linux/kallsyms.h>
#include <linux/kprobes.h>
#include <linux/preempt.h>
#include <linux/ptrace.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/stacktrace.h>

#include "ftrace/ops/ops.h"
#include "ftrace/test/kunit_target.h"

/*
 * Part of the kernel's own data, so that a test that is aborted leaves no kprobe on its stack.
 * What handlers saw is with them.
 */
static struct kprobe probes[2];
static struct kretprobe kretprobe;
static unsigned int before, after, returned;
static unsigned long place, continued, argument[2], result;

static void remove_kprobe(void *data)
{
	struct kprobe *kp = data;

	unregister_kprobe(kp);
	memset(kp, 0, sizeof(*kp));
}

static void add_kprobe(struct kunit *test, struct kprobe *kp, const char *function)
{
	before = 0;
	after = 0;
	kp->symbol_name = function;
	KUNIT_ASSERT_EQ(test, 0, register_kprobe(kp));
	KUNIT_ASSERT_EQ(test, 0, kunit_add_action_or_reset(test, remove_kprobe, kp));
}

static int see(struct kprobe *kp, struct pt_regs *regs)
{
	before++;
	place = instruction_pointer(regs);
	argument[0] = regs_get_kernel_argument(regs, 0);
	argument[1] = regs_get_kernel_argument(regs, 1);
	ftrace_kunit_clobber();
	return 0;
}

NOKPROBE_SYMBOL(see);

static void see_after(struct kprobe *kp, struct pt_regs *regs, unsigned long flags)
{
	after++;
	continued = instruction_pointer(regs);
	ftrace_kunit_clobber();
}

NOKPROBE_SYMBOL(see_after);

static void test_entry(struct kunit *test)
{
	unsigned long site = ftrace_location((unsigned long)ftrace_kunit_add);
	struct kprobe *kp = &probes[0];

	kp->pre_handler = see;
	kp->post_handler = see_after;
	add_kprobe(test, kp, "ftrace_kunit_add");
	KUNIT_EXPECT_TRUE(test, kprobe_ftrace(kp));
	KUNIT_EXPECT_EQ(test, site, (unsigned long)kp->addr);
	KUNIT_EXPECT_TRUE(test, kp->flags & KPROBE_FLAG_ON_FUNC_ENTRY);

	KUNIT_EXPECT_EQ(test, 5, ftrace_kunit_add(2, 3));
	KUNIT_EXPECT_EQ(test, 1, before);
	KUNIT_EXPECT_EQ(test, 1, after);
	KUNIT_EXPECT_EQ(test, 2, (u32)argument[0]);
	KUNIT_EXPECT_EQ(test, 3, (u32)argument[1]);
	/* Where a breakpoint has stopped, or would have: some architectures are behind it then. */
	KUNIT_EXPECT_GE(test, place, site);
	KUNIT_EXPECT_LE(test, place, site + sizeof(kprobe_opcode_t));
	KUNIT_EXPECT_EQ(test, continued, site + MCOUNT_INSN_SIZE);

	kunit_release_action(test, remove_kprobe, kp);
	KUNIT_EXPECT_EQ(test, 5, ftrace_kunit_add(2, 3));
	KUNIT_EXPECT_EQ(test, 1, before);
}

/* All addresses up to the call site are the entry. */
static void test_addresses(struct kunit *test)
{
	unsigned long function = (unsigned long)ftrace_kunit_add, at;
	unsigned long site = ftrace_location(function);
	struct kprobe *kp = &probes[0];

	for (at = function; at <= site; at += sizeof(kprobe_opcode_t)) {
		/* Where instructions differ in size, none need begin in between. */
		if (sizeof(kprobe_opcode_t) != MCOUNT_INSN_SIZE && at != function && at != site)
			continue;
		kp->addr = (kprobe_opcode_t *)at;
		kp->pre_handler = see;
		add_kprobe(test, kp, NULL);
		KUNIT_EXPECT_EQ(test, site, (unsigned long)kp->addr);
		KUNIT_EXPECT_TRUE(test, kprobe_ftrace(kp));
		KUNIT_EXPECT_EQ(test, 5, ftrace_kunit_add(2, 3));
		KUNIT_EXPECT_EQ(test, 1, before);
		kunit_release_action(test, remove_kprobe, kp);
	}
}

/* All registers survive. */
static void test_registers(struct kunit *test)
{
	probes[0].pre_handler = see;
	add_kprobe(test, &probes[0], "ftrace_kunit_eight");
	probes[1].pre_handler = see;
	add_kprobe(test, &probes[1], "ftrace_kunit_words");
	ftrace_kunit_check_calls(test);
	KUNIT_EXPECT_EQ(test, 2, before);
}

static int skip(struct kprobe *kp, struct pt_regs *regs)
{
	before++;
	regs_set_return_value(regs, 77);
	override_function_with_return(regs);
	return 1;
}

NOKPROBE_SYMBOL(skip);

/* A handler can make the function return. Then there is no post handler. */
static void test_skip(struct kunit *test)
{
	struct kprobe *kp = &probes[0];

	if (!IS_ENABLED(CONFIG_FUNCTION_ERROR_INJECTION))
		kunit_skip(test, "no CONFIG_FUNCTION_ERROR_INJECTION");

	kp->pre_handler = skip;
	kp->post_handler = see_after;
	add_kprobe(test, kp, "ftrace_kunit_add");
	KUNIT_EXPECT_EQ(test, 77, ftrace_kunit_add(2, 3));
	KUNIT_EXPECT_EQ(test, 78, ftrace_kunit_caller(2, 3));
	KUNIT_EXPECT_EQ(test, 2, before);
	KUNIT_EXPECT_EQ(test, 0, after);
}

static int call_probed(struct kprobe *kp, struct pt_regs *regs)
{
	result = ftrace_kunit_mul(2, 3);
	return 0;
}

NOKPROBE_SYMBOL(call_probed);

#define FRAMES	32

static unsigned long frame[FRAMES];
static unsigned int frames;

static int unwind(struct kprobe *kp, struct pt_regs *regs)
{
	frames = stack_trace_save_regs(regs, frame, FRAMES, 0);
	return 0;
}

NOKPROBE_SYMBOL(unwind);

static bool is_in(unsigned long addr, void *function)
{
	unsigned long size, offset;

	return kallsyms_lookup_size_offset(addr, &size, &offset) &&
	       addr - offset == (unsigned long)function;
}

/* Unwinding from the registers begins at the function, followed by its caller. */
static void test_stack(struct kunit *test)
{
	if (IS_ENABLED(CONFIG_UNWINDER_FRAME_POINTER))
		kunit_skip(test, "it finds only callers of functions that have a frame");

	probes[0].pre_handler = unwind;
	add_kprobe(test, &probes[0], "ftrace_kunit_add");
	frames = 0;
	KUNIT_EXPECT_EQ(test, 6, ftrace_kunit_caller(2, 3));
	KUNIT_ASSERT_GE(test, frames, 3);
	KUNIT_EXPECT_TRUE(test, is_in(frame[0], ftrace_kunit_add));
	KUNIT_EXPECT_TRUE(test, is_in(frame[1], ftrace_kunit_caller));
	KUNIT_EXPECT_TRUE(test, is_in(frame[2], test_stack));
}

/* A probe that is hit in a handler is missed. */
static void test_nested(struct kunit *test)
{
	probes[0].pre_handler = call_probed;
	add_kprobe(test, &probes[0], "ftrace_kunit_add");
	probes[1].pre_handler = see;
	add_kprobe(test, &probes[1], "ftrace_kunit_mul");
	result = 0;
	KUNIT_EXPECT_EQ(test, 5, ftrace_kunit_add(2, 3));
	KUNIT_EXPECT_EQ(test, 6, result);
	KUNIT_EXPECT_EQ(test, 0, before);
	KUNIT_EXPECT_EQ(test, 1, probes[1].nmissed);
	KUNIT_EXPECT_EQ(test, 6, ftrace_kunit_mul(2, 3));
	KUNIT_EXPECT_EQ(test, 1, before);
}

/* While kernel.ftrace_enabled is 0, probes can be registered, and are not hit. */
static void test_disabled(struct kunit *test)
{
	probes[0].pre_handler = see;
	add_kprobe(test, &probes[0], "ftrace_kunit_add");
	KUNIT_ASSERT_EQ(test, 0, ftrace_switch(false));
	KUNIT_EXPECT_EQ(test, 5, ftrace_kunit_add(2, 3));
	KUNIT_EXPECT_EQ(test, 0, before);
	probes[1].pre_handler = see;
	add_kprobe(test, &probes[1], "ftrace_kunit_mul");
	KUNIT_EXPECT_EQ(test, 6, ftrace_kunit_mul(2, 3));
	KUNIT_EXPECT_EQ(test, 0, before);

	KUNIT_ASSERT_EQ(test, 0, ftrace_switch(true));
	KUNIT_EXPECT_EQ(test, 5, ftrace_kunit_add(2, 3));
	KUNIT_EXPECT_EQ(test, 6, ftrace_kunit_mul(2, 3));
	KUNIT_EXPECT_EQ(test, 2, before);

	disable_kprobe(&probes[0]);
	KUNIT_EXPECT_EQ(test, 5, ftrace_kunit_add(2, 3));
	KUNIT_EXPECT_EQ(test, 2, before);
}

static int see_return(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	returned++;
	result = regs_return_value(regs);
	regs_set_return_value(regs, 50);
	ftrace_kunit_clobber();
	return 0;
}

NOKPROBE_SYMBOL(see_return);

static void remove_kretprobe(void *unused)
{
	unregister_kretprobe(&kretprobe);
	memset(&kretprobe, 0, sizeof(kretprobe));
}

/* A kretprobe sees and replaces what the function returns, in each call of a recursion. */
static void test_return(struct kunit *test)
{
	if (!IS_ENABLED(CONFIG_KRETPROBES))
		kunit_skip(test, "CONFIG_KRETPROBES is off");

	returned = 0;
	kretprobe.kp.symbol_name = "ftrace_kunit_deep";
	kretprobe.handler = see_return;
	kretprobe.maxactive = 8;
	KUNIT_ASSERT_EQ(test, 0, register_kretprobe(&kretprobe));
	KUNIT_ASSERT_EQ(test, 0, kunit_add_action_or_reset(test, remove_kretprobe, NULL));
	KUNIT_EXPECT_TRUE(test, kprobe_ftrace(&kretprobe.kp));
	KUNIT_EXPECT_EQ(test, 50, ftrace_kunit_deep(3));
	KUNIT_EXPECT_EQ(test, 4, returned);
	KUNIT_EXPECT_EQ(test, 51, (u32)result);
	KUNIT_EXPECT_EQ(test, 0, kretprobe.nmissed);
}

static struct task_struct *tester;
static struct ftrace_ops ops;

static void see_stack(unsigned long ip, unsigned long parent_ip,
		      struct ftrace_ops *op, struct ftrace_regs *fregs)
{
	if (current == tester && in_task())
		frames = stack_trace_save(frame, FRAMES, 0);
}

static void remove_ops(void *unused)
{
	unregister_ftrace_function(&ops);
	ftrace_free_filter(&ops);
	memset(&ops, 0, sizeof(ops));
}

static int remove_meanwhile(void *unused)
{
	unregister_kretprobe(&kretprobe);
	return 0;
}

/*
 * A kretprobe is removed while its function runs. When the function has returned, its hook is
 * handed to call_rcu(): the stack is complete although the hook is gone.
 */
static noinline void test_stack_without_hook(struct kunit *test)
{
	bool found = false;
	unsigned int i;

	if (!IS_ENABLED(CONFIG_KRETPROBES))
		kunit_skip(test, "CONFIG_KRETPROBES is off");

	tester = current;
	ops.func = see_stack;
	KUNIT_ASSERT_EQ(test, 0, kunit_add_action_or_reset(test, remove_ops, NULL));
	KUNIT_ASSERT_EQ(test, 0, ftrace_set_filter_ip(&ops, (unsigned long)call_rcu, 0, 0));
	KUNIT_ASSERT_EQ(test, 0, register_ftrace_function(&ops));

	returned = 0;
	kretprobe.kp.symbol_name = "ftrace_kunit_run";
	kretprobe.handler = see_return;
	KUNIT_ASSERT_EQ(test, 0, register_kretprobe(&kretprobe));
	frames = 0;
	KUNIT_EXPECT_EQ(test, 0, ftrace_kunit_run(remove_meanwhile, NULL));
	memset(&kretprobe, 0, sizeof(kretprobe));
	kunit_release_action(test, remove_ops, NULL);

	KUNIT_EXPECT_EQ(test, 0, returned);
	for (i = 0; i < frames; i++) {
		KUNIT_EXPECT_FALSE(test, is_in(frame[i], ftrace_kunit_run));
		found = found || is_in(frame[i], test_stack_without_hook);
	}
	KUNIT_EXPECT_TRUE(test, found);
}

static struct kunit_case ftrace_kprobe_cases[] = {
	KUNIT_CASE(test_entry),
	KUNIT_CASE(test_addresses),
	KUNIT_CASE(test_registers),
	KUNIT_CASE(test_skip),
	KUNIT_CASE(test_stack),
	KUNIT_CASE(test_nested),
	KUNIT_CASE(test_disabled),
	KUNIT_CASE(test_return),
	KUNIT_CASE(test_stack_without_hook),
	{ }
};

static struct kunit_suite ftrace_kprobe_suite = {
	.name		= "ftrace_kprobe",
	.test_cases	= ftrace_kprobe_cases,
};

kunit_test_suite(ftrace_kprobe_suite);

MODULE_DESCRIPTION("KUnit tests of kprobes on call sites");
MODULE_LICENSE("GPL");
