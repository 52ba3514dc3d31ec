/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Histograms of events.
 *
 * A trigger has a struct hist: the programs of its keys, values, variables and actions. The
 * counts are in a struct hist_table, which triggers of the same name share.
 */
#ifndef _TRACE_HIST_HIST_H
#define _TRACE_HIST_HIST_H

#include <linux/kref.h>
#include <linux/list.h>
#include <linux/rcupdate.h>
#include <linux/types.h>

#include "hist/core/hist_map.h"
#include "hist/core/hist_value.h"
#include "hist/core/hist_params.h"

struct hist_action;
struct trace_array;
struct trace_event_call;
struct trace_event_file;
struct trace_trigger;
struct trace_trigger_run;

#define HIST_KEYS_MAX		3
/* The first value is the count of hits. */
#define HIST_VALS_MAX		17
#define HIST_SORT_MAX		2
#define HIST_KEY_WORDS_MAX	(HIST_KEYS_MAX * (VALUE_TEXT_MAX / 8))
#define HIST_SIZE_DEFAULT	2048
#define HIST_SIZE_MIN		128
#define HIST_SIZE_MAX		131072

/**
 * struct hist_table - the counts of a histogram
 * @ref: reference count of triggers and readers
 * @rcu: frees it after a grace period
 * @map: the elements; replaced under trace_event_lock
 */
struct hist_table {
	struct kref		ref;
	struct rcu_head		rcu;
	struct hist_map __rcu	*map;
};

/**
 * struct hist_sort - a sort key
 * @nr: number of the value: keys are after the other values
 * @descending: highest value first
 */
struct hist_sort {
	unsigned int	nr;
	bool		descending;
};

/**
 * struct hist_ref - a reference to a variable of another histogram
 * @hist: the histogram, with a reference
 * @var: index of the variable
 * @once: the variable is unset when it is read
 */
struct hist_ref {
	struct hist	*hist;
	unsigned int	var;
	bool		once;
};

/**
 * struct hist_var - a variable
 * @name: its name
 * @value: value that it is set to; stored in the values of an element
 */
struct hist_var {
	char			*name;
	struct hist_value	value;
};

/**
 * struct hist - the histogram of a trigger
 * @list: entry in hist_all, while the trigger exists; trace_event_lock
 * @ref: reference count: the trigger, readers, and references to its variables
 * @rcu: frees it after a grace period
 * @tr: the instance
 * @call: the event
 * @trigger: its trigger
 * @name: name that it shares its table by, or NULL
 * @filter: text of the trigger's filter, or NULL
 * @begin: text of the trigger, up to its parameter size
 * @actions_text: text of its actions
 * @clock: clock that the instance must use for it, or NULL
 * @size: size of the map
 * @nohitcount: the count of hits is not shown
 * @times: it uses the time stamp
 * @comms: offset of the task's comm in the values of an element, 0 if it is not stored
 * @mask_at: offset of the bits of the variables that are set, in the values of an element
 * @number_keys: all keys are numbers
 * @key_words: number of words of a key
 * @value_words: number of words of the values of an element
 * @key: its keys
 * @nr_keys: number of keys
 * @val: its sums; the first is the count of hits
 * @nr_vals: number of sums
 * @var: its variables
 * @nr_vars: number of variables
 * @sort: its sort keys
 * @nr_sort: number of sort keys
 * @refs: variables of other histograms that it reads
 * @nr_refs: number of @refs
 * @users: number of references to its own variables; trace_event_lock
 * @helper: it was created for a field that another histogram reads, and is removed with that
 *	one
 * @action: its actions
 * @nr_actions: number of actions
 * @table: the counts
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
	char			*actions_text;
	char			*clock;
	unsigned int		size;
	bool			nohitcount;
	bool			times;
	unsigned int		comms;
	unsigned int		mask_at;
	bool			number_keys;
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

/* Histograms of all triggers, in the order of their creation; trace_event_lock. */
extern struct list_head hist_all;

/* hist_value_nr - get a value by its number in struct hist_sort */
static inline struct hist_value *hist_value_nr(struct hist *hist, unsigned int nr)
{
	return nr < hist->nr_vals ? &hist->val[nr] : &hist->key[nr - hist->nr_vals];
}

#endif /* _TRACE_HIST_HIST_H */
