// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of BPF programs on the entry and the exit of a function.
 *
 * The program types that user space could attach there belong to trace events. So these tests
 * attach programs like the bpf(2) system call, one layer below it: they are made of
 * instructions, compiled by the JIT, and linked to the trampoline of the function, which BPF
 * builds itself and registers as a direct call with the function tracer.
 */
#include <kunit/test.h>
#include <linux/bpf.h>
#include <linux/filter.h>
#include <linux/ftrace.h>
#include <linux/rcupdate.h>

#include "ftrace/test/kunit_target.h"

/*
 * Index of the result of a function of two arguments in the trampoline's context, in 64-bit
 * words.
 */
#define RESULT	2

/**
 * struct attached - a BPF program on a function
 * @link: link between the program and the trampoline
 * @tr: the trampoline
 * @value: argument or result in the last call; the program writes it
 * @calls: number of calls; the program counts them
 * @linked: true while the program is attached
 */
struct attached {
	struct bpf_tramp_link	link;
	struct bpf_trampoline	*tr;
	u64			value;
	u64			calls;
	bool			linked;
};

/* Make a program that stores the low half of @word of its context, and counts its calls. */
static struct bpf_prog *new_prog(enum bpf_attach_type type, struct attached *at, int word)
{
	const struct bpf_insn insns[] = {
		BPF_LDX_MEM(BPF_W, BPF_REG_2, BPF_REG_1, word * 8),
		BPF_LD_IMM64(BPF_REG_3, (unsigned long)&at->value),
		BPF_STX_MEM(BPF_DW, BPF_REG_3, BPF_REG_2, 0),
		BPF_LD_IMM64(BPF_REG_3, (unsigned long)&at->calls),
		BPF_MOV64_IMM(BPF_REG_2, 1),
		BPF_ATOMIC_OP(BPF_DW, BPF_ADD, BPF_REG_3, BPF_REG_2, 0),
		BPF_MOV64_IMM(BPF_REG_0, 0),
		BPF_EXIT_INSN(),
	};
	struct bpf_prog *prog = bpf_prog_alloc(bpf_prog_size(ARRAY_SIZE(insns)), 0);
	int err = 0;

	if (!prog)
		return NULL;
	memcpy(prog->insnsi, insns, sizeof(insns));
	prog->len = ARRAY_SIZE(insns);
	prog->type = BPF_PROG_TYPE_TRACING;
	prog->expected_attach_type = type;
	prog = bpf_prog_select_runtime(prog, &err);
	if (!err)
		return prog;
	bpf_prog_free(prog);
	return NULL;
}

static int detach(struct attached *at)
{
	if (!at->linked)
		return 0;
	at->linked = false;
	return bpf_trampoline_unlink_prog(&at->link, at->tr, NULL);
}

static void end_attached(void *data)
{
	struct attached *at = data;

	detach(at);
	/* A task may still be in the program, or about to call it. */
	synchronize_rcu_tasks();
	synchronize_rcu();
	if (at->tr)
		bpf_trampoline_put(at->tr);
	if (at->link.link.prog)
		bpf_prog_free(at->link.link.prog);
}

/* Attach a program to ftrace_kunit_add(), until the end of the test. */
static struct attached *attach(struct kunit *test, enum bpf_attach_type type, int word)
{
	struct bpf_attach_target_info target = {
		.fmodel = {
			.ret_size = sizeof(int),
			.nr_args = 2,
			.arg_size = { sizeof(int), sizeof(int) },
		},
		.tgt_addr = (long)ftrace_kunit_add,
	};
	struct attached *at = kunit_kzalloc(test, sizeof(*at), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, at);
	KUNIT_ASSERT_EQ(test, 0, kunit_add_action_or_reset(test, end_attached, at));
	at->link.link.prog = new_prog(type, at, word);
	KUNIT_ASSERT_NOT_NULL(test, at->link.link.prog);
	KUNIT_ASSERT_TRUE(test, at->link.link.prog->jited);
	/* Any key works that no program of user space has. */
	at->tr = bpf_trampoline_get((unsigned long)ftrace_kunit_add, &target);
	KUNIT_ASSERT_NOT_NULL(test, at->tr);
	KUNIT_ASSERT_EQ(test, 0, bpf_trampoline_link_prog(&at->link, at->tr, NULL));
	at->linked = true;
	return at;
}

/* Expect that @at was called once since the last check, with @value. */
static void expect_saw(struct kunit *test, struct attached *at, int value)
{
	KUNIT_EXPECT_EQ(test, 1, at->calls);
	KUNIT_EXPECT_EQ(test, value, (int)at->value);
	at->calls = 0;
}

static void test_entry_and_exit(struct kunit *test)
{
	struct attached *entry = attach(test, BPF_TRACE_FENTRY, 1);
	struct attached *exit;

	KUNIT_EXPECT_EQ(test, 5, ftrace_kunit_add(2, 3));
	expect_saw(test, entry, 3);
	exit = attach(test, BPF_TRACE_FEXIT, RESULT);
	KUNIT_EXPECT_EQ(test, 12, ftrace_kunit_add(5, 7));
	expect_saw(test, entry, 7);
	expect_saw(test, exit, 12);
	KUNIT_EXPECT_EQ(test, 35, ftrace_kunit_mul(5, 7));
	KUNIT_EXPECT_EQ(test, 0, entry->calls);

	KUNIT_EXPECT_EQ(test, 0, detach(entry));
	KUNIT_EXPECT_EQ(test, 3, ftrace_kunit_add(1, 2));
	KUNIT_EXPECT_EQ(test, 0, entry->calls);
	expect_saw(test, exit, 3);
	KUNIT_EXPECT_EQ(test, 0, detach(exit));
	KUNIT_EXPECT_EQ(test, 3, ftrace_kunit_add(1, 2));
	KUNIT_EXPECT_EQ(test, 0, exit->calls);
}

static void count(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *op,
		  struct ftrace_regs *fregs)
{
	(*(unsigned int *)op->private)++;
}

static void to_mul(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *op,
		   struct ftrace_regs *fregs)
{
	ftrace_regs_set_instruction_pointer(fregs, (unsigned long)ftrace_kunit_mul);
	count(ip, parent_ip, op, fregs);
}

static void end_ops(void *data)
{
	struct ftrace_ops *ops = data;

	unregister_ftrace_function(ops);
	ftrace_free_filter(ops);
}

/* Make an ops on ftrace_kunit_add() that counts its calls. */
static struct ftrace_ops *new_ops(struct kunit *test, ftrace_func_t func, unsigned long flags)
{
	struct ftrace_ops *ops = kunit_kzalloc(test, sizeof(*ops), GFP_KERNEL);
	const char *name = "ftrace_kunit_add";

	KUNIT_ASSERT_NOT_NULL(test, ops);
	ops->func = func;
	ops->flags = flags;
	ops->private = kunit_kzalloc(test, sizeof(unsigned int), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, ops->private);
	KUNIT_ASSERT_EQ(test, 0, kunit_add_action_or_reset(test, end_ops, ops));
	KUNIT_ASSERT_EQ(test, 0, ftrace_set_filter(ops, (unsigned char *)name, strlen(name), 1));
	KUNIT_ASSERT_EQ(test, 0, register_ftrace_function(ops));
	return ops;
}

static unsigned int calls(const struct ftrace_ops *ops)
{
	unsigned int *count = ops->private;

	return xchg(count, 0);
}

static void test_beside_ops(struct kunit *test)
{
	struct ftrace_ops *first = new_ops(test, count, 0);
	struct attached *entry = attach(test, BPF_TRACE_FENTRY, 0);
	struct attached *exit = attach(test, BPF_TRACE_FEXIT, RESULT);
	struct ftrace_ops *second = new_ops(test, count, FTRACE_OPS_FL_SAVE_REGS_IF_SUPPORTED);

	KUNIT_EXPECT_EQ(test, 5, ftrace_kunit_add(2, 3));
	expect_saw(test, entry, 2);
	expect_saw(test, exit, 5);
	KUNIT_EXPECT_EQ(test, 1, calls(first));
	KUNIT_EXPECT_EQ(test, 1, calls(second));

	KUNIT_EXPECT_EQ(test, 0, unregister_ftrace_function(first));
	KUNIT_EXPECT_EQ(test, 9, ftrace_kunit_add(4, 5));
	expect_saw(test, entry, 4);
	expect_saw(test, exit, 9);
	KUNIT_EXPECT_EQ(test, 0, calls(first));
	KUNIT_EXPECT_EQ(test, 1, calls(second));

	KUNIT_EXPECT_EQ(test, 0, detach(exit));
	KUNIT_EXPECT_EQ(test, 0, detach(entry));
	KUNIT_EXPECT_EQ(test, 9, ftrace_kunit_add(4, 5));
	KUNIT_EXPECT_EQ(test, 0, entry->calls + exit->calls);
	KUNIT_EXPECT_EQ(test, 1, calls(second));
}

/*
 * Like a live patch: BPF has to agree to share the function, and changes its trampoline in the
 * process.
 */
static void test_beside_ipmodify(struct kunit *test)
{
	struct attached *exit = attach(test, BPF_TRACE_FEXIT, RESULT);
	unsigned long flags = FTRACE_OPS_FL_SAVE_REGS_IF_SUPPORTED | FTRACE_OPS_FL_IPMODIFY;
	struct ftrace_ops *patch = new_ops(test, to_mul, flags);

	KUNIT_EXPECT_EQ(test, 6, ftrace_kunit_add(2, 3));
	expect_saw(test, exit, 6);
	KUNIT_EXPECT_EQ(test, 1, calls(patch));
	KUNIT_EXPECT_EQ(test, 0, unregister_ftrace_function(patch));
	KUNIT_EXPECT_EQ(test, 5, ftrace_kunit_add(2, 3));
	expect_saw(test, exit, 5);
	KUNIT_EXPECT_EQ(test, 0, register_ftrace_function(patch));
	KUNIT_EXPECT_EQ(test, 0, detach(exit));
	KUNIT_EXPECT_EQ(test, 6, ftrace_kunit_add(2, 3));
	KUNIT_EXPECT_EQ(test, 0, exit->calls);

	/* In the other order. */
	exit = attach(test, BPF_TRACE_FEXIT, RESULT);
	KUNIT_EXPECT_EQ(test, 20, ftrace_kunit_add(4, 5));
	expect_saw(test, exit, 20);
}

static struct kunit_case ftrace_bpf_cases[] = {
	KUNIT_CASE(test_entry_and_exit),
	KUNIT_CASE(test_beside_ops),
	KUNIT_CASE(test_beside_ipmodify),
	{ }
};

static struct kunit_suite ftrace_bpf_suite = {
	.name		= "ftrace_bpf",
	.test_cases	= ftrace_bpf_cases,
};

kunit_test_suite(ftrace_bpf_suite);

MODULE_DESCRIPTION("KUnit tests of BPF programs on traced functions");
MODULE_LICENSE("GPL");
