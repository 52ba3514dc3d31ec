// SPDX-License-Identifier: GPL-2.0
/*
 * Functions that the tests of hook/ trace.
 */
#include <linux/compiler.h>

#include "hook/kunit_target.h"

noinline int ftrace_kunit_add(int a, int b)
{
	OPTIMIZER_HIDE_VAR(a);
	return a + b;
}

noinline int ftrace_kunit_mul(int a, int b)
{
	OPTIMIZER_HIDE_VAR(a);
	return a * b;
}

noinline int ftrace_kunit_sub(int a, int b)
{
	OPTIMIZER_HIDE_VAR(a);
	return a - b;
}

noinline int ftrace_kunit_six(int a, int b, int c, int d, int e, int f)
{
	OPTIMIZER_HIDE_VAR(a);
	return a + 10 * b + 100 * c + 1000 * d + 10000 * e + 100000 * f;
}

/* Not a tail call, so that this function is on the stack while the other runs. */
noinline int ftrace_kunit_caller(int a, int b)
{
	int sum = ftrace_kunit_add(a, b);

	OPTIMIZER_HIDE_VAR(sum);
	return sum + 1;
}

noinline int ftrace_kunit_tail(int a, int b)
{
	OPTIMIZER_HIDE_VAR(a);
	return ftrace_kunit_add(a, b);
}

/* Left, like ftrace_kunit_tail(), before the other returns. */
noinline int ftrace_kunit_tail_run(int (*function)(void *data), void *data)
{
	OPTIMIZER_HIDE_VAR(data);
	return ftrace_kunit_run(function, data);
}

/* Calls of itself: @n and this one. */
noinline int ftrace_kunit_deep(int n)
{
	int sum = n > 0 ? ftrace_kunit_deep(n - 1) : 0;

	OPTIMIZER_HIDE_VAR(sum);
	return sum + 1;
}

noinline int ftrace_kunit_run(int (*function)(void *data), void *data)
{
	int result = function(data);

	OPTIMIZER_HIDE_VAR(result);
	return result;
}
