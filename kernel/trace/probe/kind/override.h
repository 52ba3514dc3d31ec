/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Registers that bpf_override_return() changes: where the probed function continues, and its
 * return value.
 */
#ifndef _TRACE_PROBE_KIND_OVERRIDE_H
#define _TRACE_PROBE_KIND_OVERRIDE_H

#include <linux/ptrace.h>

/**
 * struct probe_override - the registers before programs run
 * @ip: the address at which the function continues
 * @value: contents of the register for the return value
 */
struct probe_override {
	unsigned long	ip;
	unsigned long	value;
};

#ifdef CONFIG_BPF_KPROBE_OVERRIDE
static __always_inline struct probe_override probe_override_begin(struct pt_regs *regs)
{
	return (struct probe_override){
		.ip	= instruction_pointer(regs),
		.value	= regs_return_value(regs),
	};
}

static __always_inline bool probe_override_is_done(const struct probe_override *before,
						   struct pt_regs *regs)
{
	return instruction_pointer(regs) != before->ip;
}

static __always_inline void probe_override_undo(const struct probe_override *before,
						struct pt_regs *regs)
{
	instruction_pointer_set(regs, before->ip);
	regs_set_return_value(regs, before->value);
}
#else
static inline struct probe_override probe_override_begin(struct pt_regs *regs)
{
	return (struct probe_override){};
}

static inline bool probe_override_is_done(const struct probe_override *before,
					  struct pt_regs *regs)
{
	return false;
}

static inline void probe_override_undo(const struct probe_override *before, struct pt_regs *regs)
{
}
#endif

#endif /* _TRACE_PROBE_KIND_OVERRIDE_H */
