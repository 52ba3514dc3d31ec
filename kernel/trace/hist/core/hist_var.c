// SPDX-License-Identifier: GPL-2.0
/*
 * Lookup of variables of histograms.
 */
#include <linux/err.h>
#include <linux/string.h>
#include <linux/trace_events.h>

#include "hist/core/hist_var.h"

/**
 * hist_var_own - find a variable among the variables that a trigger sets
 * @params: the trigger
 * @name: name of the variable
 *
 * Return: its index, or -1
 */
int hist_var_own(const struct hist_params *params, const char *name)
{
	unsigned int i;

	for (i = 0; i < params->nr_vars; i++) {
		if (!strcmp(params->vars[i].name, name))
			return i;
	}

	return -1;
}

/**
 * hist_is_of - check whether a histogram belongs to an event
 * @hist: the histogram
 * @event: "system.event"
 */
bool hist_is_of(const struct hist *hist, const char *event)
{
	const char *system = hist->call->class->system;
	size_t len = strlen(system);

	return !strncmp(event, system, len) && event[len] == '.' &&
	       !strcmp(event + len + 1, trace_event_name(hist->call));
}

/**
 * hist_keys_match - check whether keys of two histograms are comparable
 * @a: a histogram
 * @b: another histogram
 */
bool hist_keys_match(const struct hist *a, const struct hist *b)
{
	unsigned int i;

	if (a->nr_keys != b->nr_keys)
		return false;
	for (i = 0; i < a->nr_keys; i++) {
		if (a->key[i].kind != b->key[i].kind || a->key[i].words != b->key[i].words)
			return false;
	}

	return true;
}

/**
 * hist_var_of - find a variable of a histogram
 * @hist: the histogram
 * @name: name of the variable
 *
 * Return: its index, or -1
 */
int hist_var_of(const struct hist *hist, const char *name)
{
	unsigned int i;

	for (i = 0; i < hist->nr_vars; i++) {
		if (!strcmp(hist->var[i].name, name))
			return i;
	}

	return -1;
}

/**
 * hist_var_find - find a variable of another histogram
 * @tr: the instance
 * @event: "system.event" of the event that has the histogram; NULL for any
 * @name: name of the variable
 * @like: a histogram whose keys match
 * @var: set to its index
 *
 * trace_event_lock held.
 *
 * Return: the histogram, or NULL; -EEXIST if the variable is not unique
 */
struct hist *hist_var_find(struct trace_array *tr, const char *event, const char *name,
			   const struct hist *like, unsigned int *var)
{
	struct hist *hist, *found = NULL;

	list_for_each_entry(hist, &hist_all, list) {
		int nr = hist_var_of(hist, name);

		if (nr < 0 || hist->tr != tr || (event && !hist_is_of(hist, event)) ||
		    !hist_keys_match(hist, like))
			continue;
		if (found && found->table != hist->table)
			return ERR_PTR(-EEXIST);
		found = hist;
		*var = nr;
	}

	return found;
}
