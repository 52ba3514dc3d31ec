/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Function tracing on arm64: the definitions of the architecture. The contract is the first
 * comment of linux/ftrace_arch.h.
 *
 * The compiler marks functions in one of two ways, which Kconfig chooses:
 *
 *   CONFIG_ARM64_FTRACE_MCOUNT: a call of _mcount after the prologue. It is a call like any
 *   other, so that argument registers hold nothing that a callback could use. The return
 *   address of the function is in its frame record.
 *
 *   CONFIG_ARM64_FTRACE_PATCHABLE: two NOPs before the prologue. At boot the first one
 *   becomes "mov x9, x30", which is harmless. The arguments are still in x0 to x8, and the
 *   return address is in x9 when a trampoline starts.
 *
 * In both cases a site is one aligned instruction, a NOP or a BL, which the architecture allows
 * to be replaced while other CPUs execute it.
 */
#ifndef __ASM_FTRACE_H
#define __ASM_FTRACE_H

#include <asm/insn.h>

#define MCOUNT_INSN_SIZE		AARCH64_INSN_SIZE
#define MCOUNT_ADDR			((unsigned long)_mcount)
#define FTRACE_SITE_BEFORE		0
#define FTRACE_SITE_AFTER		AARCH64_INSN_SIZE
#define FTRACE_PATCH_STEPS		1

#ifdef CONFIG_ARM64_FTRACE_PATCHABLE
/* BTI, if the function has it, and MOV. */
#define FTRACE_MCOUNT_MAX_OFFSET	(2 * AARCH64_INSN_SIZE)
#else
/* Far longer than any prologue. */
#define FTRACE_MCOUNT_MAX_OFFSET	256
#endif

#define FTRACE_LIST_ENTRY		((unsigned long)ftrace_caller)
#ifdef CONFIG_ARM64_FTRACE_PATCHABLE
#define FTRACE_LIST_ENTRY_REGS		((unsigned long)ftrace_regs_caller)
#else
#define FTRACE_LIST_ENTRY_REGS		FTRACE_LIST_ENTRY
#endif

/*
 * A module has space for one branch beyond the reach of its text: see module.c. It serves all
 * users of the module's sites, so it leads to the entry that saves all registers.
 */
#define FTRACE_PLT_IDX			0
#define NR_FTRACE_PLTS			1
#define FTRACE_ADDR			FTRACE_LIST_ENTRY_REGS

#define FTRACE_KUNIT_ARGUMENT		"x0"
#define FTRACE_REGS_MAX_ARGS		8

#ifndef __ASSEMBLY__

/* Other files include linux/compat.h through this header. */
#include <linux/compat.h>
#include <linux/compiler.h>
#include <linux/errno.h>
#include <linux/types.h>

#include <asm/ptrace.h>

struct ftrace_ops;
struct ftrace_regs;

/* Entry code in assembly. */
void _mcount(unsigned long parent_ip);
void ftrace_caller(void);
void ftrace_regs_caller(void);

/* Labels in entry-ftrace.S, see its first comment. */
extern const u8 ftrace_caller_enter[], ftrace_caller_call[];
extern const u8 ftrace_caller_leave[], ftrace_caller_return[], ftrace_caller_end[];
extern const u8 ftrace_regs_caller_enter[], ftrace_regs_caller_call[];
extern const u8 ftrace_regs_caller_leave[], ftrace_regs_caller_return[];
extern const u8 ftrace_reload_args[], ftrace_reload_args_end[];
extern const u8 ftrace_leave_direct[], ftrace_leave_direct_end[];

void *return_address(unsigned int level);
#define ftrace_return_address(n)	return_address(n)

unsigned long ftrace_call_adjust(unsigned long addr);
bool ftrace_site_init(unsigned long ip);
bool ftrace_calls_mark(const u8 *text, unsigned long ip, bool breakpoint);

/**
 * struct __arch_ftrace_regs - the stack frame of entry code and trampolines
 * @regs: registers of the traced function. Entry code that saves all of them stores all except
 *	for the fields that only exceptions have. Other entry code stores x0 to x8, x29, x30 and
 *	pc, and 0 as pstate, which no code of the kernel runs with; with ARM64_FTRACE_MCOUNT x29,
 *	x30 and pc alone. @regs.stackframe is the frame record of the entry code.
 * @caller: frame record in place of the one that the function has not made yet
 *
 * The frame ends where the stack pointer of the function points.
 */
struct __arch_ftrace_regs {
	struct pt_regs	regs;
#ifdef CONFIG_ARM64_FTRACE_PATCHABLE
	u64		caller[2];
#endif
};

#define HAVE_ARCH_FTRACE_REGS
#define arch_ftrace_regs(fregs)	((struct __arch_ftrace_regs *)(fregs))

/* Never all of them with ARM64_FTRACE_MCOUNT. */
static __always_inline struct pt_regs *
arch_ftrace_get_regs(struct ftrace_regs *fregs)
{
	struct pt_regs *regs = &arch_ftrace_regs(fregs)->regs;

	return IS_ENABLED(CONFIG_ARM64_FTRACE_PATCHABLE) && regs->pstate ? regs : NULL;
}

static __always_inline unsigned long
ftrace_regs_get_instruction_pointer(const struct ftrace_regs *fregs)
{
	return arch_ftrace_regs(fregs)->regs.pc;
}

/* Ignored with ARM64_FTRACE_MCOUNT, which does not support it. */
static __always_inline void
ftrace_regs_set_instruction_pointer(struct ftrace_regs *fregs, unsigned long pc)
{
	arch_ftrace_regs(fregs)->regs.pc = pc;
}

static __always_inline unsigned long
ftrace_regs_get_stack_pointer(const struct ftrace_regs *fregs)
{
	return (unsigned long)(arch_ftrace_regs(fregs) + 1);
}

static __always_inline unsigned long
ftrace_regs_get_frame_pointer(const struct ftrace_regs *fregs)
{
	return arch_ftrace_regs(fregs)->regs.regs[29];
}

/* Arguments beyond the eighth are on the stack. */
static __always_inline unsigned long
ftrace_regs_get_argument(const struct ftrace_regs *fregs, unsigned int n)
{
	return n < 8 ? arch_ftrace_regs(fregs)->regs.regs[n] : 0;
}

static __always_inline unsigned long
ftrace_regs_get_return_value(const struct ftrace_regs *fregs)
{
	return arch_ftrace_regs(fregs)->regs.regs[0];
}

static __always_inline void
ftrace_regs_set_return_value(struct ftrace_regs *fregs, unsigned long value)
{
	arch_ftrace_regs(fregs)->regs.regs[0] = value;
}

static __always_inline void
ftrace_override_function_with_return(struct ftrace_regs *fregs)
{
	arch_ftrace_regs(fregs)->regs.pc = arch_ftrace_regs(fregs)->regs.regs[30];
}

/* Only for saved registers: x0 to x8, relative to @regs. */
static __always_inline int ftrace_regs_query_register_offset(const char *name)
{
	if (name[0] != 'x' || name[1] < '0' || name[1] > '8' || name[2])
		return -EINVAL;

	return (name[1] - '0') * sizeof(unsigned long);
}

/* A copy, because all registers in their place would mean that all of them were saved. */
static __always_inline struct pt_regs *
ftrace_partial_regs(const struct ftrace_regs *fregs, struct pt_regs *regs)
{
	const struct pt_regs *from = &arch_ftrace_regs(fregs)->regs;

	__builtin_memcpy(regs->regs, from->regs, 9 * sizeof(from->regs[0]));
	regs->regs[29] = from->regs[29];
	regs->regs[30] = from->regs[30];
	regs->sp = ftrace_regs_get_stack_pointer(fregs);
	regs->pc = from->pc;
	return regs;
}

#define arch_ftrace_fill_perf_regs arch_ftrace_fill_perf_regs
static __always_inline void
arch_ftrace_fill_perf_regs(const struct ftrace_regs *fregs, struct pt_regs *regs)
{
	const struct pt_regs *from = &arch_ftrace_regs(fregs)->regs;

	regs->regs[29] = from->regs[29];
	regs->sp = ftrace_regs_get_stack_pointer(fregs);
	regs->pc = from->pc;
	regs->pstate = PSR_MODE_EL1h;
}

/* Unwinding begins at frame records; the trampoline makes the records that are needed. */
static __always_inline struct pt_regs *
arch_ftrace_unwind_regs(struct ftrace_regs *fregs)
{
	return NULL;
}

/* A function that has made its frame record loads its return address from there. */
static __always_inline unsigned long *
arch_ftrace_return_slot(struct ftrace_regs *fregs)
{
	if (!IS_ENABLED(CONFIG_ARM64_FTRACE_PATCHABLE))
		return (unsigned long *)arch_ftrace_regs(fregs)->regs.regs[29] + 1;

	return (unsigned long *)&arch_ftrace_regs(fregs)->regs.regs[30];
}

/*
 * The frame pointer of the caller, which the unwinder has when it looks up the return address.
 * Two calls from the same frame are never in progress at the same time.
 */
static __always_inline unsigned long
arch_ftrace_return_key(struct ftrace_regs *fregs)
{
	unsigned long fp = arch_ftrace_regs(fregs)->regs.regs[29];

	if (!IS_ENABLED(CONFIG_ARM64_FTRACE_PATCHABLE))
		return *(unsigned long *)fp;

	return fp;
}

/* Stored in the frame record of return_to_handler(), which calls the function that this is in. */
static __always_inline void
arch_ftrace_return_restore(unsigned long key, unsigned long ret)
{
	unsigned long **record = __builtin_frame_address(0);

	WRITE_ONCE(record[0][1], ret);
}

/* Only ftrace_regs_caller reads it. */
#define arch_ftrace_set_direct_caller(fregs, addr)	\
	(arch_ftrace_regs(fregs)->regs.orig_x0 = (addr))

/* Trampolines are never writable at the address where they are executable. */
static inline void set_ftrace_ops_ro(void) { }

#endif /* !__ASSEMBLY__ */
#endif /* __ASM_FTRACE_H */
