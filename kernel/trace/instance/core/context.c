// SPDX-License-Identifier: GPL-2.0
/*
 * The context that an entry was written in, where it is not that of most entries.
 */
#include <linux/minmax.h>
#include <linux/preempt.h>
#include <linux/sched.h>

#include "instance/core/entries.h"

/**
 * trace_context_rare - trace_context() of an interrupt; or of a task that is to give up the
 *	CPU, has disabled softirqs or migration, or preemption more than TRACE_DEPTH_MAX times
 * @irqs: as of trace_context()
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
