// SPDX-License-Identifier: GPL-2.0
/*
 * Execution context of an entry: slow path for contexts other than the common ones.
 */
#include <linux/minmax.h>
#include <linux/preempt.h>
#include <linux/sched.h>

#include "instance/core/entries.h"

/**
 * trace_context_rare - slow path of trace_context()
 * @irqs: same as for trace_context()
 *
 * For interrupts, and for tasks that need to reschedule, have disabled softirqs or migration,
 * or have disabled preemption more than TRACE_DEPTH_MAX times.
 *
 * Context: any
 */
unsigned int trace_context_rare(unsigned int irqs)
{
	unsigned int pc = preempt_count();
	unsigned int flags = irqs;

	if (pc & NMI_MASK)
		flags |= TRACE_FLAG_NMI;
	if (pc & HARDIRQ_MASK)
		flags |= TRACE_FLAG_HARDIRQ;
	if (in_serving_softirq())
		flags |= TRACE_FLAG_SOFTIRQ;
	else if (softirq_count())
		flags |= TRACE_FLAG_BH_OFF;

	if (tif_need_resched())
		flags |= TRACE_FLAG_NEED_RESCHED;
	if (test_preempt_need_resched())
		flags |= TRACE_FLAG_PREEMPT_RESCHED;

	return flags << 16 | min_t(unsigned int, trace_migration_depth(), TRACE_DEPTH_MAX) << 4 |
	       min_t(unsigned int, pc & PREEMPT_MASK, TRACE_DEPTH_MAX);
}
