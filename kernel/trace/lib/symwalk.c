// SPDX-License-Identifier: GPL-2.0
/*
 * A walk over the symbols of the kernel's own text by ascending address. A
 * symbol that is a few steps ahead is found by these steps, any other by a
 * binary search.
 */
#include <linux/kallsyms.h>

#include <asm/sections.h>

#include "lib/symwalk.h"

/* More steps than that cost more than a search. */
#define STEPS_MAX	64

/* Move on to the symbol that covers @addr: of several, the first. */
static bool step_to(struct kallsyms_cursor *cursor, unsigned long addr)
{
	struct kallsyms_cursor next = *cursor;
	unsigned long here = kallsyms_sym_address(cursor->pos);
	unsigned int steps;

	if (here > addr)
		return false;

	for (steps = 0; steps < STEPS_MAX; steps++) {
		unsigned long there;

		if (!kallsyms_cursor_next(&next))
			return true;
		there = kallsyms_sym_address(next.pos);
		if (there > addr)
			return true;
		if (there != here) {
			*cursor = next;
			here = there;
		}
	}
	return false;
}

/**
 * ftrace_symwalk_to - go to the symbol that covers an address
 * @walk: the walk; @walk->cursor is at that symbol afterwards
 * @addr: the address
 *
 * Context: any but NMI
 *
 * Return: the symbol's address, or 0 if @addr is not in the kernel's own text
 */
unsigned long ftrace_symwalk_to(struct ftrace_symwalk *walk, unsigned long addr)
{
	if (!is_kernel_text(addr) && !is_kernel_inittext(addr))
		return 0;

	if (!walk->started || !step_to(&walk->cursor, addr))
		kallsyms_cursor_seek(&walk->cursor, addr);
	walk->started = true;
	return kallsyms_sym_address(walk->cursor.pos);
}
