/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Function graph: entry and return of functions, for up to 16 users.
 *
 * A user is a member of sets of ops, as a direct call is. The trampoline of a set
 * calls ftrace_graph_enter() once, after all other members, for all users among
 * them: their list takes the place of the ops. Users that come later never hear of
 * calls that began before, see epoch below.
 */
#ifndef _TRACE_HOOK_GRAPH_H
#define _TRACE_HOOK_GRAPH_H

#include <linux/ftrace.h>

#include "hook/graph_unwind.h"

/**
 * struct graph_user - a user, as lists have it
 * @entry: its entryfunc
 * @gops: the user
 * @epoch: when it registered
 * @idx: which of the users it is
 * @bit: of it, in shadow_call.users
 * @flags: of its ops, those that restrict when it may be called
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
 * @epoch: when the list was made: it has no user that registered later
 * @count: their number
 * @user: the users
 *
 * The epoch is a number that each registration raises. It tells a user from a later
 * one with the same idx.
 */
struct graph_users {
	u32			epoch;
	u32			count;
	struct graph_user	user[] __counted_by(count);
};

#ifdef CONFIG_FUNCTION_GRAPH_TRACER

struct shadow_stack;

int graph_users_make(struct graph_users **users, struct ftrace_ops **ops,
		     unsigned int count);

/* In the form of a callback, because a trampoline calls it like one. */
void ftrace_graph_enter(unsigned long ip, unsigned long parent_ip,
			struct ftrace_ops *users, struct ftrace_regs *fregs);
void ftrace_graph_func(unsigned long ip, unsigned long parent_ip,
		       struct ftrace_ops *ops, struct ftrace_regs *fregs);

int graph_user_add(struct fgraph_ops *gops);
void graph_user_remove(struct fgraph_ops *gops);
int graph_user_detach(struct fgraph_ops *gops);
struct ftrace_regs *graph_entry_regs(void);
unsigned long graph_lost_calls(void);
void *graph_outer_data(int idx);
unsigned long *graph_stack_var(struct fgraph_ops *gops, struct shadow_stack *stack);
unsigned int graph_stack_depth(struct fgraph_ops *gops, struct shadow_stack *stack);

#else

static inline int graph_users_make(struct graph_users **users,
				   struct ftrace_ops **ops, unsigned int count)
{
	*users = NULL;
	return 0;
}

#define ftrace_graph_enter	ftrace_stub

#endif
#endif /* _TRACE_HOOK_GRAPH_H */
