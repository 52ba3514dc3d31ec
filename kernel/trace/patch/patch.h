/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Patching of call sites: collect the changes, then apply all of them or none.
 *
 *	ftrace_patch_init(&patch, "owner", GFP_KERNEL);
 *	for each record that changes, in ascending order of addresses:
 *		ftrace_patch_add(&patch, rec, want);
 *	err = ftrace_patch_apply(&patch, enabled, target);
 *	ftrace_patch_free(&patch);
 */
#ifndef _TRACE_PATCH_PATCH_H
#define _TRACE_PATCH_PATCH_H

#include "patch/records.h"

/**
 * struct ftrace_change - a record and the new target of its site
 * @rec: the record
 * @want: its new WANT
 * @old: its state before the change, from ftrace_patch_apply() on
 */
struct ftrace_change {
	struct dyn_ftrace	*rec;
	u32			want;
	u32			old;
};

/**
 * struct ftrace_patch - changes that are applied together
 * @change: changes in ascending order of the addresses of their sites
 * @nr: number of changes
 * @max: capacity of @change
 * @gfp: allocation flags; with __GFP_NOFAIL no function here returns -ENOMEM
 * @owner: originator of the changes, for error reports
 * @func: callback of the ops that the changes are for, or NULL; for error reports
 */
struct ftrace_patch {
	struct ftrace_change	*change;
	unsigned int		nr;
	unsigned int		max;
	gfp_t			gfp;
	const char		*owner;
	const void		*func;
};

/**
 * typedef ftrace_target_t - return the address that a number stands for
 * @nr: the number, not FTRACE_NR_NOP
 */
typedef unsigned long (*ftrace_target_t)(unsigned int nr);

void ftrace_patch_init(struct ftrace_patch *patch, const char *owner, gfp_t gfp);
int ftrace_patch_add(struct ftrace_patch *patch, struct dyn_ftrace *rec,
		     unsigned int want);
int ftrace_patch_apply(struct ftrace_patch *patch, bool enabled,
		       ftrace_target_t target);
void ftrace_patch_free(struct ftrace_patch *patch);

bool ftrace_site_prepare(unsigned long ip);

/* With CONFIG_FTRACE_DISCOVER. */
int ftrace_sites_settle(unsigned long *ip, unsigned int nr);

#endif /* _TRACE_PATCH_PATCH_H */
