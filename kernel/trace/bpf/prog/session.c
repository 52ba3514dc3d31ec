// SPDX-License-Identifier: GPL-2.0
/*
 * kfuncs of sessions. Like the attach type, they are known to the verifier also if no session can
 * be attached, for lack of fprobe.
 */
#include <linux/bpf.h>
#include <linux/btf.h>
#include <linux/btf_ids.h>
#include <linux/errno.h>
#include <linux/init.h>
#include <linux/sched.h>

#include "bpf/prog/session.h"

static struct trace_bpf_session *session_current(void)
{
	return container_of(current->bpf_ctx, struct trace_bpf_session, trace.run_ctx);
}

__bpf_kfunc_start_defs();

/**
 * bpf_session_is_return - does the function return, or is this its entry?
 *
 * Any context, in a program of a session.
 */
__bpf_kfunc bool bpf_session_is_return(void)
{
	return session_current()->is_return;
}

/**
 * bpf_session_cookie - get a word that belongs to this call of the function
 *
 * It is 0 at the entry. What the program stores there, it finds at the return of the same call.
 * Any context, in a program of a session.
 *
 * Return: its address
 */
__bpf_kfunc __u64 *bpf_session_cookie(void)
{
	return session_current()->word;
}

__bpf_kfunc_end_defs();

BTF_KFUNCS_START(session_kfuncs)
BTF_ID_FLAGS(func, bpf_session_is_return)
BTF_ID_FLAGS(func, bpf_session_cookie)
BTF_KFUNCS_END(session_kfuncs)

/* Called for all kfuncs of programs with registers. */
static int session_filter(const struct bpf_prog *prog, u32 id)
{
	if (!btf_id_set8_contains(&session_kfuncs, id) || trace_bpf_is_session(prog))
		return 0;

	return -EACCES;
}

static const struct btf_kfunc_id_set session_kfunc_set = {
	.owner	= THIS_MODULE,
	.set	= &session_kfuncs,
	.filter	= session_filter,
};

static int __init session_init(void)
{
	return register_btf_kfunc_id_set(BPF_PROG_TYPE_KPROBE, &session_kfunc_set);
}
late_initcall(session_init);
