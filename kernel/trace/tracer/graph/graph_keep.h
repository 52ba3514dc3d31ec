/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Conditional recording of call trees by the function graph tracer.
 */
#ifndef _TRACE_TRACER_GRAPH_GRAPH_KEEP_H
#define _TRACE_TRACER_GRAPH_GRAPH_KEEP_H

#include <linux/ftrace.h>
#include <linux/percpu-defs.h>
#include <linux/types.h>

#include "ftrace/fgraph/ret_stack.h"
#include "tracer/graph/graph_limits.h"
#include "tracer/graph/graph_options.h"

struct trace_array;
struct graph_pending_trees;

/**
 * struct graph_keep - state of an instance for pending call trees
 * @tr: the instance
 * @gops: fgraph ops of its tracer
 * @trees: pending call trees; NULL if no such option is set. Changed under trace_lock; freed
 *	after a grace period that includes all callbacks.
 * @counts: statistics of the trees
 * @watch: notifier about tasks that exit inside trees
 */
struct graph_keep {
	struct trace_array		*tr;
	struct fgraph_ops		*gops;
	struct graph_pending_trees	*trees;
	struct graph_counts __percpu	*counts;
	struct ret_stack_watch		watch;
};

int graph_keep_start(struct graph_keep *keep, u32 flags);
void graph_keep_stop(struct graph_keep *keep);
struct graph_counts graph_keep_counts(const struct graph_keep *keep);
unsigned long graph_keep_lost(const struct graph_keep *keep, unsigned int cpu);

int graph_keep_entry(struct graph_keep *keep, struct graph_task *task, u32 flags,
		     const struct ftrace_graph_ent *ent);
void graph_keep_return(struct graph_keep *keep, struct graph_task *task, u32 flags,
		       const struct ftrace_graph_ret *ret);

#endif /* _TRACE_TRACER_GRAPH_GRAPH_KEEP_H */
