/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Histograms of events.
 *
 * A trigger has a struct hist: the programs of its keys, values, variables and actions. What it
 * counts is in a struct hist_table, which triggers of the same name share.
 */
#ifndef _TRACE_HIST_HIST_H
#define _TRACE_HIST_HIST_H

#include <linux/kref.h>
#include <linux/list.h>
#include <linux/rcupdate.h>
#include <linux/types.h>

#include "hist/hist_map.h"
#include "hist/hist_value.h"
#include "hist/hist_words.h"

struct hist_action;
struct trace_array;
struct trace_event_call;
struct trace_event_file;
struct trace_trigger;
struct trace_trigger_run;

#define HIST_KEYS_MAX		3
/* The count of hits comes first. */
#define HIST_VALS_MAX		17
#define HIST_SORT_MAX		2
#define HIST_KEY_WORDS_MAX	(HIST_KEYS_MAX * (VALUE_TEXT_MAX / 8))
#define HIST_SIZE_DEFAULT	2048
#define HIST_SIZE_MIN		128
#define HIST_SIZE_MAX		131072

/**
 * struct hist_table - what is counted
 * @ref: triggers and readers that have it
 * @rcu: frees it after a grace period
 * @map: the elements; replaced under trace_event_lock
 */
struct hist_table {
	struct kref		ref;
	struct rcu_head		rcu;
	struct hist_map __rcu	*map;
};

/**
 * struct hist_sort - a value that elements are sorted by
 * @nr: of the value: keys come behind the others
 * @descending: the highest is first
 */
struct hist_sort {
	unsigned int	nr;
	bool		descending;
};

/**
 * struct hist_ref - a variable of another histogram
 * @hist: the histogram, which is kept
 * @var: which of its variables
 * @once: it is not set any more when it was read
 */
struct hist_ref {
	struct hist	*hist;
	unsigned int	var;
	bool		once;
};

/**
 * struct hist_var - a variable
 * @name: its name
 * @value: what it is set to; kept in the values of an element
 */
struct hist_var {
	char			*name;
	struct hist_value	value;
};

/**
 * struct hist - what a trigger counts, and how
 * @list: in hist_all, while the trigger is there; trace_event_lock
 * @ref: the trigger, readers, and references to its variables
 * @rcu: frees it after a grace period
 * @tr: the instance
 * @call: the event
 * @trigger: of which it is
 * @name: that it shares its table by, or NULL
 * @filter: of the trigger, or NULL
 * @begin: the trigger as text, up to its size
 * @does: its actions as text
 * @clock: that the instance uses for it, or NULL
 * @size: of the map
 * @nohitcount: the count of hits is not shown
 * @times: it looks at the time
 * @comms: where elements have the name of the task, 0 for nowhere
 * @mask_at: where they have bits for the variables that are set
 * @key_words: words of a key
 * @value_words: words of the values of an element
 * @key: its keys
 * @nr_keys: how many
 * @val: its sums; the first is the count of hits
 * @nr_vals: how many
 * @var: its variables
 * @nr_vars: how many
 * @sort: what elements are sorted by
 * @nr_sort: how many
 * @refs: variables of others that it reads
 * @nr_refs: how many
 * @users: references to its own variables; trace_event_lock
 * @helper: it was made for a field that another one reads, and goes with that one
 * @action: what else it does
 * @nr_actions: how many
 * @table: what was counted
 */
struct hist {
	struct list_head	list;
	struct kref		ref;
	struct rcu_head		rcu;
	struct trace_array	*tr;
	struct trace_event_call	*call;
	struct trace_trigger	*trigger;
	char			*name;
	char			*filter;
	char			*begin;
	char			*does;
	char			*clock;
	unsigned int		size;
	bool			nohitcount;
	bool			times;
	unsigned int		comms;
	unsigned int		mask_at;
	unsigned int		key_words;
	unsigned int		value_words;
	struct hist_value	key[HIST_KEYS_MAX];
	unsigned int		nr_keys;
	struct hist_value	val[HIST_VALS_MAX];
	unsigned int		nr_vals;
	struct hist_var		var[HIST_VARS_MAX];
	unsigned int		nr_vars;
	struct hist_sort	sort[HIST_SORT_MAX];
	unsigned int		nr_sort;
	struct hist_ref		refs[HIST_REFS_MAX];
	unsigned int		nr_refs;
	unsigned int		users;
	bool			helper;
	struct hist_action	*action[HIST_ACTIONS_MAX];
	unsigned int		nr_actions;
	struct hist_table	*table;
};

/* The histograms of all triggers, in the order in which they came; trace_event_lock. */
extern struct list_head hist_all;

/* hist_value_nr - a value by its number in struct hist_sort */
static inline struct hist_value *hist_value_nr(struct hist *hist, unsigned int nr)
{
	return nr < hist->nr_vals ? &hist->val[nr] : &hist->key[nr - hist->nr_vals];
}

#endif /* _TRACE_HIST_HIST_H */
