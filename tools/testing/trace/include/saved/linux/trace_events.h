/* SPDX-License-Identifier: GPL-2.0 */
/* The parts of this header that kernel/trace/instance/core/entries.h uses, in user space. */
#ifndef _SAVED_TRACE_EVENTS_H
#define _SAVED_TRACE_EVENTS_H

struct trace_entry {
	unsigned short	type;
	unsigned char	flags;
	unsigned char	preempt_count;
	int		pid;
};

/* The context is not tested. */
#define TRACE_FLAG_NMI			0
#define TRACE_FLAG_HARDIRQ		0
#define TRACE_FLAG_SOFTIRQ		0
#define TRACE_FLAG_BH_OFF		0
#define TRACE_FLAG_NEED_RESCHED		0
#define TRACE_FLAG_PREEMPT_RESCHED	0
#define PREEMPT_MASK			0xff
#define in_serving_softirq()		0
#define softirq_count()			0
#define tif_need_resched()		0
#define test_preempt_need_resched()	0

#endif
