// SPDX-License-Identifier: GPL-2.0
/*
 * From a trampoline to callbacks: directly, through what guards them, or by
 * the list function, which looks for all ops that mean the traced function.
 *
 * This runs in any context. What is read here was published before the sites
 * were changed, and is freed only after ftrace_reap_wait().
 */
#include <linux/kprobes.h>
#include <linux/rcupdate.h>

#include "hook/dispatch.h"
#include "hook/task.h"
#include "lib/hash.h"

struct ftrace_ops __rcu *ftrace_ops_list;

/* See hook/task.h. */
DEFINE_STATIC_KEY_FALSE(ftrace_pids_in_use);
DEFINE_PER_CPU(pid_t, ftrace_traced_pid);

/**
 * ftrace_ops_means - do these filters mean a function?
 * @filter: the functions meant, NULL for all
 * @exclude: functions never meant, NULL for none
 * @ip: the call site of the function
 */
bool ftrace_ops_means(const struct ftrace_hash *filter,
		      const struct ftrace_hash *exclude, unsigned long ip)
{
	return (!filter || ftrace_hash_has(filter, ip)) &&
	       (!exclude || !ftrace_hash_has(exclude, ip));
}

static bool ops_means(const struct ftrace_ops *ops, unsigned long ip)
{
	return ftrace_ops_means(rcu_dereference_raw(ops->func_hash->filter_hash),
				rcu_dereference_raw(ops->func_hash->notrace_hash),
				ip);
}

static bool rcu_is_missing(const struct ftrace_ops *ops)
{
	return ops->flags & FTRACE_OPS_FL_RCU && !rcu_is_watching();
}

static bool task_is_skipped(const struct ftrace_ops *ops)
{
	return ops->flags & FTRACE_OPS_FL_PID &&
	       static_branch_unlikely(&ftrace_pids_in_use) &&
	       this_cpu_read(ftrace_traced_pid) != current->pid;
}

/* Stands before a callback that asked for guards. */
static void guarded_entry(unsigned long ip, unsigned long parent_ip,
			  struct ftrace_ops *ops, struct ftrace_regs *fregs)
{
	int bit = trace_test_and_set_recursion(ip, parent_ip, TRACE_LIST_START);

	if (bit < 0)
		return;

	if (!rcu_is_missing(ops))
		ops->func(ip, parent_ip, ops, fregs);
	trace_clear_recursion(bit);
}

NOKPROBE_SYMBOL(guarded_entry);

/* Stands before a callback that is for some tasks only. */
static void pid_entry(unsigned long ip, unsigned long parent_ip,
		      struct ftrace_ops *ops, struct ftrace_regs *fregs)
{
	if (task_is_skipped(ops))
		return;

	if (ops->flags & (FTRACE_OPS_FL_RECURSION | FTRACE_OPS_FL_RCU))
		guarded_entry(ip, parent_ip, ops, fregs);
	else
		ops->func(ip, parent_ip, ops, fregs);
}

NOKPROBE_SYMBOL(pid_entry);

/**
 * ftrace_ops_entry - what a trampoline calls for an ops
 * @ops: the ops
 *
 * Return: its callback, or what stands before that
 */
ftrace_func_t ftrace_ops_entry(const struct ftrace_ops *ops)
{
	if (ops->flags & FTRACE_OPS_FL_PID)
		return pid_entry;
	if (ops->flags & (FTRACE_OPS_FL_RECURSION | FTRACE_OPS_FL_RCU))
		return guarded_entry;

	return ops->func;
}

/**
 * arch_ftrace_ops_list_func - call all ops that mean the traced function
 * @ip: its call site
 * @parent_ip: where it returns to
 * @op: not used
 * @fregs: its registers
 *
 * The linker script has it as ftrace_ops_list_func, too.
 *
 * Context: any
 */
void arch_ftrace_ops_list_func(unsigned long ip, unsigned long parent_ip,
			       struct ftrace_ops *op, struct ftrace_regs *fregs);
void arch_ftrace_ops_list_func(unsigned long ip, unsigned long parent_ip,
			       struct ftrace_ops *op, struct ftrace_regs *fregs)
{
	int bit = trace_test_and_set_recursion(ip, parent_ip, TRACE_LIST_START);

	for (op = rcu_dereference_raw(ftrace_ops_list); op;
	     op = rcu_dereference_raw(op->next)) {
		/* A direct call may stand in for the function: it must not be left out. */
		if (bit < 0 && !(op->flags & FTRACE_OPS_FL_DIRECT))
			continue;
		if (op->flags & FTRACE_OPS_FL_STUB || rcu_is_missing(op) ||
		    task_is_skipped(op))
			continue;
		if (ops_means(op, ip))
			op->func(ip, parent_ip, op, fregs);
	}
	if (bit >= 0)
		trace_clear_recursion(bit);
}

NOKPROBE_SYMBOL(arch_ftrace_ops_list_func);
