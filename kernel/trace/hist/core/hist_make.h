/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Creation and removal of histograms.
 */
#ifndef _TRACE_HIST_HIST_MAKE_H
#define _TRACE_HIST_HIST_MAKE_H

#include "hist/core/hist.h"

struct hist *hist_make(struct trace_event_file *file, struct hist_params *params);
void hist_get(struct hist *hist);
void hist_put(struct hist *hist);
void hist_drop(struct hist *hist);
int hist_begin(struct hist *hist, struct hist_params *params);
void hist_end(struct hist *hist);
int hist_clear(struct hist *hist);
bool hist_same(const struct hist *a, const struct hist *b);

#endif /* _TRACE_HIST_HIST_MAKE_H */
