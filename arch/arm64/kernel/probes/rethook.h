/* SPDX-License-Identifier: GPL-2.0 */
/* The callback of the assembly code of rethook. */
#ifndef _ARM64_KERNEL_PROBES_RETHOOK_H
#define _ARM64_KERNEL_PROBES_RETHOOK_H

struct pt_regs;

void arch_rethook_trampoline_callback(struct pt_regs *regs);

#endif /* _ARM64_KERNEL_PROBES_RETHOOK_H */
