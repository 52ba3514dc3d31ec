/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Guards against a tracing callback that traces itself.
 *
 * A callback may be interrupted, and the interrupt be traced too: so there is
 * one bit in current->trace_recursion for each level of context (task,
 * softirq, interrupt, NMI). One more level is let through for the few
 * instructions of an interrupt's entry and exit where preempt_count() still,
 * or already, tells of the interrupted context.
 */
#ifndef _LINUX_TRACE_RECURSION_H
#define _LINUX_TRACE_RECURSION_H

#include <linux/interrupt.h>
#include <linux/sched.h>

#ifdef CONFIG_TRACING

/*
 * Groups of bits. A callback that takes a bit of one group is kept from
 * recursing among the users of that group only.
 */
enum {
	/* Callbacks: ftrace_test_recursion_trylock() */
	TRACE_FTRACE_BIT,
	TRACE_FTRACE_NMI_BIT,
	TRACE_FTRACE_IRQ_BIT,
	TRACE_FTRACE_SIRQ_BIT,
	TRACE_FTRACE_TRANSITION_BIT,

	/* The list function and what guards a callback from outside */
	TRACE_INTERNAL_BIT,
	TRACE_INTERNAL_NMI_BIT,
	TRACE_INTERNAL_IRQ_BIT,
	TRACE_INTERNAL_SIRQ_BIT,
	TRACE_INTERNAL_TRANSITION_BIT,

	/* Somebody is reporting a recursion */
	TRACE_RECORD_RECURSION_BIT,
};

#define TRACE_FTRACE_START	TRACE_FTRACE_BIT
#define TRACE_LIST_START	TRACE_INTERNAL_BIT

#define trace_recursion_set(bit)	(current->trace_recursion |= BIT(bit))
#define trace_recursion_clear(bit)	(current->trace_recursion &= ~BIT(bit))
#define trace_recursion_test(bit)	(current->trace_recursion & BIT(bit))

/* Where the level of a context, and the spare level, lie in a group. */
enum {
	TRACE_CTX_NMI,
	TRACE_CTX_IRQ,
	TRACE_CTX_SOFTIRQ,
	TRACE_CTX_NORMAL,
	TRACE_CTX_TRANSITION,
};

static __always_inline int trace_get_context_bit(void)
{
	return TRACE_CTX_NORMAL - interrupt_context_level();
}

/**
 * trace_test_and_set_recursion - enter a callback, unless inside it already
 * @ip: the traced function
 * @pip: its caller
 * @start: first bit of the group, TRACE_FTRACE_START or TRACE_LIST_START
 *
 * The bits need no atomic access: an interrupt clears what it set before the
 * interrupted code goes on, and only current touches them.
 *
 * Return: a bit to give to trace_clear_recursion(), with preemption disabled;
 * or a negative number: do nothing
 */
static __always_inline int
trace_test_and_set_recursion(unsigned long ip, unsigned long pip, int start)
{
	unsigned long held = READ_ONCE(current->trace_recursion);
	int bit = start + trace_get_context_bit();

	if (unlikely(held & BIT(bit))) {
		bit = start + TRACE_CTX_TRANSITION;
		if (held & BIT(bit))
			return -1;
	}

	current->trace_recursion = held | BIT(bit);
	barrier();
	preempt_disable_notrace();
	return bit;
}

/**
 * trace_clear_recursion - leave what trace_test_and_set_recursion() entered
 * @bit: what that returned
 */
static __always_inline void trace_clear_recursion(int bit)
{
	preempt_enable_notrace();
	barrier();
	trace_recursion_clear(bit);
}

/**
 * ftrace_test_recursion_trylock - keep a callback from recursing
 * @ip: the traced function
 * @parent_ip: its caller
 *
 * For use at the start of a callback that may call something traced.
 *
 * Return: a bit for ftrace_test_recursion_unlock(), with preemption disabled;
 * or a negative number if the callback has to return at once
 */
static __always_inline int
ftrace_test_recursion_trylock(unsigned long ip, unsigned long parent_ip)
{
	return trace_test_and_set_recursion(ip, parent_ip, TRACE_FTRACE_START);
}

/**
 * ftrace_test_recursion_unlock - the end of what the trylock guarded
 * @bit: what ftrace_test_recursion_trylock() returned
 */
static __always_inline void ftrace_test_recursion_unlock(int bit)
{
	trace_clear_recursion(bit);
}

#endif /* CONFIG_TRACING */
#endif /* _LINUX_TRACE_RECURSION_H */
