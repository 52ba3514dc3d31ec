// SPDX-License-Identifier: GPL-2.0
/*
 * Functions that are traced to measure the overhead of tracing. See graph_overhead.c.
 */
#include <linux/compiler.h>
#include <linux/trace_clock.h>

#include "tracer/graph/graph_overhead.h"

/**
 * graph_cost_empty - do nothing
 */
noinline void graph_cost_empty(void)
{
	barrier();
}

/**
 * graph_cost_calls - call graph_cost_empty() repeatedly
 * @nr: number of calls
 *
 * Return: duration of the calls, in nanoseconds
 */
noinline u64 graph_cost_calls(unsigned int nr)
{
	u64 start = trace_clock_local();

	while (nr--)
		graph_cost_empty();

	return trace_clock_local() - start;
}
