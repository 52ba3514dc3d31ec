/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Entries of the function graph tracer, in the buffer and in pending trees.
 */
#ifndef _TRACE_TRACER_GRAPH_GRAPH_RECORD_H
#define _TRACE_TRACER_GRAPH_GRAPH_RECORD_H

#include "ftrace/fgraph/fgraph.h"
#include "instance/core/entries.h"
#include "instance/record/entry.h"
#include "tracer/function/call_args.h"
#include "tracer/graph/graph_options.h"

static __always_inline void fill_entry(struct graph_ent_entry *entry,
				       const struct ftrace_graph_ent *ent,
				       unsigned int context)
{
	trace_entry_fill(&entry->ent, TRACE_GRAPH_ENT, context);
	entry->graph_ent = *ent;
}

/* Size of the entry of a call with these options. */
static inline unsigned int graph_entry_size(u32 flags)
{
	return (flags & GRAPH_RETADDR ? sizeof(struct graph_retaddr_entry) :
					sizeof(struct graph_ent_entry)) +
	       (flags & GRAPH_ARGS ? sizeof(struct trace_args) : 0);
}

/* fill_entry() with the additional fields of the options. */
static inline void fill_entry_more(void *to, const struct ftrace_graph_ent *ent, u32 flags,
				   unsigned int context)
{
	struct graph_retaddr_entry *with_retaddr = to;
	struct graph_ent_entry *entry = to;
	void *args = entry->args;

	/* Both types begin with the same fields. */
	fill_entry(entry, ent, context);
	if (flags & GRAPH_RETADDR) {
		with_retaddr->ent.type = TRACE_GRAPH_RETADDR_ENT;
		with_retaddr->retaddr = graph_entry_caller();
		args = with_retaddr->args;
	}
	if (flags & GRAPH_ARGS)
		trace_args_fill(args, graph_entry_regs());
}

static __always_inline void fill_return(struct graph_ret_entry *entry,
					const struct ftrace_graph_ret *ret,
					unsigned int context)
{
	trace_entry_fill(&entry->ent, TRACE_GRAPH_RET, context);
	entry->ret = *ret;
}

int graph_record_entry(struct trace_array *tr, const struct ftrace_graph_ent *ent, u64 now);
int graph_record_entry_more(struct trace_array *tr, const struct ftrace_graph_ent *ent, u32 flags);
bool graph_record_return(struct trace_array *tr, const struct ftrace_graph_ret *ret);
bool graph_record_return_at(struct trace_array *tr, const struct ftrace_graph_ret *ret, u64 time);
void graph_record_lost(struct trace_array *tr, unsigned long ip);
void graph_record_missing(struct trace_array *tr, unsigned long ip, unsigned long calls,
			  const char *why);

#endif /* _TRACE_TRACER_GRAPH_GRAPH_RECORD_H */
