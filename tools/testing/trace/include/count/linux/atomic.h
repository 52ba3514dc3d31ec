/* SPDX-License-Identifier: GPL-2.0 */
/*
 * User space version of the kernel interfaces that lib/count.h uses.
 */
#ifndef TEST_COUNT_ATOMIC_H
#define TEST_COUNT_ATOMIC_H

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#ifndef __always_inline
#define __always_inline inline
#endif

typedef struct { int counter; } atomic_t;
typedef struct { long counter; } atomic_long_t;

#define atomic_read(a)		__atomic_load_n(&(a)->counter, __ATOMIC_RELAXED)
#define atomic_set(a, v)	__atomic_store_n(&(a)->counter, v, __ATOMIC_RELAXED)
#define atomic_xchg(a, v)	__atomic_exchange_n(&(a)->counter, v, __ATOMIC_SEQ_CST)
#define atomic_long_read	atomic_read
#define atomic_long_set		atomic_set
#define atomic_long_inc(a)	((void)__atomic_fetch_add(&(a)->counter, 1, __ATOMIC_RELAXED))
#define smp_mb()		__atomic_thread_fence(__ATOMIC_SEQ_CST)
#define smp_mb__after_atomic()	smp_mb()

static inline bool atomic_long_add_unless(atomic_long_t *a, long add, long unless)
{
	long old = atomic_long_read(a);

	while (old != unless)
		if (__atomic_compare_exchange_n(&a->counter, &old, old + add, false,
						__ATOMIC_SEQ_CST, __ATOMIC_RELAXED))
			return true;
	return false;
}

static inline int kstrtoul(const char *text, unsigned int base, unsigned long *value)
{
	char *end;

	errno = 0;
	*value = strtoul(text, &end, base);
	if (errno)
		return -errno;
	return isdigit(*text) && !*end ? 0 : -EINVAL;
}

#endif
