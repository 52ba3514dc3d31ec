// SPDX-License-Identifier: GPL-2.0
/*
 * A walk over the symbols of the kernel's own text by ascending address. A symbol that is a few
 * steps ahead is reached by these steps, any other by a binary search.
 */
#include <linux/kallsyms.h>

#include <asm/sections.h>

#include "lib/symwalk.h"

/* More steps than this cost more than a search. */
#define STEPS_MAX	64

static void symwalk_look_ahead(struct ftrace_symwalk *walk)
{
	walk->end = kallsyms_cursor_next(&walk->ahead) ?
		    kallsyms_sym_address(walk->ahead.pos) : ULONG_MAX;
}

static void symwalk_seek(struct ftrace_symwalk *walk, unsigned long addr)
{
	kallsyms_cursor_seek(&walk->cursor, addr);
	walk->start = kallsyms_sym_address(walk->cursor.pos);
	walk->ahead = walk->cursor;
	symwalk_look_ahead(walk);
}

/* Advance to the symbol that covers @addr; if there are several, to the first. */
static bool symwalk_step_to(struct ftrace_symwalk *walk, unsigned long addr)
{
	unsigned int steps;

	if (walk->start > addr)
		return false;

	for (steps = 0; steps < STEPS_MAX; steps++) {
		if (walk->end > addr)
			return true;
		if (walk->end != walk->start) {
			walk->cursor = walk->ahead;
			walk->start = walk->end;
		}
		symwalk_look_ahead(walk);
	}
	return false;
}

/**
 * ftrace_symwalk_to - advance to the symbol that covers an address
 * @walk: the walk; @walk->cursor is at that symbol afterwards
 * @addr: the address
 *
 * Context: any except NMI
 *
 * Return: the symbol's address, or 0 if @addr is not in the kernel's own text
 */
unsigned long ftrace_symwalk_to(struct ftrace_symwalk *walk, unsigned long addr)
{
	if (!is_kernel_text(addr) && !is_kernel_inittext(addr))
		return 0;

	if (!walk->start || !symwalk_step_to(walk, addr))
		symwalk_seek(walk, addr);
	return walk->start;
}
