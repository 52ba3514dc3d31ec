/* SPDX-License-Identifier: GPL-2.0 */
/**
 * DOC: State of a record
 *
 * The state is the current target of a site (HAVE) and the requested target (WANT); the plan is
 * the state that a change leads to. These are pure functions, so that all of it is tested in
 * user space.
 *
 * A site calls nothing (a NOP), the list function through one of two entries, or a set of ops.
 * Each of these targets has a number. HAVE is either WANT or a NOP: WANT is applied immediately,
 * or HAVE remains a NOP while kernel.ftrace_enabled is 0 or the module of the site is not ready.
 * So a record keeps one number, and one bit that is set if the site calls it.
 */
#ifndef _TRACE_PATCH_PLAN_H
#define _TRACE_PATCH_PLAN_H

#include "lib/env.h"

#define FTRACE_NR_BITS		27
#define FTRACE_NR_NOP		0	/* nothing is called */
#define FTRACE_NR_LIST		1	/* the list function, with the arguments */
#define FTRACE_NR_LIST_REGS	2	/* the list function, with all registers */
#define FTRACE_NR_SET		3	/* the first number of a set */
#define FTRACE_NR_MAX		((1U << FTRACE_NR_BITS) - 1)

/*
 * WANT		number of the target that the site must call while ftrace is enabled
 * CALLS	the site calls it; without this bit, HAVE is a NOP
 * NOT_READY	the site's module is still being loaded, so the site remains a NOP
 * CORRUPT	the bytes at the site did not match HAVE, so the site is never changed
 *		again; HAVE remains in use
 * TOUCHED	the site has been more than a NOP since boot
 * MODIFIED	and one of its users could change the instruction pointer or had a
 *		direct call
 */
#define FTRACE_REC_WANT		FTRACE_NR_MAX
#define FTRACE_REC_CALLS	BIT(27)
#define FTRACE_REC_NOT_READY	BIT(28)
#define FTRACE_REC_CORRUPT	BIT(29)
#define FTRACE_REC_TOUCHED	BIT(30)
#define FTRACE_REC_MODIFIED	BIT(31)

static inline unsigned int ftrace_state_want(u32 state)
{
	return state & FTRACE_REC_WANT;
}

static inline unsigned int ftrace_state_have(u32 state)
{
	return state & FTRACE_REC_CALLS ? ftrace_state_want(state) : FTRACE_NR_NOP;
}

/**
 * ftrace_plan - compute the state of a record after a change
 * @state: state before the change
 * @want: number of the target that its site must call
 * @enabled: kernel.ftrace_enabled
 *
 * Return: the new state; the site must be written if HAVE has changed
 */
static inline u32 ftrace_plan(u32 state, unsigned int want, bool enabled)
{
	if (state & FTRACE_REC_CORRUPT)
		return state;

	state = (state & ~(FTRACE_REC_WANT | FTRACE_REC_CALLS)) | want;
	if (want != FTRACE_NR_NOP && enabled && !(state & FTRACE_REC_NOT_READY))
		state |= FTRACE_REC_CALLS | FTRACE_REC_TOUCHED;
	return state;
}

#endif /* _TRACE_PATCH_PLAN_H */
