/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A limit for events that triggers of other events record: synthetic events and event probes.
 *
 * Such an event may itself have triggers, and so on. Each level needs a part of the stack, and
 * users can even close a circle. What is deeper than the limit is not recorded.
 */
#ifndef _TRACE_EVENT_RECORD_EVENT_NEST_H
#define _TRACE_EVENT_RECORD_EVENT_NEST_H

#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/types.h>

#define EVENT_NEST_MAX		6

/**
 * struct event_nest - how many such events are being recorded
 * @depth: their number in each context, see interrupt_context_level()
 */
struct event_nest {
	u8	depth[4];
};

DECLARE_PER_CPU(struct event_nest, trace_event_nest);

/**
 * trace_event_nest_begin - begin to record an event for a trigger
 *
 * Context: any, preemption disabled up to trace_event_nest_end()
 *
 * Return: argument for trace_event_nest_end(), or NULL if it must not be recorded
 */
static inline u8 *trace_event_nest_begin(void)
{
	u8 *depth = &this_cpu_ptr(&trace_event_nest)->depth[interrupt_context_level()];

	/* An interrupt uses another counter, and an exception leaves this one as it was. */
	if (*depth == EVENT_NEST_MAX)
		return NULL;
	++*depth;
	barrier();

	return depth;
}

/* trace_event_nest_end - undo trace_event_nest_begin() */
static inline void trace_event_nest_end(u8 *depth)
{
	barrier();
	--*depth;
}

#endif /* _TRACE_EVENT_RECORD_EVENT_NEST_H */
