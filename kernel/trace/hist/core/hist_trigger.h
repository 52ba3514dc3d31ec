/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Histogram triggers.
 */
#ifndef _TRACE_HIST_HIST_TRIGGER_H
#define _TRACE_HIST_HIST_TRIGGER_H

struct hist;
struct trace_trigger;

struct hist *hist_of_trigger(const struct trace_trigger *trigger);

#endif /* _TRACE_HIST_HIST_TRIGGER_H */
