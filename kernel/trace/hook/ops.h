/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The life of an ftrace_ops, and of what it means.
 */
#ifndef _TRACE_HOOK_OPS_H
#define _TRACE_HOOK_OPS_H

#include <linux/ftrace.h>
#include <linux/seq_buf.h>

#include "patch/records.h"

/* The filters that set_ftrace_filter and set_ftrace_notrace of the top show. */
extern struct ftrace_ops_hash ftrace_global_hash;

/* Tracing has been shut down for good: something is wrong with the text. */
bool ftrace_is_dead(void);

void ftrace_ops_init(struct ftrace_ops *ops);
int ftrace_ops_register(struct ftrace_ops *ops);
int ftrace_ops_detach(struct ftrace_ops *ops);
int ftrace_ops_want_again(struct ftrace_ops *ops);

typedef struct ftrace_hash *(*ftrace_hash_edit_t)(struct ftrace_hash *old,
						  const void *data);
int ftrace_ops_edit_hash(struct ftrace_ops_hash *hash, bool exclude,
			 ftrace_hash_edit_t edit, const void *data, gfp_t gfp);
struct ftrace_hash *ftrace_hash_existing(const struct ftrace_hash *hash, gfp_t gfp);

int ftrace_switch(bool enabled);

int ftrace_sites_coming(unsigned long start, unsigned long end);
void ftrace_sites_going(struct module *mod, unsigned long start, unsigned long end);

bool ftrace_rec_has_set(const struct dyn_ftrace *rec);
void ftrace_rec_show_users(struct seq_buf *s, const struct dyn_ftrace *rec);

#endif /* _TRACE_HOOK_OPS_H */
