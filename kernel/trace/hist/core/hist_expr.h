/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Compiler for values of histograms: fields, variables, constants and expressions.
 */
#ifndef _TRACE_HIST_HIST_EXPR_H
#define _TRACE_HIST_HIST_EXPR_H

#include "hist/core/hist.h"

/* Purpose of a value, which determines the valid modifiers. */
enum hist_purpose {
	HIST_FOR_KEY,
	HIST_FOR_SUM,
	HIST_FOR_VAR,
	HIST_FOR_PARAM,
};

/**
 * struct hist_build - a histogram that is being created
 * @hist: the histogram
 * @params: the trigger
 * @match: event of onmatch(), "system.event", for parameters of its action; or NULL
 * @inlined: nesting depth of the histogram's own variables in the current value
 */
struct hist_build {
	struct hist		*hist;
	struct hist_params	*params;
	const char		*match;
	unsigned int		inlined;
};

int hist_value_parse(struct hist_build *build, struct hist_value *value, char *text,
		     enum hist_purpose purpose);

#endif /* _TRACE_HIST_HIST_EXPR_H */
