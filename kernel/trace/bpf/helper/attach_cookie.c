// SPDX-License-Identifier: GPL-2.0
/*
 * Helpers about the attach point of a program: its cookie, and the traced function with the
 * arguments of the call.
 */
#include <linux/bpf.h>
#include <linux/filter.h>
#include <linux/kallsyms.h>
#include <linux/kprobes.h>
#include <linux/perf_event.h>
#include <linux/sched.h>
#include <linux/uprobes.h>

#include "bpf/helper/helpers.h"

/* For tracepoints. */
BPF_CALL_1(bpf_get_attach_cookie, void *, ctx)
{
	return container_of(current->bpf_ctx, struct bpf_trace_run_ctx, run_ctx)->bpf_cookie;
}

BPF_CALL_1(bpf_get_attach_cookie_pe, struct bpf_perf_event_data_kern *, ctx)
{
	return ctx->event->bpf_cookie;
}

#ifdef CONFIG_KPROBES
/* The function whose entry has the kprobe that is being hit. Also works at its return. */
static unsigned long attach_cookie_kprobe_function(void)
{
	const struct kprobe *kp = kprobe_running();
	unsigned long size, offset;

	if (!kp || !(kp->flags & KPROBE_FLAG_ON_FUNC_ENTRY) ||
	    !kallsyms_lookup_size_offset((unsigned long)kp->addr, &size, &offset))
		return 0;

	return (unsigned long)kp->addr - offset;
}
#else
static inline unsigned long attach_cookie_kprobe_function(void)
{
	return 0;
}
#endif

#ifdef CONFIG_UPROBE_EVENTS
/* probe/kind/uprobe.c stores the address there while programs run. */
static unsigned long attach_cookie_uprobe_address(void)
{
	return current->utask->vaddr;
}
#else
static inline unsigned long attach_cookie_uprobe_address(void)
{
	return 0;
}
#endif

/* For a kprobe or uprobe of perf. */
BPF_CALL_1(bpf_get_func_ip_probe, void *, ctx)
{
	const struct bpf_trace_run_ctx *run;

	run = container_of(current->bpf_ctx, struct bpf_trace_run_ctx, run_ctx);

	return run->is_uprobe ? attach_cookie_uprobe_address() : attach_cookie_kprobe_function();
}

/* For a trampoline. */
BPF_CALL_1(bpf_get_attach_cookie_tracing, void *, ctx)
{
	return container_of(current->bpf_ctx, struct bpf_tramp_run_ctx, run_ctx)->bpf_cookie;
}

/*
 * The context of a program in a trampoline: the arguments, followed by the return value. The
 * number of arguments is before them, and the address of the function before that.
 *
 * The verifier inlines these helpers into the program instead of calling them.
 */
BPF_CALL_1(bpf_get_func_ip_tracing, u64 *, ctx)
{
	return ctx[-2];
}

BPF_CALL_1(bpf_get_func_arg_cnt, u64 *, ctx)
{
	return ctx[-1];
}

BPF_CALL_3(bpf_get_func_arg, u64 *, ctx, u32, n, u64 *, value)
{
	if (n >= ctx[-1])
		return -EINVAL;

	*value = ctx[n];
	return 0;
}

BPF_CALL_2(bpf_get_func_ret, u64 *, ctx, u64 *, value)
{
	*value = ctx[ctx[-1]];
	return 0;
}

/* Prototype of a helper with only the context as argument. */
#define CONTEXT_PROTO(name, function)					\
const struct bpf_func_proto name = {					\
	.func		= function,					\
	.ret_type	= RET_INTEGER,					\
	.arg1_type	= ARG_PTR_TO_CTX,				\
}

CONTEXT_PROTO(bpf_get_attach_cookie_proto, bpf_get_attach_cookie);
CONTEXT_PROTO(bpf_get_attach_cookie_proto_pe, bpf_get_attach_cookie_pe);
CONTEXT_PROTO(bpf_get_attach_cookie_proto_tracing, bpf_get_attach_cookie_tracing);
CONTEXT_PROTO(bpf_get_func_ip_proto_probe, bpf_get_func_ip_probe);
CONTEXT_PROTO(bpf_get_func_ip_proto_tracing, bpf_get_func_ip_tracing);
CONTEXT_PROTO(bpf_get_func_arg_cnt_proto, bpf_get_func_arg_cnt);

const struct bpf_func_proto bpf_get_func_arg_proto = {
	.func		= bpf_get_func_arg,
	.ret_type	= RET_INTEGER,
	.arg1_type	= ARG_PTR_TO_CTX,
	.arg2_type	= ARG_ANYTHING,
	.arg3_type	= ARG_PTR_TO_FIXED_SIZE_MEM | MEM_UNINIT | MEM_WRITE | MEM_ALIGNED,
	.arg3_size	= sizeof(u64),
};

const struct bpf_func_proto bpf_get_func_ret_proto = {
	.func		= bpf_get_func_ret,
	.ret_type	= RET_INTEGER,
	.arg1_type	= ARG_PTR_TO_CTX,
	.arg2_type	= ARG_PTR_TO_FIXED_SIZE_MEM | MEM_UNINIT | MEM_WRITE | MEM_ALIGNED,
	.arg2_size	= sizeof(u64),
};
