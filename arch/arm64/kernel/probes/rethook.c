// SPDX-License-Identifier: GPL-2.0
/*
 * Rethook on arm64: a function whose return is hooked returns to arch_rethook_trampoline().
 *
 * Return addresses are replaced at the entry of a function, before the function signs its return
 * address or puts it on the shadow call stack. So the function protects the address of the
 * trampoline like any other return address, and the one that was replaced is never signed.
 */
#include <linux/kprobes.h>
#include <linux/ptrace.h>
#include <linux/rethook.h>

#include "rethook.h"

/**
 * arch_rethook_prepare - replace the return address of the function that is being entered
 * @rhn: the hook
 * @regs: registers at the entry of the function
 * @mcount: true if the entry is a call site; the registers are the same
 *
 * The hook is identified by the frame pointer of the caller. The unwinder has the same one when
 * it finds the trampoline in the frame record of the function, and the trampoline when the
 * function has returned.
 *
 * Context: any; preemption disabled
 */
void arch_rethook_prepare(struct rethook_node *rhn, struct pt_regs *regs, bool mcount)
{
	rhn->ret_addr = regs->regs[30];
	rhn->frame = regs->regs[29];
	regs->regs[30] = (unsigned long)arch_rethook_trampoline;
}

NOKPROBE_SYMBOL(arch_rethook_prepare);

/**
 * arch_rethook_fixup_return - replace the trampoline in its frame record
 * @regs: registers that the trampoline has saved
 * @correct_ret_addr: the address that the function returns to
 *
 * From now on the unwinder does not need the hook, which is about to be removed.
 *
 * Context: preemption disabled
 */
void arch_rethook_fixup_return(struct pt_regs *regs, unsigned long correct_ret_addr)
{
	regs->regs[30] = correct_ret_addr;
	WRITE_ONCE(regs->stackframe[1], correct_ret_addr);
}

NOKPROBE_SYMBOL(arch_rethook_fixup_return);

/**
 * arch_rethook_trampoline_callback - a function whose return is hooked has returned
 * @regs: registers at the return; x30 is set to where the trampoline returns to
 *
 * Context: as the function
 */
void arch_rethook_trampoline_callback(struct pt_regs *regs)
{
	rethook_trampoline_handler(regs, regs->regs[29]);
}

NOKPROBE_SYMBOL(arch_rethook_trampoline_callback);
