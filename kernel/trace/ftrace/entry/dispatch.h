/* SPDX-License-Identifier: GPL-2.0 */
/*
 * From a trampoline to callbacks.
 */
#ifndef _TRACE_FTRACE_ENTRY_DISPATCH_H
#define _TRACE_FTRACE_ENTRY_DISPATCH_H

#include <linux/context_tracking.h>
#include <linux/ftrace.h>

/*
 * ftrace_rcu_watches - is RCU watching this CPU?
 *
 * As rcu_is_watching(), but that can have a kprobe. Its trap would be handled by functions that
 * may be traced by the same callback, while the kprobe is in no state to be hit again.
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
