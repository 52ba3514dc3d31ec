// SPDX-License-Identifier: GPL-2.0
/*
 * Helpers that read the stack of the caller, for programs whose context is not its registers.
 */
#include <linux/bpf.h>
#include <linux/filter.h>

#include "bpf/helper/helpers.h"
#include "bpf/helper/regs.h"

/* The helpers for registers are in kernel/bpf/stackmap.c. */
static long get_stack_id(struct pt_regs *regs, struct bpf_map *map, u64 flags)
{
	return bpf_get_stackid_proto.func((unsigned long)regs, (unsigned long)map, flags, 0, 0);
}

static long get_stack_helper(struct pt_regs *regs, void *to, u32 size, u64 flags)
{
	return bpf_get_stack_proto.func((unsigned long)regs, (unsigned long)to, size, flags, 0);
}

BPF_CALL_3(bpf_get_stackid_tp, void *, ctx, struct bpf_map *, map, u64, flags)
{
	return get_stack_id(trace_bpf_tracepoint_regs(ctx), map, flags);
}

BPF_CALL_3(bpf_get_stackid_raw, void *, ctx, struct bpf_map *, map, u64, flags)
{
	struct pt_regs regs;

	trace_bpf_caller_regs(&regs);

	return get_stack_id(&regs, map, flags);
}

BPF_CALL_4(bpf_get_stack_tp, void *, ctx, void *, to, u32, size, u64, flags)
{
	return get_stack_helper(trace_bpf_tracepoint_regs(ctx), to, size, flags);
}

BPF_CALL_4(bpf_get_stack_raw, void *, ctx, void *, to, u32, size, u64, flags)
{
	struct pt_regs regs;

	trace_bpf_caller_regs(&regs);

	return get_stack_helper(&regs, to, size, flags);
}

#define STACKID_PROTO(name, function)					\
const struct bpf_func_proto name = {					\
	.func		= function,					\
	.gpl_only	= true,						\
	.ret_type	= RET_INTEGER,					\
	.arg1_type	= ARG_PTR_TO_CTX,				\
	.arg2_type	= ARG_CONST_MAP_PTR,				\
	.arg3_type	= ARG_ANYTHING,					\
}

STACKID_PROTO(bpf_get_stackid_proto_tp, bpf_get_stackid_tp);
STACKID_PROTO(bpf_get_stackid_proto_raw, bpf_get_stackid_raw);

#define STACK_PROTO(name, function)					\
const struct bpf_func_proto name = {					\
	.func		= function,					\
	.gpl_only	= true,						\
	.ret_type	= RET_INTEGER,					\
	.arg1_type	= ARG_PTR_TO_CTX,				\
	.arg2_type	= ARG_PTR_TO_UNINIT_MEM,			\
	.arg3_type	= ARG_CONST_SIZE_OR_ZERO,			\
	.arg4_type	= ARG_ANYTHING,					\
}

STACK_PROTO(bpf_get_stack_proto_tp, bpf_get_stack_tp);
STACK_PROTO(bpf_get_stack_proto_raw, bpf_get_stack_raw);
