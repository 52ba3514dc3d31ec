/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The effective filter of an ops: filter_hash minus notrace_hash, and empty while the ops is not
 * registered.
 */
#ifndef _TRACE_FTRACE_ENTRY_OPS_FILTER_H
#define _TRACE_FTRACE_ENTRY_OPS_FILTER_H

#include <linux/ftrace.h>

#include "lib/hash.h"
#include "patch/records.h"

/**
 * struct ftrace_ops_filter - the functions that an ops traces
 * @on: the ops is registered; if not, it traces no function
 * @filter: functions to trace, NULL for all
 * @exclude: functions not to trace, NULL for no exception
 */
struct ftrace_ops_filter {
	bool			on;
	struct ftrace_hash	*filter;
	struct ftrace_hash	*exclude;
};

/* The effective filter of a registered ops with these hashes. The caller holds ftrace_lock. */
static inline struct ftrace_ops_filter
ftrace_ops_filter_of(const struct ftrace_ops_hash *hash)
{
	return (struct ftrace_ops_filter) {
		.on = true,
		.filter = rcu_dereference_protected(hash->filter_hash,
						    lockdep_is_held(&ftrace_lock)),
		.exclude = rcu_dereference_protected(hash->notrace_hash,
						     lockdep_is_held(&ftrace_lock)),
	};
}

/* Does the filter include the function with the call site @ip? Any context. */
static inline bool ftrace_ops_filter_has(const struct ftrace_ops_filter *meaning,
					 unsigned long ip)
{
	return meaning->on &&
	       (!meaning->filter || ftrace_hash_has(meaning->filter, ip)) &&
	       (!meaning->exclude || !ftrace_hash_has(meaning->exclude, ip));
}

/* Can the filter include a function with a call site from @start up to @end? */
static inline bool ftrace_ops_filter_touches(const struct ftrace_ops_filter *meaning,
					     unsigned long start, unsigned long end)
{
	return meaning->on &&
	       (!meaning->filter ||
		ftrace_hash_touches(meaning->filter, start, end));
}

#endif /* _TRACE_FTRACE_ENTRY_OPS_FILTER_H */
