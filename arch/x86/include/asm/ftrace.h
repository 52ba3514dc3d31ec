/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Function tracing on x86_64: what the architecture supplies.
 *
 * MCOUNT_INSN_SIZE		bytes of a call site
 * FTRACE_MCOUNT_MAX_OFFSET	most bytes between a symbol and its call site;
 *				a site further off is not of that symbol
 * FTRACE_PATCH_STEPS		stores that change a site, see below
 *
 * ftrace_site_encode()		bytes of a site that calls a target, or none
 * ftrace_patch_store()		one step of changing a site
 * ftrace_patch_sync()		let this CPU see the text as it is now
 *
 * ftrace_trampoline_size()	bytes of the trampoline of a set of callbacks
 * ftrace_trampoline_encode()	its code
 *				and, if there is one, goes on to a direct call
 * ftrace_trampoline_orc()	the place in the templates where the stack looks
 *				as it does at a place in such a trampoline
 * arch_ftrace_unwind_regs()	registers to begin unwinding with at the traced
 *				function; NULL where that would miss its caller
 *
 * A site is five bytes anywhere in the text and may straddle a cache line: no
 * single store changes it. So it is changed in FTRACE_PATCH_STEPS steps, after
 * each of which every CPU executes ftrace_patch_sync(): a breakpoint over the
 * first byte; the new tail; the new first byte. A CPU, or an NMI on a CPU,
 * that comes by meanwhile takes the breakpoint, and ftrace_int3_handler() acts
 * as the old instruction would.
 */
#ifndef _ASM_X86_FTRACE_H
#define _ASM_X86_FTRACE_H

#ifdef CONFIG_FUNCTION_TRACER

#include <asm/ibt.h>

#define MCOUNT_INSN_SIZE		5
#define MCOUNT_ADDR			((unsigned long)__fentry__)
#define FTRACE_MCOUNT_MAX_OFFSET	ENDBR_INSN_SIZE
#define FTRACE_PATCH_STEPS		3

#ifndef __ASSEMBLY__

#include <linux/types.h>
#include <linux/ftrace_regs.h>
#include <asm/ptrace.h>

struct ftrace_ops;
struct ftrace_regs;
struct pt_regs;

void __fentry__(void);

/* Places in ftrace_64.S; see its first comment. */
extern const u8 ftrace_caller_enter[], ftrace_caller_call[];
extern const u8 ftrace_caller_leave[], ftrace_caller_end[];
extern const u8 ftrace_regs_caller_enter[], ftrace_regs_caller_call[];
extern const u8 ftrace_regs_caller_leave[], ftrace_regs_caller_end[];
extern const u8 ftrace_honour_rip[];
extern const u8 ftrace_reload_args[], ftrace_reload_args_end[];

/**
 * struct ftrace_call - a callback as a trampoline calls it
 * @func: what to call
 * @ops: what to pass to it
 */
struct ftrace_call {
	void			(*func)(unsigned long ip, unsigned long parent_ip,
					struct ftrace_ops *op,
					struct ftrace_regs *fregs);
	struct ftrace_ops	*ops;
};

/*
 * What the trampoline of a set has to save and honour: all registers; a
 * changed instruction pointer.
 */
#define FTRACE_TRAMPOLINE_REGS		0x1
#define FTRACE_TRAMPOLINE_IPMODIFY	0x2

void ftrace_site_encode(u8 *insn, unsigned long ip, unsigned long target);
void ftrace_patch_store(int step, u8 *text, const u8 *insn);
void ftrace_patch_sync(void);

/**
 * struct ftrace_trampoline - where the parts of a trampoline begin
 * @enter: what saves registers
 * @leave: what restores them
 * @size: bytes of it all
 * @flags: FTRACE_TRAMPOLINE_*
 */
struct ftrace_trampoline {
	u16	enter;
	u16	leave;
	u16	size;
	u16	flags;
};

size_t ftrace_trampoline_size(unsigned int nr, unsigned int flags);
struct ftrace_trampoline
ftrace_trampoline_encode(u8 *code, unsigned long addr,
			 const struct ftrace_call *call, unsigned int nr,
			 unsigned int flags, unsigned long direct);
unsigned long ftrace_trampoline_orc(const struct ftrace_trampoline *tramp,
				    unsigned int offset);

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
 * ORC needs nothing but %rip, %rsp and %rbp. Frame pointers do not tell of the
 * caller of a function that has not pushed its own yet.
 */
static __always_inline struct pt_regs *
arch_ftrace_unwind_regs(struct ftrace_regs *fregs)
{
	return IS_ENABLED(CONFIG_UNWINDER_ORC) ? &arch_ftrace_regs(fregs)->regs :
						 NULL;
}

/* Only ftrace_regs_caller looks, and goes on there. */
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
