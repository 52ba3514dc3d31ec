/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Histograms as text for programs.
 */
#ifndef _TRACE_HIST_HIST_RAW_H
#define _TRACE_HIST_HIST_RAW_H

#include "hist/core/hist.h"

struct seq_file;

void hist_raw_begin(struct seq_file *m, const struct hist *hist, bool paused);
void hist_raw_elt(struct seq_file *m, const struct hist *hist, const u64 *elt);

#endif /* _TRACE_HIST_HIST_RAW_H */
