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
#define FTRACE_LIST_ENTRY_REGS		FTRACE_LIST_ENTRY

/* A module has space for one branch beyond the reach of its text: see module.c. */
#define FTRACE_PLT_IDX			0
#define NR_FTRACE_PLTS			1
#define FTRACE_ADDR			FTRACE_LIST_ENTRY

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

/* Labels in entry-ftrace.S, see its first comment. */
extern const u8 ftrace_caller_enter[], ftrace_caller_call[];
extern const u8 ftrace_caller_leave[], ftrace_caller_return[], ftrace_caller_end[];
extern const u8 ftrace_caller_direct[], ftrace_caller_direct_end[];
extern const u8 ftrace_reload_args[], ftrace_reload_args_end[];

void *return_address(unsigned int level);
#define ftrace_return_address(n)	return_address(n)

unsigned long ftrace_call_adjust(unsigned long addr);
bool ftrace_site_init(unsigned long ip);
bool ftrace_calls_mark(const u8 *text, unsigned long ip, bool breakpoint);

/**
 * struct __arch_ftrace_regs - the registers that are saved for callbacks
 * @regs: x0 to x8 at the function's entry; not saved with ARM64_FTRACE_MCOUNT
 * @direct_tramp: direct call to continue with, or 0
 * @fp: frame pointer
 * @lr: return address of the function
 * @sp: stack pointer
 * @pc: address to continue at
 */
struct __arch_ftrace_regs {
	unsigned long	regs[9];
	unsigned long	direct_tramp;
	unsigned long	fp;
	unsigned long	lr;
	unsigned long	sp;
	unsigned long	pc;
};

#define HAVE_ARCH_FTRACE_REGS
#define arch_ftrace_regs(fregs)	((struct __arch_ftrace_regs *)(fregs))

/* The registers are never all saved. */
static __always_inline struct pt_regs *
arch_ftrace_get_regs(struct ftrace_regs *fregs)
{
	return NULL;
}

static __always_inline unsigned long
ftrace_regs_get_instruction_pointer(const struct ftrace_regs *fregs)
{
	return arch_ftrace_regs(fregs)->pc;
}

/* Ignored with ARM64_FTRACE_MCOUNT, which does not support it. */
static __always_inline void
ftrace_regs_set_instruction_pointer(struct ftrace_regs *fregs, unsigned long pc)
{
	arch_ftrace_regs(fregs)->pc = pc;
}

static __always_inline unsigned long
ftrace_regs_get_stack_pointer(const struct ftrace_regs *fregs)
{
	return arch_ftrace_regs(fregs)->sp;
}

static __always_inline unsigned long
ftrace_regs_get_frame_pointer(const struct ftrace_regs *fregs)
{
	return arch_ftrace_regs(fregs)->fp;
}

/* Arguments beyond the eighth are on the stack. */
static __always_inline unsigned long
ftrace_regs_get_argument(const struct ftrace_regs *fregs, unsigned int n)
{
	return n < 8 ? arch_ftrace_regs(fregs)->regs[n] : 0;
}

static __always_inline unsigned long
ftrace_regs_get_return_value(const struct ftrace_regs *fregs)
{
	return arch_ftrace_regs(fregs)->regs[0];
}

static __always_inline void
ftrace_regs_set_return_value(struct ftrace_regs *fregs, unsigned long value)
{
	arch_ftrace_regs(fregs)->regs[0] = value;
}

static __always_inline void
ftrace_override_function_with_return(struct ftrace_regs *fregs)
{
	arch_ftrace_regs(fregs)->pc = arch_ftrace_regs(fregs)->lr;
}

/* Only for saved registers: x0 to x8, relative to @regs. */
static __always_inline int ftrace_regs_query_register_offset(const char *name)
{
	if (name[0] != 'x' || name[1] < '0' || name[1] > '8' || name[2])
		return -EINVAL;

	return (name[1] - '0') * sizeof(unsigned long);
}

static __always_inline struct pt_regs *
ftrace_partial_regs(const struct ftrace_regs *fregs, struct pt_regs *regs)
{
	const struct __arch_ftrace_regs *from = arch_ftrace_regs(fregs);

	__builtin_memcpy(regs->regs, from->regs, sizeof(from->regs));
	regs->regs[29] = from->fp;
	regs->regs[30] = from->lr;
	regs->sp = from->sp;
	regs->pc = from->pc;
	return regs;
}

#define arch_ftrace_fill_perf_regs arch_ftrace_fill_perf_regs
static __always_inline void
arch_ftrace_fill_perf_regs(const struct ftrace_regs *fregs, struct pt_regs *regs)
{
	const struct __arch_ftrace_regs *from = arch_ftrace_regs(fregs);

	regs->regs[29] = from->fp;
	regs->sp = from->sp;
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
		return (unsigned long *)arch_ftrace_regs(fregs)->fp + 1;

	return &arch_ftrace_regs(fregs)->lr;
}

/*
 * The frame pointer of the caller, which the unwinder has when it looks up the return address.
 * Two calls from the same frame are never in progress at the same time.
 */
static __always_inline unsigned long
arch_ftrace_return_key(struct ftrace_regs *fregs)
{
	unsigned long fp = arch_ftrace_regs(fregs)->fp;

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

#define arch_ftrace_set_direct_caller(fregs, addr)	\
	(arch_ftrace_regs(fregs)->direct_tramp = (addr))

/* Trampolines are never writable at the address where they are executable. */
static inline void set_ftrace_ops_ro(void) { }

#endif /* !__ASSEMBLY__ */
#endif /* __ASM_FTRACE_H */
