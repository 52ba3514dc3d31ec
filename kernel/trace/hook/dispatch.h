/* SPDX-License-Identifier: GPL-2.0 */
/*
 * From a trampoline to callbacks.
 */
#ifndef _TRACE_HOOK_DISPATCH_H
#define _TRACE_HOOK_DISPATCH_H

#include <linux/ftrace.h>

ftrace_func_t ftrace_ops_entry(const struct ftrace_ops *ops);

#endif /* _TRACE_HOOK_DISPATCH_H */
