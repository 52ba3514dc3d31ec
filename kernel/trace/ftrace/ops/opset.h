/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Sets of ops: who is called at a site.
 *
 * Sites with the same users share one set and its trampoline, which calls the users
 * one after another. A set never changes: a site whose users change gets another set.
 * Each set has a number, which is what a record keeps.
 *
 * Where there can be no set (no memory, or too many users), the number is that of the
 * list function, which searches all ops for the users.
 */
#ifndef _TRACE_FTRACE_OPS_OPSET_H
#define _TRACE_FTRACE_OPS_OPSET_H

#include <linux/ftrace.h>
#include <linux/rbtree.h>

#include "patch/plan.h"

struct graph_users;

/* The list function calls the users of a function that has more of them. */
#define FTRACE_OPSET_MAX	32

/**
 * struct ftrace_opset - a set of ops
 * @node: in the tree of sets by members
 * @next: in the list of sets without users
 * @rcu: frees it when nobody can be in its trampoline any more
 * @code: address of its trampoline, or of the direct call if that is its only member
 * @direct: the direct call of one of its members, or 0
 * @graph: those of its members that are users of function graph, NULL for none
 * @users: number of records that refer to it
 * @nr: its number
 * @count: number of its members
 * @idle: it is in the list of sets without users
 * @ipmodify: one of its members may change the instruction pointer
 * @ops: its members, in ascending order of addresses
 */
struct ftrace_opset {
	struct rb_node		node;
	struct ftrace_opset	*next;
	struct rcu_head		rcu;
	unsigned long		code;
	unsigned long		direct;
	struct graph_users	*graph;
	unsigned int		users;
	u32			nr;
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

/* The site of a direct call alone calls it without a trampoline. */
static inline bool ftrace_opset_is_direct(const struct ftrace_opset *set)
{
	return set->direct && set->count == 1;
}

void ftrace_opset_get(unsigned int nr, unsigned int times);
void ftrace_opset_put(unsigned int nr, unsigned int times);
void ftrace_opset_sweep(void);

unsigned int ftrace_opset_count(void);

#endif /* _TRACE_FTRACE_OPS_OPSET_H */
