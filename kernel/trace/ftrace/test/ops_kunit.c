// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of ops in a running kernel: the callbacks that are called, their arguments, and the
 * cases in which they are not called.
 */
#include <kunit/test.h>
#include <linux/fprobe.h>
#include <linux/ftrace.h>
#include <linux/kallsyms.h>
#include <linux/slab.h>
#include <linux/stacktrace.h>
#include <linux/vmalloc.h>

#include "ftrace/ops/ops.h"
#include "ftrace/ops/opset.h"
#include "ftrace/test/kunit_target.h"
#include "lib/hash.h"
#include "patch/patch.h"
#include "patch/records.h"

#define HAS_REGS	IS_ENABLED(CONFIG_DYNAMIC_FTRACE_WITH_REGS)
#define HAS_ARGS	IS_ENABLED(CONFIG_DYNAMIC_FTRACE_WITH_ARGS)
#define CAN_REDIRECT	(HAS_REGS || HAS_ARGS)

/**
 * struct seen - record of the calls of a callback
 * @calls: number of calls
 * @ip: call site of the last call
 * @parent_ip: return address of the function
 * @arg: its first six arguments
 * @has_regs: true if the registers were complete
 */
struct seen {
	unsigned int	calls;
	unsigned long	ip;
	unsigned long	parent_ip;
	unsigned long	arg[6];
	bool		has_regs;
};

static void see(unsigned long ip, unsigned long parent_ip,
		struct ftrace_ops *op, struct ftrace_regs *fregs)
{
	struct seen *seen = op->private;
	unsigned int i;

	seen->calls++;
	seen->ip = ip;
	seen->parent_ip = parent_ip;
	seen->has_regs = ftrace_get_regs(fregs);
	for (i = 0; i < ARRAY_SIZE(seen->arg) && ftrace_regs_has_args(fregs); i++)
		seen->arg[i] = ftrace_regs_get_argument(fregs, i);
	ftrace_kunit_clobber();
}

/* Unregister an ops at the end of its test, even if the test was aborted. */
static void drop_ops(void *data)
{
	struct ftrace_ops *ops = data;

	unregister_ftrace_function(ops);
	ftrace_free_filter(ops);
}

static struct ftrace_ops *new_ops(struct kunit *test, const char *name,
				  unsigned long flags)
{
	struct ftrace_ops *ops = kunit_kzalloc(test, sizeof(*ops), GFP_KERNEL);
	struct seen *seen = kunit_kzalloc(test, sizeof(*seen), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, ops);
	KUNIT_ASSERT_NOT_NULL(test, seen);
	ops->func = see;
	ops->private = seen;
	ops->flags = flags;
	KUNIT_ASSERT_EQ(test, 0, kunit_add_action_or_reset(test, drop_ops, ops));
	KUNIT_ASSERT_EQ(test, 0, ftrace_set_filter(ops, (unsigned char *)name,
						   strlen(name), 1));
	return ops;
}

static struct ftrace_ops *registered_ops(struct kunit *test, const char *name,
					 unsigned long flags)
{
	struct ftrace_ops *ops = new_ops(test, name, flags);

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

	KUNIT_EXPECT_EQ(test, 5, ftrace_kunit_add(2, 3));
	KUNIT_EXPECT_EQ(test, 6, ftrace_kunit_mul(2, 3));
	KUNIT_EXPECT_EQ(test, 1, seen->calls);
	KUNIT_EXPECT_EQ(test, ftrace_location((unsigned long)ftrace_kunit_add),
			seen->ip);
	KUNIT_EXPECT_EQ(test, HAS_ARGS ? 2 : 0, (int)seen->arg[0]);
	KUNIT_EXPECT_EQ(test, HAS_ARGS ? 3 : 0, (int)seen->arg[1]);
	KUNIT_EXPECT_FALSE(test, seen->has_regs);

	KUNIT_EXPECT_EQ(test, 0, unregister_ftrace_function(ops));
	KUNIT_EXPECT_EQ(test, 5, ftrace_kunit_add(2, 3));
	KUNIT_EXPECT_EQ(test, 1, seen->calls);
}

/*
 * More than fit into a set with another ops; part of the kernel's own data: no grace period to
 * wait for.
 */
static struct ftrace_ops crowd[FTRACE_OPSET_MAX];

static void clobber(unsigned long ip, unsigned long parent_ip,
		    struct ftrace_ops *op, struct ftrace_regs *fregs)
{
	ftrace_kunit_clobber();
}

static void drop_crowd(void *unused)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(crowd); i++) {
		drop_ops(&crowd[i]);
		memset(&crowd[i], 0, sizeof(crowd[i]));
	}
}

/* Register the first @to ops of the crowd at FTRACE_KUNIT_CALLS; the first @from already are. */
static void add_crowd(struct kunit *test, unsigned int from, unsigned int to,
		      unsigned long flags)
{
	unsigned char names[] = FTRACE_KUNIT_CALLS;

	for (; from < to; from++) {
		crowd[from].func = clobber;
		crowd[from].flags = flags;
		KUNIT_ASSERT_EQ(test, 0, ftrace_set_filter(&crowd[from], names,
							   strlen(names), 1));
		KUNIT_ASSERT_EQ(test, 0, register_ftrace_function(&crowd[from]));
	}
}

/* With one ops, with several, and with enough for the list function to call them. */
static void check_calls(struct kunit *test, unsigned long flags)
{
	static const unsigned int others[] = { 0, 2, ARRAY_SIZE(crowd) };
	struct ftrace_ops *ops = registered_ops(test, FTRACE_KUNIT_CALLS, flags);
	struct seen *seen = ops->private;
	unsigned int i, j;

	for (i = 0; i < ARRAY_SIZE(others); i++) {
		add_crowd(test, i ? others[i - 1] : 0, others[i], flags);
		memset(seen, 0, sizeof(*seen));
		ftrace_kunit_check_calls(test);
		KUNIT_EXPECT_EQ(test, FTRACE_KUNIT_NR_CALLS, seen->calls);
		for (j = 0; j < ARRAY_SIZE(seen->arg); j++)
			KUNIT_EXPECT_EQ(test, HAS_ARGS ? j + 1 : 0, (u32)seen->arg[j]);
		KUNIT_EXPECT_EQ(test, HAS_REGS && flags, seen->has_regs);
	}
	drop_crowd(NULL);
	KUNIT_EXPECT_EQ(test, 0, unregister_ftrace_function(ops));
}

static void test_arguments_survive(struct kunit *test)
{
	KUNIT_ASSERT_EQ(test, 0, kunit_add_action_or_reset(test, drop_crowd, NULL));
	check_calls(test, 0);
	check_calls(test, FTRACE_OPS_FL_SAVE_REGS_IF_SUPPORTED);
}

static void test_several(struct kunit *test)
{
	struct ftrace_ops *add = registered_ops(test, "ftrace_kunit_add", 0);
	struct ftrace_ops *both = registered_ops(test, "ftrace_kunit_[am]*", 0);
	struct ftrace_ops *regs = registered_ops(test, "ftrace_kunit_add",
						 FTRACE_OPS_FL_SAVE_REGS_IF_SUPPORTED);

	ftrace_kunit_add(1, 1);
	ftrace_kunit_mul(1, 1);
	ftrace_kunit_sub(1, 1);
	KUNIT_EXPECT_EQ(test, 1, calls(add));
	KUNIT_EXPECT_EQ(test, 2, calls(both));
	KUNIT_EXPECT_EQ(test, 1, calls(regs));
	KUNIT_EXPECT_EQ(test, HAS_REGS, ((struct seen *)regs->private)->has_regs);

	KUNIT_EXPECT_EQ(test, 0, unregister_ftrace_function(regs));
	ftrace_kunit_add(1, 1);
	KUNIT_EXPECT_EQ(test, 2, calls(add));
	KUNIT_EXPECT_EQ(test, 3, calls(both));
	KUNIT_EXPECT_EQ(test, 1, calls(regs));
}

static void test_notrace(struct kunit *test)
{
	struct ftrace_ops *ops = new_ops(test, "ftrace_kunit_*", 0);

	KUNIT_EXPECT_EQ(test, 0, ftrace_set_notrace(ops, "ftrace_kunit_mul", 16, 1));
	KUNIT_ASSERT_EQ(test, 0, register_ftrace_function(ops));
	ftrace_kunit_add(1, 1);
	ftrace_kunit_mul(1, 1);
	KUNIT_EXPECT_EQ(test, 1, calls(ops));

	KUNIT_EXPECT_EQ(test, 0, ftrace_set_notrace(ops, NULL, 0, 1));
	ftrace_kunit_mul(1, 1);
	KUNIT_EXPECT_EQ(test, 2, calls(ops));
}

static void test_refilter(struct kunit *test)
{
	struct ftrace_ops *ops = registered_ops(test, "ftrace_kunit_add", 0);

	KUNIT_EXPECT_EQ(test, 0, ftrace_set_filter(ops, "ftrace_kunit_mul", 16, 1));
	ftrace_kunit_add(1, 1);
	KUNIT_EXPECT_EQ(test, 0, calls(ops));
	ftrace_kunit_mul(1, 1);
	KUNIT_EXPECT_EQ(test, 1, calls(ops));

	KUNIT_EXPECT_EQ(test, -EINVAL, ftrace_set_filter(ops, "no_such", 7, 1));
	ftrace_kunit_mul(1, 1);
	KUNIT_EXPECT_EQ(test, 2, calls(ops));

	KUNIT_EXPECT_EQ(test, 0,
			ftrace_set_filter_ip(ops, (unsigned long)ftrace_kunit_sub, 0, 0));
	ftrace_kunit_sub(1, 1);
	KUNIT_EXPECT_EQ(test, 3, calls(ops));
	KUNIT_EXPECT_EQ(test, 0,
			ftrace_set_filter_ip(ops, (unsigned long)ftrace_kunit_sub, 1, 0));
	ftrace_kunit_sub(1, 1);
	KUNIT_EXPECT_EQ(test, 3, calls(ops));
}

static void test_filter_ips(struct kunit *test)
{
	struct ftrace_ops *ops = registered_ops(test, "ftrace_kunit_eight", 0);
	unsigned long ips[] = {
		(unsigned long)ftrace_kunit_mul, (unsigned long)ftrace_kunit_add,
		(unsigned long)ftrace_kunit_mul,
	};
	unsigned long bad[] = { (unsigned long)ftrace_kunit_sub, 1 };
	unsigned long unset[] = { ips[0], (unsigned long)ftrace_kunit_sub };

	/* Only these, in any order. */
	KUNIT_EXPECT_EQ(test, 0, ftrace_set_filter_ips(ops, ips, 3, 0, 1));
	ftrace_kunit_add(1, 1);
	ftrace_kunit_mul(1, 1);
	ftrace_kunit_eight(1, 2, 3, 4, 5, 6, 7, 8);
	KUNIT_EXPECT_EQ(test, 2, calls(ops));

	/* All or nothing. */
	KUNIT_EXPECT_EQ(test, -EINVAL, ftrace_set_filter_ips(ops, bad, 2, 0, 0));
	KUNIT_EXPECT_EQ(test, -ENOENT, ftrace_set_filter_ips(ops, unset, 2, 1, 0));
	ftrace_kunit_sub(1, 1);
	ftrace_kunit_mul(1, 1);
	KUNIT_EXPECT_EQ(test, 3, calls(ops));

	KUNIT_EXPECT_EQ(test, 0, ftrace_set_filter_ips(ops, ips, 1, 1, 0));
	ftrace_kunit_mul(1, 1);
	KUNIT_EXPECT_EQ(test, 3, calls(ops));
	ftrace_kunit_add(1, 1);
	KUNIT_EXPECT_EQ(test, 4, calls(ops));

	/* Added to the current filter. */
	KUNIT_EXPECT_EQ(test, 0, ftrace_set_filter_ips(ops, bad, 1, 0, 0));
	ftrace_kunit_sub(1, 1);
	ftrace_kunit_add(1, 1);
	KUNIT_EXPECT_EQ(test, 6, calls(ops));
}

static void test_errors(struct kunit *test)
{
	struct ftrace_ops *ops = new_ops(test, "ftrace_kunit_add", 0);
	struct ftrace_ops none = { };

	KUNIT_EXPECT_EQ(test, -EINVAL, register_ftrace_function(&none));
	KUNIT_EXPECT_EQ(test, -EBUSY, unregister_ftrace_function(ops));
	KUNIT_EXPECT_EQ(test, 0, register_ftrace_function(ops));
	KUNIT_EXPECT_EQ(test, -EBUSY, register_ftrace_function(ops));
	KUNIT_EXPECT_EQ(test, -EINVAL, ftrace_set_filter_ip(ops, 1, 0, 0));
	KUNIT_EXPECT_EQ(test, -EINVAL, ftrace_set_filter_ip(ops, 0, 0, 1));
	KUNIT_EXPECT_EQ(test, -ENOENT,
			ftrace_set_filter_ip(ops, (unsigned long)ftrace_kunit_sub, 1, 0));
	ftrace_kunit_add(1, 1);
	KUNIT_EXPECT_EQ(test, 1, calls(ops));
}

static void replace_text(struct kunit *test, unsigned long ip)
{
	guard(mutex)(&ftrace_lock);

	ftrace_records_remove(ip, ip + MCOUNT_INSN_SIZE);
	KUNIT_EXPECT_EQ(test, 0, ftrace_records_add(NULL, &ip, 1));
}

/*
 * The text of a function is removed while it is in the filter of an ops that is not registered,
 * and other text is loaded at its address: this was never selected.
 */
static void test_gone(struct kunit *test)
{
	struct ftrace_ops *ops = new_ops(test, "ftrace_kunit_add", 0);
	unsigned long mul = ftrace_location((unsigned long)ftrace_kunit_mul);
	u8 *text = vzalloc(PAGE_SIZE);
	unsigned long ip = (unsigned long)text;
	struct ftrace_hash *filter;

	KUNIT_ASSERT_NOT_NULL(test, text);
	memcpy(text, (void *)mul, MCOUNT_INSN_SIZE);
	replace_text(test, ip);
	KUNIT_EXPECT_EQ(test, 0, ftrace_set_filter_ip(ops, ip, 0, 0));
	filter = rcu_dereference_raw(ops->func_hash->filter_hash);
	KUNIT_EXPECT_EQ(test, 2, filter->count);

	replace_text(test, ip);
	KUNIT_EXPECT_EQ(test, 0, register_ftrace_function(ops));
	filter = rcu_dereference_raw(ops->func_hash->filter_hash);
	KUNIT_EXPECT_EQ(test, 1, filter->count);
	KUNIT_EXPECT_MEMEQ(test, text, (void *)mul, MCOUNT_INSN_SIZE);
	ftrace_kunit_add(1, 1);
	KUNIT_EXPECT_EQ(test, 1, calls(ops));

	unregister_ftrace_function(ops);
	scoped_guard(mutex, &ftrace_lock)
		ftrace_records_remove(ip, ip + MCOUNT_INSN_SIZE);
	vfree(text);
}

/* More ops than a set can have: the list function must find them all. */
static void test_many(struct kunit *test)
{
	struct ftrace_ops *ops[FTRACE_OPSET_MAX + 3];
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(ops); i++)
		ops[i] = registered_ops(test, "ftrace_kunit_add",
					i % 2 ? FTRACE_OPS_FL_SAVE_REGS_IF_SUPPORTED : 0);

	KUNIT_EXPECT_EQ(test, 5, ftrace_kunit_add(2, 3));
	for (i = 0; i < ARRAY_SIZE(ops); i++) {
		KUNIT_EXPECT_EQ(test, 1, calls(ops[i]));
		KUNIT_EXPECT_EQ(test, HAS_REGS, ((struct seen *)ops[i]->private)->has_regs);
	}

	for (i = FTRACE_OPSET_MAX - 1; i < ARRAY_SIZE(ops); i++)
		KUNIT_EXPECT_EQ(test, 0, unregister_ftrace_function(ops[i]));
	KUNIT_EXPECT_EQ(test, 5, ftrace_kunit_add(2, 3));
	KUNIT_EXPECT_EQ(test, 2, calls(ops[0]));
	KUNIT_EXPECT_EQ(test, 1, calls(ops[ARRAY_SIZE(ops) - 1]));
}

static void register_again(unsigned long ip, unsigned long parent_ip,
			   struct ftrace_ops *op, struct ftrace_regs *fregs)
{
	struct seen *seen = op->private;
	bool was_listed;

	if (!seen->calls++) {
		ftrace_ops_detach(op);
		ftrace_ops_register(op, &was_listed);
	}
}

/*
 * The list function is at an ops that is unregistered and registered again: it continues from
 * there, and calls no other ops twice.
 */
static void test_many_again(struct kunit *test)
{
	struct ftrace_ops *ops[FTRACE_OPSET_MAX + 3];
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(ops); i++)
		ops[i] = new_ops(test, "ftrace_kunit_add", 0);
	ops[FTRACE_OPSET_MAX / 2]->func = register_again;
	for (i = 0; i < ARRAY_SIZE(ops); i++)
		KUNIT_ASSERT_EQ(test, 0, register_ftrace_function(ops[i]));

	KUNIT_EXPECT_EQ(test, 5, ftrace_kunit_add(2, 3));
	for (i = 0; i < ARRAY_SIZE(ops); i++)
		KUNIT_EXPECT_EQ(test, 1, calls(ops[i]));
	KUNIT_EXPECT_EQ(test, 5, ftrace_kunit_add(2, 3));
	for (i = 0; i < ARRAY_SIZE(ops); i++)
		KUNIT_EXPECT_EQ(test, 2, calls(ops[i]));
}

/* Functions with the same users share a set. */
static void test_sets_are_shared(struct kunit *test)
{
	unsigned int before = ftrace_opset_count();

	registered_ops(test, "ftrace_kunit_*", 0);
	KUNIT_EXPECT_EQ(test, before + 1, ftrace_opset_count());
	registered_ops(test, "ftrace_kunit_[am]*", 0);
	KUNIT_EXPECT_EQ(test, before + 2, ftrace_opset_count());
}

/* Addresses partly or wholly without text are not sites. */
static void test_no_text(struct kunit *test)
{
	u8 *page = vmalloc(PAGE_SIZE);

	KUNIT_ASSERT_NOT_NULL(test, page);
	KUNIT_EXPECT_FALSE(test, ftrace_site_prepare((unsigned long)page + PAGE_SIZE - 1));
	KUNIT_EXPECT_FALSE(test, ftrace_site_prepare((unsigned long)page + PAGE_SIZE + 1));
	vfree(page);
}

static int __maybe_unused instead(int a, int b)
{
	return 1000;
}

static void redirect(unsigned long ip, unsigned long parent_ip,
		     struct ftrace_ops *op, struct ftrace_regs *fregs)
{
	ftrace_regs_set_instruction_pointer(fregs, (unsigned long)instead);
}

static void test_ipmodify(struct kunit *test)
{
	struct ftrace_ops *ops = new_ops(test, "ftrace_kunit_add",
					 FTRACE_OPS_FL_IPMODIFY);
	struct ftrace_ops *second = new_ops(test, "ftrace_kunit_*",
					    FTRACE_OPS_FL_IPMODIFY);
	struct ftrace_ops *plain = registered_ops(test, "ftrace_kunit_add", 0);

	if (!CAN_REDIRECT) {
		KUNIT_EXPECT_EQ(test, -EINVAL, register_ftrace_function(ops));
		return;
	}

	ops->func = redirect;
	KUNIT_ASSERT_EQ(test, 0, register_ftrace_function(ops));
	KUNIT_EXPECT_EQ(test, 1000, ftrace_kunit_add(2, 3));
	KUNIT_EXPECT_EQ(test, 1, calls(plain));
	KUNIT_EXPECT_EQ(test, -EBUSY, register_ftrace_function(second));
	KUNIT_EXPECT_EQ(test, 6, ftrace_kunit_mul(2, 3));

	KUNIT_EXPECT_EQ(test, 0, unregister_ftrace_function(ops));
	KUNIT_EXPECT_EQ(test, 5, ftrace_kunit_add(2, 3));
}

/* An ops that needs registers which the architecture does not save is refused. */
static void test_no_registers(struct kunit *test)
{
	struct ftrace_ops *ops = new_ops(test, "ftrace_kunit_add", FTRACE_OPS_FL_SAVE_REGS);

	KUNIT_EXPECT_EQ(test, HAS_REGS ? 0 : -EINVAL, register_ftrace_function(ops));
}

/* Addresses of functions, not of their call sites, which may differ. */
/* Entry of the list function, for assembly code */
void ftrace_ops_list_func(unsigned long ip, unsigned long parent_ip,
			  struct ftrace_ops *op, struct ftrace_regs *fregs);

/* A site calls the list function with arguments alone until it saves all registers. */
static void test_list_without_registers(struct kunit *test)
{
	unsigned long site = ftrace_location((unsigned long)ftrace_kunit_add);
	struct ftrace_ops *plain = registered_ops(test, "ftrace_kunit_add", 0);
	struct ftrace_ops *full = registered_ops(test, "ftrace_kunit_add",
						 FTRACE_OPS_FL_SAVE_REGS_IF_SUPPORTED);
	struct ftrace_regs *fregs = kunit_kzalloc(test, ftrace_regs_size(), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, fregs);
	ftrace_ops_list_func(site, 0, NULL, fregs);
	KUNIT_EXPECT_EQ(test, 1, calls(plain));
	KUNIT_EXPECT_EQ(test, HAS_REGS ? 0 : 1, calls(full));
}

static void test_lookup_symbols(struct kunit *test)
{
	const char *names[2] = { "ftrace_kunit_add", "ftrace_kunit_mul" };
	const char *missing[2] = { "ftrace_kunit_add", "ftrace_kunit_nothing" };
	unsigned long addrs[2];

	KUNIT_ASSERT_EQ(test, 0, ftrace_lookup_symbols(names, 2, addrs));
	KUNIT_EXPECT_EQ(test, kallsyms_lookup_name(names[0]), addrs[0]);
	KUNIT_EXPECT_EQ(test, kallsyms_lookup_name(names[1]), addrs[1]);
	KUNIT_EXPECT_EQ(test, -ESRCH, ftrace_lookup_symbols(missing, 2, addrs));
}

static void clear_global_filter(void *unused)
{
	ftrace_set_global_filter(NULL, 0, 1);
}

/* Changes of the global filter apply to an ops that shares it. */
static void test_global_filter(struct kunit *test)
{
	struct ftrace_ops *ops = kunit_kzalloc(test, sizeof(*ops), GFP_KERNEL);
	unsigned char name[] = "ftrace_kunit_add";

	KUNIT_ASSERT_NOT_NULL(test, ops);
	ops->func = see;
	ops->private = kunit_kzalloc(test, sizeof(struct seen), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, ops->private);
	KUNIT_ASSERT_EQ(test, 0, kunit_add_action_or_reset(test, clear_global_filter, NULL));
	KUNIT_ASSERT_EQ(test, 0, kunit_add_action_or_reset(test, drop_ops, ops));
	ftrace_ops_set_global_filter(ops);
	ftrace_set_global_filter(name, strlen(name), 1);
	KUNIT_ASSERT_EQ(test, 0, register_ftrace_function(ops));
	ftrace_kunit_add(1, 1);
	ftrace_kunit_mul(1, 1);
	KUNIT_EXPECT_EQ(test, 1, calls(ops));
	ftrace_set_global_filter("ftrace_kunit_mul", strlen("ftrace_kunit_mul"), 0);
	ftrace_set_global_notrace(name, strlen(name), 1);
	ftrace_kunit_add(1, 1);
	ftrace_kunit_mul(1, 1);
	KUNIT_EXPECT_EQ(test, 2, calls(ops));
	ftrace_set_global_notrace(NULL, 0, 1);
	ftrace_kunit_add(1, 1);
	KUNIT_EXPECT_EQ(test, 3, calls(ops));
}

static void recurse(unsigned long ip, unsigned long parent_ip,
		    struct ftrace_ops *op, struct ftrace_regs *fregs)
{
	struct seen *seen = op->private;

	seen->calls++;
	seen->arg[0] = preempt_count();
	ftrace_kunit_add(1, 1);
}

/* The guard lets one nested call through, see linux/trace_recursion.h. */
static void test_recursion(struct kunit *test)
{
	struct ftrace_ops *ops = new_ops(test, "ftrace_kunit_add",
					 FTRACE_OPS_FL_RECURSION);

	ops->func = recurse;
	KUNIT_ASSERT_EQ(test, 0, register_ftrace_function(ops));
	KUNIT_EXPECT_EQ(test, 5, ftrace_kunit_add(2, 3));
	KUNIT_EXPECT_EQ(test, 2, calls(ops));
	KUNIT_EXPECT_EQ(test, 5, ftrace_kunit_add(2, 3));
	KUNIT_EXPECT_EQ(test, 4, calls(ops));
}

#define STACK_DEPTH	16

static void save_stack(unsigned long ip, unsigned long parent_ip,
		       struct ftrace_ops *op, struct ftrace_regs *fregs)
{
	unsigned long *stack = op->private;

	stack_trace_save(stack, STACK_DEPTH, 0);
}

/* The return address in @stack that is within the function at @func. */
static int depth_of(const unsigned long *stack, void *func)
{
	unsigned long size = 0;
	int i;

	kallsyms_lookup_size_offset((unsigned long)func, &size, NULL);
	for (i = 0; i < STACK_DEPTH && stack[i]; i++)
		if (stack[i] - (unsigned long)func < size)
			return i;
	return -1;
}

static void test_stack(struct kunit *test)
{
	static const unsigned long flags[] = {
		0, FTRACE_OPS_FL_SAVE_REGS_IF_SUPPORTED, FTRACE_OPS_FL_RECURSION,
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(flags); i++) {
		struct ftrace_ops *ops = new_ops(test, "ftrace_kunit_add", flags[i]);
		unsigned long *stack;
		int at;

		stack = kunit_kcalloc(test, STACK_DEPTH, sizeof(*stack), GFP_KERNEL);
		KUNIT_ASSERT_NOT_NULL(test, stack);
		ops->func = save_stack;
		ops->private = stack;
		KUNIT_ASSERT_EQ(test, 0, register_ftrace_function(ops));
		KUNIT_EXPECT_EQ(test, 6, ftrace_kunit_caller(2, 3));

		at = depth_of(stack, ftrace_kunit_add);
		KUNIT_EXPECT_GT(test, at, 0);
		KUNIT_EXPECT_EQ(test, at + 1, depth_of(stack, ftrace_kunit_caller));
		KUNIT_EXPECT_EQ(test, at + 2, depth_of(stack, test_stack));
		KUNIT_EXPECT_EQ(test, 0, unregister_ftrace_function(ops));
	}
}

static void exit_probe(struct fprobe *probe, unsigned long entry_ip,
		       unsigned long ret_ip, struct pt_regs *regs, void *data)
{
}

/**
 * struct around - a probe of returns between two ops
 * @low: ops that is called before the probe
 * @probe: replaces the return address
 * @high: ops that is called after the probe
 */
struct around {
	struct ftrace_ops	low;
	struct fprobe		probe;
	struct ftrace_ops	high;
};

static bool is_in(unsigned long ip, void *func)
{
	unsigned long size = 0;

	kallsyms_lookup_size_offset((unsigned long)func, &size, NULL);
	return ip - (unsigned long)func < size;
}

static void drop_probe(void *data)
{
	unregister_fprobe(data);
}

/* parent_ip is the real return address of the function, even if a probe replaces it. */
static void test_parent_beside_fprobe(struct kunit *test)
{
	struct around *around = kunit_kzalloc(test, sizeof(*around), GFP_KERNEL);
	struct seen seen[2] = { };

	if (!IS_ENABLED(CONFIG_FPROBE))
		kunit_skip(test, "no fprobe");

	KUNIT_ASSERT_NOT_NULL(test, around);
	around->probe.exit_handler = exit_probe;
	KUNIT_ASSERT_EQ(test, 0, register_fprobe(&around->probe, "ftrace_kunit_add", NULL));
	KUNIT_ASSERT_EQ(test, 0, kunit_add_action_or_reset(test, drop_probe,
							   &around->probe));
	around->low = (struct ftrace_ops) { .func = see, .private = &seen[0] };
	around->high = (struct ftrace_ops) { .func = see, .private = &seen[1] };
	KUNIT_EXPECT_EQ(test, 0, ftrace_set_filter(&around->low, "ftrace_kunit_add", 16, 1));
	KUNIT_EXPECT_EQ(test, 0, ftrace_set_filter(&around->high, "ftrace_kunit_add", 16, 1));
	KUNIT_EXPECT_EQ(test, 0, register_ftrace_function(&around->low));
	KUNIT_EXPECT_EQ(test, 0, register_ftrace_function(&around->high));

	KUNIT_EXPECT_EQ(test, 6, ftrace_kunit_caller(2, 3));
	KUNIT_EXPECT_TRUE(test, is_in(seen[0].parent_ip, ftrace_kunit_caller));
	KUNIT_EXPECT_TRUE(test, is_in(seen[1].parent_ip, ftrace_kunit_caller));

	unregister_ftrace_function(&around->low);
	unregister_ftrace_function(&around->high);
	ftrace_free_filter(&around->low);
	ftrace_free_filter(&around->high);
}

static void test_location(struct kunit *test)
{
	unsigned long func = (unsigned long)ftrace_kunit_add;
	unsigned long site = ftrace_location(func);

	KUNIT_ASSERT_NE(test, 0, site);
	KUNIT_EXPECT_LE(test, site - func, FTRACE_MCOUNT_MAX_OFFSET);
	KUNIT_EXPECT_EQ(test, site, ftrace_location(site));
	KUNIT_EXPECT_EQ(test, site, ftrace_location(site + MCOUNT_INSN_SIZE - 1));
	KUNIT_EXPECT_EQ(test, 0, ftrace_location(site + MCOUNT_INSN_SIZE));
	KUNIT_EXPECT_EQ(test, 0, ftrace_location((unsigned long)see));
	KUNIT_EXPECT_EQ(test, site, ftrace_symbol_site(func));
	KUNIT_EXPECT_EQ(test, 0, ftrace_symbol_site(func + 1));
	KUNIT_EXPECT_TRUE(test, ftrace_text_reserved((void *)site, (void *)site));
	KUNIT_EXPECT_FALSE(test, ftrace_text_reserved((void *)see, (void *)see));
}

static void test_disabled(struct kunit *test)
{
	struct ftrace_ops *ops = registered_ops(test, "ftrace_kunit_add", 0);
	struct ftrace_ops *later = new_ops(test, "ftrace_kunit_add", 0);
	struct ftrace_ops *permanent = new_ops(test, "ftrace_kunit_mul",
					       FTRACE_OPS_FL_PERMANENT);

	KUNIT_ASSERT_EQ(test, 0, ftrace_switch(false));
	KUNIT_EXPECT_EQ(test, 0, register_ftrace_function(later));
	KUNIT_EXPECT_EQ(test, -EBUSY, register_ftrace_function(permanent));
	ftrace_kunit_add(1, 1);
	KUNIT_EXPECT_EQ(test, 0, calls(ops) + calls(later));

	KUNIT_ASSERT_EQ(test, 0, ftrace_switch(true));
	ftrace_kunit_add(1, 1);
	KUNIT_EXPECT_EQ(test, 1, calls(ops));
	KUNIT_EXPECT_EQ(test, 1, calls(later));

	KUNIT_EXPECT_EQ(test, 0, register_ftrace_function(permanent));
	KUNIT_EXPECT_EQ(test, -EBUSY, ftrace_switch(false));
	ftrace_kunit_add(1, 1);
	KUNIT_EXPECT_EQ(test, 2, calls(ops));
}

static bool is_modified(unsigned long site)
{
	bool modified;

	mutex_lock(&ftrace_lock);
	modified = ftrace_rec_find(site)->state & FTRACE_REC_MODIFIED;
	mutex_unlock(&ftrace_lock);
	return modified;
}

/* A user that may change the instruction pointer is remembered, also among other users. */
static void test_modified(struct kunit *test)
{
	unsigned long site = ftrace_location((unsigned long)ftrace_kunit_sub);
	struct ftrace_ops *ops;
	unsigned int i;

	if (!CAN_REDIRECT)
		kunit_skip(test, "no callback can change where a function goes on");

	KUNIT_ASSERT_NE(test, 0, site);
	for (i = 0; i <= FTRACE_OPSET_MAX; i++)
		registered_ops(test, "ftrace_kunit_sub", 0);

	mutex_lock(&ftrace_lock);
	ftrace_rec_find(site)->state &= ~FTRACE_REC_MODIFIED;
	mutex_unlock(&ftrace_lock);

	registered_ops(test, "ftrace_kunit_sub", 0);
	KUNIT_EXPECT_FALSE(test, is_modified(site));

	ops = registered_ops(test, "ftrace_kunit_sub", FTRACE_OPS_FL_IPMODIFY);
	KUNIT_EXPECT_TRUE(test, is_modified(site));
	KUNIT_EXPECT_EQ(test, 0, unregister_ftrace_function(ops));
	KUNIT_EXPECT_TRUE(test, is_modified(site));
}

static struct kunit_case ftrace_ops_cases[] = {
	KUNIT_CASE(test_location),
	KUNIT_CASE(test_one),
	KUNIT_CASE(test_arguments_survive),
	KUNIT_CASE(test_several),
	KUNIT_CASE(test_notrace),
	KUNIT_CASE(test_refilter),
	KUNIT_CASE(test_filter_ips),
	KUNIT_CASE(test_errors),
	KUNIT_CASE(test_gone),
	KUNIT_CASE(test_no_text),
	KUNIT_CASE(test_many),
	KUNIT_CASE(test_many_again),
	KUNIT_CASE(test_sets_are_shared),
	KUNIT_CASE(test_ipmodify),
	KUNIT_CASE(test_modified),
	KUNIT_CASE(test_no_registers),
	KUNIT_CASE(test_list_without_registers),
	KUNIT_CASE(test_lookup_symbols),
	KUNIT_CASE(test_global_filter),
	KUNIT_CASE(test_recursion),
	KUNIT_CASE(test_stack),
	KUNIT_CASE(test_parent_beside_fprobe),
	KUNIT_CASE(test_disabled),
	{ }
};

static struct kunit_suite ftrace_ops_suite = {
	.name		= "ftrace_ops",
	.test_cases	= ftrace_ops_cases,
};

kunit_test_suite(ftrace_ops_suite);

MODULE_DESCRIPTION("KUnit tests of ftrace_ops");
MODULE_LICENSE("GPL");
