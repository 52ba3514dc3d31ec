// SPDX-License-Identifier: GPL-2.0
/*
 * bpf_perf_event_output(): write samples with data of a program to the buffers of perf events.
 */
#include <linux/bpf.h>
#include <linux/cleanup.h>
#include <linux/err.h>
#include <linux/filter.h>
#include <linux/perf_event.h>
#include <linux/preempt.h>
#include <linux/smp.h>

#include "bpf/helper/helpers.h"
#include "bpf/helper/perf_event_read.h"
#include "bpf/helper/regs.h"

/*
 * The size of a sample has 16 bits. perf adds stacks and registers later, and truncates only
 * user space stacks.
 */
static bool perf_event_output_is_too_large(const struct perf_sample_data *sample,
					   const struct perf_event *event)
{
	const size_t fixed = sizeof(struct perf_event_header) + event->header_size +
			     event->id_header_size;

	return fixed + sample->dyn_size > U16_MAX;
}

/* The perf event is protected by RCU. Any context. */
static int perf_event_output_write(struct pt_regs *regs, struct bpf_map *map, u64 index,
				   struct perf_raw_record *record)
{
	struct perf_sample_data sample;
	struct perf_event *event;

	guard(preempt)();

	event = trace_bpf_event_of(map, index);
	if (IS_ERR(event))
		return PTR_ERR(event);
	if (event->attr.type != PERF_TYPE_SOFTWARE ||
	    event->attr.config != PERF_COUNT_SW_BPF_OUTPUT)
		return -EINVAL;
	/* The buffer of another CPU has other writers. */
	if (event->oncpu != smp_processor_id())
		return -EOPNOTSUPP;

	perf_sample_data_init(&sample, 0, 0);
	perf_sample_save_raw_data(&sample, event, record);
	if (perf_event_output_is_too_large(&sample, event))
		return -E2BIG;

	return perf_event_output(event, &sample, regs);
}

static int perf_event_output_sample(struct pt_regs *regs, struct bpf_map *map, u64 index,
				    void *bytes, u64 size)
{
	struct perf_raw_record record = { .frag = { .data = bytes, .size = size } };

	return perf_event_output_write(regs, map, index, &record);
}

BPF_CALL_5(bpf_perf_event_output, struct pt_regs *, regs, struct bpf_map *, map, u64, index,
	   void *, bytes, u64, size)
{
	return perf_event_output_sample(regs, map, index, bytes, size);
}

BPF_CALL_5(bpf_perf_event_output_tp, void *, ctx, struct bpf_map *, map, u64, index,
	   void *, bytes, u64, size)
{
	return perf_event_output_sample(trace_bpf_tracepoint_regs(ctx), map, index, bytes, size);
}

BPF_CALL_5(bpf_perf_event_output_pe, struct bpf_perf_event_data_kern *, ctx,
	   struct bpf_map *, map, u64, index, void *, bytes, u64, size)
{
	return perf_event_output_sample((struct pt_regs *)ctx->regs, map, index, bytes, size);
}

BPF_CALL_5(bpf_perf_event_output_raw, void *, ctx, struct bpf_map *, map, u64, index,
	   void *, bytes, u64, size)
{
	struct pt_regs regs;

	trace_bpf_caller_regs(&regs);

	return perf_event_output_sample(&regs, map, index, bytes, size);
}

#define OUTPUT_PROTO(name, function)					\
const struct bpf_func_proto name = {					\
	.func		= function,					\
	.gpl_only	= true,						\
	.ret_type	= RET_INTEGER,					\
	.arg1_type	= ARG_PTR_TO_CTX,				\
	.arg2_type	= ARG_CONST_MAP_PTR,				\
	.arg3_type	= ARG_ANYTHING,					\
	.arg4_type	= ARG_PTR_TO_MEM | MEM_RDONLY,			\
	.arg5_type	= ARG_CONST_SIZE_OR_ZERO,			\
}

OUTPUT_PROTO(bpf_perf_event_output_proto, bpf_perf_event_output);
OUTPUT_PROTO(bpf_perf_event_output_proto_tp, bpf_perf_event_output_tp);
OUTPUT_PROTO(bpf_perf_event_output_proto_pe, bpf_perf_event_output_pe);
OUTPUT_PROTO(bpf_perf_event_output_proto_raw, bpf_perf_event_output_raw);

/**
 * bpf_event_output - write a sample for a program that is not a tracing program
 * @map: a BPF_MAP_TYPE_PERF_EVENT_ARRAY
 * @flags: index of the perf event, or BPF_F_CURRENT_CPU; the other bits, which the caller has
 *	checked, may contain @ctx_size
 * @meta: data of the program, for the beginning of the sample
 * @meta_size: size of @meta in bytes
 * @ctx: additional data of the sample, after @meta
 * @ctx_size: size of the data from @ctx in bytes, or 0
 * @ctx_copy: function that copies @ctx
 *
 * Any context, RCU read lock held.
 *
 * Return: 0, or an error
 */
u64 bpf_event_output(struct bpf_map *map, u64 flags, void *meta, u64 meta_size, void *ctx,
		     u64 ctx_size, bpf_ctx_copy_t ctx_copy)
{
	struct perf_raw_frag rest = { .copy = ctx_copy, .data = ctx, .size = ctx_size };
	struct perf_raw_record record = {
		.frag = {
			.next = ctx_size ? &rest : NULL,
			.data = meta,
			.size = meta_size,
		},
	};
	struct pt_regs regs;

	trace_bpf_caller_regs(&regs);

	return perf_event_output_write(&regs, map, flags & BPF_F_INDEX_MASK, &record);
}
