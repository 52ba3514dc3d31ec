/* SPDX-License-Identifier: GPL-2.0 */
/* Pending patterns of filters, which wait for functions. */
#ifndef _TRACE_FILTER_MOD_PENDING_H
#define _TRACE_FILTER_MOD_PENDING_H

#include <linux/types.h>

struct ftrace_hash;
struct ftrace_ops_hash;
struct ftrace_pattern;
struct ftrace_mod_pending;
struct list_head;
struct module;

/* Pending patterns of an edit */

bool ftrace_mod_pending_possible(const struct ftrace_pattern *pattern);
int ftrace_mod_pending_add(struct list_head *patterns, const struct ftrace_pattern *pattern);
void ftrace_mod_pending_truncate(struct list_head *patterns, struct list_head *last);
struct ftrace_hash *ftrace_mod_pending_match(const struct list_head *patterns,
					     struct module *mod);

/* Pending patterns of a filter */

/**
 * struct ftrace_mod_pending_change - a new list of pending patterns for a filter
 * @old: list before the change, NULL if there is no list
 * @new: list when the change has taken effect, NULL if there is no list
 * @adds_before: @old has patterns that add functions
 * @adds_after: @new has patterns that add functions
 */
struct ftrace_mod_pending_change {
	struct ftrace_mod_pending	*old;
	struct ftrace_mod_pending	*new;
	bool			adds_before;
	bool			adds_after;
};

void ftrace_mod_pending_lock(void);
void ftrace_mod_pending_unlock(void);
int ftrace_mod_pending_prepare(struct ftrace_mod_pending_change *change,
			       struct ftrace_ops_hash *hash, bool exclude,
			       const struct list_head *patterns, bool reset);
void ftrace_mod_pending_finish(struct ftrace_mod_pending_change *change, bool apply);

bool ftrace_mod_pending_concerns(const struct ftrace_ops_hash *hash, bool exclude,
				 const struct list_head *patterns, bool reset,
				 const struct ftrace_pattern *pattern);
const char *ftrace_mod_pending_line(const struct ftrace_ops_hash *hash, bool exclude,
				    loff_t *nr);

#endif /* _TRACE_FILTER_MOD_PENDING_H */
