// SPDX-License-Identifier: GPL-2.0
/*
 * ftest_stack - functions that use much stack, for the stack tracer to measure.
 *
 * Writing to the parameter `call` makes these calls. In each, the array of the first function
 * takes most of its frame:
 *
 *   "deep"	ftest_stack_outer (1024 bytes), ftest_stack_middle (2048), ftest_stack_leaf
 *   "flat"	ftest_stack_leaf
 */
#include <linux/compiler.h>
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/string.h>

noinline void ftest_stack_leaf(char *text);
noinline void ftest_stack_middle(char *text);
noinline void ftest_stack_outer(char *text);

noinline void ftest_stack_leaf(char *text)
{
	barrier_data(text);
}

noinline void ftest_stack_middle(char *text)
{
	char array[2048];

	array[0] = *text;
	barrier_data(array);
	ftest_stack_leaf(array);
	barrier_data(array);
}

noinline void ftest_stack_outer(char *text)
{
	char array[1024];

	array[0] = *text;
	barrier_data(array);
	ftest_stack_middle(array);
	barrier_data(array);
}

static int set_call(const char *val, const struct kernel_param *kp)
{
	char text[1] = { };

	if (sysfs_streq(val, "deep"))
		ftest_stack_outer(text);
	else if (sysfs_streq(val, "flat"))
		ftest_stack_leaf(text);
	else
		return -EINVAL;
	return 0;
}

static const struct kernel_param_ops call_ops = {
	.set	= set_call,
};
module_param_cb(call, &call_ops, NULL, 0200);

MODULE_DESCRIPTION("Functions that use much stack");
MODULE_LICENSE("GPL");
