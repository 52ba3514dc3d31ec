/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The registers with which a program was called, for helpers that look at stacks.
 */
#ifndef _TRACE_BPF_REGS_H
#define _TRACE_BPF_REGS_H

#include <linux/perf_event.h>
#include <linux/ptrace.h>
#include <linux/string.h>

/* Perf keeps them in the place of the fields that all entries have, see trace_call_bpf(). */
static inline struct pt_regs *trace_bpf_tracepoint_regs(const void *ctx)
{
	return *(struct pt_regs *const *)ctx;
}

/*
 * trace_bpf_caller_regs - begin a stack in the helper's caller, where the context has none
 * @regs: on the stack of the helper, as programs can be preempted, and interrupted by others
 */
static __always_inline void trace_bpf_caller_regs(struct pt_regs *regs)
{
	memset(regs, 0, sizeof(*regs));
	perf_fetch_caller_regs(regs);
}

#endif /* _TRACE_BPF_REGS_H */
