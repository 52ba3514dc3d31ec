/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Entry code of function tracing: from a call site to callbacks, and back.
 *
 * ftrace_caller and ftrace_regs_caller call the list function, which looks up
 * the callbacks of the traced function. They also are the templates of the
 * trampolines that are made for a set of callbacks: what lies between
 * *_enter and *_call is copied, the calls of the set's callbacks follow, and
 * then what lies between *_leave and *_end. Nothing there may depend on where
 * it is. From *_call to *_leave the stack does not change, so that one ORC
 * entry serves all calls in between.
 *
 * The stack at a trampoline's entry:
 *
 *	8(%rsp)		where the traced function returns to: parent_ip
 *	0(%rsp)		behind the call site, in the traced function
 */
#include <linux/cfi_types.h>
#include <linux/export.h>
#include <linux/linkage.h>
#include <linux/objtool.h>
#include <asm/asm-offsets.h>
#include <asm/asm.h>
#include <asm/ftrace.h>
#include <asm/nospec-branch.h>
#include <asm/ptrace-abi.h>
#include <asm/segment.h>
#include <asm/unwind_hints.h>

	.code64
	.section .text, "ax"

#ifdef CONFIG_FRAME_POINTER
/* Two stack frames lie between the return address and the registers. */
#define LINKS		(4 * 8)
#else
#define LINKS		0
#endif

/* Registers, and parent_ip as it was before any callback changed it. */
#define PARENT_IP	FRAME_SIZE
#define FRAME		(FRAME_SIZE + 8)
#define SITE_RET	(FRAME + LINKS)
#define PARENT_RET	(FRAME + LINKS + 8)

/*
 * The frame pointer unwinder knows a function by the frame it has pushed; the
 * traced function and its caller are not there yet. Stand in for them.
 */
.macro PUSH_LINKS
#ifdef CONFIG_FRAME_POINTER
	pushq	8(%rsp)
	pushq	%rbp
	movq	%rsp, %rbp
	pushq	16(%rsp)
	pushq	%rbp
	movq	%rsp, %rbp
#endif
.endm

/* %rbp of the traced function into its slot. */
.macro SAVE_RBP
#ifdef CONFIG_FRAME_POINTER
	movq	FRAME+16(%rsp), %rdi
	movq	%rdi, RBP(%rsp)
#else
	movq	%rbp, RBP(%rsp)
#endif
.endm

/* What may hold an argument. None of this touches the flags. */
.macro SAVE_ARGS
	PUSH_LINKS
	leaq	-FRAME(%rsp), %rsp
	movq	%rax, RAX(%rsp)
	movq	%rcx, RCX(%rsp)
	movq	%rdx, RDX(%rsp)
	movq	%rsi, RSI(%rsp)
	movq	%rdi, RDI(%rsp)
	movq	%r8, R8(%rsp)
	movq	%r9, R9(%rsp)
	SAVE_RBP
.endm

/*
 * Instruction and stack pointer as the traced function has them at its start;
 * the first two and the last argument of ftrace_func_t.
 */
.macro CALL_ARGS
	movq	SITE_RET(%rsp), %rdi
	leaq	PARENT_RET(%rsp), %rcx
	movq	%rdi, RIP(%rsp)
	movq	%rcx, RSP(%rsp)
	movq	PARENT_RET(%rsp), %rsi
	leaq	-MCOUNT_INSN_SIZE(%rdi), %rdi
	movq	%rsi, PARENT_IP(%rsp)
	movq	%rsp, %rcx
.endm

/* A callback may have changed where to go on. */
.macro HONOUR_RIP
	movq	RIP(%rsp), %rax
	movq	%rax, SITE_RET(%rsp)
.endm

.macro RESTORE_ARGS
	movq	RAX(%rsp), %rax
	movq	RCX(%rsp), %rcx
	movq	RDX(%rsp), %rdx
	movq	RSI(%rsp), %rsi
	movq	RDI(%rsp), %rdi
	movq	R8(%rsp), %r8
	movq	R9(%rsp), %r9
#ifdef CONFIG_FRAME_POINTER
	movq	RBP(%rsp), %rbp
#endif
.endm

.macro RESTORE_REGS
	movq	RBX(%rsp), %rbx
	movq	R10(%rsp), %r10
	movq	R11(%rsp), %r11
	movq	R12(%rsp), %r12
	movq	R13(%rsp), %r13
	movq	R14(%rsp), %r14
	movq	R15(%rsp), %r15
	movq	RBP(%rsp), %rbp
	RESTORE_ARGS
.endm

/* What the compiler calls; every site is a NOP before anything runs. */
SYM_FUNC_START(__fentry__)
	CALL_DEPTH_ACCOUNT
	RET
SYM_FUNC_END(__fentry__)
EXPORT_SYMBOL(__fentry__)

SYM_TYPED_FUNC_START(ftrace_stub)
	CALL_DEPTH_ACCOUNT
	RET
SYM_FUNC_END(ftrace_stub)
_ASM_NOKPROBE(ftrace_stub)

SYM_FUNC_START(ftrace_caller)
	CALL_DEPTH_ACCOUNT
SYM_INNER_LABEL(ftrace_caller_enter, SYM_L_GLOBAL)
	ANNOTATE_NOENDBR
	SAVE_ARGS
	movq	$0, CS(%rsp)
	CALL_ARGS
SYM_INNER_LABEL(ftrace_caller_call, SYM_L_GLOBAL)
	ANNOTATE_NOENDBR
	xorl	%edx, %edx
	call	ftrace_ops_list_func
SYM_INNER_LABEL(ftrace_honour_rip, SYM_L_GLOBAL)
	ANNOTATE_NOENDBR
	HONOUR_RIP
SYM_INNER_LABEL(ftrace_caller_leave, SYM_L_GLOBAL)
	ANNOTATE_NOENDBR
	RESTORE_ARGS
	leaq	SITE_RET(%rsp), %rsp
SYM_INNER_LABEL(ftrace_caller_end, SYM_L_GLOBAL)
	ANNOTATE_NOENDBR
	/* %rbp was saved to be seen; callbacks preserve it. */
	UNWIND_HINT_FUNC
	RET
SYM_FUNC_END(ftrace_caller)
_ASM_NOKPROBE(ftrace_caller)

/*
 * The same with all registers, which callbacks may change, but for %rsp and
 * the flags: a function does not expect anything of them from its caller.
 */
SYM_FUNC_START(ftrace_regs_caller)
	CALL_DEPTH_ACCOUNT
SYM_INNER_LABEL(ftrace_regs_caller_enter, SYM_L_GLOBAL)
	ANNOTATE_NOENDBR
	SAVE_ARGS
	movq	%rbx, RBX(%rsp)
	movq	%r10, R10(%rsp)
	movq	%r11, R11(%rsp)
	movq	%r12, R12(%rsp)
	movq	%r13, R13(%rsp)
	movq	%r14, R14(%rsp)
	movq	%r15, R15(%rsp)
	pushfq
	popq	EFLAGS(%rsp)
	movq	$0, ORIG_RAX(%rsp)
	movq	$__KERNEL_CS, CS(%rsp)
	movq	$__KERNEL_DS, SS(%rsp)
	CALL_ARGS
SYM_INNER_LABEL(ftrace_regs_caller_call, SYM_L_GLOBAL)
	ANNOTATE_NOENDBR
	xorl	%edx, %edx
	call	ftrace_ops_list_func
	cmpq	$0, ORIG_RAX(%rsp)
	jne	.Ldirect
SYM_INNER_LABEL(ftrace_regs_caller_leave, SYM_L_GLOBAL)
	ANNOTATE_NOENDBR
	HONOUR_RIP
	RESTORE_REGS
	leaq	SITE_RET(%rsp), %rsp
SYM_INNER_LABEL(ftrace_regs_caller_end, SYM_L_GLOBAL)
	ANNOTATE_NOENDBR
	RET

	/*
	 * A direct call goes on where the site's call is still on the stack; the
	 * return there undoes what was told to call depth tracking. No function
	 * expects anything of %r11.
	 */
.Ldirect:
	HONOUR_RIP
	RESTORE_REGS
	movq	ORIG_RAX(%rsp), %r11
	leaq	SITE_RET(%rsp), %rsp
	pushq	%r11
	UNWIND_HINT_FUNC
	RET
SYM_FUNC_END(ftrace_regs_caller)
_ASM_NOKPROBE(ftrace_regs_caller)

/*
 * Goes between two callbacks of a trampoline: a callback clobbers its arguments,
 * and may have put another return address into the place of parent_ip. Never
 * executed here.
 */
	.section .rodata, "a"
SYM_DATA_START(ftrace_reload_args)
	movq	SITE_RET(%rsp), %rdi
	movq	PARENT_IP(%rsp), %rsi
	leaq	-MCOUNT_INSN_SIZE(%rdi), %rdi
	movq	%rsp, %rcx
SYM_DATA_END_LABEL(ftrace_reload_args, SYM_L_GLOBAL, ftrace_reload_args_end)
