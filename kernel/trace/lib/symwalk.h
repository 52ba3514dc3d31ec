/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A walk over the symbols of the kernel's own text by ascending address.
 */
#ifndef _TRACE_LIB_SYMWALK_H
#define _TRACE_LIB_SYMWALK_H

#include <linux/kallsyms.h>
#include <linux/types.h>

/**
 * struct ftrace_symwalk - a place among the symbols; begin with zeroes
 * @cursor: the last symbol found
 * @started: there is one
 */
struct ftrace_symwalk {
	struct kallsyms_cursor	cursor;
	bool			started;
};

unsigned long ftrace_symwalk_to(struct ftrace_symwalk *walk, unsigned long addr);

#endif /* _TRACE_LIB_SYMWALK_H */
