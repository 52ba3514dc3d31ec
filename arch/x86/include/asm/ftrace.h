/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Function tracing on x86_64: what the architecture supplies.
 *
 * This comment is the contract for every architecture. Constants and accessors of
 * registers are in asm/ftrace.h, prototypes of the functions in linux/ftrace_arch.h,
 * the functions in the architecture's kernel/ftrace.c. Nothing in kernel/trace/
 * names an instruction, a header or an entry symbol of an architecture.
 *
 * Call sites. A site is the FTRACE_SITE_BEFORE bytes before its address and the
 * FTRACE_SITE_AFTER bytes from there on, with for example a literal before the
 * function and a call at its start.
 *
 *   MCOUNT_INSN_SIZE		bytes from the address on that nobody else may patch
 *   FTRACE_MCOUNT_MAX_OFFSET	most bytes between a symbol and its site; a site further
 *				off belongs to a function that has no symbol any more. As
 *				long as the longest prologue where the call comes after it.
 *   ftrace_call_adjust()	the address of a site, from what the build listed
 *   ftrace_site_init()		called once for each site before anybody can execute it;
 *				gives it the form that calls nothing where the build did not.
 *				False if there is no site.
 *   ftrace_site_encode()	the bytes of a site at @ip that calls @target, or nothing if
 *				@target is 0. May answer a target out of reach with a branch
 *				to a veneer or with a literal. Returns -ERANGE if it cannot.
 *
 * Reading a site that may not be mapped is copy_from_kernel_nofault(), everywhere.
 *
 * Changing text. The patcher takes text_mutex, looks at all sites, and then for each
 * batch of sites, in ascending order of their addresses, calls
 *
 *   ftrace_text_map()		make text writable for this purpose and for nobody else;
 *				returns for how many sites, at least one. Must not fail.
 *   ftrace_text_store()	step 0 to FTRACE_PATCH_STEPS - 1 of changing these sites,
 *				called on any CPU, interrupts enabled or not. Knows where
 *				each site is executed, for maintenance of caches.
 *   ftrace_text_sync()		on each CPU after each step, before the next step begins:
 *				makes that CPU execute the text as it is now
 *   ftrace_text_unmap()	the end of the batch
 *
 * A site must be executable between two steps. An architecture that changes a site
 * by one aligned store has one step. On x86 a site is five bytes anywhere in the text
 * and may straddle a cache line, so no single store changes it. There are three
 * steps: a breakpoint over the first byte; the new tail; the new first byte. A CPU, or
 * an NMI on a CPU, that executes the site meanwhile takes the breakpoint, and
 * ftrace_int3_handler() does what the old instruction would have done. It finds the
 * site by ftrace_patch_find(), which kernel/trace/ supplies.
 *
 * Entries. A site calls FTRACE_LIST_ENTRY or FTRACE_LIST_ENTRY_REGS, which save the
 * arguments or all registers and call ftrace_ops_list_func(), or a trampoline that was
 * made for a set of callbacks. @ip of a callback is the address of the site;
 * @parent_ip is the return address of the traced function, which is at 8(%rsp) when
 * an x86 trampoline starts.
 *
 *   ftrace_trampoline_size()	bytes that a trampoline may take, 0 where the architecture
 *				has none
 *   ftrace_trampoline_encode()	its code; @direct is a direct call to continue with
 *   ftrace_trampoline_write()	puts code into memory that is mapped read-only and
 *				executable; nobody executes it yet
 *   ftrace_trampoline_erase()	fills such memory with what must not be executed
 *   ftrace_trampoline_twin()	for the unwinder: the address in the kernel's own text
 *				where the stack looks as it does at a place in a trampoline
 *
 * Registers, given a callback's struct ftrace_regs.
 *
 *   arch_ftrace_get_regs()	all registers, or NULL where they were not all saved
 *   arch_ftrace_partial_regs()	completes what was saved to a struct pt_regs, optional
 *   arch_ftrace_fill_perf_regs() what perf needs to unwind, optional
 *   arch_ftrace_unwind_regs()	where unwinding can begin at the traced function, or NULL
 *				where that would miss its caller
 *   arch_ftrace_return_slot()	where the return address of the traced function is, to
 *				read it or to replace it
 *   arch_ftrace_set_direct_caller() continue with a direct call, from the list function
 *   ftrace_regs_set_instruction_pointer() continue elsewhere than in the function
 *
 * Returns, with CONFIG_FUNCTION_GRAPH_TRACER. The return address of a traced function
 * is replaced by that of return_to_handler(), which a function then returns to: it
 * preserves the return value, calls ftrace_return_to_handler() and goes to the address
 * that this returns. Unwinding works from its second instruction on: it finds the
 * address of return_to_handler() where the function had its return address, and
 * passes both to ftrace_graph_ret_addr().
 *
 *   arch_ftrace_return_key()	what tells this call of a function from all others of the
 *				task that have not returned: the address on the stack at
 *				which its return address is, or would be. A later call in the
 *				same stack has a lower key. return_to_handler() and the
 *				unwinder find the same key for the call.
 *   arch_ftrace_return_restore() if there is a return address at the key, put the real one
 *				back
 *
 * For CONFIG_FTRACE_KUNIT_TEST, ftrace_kunit_direct_a() and _b() are direct calls that
 * increment ftrace_kunit_counts[0] and [1].
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
