/* SPDX-License-Identifier: GPL-2.0 */
/* Look-up of functions by their exact names. */
#ifndef _TRACE_FILTER_NAME_LOOKUP_H
#define _TRACE_FILTER_NAME_LOOKUP_H

#include <linux/ftrace.h>

/**
 * struct ftrace_namelist - names that are looked up together
 * @name: the names
 * @nr: number of names
 * @max: capacity of @name
 * @missing: the first name that no function has, after a failed look-up
 */
struct ftrace_namelist {
	const char	**name;
	unsigned int	nr;
	unsigned int	max;
	const char	*missing;
};

int ftrace_namelist_add(struct ftrace_namelist *list, const char *name);
void ftrace_namelist_free(struct ftrace_namelist *list);
struct ftrace_hash *ftrace_namelist_sites(struct ftrace_namelist *list);

#endif /* _TRACE_FILTER_NAME_LOOKUP_H */
