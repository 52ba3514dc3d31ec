/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Reading histograms.
 */
#ifndef _TRACE_HIST_HIST_READ_H
#define _TRACE_HIST_HIST_READ_H

#include <linux/types.h>

struct hist_reading;
struct seq_file;
struct trace_array;
struct trace_event_call;

struct hist_reading *hist_read(struct trace_array *tr, struct trace_event_call *call);
bool hist_reading_has(struct hist_reading *reading, loff_t line);
void hist_reading_sort(struct hist_reading *reading);
void hist_reading_show(struct seq_file *m, struct hist_reading *reading, loff_t line);
void hist_reading_show_raw(struct seq_file *m, struct hist_reading *reading, loff_t line);
void hist_reading_free(struct hist_reading *reading);

#endif /* _TRACE_HIST_HIST_READ_H */
