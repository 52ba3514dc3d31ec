/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Registers of a program's caller, for helpers that use stacks.
 */
#ifndef _TRACE_BPF_REGS_H
#define _TRACE_BPF_REGS_H

#include <linux/perf_event.h>
#include <linux/ptrace.h>
#include <linux/string.h>

/*
 * perf stores a pointer to them in place of the common fields of the entry, see
 * trace_call_bpf().
 */
static inline struct pt_regs *trace_bpf_tracepoint_regs(const void *ctx)
{
	return *(struct pt_regs *const *)ctx;
}

/*
 * trace_bpf_caller_regs - get registers for a stack that begins in the helper's caller, if the
 * context has no registers
 *
 * @regs: filled in; on the stack of the helper, because programs can be preempted or
 *	interrupted by other programs
 */
static __always_inline void trace_bpf_caller_regs(struct pt_regs *regs)
{
	memset(regs, 0, sizeof(*regs));
	perf_fetch_caller_regs(regs);
}

#endif /* _TRACE_BPF_REGS_H */
