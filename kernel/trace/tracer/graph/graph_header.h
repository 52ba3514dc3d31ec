/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Header of the function graph text.
 */
#ifndef _TRACE_TRACER_GRAPH_GRAPH_HEADER_H
#define _TRACE_TRACER_GRAPH_GRAPH_HEADER_H

#include <linux/bits.h>
#include <linux/types.h>

struct seq_file;
struct trace_reader;

/* Column REL TIME of latency tracers, for which function_graph has no option */
#define GRAPH_REL_TIME	BIT(31)

void graph_print_columns(struct seq_file *m, struct trace_reader *reader, u32 flags);

#endif /* _TRACE_TRACER_GRAPH_GRAPH_HEADER_H */
