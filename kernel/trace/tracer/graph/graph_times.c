// SPDX-License-Identifier: GPL-2.0
/*
 * What does not count in the duration of a call: without the option sleep-time, the time that
 * the task did not run, and without tracer-time, what tracing has cost.
 *
 * Each call that is recorded has a sum of what the calls inside it have cost. It is on the
 * return stack, and the call adds its own cost to the sum of the call around it when it returns.
 */
#include <linux/compiler.h>
#include <linux/ftrace.h>
#include <linux/minmax.h>

#include "ftrace/fgraph/fgraph.h"
#include "ftrace/fgraph/ret_stack.h"
#include "tracer/graph/graph_options.h"
#include "tracer/graph/graph_times.h"

/**
 * struct graph_times - what is kept with a call
 * @cost: of the calls inside it so far, see struct graph_cost
 * @slept: ret_stack_slept() at its entry; not there with the option sleep-time
 */
struct graph_times {
	u64	cost;
	u64	slept;
};

/**
 * graph_times_begin - a call begins that will be recorded
 * @idx: of the user
 * @flags: the options
 *
 * Context: entryfunc of the user
 */
void graph_times_begin(int idx, u32 flags)
{
	bool slept = !(flags & GRAPH_SLEEP_TIME);
	struct graph_times *times;

	if (!slept && flags & GRAPH_TRACER_TIME)
		return;

	times = fgraph_reserve_data(idx, slept ? sizeof(*times) : sizeof(times->cost));
	if (!times)
		return;

	WRITE_ONCE(times->cost, 0);
	if (slept)
		times->slept = ret_stack_slept();
}

/**
 * graph_times_add - the call around the current one has taken longer because of the tracer
 * @idx: of the user
 * @flags: the options
 * @cost: the cost of the current call
 *
 * Context: callbacks of the user
 */
void graph_times_add(int idx, u32 flags, u64 cost)
{
	struct graph_times *outer;

	if (flags & GRAPH_TRACER_TIME)
		return;

	outer = graph_outer_data(idx);
	if (outer)
		/* data_race: what an interrupt adds meanwhile may be lost; it then counts */
		data_race(outer->cost += cost);
}

/**
 * graph_times_end - take out of the duration of a call what does not count
 * @idx: of the user
 * @flags: the options
 * @cost: what calls cost
 * @ret: the call, whose calltime is moved, at most up to its rettime
 *
 * Context: retfunc of the user
 */
void graph_times_end(int idx, u32 flags, const struct graph_cost *cost,
		     struct ftrace_graph_ret *ret)
{
	struct graph_times *times;
	u64 inside;
	int size;

	times = fgraph_retrieve_data(idx, &size);
	if (!times)
		return;

	if (size == sizeof(*times))
		ret->calltime += ret_stack_slept() - times->slept;
	if (flags & GRAPH_TRACER_TIME)
		return;

	inside = READ_ONCE(times->cost);
	graph_times_add(idx, flags, inside + cost->call);
	ret->calltime += min((inside + cost->inside) >> GRAPH_COST_SHIFT,
			     ret->rettime - ret->calltime);
}
