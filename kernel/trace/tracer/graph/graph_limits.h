/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Limits of the function graph tracer: they select among the calls that pass its filters.
 */
#ifndef _TRACE_TRACER_GRAPH_GRAPH_LIMITS_H
#define _TRACE_TRACER_GRAPH_GRAPH_LIMITS_H

#include <linux/ftrace.h>
#include <linux/types.h>

/**
 * struct graph_limits - limits of an instance
 * @outermost: never registered; its filters are set_graph_function as the functions to trace,
 *	and set_graph_notrace as the functions to leave out
 * @max_depth: max_graph_depth, 0 if there is no limit
 */
struct graph_limits {
	struct ftrace_ops	outermost;
	unsigned int		max_depth;
};

/**
 * struct graph_task - the task variable
 * @notrace_depth: depth, counted from 1, of a call of a function in set_graph_notrace, which is
 *	accepted only to detect its return; 0 outside. A function that was left without
 *	returning does not reset it, so it only applies to deeper calls.
 * @in_irq: depth, counted from 1, of a call in a hardware interrupt of a function in
 *	set_graph_function, which is recorded with all calls inside it, whether or not
 *	funcgraph-irqs is set; 0 outside. It may also be left set.
 * @notrace_ctx: interrupt_context_level() of the set_graph_notrace call
 * @tree: number of the tree that the task is in, 0 if there is none
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
