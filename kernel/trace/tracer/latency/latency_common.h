/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Common part of the latency tracers: start, stop, and recording of calls.
 */
#ifndef _TRACE_TRACER_LATENCY_LATENCY_COMMON_H
#define _TRACE_TRACER_LATENCY_LATENCY_COMMON_H

#include <linux/ftrace.h>
#include <linux/trace_events.h>

#include "tracer/graph/graph_text.h"

struct seq_file;
struct trace_array;
struct trace_probe;

void trace_latency_record_call(struct trace_array *tr, unsigned long ip,
			       unsigned long parent_ip);

int trace_latency_start(struct trace_array *tr, bool (*should_record_call)(struct trace_array *tr),
			const struct trace_probe *probes, unsigned int kinds, void *data);
void trace_latency_stop(struct trace_array *tr, const struct trace_probe *probes,
			unsigned int kinds, void *data);

#ifdef CONFIG_FUNCTION_GRAPH_TRACER
void trace_latency_header(struct seq_file *m, struct trace_iterator *iter);
enum print_line_t trace_latency_line(struct trace_iterator *iter);

#define LATENCY_TEXT							\
	.open			= graph_open,				\
	.close			= graph_close,				\
	.header			= trace_latency_header,			\
	.line			= trace_latency_line,
#else
#define LATENCY_TEXT
#endif

/* Initializer of a latency tracer with functions NAME_init() and NAME_selftest() */
#define LATENCY_TRACER(tracer_name, reset_it) {				\
	.name			= #tracer_name,				\
	.init			= tracer_name##_init,			\
	.reset			= (reset_it),				\
	LATENCY_TEXT							\
	.selftest		= tracer_name##_selftest,		\
	.keeps_max		= true,					\
	.allow_instances	= true,					\
}

#endif /* _TRACE_TRACER_LATENCY_LATENCY_COMMON_H */
