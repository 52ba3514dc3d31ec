/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Sessions: a program that runs at the entry and at the return of a function.
 */
#ifndef _TRACE_BPF_SESSION_H
#define _TRACE_BPF_SESSION_H

#include <linux/bpf.h>

/**
 * struct trace_bpf_session - run context of a program that may be in a session
 * @trace: base, with the cookie of the attach point
 * @is_return: the function returns
 * @word: a word of this call, the same at its entry and at its return; NULL outside of sessions
 *
 * The kfuncs of sessions find it in current->bpf_ctx.
 */
struct trace_bpf_session {
	struct bpf_trace_run_ctx	trace;
	bool				is_return;
	u64				*word;
};

/* trace_bpf_is_session - may the program use the kfuncs of sessions? */
static inline bool trace_bpf_is_session(const struct bpf_prog *prog)
{
	return prog->expected_attach_type == BPF_TRACE_KPROBE_SESSION;
}

#endif /* _TRACE_BPF_SESSION_H */
