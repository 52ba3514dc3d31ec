// SPDX-License-Identifier: GPL-2.0
/*
 * Removing dynamic events: by their names, and all of them. What is written either removes all
 * events that it means, or none.
 */
#include <linux/cleanup.h>
#include <linux/list.h>
#include <linux/lockdep.h>
#include <linux/mutex.h>
#include <linux/string.h>
#include <linux/trace_events.h>

#include "event/control/event_add.h"
#include "event/core/event_list.h"
#include "probe/arg/probe_def.h"
#include "probe/core/probe_event.h"

/* Remove an event with all of its probes. */
static int remove_event(struct probe_event *event)
{
	struct probe *probe;
	int err;

	lockdep_assert_held(&probe_lock);

	err = trace_remove_event_call(&event->call);
	if (err)
		return err;

	list_del(&event->list);
	list_for_each_entry(probe, &event->probes, list)
		event->kind->detach(probe);
	probe_event_drop(event);

	return 0;
}

/* Remove one of several probes of an event. */
static int remove_probe(struct probe *probe)
{
	struct probe_event *event = probe->event;

	scoped_guard(mutex, &trace_event_lock) {
		if (event->users)
			return -EBUSY;
		list_move(&probe->list, &event->gone);
	}
	event->kind->detach(probe);

	return 0;
}

/* Is @token "name=text", as written by probe_show() for an argument? */
static bool remove_is_arg(const struct probe_arg *arg, const char *token)
{
	size_t len = strlen(arg->name);

	return strstarts(token, arg->name) && token[len] == '=' &&
	       !strcmp(token + len + 1, arg->text);
}

/* Do the tokens after the name of the event match the place and the arguments of @probe? */
static bool remove_matches(const struct probe *probe, const struct probe_def *def)
{
	unsigned int i;

	if (def->nr == 1)
		return true;
	if (strcmp(def->token[1], probe->where))
		return false;
	for (i = 2; i < def->nr; i++) {
		/* Probes differ in their arguments, not in the filter after them. */
		if (probe->filter && !strcmp(def->token[i], "if"))
			break;
		if (i - 2 >= probe->args.nr ||
		    !remove_is_arg(&probe->args.arg[i - 2], def->token[i]))
			return false;
	}

	return true;
}

/* Is the event meant by "-:NAME"? */
static bool remove_is_named(const struct probe_event *event, const struct probe_kind *kind,
			    const struct probe_name *name)
{
	return (!kind || event->kind == kind) &&
	       (!*name->group || !strcmp(event->system, name->group)) &&
	       (!*name->event || !strcmp(event->call.name, name->event));
}

/* Return: number of probes of the event that match; @all is set if these are all */
static int remove_count_matching(const struct probe_event *event, const struct probe_def *def,
				 bool *all)
{
	const struct probe *probe;
	int nr = 0, nr_matching = 0;

	list_for_each_entry(probe, &event->probes, list) {
		nr_matching += remove_matches(probe, def);
		nr++;
	}
	*all = nr_matching == nr;

	return nr_matching;
}

/* Would remove_matching() fail? */
static bool remove_is_refused(struct probe_event *event, const struct probe_def *def)
{
	bool all;

	if (!remove_count_matching(event, def, &all))
		return false;
	if (all)
		return trace_event_call_is_used(&event->call, 0);

	guard(mutex)(&trace_event_lock);

	return event->users;
}

static bool remove_named_is_refused(const struct probe_kind *kind, const struct probe_name *name,
				    const struct probe_def *def)
{
	struct probe_event *event;

	list_for_each_entry(event, &probe_events, list) {
		if (remove_is_named(event, kind, name) && remove_is_refused(event, def))
			return true;
	}

	return false;
}

/* Remove the matching probes of an event. Return: number of removed probes, or an error */
static int remove_matching(struct probe_event *event, const struct probe_def *def)
{
	struct probe *probe, *next;
	bool all;
	int nr_matching = remove_count_matching(event, def, &all), err = 0;

	if (all)
		return remove_event(event) ?: nr_matching;

	list_for_each_entry_safe(probe, next, &event->probes, list) {
		if (!err && remove_matches(probe, def))
			err = remove_probe(probe);
	}

	return err ?: nr_matching;
}

/**
 * probe_remove_named - apply a command that removes events
 * @kind: the kind of the events, NULL for all kinds
 * @def: the command: "-:GROUP/EVENT", "-:GROUP/" or "-:EVENT", optionally followed by a place and
 *	arguments
 *
 * probe_lock held. May sleep.
 *
 * Return: 0; -ENOENT; -EINVAL; -EBUSY if one of them is in use, with none removed unless the use
 *	began just now, or unless that is a synthetic event of a group that has probes, too
 */
int probe_remove_named(const struct probe_kind *kind, struct probe_def *def)
{
	struct probe_event *event, *next;
	struct probe_name name;
	int nr = 0, ret;

	if (def->token[0][1] != ':')
		return probe_refuse(def, def->token[0] + 1, "There is no name of an event");
	ret = probe_name_parse(&name, def, def->token[0] + 2);
	if (ret)
		return ret;

	if (remove_named_is_refused(kind, &name, def))
		return -EBUSY;

	list_for_each_entry_safe(event, next, &probe_events, list) {
		if (!remove_is_named(event, kind, &name))
			continue;
		ret = remove_matching(event, def);
		if (ret < 0)
			return ret;
		nr += ret;
	}
	if (!kind && probe_others) {
		ret = probe_others->remove(&name);
		if (ret < 0)
			return ret;
		nr += ret;
	}

	return nr ? 0 : -ENOENT;
}

/**
 * probe_nr_on - get the number of probes on a trace event
 * @call: the event
 *
 * probe_lock held.
 */
unsigned int probe_nr_on(const struct trace_event_call *call)
{
	const struct probe_event *event;
	const struct probe *probe;
	unsigned int nr = 0;

	lockdep_assert_held(&probe_lock);

	list_for_each_entry(event, &probe_events, list) {
		if (!event->kind->on)
			continue;
		list_for_each_entry(probe, &event->probes, list)
			nr += event->kind->on(probe) == call;
	}

	return nr;
}

/* Is an event of a kind in use, or one of any kind if @kind is NULL? */
static bool remove_all_is_refused(const struct probe_kind *kind)
{
	struct probe_event *event;

	list_for_each_entry(event, &probe_events, list) {
		/* Probes on events are removed along with them, if all kinds are removed. */
		unsigned int kept = kind ? 0 : event->kept;

		if ((!kind || event->kind == kind) &&
		    trace_event_call_is_used(&event->call, kept))
			return true;
	}

	return !kind && probe_others && probe_others->is_used();
}

/**
 * probe_remove_all - remove all events of a kind
 * @kind: the kind, NULL for all kinds
 *
 * May sleep.
 *
 * Return: 0; -EBUSY if one of them is in use; no event is removed then, unless it was enabled
 *	concurrently
 */
int probe_remove_all(const struct probe_kind *kind)
{
	struct probe_event *event, *next;
	int err = 0;

	guard(mutex)(&probe_lock);

	if (remove_all_is_refused(kind))
		return -EBUSY;
	/* Probes on other events were defined after those events. */
	list_for_each_entry_safe_reverse(event, next, &probe_events, list) {
		if (!err && (!kind || event->kind == kind))
			err = remove_event(event);
	}
	if (!err && !kind && probe_others)
		err = probe_others->remove_all();

	return err;
}
