/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Textual form of histograms.
 */
#ifndef _TRACE_HIST_HIST_TEXT_H
#define _TRACE_HIST_HIST_TEXT_H

#include "hist/core/hist.h"

struct seq_file;

/**
 * struct hist_totals - totals for percentages and bars
 * @sum: sum over all elements, by the number of the value
 * @max: maximum of all elements, by the number of the value
 */
struct hist_totals {
	u64	sum[HIST_VALS_MAX];
	u64	max[HIST_VALS_MAX];
};

void hist_text_trigger(struct seq_file *m, const struct hist *hist, bool paused);
void hist_text_key(struct seq_file *m, const struct hist *hist, const u64 *elt);
void hist_text_elt(struct seq_file *m, const struct hist *hist, const u64 *elt,
		   const struct hist_totals *totals);
void hist_text_value(struct seq_file *m, const struct hist_value *value, const u64 *words);

#endif /* _TRACE_HIST_HIST_TEXT_H */
