// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of the text of arguments: with prototypes made by hand, and with prototypes of the
 * kernel if it has BTF.
 */
#include <kunit/test.h>
#include <linux/fs.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "output/btf_proto.h"
#include "output/func_args.h"

#define REGS	6

static void expect_text(struct kunit *test, const struct func_proto *proto,
			const unsigned long *regs, const char *want)
{
	char *text = kunit_kzalloc(test, ARGS_TEXT_MAX + 1, GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, text);
	emit_args_by(proto, text, regs, REGS);
	KUNIT_EXPECT_STREQ(test, text, want);
}

static void add_param(struct func_proto *proto, const char *name, enum param_form form, u32 size)
{
	unsigned int i = proto->nr++;

	if (i >= PROTO_MOST)
		return;

	strscpy(proto->param[i].name, name);
	proto->param[i].form = form;
	proto->param[i].size = size;
}

static struct func_proto *proto_alloc(struct kunit *test)
{
	struct func_proto *proto = kunit_kzalloc(test, sizeof(*proto), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, proto);
	return proto;
}

static void args_registers(struct kunit *test)
{
	const unsigned long regs[REGS] = { 0, 1, ~0UL, 0xffff888000000000, 4096, 5 };

	expect_text(test, NULL, regs,
		    "(0x0, 0x1, 0xffffffffffffffff, 0xffff888000000000, 0x1000, 0x5)");
}

/* The upper part of a register may be anything. */
static void args_sizes(struct kunit *test)
{
	const unsigned long regs[REGS] = {
		0x5a5a5a5afffffffe, 0x5a5a5a5afffffffe, 0x5a5a5a5a5a5a5a80,
		0x5a5a5a5a5a5aff85, -3UL, 0x5a5a5a00,
	};
	struct func_proto *proto = proto_alloc(test);

	add_param(proto, "i", PARAM_SIGNED, 4);
	add_param(proto, "u", PARAM_HEX, 4);
	add_param(proto, "c", PARAM_SIGNED, 1);
	add_param(proto, "s", PARAM_HEX, 2);
	add_param(proto, "l", PARAM_SIGNED, 8);
	add_param(proto, "b", PARAM_BOOL, 1);
	expect_text(test, proto, regs, "(i=-2, u=0xfffffffe, c=-128, s=0xff85, l=-3, b=false)");
}

static void args_elsewhere(struct kunit *test)
{
	const unsigned long regs[REGS] = { 1, 2, 3, 4, 5, 6 };
	struct func_proto *proto = proto_alloc(test);

	expect_text(test, proto, regs, "()");
	add_param(proto, "x", PARAM_ELSEWHERE, 8);
	add_param(proto, "", PARAM_HEX, 8);
	add_param(proto, "flag", PARAM_BOOL, 1);
	expect_text(test, proto, regs, "(x=..., 0x1, flag=true)");
	add_param(proto, "two", PARAM_REST, 16);
	add_param(proto, "y", PARAM_HEX, 8);
	expect_text(test, proto, regs, "(x=..., 0x1, flag=true, two=..., y=...)");
}

/* More parameters than registers, and more than PROTO_MOST. */
static void args_many(struct kunit *test)
{
	const unsigned long regs[REGS] = { ~0UL, ~0UL, ~0UL, ~0UL, ~0UL, ~0UL };
	struct func_proto *proto = proto_alloc(test);
	char name[PROTO_NAME_MOST];
	char *text;
	int i;

	for (i = 0; i < REGS + 1; i++)
		add_param(proto, "", PARAM_SIGNED, 8);
	expect_text(test, proto, regs, "(-1, -1, -1, -1, -1, -1, ...)");

	memset(name, 'n', sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';
	proto->nr = 0;
	for (i = 0; i < PROTO_MOST + 1; i++)
		add_param(proto, name, PARAM_HEX, 8);
	text = kunit_kzalloc(test, ARGS_TEXT_MAX + 1, GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, text);
	KUNIT_EXPECT_LE(test, emit_args_by(proto, text, regs, REGS) - text, ARGS_TEXT_MAX);
	KUNIT_EXPECT_NOT_NULL(test, strstr(text, "n=..., ...)"));
}

/* Functions of the kernel whose prototypes have long been unchanged. */
static void __maybe_unused args_of_kernel(struct kunit *test)
{
	const unsigned long regs[REGS] = { 0xffff888000000040, 0x1000, 0x200, 0xffff888000000080 };
	struct func_proto *proto = proto_alloc(test);

	KUNIT_ASSERT_TRUE(test, func_proto_find((unsigned long)vfs_read, proto));
	expect_text(test, proto, regs,
		    "(file=0xffff888000000040, buf=0x1000, count=0x200, pos=0xffff888000000080)");
	KUNIT_ASSERT_TRUE(test, func_proto_find((unsigned long)vfs_llseek, proto));
	expect_text(test, proto, regs, "(file=0xffff888000000040, offset=4096, whence=512)");
	KUNIT_EXPECT_FALSE(test, func_proto_find((unsigned long)proto, proto));
}

static struct kunit_case args_cases[] = {
	KUNIT_CASE(args_registers),
	KUNIT_CASE(args_sizes),
	KUNIT_CASE(args_elsewhere),
	KUNIT_CASE(args_many),
#ifdef CONFIG_DEBUG_INFO_BTF
	KUNIT_CASE(args_of_kernel),
#endif
	{ }
};

static struct kunit_suite args_suite = {
	.name		= "trace_args",
	.test_cases	= args_cases,
};

kunit_test_suite(args_suite);
