/* SPDX-License-Identifier: GPL-2.0 */
/* Look-up of the call sites that a pattern selects. */
#ifndef _TRACE_FILTER_NAME_MATCH_H
#define _TRACE_FILTER_NAME_MATCH_H

#include <linux/types.h>

struct ftrace_hash;
struct ftrace_pattern;

struct ftrace_hash *ftrace_match_pattern(const struct ftrace_pattern *pattern);

#ifdef CONFIG_FTRACE_DISCOVER
bool ftrace_pattern_has_symbol(const struct ftrace_pattern *pattern);
#else
static inline bool ftrace_pattern_has_symbol(const struct ftrace_pattern *pattern)
{
	return false;
}
#endif

#endif /* _TRACE_FILTER_NAME_MATCH_H */
