/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Tracepoints, beside those of events, for those that measure how long interrupts or
 * preemption are off: a CPU is about to be idle, and is so no more.
 */
#ifndef _TRACE_LIB_CRITICAL_H
#define _TRACE_LIB_CRITICAL_H

#include <linux/tracepoint.h>

DECLARE_TRACE(critical_pause,
	      TP_PROTO(unsigned long ip, unsigned long parent_ip),
	      TP_ARGS(ip, parent_ip));
DECLARE_TRACE(critical_resume,
	      TP_PROTO(unsigned long ip, unsigned long parent_ip),
	      TP_ARGS(ip, parent_ip));

#endif /* _TRACE_LIB_CRITICAL_H */
