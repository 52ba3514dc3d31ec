/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Registers as a struct pt_regs at the bottom of the stack, for code that is called, or returned
 * to, instead of entered by an exception.
 */
#ifndef _ARM64_KERNEL_CALL_REGS_H
#define _ARM64_KERNEL_CALL_REGS_H

#include <asm/asm-offsets.h>
#include <asm/ptrace.h>

.macro SAVE_X0_TO_X7
	stp	x0, x1, [sp, #S_X0]
	stp	x2, x3, [sp, #S_X2]
	stp	x4, x5, [sp, #S_X4]
	stp	x6, x7, [sp, #S_X6]
.endm

.macro RESTORE_X0_TO_X7
	ldp	x0, x1, [sp, #S_X0]
	ldp	x2, x3, [sp, #S_X2]
	ldp	x4, x5, [sp, #S_X4]
	ldp	x6, x7, [sp, #S_X6]
.endm

.macro SAVE_X8_TO_X28
	stp	x8, x9, [sp, #S_X8]
	stp	x10, x11, [sp, #S_X10]
	stp	x12, x13, [sp, #S_X12]
	stp	x14, x15, [sp, #S_X14]
	stp	x16, x17, [sp, #S_X16]
	stp	x18, x19, [sp, #S_X18]
	stp	x20, x21, [sp, #S_X20]
	stp	x22, x23, [sp, #S_X22]
	stp	x24, x25, [sp, #S_X24]
	stp	x26, x27, [sp, #S_X26]
	str	x28, [sp, #S_X28]
.endm

/*
 * x16 and x17 belong to veneers, so no function expects anything there. x18 is the pointer of
 * the shadow call stack, which memory must not replace, or it is not used.
 */
.macro RESTORE_X8_TO_X28
	ldp	x8, x9, [sp, #S_X8]
	ldp	x10, x11, [sp, #S_X10]
	ldp	x12, x13, [sp, #S_X12]
	ldp	x14, x15, [sp, #S_X14]
	ldr	x19, [sp, #S_X18 + 8]
	ldp	x20, x21, [sp, #S_X20]
	ldp	x22, x23, [sp, #S_X22]
	ldp	x24, x25, [sp, #S_X24]
	ldp	x26, x27, [sp, #S_X26]
	ldr	x28, [sp, #S_X28]
.endm

/* The state that an exception would save: conditions, masked exceptions, and the mode. */
.macro READ_PSTATE state, tmp
	mrs	\state, CurrentEL
	mrs	\tmp, nzcv
	orr	\state, \state, \tmp
	mrs	\tmp, daif
	orr	\state, \state, \tmp
	orr	\state, \state, #(PSR_MODE_EL1h & ~PSR_MODE_EL1t)
.endm

#endif /* _ARM64_KERNEL_CALL_REGS_H */
