/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The file tracing_max_latency.
 */
#ifndef _TRACE_TRACEFS_TRACING_MAX_LATENCY_H
#define _TRACE_TRACEFS_TRACING_MAX_LATENCY_H

struct dentry;
struct trace_array;

#ifdef CONFIG_TRACER_MAX_LATENCY
struct dentry *tracefs_latency_file(const struct trace_array *tr);
int tracefs_add_latency(struct dentry *dir, struct trace_array *tr);
void tracefs_remove_latency(struct trace_array *tr);
#else
static inline int tracefs_add_latency(struct dentry *dir, struct trace_array *tr)
{
	return 0;
}

static inline void tracefs_remove_latency(struct trace_array *tr)
{
}
#endif

#endif /* _TRACE_TRACEFS_TRACING_MAX_LATENCY_H */
