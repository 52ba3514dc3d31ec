// SPDX-License-Identifier: GPL-2.0
/*
 * Times excluded from the duration of a call: without the option sleep-time, the time when the
 * task did not run, and without tracer-time, the overhead of tracing.
 *
 * Each recorded call has a sum of the overhead of the calls inside it. The sum is on the return
 * stack, and when the call returns, it adds its own overhead to the sum of the call around it.
 */
#include <linux/compiler.h>
#include <linux/ftrace.h>
#include <linux/minmax.h>

#include "ftrace/fgraph/fgraph.h"
#include "ftrace/fgraph/ret_stack.h"
#include "tracer/graph/graph_options.h"
#include "tracer/graph/graph_times.h"

/**
 * struct graph_times - times stored with a call
 * @cost: overhead of the calls inside it up to now, see struct graph_cost
 * @slept: ret_stack_slept() at its entry; absent with the option sleep-time
 */
struct graph_times {
	u64	cost;
	u64	slept;
};

/**
 * graph_times_begin - begin a call that will be recorded
 * @idx: index of the user
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
 * graph_times_add - add the overhead of the current call to the call around it
 * @idx: index of the user
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
		/*
		 * data_race: an addition made by an interrupt in between may be lost; its
		 * overhead is then included in the duration.
		 */
		data_race(outer->cost += cost);
}

/**
 * graph_times_end - subtract the excluded times from the duration of a call
 * @idx: index of the user
 * @flags: the options
 * @cost: overhead of calls
 * @ret: the call, whose calltime is advanced, at most up to its rettime
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
