/* SPDX-License-Identifier: GPL-2.0 */
/*
 * User space version of the kernel interfaces that kernel/trace/hist/core/hist_map.c uses.
 */
#ifndef TEST_HIST_ENV_H
#define TEST_HIST_ENV_H

#include "lib/env.h"

typedef int64_t s64;
typedef struct { int counter; } atomic_t;
typedef struct { s64 counter; } atomic64_t;

#define noinline
#define READ_ONCE(x)		__atomic_load_n(&(x), __ATOMIC_RELAXED)
#define WRITE_ONCE(x, v)	__atomic_store_n(&(x), v, __ATOMIC_RELAXED)
#define atomic64_read(a)	READ_ONCE((a)->counter)
#define atomic64_read_acquire(a) __atomic_load_n(&(a)->counter, __ATOMIC_ACQUIRE)
#define atomic64_inc(a)		((void)__atomic_fetch_add(&(a)->counter, 1, __ATOMIC_RELAXED))
#define ilog2(n)		(31 - __builtin_clz(n))
#define kvcalloc(n, size, gfp)	kcalloc(n, size, gfp)

static inline bool atomic64_try_cmpxchg(atomic64_t *a, s64 *old, s64 new)
{
	return __atomic_compare_exchange_n(&a->counter, old, new, false, __ATOMIC_SEQ_CST,
					   __ATOMIC_RELAXED);
}

static inline int atomic_fetch_add_unless(atomic_t *a, int add, int unless)
{
	int old = READ_ONCE(a->counter);

	while (old != unless &&
	       !__atomic_compare_exchange_n(&a->counter, &old, old + add, false,
					    __ATOMIC_SEQ_CST, __ATOMIC_RELAXED))
		;
	return old;
}

#endif
