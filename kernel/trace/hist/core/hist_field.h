/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Fields of events, and common values like the time stamp, as values of histograms.
 */
#ifndef _TRACE_HIST_HIST_FIELD_H
#define _TRACE_HIST_HIST_FIELD_H

#include "hist/core/hist_value.h"

struct trace_event_call;

int hist_field_step(struct trace_event_call *call, const char *name, bool stack,
		    struct hist_value *value, struct hist_step *step);

#endif /* _TRACE_HIST_HIST_FIELD_H */
