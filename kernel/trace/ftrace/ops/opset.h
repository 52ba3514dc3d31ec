/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Sets of ops: the users that are called at a site.
 *
 * Sites with the same users share one set and its trampoline, which calls the users one after
 * another. A set never changes: a site whose users change gets another set. Each set has a
 * number, which is stored in a record.
 *
 * If there can be no set (memory is short, or there are too many users), the number of the list
 * function is used, which searches all ops for the users.
 */
#ifndef _TRACE_FTRACE_OPS_OPSET_H
#define _TRACE_FTRACE_OPS_OPSET_H

#include <linux/ftrace.h>
#include <linux/rbtree.h>

#include "patch/plan.h"

struct graph_users;

/* Maximum number of members. If a function has more users, the list function calls them. */
#define FTRACE_OPSET_MAX	32

/**
 * struct ftrace_opset - a set of ops
 * @node: node in the tree of sets by members
 * @next: next in the list of sets without users
 * @rcu: frees it when no task can be in its trampoline any longer
 * @code: address of its trampoline, or of the direct call if that is its only member
 * @direct: direct call of one of its members, or 0
 * @graph: list of its members that are users of function graph, NULL for no users
 * @users: number of records that refer to it
 * @nr: number of the set
 * @count: number of members
 * @idle: it is in the list of sets without users
 * @ipmodify: one of its members may change the instruction pointer
 * @ops: members, in ascending order of addresses
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

/* A site whose only user is a direct call calls it without a trampoline. */
static inline bool ftrace_opset_is_direct(const struct ftrace_opset *set)
{
	return set->direct && set->count == 1;
}

void ftrace_opset_get(unsigned int nr, unsigned int times);
void ftrace_opset_put(unsigned int nr, unsigned int times);
void ftrace_opset_sweep(void);

unsigned int ftrace_opset_count(void);

#endif /* _TRACE_FTRACE_OPS_OPSET_H */
