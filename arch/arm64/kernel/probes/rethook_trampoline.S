/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Return address of a function whose return is hooked. Handlers see all registers as they were at
 * the return, and may change them.
 *
 * The frame record in the saved registers replaces the record of the function, with the same
 * return address: the unwinder finds the caller by rethook_find_ret_addr(), or by the real
 * address, which arch_rethook_fixup_return() stores there in the end.
 */
#include <linux/linkage.h>

#include <asm/asm-offsets.h>
#include <asm/assembler.h>

#include "../call_regs.h"

	.text

SYM_CODE_START(arch_rethook_trampoline)
	sub	sp, sp, #PT_REGS_SIZE
	SAVE_X0_TO_X7
	SAVE_X8_TO_X28
	adr	x9, arch_rethook_trampoline
	add	x10, sp, #PT_REGS_SIZE
	READ_PSTATE	x11, x12
	stp	x29, x9, [sp, #S_FP]
	stp	x10, x9, [sp, #S_SP]
	str	x11, [sp, #S_PSTATE]
	stp	x29, x9, [sp, #S_STACKFRAME]
	add	x29, sp, #S_STACKFRAME
	mov	x0, sp
	bl	arch_rethook_trampoline_callback
	RESTORE_X0_TO_X7
	RESTORE_X8_TO_X28
	ldp	x29, x30, [sp, #S_FP]
	add	sp, sp, #PT_REGS_SIZE
	ret
SYM_CODE_END(arch_rethook_trampoline)
NOKPROBE(arch_rethook_trampoline)
