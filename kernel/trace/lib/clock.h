/* SPDX-License-Identifier: GPL-2.0 */
/* An inline form of trace_clock_local(), for paths where each instruction counts. */
#ifndef _TRACE_LIB_CLOCK_H
#define _TRACE_LIB_CLOCK_H

#include <linux/sched/clock.h>
#include <linux/trace_clock.h>
#include <linux/types.h>

#include <asm/sched_clock_inline.h>

/* <asm/trace_clock.h> may have an inline form of it. */
#ifndef arch_sched_clock_noinstr
#define arch_sched_clock_noinstr	sched_clock_noinstr
#endif

/*
 * The value of trace_clock_local(), for a caller that cannot be preempted. @is_inline: the return
 * value of trace_clock_is_inline(), of which a caller can make a constant, by a branch to one of
 * two copies of its code. The copy for the inline form makes no call.
 */
static __always_inline u64 trace_clock_this_cpu_by(bool is_inline)
{
	return likely(is_inline) ? arch_sched_clock_inline() : arch_sched_clock_noinstr();
}

static __always_inline bool trace_clock_is_inline(void)
{
	return arch_sched_clock_is_inline();
}

static __always_inline u64 trace_clock_this_cpu(void)
{
	return trace_clock_this_cpu_by(trace_clock_is_inline());
}

#endif /* _TRACE_LIB_CLOCK_H */
