/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A writable view of text that is mapped read-only where it is executed.
 */
#ifndef _TRACE_PATCH_ALIAS_H
#define _TRACE_PATCH_ALIAS_H

#include <linux/ftrace.h>

/**
 * struct ftrace_alias - the view
 * @base: its first page
 * @page: the pages of text that have a call site in them, by ascending address
 * @nr: their number
 */
struct ftrace_alias {
	u8		*base;
	struct page	**page;
	unsigned int	nr;
};

int ftrace_alias_map(struct ftrace_alias *alias, struct ftrace_patch_site *site,
		     unsigned int nr, gfp_t gfp);
void ftrace_alias_unmap(struct ftrace_alias *alias);

#endif /* _TRACE_PATCH_ALIAS_H */
