// SPDX-License-Identifier: GPL-2.0
/*
 * Verifier operations of the tracing program types: the allowed accesses to their contexts.
 */
#include <linux/bpf.h>
#include <linux/bpf_perf_event.h>
#include <linux/filter.h>
#include <linux/kernel.h>
#include <linux/perf_event.h>
#include <linux/trace_events.h>

#include "bpf/helper/helpers.h"

static bool verifier_ops_is_read(int off, int size, enum bpf_access_type type, size_t begin,
				 size_t end)
{
	return type == BPF_READ && off >= 0 && off >= begin && off + size <= end &&
	       off % size == 0;
}

/*
 * Contexts with registers
 */

static bool verifier_ops_kprobe_access(int off, int size, enum bpf_access_type type,
				       const struct bpf_prog *prog,
				       struct bpf_insn_access_aux *info)
{
	return verifier_ops_is_read(off, size, type, 0, sizeof(struct pt_regs));
}

const struct bpf_verifier_ops kprobe_verifier_ops = {
	.get_func_proto		= trace_bpf_kprobe_helper,
	.is_valid_access	= verifier_ops_kprobe_access,
};

const struct bpf_prog_ops kprobe_prog_ops = { };

/*
 * Contexts with the entry of a trace event. Its first word is not accessible, see
 * trace_call_bpf(). Accesses beyond the fields of the event are refused when a program is
 * attached.
 */

static bool verifier_ops_tracepoint_access(int off, int size, enum bpf_access_type type,
					   const struct bpf_prog *prog,
					   struct bpf_insn_access_aux *info)
{
	return verifier_ops_is_read(off, size, type, sizeof(void *), PERF_MAX_TRACE_SIZE);
}

const struct bpf_verifier_ops tracepoint_verifier_ops = {
	.get_func_proto		= trace_bpf_tracepoint_helper,
	.is_valid_access	= verifier_ops_tracepoint_access,
};

const struct bpf_prog_ops tracepoint_prog_ops = { };

/*
 * Contexts with arguments
 */

static bool verifier_ops_raw_access(int off, int size, enum bpf_access_type type,
				    const struct bpf_prog *prog, struct bpf_insn_access_aux *info)
{
	return bpf_tracing_ctx_access(off, size, type);
}

/* The first argument points to the buffer that the program may write. */
static bool verifier_ops_writable_access(int off, int size, enum bpf_access_type type,
					 const struct bpf_prog *prog,
					 struct bpf_insn_access_aux *info)
{
	if (!off) {
		if (size != sizeof(u64))
			return false;
		info->reg_type = PTR_TO_TP_BUFFER;
	}

	return verifier_ops_raw_access(off, size, type, prog, info);
}

const struct bpf_verifier_ops raw_tracepoint_verifier_ops = {
	.get_func_proto		= trace_bpf_raw_helper,
	.is_valid_access	= verifier_ops_raw_access,
};

const struct bpf_verifier_ops raw_tracepoint_writable_verifier_ops = {
	.get_func_proto		= trace_bpf_raw_helper,
	.is_valid_access	= verifier_ops_writable_access,
};

const struct bpf_prog_ops raw_tracepoint_prog_ops = {
	.test_run		= PTR_IF(IS_ENABLED(CONFIG_NET), bpf_prog_test_run_raw_tp),
};

const struct bpf_prog_ops raw_tracepoint_writable_prog_ops = { };

/* Arguments with BTF types. */
const struct bpf_verifier_ops tracing_verifier_ops = {
	.get_func_proto		= tracing_prog_func_proto,
	.is_valid_access	= bpf_tracing_btf_ctx_access,
};

const struct bpf_prog_ops tracing_prog_ops = {
	.test_run		= PTR_IF(IS_ENABLED(CONFIG_NET), bpf_prog_test_run_tracing),
};

/*
 * Contexts with a sample of a perf event
 */

static bool verifier_ops_perf_access(int off, int size, enum bpf_access_type type,
				     const struct bpf_prog *prog, struct bpf_insn_access_aux *info)
{
	if (!verifier_ops_is_read(off, size, type, 0, sizeof(struct bpf_perf_event_data)))
		return false;

	switch (off) {
	case bpf_ctx_range(struct bpf_perf_event_data, sample_period):
	case bpf_ctx_range(struct bpf_perf_event_data, addr):
		bpf_ctx_record_field_size(info, sizeof(u64));
		return bpf_ctx_narrow_access_ok(off, size, sizeof(u64));
	default:
		return size == sizeof(long);
	}
}

/* Load @size bytes at @offset from a pointer in the context, which is at offset @pointer. */
static struct bpf_insn *verifier_ops_load(struct bpf_insn *to, const struct bpf_insn *from,
					  int pointer,
					  int size, int offset)
{
	*to++ = BPF_LDX_MEM(BPF_SIZEOF(void *), from->dst_reg, from->src_reg, pointer);
	*to++ = BPF_LDX_MEM(size, from->dst_reg, from->dst_reg, offset);

	return to;
}

static u32 verifier_ops_convert_perf_access(enum bpf_access_type type, const struct bpf_insn *from,
					    struct bpf_insn *to, struct bpf_prog *prog,
					    u32 *target_size)
{
	const int data = offsetof(struct bpf_perf_event_data_kern, data);
	struct bpf_insn *end;

	switch (from->off) {
	case offsetof(struct bpf_perf_event_data, sample_period):
		end = verifier_ops_load(to, from, data, BPF_DW,
					bpf_target_off(struct perf_sample_data, period, 8,
						       target_size));
		break;
	case offsetof(struct bpf_perf_event_data, addr):
		end = verifier_ops_load(to, from, data, BPF_DW,
					bpf_target_off(struct perf_sample_data, addr, 8,
						       target_size));
		break;
	default:
		end = verifier_ops_load(to, from, offsetof(struct bpf_perf_event_data_kern, regs),
					BPF_SIZEOF(long), from->off);
		break;
	}

	return end - to;
}

const struct bpf_verifier_ops perf_event_verifier_ops = {
	.get_func_proto		= trace_bpf_perf_helper,
	.is_valid_access	= verifier_ops_perf_access,
	.convert_ctx_access	= verifier_ops_convert_perf_access,
};

const struct bpf_prog_ops perf_event_prog_ops = { };
