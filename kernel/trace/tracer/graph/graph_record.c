// SPDX-License-Identifier: GPL-2.0
/*
 * Entries of the function graph tracer, written to the buffer.
 */
#include <linux/kernel.h>
#include <linux/stddef.h>
#include <linux/string.h>

#include "instance/core/instance.h"
#include "ring/write.h"
#include "tracer/graph/graph_record.h"

static noinline int record_unusual_entry(struct trace_array *tr,
					 const struct ftrace_graph_ent *ent, u64 now,
					 struct ring_cpu *cb)
{
	unsigned int context = trace_context_now();
	struct graph_ent_entry *entry;
	struct ring_write write;

	ring_plain_undo(cb);
	entry = ring_write_begin_at(tr->main.buffer, sizeof(*entry), now, &write);
	if (unlikely(!entry))
		return 0;

	fill_entry(entry, ent, context);
	trace_cmdline_want();
	ring_write_end(&write);
	return 1;
}

/**
 * graph_record_entry - record that a function was called
 * @tr: the instance
 * @ent: the call
 * @now: its time, by trace_clock_local() on this CPU
 *
 * The ring refuses a nested writer in the same context.
 *
 * Context: any, preemption disabled
 *
 * Return: 1; 0 if the call is not recorded, and its return must not be recorded
 */
int graph_record_entry(struct trace_array *tr, const struct ftrace_graph_ent *ent, u64 now)
{
	struct ring_cpu *cb = NULL;
	unsigned int context;
	void *entry;

	if (unlikely(!trace_context_plain(&context) ||
		     !ring_plain_begin(tr->main.buffer, sizeof(struct graph_ent_entry), now,
				       &cb, &entry)))
		return record_unusual_entry(tr, ent, now, cb);

	fill_entry(entry, ent, context);
	trace_cmdline_want();
	ring_plain_end(cb);
	return 1;
}

/**
 * graph_record_entry_more - graph_record_entry() with the options funcgraph-retaddr or
 * funcgraph-args
 * @tr: the instance
 * @ent: the call, which is in progress on the return stack
 * @flags: the options
 *
 * Context: any, preemption disabled
 *
 * Return: as graph_record_entry()
 */
int graph_record_entry_more(struct trace_array *tr, const struct ftrace_graph_ent *ent, u32 flags)
{
	unsigned int context = trace_context_now();
	struct ring_buffer_event *event;

	event = ring_buffer_lock_reserve(tr->main.buffer, graph_entry_size(flags));
	if (unlikely(!event))
		return 0;

	fill_entry_more(ring_buffer_event_data(event), ent, flags, context);
	trace_entry_end(tr->main.buffer);
	return 1;
}

static noinline bool record_unusual_return(struct trace_array *tr,
					   const struct ftrace_graph_ret *ret,
					   struct ring_cpu *cb)
{
	unsigned int context = trace_context_now();
	struct graph_ret_entry *entry;
	struct ring_write write;

	ring_plain_undo(cb);
	entry = ring_write_begin_at(tr->main.buffer, sizeof(*entry), ret->rettime, &write);
	if (unlikely(!entry))
		return false;

	fill_return(entry, ret, context);
	trace_cmdline_want();
	ring_write_end(&write);
	return true;
}

/**
 * graph_record_return - record that a function has just returned
 * @tr: the instance
 * @ret: the call
 *
 * Context: any, preemption disabled
 *
 * Return: true if it is recorded
 */
bool graph_record_return(struct trace_array *tr, const struct ftrace_graph_ret *ret)
{
	struct ring_cpu *cb = NULL;
	unsigned int context;
	void *entry;

	if (unlikely(!trace_context_plain(&context) ||
		     !ring_plain_begin(tr->main.buffer, sizeof(struct graph_ret_entry),
				       ret->rettime, &cb, &entry)))
		return record_unusual_return(tr, ret, cb);

	fill_return(entry, ret, context);
	trace_cmdline_want();
	ring_plain_end(cb);
	return true;
}

/**
 * graph_record_return_at - record a return that is older than entries already in the buffer
 * @tr: the instance
 * @ret: the call
 * @time: time of the return, by the clock of the buffer
 *
 * Context: any, preemption disabled
 *
 * Return: true if it is recorded
 */
bool graph_record_return_at(struct trace_array *tr, const struct ftrace_graph_ret *ret, u64 time)
{
	unsigned int context = trace_context_now();
	struct graph_ret_entry *entry;
	struct ring_write write;

	entry = ring_write_begin_past(tr->main.buffer, sizeof(*entry), time, &write);
	if (!entry)
		return false;

	fill_return(entry, ret, context);
	trace_cmdline_want();
	ring_write_end(&write);
	return true;
}

/* Write a line of text to the buffer, which is shown as a comment in the graph. */
static void record_text(struct trace_array *tr, unsigned long ip, const char *text)
{
	struct {
		struct trace_entry	ent;
		unsigned long		ip;
		char			buf[64];
	} *entry;
	unsigned int context = trace_context_now();
	struct ring_write write;

	static_assert(offsetof(typeof(*entry), buf) == offsetof(struct print_entry, buf));

	entry = ring_write_begin(tr->main.buffer, sizeof(*entry), &write);
	if (!entry)
		return;

	trace_entry_fill(&entry->ent, TRACE_PRINT, context);
	entry->ip = ip;
	strscpy(entry->buf, text);
	ring_write_end(&write);
}

/**
 * graph_record_lost - record that a call is lost, at its place in the trace
 * @tr: the instance
 * @ip: the function that was called
 *
 * Context: any, preemption disabled
 */
void graph_record_lost(struct trace_array *tr, unsigned long ip)
{
	record_text(tr, ip, "[LOST 1 CALL]\n");
}

/**
 * graph_record_missing - record, before a call tree ends, that calls are missing in it
 * @tr: the instance
 * @ip: function of the outermost call of the tree
 * @calls: number of missing calls
 * @why: short description of the cause
 *
 * Context: any, preemption disabled
 */
void graph_record_missing(struct trace_array *tr, unsigned long ip, unsigned long calls,
			  const char *why)
{
	char text[64];

	snprintf(text, sizeof(text), "%lu calls are missing: %s\n", calls, why);
	record_text(tr, ip, text);
}
