// SPDX-License-Identifier: GPL-2.0
/*
 * Events by words: set_event, boot parameters, and functions of the kernel.
 *
 *   EVENT		the events of that name, or all those of a system of that name
 *   SYSTEM:EVENT	one event; each part is a glob, and a missing one means all
 *   !...		disable instead of enable
 */
#include <linux/cleanup.h>
#include <linux/err.h>
#include <linux/export.h>
#include <linux/glob.h>
#include <linux/string.h>

#include "event/file.h"
#include "event/registry.h"
#include "event/set.h"
#include "instance/instance.h"

/**
 * struct event_words - which events are meant
 * @any: the name of the event or of its system, NULL for any
 * @system: a glob for its system, NULL for any
 * @event: a glob for its name, NULL for any
 */
struct event_words {
	const char	*any;
	const char	*system;
	const char	*event;
};

static bool fits(const char *glob, const char *name)
{
	return !glob || !*glob || glob_match(glob, name);
}

static bool is_meant(const struct event_words *words, struct trace_event_call *call)
{
	const char *system = call->class->system, *name = trace_event_name(call);

	if (words->any)
		return fits(words->any, name) || fits(words->any, system);

	return fits(words->system, system) && fits(words->event, name);
}

/* Return: 0; -EINVAL if no event is meant; or the first error, after which others are tried. */
static int for_meant(struct trace_array *tr, const struct event_words *words, bool on,
		     bool apply)
{
	struct trace_event_call *call;
	bool found = false;
	int err, ret = 0;

	lockdep_assert_held(&trace_event_lock);

	list_for_each_entry(call, &trace_event_calls, list) {
		if (!trace_event_switchable(call) || !is_meant(words, call) ||
		    !trace_event_in(tr, call))
			continue;

		found = true;
		err = apply ? trace_event_set(tr, call, on) : 0;
		ret = ret ?: err;
	}

	return found ? ret : -EINVAL;
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
	struct event_words words = { .system = system, .event = event };

	return for_meant(tr, &words, on, true);
}

/**
 * trace_events_word - do what a word of set_event says
 * @tr: the instance
 * @word: as the comment at the top of the file has it; it is left as it was
 * @apply: false to see only whether there are such events
 *
 * trace_event_lock held. May sleep.
 *
 * Return: as trace_events_set()
 */
int trace_events_word(struct trace_array *tr, char *word, bool apply)
{
	bool on = *word != '!';
	char *name = on ? word : word + 1;
	char *colon = strchr(name, ':');
	struct event_words words = { };
	int ret;

	if (!*name)
		return -EINVAL;

	if (!colon) {
		words.any = name;
		return for_meant(tr, &words, on, apply);
	}

	*colon = '\0';
	words.system = name;
	words.event = colon + 1;
	ret = for_meant(tr, &words, on, apply);
	*colon = ':';

	return ret;
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
