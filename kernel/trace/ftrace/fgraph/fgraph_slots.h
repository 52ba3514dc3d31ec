/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Slots of function graph users, by their numbers, as entries and returns of functions find
 * them.
 */
#ifndef _TRACE_FTRACE_FGRAPH_FGRAPH_SLOTS_H
#define _TRACE_FTRACE_FGRAPH_FGRAPH_SLOTS_H

#include <linux/ftrace.h>
#include <linux/rcupdate.h>

#include "ftrace/fgraph/ret_stack.h"

/**
 * struct graph_user - a user, as an element of lists
 * @entry: its entryfunc
 * @gops: the user
 * @epoch: epoch of its registration
 * @idx: index of the user
 * @bit: bit of the user in ret_stack_call.users
 * @flags: flags of its ops that restrict when it may be called
 */
struct graph_user {
	trace_func_graph_ent_t	entry;
	struct fgraph_ops	*gops;
	u32			epoch;
	u32			idx;
	u16			bit;
	u16			flags;
};

/**
 * struct graph_users - the users in a set of ops
 * @epoch: epoch at which the list was made: it has no user that registered later
 * @count: number of users
 * @plain: one user that may always be called, and nobody else makes the function continue at
 *	another address
 * @user: the users
 *
 * The epoch is a number that each registration increments. It distinguishes a user from a later
 * user with the same index.
 */
struct graph_users {
	u32			epoch;
	u16			count;
	bool			plain;
	struct graph_user	user[] __counted_by(count);
};

#ifdef CONFIG_FUNCTION_GRAPH_TRACER

/**
 * struct graph_slot - a user, as returns find it
 * @gops: the user
 * @ret: its retfunc
 * @epoch: epoch of its registration
 * @idx: index of the user
 * @rcu: head for call_ftrace_rcu()
 *
 * It never changes: a return that runs while one user is unregistered and another user gets the
 * same number sees all fields of the one, or all of the other.
 */
struct graph_slot {
	struct fgraph_ops	*gops;
	trace_func_graph_ret_t	ret;
	u32			epoch;
	u32			idx;
	struct rcu_head		rcu;
};

/* The users by their numbers; ftrace_lock to change. */
extern struct graph_slot __rcu *graph_slots[GRAPH_USERS];

static inline struct fgraph_ops *graph_gops_of(struct ftrace_ops *ops)
{
	return container_of(ops, struct fgraph_ops, ops);
}

/* Slots are freed after a grace period that includes all callers of call sites. */
static __always_inline const struct graph_slot *graph_slot_at(unsigned long idx)
{
	return rcu_dereference_raw(graph_slots[idx]);
}

/* Did the user register before a list with this epoch was made? */
static __always_inline bool graph_slot_was_there(const struct graph_slot *slot, u32 epoch)
{
	/* The epoch of graph_nobody changes; the epochs of other slots do not. */
	return (s32)(epoch - READ_ONCE(slot->epoch)) >= 0;
}

const struct graph_slot *graph_slot_of(const struct fgraph_ops *gops);
struct graph_user graph_user_of(const struct graph_slot *slot);

int graph_users_make(struct graph_users **users, struct ftrace_ops **ops,
		     unsigned int count);
int graph_user_add(struct fgraph_ops *gops);
void graph_user_remove(struct fgraph_ops *gops);
unsigned long *graph_stack_var(struct fgraph_ops *gops, struct fgraph_ret_stack *stack);
unsigned int graph_stack_depth(struct fgraph_ops *gops, struct fgraph_ret_stack *stack);

#else

static inline int graph_users_make(struct graph_users **users,
				   struct ftrace_ops **ops, unsigned int count)
{
	*users = NULL;
	return 0;
}

#endif
#endif /* _TRACE_FTRACE_FGRAPH_FGRAPH_SLOTS_H */
