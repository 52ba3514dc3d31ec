/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The report of a call site that is not what it should be.
 */
#ifndef _TRACE_PATCH_REPORT_H
#define _TRACE_PATCH_REPORT_H

#include "patch/records.h"

/**
 * struct ftrace_bug - what was found wrong with a call site
 * @rec: its record
 * @goal: number of what the site was to call
 * @found: the MCOUNT_INSN_SIZE bytes that stand there
 * @expected: those that should
 * @from: what the site was thought to call, 0 for a NOP
 * @owner: for whom, as text
 * @func: for which callback, or NULL
 */
struct ftrace_bug {
	const struct dyn_ftrace	*rec;
	unsigned int		goal;
	const u8		*found;
	const u8		*expected;
	unsigned long		from;
	const char		*owner;
	const void		*func;
};

void ftrace_bug(const struct ftrace_bug *bug);

#endif /* _TRACE_PATCH_REPORT_H */
