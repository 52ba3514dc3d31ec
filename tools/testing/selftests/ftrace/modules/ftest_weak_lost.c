// SPDX-License-Identifier: GPL-2.0
/*
 * The first function in the text of ftest_weak is the body of an overridden weak function. It
 * remains in the module, without a symbol.
 */
#include "ftest_weak.h"

__weak __attribute__((patchable_function_entry(0, 0))) int ftest_weak(int x)
{
	barrier();
	return x + 1;
}
