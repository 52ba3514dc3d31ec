// SPDX-License-Identifier: GPL-2.0
/*
 * Events by words: set_event, boot parameters, and functions of the kernel.
 *
 * A word about a module that is not there waits, and is obeyed each time that such a module
 * is loaded, before any of its code runs.
 */
#define pr_fmt(fmt) "tracing: " fmt

#include <linux/cleanup.h>
#include <linux/err.h>
#include <linux/export.h>
#include <linux/lockdep.h>
#include <linux/module.h>
#include <linux/preempt.h>
#include <linux/printk.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "event/control/event_set.h"
#include "event/core/event_list.h"
#include "event/core/event_spec.h"
#include "event/record/event_file.h"
#include "event/record/event_instance.h"
#include "instance/core/instance.h"

static bool event_set_matches(struct trace_array *tr, const struct event_spec *word,
			      struct trace_event_call *call)
{
	return trace_event_switchable(call) && trace_event_spec_fits(word, call) &&
	       trace_event_in(tr, call);
}

static bool event_set_matches_any(struct trace_array *tr, const struct event_spec *word)
{
	struct trace_event_call *call;

	list_for_each_entry(call, &trace_event_calls, list) {
		if (event_set_matches(tr, word, call))
			return true;
	}

	return false;
}

/* Return: 0, or the first error, after which others are tried */
static int event_set_matching(struct trace_array *tr, const struct event_spec *word)
{
	struct trace_event_call *call;
	int err, ret = 0;

	list_for_each_entry(call, &trace_event_calls, list) {
		if (!event_set_matches(tr, word, call))
			continue;
		err = trace_event_set(tr, call, word->on);
		ret = ret ?: err;
	}

	return ret;
}

/**
 * trace_events_set - enable events in an instance, or disable them
 * @tr: the instance
 * @system: a glob for their system, NULL for any
 * @event: a glob for their name, NULL for any
 * @on: whether they are to be enabled
 *
 * trace_event_lock held. May sleep.
 *
 * Return: 0; -EINVAL if there is no such event; or the first error, while the others are
 * enabled
 */
int trace_events_set(struct trace_array *tr, const char *system, const char *event,
		     bool on)
{
	struct event_spec word = { .system = system, .event = event, .on = on };

	lockdep_assert_held(&trace_event_lock);

	return event_set_matches_any(tr, &word) ? event_set_matching(tr, &word) : -EINVAL;
}

/*
 * Words that wait for a module
 */

/**
 * trace_event_spec_pending - is a word obeyed only when a module comes?
 * @word: only its module matters
 *
 * Return: false if the word names a module that is there, or none
 */
bool trace_event_spec_pending(const struct event_spec *word)
{
#ifdef CONFIG_MODULES
	const struct module *mod;

	if (!word->module)
		return false;

	guard(preempt)();

	/* There is no module with the name of a glob. One that comes may have no events yet. */
	mod = find_module(word->module);

	return !mod || mod->state != MODULE_STATE_LIVE;
#else
	return false;
#endif
}

static struct event_spec *event_set_find_cancelled(struct trace_array *tr,
						   const struct event_spec *word)
{
	struct event_spec *each;

	list_for_each_entry(each, &tr->events->words, list) {
		if (trace_event_spec_cancels(word, each))
			return each;
	}

	return NULL;
}

static void event_set_cancel(struct trace_array *tr, const struct event_spec *word)
{
	struct event_spec *each;

	while ((each = event_set_find_cancelled(tr, word))) {
		list_del(&each->list);
		kfree(each);
	}
}

static void event_set_keep(struct trace_array *tr, struct event_spec *word)
{
	struct event_spec *each;

	list_for_each_entry(each, &tr->events->words, list) {
		if (!strcmp(each->text, word->text)) {
			kfree(word);
			return;
		}
	}

	list_add_tail(&word->list, &tr->events->words);
}

/**
 * trace_events_of_module - obey the words that wait for a module
 * @mod: the module, whose events have come
 *
 * trace_event_lock held. May sleep.
 */
void trace_events_of_module(struct module *mod)
{
	struct trace_events *events;

	lockdep_assert_held(&trace_event_lock);

	trace_event_for_each_instance(events) {
		struct event_spec *each;

		list_for_each_entry(each, &events->words, list) {
			struct event_spec word = *each;

			if (!trace_event_spec_fits_module(each, mod))
				continue;

			/* Other modules that fit have what was made of their events since. */
			word.module = module_name(mod);
			if (event_set_matching(events->tr, &word))
				pr_warn("%s: not all events are enabled\n",
					each->text);
		}
	}
}

/*
 * Obeying words
 */

/**
 * trace_event_spec_check - can a word be obeyed?
 * @tr: the instance
 * @word: is only looked at and stays the caller's
 *
 * trace_event_lock held.
 *
 * Return: 0; -EINVAL if it means no event; -ENODEV if the instance has none (any more)
 */
int trace_event_spec_check(struct trace_array *tr, const struct event_spec *word)
{
	lockdep_assert_held(&trace_event_lock);

	if (!tr->events)
		return -ENODEV;
	if (event_set_matches_any(tr, word))
		return 0;
	if (word->on)
		return trace_event_spec_pending(word) ? 0 : -EINVAL;

	return event_set_find_cancelled(tr, word) ? 0 : -EINVAL;
}

/**
 * trace_event_spec_apply - do what a word says
 * @tr: the instance
 * @word: the word, which trace_event_spec_check() let pass and is in no list; the caller
 *	does not have it any more
 *
 * trace_event_lock held since then. May sleep.
 *
 * Return: 0, or the first error, after which others of the events are tried
 */
int trace_event_spec_apply(struct trace_array *tr, struct event_spec *word)
{
	int err = event_set_matching(tr, word);

	if (!word->on)
		event_set_cancel(tr, word);

	if (word->on && word->module && !event_set_matches_any(tr, word))
		event_set_keep(tr, word);
	else
		kfree(word);

	return err;
}

/**
 * trace_events_apply - do what a word says, if it means events
 * @tr: the instance
 * @text: the word
 *
 * trace_event_lock held. May sleep.
 *
 * Return: 0; an error of trace_event_spec_parse(), trace_event_spec_check(), or
 * trace_event_spec_apply()
 */
int trace_events_apply(struct trace_array *tr, const char *text)
{
	struct event_spec *word = trace_event_spec_parse(text, strlen(text));
	int err;

	if (IS_ERR(word))
		return PTR_ERR(word);

	err = trace_event_spec_check(tr, word);
	if (err) {
		kfree(word);
		return err;
	}

	return trace_event_spec_apply(tr, word);
}

/**
 * trace_set_clr_event - enable events in the top instance, or disable them
 * @system: of the events, NULL for any
 * @event: which one, NULL for any
 * @set: whether they are to be enabled
 *
 * May sleep.
 *
 * Return: as trace_events_set()
 */
int trace_set_clr_event(const char *system, const char *event, int set)
{
	return trace_array_set_clr_event(&trace_top, system, event, set);
}
EXPORT_SYMBOL_GPL(trace_set_clr_event);

/**
 * trace_array_set_clr_event - enable events in an instance, or disable them
 * @tr: the instance
 * @system: of the events, NULL for any
 * @event: which one, NULL for any
 * @enable: whether they are to be enabled
 *
 * May sleep.
 *
 * Return: -ENOENT without an instance; otherwise as trace_events_set()
 */
int trace_array_set_clr_event(struct trace_array *tr, const char *system,
			      const char *event, bool enable)
{
	if (!tr)
		return -ENOENT;

	guard(mutex)(&trace_event_lock);

	return trace_events_set(tr, system, event, enable);
}
EXPORT_SYMBOL_GPL(trace_array_set_clr_event);
