// SPDX-License-Identifier: GPL-2.0
/*
 * Functions that self tests trace. This object alone has call sites.
 */
#include <linux/compiler.h>

#include "tracer/selftest.h"

/**
 * trace_selftest_inner - be called by trace_selftest_outer()
 * @n: any number
 */
noinline unsigned long trace_selftest_inner(unsigned long n)
{
	/* Neither inlined nor cloned nor called in advance. */
	barrier_data(&n);

	return n + 1;
}

/**
 * trace_selftest_outer - call trace_selftest_inner()
 * @n: any number
 */
noinline unsigned long trace_selftest_outer(unsigned long n)
{
	barrier_data(&n);

	/* Not the last thing done, so that it is a call. */
	return trace_selftest_inner(n) * 2;
}
