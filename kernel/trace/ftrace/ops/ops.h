/* SPDX-License-Identifier: GPL-2.0 */
/* struct ftrace_ops: registration, and edits of its filters. */
#ifndef _TRACE_FTRACE_OPS_OPS_H
#define _TRACE_FTRACE_OPS_OPS_H

#include <linux/ftrace.h>

/* The filters of set_ftrace_filter and set_ftrace_notrace of the top instance. */
extern struct ftrace_ops_hash ftrace_global_hash;

/**
 * struct ftrace_read_filters - filters that callbacks read, and that belong to no registered ops
 * @link: node in the list of all of them
 * @hash: the filters
 */
struct ftrace_read_filters {
	struct list_head	link;
	struct ftrace_ops_hash	*hash;
};

void ftrace_read_filters_add(struct ftrace_read_filters *filters);
void ftrace_read_filters_del(struct ftrace_read_filters *filters);
void ftrace_filters_refresh(struct ftrace_ops_hash *hash);

void ftrace_ops_init(struct ftrace_ops *ops);
int ftrace_ops_register(struct ftrace_ops *ops, bool *was_listed);
int ftrace_ops_detach(struct ftrace_ops *ops);

typedef struct ftrace_hash *(*ftrace_hash_edit_t)(struct ftrace_hash *old,
						  const void *data);
int ftrace_ops_edit_hash(struct ftrace_ops_hash *hash, bool exclude,
			 ftrace_hash_edit_t edit, const void *data, gfp_t gfp);

int ftrace_switch(bool enabled);

int ftrace_sites_coming(unsigned long start, unsigned long end);
void ftrace_sites_going(struct module *mod, unsigned long start, unsigned long end);

#endif /* _TRACE_FTRACE_OPS_OPS_H */
