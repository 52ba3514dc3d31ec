// SPDX-License-Identifier: GPL-2.0
/*
 * Functions that self tests trace. This is the only object in kernel/trace with call sites.
 */
#include <linux/compiler.h>

#include "tracer/selftest/selftest.h"

/**
 * trace_selftest_inner - function called by trace_selftest_outer()
 * @n: any number
 */
noinline unsigned long trace_selftest_inner(unsigned long n)
{
	/* Hide the value of @n from the compiler: no clone, no constant result. */
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

	/* Prevent a tail call. */
	return trace_selftest_inner(n) * 2;
}
