/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The contract between function tracing and an architecture. No other code needs this header. No
 * file in kernel/trace/ names an instruction, a header or an entry symbol of an architecture.
 *
 *
 * Definitions in asm/ftrace.h
 *
 *   MCOUNT_INSN_SIZE		number of bytes from the address of a site that no other user,
 *				like kprobes, may patch
 *   FTRACE_SITE_BEFORE,	number of bytes of a site before its address, and from its
 *   FTRACE_SITE_AFTER		address on; for example a literal before the function and a
 *				call at its start
 *   FTRACE_MCOUNT_MAX_OFFSET	maximum distance in bytes between the symbol of a function and
 *				its site: the length of the longest prologue if the call is
 *				after the prologue. A site farther away belongs to a function
 *				that no longer has a symbol, and is left out.
 *   FTRACE_PATCH_STEPS		number of steps in which a site is changed, see below
 *   FTRACE_LIST_ENTRY,		addresses that a site calls to reach ftrace_ops_list_func(),
 *   FTRACE_LIST_ENTRY_REGS	with the arguments saved or with all registers saved. The same
 *				address twice, if the architecture saves one set of registers.
 *   FTRACE_NO_TRAMPOLINES	defined if the architecture has no ftrace_trampoline_*() below.
 *				Sites call the list function then.
 *
 *   ftrace_call_adjust()	returns the address of a site, given the address that the build
 *				listed. Keeps the order of addresses.
 *   ftrace_site_init()		see ftrace_site_prepare(); called once for each site. Gives it
 *				its initial form if the build did not: a form that calls nothing
 *				and that ftrace_site_encode() can start from, like two NOPs, the
 *				first of which becomes an instruction that saves the return
 *				address. The kernel's own sites are already executed, by this
 *				CPU only and with interrupts disabled; the sites of a module,
 *				whose text may be writable, are not executed. Returns false if
 *				there is no site, which is left out then.
 *
 *   ftrace_calls_mark()	without CONFIG_DYNAMIC_FTRACE, or with CONFIG_FTRACE_DISCOVER:
 *				returns whether MCOUNT_INSN_SIZE bytes of text, given with their
 *				address, are a call site as the compiler and the linker generate
 *				it; if the third argument is true, also where a breakpoint
 *				covers its first byte, and the rest still shows what it was
 *
 * Registers, given a callback's struct ftrace_regs:
 *
 *   arch_ftrace_get_regs()	all registers, or NULL if not all were saved; also defined as a
 *				macro, unless all accessors are the architecture's own
 *   arch_ftrace_partial_regs()	completes the saved registers to a struct pt_regs; optional
 *   arch_ftrace_fill_perf_regs() provides the registers that perf needs to unwind; optional
 *   arch_ftrace_unwind_regs()	registers from which unwinding can begin at the traced function,
 *				or NULL if that would miss the function's caller
 *   arch_ftrace_return_slot()	location of the return address of the traced function while
 *				callbacks run. A callback may replace it there: entry code
 *				and trampolines return to the function in such a way that it
 *				returns to the new address.
 *   arch_ftrace_set_direct_caller() makes FTRACE_LIST_ENTRY_REGS continue with a direct call
 *   ftrace_regs_set_instruction_pointer() makes entry code and trampolines, if they have
 *				FTRACE_TRAMPOLINE_IPMODIFY, continue at another address than in
 *				the function
 *
 * FTRACE_REGS_MAX_ARGS is the number of arguments that ftrace_regs_get_argument() supports, with
 * CONFIG_DYNAMIC_FTRACE_WITH_ARGS: integers and pointers that are passed in registers.
 *
 * For CONFIG_FTRACE_KUNIT_TEST, ftrace_kunit_direct_a() and _b() are direct calls that increment
 * ftrace_kunit_counts[0] and [1]. FTRACE_KUNIT_ARGUMENT is the name of the register of the first
 * argument.
 *
 *
 * Entry code
 *
 * The code that a site calls saves all registers that may hold arguments, calls its callbacks,
 * and continues in the function as if the site had been a NOP: all registers have the values
 * that callbacks left in struct ftrace_regs, and registers that are not in there are preserved.
 * @ip of a callback is the address of the site. @parent_ip is the return address of the traced
 * function as it was before any callback, also for the second callback if the first one has
 * replaced it. Entry code may be executed in any context, NMI included, and where RCU is not
 * watching. It is not traced. ftrace_stub() is a callback that does nothing.
 *
 *
 * Static tracing, with HAVE_STATIC_FTRACE and without CONFIG_DYNAMIC_FTRACE
 *
 * The function that the compiler emits calls to jumps to the static call ftrace_static, or to
 * the function that ftrace_static_target points to where there are no static calls: to
 * ftrace_caller(), which calls the list function, or to a stub that does nothing. No site
 * changes, so the functions below are not needed. Function graph needs what it needs with
 * trampolines: the list function calls its users last.
 *
 *
 * Finding sites, with CONFIG_FTRACE_DISCOVER
 *
 * The build lists no sites. The function that the compiler emits calls to returns at once or,
 * while ftrace_announcing is not 0, calls ftrace_announce() with the address of the site. It
 * does so in any context, and preserves the registers that an entry preserves. Where a site is
 * changed in several steps, ftrace_patch_find() reports MCOUNT_ADDR as the function that it calls.
 *
 *
 * Returns, with CONFIG_FUNCTION_GRAPH_TRACER
 *
 * The return address of a traced function is replaced by the address of return_to_handler(),
 * which the function then returns to. return_to_handler() preserves the return value, calls
 * ftrace_return_to_handler() and jumps to the address that this returns. Unwinding works at that
 * call: the unwinder finds the address of return_to_handler() where the function had its return
 * address, and passes it to ftrace_graph_ret_addr() together with the key.
 *
 *   arch_ftrace_return_key()	the key that distinguishes this call of a function from all
 *				other calls of the task that have not returned: an address on
 *				the stack, like the address of the return address, or of the
 *				caller's frame. A later call on the same stack has a lower key,
 *				except the callee of a tail call, which has the same key.
 *				return_to_handler() and the unwinder find the same key for the
 *				call.
 *   arch_ftrace_return_restore() puts the real return address where the unwinder finds the
 *				address of return_to_handler(). Part of
 *				ftrace_return_to_handler().
 *
 *
 * Probes, with CONFIG_KPROBES_ON_FTRACE and CONFIG_RETHOOK
 *
 * linux/kprobes.h and linux/rethook.h declare these. FTRACE_TRAMPOLINE_REGS saves a whole struct
 * pt_regs, with the values of the first instruction after the site, and applies what callbacks
 * change there, with the instruction pointer.
 *
 *   kprobe_ftrace_handler()	the callback of sites with kprobes. Handlers find the registers as
 *				at a breakpoint on the site.
 *   arch_rethook_prepare()	replaces the return address in the registers of a function's entry
 *				by the address of arch_rethook_trampoline(). The hook gets a key
 *				as for function graph, by which rethook_find_ret_addr() finds the
 *				real address for the unwinder.
 *   arch_rethook_trampoline()	calls rethook_trampoline_handler() with the registers at the return,
 *				and jumps to the address that this returns. Unwinding works at that
 *				call, also after the hook is gone.
 *
 *
 * Stacks, with CONFIG_STACK_TRACER
 *
 *   ftrace_walk_frames()	reports the stack frames of the callers of a traced function,
 *				see below
 *
 *
 * Changing text
 *
 * The patcher takes text_mutex and reads all sites by copy_from_kernel_nofault(). Then, for each
 * batch of sites in ascending order of addresses, it calls ftrace_text_map() for each page; for
 * each step from 0 to FTRACE_PATCH_STEPS - 1, ftrace_text_store() on one CPU and then
 * ftrace_text_sync() on each CPU; and ftrace_text_unmap(). Memory that a CPU writes in a step is
 * visible to the other CPUs before they execute ftrace_text_sync(), and no step begins before
 * all CPUs have done that for the previous step.
 *
 * Other CPUs execute the sites all the time: all CPUs with ftrace_patch=live, NMIs only with
 * ftrace_patch=stop. So after each store that a step makes, and whether or not a CPU has
 * executed ftrace_text_sync() since, a site must behave as before the change or as after it. An
 * architecture whose site is one aligned instruction has one step. An architecture whose site is
 * a literal and an instruction has two steps, and a literal that is valid for the instruction
 * before and after.
 *
 * Where no store can guarantee that, the first step can make the site trap. The handler finds
 * the site by ftrace_patch_find() from the first store on, until all CPUs have executed
 * ftrace_text_sync() after the last step, and emulates the old instruction.
 */
#ifndef _LINUX_FTRACE_ARCH_H
#define _LINUX_FTRACE_ARCH_H

#include <linux/ftrace.h>

#define FTRACE_SITE_SIZE	(FTRACE_SITE_BEFORE + FTRACE_SITE_AFTER)

/**
 * struct ftrace_site - a call site while it is being changed
 * @ip: address of the site; its bytes begin FTRACE_SITE_BEFORE before that
 * @from: address that the site calls before the change, 0 if it calls nothing
 * @where: writable location of the first byte: an offset in the pages that ftrace_text_map() was
 *	called for, in the order of their slots
 * @old: bytes of the site before the change
 * @insn: bytes to write
 */
struct ftrace_site {
	unsigned long	ip;
	unsigned long	from;
	u32		where;
	u8		old[FTRACE_SITE_SIZE];
	u8		insn[FTRACE_SITE_SIZE];
};

/**
 * ftrace_site_encode - generate the bytes of a call site
 * @insn: buffer of FTRACE_SITE_SIZE bytes for the result
 * @ip: address of the site
 * @target: address to call, 0 to call nothing. An entry of the list function, a trampoline, or
 *	the code of a direct call, anywhere in the kernel's or a module's text.
 *
 * The bytes must depend on @ip and @target only: the patcher also encodes the current call of a
 * site, and compares the result with the text.
 *
 * If @target is out of reach, the site can call it through a veneer or a literal. If it is a
 * trampoline, the site can call FTRACE_LIST_ENTRY_REGS instead, which calls the same callbacks.
 *
 * Context: ftrace_lock held, or before other tasks can see the site
 *
 * Return: 0, or -ERANGE if the site cannot call @target. The change is refused then.
 */
int ftrace_site_encode(u8 *insn, unsigned long ip, unsigned long target);

/**
 * ftrace_text_map - make a page of text writable
 * @slot: number of the page: 0 for the first, 1 for the next ...
 * @page: page of the kernel's or a module's text
 *
 * Only ftrace_text_store() writes to it. Other CPUs, and other code on this CPU, should not even
 * be able to, as far as the architecture can prevent it.
 *
 * Context: text_mutex held
 *
 * Return: true if there was space for the mapping. There is space for at least two pages.
 */
bool ftrace_text_map(unsigned int slot, struct page *page);

/**
 * ftrace_text_store - perform one step of changing call sites
 * @step: 0 to FTRACE_PATCH_STEPS - 1
 * @site: sites whose pages were mapped by ftrace_text_map()
 * @nr: number of sites
 *
 * Includes the cache maintenance that other CPUs need to fetch the new instructions once they
 * have executed ftrace_text_sync().
 *
 * Context: any CPU, with interrupts enabled or disabled, while the holder of text_mutex waits
 * for it; does not sleep
 */
void ftrace_text_store(int step, const struct ftrace_site *site, unsigned int nr);

/**
 * ftrace_text_unmap - undo ftrace_text_map()
 * @nr: number of slots in use
 *
 * Context: text_mutex held
 */
void ftrace_text_unmap(unsigned int nr);

/**
 * ftrace_text_sync - discard the instructions that this CPU has already fetched
 *
 * Context: any
 */
void ftrace_text_sync(void);

/**
 * struct ftrace_call - a callback as a trampoline calls it
 * @func: the function to call
 * @ops: its third argument
 */
struct ftrace_call {
	ftrace_func_t		func;
	struct ftrace_ops	*ops;
};

/* Duties of the trampoline of a set besides calling the callbacks. */
#define FTRACE_TRAMPOLINE_REGS		0x1	/* save all registers */
#define FTRACE_TRAMPOLINE_IPMODIFY	0x2	/* honor a changed instruction pointer */
/*
 * Less is needed: there is one callback. It ignores parent_ip, and of its registers it uses the
 * arguments, the instruction, stack and frame pointers, and the arch_ftrace_return_*() functions.
 */
#define FTRACE_TRAMPOLINE_BRIEF		0x4

/**
 * struct ftrace_trampoline - the layout of a trampoline
 * @enter: offset of the code that saves registers
 * @leave: offset of the code that restores them
 * @size: total size in bytes, 0 if there is no trampoline
 * @flags: FTRACE_TRAMPOLINE_*
 */
struct ftrace_trampoline {
	u16	enter;
	u16	leave;
	u16	size;
	u16	flags;
};

#ifndef FTRACE_NO_TRAMPOLINES
/**
 * ftrace_trampoline_size - the maximum size that ftrace_trampoline_encode() writes
 * @nr: number of callbacks
 * @flags: FTRACE_TRAMPOLINE_*
 *
 * Return: size in bytes, including data that the code refers to
 */
size_t ftrace_trampoline_size(unsigned int nr, unsigned int flags);

/**
 * ftrace_trampoline_encode - generate the code of a trampoline for a set of callbacks
 * @code: buffer of ftrace_trampoline_size() bytes for the result
 * @addr: address at which the code will be executed: aligned to 64 bytes, in memory of
 *	EXECMEM_FTRACE
 * @call: the callbacks, in the order to call them
 * @nr: number of callbacks
 * @flags: FTRACE_TRAMPOLINE_*
 * @direct: direct call to continue with after the callbacks, as if the site had called it; 0 to
 *	continue in the function
 *
 * The stack pointer must not change from the first callback to the last, so that
 * ftrace_trampoline_twin() is valid for all of them.
 *
 * Context: ftrace_lock held
 *
 * Return: the layout, for ftrace_trampoline_twin(); its size is 0 if the trampoline cannot reach
 * one of the callbacks or @direct. The list function is called then.
 */
struct ftrace_trampoline
ftrace_trampoline_encode(u8 *code, unsigned long addr,
			 const struct ftrace_call *call, unsigned int nr,
			 unsigned int flags, unsigned long direct);

/**
 * ftrace_trampoline_write - write code to the memory of trampolines
 * @addr: destination, mapped read-only and executable
 * @code: code that ftrace_trampoline_encode() generated for @addr
 * @size: size of the code in bytes
 *
 * All CPUs execute the new code from now on, even if they have fetched the previous
 * instructions. With one step for changing sites, this takes a synchronization of all CPUs; with
 * more steps, all CPUs have executed ftrace_text_sync() before a site calls the trampoline.
 *
 * Context: may sleep; takes text_mutex; no CPU executes anything there
 */
void ftrace_trampoline_write(void *addr, const void *code, size_t size);

/**
 * ftrace_trampoline_erase - fill memory of trampolines with code that must not be executed
 * @addr: the memory, mapped read-only and executable, or not executable yet
 * @size: size in bytes
 *
 * Context: may sleep; takes text_mutex; no CPU executes anything there
 */
void ftrace_trampoline_erase(void *addr, size_t size);

/**
 * ftrace_trampoline_twin - find kernel text with the same stack layout as a trampoline
 * @tramp: layout that ftrace_trampoline_encode() returned
 * @offset: position in the trampoline, in bytes from its start
 *
 * For an unwinder that needs the address of code.
 *
 * Context: any, NMI included, whether or not RCU is watching
 *
 * Return: an address in the kernel's own text that the unwinder can use in place of the
 * position, or 0 if there is no such address
 */
unsigned long ftrace_trampoline_twin(const struct ftrace_trampoline *tramp,
				     unsigned int offset);
#else
static inline size_t ftrace_trampoline_size(unsigned int nr, unsigned int flags)
{
	return 0;
}

static inline struct ftrace_trampoline
ftrace_trampoline_encode(u8 *code, unsigned long addr,
			 const struct ftrace_call *call, unsigned int nr,
			 unsigned int flags, unsigned long direct)
{
	return (struct ftrace_trampoline) { };
}

static inline void ftrace_trampoline_write(void *addr, const void *code, size_t size) { }
static inline void ftrace_trampoline_erase(void *addr, size_t size) { }

static inline unsigned long
ftrace_trampoline_twin(const struct ftrace_trampoline *tramp, unsigned int offset)
{
	return 0;
}
#endif

/**
 * ftrace_walk_frames - find the stack frames of the callers of a traced function
 * @fregs: registers that were passed to the callback
 * @parent_ip: parent address that was passed to the callback
 * @frame: called for each caller, innermost first, with @data, an address in the caller and the
 *	address of the lowest byte of its frame; returns false to end the walk
 * @data: argument for @frame
 *
 * Finds callers only on the stack that the function runs on.
 *
 * Context: preemption disabled, RCU is watching; not in an NMI
 */
void ftrace_walk_frames(struct ftrace_regs *fregs, unsigned long parent_ip,
			bool (*frame)(void *data, unsigned long addr, unsigned long sp),
			void *data);

/* Provided by kernel/trace/, for the architecture. */
const struct ftrace_site *ftrace_patch_find(unsigned long ip);
unsigned long ftrace_return_to_handler(unsigned long key, unsigned long retval);

#endif /* _LINUX_FTRACE_ARCH_H */
