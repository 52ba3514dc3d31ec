/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What function tracing and an architecture call of each other. The contract is
 * the first comment of asm/ftrace.h of x86; nobody else needs this header.
 */
#ifndef _LINUX_FTRACE_ARCH_H
#define _LINUX_FTRACE_ARCH_H

#include <linux/ftrace.h>

#define FTRACE_SITE_SIZE	(FTRACE_SITE_BEFORE + FTRACE_SITE_AFTER)

/**
 * struct ftrace_site - a call site while it is being changed
 * @ip: its address; the bytes of the site begin FTRACE_SITE_BEFORE before that
 * @from: the address that it calls so far, 0 for none
 * @where: for ftrace_text_map() and ftrace_text_store(), for example an offset in
 *	a writable mapping
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

/* By the architecture, for kernel/trace/. */
int ftrace_site_encode(u8 *insn, unsigned long ip, unsigned long target);
unsigned int ftrace_text_map(struct ftrace_site *site, unsigned int nr);
void ftrace_text_store(int step, const struct ftrace_site *site, unsigned int nr);
void ftrace_text_unmap(void);
void ftrace_text_sync(void);

size_t ftrace_trampoline_size(unsigned int nr, unsigned int flags);
struct ftrace_trampoline
ftrace_trampoline_encode(u8 *code, unsigned long addr,
			 const struct ftrace_call *call, unsigned int nr,
			 unsigned int flags, unsigned long direct);
void ftrace_trampoline_write(void *addr, const void *code, size_t size);
void ftrace_trampoline_erase(void *addr, size_t size);
unsigned long ftrace_trampoline_twin(const struct ftrace_trampoline *tramp,
				     unsigned int offset);

/* By kernel/trace/, for the architecture. */
const struct ftrace_site *ftrace_patch_find(unsigned long ip);
unsigned long ftrace_return_to_handler(unsigned long key, unsigned long retval);

#endif /* _LINUX_FTRACE_ARCH_H */
