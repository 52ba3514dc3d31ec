// SPDX-License-Identifier: GPL-2.0
/*
 * Dispatch from a trampoline to callbacks: directly, through a guard that the callback
 * requested, or by the list function, which searches for all ops that trace the function.
 *
 * This runs in any context. The data that it reads was published before the sites were changed,
 * and is freed only after a grace period of ftrace/entry/ftrace_rcu.c.
 */
#include <linux/kprobes.h>
#include <linux/rcupdate.h>
#include <linux/trace_recursion.h>

#include "ftrace/entry/dispatch.h"
#include "ftrace/entry/list.h"
#include "ftrace/entry/ops_filter.h"
#include "ftrace/entry/task.h"

/* See ftrace/entry/task.h. */
DEFINE_STATIC_KEY_FALSE(ftrace_pids_in_use);
DEFINE_PER_CPU(pid_t, ftrace_ops_pid);

static __always_inline void dispatch_call_guarded(int bit, unsigned long ip,
						  unsigned long parent_ip, struct ftrace_ops *ops,
						  struct ftrace_regs *fregs, bool needs_rcu)
{
	trace_recursion_enter(bit);
	if (!needs_rcu || ftrace_rcu_watches())
		ops->func(ip, parent_ip, ops, fregs);
	trace_recursion_leave(bit);
}

/* Slow path: not in task context, or the task's bit is already set. */
static noinline void dispatch_guarded_entry_slow(unsigned long ip, unsigned long parent_ip,
						 struct ftrace_ops *ops, struct ftrace_regs *fregs)
{
	int bit = trace_recursion_bit(TRACE_RECURSION_OPS);

	if (bit >= 0)
		dispatch_call_guarded(bit, ip, parent_ip, ops, fregs,
				      ops->flags & FTRACE_OPS_FL_RCU);
	else
		ftrace_record_recursion(ip, parent_ip);
}

NOKPROBE_SYMBOL(dispatch_guarded_entry_slow);

/* Most calls come from tasks: a constant bit halves the cost of the guard. */
static __always_inline void dispatch_guarded_call(unsigned long ip, unsigned long parent_ip,
						  struct ftrace_ops *ops, struct ftrace_regs *fregs,
						  bool needs_rcu)
{
	const int bit = TRACE_RECURSION_TASK << TRACE_RECURSION_OPS;

	if (likely(trace_recursion_context() == TRACE_RECURSION_TASK &&
		   !(current->trace_recursion & bit)))
		dispatch_call_guarded(bit, ip, parent_ip, ops, fregs, needs_rcu);
	else
		dispatch_guarded_entry_slow(ip, parent_ip, ops, fregs);
}

/* Called instead of a callback with FTRACE_OPS_FL_RECURSION. */
static void dispatch_guarded_entry(unsigned long ip, unsigned long parent_ip,
				   struct ftrace_ops *ops, struct ftrace_regs *fregs)
{
	dispatch_guarded_call(ip, parent_ip, ops, fregs, false);
}

NOKPROBE_SYMBOL(dispatch_guarded_entry);

/* Called instead of a callback with FTRACE_OPS_FL_RCU, which includes the guard. */
static void dispatch_rcu_entry(unsigned long ip, unsigned long parent_ip,
			       struct ftrace_ops *ops, struct ftrace_regs *fregs)
{
	dispatch_guarded_call(ip, parent_ip, ops, fregs, true);
}

NOKPROBE_SYMBOL(dispatch_rcu_entry);

/* Called instead of a callback with FTRACE_OPS_FL_PID. */
static void dispatch_pid_entry(unsigned long ip, unsigned long parent_ip,
			       struct ftrace_ops *ops, struct ftrace_regs *fregs)
{
	if (static_branch_unlikely(&ftrace_pids_in_use) &&
	    this_cpu_read(ftrace_ops_pid) != current->pid)
		return;

	if (ops->flags & FTRACE_OPS_FL_RCU)
		dispatch_rcu_entry(ip, parent_ip, ops, fregs);
	else if (ops->flags & FTRACE_OPS_FL_RECURSION)
		dispatch_guarded_entry(ip, parent_ip, ops, fregs);
	else
		ops->func(ip, parent_ip, ops, fregs);
}

NOKPROBE_SYMBOL(dispatch_pid_entry);

/**
 * ftrace_ops_entry - get the function that a trampoline calls for an ops
 * @ops: the ops; its flags PID, RCU and RECURSION are used
 *
 * Context: any
 *
 * Return: its callback, or a function that calls the callback if it is allowed
 */
ftrace_func_t ftrace_ops_entry(const struct ftrace_ops *ops)
{
	if (ops->flags & FTRACE_OPS_FL_PID)
		return dispatch_pid_entry;
	if (ops->flags & FTRACE_OPS_FL_RCU)
		return dispatch_rcu_entry;
	if (ops->flags & FTRACE_OPS_FL_RECURSION)
		return dispatch_guarded_entry;

	return ops->func;
}

NOKPROBE_SYMBOL(ftrace_ops_entry);

/* Unlike ftrace_ops_filter_of(), this may be called in any context. */
static __always_inline bool dispatch_matches(const struct ftrace_ops *ops, unsigned long ip)
{
	const struct ftrace_ops_filter meaning = {
		.on = true,
		.filter = rcu_dereference_raw(ops->func_hash->filter_hash),
		.exclude = rcu_dereference_raw(ops->func_hash->notrace_hash),
	};

	return ftrace_ops_filter_has(&meaning, ip);
}

/*
 * An ops that needs all registers is on the list before its sites save them, and may be for a
 * while after they have stopped to. Only sites without a trampoline call the list function then.
 */
static __always_inline bool dispatch_has_needed(const struct ftrace_ops *ops,
						struct ftrace_regs *fregs)
{
	return !IS_ENABLED(CONFIG_DYNAMIC_FTRACE_WITH_REGS) ||
	       !(ops->flags & FTRACE_OPS_FL_SAVE_REGS) || ftrace_get_regs(fregs);
}

/* @graph: FTRACE_OPS_FL_GRAPH for users of function graph, 0 for all others */
static __always_inline void dispatch_call_listed(unsigned long ip, unsigned long parent_ip,
						 struct ftrace_regs *fregs, unsigned long graph)
{
	const unsigned long flags = FTRACE_OPS_FL_STUB | FTRACE_OPS_FL_GRAPH;
	struct ftrace_ops_node *node;

	hlist_for_each_entry_rcu_notrace(node, &ftrace_ops_list, link) {
		struct ftrace_ops *op = node->ops;

		if ((op->flags & flags) == graph && dispatch_has_needed(op, fregs) &&
		    dispatch_matches(op, ip))
			ftrace_ops_entry(op)(ip, parent_ip, op, fregs);
	}
}

/**
 * arch_ftrace_ops_list_func - call all ops that trace a function
 * @ip: call site of the function
 * @parent_ip: return address of the function
 * @op: not used
 * @fregs: registers of the function
 *
 * The linker script also names it ftrace_ops_list_func. @fregs has all registers if the site
 * calls FTRACE_LIST_ENTRY_REGS; otherwise ops that need them are not called.
 *
 * It calls the same entries that a trampoline would. It has no guard of its own: a direct call
 * or a live patch must not be skipped because some other callback was running when the function
 * was called.
 *
 * Context: any
 */
void arch_ftrace_ops_list_func(unsigned long ip, unsigned long parent_ip,
			       struct ftrace_ops *op, struct ftrace_regs *fregs);
void arch_ftrace_ops_list_func(unsigned long ip, unsigned long parent_ip,
			       struct ftrace_ops *op, struct ftrace_regs *fregs)
{
	dispatch_call_listed(ip, parent_ip, fregs, 0);
	/* Last, as in a trampoline, because other ops also replace return addresses. */
	if (IS_ENABLED(CONFIG_FUNCTION_GRAPH_TRACER))
		dispatch_call_listed(ip, parent_ip, fregs, FTRACE_OPS_FL_GRAPH);
}

NOKPROBE_SYMBOL(arch_ftrace_ops_list_func);
