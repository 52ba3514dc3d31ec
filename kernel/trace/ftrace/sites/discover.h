/* SPDX-License-Identifier: GPL-2.0 */
/* Discovery of call sites at run time. */
#ifndef _TRACE_FTRACE_SITES_DISCOVER_H
#define _TRACE_FTRACE_SITES_DISCOVER_H

#ifdef CONFIG_FTRACE_DISCOVER

int ftrace_discover_sites(const unsigned long *ip, unsigned int nr);

#else /* !CONFIG_FTRACE_DISCOVER */

static inline int ftrace_discover_sites(const unsigned long *ip, unsigned int nr)
{
	return 0;
}

#endif /* CONFIG_FTRACE_DISCOVER */
#endif /* _TRACE_FTRACE_SITES_DISCOVER_H */
