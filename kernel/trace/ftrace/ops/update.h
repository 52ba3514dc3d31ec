/* SPDX-License-Identifier: GPL-2.0 */
/* Updates of call sites from the filters of ops. */
#ifndef _TRACE_FTRACE_OPS_UPDATE_H
#define _TRACE_FTRACE_OPS_UPDATE_H

#include "ftrace/entry/ops_filter.h"

/**
 * struct ftrace_filter_change - the filter of one ops, or of all ops that share a filter, is
 * replaced
 * @ops: the only ops whose filter changes, or NULL
 * @hash: if @ops is NULL: the filters of all registered ops with this hash change
 * @old: filter before the change
 * @new: filter after the change
 * @gfp: allocation flags
 *
 * The ops are in the list of registered ops throughout.
 */
struct ftrace_filter_change {
	struct ftrace_ops		*ops;
	struct ftrace_ops_hash		*hash;
	struct ftrace_ops_filter	old;
	struct ftrace_ops_filter	new;
	gfp_t				gfp;
};

int ftrace_update_sites(const struct ftrace_filter_change *shift);
int ftrace_update_direct(struct ftrace_ops *ops);
int ftrace_update_range(unsigned long start, unsigned long end);
int ftrace_update_these(const unsigned long *ip, unsigned int nr);
int ftrace_update_range_off(unsigned long start, unsigned long end);
int ftrace_update_all(bool enabled);
void ftrace_update_kept(void);

#endif /* _TRACE_FTRACE_OPS_UPDATE_H */
