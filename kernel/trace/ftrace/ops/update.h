/* SPDX-License-Identifier: GPL-2.0 */
/*
 * From the meaning of ops to what sites shall call.
 */
#ifndef _TRACE_FTRACE_OPS_UPDATE_H
#define _TRACE_FTRACE_OPS_UPDATE_H

#include "ftrace/entry/ops_filter.h"

/**
 * struct ftrace_shift - ops come to mean other functions
 * @ops: the only ops that does, or NULL
 * @hash: if @ops is NULL: all registered ops with these filters do
 * @old: what they mean so far
 * @new: what they shall mean
 * @gfp: how to allocate
 *
 * The ops are in the list of registered ops throughout.
 */
struct ftrace_shift {
	struct ftrace_ops		*ops;
	struct ftrace_ops_hash		*hash;
	struct ftrace_meaning		old;
	struct ftrace_meaning		new;
	gfp_t				gfp;
};

int ftrace_want_shift(const struct ftrace_shift *shift);
int ftrace_want_direct(struct ftrace_ops *ops);
int ftrace_want_range(unsigned long start, unsigned long end);
int ftrace_want_sites(const unsigned long *ip, unsigned int nr);
int ftrace_want_range_nothing(unsigned long start, unsigned long end);
int ftrace_want_all(bool enabled);
void ftrace_want_kept(void);

#endif /* _TRACE_FTRACE_OPS_UPDATE_H */
