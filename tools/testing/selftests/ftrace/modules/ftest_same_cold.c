// SPDX-License-Identifier: GPL-2.0
/*
 * The first ftest_same() of the module, which is located after the second one because it is in
 * another section.
 */
#include "ftest_same.h"

static noinline __noclone __cold int ftest_same(int x)
{
	OPTIMIZER_HIDE_VAR(x);
	return x + 1;
}

static noinline __noclone notrace int ftest_half(int x)
{
	OPTIMIZER_HIDE_VAR(x);
	return x;
}

module_param_cb(first, &value_ops, NULL, 0400);
MODULE_PARM_DESC(first, "What the first ftest_same(0) returns");
