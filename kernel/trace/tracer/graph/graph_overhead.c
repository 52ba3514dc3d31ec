// SPDX-License-Identifier: GPL-2.0
/*
 * Overhead of the function graph tracer, measured by tracing a function that does nothing: the
 * difference between traced and untraced calls of this function. Other users of call sites,
 * which trace these functions because they trace all functions, are not included.
 */
#include <linux/ftrace.h>
#include <linux/irqflags.h>
#include <linux/limits.h>
#include <linux/lockdep.h>
#include <linux/math64.h>
#include <linux/minmax.h>

#include "ftrace/fgraph/fgraph.h"
#include "instance/core/instance.h"
#include "tracer/graph/graph_overhead.h"

/* Enough calls to fill pages of the ring in each attempt; the fastest attempt is used. */
#define CALLS		128
#define ATTEMPTS	8

/**
 * struct graph_overhead_known_cost - measured cost of calls
 * @flags: options used in the measurement
 * @cost: the cost; unknown while @cost.call is 0
 */
struct graph_overhead_known_cost {
	u32			flags;
	struct graph_cost	cost;
};

/**
 * graph_cost_known - get the storage for a measured cost
 * @flags: options and similar flags; callers have at most 16 combinations of them
 *
 * trace_lock held.
 *
 * Return: the cost with these options, all 0 if it is not known yet; the caller then fills it
 *	in
 */
struct graph_cost *graph_cost_known(u32 flags)
{
	static struct graph_overhead_known_cost costs[16];
	struct graph_overhead_known_cost *known = costs;

	lockdep_assert_held(&trace_lock);

	while (known->cost.call && known->flags != flags)
		known++;
	known->flags = flags;
	return &known->cost;
}

static u64 durations;

static u64 graph_overhead_time_of_calls(void)
{
	return graph_cost_calls(CALLS);
}

static u64 graph_overhead_durations_of_calls(void)
{
	durations = 0;
	graph_cost_calls(CALLS);

	return durations;
}

static u64 graph_overhead_fastest(u64 (*attempt)(void))
{
	u64 best = U64_MAX;
	unsigned long irqs;
	int i;

	for (i = 0; i < ATTEMPTS; i++) {
		local_irq_save(irqs);
		best = min(best, attempt());
		local_irq_restore(irqs);
	}
	return best;
}

static u64 graph_overhead_cost_of(u64 traced, u64 untraced)
{
	return traced > untraced ? div_u64((traced - untraced) << GRAPH_COST_SHIFT, CALLS) : 0;
}

static void graph_overhead_add_duration(struct ftrace_graph_ret *ret, struct fgraph_ops *gops)
{
	durations += ret->rettime - ret->calltime;
}

/**
 * graph_cost_inside - measure the tracing overhead that falls within the recorded duration of a
 * call
 * @gops: the user, which is not registered; its filter is replaced
 * @cost: set to the cost, that of the entry callback included
 *
 * trace_lock held. May sleep. When it returns, @gops is no longer in use.
 *
 * Return: 0; -ENOMEM, or the error of register_ftrace_graph()
 */
int graph_cost_inside(struct fgraph_ops *gops, u64 *cost)
{
	u64 untraced = graph_overhead_fastest(graph_overhead_time_of_calls), traced;
	trace_func_graph_ret_t retfunc = gops->retfunc;
	int ret;

	lockdep_assert_held(&trace_lock);

	gops->retfunc = graph_overhead_add_duration;
	ret = ftrace_set_filter_ip(&gops->ops, (unsigned long)graph_cost_empty, 0, 1);
	if (!ret)
		ret = register_ftrace_graph(gops);
	if (!ret) {
		traced = graph_overhead_fastest(graph_overhead_durations_of_calls);
		*cost = graph_overhead_cost_of(traced, untraced);
		/* No other code calls the function, so no callback is in progress. */
		graph_user_detach(gops);
	}
	gops->retfunc = retfunc;
	return ret;
}

/**
 * graph_cost_of_call - measure the total tracing overhead of a call as its caller sees it
 * @gops: the user, which is not registered; its filter is replaced
 * @cost: set to the cost of a call inside a traced one
 *
 * May sleep. When it returns, @gops is no longer in use.
 *
 * Return: 0; -ENOMEM, or the error of register_ftrace_graph()
 */
int graph_cost_of_call(struct fgraph_ops *gops, u64 *cost)
{
	unsigned long ips[] = {
		(unsigned long)graph_cost_calls,
		(unsigned long)graph_cost_empty,
	};
	u64 untraced = graph_overhead_fastest(graph_overhead_time_of_calls), traced;
	int ret;

	ret = ftrace_set_filter_ips(&gops->ops, ips, ARRAY_SIZE(ips), 0, 1);
	if (!ret)
		ret = register_ftrace_graph(gops);
	if (ret)
		return ret;

	traced = graph_overhead_fastest(graph_overhead_time_of_calls);
	*cost = graph_overhead_cost_of(traced, untraced);
	/* As above: only this task runs callbacks. */
	graph_user_detach(gops);
	return 0;
}
