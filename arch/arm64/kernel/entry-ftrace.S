/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Entry code of function tracing: from a call site to callbacks, and back.
 *
 * ftrace_caller and ftrace_regs_caller call the list function, which searches for the callbacks
 * of the traced function. They are also the templates of the trampolines that are made for a set
 * of callbacks: a trampoline is a copy of the code between *_enter and *_call, then the calls of
 * the set's callbacks, then copies of the code between *_leave and *_return, and of
 * the code from ftrace_caller_return to ftrace_caller_end or, if a direct call follows, of
 * ftrace_leave_direct. So this code must not depend on its address.
 *
 * When a trampoline starts, x30 is the address after the call site, in the traced function. Its
 * stack frame is a struct __arch_ftrace_regs. Entry code that saves all registers differs from
 * the other one in what it stores there: frame records, by which the unwinder finds the traced
 * function and its caller, are in the same places.
 *
 * With static tracing there are no trampolines, and _mcount continues in ftrace_caller.
 */
#include <linux/cfi_types.h>
#include <linux/export.h>
#include <linux/linkage.h>

#include <asm/asm-offsets.h>
#include <asm/assembler.h>
#include <asm/ftrace.h>

#include "call_regs.h"

	.text

#define FRAME		FREGS_SIZE

/* Offset of the frame record of the trampoline. */
#define RECORD		S_STACKFRAME

#ifdef CONFIG_ARM64_FTRACE_PATCHABLE
/*
 * The traced function has not executed any instruction yet. All of x0 to x8 may be arguments, x9
 * is its return address, and it has no frame record: the record at CALLER_RECORD replaces it.
 */
#define CALLER_RECORD	PT_REGS_SIZE

.macro ENTER regs=0
	sub	sp, sp, #FRAME
	SAVE_X0_TO_X7
	stp	x29, x9, [sp, #S_FP]
	.if	\regs
	SAVE_X8_TO_X28
	add	x10, sp, #FRAME
	READ_PSTATE	x11, x12
	str	x10, [sp, #S_SP]
	stp	x30, x11, [sp, #S_PC]
	str	xzr, [sp, #S_ORIG_X0]		// no direct call
	.else
	str	x8, [sp, #S_X8]
	stp	x30, xzr, [sp, #S_PC]		// not all registers
	.endif
	stp	x29, x9, [sp, #CALLER_RECORD]
	add	x29, sp, #CALLER_RECORD
	stp	x29, x30, [sp, #RECORD]
	add	x29, sp, #RECORD
	sub	x0, x30, #MCOUNT_INSN_SIZE
	mov	x1, x9
	mov	x3, sp
.endm

/* Arguments of the next callback. The previous one may have changed the registers. */
.macro RELOAD_ARGS
	ldr	x0, [sp, #RECORD + 8]
	ldr	x1, [sp, #CALLER_RECORD + 8]
	sub	x0, x0, #MCOUNT_INSN_SIZE
	mov	x3, sp
.endm

.macro LEAVE regs=0
	RESTORE_X0_TO_X7
	.if	\regs
	RESTORE_X8_TO_X28
	.else
	ldr	x8, [sp, #S_X8]
	.endif
	ldr	x29, [sp, #S_FP]
.endm

/* Continue in the function, or at the address that a callback has set. */
.macro RETURN
	ldr	x30, [sp, #S_LR]
	ldr	x17, [sp, #S_PC]
	add	sp, sp, #FRAME
	ret	x17
.endm

/* Set x9 and x30 as if the site had called the code that follows. */
.macro LEAVE_DIRECT
	ldr	x9, [sp, #S_LR]
	ldr	x30, [sp, #S_PC]
	add	sp, sp, #FRAME
.endm

#else /* CONFIG_ARM64_FTRACE_MCOUNT */
/*
 * The call of _mcount was a call like any other to the compiler: only the registers that every
 * function preserves have to be preserved. The return address of the traced function is in its
 * frame record, signed if the function signs it.
 */
.macro ENTER
	sub	sp, sp, #FRAME
	stp	x29, x30, [sp, #RECORD]
	str	x30, [sp, #S_PC]
	sub	x0, x30, #MCOUNT_INSN_SIZE
	ldr	x30, [x29, #8]
	hint	#7				// xpaclri
	stp	x29, x30, [sp, #S_FP]
	mov	x1, x30
	add	x29, sp, #RECORD
	mov	x3, sp
.endm

.macro RELOAD_ARGS
	ldr	x0, [sp, #RECORD + 8]
	ldr	x1, [sp, #S_LR]
	sub	x0, x0, #MCOUNT_INSN_SIZE
	mov	x3, sp
.endm

.macro LEAVE
	ldp	x29, x30, [sp, #RECORD]
.endm

.macro RETURN
	add	sp, sp, #FRAME
	ret
.endm

.macro LEAVE_DIRECT
.endm

/*
 * The compiler emits calls of it, which are all NOPs before anything runs: it is never executed,
 * but modules are linked against it. With static tracing they remain calls; with discovery of
 * call sites at run time, until they have been found.
 */
SYM_FUNC_START(_mcount)
#ifdef CONFIG_FTRACE_DISCOVER
	adrp	x16, ftrace_announcing
	ldrb	w16, [x16, :lo12:ftrace_announcing]
	cbz	w16, .Lknown
	stp	x29, x30, [sp, #-16]!
	mov	x29, sp
	sub	x0, x30, #MCOUNT_INSN_SIZE
	bl	ftrace_announce
	ldp	x29, x30, [sp], #16
.Lknown:
#elif !defined(CONFIG_DYNAMIC_FTRACE)
	ldr_l	x16, ftrace_static_target	// a branch by x16 may target "bti c"
	cbz	x16, .Lnobody_traces
	br	x16
.Lnobody_traces:
#endif
	ret
SYM_FUNC_END(_mcount)
EXPORT_SYMBOL(_mcount)
NOKPROBE(_mcount)
#endif

SYM_TYPED_FUNC_START(ftrace_stub)
	ret
SYM_FUNC_END(ftrace_stub)
NOKPROBE(ftrace_stub)

SYM_FUNC_START(ftrace_caller)
SYM_INNER_LABEL(ftrace_caller_enter, SYM_L_GLOBAL)
	ENTER
SYM_INNER_LABEL(ftrace_caller_call, SYM_L_GLOBAL)
	mov	x2, xzr
	bl	ftrace_ops_list_func
SYM_INNER_LABEL(ftrace_caller_leave, SYM_L_GLOBAL)
	LEAVE
SYM_INNER_LABEL(ftrace_caller_return, SYM_L_GLOBAL)
	RETURN
SYM_INNER_LABEL(ftrace_caller_end, SYM_L_GLOBAL)
SYM_FUNC_END(ftrace_caller)
NOKPROBE(ftrace_caller)

#ifdef CONFIG_ARM64_FTRACE_PATCHABLE
/*
 * The same with all registers, and with a direct call. Callbacks may change the registers, except
 * for sp, x16 to x18 and the flags.
 */
SYM_FUNC_START(ftrace_regs_caller)
SYM_INNER_LABEL(ftrace_regs_caller_enter, SYM_L_GLOBAL)
	ENTER	regs=1
SYM_INNER_LABEL(ftrace_regs_caller_call, SYM_L_GLOBAL)
	mov	x2, xzr
	bl	ftrace_ops_list_func
	ldr	x17, [sp, #S_ORIG_X0]
	cbnz	x17, .Ldirect
SYM_INNER_LABEL(ftrace_regs_caller_leave, SYM_L_GLOBAL)
	LEAVE	regs=1
SYM_INNER_LABEL(ftrace_regs_caller_return, SYM_L_GLOBAL)
	RETURN

.Ldirect:
	LEAVE	regs=1
	LEAVE_DIRECT
	br	x17
SYM_FUNC_END(ftrace_regs_caller)
NOKPROBE(ftrace_regs_caller)
#endif

#ifdef CONFIG_FUNCTION_GRAPH_TRACER
/*
 * Return address of a function whose return is caught. The frame record made here replaces the
 * record of the function, with the same return address: the unwinder finds the caller by
 * ftrace_graph_ret_addr(), or by the real address, which ftrace_return_to_handler() stores there
 * in the end.
 */
SYM_CODE_START(return_to_handler)
	sub	sp, sp, #96
	adr	x9, return_to_handler
	stp	x29, x9, [sp]
	stp	x0, x1, [sp, #16]
	stp	x2, x3, [sp, #32]
	stp	x4, x5, [sp, #48]
	stp	x6, x7, [sp, #64]
	str	x8, [sp, #80]
	mov	x1, x0
	mov	x0, x29
	mov	x29, sp
	bl	ftrace_return_to_handler
	mov	x30, x0
	ldp	x0, x1, [sp, #16]
	ldp	x2, x3, [sp, #32]
	ldp	x4, x5, [sp, #48]
	ldp	x6, x7, [sp, #64]
	ldr	x8, [sp, #80]
	ldr	x29, [sp]
	add	sp, sp, #96
	ret
SYM_CODE_END(return_to_handler)
NOKPROBE(return_to_handler)
#endif

#if defined(CONFIG_FTRACE_KUNIT_TEST) && defined(CONFIG_DYNAMIC_FTRACE_WITH_DIRECT_CALLS)
/* Direct calls of the tests: they count, and change no register that is an argument. */
.macro COUNT offset:req
	adr_l	x16, ftrace_kunit_counts
	ldr	w17, [x16, #\offset]
	add	w17, w17, #1
	str	w17, [x16, #\offset]
	mov	x10, x30
	mov	x30, x9
	ret	x10
.endm

SYM_FUNC_START(ftrace_kunit_direct_a)
	COUNT	0
SYM_FUNC_END(ftrace_kunit_direct_a)

SYM_FUNC_START(ftrace_kunit_direct_b)
	COUNT	4
SYM_FUNC_END(ftrace_kunit_direct_b)
#endif

#ifdef CONFIG_DYNAMIC_FTRACE
/* The code between two callbacks of a trampoline. Never executed here. */
	.section .rodata, "a"
SYM_DATA_START(ftrace_reload_args)
	RELOAD_ARGS
SYM_DATA_END_LABEL(ftrace_reload_args, SYM_L_GLOBAL, ftrace_reload_args_end)

/* The code before the jump to a direct call. Never executed here. */
SYM_DATA_START(ftrace_leave_direct)
	LEAVE_DIRECT
SYM_DATA_END_LABEL(ftrace_leave_direct, SYM_L_GLOBAL, ftrace_leave_direct_end)
#endif
