/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Words of filters about modules that are not there.
 */
#ifndef _TRACE_FILTER_WAITING_H
#define _TRACE_FILTER_WAITING_H

#include <linux/ftrace.h>
#include <linux/list.h>

#include "lib/pattern.h"

#ifdef CONFIG_MODULES

bool ftrace_waiting_may(const struct ftrace_pattern *pattern);
int ftrace_waiting_add(struct list_head *words, const struct ftrace_pattern *pattern);
void ftrace_waiting_cut(struct list_head *words, struct list_head *last);
struct ftrace_hash *ftrace_waiting_find(const struct list_head *words);

void ftrace_waiting_lock(void);
void ftrace_waiting_unlock(void);
bool ftrace_waiting_plan(const struct ftrace_ops_hash *hash, bool exclude,
			 struct list_head *words, bool reset, bool *before);
void ftrace_waiting_settle(const struct ftrace_ops_hash *hash, bool exclude,
			   struct list_head *words, bool apply);
void ftrace_waiting_drop(const struct ftrace_ops_hash *hash);

const char *ftrace_waiting_line(const struct ftrace_ops_hash *hash, bool exclude,
				loff_t *nr);

#else

static inline bool ftrace_waiting_may(const struct ftrace_pattern *pattern)
{
	return false;
}

static inline int ftrace_waiting_add(struct list_head *words,
				     const struct ftrace_pattern *pattern)
{
	return -EINVAL;
}

static inline void ftrace_waiting_cut(struct list_head *words,
				      struct list_head *last) { }

static inline struct ftrace_hash *ftrace_waiting_find(const struct list_head *words)
{
	return NULL;
}

static inline void ftrace_waiting_lock(void) { }
static inline void ftrace_waiting_unlock(void) { }

static inline bool ftrace_waiting_plan(const struct ftrace_ops_hash *hash,
				       bool exclude, struct list_head *words,
				       bool reset, bool *before)
{
	*before = false;
	return false;
}

static inline void ftrace_waiting_settle(const struct ftrace_ops_hash *hash,
					 bool exclude, struct list_head *words,
					 bool apply) { }
static inline void ftrace_waiting_drop(const struct ftrace_ops_hash *hash) { }

static inline const char *ftrace_waiting_line(const struct ftrace_ops_hash *hash,
					      bool exclude, loff_t *nr)
{
	return NULL;
}

#endif /* CONFIG_MODULES */
#endif /* _TRACE_FILTER_WAITING_H */
