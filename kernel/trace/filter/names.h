/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Names of call sites, for those who need many.
 */
#ifndef _TRACE_FILTER_NAMES_H
#define _TRACE_FILTER_NAMES_H

#include <linux/kallsyms.h>
#include <linux/types.h>

#include "lib/symwalk.h"

struct ftrace_glob;

/**
 * struct ftrace_names - a walk over call sites and their names
 * @walk: the symbol of the last site of the kernel's own text
 * @module: name of the last site's module, NULL for the kernel
 * @name: name of the last site's function
 */
struct ftrace_names {
	struct ftrace_symwalk	walk;
	const char		*module;
	char			name[KSYM_NAME_LEN];
};

bool ftrace_names_shown(unsigned long addr, const char *name);
bool ftrace_names_find(struct ftrace_names *names, unsigned long ip);
int ftrace_names_match(const struct ftrace_glob *glob,
		       int (*fn)(void *data, unsigned long ip), void *data);

#endif /* _TRACE_FILTER_NAMES_H */
