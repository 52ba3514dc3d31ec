/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Sets of ops: who is called at a site.
 *
 * Sites with the same users share one set, and its trampoline, which calls the
 * users one after another. A set never changes; a site whose users change gets
 * another set. Sets go by number: that is what a record keeps.
 *
 * Where a set cannot be had (no memory, no number left, too many users), the
 * number is that of the list function, which looks for the users itself.
 */
#ifndef _TRACE_HOOK_OPSET_H
#define _TRACE_HOOK_OPSET_H

#include <linux/ftrace.h>

#include "patch/plan.h"

/* More users than this on one function are left to the list function. */
#define FTRACE_OPSET_MAX	32

/**
 * struct ftrace_opset - a set of ops
 * @node: in the table of sets by members
 * @next: list of sets that nobody refers to
 * @rcu: frees it when nobody can be in its trampoline
 * @code: address of its trampoline, or of the direct call that it consists of
 * @direct: the direct call of one of its members, or 0
 * @users: how often records refer to it, as HAVE or as WANT
 * @nr: its number
 * @count: number of its members
 * @idle: nobody refers to it, and it is on the list of such sets
 * @ipmodify: one of its members may change the instruction pointer
 * @ops: its members, by ascending address
 */
struct ftrace_opset {
	struct hlist_node	node;
	struct ftrace_opset	*next;
	struct rcu_head		rcu;
	unsigned long		code;
	unsigned long		direct;
	unsigned int		users;
	u16			nr;
	u16			count;
	bool			idle;
	bool			ipmodify;
	struct ftrace_ops	*ops[] __counted_by(count);
};

const struct ftrace_opset *ftrace_opset(unsigned int nr);
unsigned long ftrace_opset_code(unsigned int nr);

unsigned int ftrace_opset_of(struct ftrace_ops **ops, unsigned int count);
unsigned int ftrace_opset_with(unsigned int nr, struct ftrace_ops *ops);
unsigned int ftrace_opset_without(unsigned int nr, struct ftrace_ops *ops);
unsigned int ftrace_opset_again(unsigned int nr);

/* A direct call alone needs no trampoline of ours. */
static inline bool ftrace_opset_is_direct(const struct ftrace_opset *set)
{
	return set->direct && set->count == 1;
}

void ftrace_opset_get(unsigned int nr, unsigned int times);
void ftrace_opset_put(unsigned int nr, unsigned int times);
void ftrace_opset_sweep(void);

unsigned int ftrace_opset_count(void);

#endif /* _TRACE_HOOK_OPSET_H */
