/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Internals of histograms as text.
 */
#ifndef _TRACE_HIST_HIST_DEBUG_H
#define _TRACE_HIST_HIST_DEBUG_H

struct seq_file;
struct trace_array;
struct trace_event_call;

void hist_debug_show(struct seq_file *m, struct trace_array *tr, struct trace_event_call *call);

#endif /* _TRACE_HIST_HIST_DEBUG_H */
