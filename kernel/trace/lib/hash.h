/* SPDX-License-Identifier: GPL-2.0 */
/*
 * struct ftrace_hash: a set of addresses, kept as a sorted array.
 *
 * A published set never changes. A writer makes a new set and replaces the old one, which
 * readers may continue to use. A look-up is a binary search, and members are in the order of the
 * call sites.
 */
#ifndef _TRACE_LIB_HASH_H
#define _TRACE_LIB_HASH_H

#include "lib/env.h"

/**
 * struct ftrace_hash - a set of addresses
 * @rcu: head with which the owner frees the set when its readers are done
 * @count: number of addresses
 * @ip: addresses in ascending order, each once
 */
struct ftrace_hash {
	struct rcu_head	rcu;
	unsigned int	count;
	unsigned long	ip[] __counted_by(count);
};

struct ftrace_hash *ftrace_hash_make(const unsigned long *ip, unsigned int count);
struct ftrace_hash *ftrace_hash_union(const struct ftrace_hash *a,
				      const struct ftrace_hash *b);
struct ftrace_hash *ftrace_hash_minus(const struct ftrace_hash *a,
				      const struct ftrace_hash *b);
struct ftrace_hash *ftrace_hash_copy(const struct ftrace_hash *hash, gfp_t gfp);
void ftrace_hash_free(struct ftrace_hash *hash);

int ftrace_hash_index(const struct ftrace_hash *hash, unsigned long ip);
bool ftrace_hash_has(const struct ftrace_hash *hash, unsigned long ip);
bool ftrace_hash_touches(const struct ftrace_hash *hash, unsigned long start,
			 unsigned long end);
bool ftrace_hash_same(const struct ftrace_hash *a, const struct ftrace_hash *b);

#endif /* _TRACE_LIB_HASH_H */
