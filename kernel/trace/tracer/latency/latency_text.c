// SPDX-License-Identifier: GPL-2.0
/*
 * Text of the latency tracers in kernels with function graph: with the option display-graph,
 * the text of the function graph.
 */
#include <linux/seq_file.h>

#include "instance/core/options.h"
#include "output/reader.h"
#include "tracer/graph/graph_text.h"
#include "tracer/latency/latency_common.h"

static bool latency_text_is_display_graph(struct trace_iterator *iter)
{
	return trace_reader_of(iter)->options & TRACE_OPT(DISPLAY_GRAPH);
}

/**
 * trace_latency_line - print an entry, tracer.line
 * @iter: iterator of a reader
 */
enum print_line_t trace_latency_line(struct trace_iterator *iter)
{
	return latency_text_is_display_graph(iter) ? graph_print_line(iter) : TRACE_TYPE_UNHANDLED;
}

/**
 * trace_latency_header - print the header, tracer.header
 * @m: destination
 * @iter: iterator of a reader
 */
void trace_latency_header(struct seq_file *m, struct trace_iterator *iter)
{
	if (latency_text_is_display_graph(iter))
		graph_print_header(m, iter);
	else
		trace_print_usual_header(m, trace_reader_of(iter));
}
