/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Guards against recursion of tracing callbacks.
 *
 * A callback may call a function that is traced, and so be called again from inside itself,
 * without end. It may also be interrupted, and the same callback may trace the interrupt
 * handler: this second call is wanted. To distinguish the two, a guard has a bit for each
 * context that can interrupt another: task, softirq, hardirq and NMI. A callback that finds the
 * bit of its context set is inside itself.
 *
 * The context is read from preempt_count(), which is not up to date in the first and last
 * functions of an interrupt: they seem to belong to the interrupted context. To not lose them
 * when a callback was interrupted, one more call is let through on a spare bit. The price is
 * that recursion stops at the second call of a context, not at the first.
 *
 * The bits are in the current task. An interrupt clears the bits that it has set before the
 * interrupted code continues, so they need no atomic access.
 *
 * With CONFIG_FTRACE_RECORD_RECURSION, the file recursed_functions lists the functions that
 * callbacks recursed through.
 */
#ifndef _LINUX_TRACE_RECURSION_H
#define _LINUX_TRACE_RECURSION_H

#include <linux/bits.h>
#include <linux/preempt.h>
#include <linux/sched.h>

#ifdef CONFIG_TRACING

/* The bits of one guard. */
enum {
	TRACE_RECURSION_TASK	= BIT(0),
	TRACE_RECURSION_SOFTIRQ	= BIT(1),
	TRACE_RECURSION_HARDIRQ	= BIT(2),
	TRACE_RECURSION_NMI	= BIT(3),
	TRACE_RECURSION_SPARE	= BIT(4),
};

/* Position of the bits of each guard in current->trace_recursion. */
enum {
	/* ftrace_test_recursion_trylock() */
	TRACE_RECURSION_CALLBACK	= 0,
	/* Callbacks with FTRACE_OPS_FL_RECURSION or FTRACE_OPS_FL_RCU */
	TRACE_RECURSION_OPS		= 5,
	/* Callbacks of function graph, at entry and return */
	TRACE_RECURSION_GRAPH		= 10,
	/* Recording the stack of a call, which itself calls traced functions */
	TRACE_RECURSION_STACK		= 15,
	/* Recording of a branch, which itself evaluates branches */
	TRACE_RECURSION_BRANCH		= 20,
};

/* The bit of the context that preempt_count() reports. */
static __always_inline int trace_recursion_context(void)
{
	unsigned int count = preempt_count();

	if (likely(!(count & (NMI_MASK | HARDIRQ_MASK | SOFTIRQ_OFFSET))))
		return TRACE_RECURSION_TASK;
	if (count & NMI_MASK)
		return TRACE_RECURSION_NMI;
	return count & HARDIRQ_MASK ? TRACE_RECURSION_HARDIRQ : TRACE_RECURSION_SOFTIRQ;
}

/**
 * trace_recursion_bit - get the bit that a call has to set to enter a guard
 * @guard: position of the guard's bits
 *
 * Context: any
 *
 * Return: the bit, or a negative value inside the guard
 */
static __always_inline int trace_recursion_bit(int guard)
{
	int bit = trace_recursion_context() << guard;

	if (likely(!(READ_ONCE(current->trace_recursion) & bit)))
		return bit;

	bit = TRACE_RECURSION_SPARE << guard;
	return READ_ONCE(current->trace_recursion) & bit ? -1 : bit;
}

/**
 * trace_recursion_enter - enter a guard
 * @bit: bit that trace_recursion_bit() returned, not negative
 *
 * Preemption is disabled until trace_recursion_leave().
 *
 * Context: any
 */
static __always_inline void trace_recursion_enter(int bit)
{
	/* An interrupt leaves the word as it was. */
	data_race(current->trace_recursion |= bit);
	/* Also a compiler barrier: the guarded code is after setting the bit. */
	preempt_disable_notrace();
}

/**
 * trace_recursion_leave - leave a guard
 * @bit: bit that was passed to trace_recursion_enter()
 *
 * Context: as trace_recursion_enter()
 */
static __always_inline void trace_recursion_leave(int bit)
{
	/* Also a compiler barrier. A task that is preempted here is still inside. */
	preempt_enable_notrace();
	data_race(current->trace_recursion &= ~(unsigned long)bit);
}

#ifdef CONFIG_FTRACE_RECORD_RECURSION
void ftrace_record_recursion(unsigned long ip, unsigned long parent_ip);
#else
static inline void ftrace_record_recursion(unsigned long ip, unsigned long parent_ip)
{
}
#endif

/**
 * ftrace_test_recursion_trylock - keep a callback from recursing
 * @ip: the traced function
 * @parent_ip: its caller
 *
 * For use at the start of a callback that may call a traced function. All callbacks share one
 * guard.
 *
 * Context: any
 *
 * Return: a value for ftrace_test_recursion_unlock(), with preemption disabled; or a negative
 * value if the callback must return immediately
 */
static __always_inline int
ftrace_test_recursion_trylock(unsigned long ip, unsigned long parent_ip)
{
	int bit = trace_recursion_bit(TRACE_RECURSION_CALLBACK);

	if (likely(bit >= 0))
		trace_recursion_enter(bit);
	else
		ftrace_record_recursion(ip, parent_ip);
	return bit;
}

/**
 * ftrace_test_recursion_unlock - end the section that the trylock guards
 * @bit: value that ftrace_test_recursion_trylock() returned
 *
 * Context: as ftrace_test_recursion_trylock()
 */
static __always_inline void ftrace_test_recursion_unlock(int bit)
{
	trace_recursion_leave(bit);
}

#endif /* CONFIG_TRACING */
#endif /* _LINUX_TRACE_RECURSION_H */
