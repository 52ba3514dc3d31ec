/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Names of system calls.
 */
#ifndef _TRACE_EVENT_RECORD_SYSCALL_H
#define _TRACE_EVENT_RECORD_SYSCALL_H

#include <linux/types.h>

#ifdef CONFIG_FTRACE_SYSCALLS
const char *trace_syscall_name(u64 nr);
#else
static inline const char *trace_syscall_name(u64 nr)
{
	return NULL;
}
#endif

#endif /* _TRACE_EVENT_RECORD_SYSCALL_H */
