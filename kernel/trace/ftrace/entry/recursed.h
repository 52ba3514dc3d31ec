/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _TRACE_FTRACE_ENTRY_RECURSED_H
#define _TRACE_FTRACE_ENTRY_RECURSED_H

#include <linux/types.h>

/**
 * struct ftrace_recursion - a function that a callback recursed through
 * @ip: its call site; 0 if there is no such function yet
 * @parent_ip: its return address at that call; 0 until it has been stored
 */
struct ftrace_recursion {
	unsigned long	ip;
	unsigned long	parent_ip;
};

bool ftrace_recursion_get(unsigned int nr, struct ftrace_recursion *recursion);
void ftrace_recursion_reset(void);

#endif /* _TRACE_FTRACE_ENTRY_RECURSED_H */
