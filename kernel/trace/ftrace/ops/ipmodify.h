/* SPDX-License-Identifier: GPL-2.0 */
/* Sharing of functions between DIRECT ops and IPMODIFY ops. */
#ifndef _TRACE_FTRACE_OPS_IPMODIFY_H
#define _TRACE_FTRACE_OPS_IPMODIFY_H

#include <linux/ftrace.h>
#include <linux/mutex.h>

struct ftrace_hash;

/*
 * Held while a DIRECT ops or an IPMODIFY ops is registered or unregistered, and
 * while ftrace_ops.ops_func is called. Outside of ftrace_lock.
 */
extern struct mutex ftrace_direct_mutex;

#ifdef CONFIG_DYNAMIC_FTRACE_WITH_DIRECT_CALLS

int ftrace_ipmodify_ask(struct ftrace_hash *functions);
void ftrace_ipmodify_release(void);
int ftrace_ipmodify_ask_self(struct ftrace_ops *direct);

#else

static inline int ftrace_ipmodify_ask(struct ftrace_hash *functions)
{
	return 0;
}

static inline void ftrace_ipmodify_release(void) { }

static inline int ftrace_ipmodify_ask_self(struct ftrace_ops *direct)
{
	return 0;
}

#endif /* CONFIG_DYNAMIC_FTRACE_WITH_DIRECT_CALLS */
#endif /* _TRACE_FTRACE_OPS_IPMODIFY_H */
