/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The object that a function was compiled into.
 */
#ifndef _TRACE_FILTER_SOURCE_MATCH_H
#define _TRACE_FILTER_SOURCE_MATCH_H

#include <linux/ftrace.h>

struct ftrace_sources;

#ifdef CONFIG_FTRACE_SOURCES
int ftrace_sources_match(const char *glob,
			 int (*fn)(void *data, const struct dyn_ftrace *rec),
			 void *data);

struct ftrace_sources *ftrace_sources_make(void);
void ftrace_sources_free(struct ftrace_sources *sources);
const char *ftrace_sources_find(const struct ftrace_sources *sources,
				const struct dyn_ftrace *rec);
#else
static inline int ftrace_sources_match(const char *glob,
				       int (*fn)(void *data, const struct dyn_ftrace *rec),
				       void *data)
{
	return 0;
}

static inline void ftrace_sources_free(struct ftrace_sources *sources) { }
#endif

#endif /* _TRACE_FILTER_SOURCE_MATCH_H */
