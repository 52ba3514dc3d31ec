/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Words of filters that wait for a module.
 */
#ifndef _TRACE_FILTER_MOD_PENDING_H
#define _TRACE_FILTER_MOD_PENDING_H

#include <linux/types.h>

struct ftrace_hash;
struct ftrace_ops_hash;
struct ftrace_pattern;
struct ftrace_mod_pending;
struct list_head;
struct module;

/* The words of an edit */

bool ftrace_mod_pending_possible(const struct ftrace_pattern *pattern);
int ftrace_mod_pending_add(struct list_head *words, const struct ftrace_pattern *pattern);
void ftrace_mod_pending_truncate(struct list_head *words, struct list_head *last);
struct ftrace_hash *ftrace_mod_pending_match(const struct list_head *words,
					     struct module *mod);

/* The words of a filter */

/**
 * struct ftrace_mod_pending_change - other words that are to wait for a filter
 * @old: the filter's words so far, NULL if there are none
 * @new: its words when the change has taken effect, NULL for none
 * @adds_before: some words of @old wait to add functions
 * @adds_after: some words of @new do
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
			       const struct list_head *words, bool reset);
void ftrace_mod_pending_finish(struct ftrace_mod_pending_change *change, bool apply);

bool ftrace_mod_pending_concerns(const struct ftrace_ops_hash *hash, bool exclude,
				 const struct list_head *words, bool reset,
				 const struct ftrace_pattern *pattern);
const char *ftrace_mod_pending_line(const struct ftrace_ops_hash *hash, bool exclude,
				    loff_t *nr);

#endif /* _TRACE_FILTER_MOD_PENDING_H */
