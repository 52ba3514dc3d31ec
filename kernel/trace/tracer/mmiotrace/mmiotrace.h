/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Text of the tracer mmiotrace.
 */
#ifndef _TRACE_TRACER_MMIOTRACE_MMIOTRACE_H
#define _TRACE_TRACER_MMIOTRACE_MMIOTRACE_H

#include <linux/trace_events.h>

struct seq_file;

int trace_mmio_open(struct trace_iterator *iter);
void trace_mmio_close(struct trace_iterator *iter);
void trace_mmio_header(struct seq_file *m, struct trace_iterator *iter);
enum print_line_t trace_mmio_line(struct trace_iterator *iter);

#endif /* _TRACE_TRACER_MMIOTRACE_MMIOTRACE_H */
