// SPDX-License-Identifier: GPL-2.0
/*
 * Writing the entry of an event: functions that its probe calls before and after it sets the
 * fields.
 *
 * Most entries are rejected by their filters, so filtered entries are written to a buffered
 * event, and copied to the ring if the filter accepts them; and so are entries of disabled events
 * that triggers read. If that is impossible, a rejected entry is discarded from the ring, whose
 * previous state is restored.
 */
#include <linux/bitops.h>
#include <linux/export.h>
#include <linux/kernel.h>
#include <linux/trace_events.h>

#include "event/filter/predicate_match.h"
#include "event/record/buffered_event.h"
#include "event/record/event_commit.h"
#include "event/record/event_pids.h"
#include "event/record/trigger.h"
#include "instance/core/instance.h"
#include "instance/record/entry.h"
#include "instance/record/export.h"
#include "instance/record/record_stack.h"

DEFINE_STATIC_KEY_FALSE(trace_event_printk_on);
void (*trace_event_printk)(struct trace_event_file *file, void *entry, unsigned int size);

/* With any of these flags, an entry may have to be discarded. */
#define FL_MAY_REJECT	(EVENT_FILE_FL_SOFT_DISABLED | EVENT_FILE_FL_FILTERED |	\
			 EVENT_FILE_FL_TRIGGER_COND)

/* With any of these flags, entries are read before they are recorded. */
#define FL_HAS_READERS	(EVENT_FILE_FL_FILTERED | EVENT_FILE_FL_TRIGGER_COND)

/**
 * tracing_gen_ctx_irq_test - get the context of the caller, for the entries that it writes
 * @irqs_status: TRACE_FLAG_IRQS_OFF, TRACE_FLAG_IRQS_NOSUPPORT or 0
 *
 * Any context.
 */
unsigned int tracing_gen_ctx_irq_test(unsigned int irqs_status)
{
	return trace_context(irqs_status);
}
EXPORT_SYMBOL_GPL(tracing_gen_ctx_irq_test);

/* Context of the code with the tracepoint, which disables preemption for its probes. */
static __always_inline unsigned int event_commit_context_of_caller(void)
{
	unsigned int context = trace_context_now();

	unsigned int depth = context & TRACE_DEPTH_MAX;

	/* The breakpoint of a kprobe does not increase the count. */
	if (IS_ENABLED(CONFIG_PREEMPT_COUNT) && depth && depth < TRACE_DEPTH_MAX)
		context--;

	return context;
}

/**
 * __trace_trigger_soft_disabled - slow path of trace_trigger_soft_disabled()
 * @file: the event in an instance
 */
bool __trace_trigger_soft_disabled(struct trace_event_file *file)
{
	unsigned long flags = READ_ONCE(file->flags);

	if (flags & EVENT_FILE_FL_TRIGGER_MODE && !(flags & EVENT_FILE_FL_TRIGGER_COND)) {
		struct trace_trigger_run run = { .context = event_commit_context_of_caller() };

		trace_triggers_run(file, &run);
	}

	return READ_ONCE(file->flags) & EVENT_FILE_FL_SOFT_DISABLED;
}
EXPORT_SYMBOL_GPL(__trace_trigger_soft_disabled);

static __always_inline void event_commit_fill(struct trace_event_buffer *fbuffer)
{
	trace_entry_fill(fbuffer->entry, fbuffer->trace_file->event_call->event.type,
			 fbuffer->trace_ctx);
}

/* Reserve an entry in the ring. Return: NULL if it is not recorded */
static __always_inline void *event_commit_reserve_in_ring(struct trace_event_buffer *fbuffer,
							  unsigned long len)
{
	/* Must be before the reserve, which disables preemption once more. */
	fbuffer->trace_ctx = event_commit_context_of_caller();
	fbuffer->event = ring_buffer_lock_reserve(fbuffer->buffer, len);
	if (unlikely(!fbuffer->event))
		return NULL;

	fbuffer->entry = ring_buffer_event_data(fbuffer->event);
	event_commit_fill(fbuffer);

	return fbuffer->entry;
}

/* Reserve an entry outside of the ring, for triggers. Return: NULL if that is impossible */
static void *event_commit_reserve_for_triggers(struct trace_event_buffer *fbuffer,
					       unsigned long len)
{
	fbuffer->event = NULL;
	fbuffer->entry = trace_buffered_event_get(len, true);
	if (unlikely(!fbuffer->entry))
		return NULL;

	fbuffer->trace_ctx = event_commit_context_of_caller();
	event_commit_fill(fbuffer);

	return fbuffer->entry;
}

/*
 * Triggers read the entry. If its event is enabled, it must be in the ring by then: a trigger may
 * stop the recording, but not the recording of this entry. An entry that is not recorded is only
 * for the triggers.
 */
static noinline void *event_commit_reserve_with_triggers(struct trace_event_buffer *fbuffer,
							 unsigned long len)
{
	void *entry = NULL;

	if (!trace_event_pids_skip(fbuffer->trace_file)) {
		if (READ_ONCE(fbuffer->trace_file->flags) & EVENT_FILE_FL_SOFT_DISABLED)
			entry = event_commit_reserve_for_triggers(fbuffer, len);
		if (!entry)
			entry = event_commit_reserve_in_ring(fbuffer, len);
		if (entry)
			return entry;
	}

	fbuffer->buffer = NULL;

	return event_commit_reserve_for_triggers(fbuffer, len);
}

/* There is no space outside of the ring. Out of line, as this is rare. */
static noinline void *event_commit_reserve_anyway(struct trace_event_buffer *fbuffer,
						  unsigned long len)
{
	return event_commit_reserve_in_ring(fbuffer, len);
}

/* The event has a filter, or triggers that read its entries. */
static noinline void *event_commit_reserve_for_readers(struct trace_event_buffer *fbuffer,
						       unsigned long len, unsigned long flags)
{
	if (flags & EVENT_FILE_FL_TRIGGER_COND)
		return event_commit_reserve_with_triggers(fbuffer, len);
	if (trace_event_pids_skip(fbuffer->trace_file))
		return NULL;

	fbuffer->event = NULL;
	fbuffer->entry = trace_buffered_event_get(len, false);

	return likely(fbuffer->entry) ? fbuffer->entry : event_commit_reserve_anyway(fbuffer, len);
}

/**
 * trace_event_buffer_reserve - reserve the entry of an event
 * @fbuffer: state for trace_event_buffer_commit()
 * @trace_file: the event in an instance
 * @len: length of the entry in bytes
 *
 * Called by the event's probe.
 *
 * Context: any, with preemption disabled until trace_event_buffer_commit()
 *
 * Return: the entry, whose fields except the common ones must be set by the caller; NULL if
 * nothing is recorded
 */
void *trace_event_buffer_reserve(struct trace_event_buffer *fbuffer,
				 struct trace_event_file *trace_file,
				 unsigned long len)
{
	unsigned long flags = READ_ONCE(trace_file->flags);

	fbuffer->buffer = trace_file->tr->main.buffer;
	fbuffer->trace_file = trace_file;

	if (unlikely(flags & FL_HAS_READERS))
		return event_commit_reserve_for_readers(fbuffer, len, flags);
	if (trace_event_pids_skip(trace_file))
		return NULL;

	return event_commit_reserve_in_ring(fbuffer, len);
}
EXPORT_SYMBOL_GPL(trace_event_buffer_reserve);

/* Decide whether to keep the entry, whose fields are set now. */
static __always_inline bool event_commit_is_recorded(struct trace_event_buffer *fbuffer,
						     const struct event_filter *filter,
						     unsigned int len)
{
	unsigned long flags = READ_ONCE(fbuffer->trace_file->flags);

	if (flags & EVENT_FILE_FL_SOFT_DISABLED)
		return false;

	if (flags & EVENT_FILE_FL_FILTERED && filter &&
	    !trace_filter_match(filter, fbuffer->entry, len))
		return false;

	/* Read again, as few registers are kept during the match. It never changes. */
	return !(READ_ONCE(fbuffer->trace_file->flags) & EVENT_FILE_FL_PID_FILTER) ||
	       trace_event_pids_want(fbuffer->trace_file, fbuffer->entry);
}

/* Pass the entry to exports and tp_printk before it is committed and can be overwritten. */
static noinline void event_commit_hand_out(struct trace_event_buffer *fbuffer)
{
	unsigned int size = ring_buffer_event_length(fbuffer->event);

	trace_export_event(fbuffer->entry, size);
	if (static_branch_unlikely(&trace_event_printk_on))
		trace_event_printk(fbuffer->trace_file, fbuffer->entry, size);
}

static __always_inline void event_commit_keep(struct trace_event_buffer *fbuffer)
{
	if (static_branch_unlikely(&trace_exports_events) ||
	    static_branch_unlikely(&trace_event_printk_on))
		event_commit_hand_out(fbuffer);

	ring_buffer_unlock_commit(fbuffer->buffer);
	trace_cmdline_want();
}

static __always_inline bool event_commit_wants_stacks(const struct trace_event_buffer *fbuffer)
{
	return unlikely(READ_ONCE(fbuffer->trace_file->tr->options) & TRACE_OPT_STACKS);
}

/* Also record the stack traces that options request. */
static void event_commit_keep_with_stacks(struct trace_event_buffer *fbuffer,
					  const struct trace_stack_start *start)
{
	event_commit_keep(fbuffer);
	if (event_commit_wants_stacks(fbuffer))
		trace_record_stacks(fbuffer->trace_file->tr, fbuffer->trace_ctx, start);
}

/* Data passed to triggers for an entry of @len bytes. */
static struct trace_trigger_run event_commit_run_of(const struct trace_event_buffer *fbuffer,
						    unsigned int len,
						    const struct trace_stack_start *start)
{
	return (struct trace_trigger_run){
		.entry		= fbuffer->entry,
		.len		= len,
		.event		= fbuffer->event,
		.context	= fbuffer->trace_ctx,
		.start		= *start,
	};
}

/* Record an entry that was written outside of the ring in the ring. */
static noinline void event_commit_record(struct trace_event_buffer *fbuffer,
					 const struct trace_stack_start *start)
{
	unsigned int len = trace_buffered_event_len(fbuffer->entry);

	fbuffer->trace_ctx = event_commit_context_of_caller();
	fbuffer->event = ring_buffer_lock_reserve(fbuffer->buffer, len);
	if (unlikely(!fbuffer->event))
		return;

	fbuffer->entry = memcpy(ring_buffer_event_data(fbuffer->event), fbuffer->entry, len);
	event_commit_fill(fbuffer);
	event_commit_keep_with_stacks(fbuffer, start);
}

/*
 * Run triggers that read an entry outside of the ring. It is recorded only if one of them enables
 * its event, unless it was excluded in the first place.
 */
static noinline void event_commit_run_triggers(struct trace_event_buffer *fbuffer,
					       const struct trace_stack_start *start)
{
	struct trace_event_file *file = fbuffer->trace_file;
	unsigned int len = trace_buffered_event_len(fbuffer->entry);
	struct trace_trigger_run run = event_commit_run_of(fbuffer, len, start);
	struct trace_trigger *after = trace_triggers_run(file, &run);

	if (fbuffer->buffer &&
	    event_commit_is_recorded(fbuffer, rcu_dereference_sched(file->filter), len))
		event_commit_record(fbuffer, start);
	if (after)
		trace_trigger_run_after(after, &run);
	trace_buffered_event_put();
}

/* The common fields of a buffered entry are only set for filters that read them. */
static noinline void event_commit_fill_for_filter(struct trace_event_buffer *fbuffer)
{
	fbuffer->trace_ctx = event_commit_context_of_caller();
	event_commit_fill(fbuffer);
}

static noinline void event_commit_end_buffered(struct trace_event_buffer *fbuffer,
					       const struct trace_stack_start *start)
{
	const struct event_filter *filter = rcu_dereference_sched(fbuffer->trace_file->filter);

	if (trace_buffered_event_has_triggers(fbuffer->entry)) {
		event_commit_run_triggers(fbuffer, start);
		return;
	}

	if (filter && unlikely(filter->from < sizeof(struct trace_entry)))
		event_commit_fill_for_filter(fbuffer);
	if (event_commit_is_recorded(fbuffer, filter, trace_buffered_event_len(fbuffer->entry)))
		event_commit_record(fbuffer, start);
	trace_buffered_event_put();
}

/* Run triggers that read the entry, whether it is kept or not. */
static noinline void event_commit_decide(struct trace_event_buffer *fbuffer,
					 const struct trace_stack_start *start)
{
	struct trace_event_file *file = fbuffer->trace_file;
	struct event_filter *filter = rcu_dereference_sched(file->filter);
	struct trace_trigger *after = NULL;
	struct trace_trigger_run run =
		event_commit_run_of(fbuffer, ring_buffer_event_length(fbuffer->event), start);

	if (READ_ONCE(file->flags) & EVENT_FILE_FL_TRIGGER_COND)
		after = trace_triggers_run(file, &run);

	if (event_commit_is_recorded(fbuffer, filter, run.len))
		event_commit_keep_with_stacks(fbuffer, start);
	else
		ring_buffer_discard_commit(fbuffer->buffer, fbuffer->event);

	if (after)
		trace_trigger_run_after(after, &run);
}

/* May the entry have to be discarded, or are there triggers that read it? */
static __always_inline bool event_commit_may_reject(const struct trace_event_file *file)
{
	unsigned long flags = READ_ONCE(file->flags);

	/* Most events have none of these flags; the last one is set for events that name a task. */
	return unlikely(flags & (FL_MAY_REJECT | EVENT_FILE_FL_PID_FILTER)) &&
	       (flags & FL_MAY_REJECT || ftrace_pids_any(file->tr->events->pids));
}

/**
 * trace_event_buffer_commit_at - commit the entry of an event, and choose where stacks begin
 * @fbuffer: state set by trace_event_buffer_reserve()
 * @start: the place where stack traces of the entry begin
 *
 * Same context.
 */
void trace_event_buffer_commit_at(struct trace_event_buffer *fbuffer,
				  const struct trace_stack_start *start)
{
	if (unlikely(!fbuffer->event))
		event_commit_end_buffered(fbuffer, start);
	else if (event_commit_may_reject(fbuffer->trace_file))
		event_commit_decide(fbuffer, start);
	else
		event_commit_keep_with_stacks(fbuffer, start);
}

/* Stack traces begin in the caller of the event's probe, which returns to @probe. */
static noinline void event_commit_slow(struct trace_event_buffer *fbuffer, unsigned long probe)
{
	const struct trace_stack_start start = { .caller = probe, .skip = 1 };

	trace_event_buffer_commit_at(fbuffer, &start);
}

/**
 * trace_event_buffer_commit - commit the entry of an event
 * @fbuffer: state set by trace_event_buffer_reserve()
 *
 * Same context.
 */
void trace_event_buffer_commit(struct trace_event_buffer *fbuffer)
{
	if (unlikely(!fbuffer->event) || event_commit_may_reject(fbuffer->trace_file) ||
	    event_commit_wants_stacks(fbuffer))
		event_commit_slow(fbuffer, _RET_IP_);
	else
		event_commit_keep(fbuffer);
}
EXPORT_SYMBOL_GPL(trace_event_buffer_commit);
