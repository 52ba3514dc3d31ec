// SPDX-License-Identifier: GPL-2.0
/*
 * Calls of a function again and again from the same place, recorded once: the
 * first is an entry like any other, and when something else is called, another
 * entry tells how many came after it and when the last one was.
 *
 * What was called last is kept for each CPU and each level of interrupts: a
 * level is not interrupted by itself, and what an interrupt calls does not end
 * a row of calls that it came into.
 */
#include <linux/limits.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/ring_buffer.h>
#include <linux/sched.h>

#include "instance/entries.h"
#include "instance/instance.h"
#include "instance/write.h"
#include "tracer/repeats.h"

/* Levels of interrupt_context_level(). */
#define LEVELS	4

/**
 * struct last_call - what was called last
 * @ip: the function
 * @parent_ip: from where
 * @ts: when
 * @pid: by which task
 * @count: calls since its entry
 * @busy: a call is being looked at: what that calls is recorded as it is
 */
struct last_call {
	unsigned long	ip;
	unsigned long	parent_ip;
	u64		ts;
	pid_t		pid;
	u16		count;
	bool		busy;
};

struct last_calls {
	struct last_call level[LEVELS];
};

static bool is_same(const struct last_call *last, unsigned long ip,
		    unsigned long parent_ip)
{
	return last->ip == ip && last->parent_ip == parent_ip &&
	       last->pid == current->pid && last->count < U16_MAX;
}

static void record_repeats(struct trace_array *tr, unsigned int context,
			   const struct last_call *last)
{
	struct trace_buffer *buffer = tr->main.buffer;
	struct func_repeats_entry *entry;
	struct ring_buffer_event *event;
	u64 delta;

	event = ring_buffer_lock_reserve(buffer, sizeof(*entry));
	if (!event)
		return;

	entry = ring_buffer_event_data(event);
	trace_entry_fill(&entry->ent, TRACE_FUNC_REPEATS, context);
	delta = ring_buffer_event_time_stamp(buffer, event) - last->ts;
	entry->ent.pid = last->pid;
	entry->ip = last->ip;
	entry->parent_ip = last->parent_ip;
	entry->count = last->count;
	entry->bottom_delta_ts = delta;
	entry->top_delta_ts = delta >> 32;
	trace_entry_end(buffer);
}

/**
 * trace_is_repeat - is this call like the one before, so that it is counted?
 * @tr: the instance, after trace_repeats_begin()
 * @context: trace_context_now() of the call
 * @ip: the function
 * @parent_ip: from where
 *
 * If not, the calls counted so far are recorded. Any context, preemption
 * disabled.
 */
bool trace_is_repeat(struct trace_array *tr, unsigned int context,
		     unsigned long ip, unsigned long parent_ip)
{
	struct last_calls *calls = this_cpu_ptr(tr->tracer_data);
	struct last_call *last = &calls->level[interrupt_context_level()];
	bool same;

	if (last->busy)
		return false;
	last->busy = true;
	/* What is called from here on finds it so. */
	barrier();

	same = is_same(last, ip, parent_ip);
	if (same) {
		last->ts = ring_buffer_time_stamp(tr->main.buffer);
		last->count++;
	} else {
		if (last->count)
			record_repeats(tr, context, last);
		last->ip = ip;
		last->parent_ip = parent_ip;
		last->pid = current->pid;
		last->count = 0;
	}

	barrier();
	last->busy = false;

	return same;
}

/**
 * trace_repeats_begin - prepare for trace_is_repeat()
 * @tr: the instance
 *
 * Return: 0 or -ENOMEM.
 */
int trace_repeats_begin(struct trace_array *tr)
{
	struct last_calls __percpu *calls = alloc_percpu(struct last_calls);

	if (!calls)
		return -ENOMEM;

	tr->tracer_data = calls;

	return 0;
}

/**
 * trace_repeats_end - undo trace_repeats_begin(), which may not have been called
 * @tr: the instance, for which trace_is_repeat() is not called any more
 */
void trace_repeats_end(struct trace_array *tr)
{
	free_percpu(tr->tracer_data);
	tr->tracer_data = NULL;
}
