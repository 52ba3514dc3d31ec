/* SPDX-License-Identifier: GPL-2.0 */
/* Names of call sites, for readers that need many names. */
#ifndef _TRACE_FILTER_NAME_ITER_H
#define _TRACE_FILTER_NAME_ITER_H

#include <linux/kallsyms.h>
#include <linux/module.h>
#include <linux/types.h>

#include "lib/symwalk.h"

struct dyn_ftrace;

/**
 * struct ftrace_name_iter - an iterator over names of call sites
 * @walk: symbol of the last site in the kernel's own text
 * @symbol: symbol of the last site in a module
 * @module: name of the last site's module, NULL for the kernel; either in @owner, or in a module
 *	that remains loaded under ftrace_lock
 * @owner: copy of the name, for a module that may be unloaded
 * @name: name of the last site's function
 *
 * Begins with zeroes.
 */
struct ftrace_name_iter {
	struct ftrace_symwalk	walk;
	unsigned int		symbol;
	const char		*module;
	char			owner[MODULE_NAME_LEN];
	char			name[KSYM_NAME_LEN];
};

bool ftrace_name_iter_seek(struct ftrace_name_iter *iter, unsigned long ip);
bool ftrace_name_iter_rec(struct ftrace_name_iter *iter, const struct dyn_ftrace *rec);
bool ftrace_name_is_shown(unsigned long addr, const char *name);

#endif /* _TRACE_FILTER_NAME_ITER_H */
