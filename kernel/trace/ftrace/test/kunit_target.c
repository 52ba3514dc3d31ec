// SPDX-License-Identifier: GPL-2.0
/* Functions that are traced by the tests of ftrace/. */
#include <linux/compiler.h>

#include "ftrace/test/kunit_target.h"

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

/* Its arguments take all registers that arguments can be in. */
noinline int ftrace_kunit_eight(int a, int b, int c, int d, int e, int f, int g, int h)
{
	OPTIMIZER_HIDE_VAR(a);
	return a + 10 * (b + 10 * (c + 10 * (d + 10 * (e + 10 * (f + 10 * (g + 10 * h))))));
}

/* Its result takes two registers. */
noinline struct ftrace_kunit_pair ftrace_kunit_pair(long a, long b)
{
	OPTIMIZER_HIDE_VAR(a);
	return (struct ftrace_kunit_pair) { b, a };
}

/* The address of its result is passed in a register. */
noinline struct ftrace_kunit_words ftrace_kunit_words(long first)
{
	OPTIMIZER_HIDE_VAR(first);
	return (struct ftrace_kunit_words) {
		{ first, first + 1, first + 2, first + 3,
		  first + 4, first + 5, first + 6, first + 7 }
	};
}

noinline notrace struct ftrace_kunit_words
ftrace_kunit_untraced(long a, long b, long c, long d, long e, long f, long g, long h)
{
	OPTIMIZER_HIDE_VAR(a);
	return (struct ftrace_kunit_words) { { a, b, c, d, e, f, g, h } };
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

/* Left, like ftrace_kunit_tail(), before the other function returns. */
noinline int ftrace_kunit_tail_run(int (*function)(void *data), void *data)
{
	OPTIMIZER_HIDE_VAR(data);
	return ftrace_kunit_run(function, data);
}

/* Makes @n recursive calls, in addition to its own. */
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
