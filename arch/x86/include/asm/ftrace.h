/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Function tracing on x86_64: the definitions that linux/ftrace_arch.h requires.
 *
 * The compiler marks functions in one of two ways, which Kconfig chooses:
 *
 *   CONFIG_X86_FTRACE_FENTRY: a call of __fentry__ at the start of the function, after the
 *   ENDBR if there is one. The return address of the traced function is on the stack, above
 *   the return address of the call: at 8(%rsp) when entry code or a trampoline starts.
 *
 *   CONFIG_X86_FTRACE_MCOUNT: a call of mcount after the prologue. The function has a frame
 *   then, with its return address at 8(%rbp), or a copy of it if the prologue has aligned the
 *   stack, so that changing it there may have no effect. The compiler is not aware of the
 *   call, and registers have to be preserved as for the other way.
 *
 * A site is five bytes anywhere in the text and may straddle a cache line, so no single store
 * changes it. There are three steps: a breakpoint over the first byte; the new tail; the new
 * first byte. A CPU, or an NMI on a CPU, that executes the site in between takes the breakpoint,
 * and ftrace_int3_handler() emulates the old instruction.
 */
#ifndef _ASM_X86_FTRACE_H
#define _ASM_X86_FTRACE_H

#ifdef CONFIG_FUNCTION_TRACER

#include <asm/ibt.h>

#define MCOUNT_INSN_SIZE		5
#define MCOUNT_ADDR			((unsigned long)FTRACE_MARK)
#define FTRACE_SITE_BEFORE		0
#define FTRACE_SITE_AFTER		MCOUNT_INSN_SIZE
#define FTRACE_PATCH_STEPS		3

#define FTRACE_LIST_ENTRY		((unsigned long)ftrace_caller)

/* FTRACE_MARK: the function that the compiler emits calls to. */
#ifdef CONFIG_X86_FTRACE_FENTRY
#define FTRACE_MARK			__fentry__
#define FTRACE_MCOUNT_MAX_OFFSET	ENDBR_INSN_SIZE
#define FTRACE_LIST_ENTRY_REGS		((unsigned long)ftrace_regs_caller)
#else
/* Far longer than any prologue. */
#define FTRACE_MARK			mcount
#define FTRACE_MCOUNT_MAX_OFFSET	256
#define FTRACE_LIST_ENTRY_REGS		FTRACE_LIST_ENTRY
#endif

#define FTRACE_KUNIT_ARGUMENT		"di"
#define FTRACE_REGS_MAX_ARGS		6

#ifndef __ASSEMBLY__

#include <linux/types.h>
#include <linux/ftrace_regs.h>
#include <linux/string.h>
#include <asm/ptrace.h>

struct ftrace_ops;
struct ftrace_regs;
struct pt_regs;

/* Entry code in assembly. */
void FTRACE_MARK(void);
void ftrace_caller(void);
void ftrace_regs_caller(void);

/* Labels in ftrace_64.S, see its first comment. */
extern const u8 ftrace_caller_enter[], ftrace_caller_call[];
extern const u8 ftrace_caller_leave[], ftrace_caller_end[];
extern const u8 ftrace_regs_caller_enter[], ftrace_regs_caller_call[];
extern const u8 ftrace_regs_caller_leave[], ftrace_regs_caller_end[];
extern const u8 ftrace_honour_rip[];
extern const u8 ftrace_reload_args[], ftrace_reload_args_end[];

/*
 * The sites are at the listed addresses, and have been NOPs since the kernel or module was
 * built.
 */
static __always_inline unsigned long ftrace_call_adjust(unsigned long addr)
{
	return addr;
}

static __always_inline bool ftrace_site_init(unsigned long ip)
{
	return true;
}

#ifdef CONFIG_DYNAMIC_FTRACE
int ftrace_int3_handler(struct pt_regs *regs);
#else
static __always_inline int ftrace_int3_handler(struct pt_regs *regs)
{
	return 0;
}
#endif

/* A breakpoint replaces the opcode of the call alone. */
static inline bool ftrace_calls_mark(const u8 *text, unsigned long ip, bool breakpoint)
{
	s32 distance;

	memcpy(&distance, text + 1, sizeof(distance));
	return (text[0] == 0xe8 || (breakpoint && text[0] == 0xcc)) &&
	       ip + MCOUNT_INSN_SIZE + distance == MCOUNT_ADDR;
}

/* %cs is left 0 if only arguments, %rbp, %rsp and %rip were saved. */
#define arch_ftrace_get_regs arch_ftrace_get_regs
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
 * ORC needs only %rip, %rsp and %rbp. Frame pointers cannot find the caller of a function that
 * has not pushed its own frame yet.
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
	if (IS_ENABLED(CONFIG_X86_FTRACE_MCOUNT))
		return (unsigned long *)arch_ftrace_regs(fregs)->regs.bp + 1;

	return (unsigned long *)arch_ftrace_regs(fregs)->regs.sp;
}

/* Where the return address is, which is also where return_to_handler() pushes its own. */
static __always_inline unsigned long
arch_ftrace_return_key(struct ftrace_regs *fregs)
{
	return (unsigned long)arch_ftrace_return_slot(fregs);
}

static __always_inline void
arch_ftrace_return_restore(unsigned long key, unsigned long ret)
{
	*(unsigned long *)key = ret;
}

/* Only ftrace_regs_caller reads it. Unused with X86_FTRACE_MCOUNT. */
#define arch_ftrace_set_direct_caller(fregs, addr)	\
	(arch_ftrace_regs(fregs)->regs.orig_ax = (addr))

/* Applied after the list function, and by the trampoline of an ops with IPMODIFY. */
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

/* Trampolines are never writable at the address where they are executable. */
static inline void set_ftrace_ops_ro(void) { }

#endif /* !__ASSEMBLY__ */
#endif /* _ASM_X86_FTRACE_H */
