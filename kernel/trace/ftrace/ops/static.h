/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Static tracing: call sites that do not change, in a kernel without DYNAMIC_FTRACE.
 */
#ifndef _TRACE_FTRACE_OPS_STATIC_H
#define _TRACE_FTRACE_OPS_STATIC_H

#include <linux/ftrace_arch.h>

#ifndef CONFIG_HAVE_STATIC_CALL
/* Read by entry code. */
extern void (*ftrace_static_target)(void);
#endif

unsigned long ftrace_static_site(unsigned long ip);
bool ftrace_static_is_on(void);

#endif /* _TRACE_FTRACE_OPS_STATIC_H */
