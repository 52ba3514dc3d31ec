/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Changing call sites: collect what shall change, then change all or nothing.
 *
 *	ftrace_patch_init(&patch, "who", GFP_KERNEL);
 *	for each record that changes, by ascending address:
 *		ftrace_patch_add(&patch, rec, want);
 *	err = ftrace_patch_apply(&patch, enabled, target);
 *	ftrace_patch_free(&patch);
 */
#ifndef _TRACE_PATCH_PATCH_H
#define _TRACE_PATCH_PATCH_H

#include "patch/records.h"

/**
 * struct ftrace_change - a record and what its site shall call
 * @rec: the record
 * @want: WANT as it shall be
 * @have: HAVE as it shall be, once the changes are applied
 * @old_want: WANT as it was before they were applied
 * @old_have: HAVE as it was
 */
struct ftrace_change {
	struct dyn_ftrace	*rec;
	u16			want;
	u16			have;
	u16			old_want;
	u16			old_have;
};

/**
 * struct ftrace_patch - changes that are made together
 * @change: the changes, by ascending address of their sites
 * @nr: their number
 * @max: how many there is room for
 * @gfp: how to allocate; with __GFP_NOFAIL nothing here fails for want of memory
 * @owner: for whom, named when something goes wrong
 * @func: likewise, the callback of the ops, if it is for one
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
 * typedef ftrace_target_t - where the code is that a number stands for
 * @nr: the number, not FTRACE_NR_NOP
 */
typedef unsigned long (*ftrace_target_t)(unsigned int nr);

void ftrace_patch_init(struct ftrace_patch *patch, const char *owner, gfp_t gfp);
int ftrace_patch_add(struct ftrace_patch *patch, struct dyn_ftrace *rec,
		     unsigned int want);
int ftrace_patch_apply(struct ftrace_patch *patch, bool enabled,
		       ftrace_target_t target);
void ftrace_patch_free(struct ftrace_patch *patch);
bool ftrace_patch_is_live(void);

bool ftrace_site_is_nop(unsigned long ip);

#endif /* _TRACE_PATCH_PATCH_H */
