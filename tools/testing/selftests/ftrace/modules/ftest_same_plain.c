// SPDX-License-Identifier: GPL-2.0
/*
 * ftest_same - two functions of the same name. Reading the parameter first or second calls the
 * first or second of them.
 */
#include <linux/module.h>

#include "ftest_same.h"

static noinline __noclone int ftest_same(int x)
{
	OPTIMIZER_HIDE_VAR(x);
	return x + 2;
}

static noinline __noclone int ftest_half(int x)
{
	OPTIMIZER_HIDE_VAR(x);
	return x;
}

module_param_cb(second, &value_ops, NULL, 0400);
MODULE_PARM_DESC(second, "What the second ftest_same(0) returns");

MODULE_DESCRIPTION("Functions of the same name for tests of live patches");
MODULE_LICENSE("GPL");
