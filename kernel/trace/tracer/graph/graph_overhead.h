/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the function graph tracer itself costs.
 */
#ifndef _TRACE_TRACER_GRAPH_GRAPH_OVERHEAD_H
#define _TRACE_TRACER_GRAPH_GRAPH_OVERHEAD_H

#include <linux/ftrace.h>
#include <linux/types.h>

/* Costs are in units of a nanosecond / 256. */
#define GRAPH_COST_SHIFT	8

/**
 * struct graph_cost - what a traced call costs
 * @inside: the part of it that is in the duration of the call itself
 * @call: all of it: so much later the caller goes on
 * @refused: if the call is not recorded
 * @in_notrace: if the call is accepted only so as to know when it returns
 */
struct graph_cost {
	u64	inside;
	u64	call;
	u64	refused;
	u64	in_notrace;
};

struct graph_cost *graph_cost_known(u32 flags);
int graph_cost_inside(u64 *cost);
int graph_cost_of_call(struct fgraph_ops *gops, u64 *cost);

/* For these two alone: what is called while the cost is measured. */
void graph_cost_empty(void);
u64 graph_cost_calls(unsigned int nr);

#endif /* _TRACE_TRACER_GRAPH_GRAPH_OVERHEAD_H */
