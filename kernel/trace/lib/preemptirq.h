/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Tracepoints for tracers that measure how long interrupts or preemption are off, without trace
 * events: a CPU is about to become idle, and it is no longer idle.
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
