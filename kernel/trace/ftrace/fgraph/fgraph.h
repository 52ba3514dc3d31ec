/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Function graph: entry and return of functions, for up to 16 users.
 *
 * A user is a member of sets of ops, like a direct call. The trampoline of a set calls a
 * function of ftrace_graph_entry() once, after all other members, for all users in the set:
 * their list is passed in place of the ops. Users that register later are never notified of the
 * return of calls that began before, see the epoch in fgraph_slots.h.
 */
#ifndef _TRACE_FTRACE_FGRAPH_FGRAPH_H
#define _TRACE_FTRACE_FGRAPH_FGRAPH_H

#include <linux/ftrace.h>

#include "ftrace/fgraph/fgraph_slots.h"
#include "ftrace/fgraph/fgraph_unwind.h"

#ifdef CONFIG_FUNCTION_GRAPH_TRACER

/* Has the type of a callback, because a trampoline calls it like one. */
void ftrace_graph_enter(unsigned long ip, unsigned long parent_ip,
			struct ftrace_ops *users, struct ftrace_regs *fregs);
ftrace_func_t ftrace_graph_entry(const struct graph_users *users);
void ftrace_graph_func(unsigned long ip, unsigned long parent_ip,
		       struct ftrace_ops *ops, struct ftrace_regs *fregs);

/**
 * graph_entry_time - get the time of the call that is being entered: the calltime of its return
 *
 * Context: a user's entryfunc
 */
static __always_inline u64 graph_entry_time(void)
{
	struct ret_stack_call *call = ret_stack_at(ret_stack_of(current),
						   READ_ONCE(current->curr_ret_stack));

	return call[-1].calltime;
}

int graph_user_detach(struct fgraph_ops *gops);
struct ftrace_regs *graph_entry_regs(void);
unsigned long graph_lost_calls(void);
void *graph_outer_data(int idx);

#else

static inline ftrace_func_t ftrace_graph_entry(const struct graph_users *users)
{
	return ftrace_stub;
}

#endif
#endif /* _TRACE_FTRACE_FGRAPH_FGRAPH_H */
