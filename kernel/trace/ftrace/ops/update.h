/* SPDX-License-Identifier: GPL-2.0 */
/*
 * From the meaning of ops to what sites shall call.
 */
#ifndef _TRACE_FTRACE_OPS_UPDATE_H
#define _TRACE_FTRACE_OPS_UPDATE_H

#include "ftrace/entry/ops_filter.h"

/**
 * struct ftrace_filter_change - ops come to mean other functions
 * @ops: the only ops that does, or NULL
 * @hash: if @ops is NULL: all registered ops with these filters do
 * @old: what they mean so far
 * @new: what they shall mean
 * @gfp: how to allocate
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
