// SPDX-License-Identifier: GPL-2.0
/*
 * Options of a single tracer, which are set per instance; and access to options by name, both
 * of the instance and of tracers.
 */
#define pr_fmt(fmt) "tracing: " fmt

#include <linux/cleanup.h>
#include <linux/init.h>
#include <linux/printk.h>
#include <linux/slab.h>
#include <linux/string.h>

#include <asm/setup.h>

#include "instance/core/instance.h"
#include "instance/core/options.h"
#include "instance/tracer/tracer.h"
#include "instance/tracer/tracer_options.h"
#include "lib/boot_list.h"

/**
 * struct tracer_state - data of a tracer in an instance
 * @list: entry in trace_array.tracers
 * @tracer: the tracer, which is never freed
 * @flags: its options in the instance
 */
struct tracer_state {
	struct list_head	list;
	struct tracer		*tracer;
	u32			flags;
};

/* The part of trace_options= that is still pending; trace_lock. */
static char boot_options[COMMAND_LINE_SIZE] __initdata;

static int __init tracer_options_boot_setup(char *str)
{
	return boot_list_append(boot_options, sizeof(boot_options), str);
}
__setup("trace_options=", tracer_options_boot_setup);

static struct tracer_state *tracer_options_state(struct trace_array *tr,
						 const struct tracer *tracer)
{
	struct tracer_state *state;

	lockdep_assert_held(&trace_lock);

	list_for_each_entry(state, &tr->tracers, list) {
		if (state->tracer == tracer)
			return state;
	}

	return NULL;
}

static int tracer_options_state_add(struct trace_array *tr, struct tracer *tracer)
{
	struct tracer_state *state = kzalloc(sizeof(*state), GFP_KERNEL);

	if (!state)
		return -ENOMEM;

	state->tracer = tracer;
	state->flags = tracer->flags;
	list_add_tail(&state->list, &tr->tracers);

	return 0;
}

/**
 * tracer_options_create - create the tracer options of a new instance
 * @tr: the instance
 *
 * trace_lock held.
 *
 * Return: 0, or -ENOMEM without creating any.
 */
int tracer_options_create(struct trace_array *tr)
{
	struct tracer *tracer;

	INIT_LIST_HEAD(&tr->tracers);

	list_for_each_entry(tracer, &trace_tracers, list) {
		if (tracer_options_state_add(tr, tracer)) {
			tracer_options_destroy(tr);
			return -ENOMEM;
		}
	}

	return 0;
}

/**
 * tracer_options_destroy - undo tracer_options_create()
 * @tr: the instance
 */
void tracer_options_destroy(struct trace_array *tr)
{
	struct tracer_state *state, *next;

	list_for_each_entry_safe(state, next, &tr->tracers, list) {
		list_del(&state->list);
		kfree(state);
	}
}

static void tracer_options_state_remove(struct trace_array *tr, struct tracer *tracer)
{
	struct tracer_state *state = tracer_options_state(tr, tracer);

	if (!state)
		return;

	list_del(&state->list);
	kfree(state);
}

/**
 * tracer_options_add - create the options of a new tracer in all instances
 * @tracer: the tracer, which is not in the list yet
 *
 * trace_lock held.
 *
 * Return: 0, or -ENOMEM without creating any.
 */
int tracer_options_add(struct tracer *tracer)
{
	struct trace_array *tr;

	list_for_each_entry(tr, &trace_instances, list) {
		if (tracer_options_state_add(tr, tracer))
			goto undo;
	}

	return 0;

undo:
	list_for_each_entry_continue_reverse(tr, &trace_instances, list)
		tracer_options_state_remove(tr, tracer);
	return -ENOMEM;
}

/**
 * tracer_options_remove - undo tracer_options_add()
 * @tracer: the tracer, which is no longer in the list
 *
 * trace_lock held.
 */
void __init tracer_options_remove(struct tracer *tracer)
{
	struct trace_array *tr;

	list_for_each_entry(tr, &trace_instances, list)
		tracer_options_state_remove(tr, tracer);
}

/**
 * tracer_flags - get the options of a tracer that are set in an instance
 * @tr: the instance
 * @tracer: the tracer; the return value is 0 if the instance has no data for it
 *
 * trace_lock held.
 */
u32 tracer_flags(struct trace_array *tr, const struct tracer *tracer)
{
	struct tracer_state *state = tracer_options_state(tr, tracer);

	return state ? state->flags : 0;
}

/**
 * tracer_find_option - find an option of a single tracer
 * @name: name of the option
 * @owner: set to the tracer
 *
 * Return: the option, or NULL. trace_lock held.
 */
const struct tracer_option *tracer_find_option(const char *name,
					       struct tracer **owner)
{
	const struct tracer_option *option;
	struct tracer *tracer;

	lockdep_assert_held(&trace_lock);

	list_for_each_entry(tracer, &trace_tracers, list) {
		for (option = tracer->options; option && option->name; option++) {
			if (!strcmp(option->name, name)) {
				*owner = tracer;
				return option;
			}
		}
	}

	return NULL;
}

/**
 * tracer_option_name - get the name of a tracer option by index
 * @nr: index from 0, counted over all tracers
 *
 * Return: the name, or NULL if @nr is out of range.
 */
const char *tracer_option_name(unsigned int nr)
{
	const struct tracer_option *option;
	struct tracer *tracer;

	guard(mutex)(&trace_lock);

	list_for_each_entry(tracer, &trace_tracers, list) {
		for (option = tracer->options; option && option->name; option++) {
			if (!nr--)
				return option->name;
		}
	}

	return NULL;
}

/* Return: 0, or the tracer's error with the option unchanged. */
static int tracer_options_set(struct trace_array *tr, struct tracer *tracer,
			      u32 bit, bool on)
{
	struct tracer_state *state = tracer_options_state(tr, tracer);
	int ret = 0;

	if (!state || !!(state->flags & bit) == on)
		return 0;

	if (tracer->set_option)
		ret = tracer->set_option(tr, bit, on);
	if (!ret)
		state->flags ^= bit;

	return ret;
}

/**
 * trace_option_set_name - set or clear an option of the instance or of a tracer
 * @tr: the instance
 * @name: name of the option
 * @on: true to set it, false to clear it
 *
 * trace_lock held.
 *
 * Return: 0, -EINVAL if there is no such option, or the option's error, with the option
 * unchanged.
 */
int trace_option_set_name(struct trace_array *tr, const char *name, bool on)
{
	const struct tracer_option *own;
	struct tracer *tracer;
	int i;

	i = trace_option_find(name);
	if (i >= 0)
		return trace_option_set(tr, i, on);

	own = tracer_find_option(name, &tracer);
	if (!own)
		return -EINVAL;

	return tracer_options_set(tr, tracer, own->bit, on);
}

/* @text is the name of an option, prefixed with "no" to clear the option. */
static int tracer_options_set_by_text(struct trace_array *tr, const char *text)
{
	bool on = !strstarts(text, "no");

	return trace_option_set_name(tr, on ? text : text + strlen("no"), on);
}

/**
 * trace_option_write - set or clear an option as written to trace_options
 * @tr: the instance
 * @text: name of an option, prefixed with "no" to clear the option
 *
 * Takes trace_lock.
 *
 * Return: same as trace_option_set_name().
 */
int trace_option_write(struct trace_array *tr, const char *text)
{
	guard(mutex)(&trace_lock);

	return tracer_options_set_by_text(tr, text);
}

/**
 * trace_option_apply_boot - apply the options of trace_options= that are already known
 * @tr: the instance
 *
 * Options of tracers that are not registered yet are set by a later call. trace_lock held.
 */
void __init trace_option_apply_boot(struct trace_array *tr)
{
	char *rest = boot_options, *left = boot_options;
	size_t len;
	char *text;

	lockdep_assert_held(&trace_lock);

	while ((text = strsep(&rest, ","))) {
		if (!*text || !tracer_options_set_by_text(tr, text))
			continue;
		if (left != boot_options)
			*left++ = ',';
		len = strlen(text);
		memmove(left, text, len);
		left += len;
	}
	*left = '\0';
}

/* All tracers are registered. */
static int __init tracer_options_boot_check(void)
{
	char *rest = boot_options, *text;

	while ((text = strsep(&rest, ","))) {
		if (*text)
			pr_warn("trace_options=%s: no such option\n", text);
	}

	return 0;
}
late_initcall_sync(tracer_options_boot_check);
