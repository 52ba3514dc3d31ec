/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Options of the function graph tracer, and what one of its files shows.
 */
#ifndef _TRACE_TRACER_GRAPH_GRAPH_OPTIONS_H
#define _TRACE_TRACER_GRAPH_GRAPH_OPTIONS_H

#include <linux/bits.h>
#include <linux/types.h>

struct trace_array;

/* The most calls inside one another that a return stack has room for. */
#define GRAPH_DEPTH_MAX		100

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
	GRAPH_ARGS		= BIT(15),
	GRAPH_TRACER_TIME	= BIT(16),
};

/* Entries of calls have more in them. */
#define GRAPH_MORE	(GRAPH_RETADDR | GRAPH_ARGS)

/* Entries wait until the outermost call has returned. */
#define GRAPH_KEEP	(GRAPH_KEEP_SLOW | GRAPH_KEEP_FAILED)

/**
 * struct graph_counts - what became of call trees since the tracer was started
 * @kept: trees that were recorded
 * @truncated: those of them of which calls are missing
 * @dropped: trees that were neither slow nor failed
 * @dropped_calls: the calls in them
 * @unfinished: trees that were dropped because the outermost call never returned, or
 *		because an interrupt came while they began
 * @missed: trees and calls that were not recorded for want of memory, or because
 *	    they came in an interrupt while a tree was written to the buffer
 * @lost_calls: calls, whether there are trees that wait or not, that could not be recorded: their
 *		task had no return stack for want of memory, or no room on it
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
