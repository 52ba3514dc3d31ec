/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Function tracing on x86_64: what linux/ftrace_arch.h asks for.
 *
 * A site is a call at the start of a function, behind the ENDBR if there is one. It
 * is five bytes anywhere in the text and may straddle a cache line, so no single store
 * changes it. There are three steps: a breakpoint over the first byte; the new tail;
 * the new first byte. A CPU, or an NMI on a CPU, that executes the site meanwhile takes
 * the breakpoint, and ftrace_int3_handler() does what the old instruction would have
 * done.
 *
 * The return address of the traced function is on the stack, above that of the call:
 * at 8(%rsp) when entry code or a trampoline starts.
 */
#ifndef _ASM_X86_FTRACE_H
#define _ASM_X86_FTRACE_H

#ifdef CONFIG_FUNCTION_TRACER

#include <asm/ibt.h>

#define MCOUNT_INSN_SIZE		5
#define MCOUNT_ADDR			((unsigned long)__fentry__)
#define FTRACE_SITE_BEFORE		0
#define FTRACE_SITE_AFTER		MCOUNT_INSN_SIZE
#define FTRACE_MCOUNT_MAX_OFFSET	ENDBR_INSN_SIZE
#define FTRACE_PATCH_STEPS		3

#define FTRACE_LIST_ENTRY		((unsigned long)ftrace_caller)
#define FTRACE_LIST_ENTRY_REGS		((unsigned long)ftrace_regs_caller)

#define FTRACE_KUNIT_ARGUMENT		"di"
#define FTRACE_REGS_MAX_ARGS		6

#ifndef __ASSEMBLY__

#include <linux/types.h>
#include <linux/ftrace_regs.h>
#include <asm/ptrace.h>

struct ftrace_ops;
struct ftrace_regs;
struct pt_regs;

/* Entry code in assembly. */
void __fentry__(void);
void ftrace_caller(void);
void ftrace_regs_caller(void);

/* Places in ftrace_64.S, see its first comment. */
extern const u8 ftrace_caller_enter[], ftrace_caller_call[];
extern const u8 ftrace_caller_leave[], ftrace_caller_end[];
extern const u8 ftrace_regs_caller_enter[], ftrace_regs_caller_call[];
extern const u8 ftrace_regs_caller_leave[], ftrace_regs_caller_end[];
extern const u8 ftrace_honour_rip[];
extern const u8 ftrace_reload_args[], ftrace_reload_args_end[];

/* The sites are what was listed, and NOPs since the kernel or module was built. */
static __always_inline unsigned long ftrace_call_adjust(unsigned long addr)
{
	return addr;
}

static __always_inline bool ftrace_site_init(unsigned long ip)
{
	return true;
}

int ftrace_int3_handler(struct pt_regs *regs);

/* %cs is left 0 where only arguments, %rbp, %rsp and %rip were saved. */
static __always_inline struct pt_regs *
arch_ftrace_get_regs(struct ftrace_regs *fregs)
{
	struct pt_regs *regs = &arch_ftrace_regs(fregs)->regs;

	return regs->cs ? regs : NULL;
}

#define arch_ftrace_partial_regs arch_ftrace_partial_regs
static __always_inline void arch_ftrace_partial_regs(struct pt_regs *regs)
{
	regs->flags |= X86_EFLAGS_FIXED;
	regs->cs = __KERNEL_CS;
}

#define arch_ftrace_fill_perf_regs arch_ftrace_fill_perf_regs
static __always_inline void
arch_ftrace_fill_perf_regs(struct ftrace_regs *fregs, struct pt_regs *regs)
{
	regs->ip = arch_ftrace_regs(fregs)->regs.ip;
	regs->sp = arch_ftrace_regs(fregs)->regs.sp;
	regs->cs = __KERNEL_CS;
	regs->flags = 0;
}

/*
 * ORC needs nothing but %rip, %rsp and %rbp. Frame pointers cannot find the caller
 * of a function that has not pushed its own frame yet.
 */
static __always_inline struct pt_regs *
arch_ftrace_unwind_regs(struct ftrace_regs *fregs)
{
	return IS_ENABLED(CONFIG_UNWINDER_ORC) ? &arch_ftrace_regs(fregs)->regs :
						 NULL;
}

static __always_inline unsigned long *
arch_ftrace_return_slot(struct ftrace_regs *fregs)
{
	return (unsigned long *)arch_ftrace_regs(fregs)->regs.sp;
}

static __always_inline unsigned long
arch_ftrace_return_key(struct ftrace_regs *fregs)
{
	return arch_ftrace_regs(fregs)->regs.sp;
}

static __always_inline void
arch_ftrace_return_restore(unsigned long key, unsigned long ret)
{
	*(unsigned long *)key = ret;
}

/* Only ftrace_regs_caller looks at it. */
#define arch_ftrace_set_direct_caller(fregs, addr)	\
	(arch_ftrace_regs(fregs)->regs.orig_ax = (addr))

#define ftrace_regs_set_instruction_pointer(fregs, _ip)	\
	(arch_ftrace_regs(fregs)->regs.ip = (_ip))

#endif /* !__ASSEMBLY__ */

#elif !defined(__ASSEMBLY__)

struct pt_regs;

static __always_inline int ftrace_int3_handler(struct pt_regs *regs)
{
	return 0;
}

#endif /* CONFIG_FUNCTION_TRACER */

#ifndef __ASSEMBLY__

/* Trampolines are never writable where they are executable. */
static inline void set_ftrace_ops_ro(void) { }

#endif /* !__ASSEMBLY__ */
#endif /* _ASM_X86_FTRACE_H */
