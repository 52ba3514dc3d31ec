/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Counters of branches, and the record of each evaluation of likely() and unlikely().
 */
#ifndef _TRACE_TRACER_BRANCH_BRANCH_PROFILE_H
#define _TRACE_TRACER_BRANCH_BRANCH_PROFILE_H

#include <linux/compiler.h>

struct trace_array;

/* The sections in which <linux/compiler.h> puts the counters. */
extern struct ftrace_likely_data __start_annotated_branch_profile[];
extern struct ftrace_likely_data __stop_annotated_branch_profile[];
extern struct ftrace_branch_data __start_branch_profile[];
extern struct ftrace_branch_data __stop_branch_profile[];

#ifdef CONFIG_BRANCH_TRACER
/* The instance that records branches, or NULL */
extern struct trace_array *trace_branch_tr;

void trace_branch_record(struct trace_array *tr, const struct ftrace_likely_data *branch,
			 bool expected);
void trace_branch_init(void);
#else
static inline void trace_branch_init(void) { }
#endif

#endif /* _TRACE_TRACER_BRANCH_BRANCH_PROFILE_H */
