// SPDX-License-Identifier: GPL-2.0
/*
 * Function tracing on x86_64: call sites, their breakpoints, trampolines. The functions are
 * documented in linux/ftrace_arch.h.
 */
/* This is also built for the trace events of system calls. */
#ifdef CONFIG_DYNAMIC_FTRACE

#include <linux/cpufeature.h>
#include <linux/ftrace_arch.h>
#include <linux/linkage.h>
#include <linux/string.h>
#include <linux/sync_core.h>
#include <linux/unaligned.h>

#include <asm/alternative.h>
#include <asm/nops.h>
#include <asm/nospec-branch.h>
#include <asm/text-patching.h>
#include <asm/unwind.h>

#include "ftrace_labels.h"

static_assert(FTRACE_SITE_SIZE == CALL_INSN_SIZE);

int ftrace_site_encode(u8 *insn, unsigned long ip, unsigned long target)
{
	long distance = target - (ip + CALL_INSN_SIZE);

	if (!target) {
		memcpy(insn, x86_nops[CALL_INSN_SIZE], CALL_INSN_SIZE);
		return 0;
	}
	if (distance != (s32)distance)
		return -ERANGE;

	*insn = CALL_INSN_OPCODE;
	put_unaligned((s32)distance, (s32 *)(insn + 1));
	return 0;
}

bool ftrace_text_map(unsigned int slot, struct page *page)
{
	if (slot >= TEXT_POKE_WINDOW_PAGES)
		return false;

	text_poke_window_map(slot, page);
	return true;
}

void ftrace_text_unmap(unsigned int nr)
{
	text_poke_window_unmap(nr);
}

struct store {
	int				step;
	const struct ftrace_site	*site;
	unsigned int			nr;
};

/* KASAN has no shadow for the window, which is at a user address. */
static void __no_sanitize_address store_in_window(void *window, const void *data)
{
	const struct store *store = data;
	unsigned int i;

	for (i = 0; i < store->nr; i++) {
		const struct ftrace_site *site = &store->site[i];
		u8 *text = window + site->where;

		switch (store->step) {
		case 0:
			WRITE_ONCE(*text, INT3_INSN_OPCODE);
			break;
		case 1:
			put_unaligned(get_unaligned((u32 *)(site->insn + 1)),
				      (u32 *)(text + 1));
			break;
		case 2:
			WRITE_ONCE(*text, site->insn[0]);
			break;
		}
	}
}

void ftrace_text_store(int step, const struct ftrace_site *site, unsigned int nr)
{
	struct store store = { .step = step, .site = site, .nr = nr };

	text_poke_window_write(store_in_window, &store);
}

void ftrace_text_sync(void)
{
	sync_core();
}

/**
 * ftrace_int3_handler - emulate the instruction of a site that is being changed
 * @regs: registers at the breakpoint
 *
 * Context: the breakpoint exception, before anything that could hit another breakpoint
 *
 * Return: 1 if the breakpoint belonged to such a site; @regs are then as the old instruction
 * leaves them
 */
noinstr int ftrace_int3_handler(struct pt_regs *regs)
{
	unsigned long ip = regs->ip - INT3_INSN_SIZE;
	const struct ftrace_site *site;

	if (user_mode(regs))
		return 0;

	site = ftrace_patch_find(ip);
	if (!site)
		return 0;

	if (site->from)
		int3_emulate_call(regs, site->from);
	else
		int3_emulate_jmp(regs, ip + CALL_INSN_SIZE);
	return 1;
}

/* The parts of a template. */
struct template {
	const u8	*enter, *call, *leave, *end;
};

static struct template template_of(unsigned int flags)
{
	if (IS_ENABLED(CONFIG_X86_FTRACE_FENTRY) && (flags & FTRACE_TRAMPOLINE_REGS))
		return (struct template) {
			ftrace_regs_caller_enter, ftrace_regs_caller_call,
			ftrace_regs_caller_leave, ftrace_regs_caller_end,
		};

	/* Without IPMODIFY, leave out the few instructions that apply a changed %rip. */
	return (struct template) {
		ftrace_caller_enter,
		flags & FTRACE_TRAMPOLINE_BRIEF ? ftrace_caller_rest : ftrace_caller_call,
		flags & FTRACE_TRAMPOLINE_IPMODIFY ? ftrace_honour_rip :
						     ftrace_caller_leave,
		ftrace_caller_end,
	};
}

static u8 *emit(u8 *p, const u8 *from, const u8 *to)
{
	memcpy(p, from, to - from);
	return p + (to - from);
}

static u8 *emit_u64(u8 *p, u64 value)
{
	memcpy(p, &value, sizeof(value));
	return p + sizeof(value);
}

/* Account for a call in call depth tracking, if it is in use. */
static u8 *emit_call_depth(u8 *p, unsigned long ip)
{
	if (cpu_feature_enabled(X86_FEATURE_CALL_DEPTH))
		x86_call_depth_emit_accounting(&p, NULL, (void *)ip);
	return p;
}

static u8 *emit_call(u8 *p, unsigned long ip, void *func)
{
	__text_gen_insn(p, CALL_INSN_OPCODE, (void *)ip, func, CALL_INSN_SIZE);
	return p + CALL_INSN_SIZE;
}

/* Emit a return, in the way that the mitigations in use require. */
static u8 *emit_return(u8 *p, unsigned long ip)
{
	if (cpu_feature_enabled(X86_FEATURE_RETHUNK)) {
		__text_gen_insn(p, JMP32_INSN_OPCODE, (void *)ip,
				x86_return_thunk, JMP32_INSN_SIZE);
		p += JMP32_INSN_SIZE;
	} else {
		*p++ = RET_INSN_OPCODE;
	}
	if (IS_ENABLED(CONFIG_MITIGATION_SLS))
		*p++ = INT3_INSN_OPCODE;
	return p;
}

/* Emit a jump to a direct call, which returns to the function itself. */
static u8 *emit_jump(u8 *p, unsigned long ip, unsigned long target)
{
	__text_gen_insn(p, JMP32_INSN_OPCODE, (void *)ip, (void *)target,
			JMP32_INSN_SIZE);
	return p + JMP32_INSN_SIZE;
}

#define MAX_CALL_DEPTH_SIZE	32
#define MAX_RETURN_SIZE		(JMP32_INSN_SIZE + INT3_INSN_SIZE)

#define MOV_RDX_SIZE		10		/* mov $imm64, %rdx */

/* Maximum size in bytes of one callback: its arguments and the call. */
static size_t callback_size(void)
{
	return (ftrace_reload_args_end - ftrace_reload_args) + MOV_RDX_SIZE +
	       MAX_CALL_DEPTH_SIZE + CALL_INSN_SIZE;
}

size_t ftrace_trampoline_size(unsigned int nr, unsigned int flags)
{
	struct template t = template_of(flags);

	return MAX_CALL_DEPTH_SIZE + (t.call - t.enter) + nr * callback_size() +
	       (t.end - t.leave) + MAX_RETURN_SIZE;
}

/* Emit one callback. The template sets up the arguments of the first. */
static u8 *emit_callback(u8 *p, unsigned long ip, const struct ftrace_call *call,
			 bool first)
{
	u8 *start = p;

	if (!first)
		p = emit(p, ftrace_reload_args, ftrace_reload_args_end);
	*p++ = 0x48;			/* mov $imm64, %rdx */
	*p++ = 0xba;
	p = emit_u64(p, (unsigned long)call->ops);
	p = emit_call_depth(p, ip + (p - start));
	return emit_call(p, ip + (p - start), call->func);
}

/*
 * Trampolines are within 2 GiB of all text. A direct call accounts for the site's call in call
 * depth tracking itself, as when the site calls it without a trampoline.
 */
struct ftrace_trampoline
ftrace_trampoline_encode(u8 *code, unsigned long addr,
			 const struct ftrace_call *call, unsigned int nr,
			 unsigned int flags, unsigned long direct)
{
	struct template t = template_of(flags);
	struct ftrace_trampoline tramp = { .flags = flags };
	unsigned int i;
	u8 *p = code;

	if (!direct)
		p = emit_call_depth(p, addr);
	tramp.enter = p - code;
	p = emit(p, t.enter, t.call);

	for (i = 0; i < nr; i++)
		p = emit_callback(p, addr + (p - code), &call[i], !i);

	tramp.leave = p - code;
	p = emit(p, t.leave, t.end);
	if (direct)
		p = emit_jump(p, addr + (p - code), direct);
	else
		p = emit_return(p, addr + (p - code));
	tramp.size = p - code;
	return tramp;
}

/* All CPUs execute a serializing instruction before a site calls the trampoline. */
void ftrace_trampoline_write(void *addr, const void *code, size_t size)
{
	text_poke_copy(addr, code, size);
}

void ftrace_trampoline_erase(void *addr, size_t size)
{
	text_poke_set(addr, INT3_INSN_OPCODE, size);
}

/* Returns an address in ftrace_64.S whose ORC entry is also valid for @offset. */
unsigned long ftrace_trampoline_twin(const struct ftrace_trampoline *tramp,
				     unsigned int offset)
{
	struct template t = template_of(tramp->flags);
	const u8 *place;

	if (offset < tramp->enter)
		place = t.enter;
	else if (offset < tramp->leave)
		place = min(t.enter + (offset - tramp->enter), t.call);
	else
		place = min(t.leave + (offset - tramp->leave), t.end);
	return (unsigned long)place;
}

#ifdef CONFIG_STACK_TRACER
/*
 * Only ORC finds the caller of a function that has not pushed %rbp yet. Its frame begins above
 * the return address of the traced function.
 */
void ftrace_walk_frames(struct ftrace_regs *fregs, unsigned long parent_ip,
			bool (*frame)(void *data, unsigned long addr, unsigned long sp),
			void *data)
{
	unsigned long *from = arch_ftrace_return_slot(fregs);
	struct unwind_state state;

	if (!IS_ENABLED(CONFIG_UNWINDER_ORC)) {
		from++;
		if (!frame(data, parent_ip, (unsigned long)from))
			return;
	}

	for (unwind_start(&state, current, NULL, NULL); !unwind_done(&state);
	     unwind_next_frame(&state)) {
		unsigned long *slot = unwind_get_return_address_ptr(&state);
		unsigned long addr = unwind_get_return_address(&state);
		struct pt_regs *regs = unwind_get_entry_regs(&state, NULL);

		if (slot < from)
			continue;
		if (!addr || !frame(data, addr, regs ? regs->sp : (unsigned long)(slot + 1)))
			return;
	}
}
#endif

#endif /* CONFIG_DYNAMIC_FTRACE */
