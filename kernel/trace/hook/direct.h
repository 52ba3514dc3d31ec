/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Direct calls: sites that call a trampoline of the user's own.
 */
#ifndef _TRACE_HOOK_DIRECT_H
#define _TRACE_HOOK_DIRECT_H

#include <linux/ftrace.h>
#include <linux/mutex.h>

/*
 * Held while a DIRECT ops, or one that may change the instruction pointer, comes
 * or goes. Outside of ftrace_lock; ftrace_ops.ops_func is called under it.
 */
extern struct mutex ftrace_direct_mutex;

#ifdef CONFIG_DYNAMIC_FTRACE_WITH_DIRECT_CALLS

int ftrace_direct_welcome(struct ftrace_ops *ops);
void ftrace_direct_dismiss(struct ftrace_ops *ops);
int ftrace_direct_join(struct ftrace_ops *ops);

#else

static inline int ftrace_direct_welcome(struct ftrace_ops *ops)
{
	return 0;
}

static inline void ftrace_direct_dismiss(struct ftrace_ops *ops) { }

static inline int ftrace_direct_join(struct ftrace_ops *ops)
{
	return 0;
}

#endif /* CONFIG_DYNAMIC_FTRACE_WITH_DIRECT_CALLS */
#endif /* _TRACE_HOOK_DIRECT_H */
