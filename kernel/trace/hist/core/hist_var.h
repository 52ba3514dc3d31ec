/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Lookup of variables of histograms.
 */
#ifndef _TRACE_HIST_HIST_VAR_H
#define _TRACE_HIST_HIST_VAR_H

#include "hist/core/hist.h"

int hist_var_own(const struct hist_params *params, const char *name);
struct hist *hist_var_find(struct trace_array *tr, const char *event, const char *name,
			   const struct hist *like, unsigned int *var);
int hist_var_of(const struct hist *hist, const char *name);
bool hist_is_of(const struct hist *hist, const char *event);
bool hist_keys_match(const struct hist *a, const struct hist *b);

#endif /* _TRACE_HIST_HIST_VAR_H */
