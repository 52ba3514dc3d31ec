/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Values of histograms as text: fields, variables, constants and expressions become programs.
 */
#ifndef _TRACE_HIST_HIST_EXPR_H
#define _TRACE_HIST_HIST_EXPR_H

#include "hist/hist.h"

/* What a value is for, which tells what modifiers it may have. */
enum hist_purpose {
	HIST_FOR_KEY,
	HIST_FOR_SUM,
	HIST_FOR_VAR,
	HIST_FOR_PARAM,
};

/**
 * struct hist_build - a histogram that is being made
 * @hist: the histogram
 * @words: the trigger
 * @match: the event of onmatch(), "system.event", for parameters of its action; or NULL
 * @inlined: how many variables of its own the value at hand goes through
 */
struct hist_build {
	struct hist		*hist;
	struct hist_words	*words;
	const char		*match;
	unsigned int		inlined;
};

int hist_value_parse(struct hist_build *build, struct hist_value *value, char *text,
		     enum hist_purpose purpose);
int hist_ref_add(struct hist_build *build, const char *at, struct hist *of, unsigned int var,
		 bool once);

#endif /* _TRACE_HIST_HIST_EXPR_H */
