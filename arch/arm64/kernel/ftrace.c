// SPDX-License-Identifier: GPL-2.0
/*
 * Function tracing on arm64: call sites and trampolines. The functions are documented in
 * linux/ftrace_arch.h.
 */
#include <linux/cacheflush.h>
#include <linux/ftrace_arch.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/sched/task_stack.h>
#include <linux/sizes.h>
#include <linux/string.h>
#include <linux/uaccess.h>
#include <linux/unaligned.h>

#include <asm/barrier.h>
#include <asm/debug-monitors.h>
#include <asm/fixmap.h>
#include <asm/insn.h>
#include <asm/patching.h>
#include <asm/pointer_auth.h>
#include <asm/sections.h>

#ifdef CONFIG_DYNAMIC_FTRACE

static_assert(FTRACE_SITE_SIZE == AARCH64_INSN_SIZE);

/* Can a BL at @ip branch to @target? */
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
 * The list function finds the users of any site, so it can replace a trampoline or a direct call
 * that is out of reach. Some of the users may need all registers.
 */
static unsigned long reachable(unsigned long ip, unsigned long target)
{
	if (is_in_reach(ip, target))
		return target;
	if (is_in_reach(ip, FTRACE_LIST_ENTRY_REGS))
		return FTRACE_LIST_ENTRY_REGS;

	return veneer_of(ip);
}

/* Fails at addresses outside of all text. */
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

/* The build lists the first of two instructions, or BTI before them. */
unsigned long ftrace_call_adjust(unsigned long addr)
{
	u32 insn;

	if (!aarch64_insn_read((void *)addr, &insn) && aarch64_insn_is_bti(insn))
		addr += AARCH64_INSN_SIZE;

	return addr + AARCH64_INSN_SIZE;
}

/* Writes the MOV before the site. */
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
unsigned long ftrace_call_adjust(unsigned long addr)
{
	return addr;
}

/* The sites have been NOPs since the build. */
bool ftrace_site_init(unsigned long ip)
{
	return true;
}
#endif

bool ftrace_text_map(unsigned int slot, struct page *page)
{
	if (slot >= FIX_TEXT_WINDOW_PAGES)
		return false;

	/* The fixmap grows downwards. */
	set_fixmap(FIX_TEXT_WINDOW - slot, page_to_phys(page));
	return true;
}

void ftrace_text_unmap(unsigned int nr)
{
	while (nr)
		clear_fixmap(FIX_TEXT_WINDOW - --nr);
}

static void *window(unsigned int offset)
{
	return (void *)(__fix_to_virt(FIX_TEXT_WINDOW - offset / PAGE_SIZE) +
			offset_in_page(offset));
}

void __no_sanitize_address ftrace_text_store(int step, const struct ftrace_site *site,
					     unsigned int nr)
{
	unsigned int i, first = 0;

	for (i = 0; i < nr; i++)
		WRITE_ONCE(*(u32 *)window(site[i].where), get_unaligned((u32 *)site[i].insn));

	/* Caches are indexed by the address where the text is executed, page by page. */
	for (i = 1; i <= nr; i++) {
		if (i < nr && site[i].where / PAGE_SIZE == site[first].where / PAGE_SIZE)
			continue;
		caches_clean_inval_pou(site[first].ip, site[i - 1].ip + AARCH64_INSN_SIZE);
		first = i;
	}
}

void ftrace_text_sync(void)
{
	isb();
}

/**
 * struct emitter - a trampoline that is being written: code, followed by literals
 * @code: destination of the code
 * @addr: address at which it will be executed
 * @at: offset of the next instruction
 * @pool: offset of the literals; 0 to determine the size of the code before them
 * @end: offset after the last literal
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

/* Branch to any address. No function uses the value of x16. */
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

/* The parts of a template that depend on the registers that are saved. */
struct template {
	const u8	*enter, *call, *leave, *restored;
};

static struct template template_of(unsigned int flags)
{
	if (IS_ENABLED(CONFIG_ARM64_FTRACE_PATCHABLE) && (flags & FTRACE_TRAMPOLINE_REGS))
		return (struct template) {
			ftrace_regs_caller_enter, ftrace_regs_caller_call,
			ftrace_regs_caller_leave, ftrace_regs_caller_return,
		};

	return (struct template) {
		ftrace_caller_enter, ftrace_caller_call,
		ftrace_caller_leave, ftrace_caller_return,
	};
}

size_t ftrace_trampoline_size(unsigned int nr, unsigned int flags)
{
	struct template t = template_of(flags);
	size_t callback = (ftrace_reload_args_end - ftrace_reload_args) +
			  3 * AARCH64_INSN_SIZE + 2 * sizeof(u64);

	return (t.call - t.enter) + nr * callback + (t.restored - t.leave) +
	       max(ftrace_caller_end - ftrace_caller_return,
		   ftrace_leave_direct_end - ftrace_leave_direct +
		   2 * AARCH64_INSN_SIZE + (long)sizeof(u64)) + sizeof(u64);
}

static void emit_all(struct emitter *e, struct ftrace_trampoline *tramp,
		     const struct ftrace_call *call, unsigned int nr, unsigned long direct)
{
	struct template t = template_of(tramp->flags);
	unsigned int i;

	emit_copy(e, t.enter, t.call);
	for (i = 0; i < nr; i++) {
		if (i)
			emit_copy(e, ftrace_reload_args, ftrace_reload_args_end);
		emit_load(e, AARCH64_INSN_REG_2, (unsigned long)call[i].ops);
		emit_branch(e, (unsigned long)call[i].func, true);
	}

	tramp->leave = e->at;
	emit_copy(e, t.leave, t.restored);
	if (direct) {
		emit_copy(e, ftrace_leave_direct, ftrace_leave_direct_end);
		emit_branch(e, direct, false);
	} else {
		emit_copy(e, ftrace_caller_return, ftrace_caller_end);
	}
}

/* Parts of the kernel's text may be out of reach. */
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

	/* Once for the size of the code, and once with the literals after it. */
	emit_all(&e, &tramp, call, nr, direct);
	e.pool = round_up(e.at, sizeof(u64));
	e.end = e.pool;
	e.at = 0;
	emit_all(&e, &tramp, call, nr, direct);

	tramp.size = max(e.end, e.at);
	return tramp;
}

/* Sends IPIs. */
void ftrace_trampoline_write(void *addr, const void *code, size_t size)
{
	aarch64_insn_copy(addr, (void *)code, size);
}

void ftrace_trampoline_erase(void *addr, size_t size)
{
	aarch64_insn_set(addr, AARCH64_BREAK_FAULT, size);
}

/* The unwinder reads frame records and does not need a position in a template. */
unsigned long ftrace_trampoline_twin(const struct ftrace_trampoline *tramp,
				     unsigned int offset)
{
	return (unsigned long)ftrace_caller;
}

#ifdef CONFIG_STACK_TRACER
/*
 * The frame record of a function is at the low end of its frame, and holds the return address to
 * its caller.
 */
void ftrace_walk_frames(struct ftrace_regs *fregs, unsigned long parent_ip,
			bool (*frame)(void *data, unsigned long addr, unsigned long sp),
			void *data)
{
	unsigned long *record = (unsigned long *)ftrace_regs_get_frame_pointer(fregs);
	unsigned long addr = parent_ip;
	int graph_idx = 0;

	while (addr && task_stack_page(current) <= (void *)record &&
	       (void *)(record + 2) <= task_stack_page(current) + THREAD_SIZE &&
	       frame(data, addr, (unsigned long)record)) {
		unsigned long *next = (unsigned long *)record[0];

		addr = ftrace_graph_ret_addr(current, &graph_idx,
					     ptrauth_strip_kernel_insn_pac(record[1]), next);
		if (next <= record)
			return;
		record = next;
	}
}
#endif

#endif /* CONFIG_DYNAMIC_FTRACE */

#ifdef CONFIG_ARM64_FTRACE_MCOUNT
/* Is this the veneer that a module branches through to _mcount, if that is out of reach? */
static bool is_veneer(unsigned long addr)
{
#ifdef CONFIG_MODULES
	struct plt_entry want = get_plt_entry((unsigned long)_mcount, (void *)addr);
	struct plt_entry plt;

	return !copy_from_kernel_nofault(&plt, (void *)addr, sizeof(plt)) &&
	       !memcmp(&plt, &want, sizeof(plt));
#else
	return false;
#endif
}

/* A breakpoint replaces the whole instruction. */
bool ftrace_calls_mark(const u8 *text, unsigned long ip, bool breakpoint)
{
	u32 insn = get_unaligned_le32(text);
	unsigned long target;

	if (!IS_ALIGNED(ip, AARCH64_INSN_SIZE) || !aarch64_insn_is_bl(insn))
		return false;

	target = ip + aarch64_get_branch_offset(insn);
	return target == (unsigned long)_mcount || is_veneer(target);
}
#endif /* CONFIG_ARM64_FTRACE_MCOUNT */
