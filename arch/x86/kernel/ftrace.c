// SPDX-License-Identifier: GPL-2.0
/*
 * Function tracing on x86_64: call sites, their breakpoints, trampolines.
 * What each function here is for stands at the top of asm/ftrace.h.
 */
#include <linux/cpufeature.h>
#include <linux/ftrace.h>
#include <linux/linkage.h>
#include <linux/string.h>
#include <linux/sync_core.h>

#include <asm/alternative.h>
#include <asm/nops.h>
#include <asm/nospec-branch.h>
#include <asm/text-patching.h>

/**
 * ftrace_site_encode - the bytes of a call site
 * @insn: where to put MCOUNT_INSN_SIZE bytes
 * @ip: address of the site
 * @target: what it calls, within 2 GiB; 0 for a NOP
 */
void ftrace_site_encode(u8 *insn, unsigned long ip, unsigned long target)
{
	if (target)
		__text_gen_insn(insn, CALL_INSN_OPCODE, (void *)ip,
				(void *)target, CALL_INSN_SIZE);
	else
		memcpy(insn, x86_nops[MCOUNT_INSN_SIZE], MCOUNT_INSN_SIZE);
}

/**
 * ftrace_patch_store - one step of changing a call site
 * @step: 0 to FTRACE_PATCH_STEPS - 1, in this order
 * @text: writable alias of the site
 * @insn: what shall stand there in the end
 *
 * Context: text_mutex held; all CPUs execute ftrace_patch_sync() between two
 * steps and after the last.
 */
void ftrace_patch_store(int step, u8 *text, const u8 *insn)
{
	switch (step) {
	case 0:
		WRITE_ONCE(*text, INT3_INSN_OPCODE);
		break;
	case 1:
		memcpy(text + 1, insn + 1, MCOUNT_INSN_SIZE - 1);
		break;
	case 2:
		WRITE_ONCE(*text, *insn);
		break;
	}
}

/**
 * ftrace_patch_sync - forget what this CPU has fetched of the text before
 *
 * Context: any
 */
void ftrace_patch_sync(void)
{
	sync_core();
}

/**
 * ftrace_int3_handler - a breakpoint was hit: is it that of a changing site?
 * @regs: registers at the breakpoint
 *
 * Context: the breakpoint exception, before anything that could hit another
 *
 * Return: 1 if it was, and @regs now are as the old instruction leaves them
 */
noinstr int ftrace_int3_handler(struct pt_regs *regs)
{
	unsigned long ip = regs->ip - INT3_INSN_SIZE;
	const struct ftrace_patch_site *site;

	if (user_mode(regs))
		return 0;

	site = ftrace_patch_find(ip);
	if (!site)
		return 0;

	if (site->from)
		int3_emulate_call(regs, site->from);
	else
		int3_emulate_jmp(regs, ip + MCOUNT_INSN_SIZE);
	return 1;
}

/* The parts of a template. */
struct template {
	const u8	*enter, *call, *leave, *end;
};

static struct template template_of(unsigned int flags)
{
	if (flags & FTRACE_TRAMPOLINE_REGS)
		return (struct template) {
			ftrace_regs_caller_enter, ftrace_regs_caller_call,
			ftrace_regs_caller_leave, ftrace_regs_caller_end,
		};

	/* Without IPMODIFY the few instructions that honour %rip are left out. */
	return (struct template) {
		ftrace_caller_enter, ftrace_caller_call,
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

/* Tell call depth tracking of a call, where it is in use. */
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

/* Return as the mitigations in use want it. */
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

/* Go on to a direct call, which returns to the function itself. */
static u8 *emit_jump(u8 *p, unsigned long ip, unsigned long target)
{
	__text_gen_insn(p, JMP32_INSN_OPCODE, (void *)ip, (void *)target,
			JMP32_INSN_SIZE);
	return p + JMP32_INSN_SIZE;
}

#define MAX_CALL_DEPTH_SIZE	32
#define MAX_RETURN_SIZE		(JMP32_INSN_SIZE + INT3_INSN_SIZE)

#define MOV_RDX_SIZE		10		/* mov $imm64, %rdx */

/* What one callback takes: its arguments, and the call. */
static size_t callback_size(void)
{
	return (ftrace_reload_args_end - ftrace_reload_args) + MOV_RDX_SIZE +
	       MAX_CALL_DEPTH_SIZE + CALL_INSN_SIZE;
}

/**
 * ftrace_trampoline_size - room that a set's trampoline needs
 * @nr: number of callbacks
 * @flags: FTRACE_TRAMPOLINE_*
 *
 * Return: bytes, no fewer than ftrace_trampoline_encode() writes
 */
size_t ftrace_trampoline_size(unsigned int nr, unsigned int flags)
{
	struct template t = template_of(flags);

	return MAX_CALL_DEPTH_SIZE + (t.call - t.enter) + nr * callback_size() +
	       (t.end - t.leave) + MAX_RETURN_SIZE;
}

/* One callback. The template has set up what the first of them needs. */
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

/**
 * ftrace_trampoline_encode - the code of a set's trampoline
 * @code: where to put it, with room for ftrace_trampoline_size() bytes
 * @addr: where it will run
 * @call: the callbacks, in the order in which to call them
 * @nr: their number
 * @flags: FTRACE_TRAMPOLINE_*
 * @direct: where to go on behind the callbacks, as if the site had called it; 0
 *	to return to the function. That tells call depth tracking of the site's
 *	call.
 *
 * Return: what ftrace_trampoline_orc() has to know of it
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

/**
 * ftrace_trampoline_orc - where the stack looks as it does in a trampoline
 * @tramp: what ftrace_trampoline_encode() returned
 * @offset: a place in the trampoline, in bytes from its start
 *
 * Context: any, NMI included
 *
 * Return: an address in ftrace_64.S whose ORC entry holds for @offset too
 */
unsigned long ftrace_trampoline_orc(const struct ftrace_trampoline *tramp,
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
