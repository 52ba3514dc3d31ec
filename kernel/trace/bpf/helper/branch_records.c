// SPDX-License-Identifier: GPL-2.0
/*
 * Helpers that read the branch records of the CPU: those of a sample, and the current ones.
 */
#include <linux/bpf.h>
#include <linux/errno.h>
#include <linux/filter.h>
#include <linux/minmax.h>
#include <linux/perf_event.h>
#include <linux/static_call.h>
#include <linux/string.h>

#include "bpf/helper/helpers.h"

#define BRANCH_SIZE	sizeof(struct perf_branch_entry)

BPF_CALL_4(bpf_read_branch_records, struct bpf_perf_event_data_kern *, ctx, void *, buffer,
	   u32, size, u64, flags)
{
	const struct perf_branch_stack *records = ctx->data->br_stack;
	size_t all;

	if (flags & ~BPF_F_GET_BRANCH_RECORDS_SIZE)
		return -EINVAL;
	if (!(ctx->data->sample_flags & PERF_SAMPLE_BRANCH_STACK) || !records)
		return -ENOENT;

	all = records->nr * BRANCH_SIZE;
	if (flags)
		return all;
	if (!buffer || size % BRANCH_SIZE)
		return -EINVAL;
	size = min_t(size_t, size, all);
	memcpy(buffer, records->entries, size);

	return size;
}

const struct bpf_func_proto bpf_read_branch_records_proto = {
	.func		= bpf_read_branch_records,
	.gpl_only	= true,
	.ret_type	= RET_INTEGER,
	.arg1_type	= ARG_PTR_TO_CTX,
	.arg2_type	= ARG_PTR_TO_MEM_OR_NULL | MEM_WRITE,
	.arg3_type	= ARG_CONST_SIZE_OR_ZERO,
	.arg4_type	= ARG_ANYTHING,
};

/* The verifier emits this code inline where the program is compiled. */
BPF_CALL_3(bpf_get_branch_snapshot, void *, buffer, u32, size, u64, flags)
{
	int nr;

	if (flags)
		return -EINVAL;
	nr = static_call(perf_snapshot_branch_stack)(buffer, size / BRANCH_SIZE);

	return nr ? nr * BRANCH_SIZE : -ENOENT;
}

const struct bpf_func_proto bpf_get_branch_snapshot_proto = {
	.func		= bpf_get_branch_snapshot,
	.gpl_only	= true,
	.ret_type	= RET_INTEGER,
	.arg1_type	= ARG_PTR_TO_UNINIT_MEM,
	.arg2_type	= ARG_CONST_SIZE_OR_ZERO,
	.arg3_type	= ARG_ANYTHING,
};
