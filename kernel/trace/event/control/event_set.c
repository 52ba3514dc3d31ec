// SPDX-License-Identifier: GPL-2.0
/*
 * Enabling of events by specifier: set_event, boot parameters, and functions of the kernel.
 *
 * A specifier for a module that is not loaded is pending. It is applied each time that such a
 * module is loaded, before any of its code runs.
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

static bool event_set_matches(struct trace_array *tr, const struct event_spec *spec,
			      struct trace_event_call *call)
{
	return trace_event_switchable(call) && trace_event_spec_fits(spec, call) &&
	       trace_event_in(tr, call);
}

static bool event_set_matches_any(struct trace_array *tr, const struct event_spec *spec)
{
	struct trace_event_call *call;

	list_for_each_entry(call, &trace_event_calls, list) {
		if (event_set_matches(tr, spec, call))
			return true;
	}

	return false;
}

/* Return: 0, or the first error, after which the remaining events are still processed */
static int event_set_matching(struct trace_array *tr, const struct event_spec *spec)
{
	struct trace_event_call *call;
	int err, ret = 0;

	/* Opening set_event often finds nothing to disable. */
	if (!spec->on && !(tr->events && tr->events->enabled))
		return 0;

	list_for_each_entry(call, &trace_event_calls, list) {
		if (!event_set_matches(tr, spec, call))
			continue;
		err = trace_event_set(tr, call, spec->on);
		ret = ret ?: err;
	}

	return ret;
}

/**
 * trace_events_set - enable or disable events in an instance
 * @tr: the instance
 * @system: glob for their system, NULL for any
 * @event: glob for their name, NULL for any
 * @on: true to enable them
 *
 * trace_event_lock held.
 *
 * Return: 0; -EINVAL if there is no such event; or the first error, with the other events
 * enabled
 */
int trace_events_set(struct trace_array *tr, const char *system, const char *event,
		     bool on)
{
	struct event_spec spec = { .system = system, .event = event, .on = on };

	lockdep_assert_held(&trace_event_lock);

	return event_set_matches_any(tr, &spec) ? event_set_matching(tr, &spec) : -EINVAL;
}

/* Specifiers pending for a module */

/**
 * trace_event_spec_pending - check whether a specifier is deferred until a module is loaded
 * @spec: the event specifier; only its module matters
 *
 * Return: false if the specifier names a loaded module, or no module
 */
bool trace_event_spec_pending(const struct event_spec *spec)
{
#ifdef CONFIG_MODULES
	const struct module *mod;

	if (!spec->module)
		return false;

	guard(preempt)();

	/* A glob is not the name of a module. A module being loaded may not have its events yet. */
	mod = find_module(spec->module);

	return !mod || mod->state != MODULE_STATE_LIVE;
#else
	return false;
#endif
}

static struct event_spec *event_set_find_cancelled(struct trace_array *tr,
						   const struct event_spec *spec)
{
	struct event_spec *each;

	list_for_each_entry(each, &tr->events->specs, list) {
		if (trace_event_spec_cancels(spec, each))
			return each;
	}

	return NULL;
}

static void event_set_cancel(struct trace_array *tr, const struct event_spec *spec)
{
	struct event_spec *each;

	while ((each = event_set_find_cancelled(tr, spec))) {
		list_del(&each->list);
		kfree(each);
	}
}

static void event_set_keep(struct trace_array *tr, struct event_spec *spec)
{
	struct event_spec *each;

	list_for_each_entry(each, &tr->events->specs, list) {
		if (!strcmp(each->text, spec->text)) {
			kfree(spec);
			return;
		}
	}

	list_add_tail(&spec->list, &tr->events->specs);
}

/**
 * trace_events_of_module - apply the specifiers that are pending for a module
 * @mod: the module, whose events were added
 *
 * trace_event_lock held. May sleep.
 */
void trace_events_of_module(struct module *mod)
{
	struct trace_events *events;

	lockdep_assert_held(&trace_event_lock);

	trace_event_for_each_instance(events) {
		struct event_spec *each;

		list_for_each_entry(each, &events->specs, list) {
			struct event_spec spec = *each;

			if (!trace_event_spec_fits_module(each, mod))
				continue;

			/*
			 * Restrict the specifier to this module: events of others may have been
			 * changed since.
			 */
			spec.module = module_name(mod);
			if (event_set_matching(events->tr, &spec))
				pr_warn("%s: not all events are enabled\n",
					each->text);
		}
	}
}

/* Applying specifiers */

/**
 * trace_event_spec_check - check whether a specifier can be applied
 * @tr: the instance
 * @spec: the event specifier, which remains owned by the caller
 *
 * trace_event_lock held.
 *
 * Return: 0; -EINVAL if it matches no event; -ENODEV if the instance has no events, or no
 * longer has them
 */
int trace_event_spec_check(struct trace_array *tr, const struct event_spec *spec)
{
	lockdep_assert_held(&trace_event_lock);

	if (!tr->events)
		return -ENODEV;
	if (event_set_matches_any(tr, spec))
		return 0;
	if (spec->on)
		return trace_event_spec_pending(spec) ? 0 : -EINVAL;

	return event_set_find_cancelled(tr, spec) ? 0 : -EINVAL;
}

/**
 * trace_event_spec_apply - apply an event specifier
 * @tr: the instance
 * @spec: the event specifier, accepted by trace_event_spec_check() and in no list; ownership is
 *	passed to this function
 *
 * trace_event_lock held since then. May sleep.
 *
 * An error does not end the processing of the remaining events.
 *
 * Return: 0, or the first error
 */
int trace_event_spec_apply(struct trace_array *tr, struct event_spec *spec)
{
	int err = event_set_matching(tr, spec);

	if (!spec->on)
		event_set_cancel(tr, spec);

	if (spec->on && spec->module && !event_set_matches_any(tr, spec))
		event_set_keep(tr, spec);
	else
		kfree(spec);

	return err;
}

/**
 * trace_events_apply - parse and apply an event specifier, if it matches events
 * @tr: the instance
 * @text: the specifier
 *
 * trace_event_lock held. May sleep.
 *
 * Return: 0; an error of trace_event_spec_parse(), trace_event_spec_check(), or
 * trace_event_spec_apply()
 */
int trace_events_apply(struct trace_array *tr, const char *text)
{
	struct event_spec *spec = trace_event_spec_parse(text, strlen(text));
	int err;

	if (IS_ERR(spec))
		return PTR_ERR(spec);

	err = trace_event_spec_check(tr, spec);
	if (err) {
		kfree(spec);
		return err;
	}

	return trace_event_spec_apply(tr, spec);
}

/**
 * trace_set_clr_event - enable or disable events in the top instance
 * @system: system of the events, NULL for any
 * @event: name of the event, NULL for any
 * @set: nonzero to enable them
 *
 * May sleep.
 *
 * Return: same as trace_events_set()
 */
int trace_set_clr_event(const char *system, const char *event, int set)
{
	return trace_array_set_clr_event(&trace_top, system, event, set);
}
EXPORT_SYMBOL_GPL(trace_set_clr_event);

/**
 * trace_array_set_clr_event - enable or disable events in an instance
 * @tr: the instance
 * @system: system of the events, NULL for any
 * @event: name of the event, NULL for any
 * @enable: true to enable them
 *
 * May sleep.
 *
 * Return: -ENOENT if @tr is NULL; otherwise same as trace_events_set()
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
