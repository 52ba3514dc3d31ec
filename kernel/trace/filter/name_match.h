/* SPDX-License-Identifier: GPL-2.0 */
/* Look-up of the call sites that a pattern selects. */
#ifndef _TRACE_FILTER_NAME_MATCH_H
#define _TRACE_FILTER_NAME_MATCH_H

struct ftrace_hash;
struct ftrace_pattern;

struct ftrace_hash *ftrace_match_pattern(const struct ftrace_pattern *pattern);

#endif /* _TRACE_FILTER_NAME_MATCH_H */
