// SPDX-License-Identifier: GPL-2.0
/*
 * Functions that self tests trace. This is the only object here with call sites.
 */
#include <linux/compiler.h>

#include "tracer/selftest/selftest.h"

/**
 * trace_selftest_inner - the function that trace_selftest_outer() calls
 * @n: any number
 */
noinline unsigned long trace_selftest_inner(unsigned long n)
{
	/* The compiler knows nothing of @n: no clone, no constant result. */
	barrier_data(&n);

	return n + 1;
}

/**
 * trace_selftest_outer - a function that calls trace_selftest_inner()
 * @n: any number
 */
noinline unsigned long trace_selftest_outer(unsigned long n)
{
	barrier_data(&n);

	/* No tail call. */
	return trace_selftest_inner(n) * 2;
}
