/* SPDX-License-Identifier: GPL-2.0 */
/* The parts of this header that kernel/trace/event/ uses, in user space. */
#ifndef _EVENT_TRACE_EVENTS_H
#define _EVENT_TRACE_EVENTS_H

#define MAX_FILTER_STR_VAL	256U

enum {
	FILTER_OTHER = 0,
	FILTER_STATIC_STRING,
	FILTER_DYN_STRING,
	FILTER_RDYN_STRING,
	FILTER_PTR_STRING,
	FILTER_TRACE_FN,
	FILTER_CPUMASK,
	FILTER_COMM,
	FILTER_CPU,
	FILTER_STACKTRACE,
};

struct trace_event {
	int type;
};

struct event_filter;

int filter_match_preds(struct event_filter *filter, void *rec);

#endif
