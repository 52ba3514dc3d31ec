/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Grace periods for trampolines and callbacks that are no longer called by any call site: at
 * their end, no task is inside.
 */
#ifndef _TRACE_FTRACE_ENTRY_FTRACE_RCU_H
#define _TRACE_FTRACE_ENTRY_FTRACE_RCU_H

#include <linux/types.h>

struct ftrace_hash;

void call_ftrace_rcu(struct rcu_head *head, rcu_callback_t func);
void ftrace_hash_free_rcu(struct ftrace_hash *hash);
void ftrace_synchronize(void);

#endif /* _TRACE_FTRACE_ENTRY_FTRACE_RCU_H */
