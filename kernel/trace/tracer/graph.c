// SPDX-License-Identifier: GPL-2.0
/*
 * The function graph tracer: an entry when a traced function is called, and one when
 * it returns, with the time that it took.
 */
#include <linux/cleanup.h>
#include <linux/ftrace.h>
#include <linux/init.h>
#include <linux/kernel.h>
#include <linux/preempt.h>
#include <linux/printk.h>
#include <linux/slab.h>

#include "filter/filter.h"
#include "filter/pids.h"
#include "hook/ops.h"
#include "hook/shadow.h"
#include "instance/entries.h"
#include "instance/instance.h"
#include "instance/latency.h"
#include "instance/life.h"
#include "instance/tracer.h"
#include "instance/write.h"
#include "lib/hash.h"
#include "ring/write.h"
#include "tracer/graph.h"
#include "tracer/selftest.h"

/**
 * struct trace_graph - what an instance has for the tracer
 * @gops: registered while the tracer is the current one. Its ops has the filters of
 *	  set_ftrace_filter and set_ftrace_notrace.
 * @tr: the instance
 * @outermost: never registered; its filters are those of set_graph_function, and in
 *	  place of functions to leave out, set_graph_notrace
 * @max_depth: max_graph_depth, 0 for no limit
 * @flags: the options
 * @checks: any of these restrict what is recorded: callbacks look no further if not.
 *	  trace_lock to change.
 */
struct trace_graph {
	struct fgraph_ops	gops;
	struct trace_array	*tr;
	struct ftrace_ops	outermost;
	unsigned int		max_depth;
	u32			flags;
	bool			checks;
};

#define GRAPH_RECORD_FLAGS	(GRAPH_IRQS | GRAPH_SLEEP_TIME)

/* The ring refuses a writer that is inside already in the same context. */
static noinline int record_entry(struct trace_array *tr,
				 const struct ftrace_graph_ent *ent)
{
	unsigned int context = trace_context_now();
	struct graph_ent_entry *entry;
	struct ring_write write;

	entry = ring_write_begin(tr->main.buffer, sizeof(*entry), &write);
	/* What is not shown to begin is not shown to end. */
	if (unlikely(!entry))
		return 0;

	trace_entry_fill(&entry->ent, TRACE_GRAPH_ENT, context);
	entry->graph_ent = *ent;
	trace_cmdline_want();
	ring_write_end(&write);
	return 1;
}

static noinline void record_return(struct trace_array *tr,
				   const struct ftrace_graph_ret *ret)
{
	unsigned int context = trace_context_now();
	struct graph_ret_entry *entry;
	struct ring_write write;

	entry = ring_write_begin(tr->main.buffer, sizeof(*entry), &write);
	if (unlikely(!entry))
		return;

	trace_entry_fill(&entry->ent, TRACE_GRAPH_RET, context);
	entry->ret = *ret;
	trace_cmdline_want();
	ring_write_end(&write);
}

static __always_inline bool has_limits(const struct trace_graph *graph)
{
	return READ_ONCE(graph->checks) || READ_ONCE(trace_latency_thresh);
}

static bool is_in(struct ftrace_hash __rcu *set, unsigned long ip)
{
	/* Freed behind a grace period that includes all callbacks. */
	struct ftrace_hash *hash = rcu_dereference_raw(set);

	return hash && ftrace_hash_has(hash, ip);
}

/*
 * The task variable is the depth of the calls in a function of set_graph_notrace,
 * which is accepted only so as to know when it returns; 0 outside. A function that
 * was left without returning leaves it behind, so it counts only for deeper calls.
 */
static bool is_muted(struct trace_graph *graph, const struct ftrace_graph_ent *ent)
{
	unsigned long *muted = fgraph_get_task_var(&graph->gops);

	if (*muted && ent->depth < *muted)
		*muted = 0;

	return *muted;
}

/* Return: whether set_graph_notrace begins with this call. */
static bool mute(struct trace_graph *graph, const struct ftrace_graph_ent *ent)
{
	if (!is_in(graph->outermost.func_hash->notrace_hash, ent->func))
		return false;

	*fgraph_get_task_var(&graph->gops) = ent->depth + 1;
	return true;
}

/* Only accepted calls count for the depth: outside of set_graph_function it is 0. */
static bool is_outside(const struct trace_graph *graph,
		       const struct ftrace_graph_ent *ent)
{
	struct ftrace_ops_hash *hash = graph->outermost.func_hash;

	return !ent->depth && rcu_access_pointer(hash->filter_hash) &&
	       !is_in(hash->filter_hash, ent->func);
}

static noinline int graph_entry_checked(struct trace_graph *graph,
					struct ftrace_graph_ent *ent)
{
	unsigned int max = READ_ONCE(graph->max_depth);
	u32 flags = READ_ONCE(graph->flags);
	u64 *slept;

	if (is_muted(graph, ent) || (max && ent->depth >= max) ||
	    (!(flags & GRAPH_IRQS) && in_hardirq()) || is_outside(graph, ent))
		return 0;

	if (mute(graph, ent))
		return 1;

	if (!(flags & GRAPH_SLEEP_TIME)) {
		slept = fgraph_reserve_data(graph->gops.idx, sizeof(*slept));
		if (slept)
			*slept = shadow_stack_slept();
	}

	/* Only the return tells whether it took long enough. */
	return READ_ONCE(trace_latency_thresh) ? 1 : record_entry(graph->tr, ent);
}

static int graph_entry(struct ftrace_graph_ent *ent, struct fgraph_ops *gops)
{
	struct trace_graph *graph = container_of(gops, struct trace_graph, gops);
	struct trace_array *tr = graph->tr;

	if (ftrace_pids_skip(tr->pids))
		return 0;

	if (unlikely(has_limits(graph)))
		return graph_entry_checked(graph, ent);

	return record_entry(tr, ent);
}

static noinline void graph_return_checked(struct trace_graph *graph,
					  const struct ftrace_graph_ret *call)
{
	unsigned long *muted = fgraph_get_task_var(&graph->gops);
	struct ftrace_graph_ret ret = *call;
	u64 *slept;

	if (*muted == ret.depth + 1) {
		*muted = 0;
		return;
	}

	slept = fgraph_retrieve_data(graph->gops.idx, NULL);
	if (slept)
		ret.calltime += shadow_stack_slept() - *slept;
	if (ret.rettime - ret.calltime >= READ_ONCE(trace_latency_thresh))
		record_return(graph->tr, &ret);
}

static void graph_return(struct ftrace_graph_ret *ret, struct fgraph_ops *gops)
{
	struct trace_graph *graph = container_of(gops, struct trace_graph, gops);

	if (unlikely(has_limits(graph)))
		graph_return_checked(graph, ret);
	else
		record_return(graph->tr, ret);
}

static struct trace_graph top_graph;

/**
 * trace_graph_update - the limits of what an instance records may have changed
 * @tr: the instance
 *
 * trace_lock held.
 */
void trace_graph_update(struct trace_array *tr)
{
	struct trace_graph *graph = tr->graph;
	struct ftrace_ops_hash *hash = graph->outermost.func_hash;

	lockdep_assert_held(&trace_lock);

	WRITE_ONCE(graph->checks,
		   graph->max_depth || ~graph->flags & GRAPH_RECORD_FLAGS ||
		   rcu_access_pointer(hash->filter_hash) ||
		   rcu_access_pointer(hash->notrace_hash));
}

/**
 * trace_graph_filters - the filters of set_graph_function and set_graph_notrace
 * @tr: the instance
 *
 * Whoever changes them calls trace_graph_update() afterwards.
 */
struct ftrace_ops_hash *trace_graph_filters(struct trace_array *tr)
{
	return tr->graph->outermost.func_hash;
}

/**
 * trace_graph_flags - the options of the tracer that are set
 * @tr: the instance
 *
 * Any context.
 */
u32 trace_graph_flags(struct trace_array *tr)
{
	return READ_ONCE(tr->graph->flags);
}

/**
 * trace_graph_max_depth - how deep calls are recorded (max_graph_depth)
 * @tr: the instance
 *
 * Return: the limit, 0 for none.
 */
unsigned int trace_graph_max_depth(struct trace_array *tr)
{
	return READ_ONCE(tr->graph->max_depth);
}

/**
 * trace_graph_set_max_depth - record calls only up to a depth
 * @tr: the instance
 * @depth: the limit, 0 for none
 *
 * Takes trace_lock.
 */
void trace_graph_set_max_depth(struct trace_array *tr, unsigned int depth)
{
	guard(mutex)(&trace_lock);

	WRITE_ONCE(tr->graph->max_depth, depth);
	trace_graph_update(tr);
}

/**
 * trace_graph_user - the callbacks that record into an instance, for its self test
 * @tr: the instance
 */
struct fgraph_ops *trace_graph_user(struct trace_array *tr)
{
	return &tr->graph->gops;
}

static int graph_init(struct trace_array *tr)
{
	if (!tr->graph)
		return -ENODEV;

	trace_graph_update(tr);

	return register_ftrace_graph(&tr->graph->gops);
}

static void graph_reset(struct trace_array *tr)
{
	unregister_ftrace_graph(&tr->graph->gops);
}

static int graph_set_option(struct trace_array *tr, u32 bit, bool on)
{
	struct trace_graph *graph = tr->graph;

	if (!graph)
		return 0;

	WRITE_ONCE(graph->flags, on ? graph->flags | bit : graph->flags & ~bit);
	trace_graph_update(tr);

	return 0;
}

static const struct tracer_option graph_options[] = {
	{ "funcgraph-overrun", GRAPH_OVERRUN },
	{ "funcgraph-cpu", GRAPH_CPU },
	{ "funcgraph-overhead", GRAPH_OVERHEAD },
	{ "funcgraph-proc", GRAPH_PROC },
	{ "funcgraph-duration", GRAPH_DURATION },
	{ "funcgraph-abstime", GRAPH_ABSTIME },
	{ "funcgraph-irqs", GRAPH_IRQS },
	{ "funcgraph-tail", GRAPH_TAIL },
#ifdef CONFIG_FUNCTION_GRAPH_RETVAL
	{ "funcgraph-retval", GRAPH_RETVAL },
	{ "funcgraph-retval-hex", GRAPH_RETVAL_HEX },
#endif
	{ "sleep-time", GRAPH_SLEEP_TIME },
	{ "graph-time", GRAPH_GRAPH_TIME },
	{ }
};

struct tracer trace_graph_tracer = {
	.name			= "function_graph",
	.init			= graph_init,
	.reset			= graph_reset,
	.set_option		= graph_set_option,
	.selftest		= graph_selftest,
	.options		= graph_options,
	.flags			= GRAPH_CPU | GRAPH_OVERHEAD | GRAPH_DURATION |
				  GRAPH_IRQS | GRAPH_SLEEP_TIME | GRAPH_GRAPH_TIME,
	.allow_instances	= true,
};

static void graph_release(struct trace_array *tr)
{
	struct trace_graph *graph = tr->graph;

	ftrace_free_filter(&graph->outermost);
	tr->graph = NULL;
	if (graph != &top_graph)
		kfree(graph);
}

static int graph_create(struct trace_array *tr)
{
	struct trace_graph *graph = &top_graph;

	if (tr != &trace_top) {
		graph = kzalloc(sizeof(*graph), GFP_KERNEL);
		if (!graph)
			return -ENOMEM;
	}

	graph->tr = tr;
	graph->flags = trace_graph_tracer.flags;
	graph->gops.entryfunc = graph_entry;
	graph->gops.retfunc = graph_return;
	ftrace_ops_init(&graph->gops.ops);
	graph->gops.ops.func_hash = tr->ops->func_hash;
	ftrace_ops_init(&graph->outermost);
	tr->graph = graph;

	return 0;
}

/* Its filters are those of the part with the function tracer, which comes first. */
static struct trace_part graph_part = {
	.create		= graph_create,
	.release	= graph_release,
};

FTRACE_BOOT_FILTER(boot_filter, "ftrace_graph_filter=");
FTRACE_BOOT_FILTER(boot_notrace, "ftrace_graph_notrace=");

static int __init boot_depth_setup(char *str)
{
	return !kstrtouint(str, 0, &top_graph.max_depth);
}
__setup("ftrace_graph_max_depth=", boot_depth_setup);

static int __init graph_part_init(void)
{
	int ret;

	if (!trace_top.main.buffer)
		return -ENODEV;

	ret = trace_part_register(&graph_part);
	if (ret)
		return ret;

	ftrace_filter_boot(trace_graph_filters(&trace_top), boot_filter, false);
	ftrace_filter_boot(trace_graph_filters(&trace_top), boot_notrace, true);

	return 0;
}
early_initcall(graph_part_init);
