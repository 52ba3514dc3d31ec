/* SPDX-License-Identifier: GPL-2.0 */
/* Report of a call site whose bytes are not the expected ones. */
#ifndef _TRACE_PATCH_REPORT_H
#define _TRACE_PATCH_REPORT_H

#include "patch/records.h"

struct ftrace_site;

/**
 * struct ftrace_bug - description of a corrupt call site
 * @rec: record of the site
 * @site: target of the site according to its record, and its new target
 * @found: the FTRACE_SITE_SIZE bytes found at the site, NULL if there is no text
 * @owner: originator of the change
 * @func: callback that the change was for, or NULL
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
