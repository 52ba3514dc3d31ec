/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The function graph tracer, as those that print its entries and its files see it.
 */
#ifndef _TRACE_TRACER_GRAPH_H
#define _TRACE_TRACER_GRAPH_H

#include <linux/bits.h>
#include <linux/ftrace.h>
#include <linux/types.h>

struct trace_array;
struct tracer;

/* Options. From GRAPH_IRQS on they say what is recorded, the others how it is shown. */
enum {
	GRAPH_OVERRUN		= BIT(0),
	GRAPH_CPU		= BIT(1),
	GRAPH_OVERHEAD		= BIT(2),
	GRAPH_PROC		= BIT(3),
	GRAPH_DURATION		= BIT(4),
	GRAPH_ABSTIME		= BIT(5),
	GRAPH_TAIL		= BIT(6),
	GRAPH_RETVAL		= BIT(7),
	GRAPH_RETVAL_HEX	= BIT(8),
	GRAPH_IRQS		= BIT(9),
	GRAPH_SLEEP_TIME	= BIT(10),
	GRAPH_GRAPH_TIME	= BIT(11),
	GRAPH_KEEP_SLOW		= BIT(12),
	GRAPH_KEEP_FAILED	= BIT(13),
	GRAPH_RETADDR		= BIT(14),
};

/* Entries wait until the outermost call has returned. */
#define GRAPH_KEEP	(GRAPH_KEEP_SLOW | GRAPH_KEEP_FAILED)

/**
 * struct graph_counts - what became of call trees since the tracer was started
 * @kept: trees that were recorded
 * @truncated: those of them of which calls are missing
 * @dropped: trees that were neither slow nor failed
 * @dropped_calls: the calls in them
 * @unfinished: trees that were dropped because the task ended inside
 * @missed: trees and calls that were not recorded for want of memory, or because
 *	    they came in an interrupt while a tree was written to the buffer
 */
struct graph_counts {
	unsigned long	kept;
	unsigned long	truncated;
	unsigned long	dropped;
	unsigned long	dropped_calls;
	unsigned long	unfinished;
	unsigned long	missed;
};

/* The most calls inside one another that a shadow stack has room for. */
#define GRAPH_DEPTH_MAX		100

/* The tracer. Whoever prints its entries adds how, and registers it. */
extern struct tracer trace_graph_tracer;

#ifdef CONFIG_FUNCTION_GRAPH_TRACER
u32 trace_graph_flags(struct trace_array *tr);
unsigned int trace_graph_max_depth(struct trace_array *tr);
void trace_graph_set_max_depth(struct trace_array *tr, unsigned int depth);
struct ftrace_ops_hash *trace_graph_filters(struct trace_array *tr);
void trace_graph_update(struct trace_array *tr);
struct graph_counts trace_graph_counts(struct trace_array *tr);
struct fgraph_ops *trace_graph_user(struct trace_array *tr);
#else
static inline struct ftrace_ops_hash *trace_graph_filters(struct trace_array *tr)
{
	return NULL;
}

static inline void trace_graph_update(struct trace_array *tr) { }
#endif

#endif /* _TRACE_TRACER_GRAPH_H */
