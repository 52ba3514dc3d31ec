/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Sorting the elements of a histogram.
 */
#ifndef _TRACE_HIST_HIST_SORT_H
#define _TRACE_HIST_HIST_SORT_H

#include "hist/core/hist.h"

/**
 * struct hist_row - an element
 * @rank: sort ranks, one for each sort key, compared as unsigned numbers
 * @elt: the element. Elements of equal ranks are sorted by its address.
 */
struct hist_row {
	u64	rank[HIST_SORT_MAX];
	u64	*elt;
};

struct hist_row *hist_sort(struct hist *hist, struct hist_row *rows, struct hist_row *spare,
			   unsigned int nr);

#endif /* _TRACE_HIST_HIST_SORT_H */
