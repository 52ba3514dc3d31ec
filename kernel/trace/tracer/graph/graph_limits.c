// SPDX-License-Identifier: GPL-2.0
/*
 * Limits of the function graph tracer: set_graph_function, set_graph_notrace, max_graph_depth,
 * and the option funcgraph-irqs.
 */
#include <linux/ftrace.h>
#include <linux/preempt.h>
#include <linux/rcupdate.h>

#include "lib/hash.h"
#include "tracer/graph/graph_limits.h"
#include "tracer/graph/graph_options.h"

static bool limits_have(struct ftrace_hash __rcu *set, unsigned long ip)
{
	/* Freed after a grace period that includes all callbacks. */
	struct ftrace_hash *hash = rcu_dereference_raw(set);

	return hash && ftrace_hash_has(hash, ip);
}

/**
 * graph_limits_in_notrace - is the current task inside a function of set_graph_notrace?
 * @task: the task variable
 * @ent: the call being entered
 *
 * Calls of an interrupt that occurs before the set_graph_notrace call is on the return stack
 * are not deeper than that call. They are left out also.
 *
 * Context: entryfunc and lostfunc of the tracer
 */
bool graph_limits_in_notrace(struct graph_task *task, const struct ftrace_graph_ent *ent)
{
	unsigned int muted = READ_ONCE(task->notrace_depth);

	if (!muted)
		return false;
	if (ent->depth >= muted || interrupt_context_level() > READ_ONCE(task->notrace_ctx))
		return true;

	WRITE_ONCE(task->notrace_depth, 0);
	return false;
}

/**
 * graph_limits_notrace - if a call is of a function of set_graph_notrace, leave out the calls
 * inside it
 * @limits: limits of the instance
 * @task: the task variable
 * @ent: the call
 *
 * Context: entryfunc of the tracer
 *
 * Return: true if the function is in set_graph_notrace
 */
bool graph_limits_notrace(const struct graph_limits *limits, struct graph_task *task,
			  const struct ftrace_graph_ent *ent)
{
	if (!limits_have(limits->outermost.func_hash->notrace_hash, ent->func))
		return false;

	WRITE_ONCE(task->notrace_ctx, interrupt_context_level());
	WRITE_ONCE(task->notrace_depth, ent->depth + 1);
	return true;
}

/**
 * graph_limits_end - end the limits that began with a call that now returns
 * @task: the task variable
 * @depth: depth of the call
 *
 * Context: retfunc of the tracer
 *
 * Return: true if this is the return of the call that started the set_graph_notrace region
 */
bool graph_limits_end(struct graph_task *task, int depth)
{
	if (READ_ONCE(task->in_irq) == depth + 1)
		WRITE_ONCE(task->in_irq, 0);
	if (READ_ONCE(task->notrace_depth) != depth + 1)
		return false;

	WRITE_ONCE(task->notrace_depth, 0);
	return true;
}

/* Only accepted calls count for the depth: outside set_graph_function it is 0. */
static bool limits_outside(const struct graph_limits *limits,
			   const struct ftrace_graph_ent *ent)
{
	struct ftrace_ops_hash *hash = limits->outermost.func_hash;

	return !ent->depth && rcu_access_pointer(hash->filter_hash) &&
	       !limits_have(hash->filter_hash, ent->func);
}

/*
 * Is this call in an interrupt, and left out because funcgraph-irqs is not set? A call of a
 * function of set_graph_function is recorded nevertheless, with the calls inside it. Without a
 * return stack @task is NULL.
 */
static bool limits_in_irq(const struct graph_limits *limits, struct graph_task *task,
			  const struct ftrace_graph_ent *ent)
{
	unsigned int wanted = task ? READ_ONCE(task->in_irq) : 0;

	if (!in_hardirq() || (wanted && ent->depth >= wanted))
		return false;
	if (!limits_have(limits->outermost.func_hash->filter_hash, ent->func))
		return true;

	if (task)
		WRITE_ONCE(task->in_irq, ent->depth + 1);
	return false;
}

/**
 * graph_limits_refuse - is a call left out for a reason other than set_graph_notrace?
 * @limits: limits of the instance
 * @task: the task variable; NULL in a task without a return stack
 * @flags: the options
 * @ent: the call
 *
 * Context: entryfunc and lostfunc of the tracer
 */
bool graph_limits_refuse(const struct graph_limits *limits, struct graph_task *task, u32 flags,
			 const struct ftrace_graph_ent *ent)
{
	unsigned int max = READ_ONCE(limits->max_depth);

	return (max && ent->depth >= max) || limits_outside(limits, ent) ||
	       (!(flags & GRAPH_IRQS) && limits_in_irq(limits, task, ent));
}

/**
 * graph_limits_leave_out - is a call left out?
 * @limits: limits of the instance
 * @task: the task variable
 * @flags: the options
 * @ent: the call
 *
 * Context: entryfunc of the tracer
 */
bool graph_limits_leave_out(const struct graph_limits *limits, struct graph_task *task,
			    u32 flags, const struct ftrace_graph_ent *ent)
{
	return graph_limits_in_notrace(task, ent) || graph_limits_refuse(limits, task, flags, ent);
}
