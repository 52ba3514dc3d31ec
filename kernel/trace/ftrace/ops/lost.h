/* SPDX-License-Identifier: GPL-2.0 */
/* Users that a call site must not lose, and may have lost. */
#ifndef _TRACE_FTRACE_OPS_LOST_H
#define _TRACE_FTRACE_OPS_LOST_H

#include <linux/ftrace.h>

/*
 * Flags of users that remain in force when function tracing is shut down: a function that is
 * replaced, or whose callback decides about permissions, must not be restored.
 */
#define FTRACE_OPS_KEPT	(FTRACE_OPS_FL_PERMANENT | FTRACE_OPS_FL_IPMODIFY | \
			 FTRACE_OPS_FL_DIRECT)

void ftrace_report_lost(unsigned long ip, unsigned int have);

#endif /* _TRACE_FTRACE_OPS_LOST_H */
