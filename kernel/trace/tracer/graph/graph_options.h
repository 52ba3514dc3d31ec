/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Options of the function graph tracer, and the content of graph_tree_stats.
 */
#ifndef _TRACE_TRACER_GRAPH_GRAPH_OPTIONS_H
#define _TRACE_TRACER_GRAPH_GRAPH_OPTIONS_H

#include <linux/bits.h>
#include <linux/types.h>

struct trace_array;

/* Maximum nesting depth of calls on a return stack. */
#define GRAPH_DEPTH_MAX		100

/* Options. From GRAPH_IRQS on they control recording, the options before it control output. */
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
	GRAPH_ARGS		= BIT(15),
	GRAPH_TRACER_TIME	= BIT(16),
};

/* Entries of calls have additional fields. */
#define GRAPH_MORE	(GRAPH_RETADDR | GRAPH_ARGS)

/* Entries are pending until the outermost call has returned. */
#define GRAPH_KEEP	(GRAPH_KEEP_SLOW | GRAPH_KEEP_FAILED)

/**
 * struct graph_counts - statistics of call trees since the tracer was started
 * @kept: trees that were recorded
 * @truncated: kept trees with missing calls
 * @dropped: trees that were neither slow nor failed
 * @dropped_calls: calls in dropped trees
 * @unfinished: trees dropped because the outermost call never returned, or because an interrupt
 *	occurred while they began
 * @missed: trees and calls not recorded for lack of memory, or because they occurred in an
 *	interrupt while a tree was written to the buffer
 * @lost_calls: calls, with or without pending trees, that could not be recorded: their task had
 *	no return stack for lack of memory, or no space on it
 */
struct graph_counts {
	unsigned long	kept;
	unsigned long	truncated;
	unsigned long	dropped;
	unsigned long	dropped_calls;
	unsigned long	unfinished;
	unsigned long	missed;
	unsigned long	lost_calls;
};

/* graph_tracer.c */
const u32 *trace_graph_flags(const struct trace_array *tr);

#endif /* _TRACE_TRACER_GRAPH_GRAPH_OPTIONS_H */
