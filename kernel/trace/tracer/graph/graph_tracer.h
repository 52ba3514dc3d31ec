/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The function graph tracer: interface for its files, its text and latency tracers.
 */
#ifndef _TRACE_TRACER_GRAPH_GRAPH_TRACER_H
#define _TRACE_TRACER_GRAPH_GRAPH_TRACER_H

#include <linux/errno.h>
#include <linux/ftrace.h>
#include <linux/types.h>

#include "instance/core/instance.h"
#include "tracer/graph/graph_options.h"

#ifdef CONFIG_FUNCTION_GRAPH_TRACER
unsigned int trace_graph_max_depth(struct trace_array *tr);
void trace_graph_set_max_depth(struct trace_array *tr, unsigned int depth);
struct ftrace_ops_hash *trace_graph_filters(struct trace_array *tr);
void trace_graph_filters_changed(struct trace_array *tr);
struct graph_counts trace_graph_counts(struct trace_array *tr);
struct fgraph_ops *trace_graph_user(struct trace_array *tr);
int trace_graph_latency_start(struct trace_array *tr);
void trace_graph_latency_stop(struct trace_array *tr);
void trace_graph_latency_leaf(struct trace_array *tr, unsigned long func);
#else
static inline struct ftrace_ops_hash *trace_graph_filters(struct trace_array *tr)
{
	return NULL;
}

static inline void trace_graph_filters_changed(struct trace_array *tr) { }

static inline int trace_graph_latency_start(struct trace_array *tr)
{
	return -EINVAL;
}

static inline void trace_graph_latency_stop(struct trace_array *tr) { }
static inline void trace_graph_latency_leaf(struct trace_array *tr, unsigned long func) { }
#endif

#endif /* _TRACE_TRACER_GRAPH_GRAPH_TRACER_H */
