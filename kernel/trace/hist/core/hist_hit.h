/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Counting a hit of an event.
 */
#ifndef _TRACE_HIST_HIST_HIT_H
#define _TRACE_HIST_HIST_HIT_H

struct hist;
struct trace_trigger_run;

void hist_hit(struct hist *hist, const struct trace_trigger_run *run);

#endif /* _TRACE_HIST_HIST_HIT_H */
