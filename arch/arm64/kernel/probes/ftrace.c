// SPDX-License-Identifier: GPL-2.0
/*
 * Kprobes on the call sites of functions. The site calls the probe, as it calls a tracer, and no
 * instruction has to be executed elsewhere or simulated: the site itself was a NOP.
 */
#include <linux/ftrace.h>
#include <linux/kprobes.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/ptrace.h>

/**
 * arch_adjust_kprobe_addr - move a probe of a function's entry to the call site
 * @addr: address of the function
 * @offset: offset of the probe in it
 * @on_func_entry: set to whether this is the entry of the function
 *
 * Before the site there can be a landing pad for branches, and there is the instruction that
 * copies the return address to x9. Neither changes what a probe sees, except for x9.
 *
 * Context: may sleep
 *
 * Return: the address of the probe
 */
kprobe_opcode_t *arch_adjust_kprobe_addr(unsigned long addr, unsigned long offset,
					 bool *on_func_entry)
{
	unsigned long site = ftrace_location(addr);

	if (site < addr || offset > site - addr || offset % sizeof(kprobe_opcode_t)) {
		*on_func_entry = !offset;
		return (kprobe_opcode_t *)(addr + offset);
	}

	*on_func_entry = true;
	return (kprobe_opcode_t *)site;
}

/* The site is not copied. */
int arch_prepare_kprobe_ftrace(struct kprobe *p)
{
	p->ainsn.api.insn = NULL;
	p->ainsn.api.restore = 0;
	p->ainsn.api.handler = NULL;

	return 0;
}

/*
 * Registers are as at a breakpoint: pc is the address of the site, and after it in the post
 * handler. A handler that returns another value than 0 has set pc to where the CPU is to continue.
 * Otherwise it continues where it would without the probe: another callback may have made the
 * function return at once.
 */
static void kprobe_ftrace_hit(struct kprobe *p, unsigned long ip, struct pt_regs *regs)
{
	struct kprobe_ctlblk *kcb = get_kprobe_ctlblk();
	unsigned long next = instruction_pointer(regs);

	__this_cpu_write(current_kprobe, p);
	kcb->kprobe_status = KPROBE_HIT_ACTIVE;
	instruction_pointer_set(regs, ip);

	if (!p->pre_handler || !p->pre_handler(p, regs)) {
		instruction_pointer_set(regs, ip + MCOUNT_INSN_SIZE);
		kcb->kprobe_status = KPROBE_HIT_SSDONE;
		if (p->post_handler)
			p->post_handler(p, regs, 0);
		instruction_pointer_set(regs, next);
	}
	__this_cpu_write(current_kprobe, NULL);
}

NOKPROBE_SYMBOL(kprobe_ftrace_hit);

/**
 * kprobe_ftrace_handler - callback of the sites that have kprobes
 * @ip: call site
 * @parent_ip: return address of its function
 * @ops: the ops of kprobes
 * @fregs: all registers
 *
 * Context: any. A probe that is hit in a handler of another one is counted as missed.
 */
void kprobe_ftrace_handler(unsigned long ip, unsigned long parent_ip,
			   struct ftrace_ops *ops, struct ftrace_regs *fregs)
{
	struct pt_regs *regs = ftrace_get_regs(fregs);
	struct kprobe *p;
	int bit;

	if (unlikely(kprobe_ftrace_disabled))
		return;

	bit = ftrace_test_recursion_trylock(ip, parent_ip);
	if (bit < 0)
		return;

	p = get_kprobe((kprobe_opcode_t *)ip);
	if (likely(p && !kprobe_disabled(p))) {
		if (unlikely(kprobe_running()))
			kprobes_inc_nmissed_count(p);
		else
			kprobe_ftrace_hit(p, ip, regs);
	}
	ftrace_test_recursion_unlock(bit);
}

NOKPROBE_SYMBOL(kprobe_ftrace_handler);
