// SPDX-License-Identifier: GPL-2.0
/*
 * Repeated calls of a function from the same place, recorded once: the first call has an
 * ordinary entry. When another function is called, a second entry records the number of calls
 * that followed the first, and the time of the last of them.
 *
 * The last call is stored for each CPU and each interrupt level. A level does not interrupt
 * itself, and calls in an interrupt do not end a series of calls that it interrupts.
 */
#include <linux/init.h>
#include <linux/limits.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/ring_buffer.h>
#include <linux/sched.h>

#include "instance/core/clocks.h"
#include "instance/core/entries.h"
#include "instance/core/instance.h"
#include "instance/record/entry.h"
#include "instance/tracer/instance_create.h"
#include "tracer/function/func_repeats.h"

/* Levels of interrupt_context_level(). */
#define LEVELS	4

/**
 * struct func_repeats_last_call - last call of a level
 * @ip: the function
 * @parent_ip: its caller
 * @ts: time of the last call
 * @clock: trace_clock_changes() before @ts was read
 * @pid: the task
 * @count: calls since its entry
 * @busy: a call is being compared; functions called for that are recorded individually
 */
struct func_repeats_last_call {
	unsigned long	ip;
	unsigned long	parent_ip;
	u64		ts;
	unsigned int	clock;
	pid_t		pid;
	u16		count;
	bool		busy;
};

struct trace_repeats {
	struct func_repeats_last_call level[LEVELS];
};

static struct trace_instance_ops repeats_part;

static __always_inline struct trace_repeats __percpu *func_repeats_of(const struct trace_array *tr)
{
	return (__force struct trace_repeats __percpu *)trace_instance_data(tr, &repeats_part);
}

/* A change of the clock clears the buffer, so the first call is no longer in it. */
static bool func_repeats_is_same(const struct func_repeats_last_call *last, unsigned int clock,
				 unsigned long ip, unsigned long parent_ip)
{
	return last->ip == ip && last->parent_ip == parent_ip &&
	       last->pid == current->pid && last->clock == clock &&
	       last->count < U16_MAX;
}

static void func_repeats_record(struct trace_array *tr, unsigned int context,
				const struct func_repeats_last_call *last)
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
 * trace_is_repeat - is a call the same as the last one, and therefore only counted?
 * @tr: the instance, after trace_repeats_prepare()
 * @context: trace_context_now() of the call
 * @ip: the function
 * @parent_ip: its caller
 *
 * If not, the calls counted up to now are recorded, unless the clock was changed since: their
 * time is unknown then. Any context, preemption disabled.
 */
bool trace_is_repeat(struct trace_array *tr, unsigned int context,
		     unsigned long ip, unsigned long parent_ip)
{
	struct trace_repeats *repeats = this_cpu_ptr(func_repeats_of(tr));
	struct func_repeats_last_call *last = &repeats->level[interrupt_context_level()];
	unsigned int clock = trace_clock_changes(tr);
	bool same;

	if (last->busy)
		return false;
	last->busy = true;
	/* Functions called from here on see it set. */
	barrier();

	same = func_repeats_is_same(last, clock, ip, parent_ip);
	if (same) {
		last->ts = ring_buffer_time_stamp(tr->main.buffer);
		last->count++;
	} else {
		if (last->count && last->clock == clock)
			func_repeats_record(tr, context, last);
		last->ip = ip;
		last->parent_ip = parent_ip;
		last->pid = current->pid;
		last->clock = clock;
		last->count = 0;
	}

	barrier();
	last->busy = false;

	return same;
}

static void func_repeats_forget_calls(struct trace_repeats __percpu *repeats)
{
	unsigned int cpu, i;

	for_each_possible_cpu(cpu) {
		for (i = 0; i < LEVELS; i++) {
			struct func_repeats_last_call *last = &per_cpu_ptr(repeats, cpu)->level[i];

			WRITE_ONCE(last->count, 0);
			WRITE_ONCE(last->ip, 0);
		}
	}
}

/**
 * trace_repeats_prepare - allocate or reset the state for trace_is_repeat()
 * @tr: the instance; trace_is_repeat() must not be called for it before this
 *
 * The memory is freed with the instance: the tracer does not wait for callbacks when it stops.
 * trace_lock held.
 *
 * Return: 0 or -ENOMEM.
 */
int trace_repeats_prepare(struct trace_array *tr)
{
	struct trace_repeats __percpu *repeats = func_repeats_of(tr);

	lockdep_assert_held(&trace_lock);

	if (repeats) {
		func_repeats_forget_calls(repeats);
		return 0;
	}

	repeats = alloc_percpu(struct trace_repeats);
	if (!repeats)
		return -ENOMEM;

	trace_instance_set_data(tr, &repeats_part, (__force void *)repeats);

	return 0;
}

static void func_repeats_release(struct trace_array *tr)
{
	free_percpu(func_repeats_of(tr));
	trace_instance_set_data(tr, &repeats_part, NULL);
}

static struct trace_instance_ops repeats_part = {
	.release	= func_repeats_release,
};

/**
 * trace_repeats_init - register the per-instance state of repeats
 *
 * Called from an initcall, before the first trace_repeats_prepare().
 *
 * Return: as register_trace_instance_ops()
 */
int __init trace_repeats_init(void)
{
	return register_trace_instance_ops(&repeats_part);
}
