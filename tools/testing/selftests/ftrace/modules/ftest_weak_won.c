// SPDX-License-Identifier: GPL-2.0
/*
 * ftest_weak - a module with a weak function that another one overrides.
 */
#include <linux/module.h>

#include "ftest_weak.h"

int ftest_weak(int x)
{
	barrier();
	return x + 2;
}

MODULE_DESCRIPTION("A weak function for tests of function tracing");
MODULE_LICENSE("GPL");
