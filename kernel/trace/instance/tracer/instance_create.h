/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Creation and removal of instances.
 */
#ifndef _TRACE_INSTANCE_TRACER_INSTANCE_CREATE_H
#define _TRACE_INSTANCE_TRACER_INSTANCE_CREATE_H

struct seq_file;
struct trace_array;
struct trace_instance_ops;

int register_trace_instance_ops(struct trace_instance_ops *part);
void trace_instance_show_stats(struct seq_file *m, struct trace_array *tr, int cpu);
struct trace_array *trace_instance_at_boot(const char *name, void *memory,
					   unsigned long size);
int trace_instance_mkdir(const char *name);
int trace_instance_rmdir(const char *name);

#endif /* _TRACE_INSTANCE_TRACER_INSTANCE_CREATE_H */
