/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The header of the text of the function graph.
 */
#ifndef _TRACE_TRACER_GRAPH_GRAPH_HEADER_H
#define _TRACE_TRACER_GRAPH_GRAPH_HEADER_H

#include <linux/bits.h>
#include <linux/types.h>

struct seq_file;
struct trace_reader;

/* The column of a latency tracer, for which function_graph has no option: REL TIME */
#define GRAPH_REL_TIME	BIT(31)

void graph_print_columns(struct seq_file *m, struct trace_reader *reader, u32 flags);

#endif /* _TRACE_TRACER_GRAPH_GRAPH_HEADER_H */
