/* SPDX-License-Identifier: GPL-2.0 */
/*
 * An inline form of sched_clock_noinstr(), for code that reads the clock at each call of a
 * function. Here is none.
 *
 *   arch_sched_clock_is_inline()	returns whether the inline form gives the same times as
 *				sched_clock_noinstr(). Once it does, it always does.
 *   arch_sched_clock_inline()	the inline form. It makes no call, and may be used in any
 *				context by a caller that cannot be preempted.
 */
#ifndef _ASM_GENERIC_SCHED_CLOCK_INLINE_H
#define _ASM_GENERIC_SCHED_CLOCK_INLINE_H

#include <linux/compiler.h>
#include <linux/types.h>

static __always_inline bool arch_sched_clock_is_inline(void)
{
	return false;
}

static __always_inline u64 arch_sched_clock_inline(void)
{
	return 0;
}

#endif /* _ASM_GENERIC_SCHED_CLOCK_INLINE_H */
