/* SPDX-License-Identifier: GPL-2.0 */
/*
 * User space version of the kernel interfaces that kernel/trace/lib/ and patch/plan.h use.
 *
 * Memory is allocated by malloc(), is filled with garbage unless zeros were requested, and
 * fails if a test requests that:
 *
 *	for (n = 0; env_fail_alloc(n), !operation(); n++)
 *		check that nothing has changed;
 *
 * makes each allocation of the operation fail in turn.
 */
#ifndef TEST_LIB_ENV_H
#define TEST_LIB_ENV_H

#include <errno.h>
#include <limits.h>
#include <malloc.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

#include <linux/glob.h>

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;
typedef unsigned int gfp_t;

struct rcu_head {
	struct rcu_head *next;
	void (*func)(struct rcu_head *head);
};

#define NOKPROBE_SYMBOL(fn)	struct env_nothing
#define __counted_by(member)	__attribute__((counted_by(member)))
#define likely(x)		__builtin_expect(!!(x), 1)
#define unlikely(x)		__builtin_expect(!!(x), 0)

#define BIT(nr)			(1UL << (nr))
#define ARRAY_SIZE(a)		(sizeof(a) / sizeof((a)[0]))

#define min_t(type, a, b)	({ type _a = (a), _b = (b); _a < _b ? _a : _b; })
#define max_t(type, a, b)	({ type _a = (a), _b = (b); _a > _b ? _a : _b; })

#define struct_size(p, member, count) \
	offsetof(typeof(*(p)), member[(size_t)(count)])

#define GFP_KERNEL		0u
#define __GFP_NOWARN		0u

/* number of allocations that succeed before one fails; -1: all succeed */
extern long env_allocs_left;
/* number of allocations that are not freed yet */
extern long env_allocs_live;

static inline void env_fail_alloc(long after)
{
	env_allocs_left = after;
}

/* must be used once in a program, outside functions */
#define ENV_VARIABLES			\
	long env_allocs_left = -1;	\
	long env_allocs_live

static inline void *env_alloc(size_t size, int fill)
{
	void *p;

	if (env_allocs_left >= 0 && env_allocs_left-- == 0)
		return NULL;
	p = malloc(size);
	if (p) {
		memset(p, fill, size);
		env_allocs_live++;
	}
	return p;
}

static inline void env_free(const void *p)
{
	if (p)
		env_allocs_live--;
	free((void *)p);
}

#define kmalloc(size, gfp)		((void)(gfp), env_alloc(size, 0xa5))
#define kzalloc(size, gfp)		((void)(gfp), env_alloc(size, 0))
#define kmalloc_array(n, size, gfp)	kmalloc((size_t)(n) * (size), gfp)
#define kcalloc(n, size, gfp)		kzalloc((size_t)(n) * (size), gfp)
#define kvmalloc(size, gfp)		kmalloc(size, gfp)
#define kvzalloc(size, gfp)		kzalloc(size, gfp)
#define kvmalloc_array(n, size, gfp)	kmalloc_array(n, size, gfp)
#define array_size(n, size)		((size_t)(n) * (size))

/* If a test makes it fail, the old memory is kept. */
static inline void *kvrealloc(void *p, size_t size, gfp_t gfp)
{
	void *more = env_alloc(size, 0xa5);

	(void)gfp;
	if (!more || !p)
		return more;

	memcpy(more, p, min_t(size_t, size, malloc_usable_size(p)));
	env_allocs_live--;
	free(p);
	return more;
}

#define kfree(p)			env_free(p)
#define kvfree(p)			env_free(p)

static inline void sort(void *base, size_t num, size_t size,
			int (*compare)(const void *, const void *), void *swap)
{
	(void)swap;
	if (num)
		qsort(base, num, size, compare);
}

#endif
