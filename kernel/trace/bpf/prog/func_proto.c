// SPDX-License-Identifier: GPL-2.0
/*
 * Prototypes of the helpers that a program may call. The verifier refuses a program that calls
 * any other helper.
 */
#include <linux/bpf.h>
#include <linux/bpf_verifier.h>
#include <linux/security.h>
#include <net/bpf_sk_storage.h>

#include "bpf/helper/helpers.h"

/**
 * struct func_proto_choice - an allowed helper; tables end with an empty entry
 * @id: its number
 * @proto: its prototype for the verifier
 */
struct func_proto_choice {
	enum bpf_func_id		id;
	const struct bpf_func_proto	*proto;
};

static const struct bpf_func_proto *func_proto_lookup(const struct func_proto_choice *table,
						      enum bpf_func_id id)
{
	for (; table->id; table++)
		if (table->id == id)
			return table->proto;

	return NULL;
}

/* For all programs that may trace. */
static const struct func_proto_choice common[] = {
	{ BPF_FUNC_get_current_uid_gid, &bpf_get_current_uid_gid_proto },
	{ BPF_FUNC_get_current_comm, &bpf_get_current_comm_proto },
	{ BPF_FUNC_get_smp_processor_id, &bpf_get_smp_processor_id_proto },
	{ BPF_FUNC_perf_event_read, &bpf_perf_event_read_proto },
	{ BPF_FUNC_perf_event_read_value, &bpf_perf_event_read_value_proto },
	{ BPF_FUNC_send_signal, &bpf_send_signal_proto },
	{ BPF_FUNC_send_signal_thread, &bpf_send_signal_thread_proto },
	{ BPF_FUNC_find_vma, &bpf_find_vma_proto },
	{ BPF_FUNC_get_branch_snapshot, &bpf_get_branch_snapshot_proto },
#ifdef CONFIG_CGROUPS
	{ BPF_FUNC_current_task_under_cgroup, &bpf_current_task_under_cgroup_proto },
#endif
	{ }
};

/* Only for sleepable programs. */
static const struct func_proto_choice sleepable[] = {
	{ BPF_FUNC_copy_from_user, &bpf_copy_from_user_proto },
	{ BPF_FUNC_copy_from_user_task, &bpf_copy_from_user_task_proto },
	{ BPF_FUNC_get_task_stack, &bpf_get_task_stack_sleepable_proto },
	{ }
};

static const struct func_proto_choice tracepoint[] = {
	{ BPF_FUNC_perf_event_output, &bpf_perf_event_output_proto_tp },
	{ BPF_FUNC_get_stackid, &bpf_get_stackid_proto_tp },
	{ BPF_FUNC_get_stack, &bpf_get_stack_proto_tp },
	{ BPF_FUNC_get_attach_cookie, &bpf_get_attach_cookie_proto },
	{ }
};

static const struct func_proto_choice kprobe[] = {
	{ BPF_FUNC_perf_event_output, &bpf_perf_event_output_proto },
	{ BPF_FUNC_get_stackid, &bpf_get_stackid_proto },
	{ BPF_FUNC_get_stack, &bpf_get_stack_proto },
	{ BPF_FUNC_get_attach_cookie, &bpf_get_attach_cookie_proto },
	{ }
};

static const struct func_proto_choice perf[] = {
	{ BPF_FUNC_perf_event_output, &bpf_perf_event_output_proto_pe },
	{ BPF_FUNC_get_stackid, &bpf_get_stackid_proto_pe },
	{ BPF_FUNC_get_stack, &bpf_get_stack_proto_pe },
	{ BPF_FUNC_perf_prog_read_value, &bpf_perf_prog_read_value_proto },
	{ BPF_FUNC_read_branch_records, &bpf_read_branch_records_proto },
	{ BPF_FUNC_get_attach_cookie, &bpf_get_attach_cookie_proto_pe },
	{ }
};

static const struct func_proto_choice raw[] = {
	{ BPF_FUNC_perf_event_output, &bpf_perf_event_output_proto_raw },
	{ BPF_FUNC_get_stackid, &bpf_get_stackid_proto_raw },
	{ BPF_FUNC_get_stack, &bpf_get_stack_proto_raw },
	{ BPF_FUNC_get_attach_cookie, &bpf_get_attach_cookie_proto },
	{ }
};

/* For programs in the trampoline of a function. */
static const struct func_proto_choice trampoline[] = {
	{ BPF_FUNC_get_func_ip, &bpf_get_func_ip_proto_tracing },
	{ BPF_FUNC_get_func_arg, &bpf_get_func_arg_proto },
	{ BPF_FUNC_get_func_ret, &bpf_get_func_ret_proto },
	{ BPF_FUNC_get_func_arg_cnt, &bpf_get_func_arg_cnt_proto },
	{ BPF_FUNC_get_attach_cookie, &bpf_get_attach_cookie_proto_tracing },
	{ }
};

static const struct func_proto_choice iterator[] = {
	{ BPF_FUNC_seq_printf, &bpf_seq_printf_proto },
	{ BPF_FUNC_seq_write, &bpf_seq_write_proto },
	{ BPF_FUNC_seq_printf_btf, &bpf_seq_printf_btf_proto },
	{ }
};

#ifdef CONFIG_NET
static const struct func_proto_choice net[] = {
	{ BPF_FUNC_skb_output, &bpf_skb_output_proto },
	{ BPF_FUNC_xdp_output, &bpf_xdp_output_proto },
	{ BPF_FUNC_xdp_get_buff_len, &bpf_xdp_get_buff_len_trace_proto },
	{ BPF_FUNC_skc_to_tcp6_sock, &bpf_skc_to_tcp6_sock_proto },
	{ BPF_FUNC_skc_to_tcp_sock, &bpf_skc_to_tcp_sock_proto },
	{ BPF_FUNC_skc_to_tcp_timewait_sock, &bpf_skc_to_tcp_timewait_sock_proto },
	{ BPF_FUNC_skc_to_tcp_request_sock, &bpf_skc_to_tcp_request_sock_proto },
	{ BPF_FUNC_skc_to_udp6_sock, &bpf_skc_to_udp6_sock_proto },
	{ BPF_FUNC_skc_to_unix_sock, &bpf_skc_to_unix_sock_proto },
	{ BPF_FUNC_skc_to_mptcp_sock, &bpf_skc_to_mptcp_sock_proto },
	{ BPF_FUNC_sock_from_file, &bpf_sock_from_file_proto },
	{ BPF_FUNC_get_socket_cookie, &bpf_get_socket_ptr_cookie_proto },
	{ BPF_FUNC_sk_storage_get, &bpf_sk_storage_get_tracing_proto },
	{ BPF_FUNC_sk_storage_delete, &bpf_sk_storage_delete_tracing_proto },
	{ }
};
#else
static const struct func_proto_choice net[] = { { } };
#endif

/* The old helpers, which do not distinguish between user space and kernel memory. */
static const struct bpf_func_proto *func_proto_old_reader(enum bpf_func_id id)
{
	if (!IS_ENABLED(CONFIG_ARCH_HAS_NON_OVERLAPPING_ADDRESS_SPACE) ||
	    security_locked_down(LOCKDOWN_BPF_READ_KERNEL) < 0)
		return NULL;

	return id == BPF_FUNC_probe_read ? &bpf_probe_read_proto : &bpf_probe_read_str_proto;
}

/* A program that can recurse must not wait for the lock of a storage. */
static const struct bpf_func_proto *func_proto_task_storage(enum bpf_func_id id,
							    const struct bpf_prog *prog)
{
	bool recursive = bpf_prog_check_recur(prog);

	if (id == BPF_FUNC_task_storage_get)
		return recursive ? &bpf_task_storage_get_recur_proto :
				   &bpf_task_storage_get_proto;

	return recursive ? &bpf_task_storage_delete_recur_proto :
			   &bpf_task_storage_delete_proto;
}

static const struct bpf_func_proto *func_proto_choose(enum bpf_func_id id,
						      const struct bpf_prog *prog)
{
	const struct bpf_func_proto *proto = NULL;

	if (!bpf_token_capable(prog->aux->token, CAP_PERFMON))
		return bpf_base_func_proto(id, prog);

	switch (id) {
	case BPF_FUNC_probe_read:
	case BPF_FUNC_probe_read_str:
		return func_proto_old_reader(id);
	case BPF_FUNC_probe_write_user:
		return bpf_get_probe_write_user_proto();
	case BPF_FUNC_task_storage_get:
	case BPF_FUNC_task_storage_delete:
		return func_proto_task_storage(id, prog);
	case BPF_FUNC_get_task_stack:
		proto = &bpf_get_task_stack_proto;
		break;
	default:
		break;
	}

	if (prog->sleepable)
		proto = func_proto_lookup(sleepable, id) ?: proto;

	return proto ?: func_proto_lookup(common, id) ?: bpf_base_func_proto(id, prog);
}

/* The location of the function's address depends on the code that runs the program. */
static const struct bpf_func_proto *func_proto_ip(const struct bpf_prog *prog)
{
	switch (prog->expected_attach_type) {
	case BPF_TRACE_KPROBE_MULTI:
	case BPF_TRACE_KPROBE_SESSION:
		return PTR_IF(IS_ENABLED(CONFIG_FPROBE), &bpf_get_func_ip_proto_multi);
	case BPF_TRACE_UPROBE_MULTI:
		return PTR_IF(IS_ENABLED(CONFIG_UPROBE_EVENTS),
			      &bpf_get_func_ip_proto_uprobe_multi);
	default:
		return &bpf_get_func_ip_proto_probe;
	}
}

/* Functions of user space cannot be overridden. A uprobe of perf refuses such a program. */
static const struct bpf_func_proto *func_proto_override(const struct bpf_prog *prog)
{
	return PTR_IF(IS_ENABLED(CONFIG_BPF_KPROBE_OVERRIDE) &&
		      prog->expected_attach_type != BPF_TRACE_UPROBE_MULTI,
		      &bpf_override_return_proto);
}

/**
 * trace_bpf_kprobe_helper - find a helper for a program with registers as its context
 * @id: its number
 * @prog: the program, which is being loaded
 *
 * The functions below, and tracing_prog_func_proto(), have the same parameters. May sleep.
 *
 * Return: NULL if the program may not call it
 */
const struct bpf_func_proto *trace_bpf_kprobe_helper(enum bpf_func_id id,
						     const struct bpf_prog *prog)
{
	if (id == BPF_FUNC_get_func_ip)
		return func_proto_ip(prog);
	if (id == BPF_FUNC_override_return)
		return func_proto_override(prog);

	return func_proto_lookup(kprobe, id) ?: func_proto_choose(id, prog);
}

/* trace_bpf_tracepoint_helper - the same for a program with the entry of a trace event */
const struct bpf_func_proto *trace_bpf_tracepoint_helper(enum bpf_func_id id,
							 const struct bpf_prog *prog)
{
	return func_proto_lookup(tracepoint, id) ?: func_proto_choose(id, prog);
}

/* trace_bpf_perf_helper - the same for a program with a sample of perf */
const struct bpf_func_proto *trace_bpf_perf_helper(enum bpf_func_id id,
						   const struct bpf_prog *prog)
{
	return func_proto_lookup(perf, id) ?: func_proto_choose(id, prog);
}

/* trace_bpf_raw_helper - the same for a program with the arguments of a tracepoint */
const struct bpf_func_proto *trace_bpf_raw_helper(enum bpf_func_id id,
						  const struct bpf_prog *prog)
{
	return func_proto_lookup(raw, id) ?: func_proto_choose(id, prog);
}

static bool func_proto_is_iterator(const struct bpf_prog *prog)
{
	return prog->type == BPF_PROG_TYPE_TRACING &&
	       prog->expected_attach_type == BPF_TRACE_ITER;
}

/* Of the programs without a trampoline, only these have a cookie. */
static bool func_proto_is_at_tracepoint(const struct bpf_prog *prog)
{
	return prog->type == BPF_PROG_TYPE_TRACING &&
	       prog->expected_attach_type == BPF_TRACE_RAW_TP;
}

/*
 * tracing_prog_func_proto - the same for BPF_PROG_TYPE_TRACING, and for types with the same
 * permissions, which are BPF_PROG_TYPE_LSM and BPF_PROG_TYPE_SYSCALL
 */
const struct bpf_func_proto *tracing_prog_func_proto(enum bpf_func_id id,
						     const struct bpf_prog *prog)
{
	const struct bpf_func_proto *proto = func_proto_lookup(net, id);

	if (id == BPF_FUNC_d_path)
		return &bpf_d_path_proto;
	if (!proto && func_proto_is_iterator(prog))
		proto = func_proto_lookup(iterator, id) ?: bpf_iter_get_func_proto(id, prog);
	if (!proto && bpf_prog_has_trampoline(prog))
		proto = func_proto_lookup(trampoline, id);
	if (proto)
		return proto;

	if (id == BPF_FUNC_get_attach_cookie && !func_proto_is_at_tracepoint(prog))
		return NULL;

	return trace_bpf_raw_helper(id, prog);
}
