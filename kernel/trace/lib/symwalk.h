/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A walk over the symbols of the kernel's own text by ascending address.
 */
#ifndef _TRACE_LIB_SYMWALK_H
#define _TRACE_LIB_SYMWALK_H

#include <linux/kallsyms.h>
#include <linux/types.h>

/**
 * struct ftrace_symwalk - a position among the symbols; begin with zeroes
 * @cursor: the last symbol found
 * @ahead: a symbol after it
 * @start: address of @cursor's symbol, 0 if no symbol was found yet
 * @end: address of @ahead's symbol, ULONG_MAX after the last symbol
 */
struct ftrace_symwalk {
	struct kallsyms_cursor	cursor;
	struct kallsyms_cursor	ahead;
	unsigned long		start;
	unsigned long		end;
};

unsigned long ftrace_symwalk_to(struct ftrace_symwalk *walk, unsigned long addr);

#endif /* _TRACE_LIB_SYMWALK_H */
