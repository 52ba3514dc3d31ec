/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Times excluded from the duration of a call.
 */
#ifndef _TRACE_TRACER_GRAPH_GRAPH_TIMES_H
#define _TRACE_TRACER_GRAPH_GRAPH_TIMES_H

#include <linux/ftrace.h>
#include <linux/types.h>

#include "tracer/graph/graph_overhead.h"

void graph_times_begin(int idx, u32 flags);
void graph_times_add(int idx, u32 flags, u64 cost);
void graph_times_end(int idx, u32 flags, const struct graph_cost *cost,
		     struct ftrace_graph_ret *ret);

#endif /* _TRACE_TRACER_GRAPH_GRAPH_TIMES_H */
