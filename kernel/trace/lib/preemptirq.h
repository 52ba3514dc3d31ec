/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Tracepoints that are no trace events, for tracers that measure how long interrupts or
 * preemption are off: a CPU is about to become idle, and it is not idle any more.
 */
#ifndef _TRACE_LIB_PREEMPTIRQ_H
#define _TRACE_LIB_PREEMPTIRQ_H

#include <linux/tracepoint.h>

DECLARE_TRACE(critical_pause,
	      TP_PROTO(unsigned long ip, unsigned long parent_ip),
	      TP_ARGS(ip, parent_ip));
DECLARE_TRACE(critical_resume,
	      TP_PROTO(unsigned long ip, unsigned long parent_ip),
	      TP_ARGS(ip, parent_ip));

#endif /* _TRACE_LIB_PREEMPTIRQ_H */
