/* SPDX-License-Identifier: GPL-2.0 */
/* The parts of this header that kernel/trace/instance/core/entries.h uses, in user space. */
#ifndef _SAVED_FTRACE_H
#define _SAVED_FTRACE_H

#ifndef __packed
#define __packed		__attribute__((packed))
#endif

struct ftrace_graph_ent {
	unsigned long		func;
	int			depth;
} __packed;

struct ftrace_graph_ret {
	unsigned long		func;
	int			depth;
	unsigned int		overrun;
	unsigned long long	calltime;
	unsigned long long	rettime;
} __packed;

#endif
