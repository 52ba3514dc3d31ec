/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What callbacks and trampolines may still be using, and when they cannot.
 */
#ifndef _TRACE_HOOK_REAP_H
#define _TRACE_HOOK_REAP_H

struct ftrace_hash;
struct ftrace_opset;

void ftrace_reap_hash(struct ftrace_hash *hash);
void ftrace_reap_opset(struct ftrace_opset *set);
void ftrace_reap_wait(void);

#endif /* _TRACE_HOOK_REAP_H */
