/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Prototypes of the helper functions in this directory, and the tables of allowed helpers.
 */
#ifndef _TRACE_BPF_HELPERS_H
#define _TRACE_BPF_HELPERS_H

#include <linux/bpf.h>

/*
 * probe_read.c; linux/bpf.h declares bpf_probe_read_user_proto and similar symbols only as weak
 */
extern const struct bpf_func_proto bpf_probe_read_user_proto;
extern const struct bpf_func_proto bpf_probe_read_user_str_proto;
extern const struct bpf_func_proto bpf_probe_read_kernel_proto;
extern const struct bpf_func_proto bpf_probe_read_kernel_str_proto;
extern const struct bpf_func_proto bpf_probe_read_proto;
extern const struct bpf_func_proto bpf_probe_read_str_proto;
const struct bpf_func_proto *bpf_get_probe_write_user_proto(void);

/* current_task.c */
extern const struct bpf_func_proto bpf_get_current_task_proto;
extern const struct bpf_func_proto bpf_get_current_task_btf_proto;
extern const struct bpf_func_proto bpf_task_pt_regs_proto;

/* send_signal.c */
extern const struct bpf_func_proto bpf_send_signal_proto;
extern const struct bpf_func_proto bpf_send_signal_thread_proto;

/* bpf_printk.c */
extern const struct bpf_func_proto bpf_seq_printf_proto;
extern const struct bpf_func_proto bpf_seq_write_proto;
extern const struct bpf_func_proto bpf_seq_printf_btf_proto;

/* perf_event_read.c */
extern const struct bpf_func_proto bpf_perf_event_read_proto;
extern const struct bpf_func_proto bpf_perf_event_read_value_proto;
extern const struct bpf_func_proto bpf_perf_prog_read_value_proto;

/* attach_cookie.c */
extern const struct bpf_func_proto bpf_get_attach_cookie_proto;
extern const struct bpf_func_proto bpf_get_attach_cookie_proto_pe;
extern const struct bpf_func_proto bpf_get_attach_cookie_proto_tracing;
extern const struct bpf_func_proto bpf_get_func_ip_proto_tracing;
extern const struct bpf_func_proto bpf_get_func_ip_proto_probe;
extern const struct bpf_func_proto bpf_get_func_arg_proto;
extern const struct bpf_func_proto bpf_get_func_ret_proto;
extern const struct bpf_func_proto bpf_get_func_arg_cnt_proto;

/*
 * perf_event_output.c and get_stack.c: these need registers, whose location differs between
 * program types. _tp is for tracepoints, _pe for perf events, _raw for programs whose context
 * has no registers.
 */
extern const struct bpf_func_proto bpf_perf_event_output_proto;
extern const struct bpf_func_proto bpf_perf_event_output_proto_tp;
extern const struct bpf_func_proto bpf_perf_event_output_proto_pe;
extern const struct bpf_func_proto bpf_perf_event_output_proto_raw;
extern const struct bpf_func_proto bpf_get_stackid_proto_tp;
extern const struct bpf_func_proto bpf_get_stackid_proto_raw;
extern const struct bpf_func_proto bpf_get_stack_proto_tp;
extern const struct bpf_func_proto bpf_get_stack_proto_raw;

/* d_path.c */
extern const struct bpf_func_proto bpf_d_path_proto;

/* branch_records.c */
extern const struct bpf_func_proto bpf_read_branch_records_proto;
extern const struct bpf_func_proto bpf_get_branch_snapshot_proto;

/* override_return.c */
extern const struct bpf_func_proto bpf_override_return_proto;

/* kprobe_multi.c */
extern const struct bpf_func_proto bpf_get_func_ip_proto_multi;

/* uprobe_multi.c */
extern const struct bpf_func_proto bpf_get_func_ip_proto_uprobe_multi;

#ifdef CONFIG_NET
/* net/ */
extern const struct bpf_func_proto bpf_skb_output_proto;
extern const struct bpf_func_proto bpf_xdp_output_proto;
extern const struct bpf_func_proto bpf_xdp_get_buff_len_trace_proto;
#endif

/* func_proto.c */
const struct bpf_func_proto *trace_bpf_kprobe_helper(enum bpf_func_id id,
						     const struct bpf_prog *prog);
const struct bpf_func_proto *trace_bpf_tracepoint_helper(enum bpf_func_id id,
							 const struct bpf_prog *prog);
const struct bpf_func_proto *trace_bpf_perf_helper(enum bpf_func_id id,
						   const struct bpf_prog *prog);
const struct bpf_func_proto *trace_bpf_raw_helper(enum bpf_func_id id,
						  const struct bpf_prog *prog);

#endif /* _TRACE_BPF_HELPERS_H */
