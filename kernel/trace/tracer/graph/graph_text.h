/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Text of the function graph, for its tracer and for latency tracers.
 */
#ifndef _TRACE_TRACER_GRAPH_GRAPH_TEXT_H
#define _TRACE_TRACER_GRAPH_GRAPH_TEXT_H

#include <linux/trace_events.h>

struct seq_file;

int graph_open(struct trace_iterator *iter);
void graph_close(struct trace_iterator *iter);
void graph_print_header(struct seq_file *m, struct trace_iterator *iter);
enum print_line_t graph_print_line(struct trace_iterator *iter);

#endif /* _TRACE_TRACER_GRAPH_GRAPH_TEXT_H */
