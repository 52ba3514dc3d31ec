/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The ring buffer of an instance: its size, its CPUs and its content.
 */
#ifndef _TRACE_INSTANCE_CORE_BUFFER_H
#define _TRACE_INSTANCE_CORE_BUFFER_H

struct cpumask;
struct trace_array;

void trace_buffer_apply_boot(void);
int trace_buffer_create(struct trace_array *tr);
void trace_buffer_destroy(struct trace_array *tr);

int trace_array_expand(struct trace_array *tr);
int trace_array_expand_now(struct trace_array *tr);
int trace_array_resize(struct trace_array *tr, unsigned long size, int cpu);
unsigned long trace_array_size(struct trace_array *tr, int cpu);
void trace_array_clear(struct trace_array *tr, int cpu);
void trace_array_clear_all(struct trace_array *tr);
int trace_array_set_cpumask(struct trace_array *tr, const char *text);

#endif /* _TRACE_INSTANCE_CORE_BUFFER_H */
