/* SPDX-License-Identifier: GPL-2.0 */
/* Real return addresses of functions, while return addresses are replaced. */
#ifndef _TRACE_FTRACE_FGRAPH_FGRAPH_UNWIND_H
#define _TRACE_FTRACE_FGRAPH_FGRAPH_UNWIND_H

#include <linux/ftrace.h>
#include <linux/kprobes.h>
#include <linux/rethook.h>
#include <linux/sched.h>

#ifdef CONFIG_FUNCTION_GRAPH_TRACER

bool graph_return_is_caught(unsigned long ret, unsigned long key);
unsigned long graph_entry_caller(void);

/* Has function graph, a kretprobe or fprobe replaced this return address? */
static __always_inline bool graph_is_replaced(unsigned long ret)
{
	return ret == (unsigned long)return_to_handler ||
	       (IS_ENABLED(CONFIG_RETHOOK) && is_rethook_trampoline(ret)) ||
	       is_kretprobe_trampoline(ret);
}

/* The real caller of a function. The return of the callee of a tail call may be caught. */
static __always_inline unsigned long
graph_real_parent(unsigned long parent_ip, struct ftrace_regs *fregs)
{
	int idx = 0;

	if (likely(parent_ip != (unsigned long)return_to_handler))
		return parent_ip;

	return ftrace_graph_ret_addr(current, &idx, parent_ip,
				     (unsigned long *)arch_ftrace_return_key(fregs));
}

#else

static __always_inline unsigned long
graph_real_parent(unsigned long parent_ip, struct ftrace_regs *fregs)
{
	return parent_ip;
}

#endif
#endif /* _TRACE_FTRACE_FGRAPH_FGRAPH_UNWIND_H */
