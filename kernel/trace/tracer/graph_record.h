/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Entries of the function graph tracer, in the buffer and elsewhere.
 */
#ifndef _TRACE_TRACER_GRAPH_RECORD_H
#define _TRACE_TRACER_GRAPH_RECORD_H

#include "hook/graph.h"
#include "instance/entries.h"
#include "instance/write.h"

static __always_inline void fill_entry(struct graph_ent_entry *entry,
				       const struct ftrace_graph_ent *ent,
				       unsigned int context)
{
	trace_entry_fill(&entry->ent, TRACE_GRAPH_ENT, context);
	entry->graph_ent = *ent;
}

static inline void fill_entry_retaddr(struct graph_retaddr_entry *entry,
				      const struct ftrace_graph_ent *ent,
				      unsigned int context)
{
	trace_entry_fill(&entry->ent, TRACE_GRAPH_RETADDR_ENT, context);
	entry->graph_ent = *ent;
	entry->retaddr = graph_entry_caller();
}

static __always_inline void fill_return(struct graph_ret_entry *entry,
					const struct ftrace_graph_ret *ret,
					unsigned int context)
{
	trace_entry_fill(&entry->ent, TRACE_GRAPH_RET, context);
	entry->ret = *ret;
}

int graph_record_entry(struct trace_array *tr, const struct ftrace_graph_ent *ent);
int graph_record_entry_retaddr(struct trace_array *tr, const struct ftrace_graph_ent *ent);
void graph_record_return(struct trace_array *tr, const struct ftrace_graph_ret *ret);
void graph_record_missing(struct trace_array *tr, unsigned long ip, unsigned long calls);

#endif /* _TRACE_TRACER_GRAPH_RECORD_H */
