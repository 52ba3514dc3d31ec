// SPDX-License-Identifier: GPL-2.0
/*
 * Function tracing on arm64: call sites and trampolines. The first comment of
 * linux/ftrace_arch.h tells what each function here is for.
 */
#include <linux/cacheflush.h>
#include <linux/ftrace_arch.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/sizes.h>
#include <linux/string.h>
#include <linux/unaligned.h>
#include <linux/vmalloc.h>

#include <asm/barrier.h>
#include <asm/debug-monitors.h>
#include <asm/fixmap.h>
#include <asm/insn.h>
#include <asm/patching.h>
#include <asm/sections.h>

static_assert(FTRACE_SITE_SIZE == AARCH64_INSN_SIZE);

/* What a BL at @ip can branch to. */
static bool is_in_reach(unsigned long ip, unsigned long target)
{
	long distance = target - ip;

	return distance >= -SZ_128M && distance < SZ_128M;
}

/* A module that may be out of reach of the kernel has a branch to the list function. */
static unsigned long veneer_of(unsigned long ip)
{
#ifdef CONFIG_MODULES
	struct module *mod;

	guard(preempt)();

	mod = __module_text_address(ip);
	if (mod)
		return (unsigned long)(within_module_init(ip, mod) ?
				       mod->arch.init_ftrace_trampolines :
				       mod->arch.ftrace_trampolines);
#endif
	return 0;
}

/*
 * The list function finds the users of any site, so that it can take the place of a
 * trampoline or of a direct call that is out of reach.
 */
static unsigned long reachable(unsigned long ip, unsigned long target)
{
	if (is_in_reach(ip, target))
		return target;
	if (is_in_reach(ip, FTRACE_LIST_ENTRY))
		return FTRACE_LIST_ENTRY;

	return veneer_of(ip);
}

/**
 * ftrace_site_encode - the bytes of a call site
 * @insn: where to put FTRACE_SITE_SIZE bytes
 * @ip: address of the site
 * @target: the address that it calls, 0 for a NOP
 *
 * Return: 0, or -ERANGE if @ip is in no text that can have a site
 */
int ftrace_site_encode(u8 *insn, unsigned long ip, unsigned long target)
{
	u32 code = aarch64_insn_gen_nop();

	if (target) {
		target = reachable(ip, target);
		if (!target)
			return -ERANGE;
		code = aarch64_insn_gen_branch_imm(ip, target, AARCH64_INSN_BRANCH_LINK);
	}
	put_unaligned_le32(code, insn);
	return 0;
}

#ifdef CONFIG_ARM64_FTRACE_PATCHABLE
#define MOV_X9_X30	0xaa1e03e9

/**
 * ftrace_call_adjust - the address of a site, from what the build listed
 * @addr: the first of two instructions, or BTI before them
 */
unsigned long ftrace_call_adjust(unsigned long addr)
{
	u32 insn;

	if (!aarch64_insn_read((void *)addr, &insn) && aarch64_insn_is_bti(insn))
		addr += AARCH64_INSN_SIZE;

	return addr + AARCH64_INSN_SIZE;
}

/**
 * ftrace_site_init - put MOV before the site
 * @ip: address of the site
 *
 * Context: before anybody can execute the function, or on the only CPU
 *
 * Return: whether there is room for it
 */
bool ftrace_site_init(unsigned long ip)
{
	void *before = (void *)(ip - AARCH64_INSN_SIZE);
	u32 insn;

	if (aarch64_insn_read(before, &insn))
		return false;
	if (insn == aarch64_insn_gen_nop())
		return !aarch64_insn_patch_text_nosync(before, MOV_X9_X30);

	return insn == MOV_X9_X30;
}
#else
/**
 * ftrace_call_adjust - the address of a site, from what the build listed
 * @addr: the same
 */
unsigned long ftrace_call_adjust(unsigned long addr)
{
	return addr;
}

/**
 * ftrace_site_init - nothing: the sites are NOPs since they were built
 * @ip: address of the site
 *
 * Return: true
 */
bool ftrace_site_init(unsigned long ip)
{
	return true;
}
#endif

static phys_addr_t text_phys(unsigned long ip)
{
	if (ip >= (unsigned long)_text && ip < (unsigned long)_end)
		return __pa_symbol(ip);

	return page_to_phys(vmalloc_to_page((void *)ip));
}

/* Pages of the window that are in use. Under text_mutex. */
static unsigned int mapped;

/* The fixmap grows downwards. */
static void *window(unsigned int offset)
{
	return (void *)(__fix_to_virt(FIX_TEXT_WINDOW - offset / PAGE_SIZE) +
			offset_in_page(offset));
}

/**
 * ftrace_text_map - make the text of call sites writable
 * @site: the sites, in ascending order of their addresses; sets their @where to the
 *	offset in the window
 * @nr: their number, at least 1
 *
 * Context: text_mutex held; the text of all sites is there
 *
 * Return: for how many of the sites there is room
 */
unsigned int ftrace_text_map(struct ftrace_site *site, unsigned int nr)
{
	unsigned long last = 0;
	unsigned int i;

	mapped = 0;
	for (i = 0; i < nr; i++) {
		unsigned long page = PAGE_ALIGN_DOWN(site[i].ip);

		if (page != last) {
			if (mapped == FIX_TEXT_WINDOW_PAGES)
				break;
			set_fixmap(FIX_TEXT_WINDOW - mapped++, text_phys(page));
		}
		site[i].where = (mapped - 1) * PAGE_SIZE + offset_in_page(site[i].ip);
		last = page;
	}
	return i;
}

/**
 * ftrace_text_unmap - undo ftrace_text_map()
 *
 * Context: text_mutex held
 */
void ftrace_text_unmap(void)
{
	while (mapped)
		clear_fixmap(FIX_TEXT_WINDOW - --mapped);
}

/**
 * ftrace_text_store - change call sites
 * @step: 0, there is only one
 * @site: the sites, mapped by ftrace_text_map()
 * @nr: their number
 *
 * Context: any CPU, while the holder of text_mutex waits for it
 */
void __no_sanitize_address ftrace_text_store(int step, const struct ftrace_site *site,
					     unsigned int nr)
{
	unsigned int i, first = 0;

	for (i = 0; i < nr; i++)
		WRITE_ONCE(*(u32 *)window(site[i].where), get_unaligned((u32 *)site[i].insn));

	/* Caches know the text by the address at which it is executed, page by page. */
	for (i = 1; i <= nr; i++) {
		if (i < nr && site[i].where / PAGE_SIZE == site[first].where / PAGE_SIZE)
			continue;
		caches_clean_inval_pou(site[first].ip, site[i - 1].ip + AARCH64_INSN_SIZE);
		first = i;
	}
}

/**
 * ftrace_text_sync - make this CPU forget the text that it has already fetched
 *
 * Context: any
 */
void ftrace_text_sync(void)
{
	isb();
}

/**
 * struct emitter - a trampoline that is being written: code, followed by literals
 * @code: where to put it
 * @addr: where it will be executed
 * @at: offset of the next instruction
 * @pool: offset of the literals; 0 to find out how much code comes before them
 * @end: offset behind the last literal
 */
struct emitter {
	u8		*code;
	unsigned long	addr;
	unsigned int	at;
	unsigned int	pool;
	unsigned int	end;
};

static void emit(struct emitter *e, u32 insn)
{
	put_unaligned_le32(insn, e->code + e->at);
	e->at += AARCH64_INSN_SIZE;
}

static void emit_copy(struct emitter *e, const u8 *from, const u8 *to)
{
	memcpy(e->code + e->at, from, to - from);
	e->at += to - from;
}

/* Load a value that is among the literals. */
static void emit_load(struct emitter *e, enum aarch64_insn_register reg, unsigned long value)
{
	emit(e, aarch64_insn_gen_load_literal(e->addr + e->at, e->addr + e->end, reg, true));
	if (e->pool)
		put_unaligned(value, (unsigned long *)(e->code + e->end));
	e->end += sizeof(value);
}

/* Branch to any address. No function expects anything of x16. */
static void emit_branch(struct emitter *e, unsigned long target, bool call)
{
	unsigned long ip = e->addr + e->at;

	if (is_in_reach(ip, target)) {
		emit(e, aarch64_insn_gen_branch_imm(ip, target, call ?
						    AARCH64_INSN_BRANCH_LINK :
						    AARCH64_INSN_BRANCH_NOLINK));
		return;
	}
	emit_load(e, AARCH64_INSN_REG_16, target);
	emit(e, aarch64_insn_gen_branch_reg(AARCH64_INSN_REG_16, call ?
					    AARCH64_INSN_BRANCH_LINK :
					    AARCH64_INSN_BRANCH_NOLINK));
}

/**
 * ftrace_trampoline_size - the most bytes that ftrace_trampoline_encode() writes
 * @nr: number of callbacks
 * @flags: FTRACE_TRAMPOLINE_*
 */
size_t ftrace_trampoline_size(unsigned int nr, unsigned int flags)
{
	size_t callback = (ftrace_reload_args_end - ftrace_reload_args) +
			  3 * AARCH64_INSN_SIZE + 2 * sizeof(u64);

	return (ftrace_caller_call - ftrace_caller_enter) + nr * callback +
	       (ftrace_caller_return - ftrace_caller_leave) +
	       max(ftrace_caller_end - ftrace_caller_return,
		   ftrace_caller_direct_end - ftrace_caller_direct +
		   2 * AARCH64_INSN_SIZE + (long)sizeof(u64)) + sizeof(u64);
}

static void emit_all(struct emitter *e, struct ftrace_trampoline *tramp,
		     const struct ftrace_call *call, unsigned int nr, unsigned long direct)
{
	unsigned int i;

	emit_copy(e, ftrace_caller_enter, ftrace_caller_call);
	for (i = 0; i < nr; i++) {
		if (i)
			emit_copy(e, ftrace_reload_args, ftrace_reload_args_end);
		emit_load(e, AARCH64_INSN_REG_2, (unsigned long)call[i].ops);
		emit_branch(e, (unsigned long)call[i].func, true);
	}

	tramp->leave = e->at;
	emit_copy(e, ftrace_caller_leave, ftrace_caller_return);
	if (direct) {
		emit_copy(e, ftrace_caller_direct, ftrace_caller_direct_end);
		emit_branch(e, direct, false);
	} else {
		emit_copy(e, ftrace_caller_return, ftrace_caller_end);
	}
}

/**
 * ftrace_trampoline_encode - the code of a set's trampoline
 * @code: where to put it, with room for ftrace_trampoline_size() bytes
 * @addr: where it will be executed
 * @call: the callbacks, in the order in which to call them
 * @nr: their number
 * @flags: FTRACE_TRAMPOLINE_*
 * @direct: a direct call to jump to after the callbacks, as if the site had called
 *	it; 0 to return to the function
 *
 * Return: the layout; its size is 0 if not all of the kernel's text can reach @addr
 */
struct ftrace_trampoline
ftrace_trampoline_encode(u8 *code, unsigned long addr,
			 const struct ftrace_call *call, unsigned int nr,
			 unsigned int flags, unsigned long direct)
{
	struct ftrace_trampoline tramp = { .flags = flags };
	struct emitter e = { .code = code, .addr = addr };

	if (!is_in_reach((unsigned long)_stext, addr) ||
	    !is_in_reach((unsigned long)_einittext, addr))
		return tramp;

	/* Once for the size of the code, and once with the literals behind it. */
	emit_all(&e, &tramp, call, nr, direct);
	e.pool = round_up(e.at, sizeof(u64));
	e.end = e.pool;
	e.at = 0;
	emit_all(&e, &tramp, call, nr, direct);

	tramp.size = max(e.end, e.at);
	return tramp;
}

/**
 * ftrace_trampoline_write - put code into memory of trampolines
 * @addr: where to, mapped read-only and executable
 * @code: the code
 * @size: its bytes
 *
 * Context: nobody executes anything there; sends IPIs
 */
void ftrace_trampoline_write(void *addr, const void *code, size_t size)
{
	aarch64_insn_copy(addr, (void *)code, size);
}

/**
 * ftrace_trampoline_erase - fill memory of trampolines with breakpoints
 * @addr: the memory
 * @size: its bytes
 *
 * Context: nobody executes anything there; sends IPIs
 */
void ftrace_trampoline_erase(void *addr, size_t size)
{
	aarch64_insn_set(addr, AARCH64_BREAK_FAULT, size);
}

/**
 * ftrace_trampoline_twin - the unwinder reads frame records and needs no template
 * @tramp: what ftrace_trampoline_encode() returned
 * @offset: a place in the trampoline, in bytes from its start
 *
 * Context: any, NMI included
 *
 * Return: the beginning of the template
 */
unsigned long ftrace_trampoline_twin(const struct ftrace_trampoline *tramp,
				     unsigned int offset)
{
	return (unsigned long)ftrace_caller;
}
