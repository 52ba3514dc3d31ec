/* SPDX-License-Identifier: GPL-2.0 */
/*
 * From what ops mean to what sites shall call.
 */
#ifndef _TRACE_HOOK_WANT_H
#define _TRACE_HOOK_WANT_H

#include <linux/ftrace.h>

/**
 * struct ftrace_meaning - the functions that an ops means
 * @on: the ops is registered; without that it means none
 * @filter: the functions meant, NULL for all
 * @exclude: functions never meant, NULL for none
 */
struct ftrace_meaning {
	bool			on;
	struct ftrace_hash	*filter;
	struct ftrace_hash	*exclude;
};

/**
 * struct ftrace_shift - ops come to mean other functions
 * @ops: the only ops that does, or NULL
 * @hash: with no @ops: all registered ops with these filters do
 * @old: what they mean so far
 * @new: what they shall mean
 * @agreed: where a DIRECT ops and one that may change the instruction pointer
 *	come together on a function, the former knows of it
 * @gfp: how to allocate
 */
struct ftrace_shift {
	struct ftrace_ops		*ops;
	struct ftrace_ops_hash		*hash;
	struct ftrace_meaning		old;
	struct ftrace_meaning		new;
	bool				agreed;
	gfp_t				gfp;
};

int ftrace_want_shift(const struct ftrace_shift *shift);
int ftrace_want_again(struct ftrace_ops *ops);
int ftrace_want_range(unsigned long start, unsigned long end);
int ftrace_want_range_nothing(unsigned long start, unsigned long end);
int ftrace_want_all(bool enabled);
void ftrace_want_nothing(void);

#endif /* _TRACE_HOOK_WANT_H */
