/* SPDX-License-Identifier: GPL-2.0 */
/*
 * From a trampoline to callbacks.
 */
#ifndef _TRACE_HOOK_DISPATCH_H
#define _TRACE_HOOK_DISPATCH_H

#include <linux/ftrace.h>

/* All registered ops, newest first, for the list function. */
extern struct ftrace_ops __rcu *ftrace_ops_list;

ftrace_func_t ftrace_ops_entry(const struct ftrace_ops *ops);
bool ftrace_ops_means(const struct ftrace_hash *filter,
		      const struct ftrace_hash *exclude, unsigned long ip);

#endif /* _TRACE_HOOK_DISPATCH_H */
