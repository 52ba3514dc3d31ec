/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Which calls the function graph tracer records, of those that its filters let through.
 */
#ifndef _TRACE_TRACER_GRAPH_GRAPH_LIMITS_H
#define _TRACE_TRACER_GRAPH_GRAPH_LIMITS_H

#include <linux/ftrace.h>
#include <linux/types.h>

/**
 * struct graph_limits - what an instance has for that
 * @outermost: never registered; its filters are those of set_graph_function, and in
 *	  place of functions to leave out, set_graph_notrace
 * @max_depth: max_graph_depth, 0 for no limit
 */
struct graph_limits {
	struct ftrace_ops	outermost;
	unsigned int		max_depth;
};

/**
 * struct graph_task - the task variable
 * @notrace_depth: the depth, counted from 1, of a call of a function of set_graph_notrace,
 *	   which is accepted only so as to know when it returns; 0 outside. A function
 *	   that was left without returning leaves it behind, so it counts only for
 *	   deeper calls.
 * @in_irq: the depth, counted from 1, of a call in a hardware interrupt of a function of
 *	   set_graph_function, which is recorded with all inside of it whatever
 *	   funcgraph-irqs says; 0 outside. It may be left behind as well.
 * @notrace_ctx: interrupt_context_level() of the muted call
 * @tree: number of the tree that the task is in, 0 for none
 */
struct graph_task {
	u16	notrace_depth;
	u16	tree;
	u16	in_irq;
	u8	notrace_ctx;
};

static_assert(sizeof(struct graph_task) <= sizeof(unsigned long));

bool graph_limits_in_notrace(struct graph_task *task, const struct ftrace_graph_ent *ent);
bool graph_limits_notrace(const struct graph_limits *limits, struct graph_task *task,
			  const struct ftrace_graph_ent *ent);
bool graph_limits_end(struct graph_task *task, int depth);
bool graph_limits_refuse(const struct graph_limits *limits, struct graph_task *task, u32 flags,
			 const struct ftrace_graph_ent *ent);
bool graph_limits_leave_out(const struct graph_limits *limits, struct graph_task *task,
			    u32 flags, const struct ftrace_graph_ent *ent);

#endif /* _TRACE_TRACER_GRAPH_GRAPH_LIMITS_H */
