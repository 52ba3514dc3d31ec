/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Filters that kernel code sets: the functions that differ between kernels that change their
 * call sites (set_filter_dyn.c) and kernels with static tracing (set_filter_static.c).
 */
#ifndef _TRACE_FILTER_SET_FILTER_H
#define _TRACE_FILTER_SET_FILTER_H

#include <linux/types.h>

struct ftrace_hash;
struct ftrace_ops_hash;

unsigned long ftrace_filter_site_of(unsigned long ip);
struct ftrace_hash *ftrace_filter_sites_of(const unsigned long *ips, unsigned int cnt);

int ftrace_filter_set_patterns(struct ftrace_ops_hash *hash, bool exclude, const char *buf, int len,
			       bool reset);
int ftrace_filter_set_sites(struct ftrace_ops_hash *hash, const struct ftrace_hash *sites,
			    unsigned long serial, bool reset);

#endif /* _TRACE_FILTER_SET_FILTER_H */
