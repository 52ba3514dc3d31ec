/* SPDX-License-Identifier: GPL-2.0 */
/* An inline form of trace_clock_local(), for paths where each instruction counts. */
#ifndef _TRACE_LIB_CLOCK_H
#define _TRACE_LIB_CLOCK_H

#include <linux/sched/clock.h>
#include <linux/trace_clock.h>
#include <linux/types.h>

/* <asm/trace_clock.h> may have an inline form of it. */
#ifndef arch_sched_clock_noinstr
#define arch_sched_clock_noinstr	sched_clock_noinstr
#endif

/* The value of trace_clock_local(), for a caller that cannot be preempted. */
static __always_inline u64 trace_clock_this_cpu(void)
{
	return arch_sched_clock_noinstr();
}

#endif /* _TRACE_LIB_CLOCK_H */
