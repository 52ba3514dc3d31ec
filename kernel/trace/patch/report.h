/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The report of a call site that is not what it should be.
 */
#ifndef _TRACE_PATCH_REPORT_H
#define _TRACE_PATCH_REPORT_H

#include "patch/records.h"

struct ftrace_site;

/**
 * struct ftrace_bug - what is wrong with a call site
 * @rec: its record
 * @site: what the record says that it calls, and what it was to call
 * @found: the FTRACE_SITE_SIZE bytes that are there, NULL where there is no text
 * @owner: who asked for the change
 * @func: the callback that it was for, or NULL
 */
struct ftrace_bug {
	const struct dyn_ftrace		*rec;
	const struct ftrace_site	*site;
	const u8			*found;
	const char			*owner;
	const void			*func;
};

void ftrace_bug(const struct ftrace_bug *bug);

#endif /* _TRACE_PATCH_REPORT_H */
