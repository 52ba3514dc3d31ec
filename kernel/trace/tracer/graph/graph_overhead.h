/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Overhead of the function graph tracer.
 */
#ifndef _TRACE_TRACER_GRAPH_GRAPH_OVERHEAD_H
#define _TRACE_TRACER_GRAPH_GRAPH_OVERHEAD_H

#include <linux/ftrace.h>
#include <linux/types.h>

/* Costs are in units of a nanosecond / 256. */
#define GRAPH_COST_SHIFT	8

/**
 * struct graph_cost - overhead of a traced call
 * @inside: part that falls within the recorded duration of the call
 * @call: total: the delay that the caller sees
 * @refused: overhead of a call that is not recorded
 * @in_notrace: overhead of a call in set_graph_notrace, which is hooked only to detect its
 *	return
 */
struct graph_cost {
	u64	inside;
	u64	call;
	u64	refused;
	u64	in_notrace;
};

struct graph_cost *graph_cost_known(u32 flags);
int graph_cost_inside(struct fgraph_ops *gops, u64 *cost);
int graph_cost_of_call(struct fgraph_ops *gops, u64 *cost);

/* For these two functions only: the code that is called during the measurement. */
void graph_cost_empty(void);
u64 graph_cost_calls(unsigned int nr);

#endif /* _TRACE_TRACER_GRAPH_GRAPH_OVERHEAD_H */
