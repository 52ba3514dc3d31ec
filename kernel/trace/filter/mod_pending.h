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
struct ftrace_waiting;
struct list_head;
struct module;

/* The words of an edit */

bool ftrace_waiting_possible(const struct ftrace_pattern *pattern);
int ftrace_waiting_add(struct list_head *words, const struct ftrace_pattern *pattern);
void ftrace_waiting_truncate(struct list_head *words, struct list_head *last);
struct ftrace_hash *ftrace_waiting_match(const struct list_head *words,
					 struct module *mod);

/* The words of a filter */

/**
 * struct ftrace_waiting_change - other words that are to wait for a filter
 * @old: the filter's words so far, NULL if there are none
 * @new: its words when the change has taken effect, NULL for none
 * @adds_before: some words of @old wait to add functions
 * @adds_after: some words of @new do
 */
struct ftrace_waiting_change {
	struct ftrace_waiting	*old;
	struct ftrace_waiting	*new;
	bool			adds_before;
	bool			adds_after;
};

void ftrace_waiting_lock(void);
void ftrace_waiting_unlock(void);
int ftrace_waiting_prepare(struct ftrace_waiting_change *change,
			   struct ftrace_ops_hash *hash, bool exclude,
			   const struct list_head *words, bool reset);
void ftrace_waiting_finish(struct ftrace_waiting_change *change, bool apply);

bool ftrace_waiting_concerns(const struct ftrace_ops_hash *hash, bool exclude,
			     const struct list_head *words, bool reset,
			     const struct ftrace_pattern *pattern);
const char *ftrace_waiting_line(const struct ftrace_ops_hash *hash, bool exclude,
				loff_t *nr);

#endif /* _TRACE_FILTER_MOD_PENDING_H */
