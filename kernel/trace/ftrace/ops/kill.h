/* SPDX-License-Identifier: GPL-2.0 */
/* Shutdown of function tracing, when kernel text is corrupt. */
#ifndef _TRACE_FTRACE_OPS_KILL_H
#define _TRACE_FTRACE_OPS_KILL_H

#include <linux/types.h>

bool ftrace_is_dead(void);
int ftrace_check_text(int err);

#endif /* _TRACE_FTRACE_OPS_KILL_H */
