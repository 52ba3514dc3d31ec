/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Which call trees the function graph tracer keeps.
 */
#ifndef _TRACE_TRACER_GRAPH_KEEP_H
#define _TRACE_TRACER_GRAPH_KEEP_H

#include <linux/ftrace.h>
#include <linux/percpu-defs.h>
#include <linux/types.h>

#include "hook/shadow.h"
#include "tracer/graph_options.h"

struct trace_array;
struct trees;

/**
 * struct graph_keep - what an instance has for that
 * @tr: the instance
 * @gops: of its tracer
 * @trees: call trees that may be kept; NULL without such an option. trace_lock to
 *	  change; freed behind a grace period that includes all callbacks.
 * @counts: what became of these
 * @lost_before: graph_lost_calls() when that began
 * @watch: of tasks that leave trees without returning
 */
struct graph_keep {
	struct trace_array		*tr;
	struct fgraph_ops		*gops;
	struct trees			*trees;
	struct graph_counts __percpu	*counts;
	unsigned long			lost_before;
	struct shadow_watch		watch;
};

/**
 * struct graph_task - the task variable
 * @muted: the depth, counted from 1, of a call of a function of set_graph_notrace,
 *	   which is accepted only so as to know when it returns; 0 outside. A function
 *	   that was left without returning leaves it behind, so it counts only for
 *	   deeper calls.
 * @muted_in: interrupt_context_level() of that call
 * @tree: number of the tree that the task is in, 0 for none
 */
struct graph_task {
	u16	muted;
	u16	tree;
	u8	muted_in;
};

static_assert(sizeof(struct graph_task) <= sizeof(unsigned long));

int graph_keep_start(struct graph_keep *keep, u32 flags);
void graph_keep_stop(struct graph_keep *keep);
struct graph_counts graph_keep_counts(const struct graph_keep *keep);

int graph_keep_entry(struct graph_keep *keep, struct graph_task *task, u32 flags,
		     const struct ftrace_graph_ent *ent);
void graph_keep_return(struct graph_keep *keep, struct graph_task *task, u32 flags,
		       const struct ftrace_graph_ret *ret);

#endif /* _TRACE_TRACER_GRAPH_KEEP_H */
