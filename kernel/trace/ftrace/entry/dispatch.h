/* SPDX-License-Identifier: GPL-2.0 */
/* Dispatch from a trampoline to callbacks. */
#ifndef _TRACE_FTRACE_ENTRY_DISPATCH_H
#define _TRACE_FTRACE_ENTRY_DISPATCH_H

#include <linux/context_tracking.h>
#include <linux/ftrace.h>

/*
 * ftrace_rcu_watches - is RCU watching this CPU?
 *
 * Used instead of rcu_is_watching(), which can have a kprobe: the functions that handle its trap
 * may be traced by the same callback, and the kprobe cannot be hit again inside them.
 *
 * Any context, preemption disabled.
 */
static __always_inline bool ftrace_rcu_watches(void)
{
#ifdef CONFIG_CONTEXT_TRACKING_IDLE
	return rcu_is_watching_curr_cpu();
#else
	return true;
#endif
}

ftrace_func_t ftrace_ops_entry(const struct ftrace_ops *ops);

#endif /* _TRACE_FTRACE_ENTRY_DISPATCH_H */
