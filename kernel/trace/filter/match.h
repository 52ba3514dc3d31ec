/* SPDX-License-Identifier: GPL-2.0 */
/*
 * From words to call sites.
 */
#ifndef _TRACE_FILTER_MATCH_H
#define _TRACE_FILTER_MATCH_H

#include <linux/ftrace.h>

#include "lib/pattern.h"

/**
 * struct ftrace_name - a name that is looked for
 * @name: the name
 * @found: some function has it
 */
struct ftrace_name {
	char	*name;
	bool	found;
};

/**
 * struct ftrace_name_list - names that are looked for together
 * @want: the names
 * @nr: their number
 * @max: how many there is room for
 */
struct ftrace_name_list {
	struct ftrace_name	*want;
	unsigned int		nr;
	unsigned int		max;
};

int ftrace_names_add(struct ftrace_name_list *names, const char *name);
void ftrace_names_free(struct ftrace_name_list *names);

struct ftrace_hash *ftrace_match_names(struct ftrace_name_list *names);
const char *ftrace_names_missing(const struct ftrace_name_list *names);
struct ftrace_hash *ftrace_match_pattern(const struct ftrace_pattern *pattern);

#endif /* _TRACE_FILTER_MATCH_H */
