// SPDX-License-Identifier: GPL-2.0
/*
 * ftest_klp - a live patch of ftest_one(), which may be traced at the same time, of the second
 * ftest_same(), and of tree_sits(), which a task may be inside of.
 *
 * While it is loaded and enabled, ftest_one(x) returns x + 2000, and ftest_same(x) x + 3000.
 * The behavior of tree_sits() is the same with and without it.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/livepatch.h>
#include <linux/module.h>

#include "ftest_target.h"

static int patched_one(int x)
{
	return x + 2000;
}

static void patched_sits(void)
{
	ftest_sit();
}

static struct klp_func funcs[] = {
	{
		.old_name = "ftest_one",
		.new_func = patched_one,
	},
	{
		.old_name = "tree_sits",
		.new_func = patched_sits,
	},
	{ }
};

static int patched_same(int x)
{
	return x + 3000;
}

static struct klp_func same_funcs[] = {
	{
		.old_name = "ftest_same",
		.old_sympos = 2,
		.new_func = patched_same,
	},
	{ }
};

static struct klp_object objs[] = {
	{
		.name = "ftest_target",
		.funcs = funcs,
	},
	{
		.name = "ftest_same",
		.funcs = same_funcs,
	},
	{ }
};

static struct klp_patch patch = {
	.mod = THIS_MODULE,
	.objs = objs,
};

static int __init ftest_klp_init(void)
{
	return klp_enable_patch(&patch);
}
module_init(ftest_klp_init);

static void __exit ftest_klp_exit(void)
{
}
module_exit(ftest_klp_exit);

MODULE_DESCRIPTION("A live patch of a traced function");
MODULE_LICENSE("GPL");
MODULE_INFO(livepatch, "Y");
