/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The contract between function tracing and an architecture. Nobody else needs this
 * header. Nothing in kernel/trace/ names an instruction, a header or an entry symbol
 * of an architecture.
 *
 *
 * What asm/ftrace.h defines
 *
 *   MCOUNT_INSN_SIZE		bytes from the address of a site on that nobody else, like
 *				kprobes, may patch
 *   FTRACE_SITE_BEFORE,	a site consists of that many bytes before its address, and
 *   FTRACE_SITE_AFTER		from there on; for example of a literal before the function
 *				and a call at its start
 *   FTRACE_MCOUNT_MAX_OFFSET	most bytes between the symbol of a function and its site. As
 *				long as the longest prologue where the call comes after the
 *				prologue. A site further off is that of a function that has no
 *				symbol any more, and is left out.
 *   FTRACE_PATCH_STEPS		number of steps in which a site is changed, see below
 *   FTRACE_LIST_ENTRY,		what a site calls to get to ftrace_ops_list_func(), with the
 *   FTRACE_LIST_ENTRY_REGS	arguments saved or with all registers saved. The same address
 *				twice, where the architecture saves one set of registers.
 *   FTRACE_NO_TRAMPOLINES	defined if there are none of ftrace_trampoline_*() below. Sites
 *				call the list function then.
 *
 *   ftrace_call_adjust()	the address of a site, from what the build listed. Keeps the
 *				order of addresses.
 *   ftrace_site_init()		see ftrace_site_prepare(); called once for each site. Where the
 *				build did not, gives it its initial form: one that calls nothing
 *				and that ftrace_site_encode() can start from, like two NOPs of
 *				which the first becomes an instruction that saves the return
 *				address. The kernel's own sites are executed already, by this CPU
 *				and no other and with interrupts disabled; nobody executes those of
 *				a module, whose text may be writable. Returns false if there is no
 *				site, which is left out then.
 *
 *   ftrace_calls_mark()	without CONFIG_DYNAMIC_FTRACE, or with CONFIG_FTRACE_DISCOVER: given
 *				MCOUNT_INSN_SIZE bytes of text and their address, whether they are
 *				a call site as the compiler made it
 *
 * Registers, given a callback's struct ftrace_regs:
 *
 *   arch_ftrace_get_regs()	all registers, or NULL where not all were saved; defined as a macro,
 *				too, unless all accessors are the architecture's own
 *   arch_ftrace_partial_regs()	completes what was saved to a struct pt_regs; optional
 *   arch_ftrace_fill_perf_regs() what perf needs to unwind; optional
 *   arch_ftrace_unwind_regs()	where unwinding can begin at the traced function, or NULL
 *				where that would miss the function's caller
 *   arch_ftrace_return_slot()	where the return address of the traced function is kept
 *				while callbacks run. A callback may replace it there: entry code
 *				and trampolines return to the function in such a way that it
 *				returns to the new address.
 *   arch_ftrace_set_direct_caller() makes FTRACE_LIST_ENTRY_REGS continue with a direct call
 *   ftrace_regs_set_instruction_pointer() makes entry code and trampolines, if they have
 *				FTRACE_TRAMPOLINE_IPMODIFY, continue elsewhere than in the function
 *
 * FTRACE_REGS_MAX_ARGS is how many arguments ftrace_regs_get_argument() knows, if there is
 * CONFIG_DYNAMIC_FTRACE_WITH_ARGS: integers and pointers that are passed in registers.
 *
 * For CONFIG_FTRACE_KUNIT_TEST, ftrace_kunit_direct_a() and _b() are direct calls that
 * increment ftrace_kunit_counts[0] and [1]. FTRACE_KUNIT_ARGUMENT is the name of the
 * register of the first argument.
 *
 *
 * Entry code
 *
 * What a site calls saves all registers that may hold arguments, calls its callbacks,
 * and continues in the function as if the site had been a NOP: all registers have the
 * values that callbacks left in struct ftrace_regs, those that are not in there are
 * preserved. @ip of a callback is the address of the site. @parent_ip is the return
 * address of the traced function as it was before any callback, also for the second
 * callback if the first one has replaced it. Entry code may be executed in any context,
 * NMI included, and where RCU is not watching. It is not traced. ftrace_stub() is a callback
 * that does nothing.
 *
 *
 * Static tracing, with HAVE_STATIC_FTRACE and without CONFIG_DYNAMIC_FTRACE
 *
 * What the compiler emits calls of goes on to the static call ftrace_static, or to where
 * ftrace_static_target points where there are no static calls: to ftrace_caller(), which
 * calls the list function, or to nothing. No site changes, so that none of the functions
 * below are needed.
 *
 *
 * Finding sites, with CONFIG_FTRACE_DISCOVER
 *
 * The build lists no sites. What the compiler emits calls of returns at once, or calls
 * ftrace_announce() with the address of the site while ftrace_announcing is not 0, in any
 * context, and preserves all registers. ftrace_site_encode() makes the same call of MCOUNT_ADDR as
 * the compiler.
 *
 *
 * Returns, with CONFIG_FUNCTION_GRAPH_TRACER
 *
 * The return address of a traced function is replaced by that of return_to_handler(),
 * which the function then returns to. It preserves the return value, calls
 * ftrace_return_to_handler() and goes to the address that this returns. Unwinding works
 * where it calls that: the unwinder finds the address of return_to_handler() where the
 * function had its return address, and passes it to ftrace_graph_ret_addr() together with
 * the key.
 *
 *   arch_ftrace_return_key()	what tells this call of a function from all others of the
 *				task that have not returned: an address on the stack, like
 *				that of the return address, or of the caller's frame. A later
 *				call in the same stack has a lower key, but for the callee of
 *				a tail call, which has the same. return_to_handler() and the
 *				unwinder find the same key for the call.
 *   arch_ftrace_return_restore() puts the real return address where the unwinder finds that
 *				of return_to_handler(). Part of ftrace_return_to_handler().
 *
 *
 * Stacks, with CONFIG_STACK_TRACER
 *
 *   ftrace_walk_frames()	tells where on the stack the callers of a traced function have
 *				their frames, see below
 *
 *
 * Changing text
 *
 * The patcher takes text_mutex and reads all sites by copy_from_kernel_nofault(). Then,
 * for each batch of sites in ascending order of addresses, it calls ftrace_text_map() for
 * each page; for each step from 0 to FTRACE_PATCH_STEPS - 1, ftrace_text_store() on one CPU and
 * then ftrace_text_sync() on each CPU; and ftrace_text_unmap(). Memory that a CPU writes
 * in a step is visible to the others before they execute ftrace_text_sync(), and no
 * step begins before all CPUs have done that for the last one.
 *
 * Other CPUs execute the sites all the time: all of them with ftrace_patch=live, NMIs
 * with ftrace_patch=stop. So after each store that a step makes, and whether or not a
 * CPU has executed ftrace_text_sync() since, a site must do what it did before the
 * change or what it does after it. An architecture whose site is one aligned instruction
 * has one step. One with a literal and an instruction has two, and a literal that is
 * right for the instruction before and after.
 *
 * Where no store does that, the first step can be one that makes the site trap. The
 * handler finds the site by ftrace_patch_find() from the first store on, until all
 * CPUs have executed ftrace_text_sync() after the last step, and does what the old
 * instruction would have done.
 */
#ifndef _LINUX_FTRACE_ARCH_H
#define _LINUX_FTRACE_ARCH_H

#include <linux/ftrace.h>

#define FTRACE_SITE_SIZE	(FTRACE_SITE_BEFORE + FTRACE_SITE_AFTER)

/**
 * struct ftrace_site - a call site while it is being changed
 * @ip: its address; the bytes of the site begin FTRACE_SITE_BEFORE before that
 * @from: the address that it calls so far, 0 for none
 * @where: where its first byte is writable: an offset in the pages that
 *	ftrace_text_map() was called for, in the order of their slots
 * @old: the bytes of the site so far
 * @insn: the bytes to write
 */
struct ftrace_site {
	unsigned long	ip;
	unsigned long	from;
	u32		where;
	u8		old[FTRACE_SITE_SIZE];
	u8		insn[FTRACE_SITE_SIZE];
};

/**
 * ftrace_site_encode - the bytes of a call site
 * @insn: where to put FTRACE_SITE_SIZE bytes
 * @ip: address of the site
 * @target: the address that it calls, 0 to call nothing. An entry of the list function,
 *	a trampoline, or the code of a direct call, anywhere in the kernel's or a
 *	module's text.
 *
 * The bytes must follow from @ip and @target alone: the patcher encodes what a site
 * calls already, too, and compares that with what is there.
 *
 * If @target is out of reach, the site can call it through a veneer or a literal. If it
 * is a trampoline, the site can call FTRACE_LIST_ENTRY_REGS instead, which calls the
 * same callbacks.
 *
 * Context: ftrace_lock held, or before others can see the site
 *
 * Return: 0, or -ERANGE if the site cannot call @target. The change is refused then.
 */
int ftrace_site_encode(u8 *insn, unsigned long ip, unsigned long target);

/**
 * ftrace_text_map - make a page of text writable
 * @slot: number of the page: 0 for the first, 1 for the next ...
 * @page: the page, of the kernel's or a module's text
 *
 * Nobody but ftrace_text_store() writes to it. Other CPUs, and other code on this one,
 * should not even be able to, as far as the architecture can keep them from it.
 *
 * Context: text_mutex held
 *
 * Return: whether there is room for it. There is room for two pages at least.
 */
bool ftrace_text_map(unsigned int slot, struct page *page);

/**
 * ftrace_text_store - one step of changing call sites
 * @step: 0 to FTRACE_PATCH_STEPS - 1
 * @site: the sites, whose pages were mapped by ftrace_text_map()
 * @nr: their number
 *
 * Includes what caches need so that other CPUs fetch the new instructions once they
 * have executed ftrace_text_sync().
 *
 * Context: any CPU, with interrupts enabled or disabled, while the holder of text_mutex
 * waits for it; does not sleep
 */
void ftrace_text_store(int step, const struct ftrace_site *site, unsigned int nr);

/**
 * ftrace_text_unmap - undo ftrace_text_map()
 * @nr: number of slots that are in use
 *
 * Context: text_mutex held
 */
void ftrace_text_unmap(unsigned int nr);

/**
 * ftrace_text_sync - make this CPU forget the instructions that it has already fetched
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

/* What the trampoline of a set must do besides calling the callbacks. */
#define FTRACE_TRAMPOLINE_REGS		0x1	/* save all registers */
#define FTRACE_TRAMPOLINE_IPMODIFY	0x2	/* honour a changed instruction pointer */

/**
 * struct ftrace_trampoline - the layout of a trampoline
 * @enter: offset of the code that saves registers
 * @leave: offset of the code that restores them
 * @size: bytes in all, 0 if there is no trampoline
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
 * ftrace_trampoline_size - the most bytes that ftrace_trampoline_encode() writes
 * @nr: number of callbacks
 * @flags: FTRACE_TRAMPOLINE_*
 *
 * Return: a number of bytes, including data that the code refers to
 */
size_t ftrace_trampoline_size(unsigned int nr, unsigned int flags);

/**
 * ftrace_trampoline_encode - the code of a trampoline for a set of callbacks
 * @code: where to put it, with room for ftrace_trampoline_size() bytes
 * @addr: where it will be executed: aligned to 64 bytes, in memory of EXECMEM_FTRACE
 * @call: the callbacks, in the order in which to call them
 * @nr: their number
 * @flags: FTRACE_TRAMPOLINE_*
 * @direct: a direct call to continue with after the callbacks, as if the site had
 *	called it; 0 to continue in the function
 *
 * The stack must not change from the first callback to the last, so that
 * ftrace_trampoline_twin() can answer for them.
 *
 * Context: ftrace_lock held
 *
 * Return: the layout, for ftrace_trampoline_twin(); of size 0 if the trampoline cannot
 * reach one of the callbacks or @direct. The list function is called then.
 */
struct ftrace_trampoline
ftrace_trampoline_encode(u8 *code, unsigned long addr,
			 const struct ftrace_call *call, unsigned int nr,
			 unsigned int flags, unsigned long direct);

/**
 * ftrace_trampoline_write - put code into memory of trampolines
 * @addr: where to, mapped read-only and executable
 * @code: of ftrace_trampoline_encode(), for @addr
 * @size: its bytes
 *
 * All CPUs execute the new code from now on, even if they have fetched instructions
 * that were there before. With one step for changing sites, this takes a synchronization
 * of all CPUs; where there are more, all have executed ftrace_text_sync() before a site
 * calls the trampoline.
 *
 * Context: may sleep; takes text_mutex; nobody executes anything there
 */
void ftrace_trampoline_write(void *addr, const void *code, size_t size);

/**
 * ftrace_trampoline_erase - fill memory of trampolines with what must not be executed
 * @addr: the memory, mapped read-only and executable, or not executable yet
 * @size: its bytes
 *
 * Context: may sleep; takes text_mutex; nobody executes anything there
 */
void ftrace_trampoline_erase(void *addr, size_t size);

/**
 * ftrace_trampoline_twin - where the stack looks as it does in a trampoline
 * @tramp: what ftrace_trampoline_encode() returned
 * @offset: a place in the trampoline, in bytes from its start
 *
 * For an unwinder that goes by the address of code.
 *
 * Context: any, NMI included, whether or not RCU is watching
 *
 * Return: an address in the kernel's own text that the unwinder can take for the
 * place, or 0 if there is none
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
 * ftrace_walk_frames - find the frames of the callers of a traced function
 * @fregs: what its callback was called with
 * @parent_ip: likewise
 * @frame: called for each caller, innermost first, with @data, an address in the caller
 *	and that of the lowest byte of its frame; returns false to end the walk
 * @data: for @frame
 *
 * Callers are found as far as the stack goes that the function runs on.
 *
 * Context: preemption disabled, RCU is watching; not in an NMI
 */
void ftrace_walk_frames(struct ftrace_regs *fregs, unsigned long parent_ip,
			bool (*frame)(void *data, unsigned long addr, unsigned long sp),
			void *data);

/* By kernel/trace/, for the architecture. */
const struct ftrace_site *ftrace_patch_find(unsigned long ip);
unsigned long ftrace_return_to_handler(unsigned long key, unsigned long retval);

#endif /* _LINUX_FTRACE_ARCH_H */
