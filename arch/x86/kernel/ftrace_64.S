/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Entry code of function tracing: from a call site to callbacks, and back.
 *
 * ftrace_caller and ftrace_regs_caller call the list function, which searches for the callbacks
 * of the traced function. They are also the templates of the trampolines that are made for a set
 * of callbacks: a trampoline is a copy of the code between *_enter and *_call, then the calls of
 * the set's callbacks, then a copy of the code between *_leave and *_end. So this code must not
 * depend on its address. The stack pointer does not change from *_call to *_leave, so that one
 * ORC entry serves all calls in between.
 *
 * The stack at a trampoline's entry:
 *
 *	8(%rsp)		return address of the traced function: parent_ip
 *	0(%rsp)		address after the call site, in the traced function
 *
 * With static tracing there are no trampolines, and FTRACE_MARK jumps to ftrace_caller.
 *
 * With X86_FTRACE_MCOUNT, parent_ip is at 8(%rbp) instead: the function has made its frame.
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

#if defined(CONFIG_FRAME_POINTER) && defined(CONFIG_X86_FTRACE_MCOUNT)
/* One stack frame is between the return address and the registers. */
#define LINKS		8
#define LINKED_RBP	FRAME
#elif defined(CONFIG_FRAME_POINTER)
/* Two stack frames are between them. */
#define LINKS		(4 * 8)
#define LINKED_RBP	(FRAME + 16)
#else
#define LINKS		0
#endif

/* Registers, then parent_ip as it was before any callback changed it. */
#define PARENT_IP	FRAME_SIZE
#define FRAME		(FRAME_SIZE + 8)
#define SITE_RET	(FRAME + LINKS)
#define PARENT_RET	(FRAME + LINKS + 8)

/*
 * The frame pointer unwinder finds a function by the frame that it has pushed. If the traced
 * function has not pushed its frame yet, push one for it and one for its caller. objtool does
 * not support two frames at once.
 */
.macro PUSH_LINKS
#if defined(CONFIG_FRAME_POINTER) && defined(CONFIG_X86_FTRACE_MCOUNT)
	pushq	%rbp
	movq	%rsp, %rbp
#elif defined(CONFIG_FRAME_POINTER)
	pushq	8(%rsp)
	pushq	%rbp
	movq	%rsp, %rbp
	pushq	16(%rsp)
	pushq	%rbp
	movq	%rsp, %rbp
#endif
.endm

/* Save %rbp of the traced function in its slot. */
.macro SAVE_RBP
#ifdef CONFIG_FRAME_POINTER
	movq	LINKED_RBP(%rsp), %rdi
	movq	%rdi, RBP(%rsp)
#else
	movq	%rbp, RBP(%rsp)
#endif
.endm

/* Save the registers that may hold an argument. None of this changes the flags. */
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
#ifdef CONFIG_X86_FTRACE_MCOUNT
	/* If the prologue aligns the stack, %r10 is used to find arguments on the stack. */
	movq	%r10, R10(%rsp)
#endif
	SAVE_RBP
.endm

/*
 * Save instruction and stack pointer with their values after the call site of the traced
 * function, and set up the first and the last argument of ftrace_func_t.
 */
.macro CALL_ARGS
	movq	SITE_RET(%rsp), %rdi
	leaq	PARENT_RET(%rsp), %rcx
	movq	%rdi, RIP(%rsp)
	movq	%rcx, RSP(%rsp)
	leaq	-MCOUNT_INSN_SIZE(%rdi), %rdi
	movq	%rsp, %rcx
.endm

/* Set up the second argument, and keep it for further callbacks. */
.macro PARENT_ARG
#ifdef CONFIG_X86_FTRACE_MCOUNT
	movq	RBP(%rsp), %rsi
	movq	8(%rsi), %rsi
#else
	movq	PARENT_RET(%rsp), %rsi
#endif
	movq	%rsi, PARENT_IP(%rsp)
.endm

/* A callback may have changed the address to continue at. */
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
#ifdef CONFIG_X86_FTRACE_MCOUNT
	movq	R10(%rsp), %r10
#endif
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

/*
 * The compiler emits calls of it, which are all NOPs before anything runs. With static tracing
 * they are executed, and the jump is a return while no function is traced. With discovery of
 * call sites at run time, they are executed until they have been found.
 */
SYM_FUNC_START(FTRACE_MARK)
	CALL_DEPTH_ACCOUNT
#ifdef CONFIG_FTRACE_DISCOVER
	cmpb	$0, ftrace_announcing(%rip)
	jne	ftrace_announce_caller
	RET
#elif defined(CONFIG_DYNAMIC_FTRACE)
	RET
#else
	jmp	__SCT__ftrace_static
	.pushsection .discard.addressable, "aw"
	.quad	__SCK__ftrace_static
	.popsection
#endif
SYM_FUNC_END(FTRACE_MARK)
EXPORT_SYMBOL(FTRACE_MARK)
#if !defined(CONFIG_DYNAMIC_FTRACE) || defined(CONFIG_FTRACE_DISCOVER)
_ASM_NOKPROBE(FTRACE_MARK)
#endif

#ifdef CONFIG_FTRACE_DISCOVER
/* Report the call site, with the same stack as in FTRACE_MARK. */
SYM_FUNC_START_LOCAL(ftrace_announce_caller)
	SAVE_ARGS
	movq	%r10, R10(%rsp)
	movq	%r11, R11(%rsp)
	movq	SITE_RET(%rsp), %rdi
	leaq	-MCOUNT_INSN_SIZE(%rdi), %rdi
	call	ftrace_announce
	movq	R10(%rsp), %r10
	movq	R11(%rsp), %r11
	RESTORE_ARGS
	leaq	SITE_RET(%rsp), %rsp
	UNWIND_HINT_FUNC
	RET
SYM_FUNC_END(ftrace_announce_caller)
STACK_FRAME_NON_STANDARD_FP(ftrace_announce_caller)
_ASM_NOKPROBE(ftrace_announce_caller)
#endif

SYM_TYPED_FUNC_START(ftrace_stub)
	CALL_DEPTH_ACCOUNT
	RET
SYM_FUNC_END(ftrace_stub)
_ASM_NOKPROBE(ftrace_stub)

SYM_FUNC_START(ftrace_caller)
#ifdef CONFIG_DYNAMIC_FTRACE
	CALL_DEPTH_ACCOUNT
#endif
SYM_INNER_LABEL(ftrace_caller_enter, SYM_L_GLOBAL)
	ANNOTATE_NOENDBR
	SAVE_ARGS
	CALL_ARGS
SYM_INNER_LABEL(ftrace_caller_rest, SYM_L_GLOBAL)
	ANNOTATE_NOENDBR
	PARENT_ARG
	movq	$0, CS(%rsp)
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
	/* %rbp was saved for callbacks to read; they preserve it. */
	UNWIND_HINT_FUNC
	RET
SYM_FUNC_END(ftrace_caller)
STACK_FRAME_NON_STANDARD_FP(ftrace_caller)
_ASM_NOKPROBE(ftrace_caller)

#if defined(CONFIG_X86_FTRACE_FENTRY) && defined(CONFIG_DYNAMIC_FTRACE)
/*
 * The same with all registers. Callbacks may change them, except for %rsp and the flags, which a
 * function does not use from its caller.
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
	PARENT_ARG
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
	 * Continue with a direct call, with the return address of the site's call on the stack.
	 * The RET that jumps there makes up for the accounting of the site's call in call depth
	 * tracking. No function uses the value of %r11.
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
STACK_FRAME_NON_STANDARD_FP(ftrace_regs_caller)
_ASM_NOKPROBE(ftrace_regs_caller)
#endif

#ifdef CONFIG_FUNCTION_GRAPH_TRACER
/*
 * Return address of a function whose return is caught. The stack is as its caller expects it,
 * without the return address. Only at the first instruction the caller cannot be found by
 * unwinding: from there on the stack looks as if this was called by the caller of the function,
 * with an address that ftrace_graph_ret_addr() translates.
 */
SYM_CODE_START(return_to_handler)
	UNWIND_HINT_UNDEFINED
	ANNOTATE_NOENDBR
	pushq	$return_to_handler
	UNWIND_HINT_FUNC
#ifdef CONFIG_FRAME_POINTER
	pushq	%rbp
	movq	%rsp, %rbp
	leaq	8(%rsp), %rdi
#else
	movq	%rsp, %rdi
#endif
	pushq	%rax
	pushq	%rdx
#ifdef CONFIG_FUNCTION_GRAPH_RETVAL
	movq	%rax, %rsi
#endif
	call	ftrace_return_to_handler
	popq	%rdx
	popq	%rax
#ifdef CONFIG_FRAME_POINTER
	popq	%rbp
#endif
	/*
	 * The real return address is on the stack now. Processors predict the target of a return
	 * by matching it with a call, and the call of the function is already matched: a call
	 * without effect makes up for it, so that returns further up are predicted correctly.
	 */
	CALL_DEPTH_ACCOUNT
	ANNOTATE_INTRA_FUNCTION_CALL
	call	.Lreturn
	int3
.Lreturn:
	leaq	8(%rsp), %rsp
	RET
SYM_CODE_END(return_to_handler)
_ASM_NOKPROBE(return_to_handler)
#endif

#if defined(CONFIG_FTRACE_KUNIT_TEST) && defined(CONFIG_DYNAMIC_FTRACE_WITH_DIRECT_CALLS)
/* Direct calls of the tests: they count, and change no register except the flags. */
SYM_FUNC_START(ftrace_kunit_direct_a)
	CALL_DEPTH_ACCOUNT
	incl	ftrace_kunit_counts(%rip)
	RET
SYM_FUNC_END(ftrace_kunit_direct_a)

SYM_FUNC_START(ftrace_kunit_direct_b)
	CALL_DEPTH_ACCOUNT
	incl	ftrace_kunit_counts+4(%rip)
	RET
SYM_FUNC_END(ftrace_kunit_direct_b)
#endif

/*
 * The code between two callbacks of a trampoline: a callback clobbers its arguments and may have
 * replaced the return address on the stack, while parent_ip is unchanged. Never executed here.
 */
#ifdef CONFIG_DYNAMIC_FTRACE
	.section .rodata, "a"
SYM_DATA_START(ftrace_reload_args)
	movq	SITE_RET(%rsp), %rdi
	movq	PARENT_IP(%rsp), %rsi
	leaq	-MCOUNT_INSN_SIZE(%rdi), %rdi
	movq	%rsp, %rcx
SYM_DATA_END_LABEL(ftrace_reload_args, SYM_L_GLOBAL, ftrace_reload_args_end)
#endif
