// SPDX-License-Identifier: GPL-2.0
/*
 * Removing dynamic events: by their names, and all of them. What is written either removes all
 * events that it means, or none.
 */
#include <linux/cleanup.h>
#include <linux/list.h>
#include <linux/lockdep.h>
#include <linux/mutex.h>
#include <linux/rcupdate.h>
#include <linux/srcu.h>
#include <linux/string.h>
#include <linux/trace_events.h>
#include <linux/tracepoint.h>

#include "event/control/event_add.h"
#include "event/core/event_list.h"
#include "probe/arg/probe_def.h"
#include "probe/core/probe_event.h"

/**
 * probe_detach - detach one probe
 * @probe: the probe, which is in no list
 *
 * May sleep.
 */
void probe_detach(struct probe *probe)
{
	LIST_HEAD(alone);

	list_add(&probe->list, &alone);
	probe->event->kind->detach(&alone);
	list_del_init(&probe->list);
}

/* Detach all probes of @kind that @events have. They are then removed probes of their events. */
static void remove_detach_all(struct list_head *events, const struct probe_kind *kind)
{
	struct probe_event *event;
	struct probe *probe, *next;
	LIST_HEAD(probes);

	list_for_each_entry(event, events, list) {
		if (event->kind == kind)
			list_splice_tail_init(&event->probes, &probes);
	}
	if (list_empty(&probes))
		return;

	kind->detach(&probes);
	list_for_each_entry_safe(probe, next, &probes, list)
		list_move(&probe->list, &probe->event->gone);
}

/**
 * probe_drop_all - detach the probes of several events, and free the events
 * @events: events after trace_event_call_bury(), or of probe_event_hidden(). An event comes after
 *	the probes on it. Empty on return
 *
 * All probes of a kind wait for one grace period together. May sleep.
 */
void probe_drop_all(struct list_head *events)
{
	struct probe_event *event, *next;
	struct probe_kind *kind;

	list_for_each_entry(kind, &probe_kinds, list)
		remove_detach_all(events, kind);

	list_for_each_entry_safe(event, next, events, list) {
		list_del(&event->list);
		probe_event_drop(event);
	}
}

/*
 * Wait until nobody uses the retired events, like tracepoint_synchronize_unregister(): detaching
 * the probes usually waits for a grace period that serves both.
 */
static void remove_detach_and_wait(struct list_head *events)
{
	struct rcu_gp_oldstate retired;
	struct probe_kind *kind;

	get_state_synchronize_rcu_full(&retired);
	list_for_each_entry(kind, &probe_kinds, list) {
		if (kind->waits_for_rcu)
			remove_detach_all(events, kind);
	}
	synchronize_srcu(&tracepoint_srcu);
	cond_synchronize_rcu_full(&retired);
}

/* Remove events. probe_drop_all() must follow. */
static void remove_list(struct list_head *events)
{
	struct probe_event *event;

	lockdep_assert_held(&trace_event_lock);

	if (list_empty(events))
		return;

	list_for_each_entry(event, events, list)
		trace_event_call_retire(&event->call);
	remove_detach_and_wait(events);
	list_for_each_entry(event, events, list)
		trace_event_call_bury(&event->call);
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

/* Is the event, or are the matching probes of it, in use? */
static bool remove_is_refused(struct probe_event *event, const struct probe_def *def)
{
	bool all;

	if (!remove_count_matching(event, def, &all))
		return false;

	return all ? trace_event_call_is_used(&event->call, 0) : event->users;
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

/**
 * struct remove_found - what a command removes
 * @events: events of which all probes match
 * @probes: matching probes of other events
 * @nr: number of probes
 */
struct remove_found {
	struct list_head	events;
	struct list_head	probes;
	int			nr;
};

static void remove_take(struct probe_event *event, const struct probe_def *def,
			struct remove_found *found)
{
	struct probe *probe, *next;
	bool all;

	found->nr += remove_count_matching(event, def, &all);
	if (all) {
		list_move(&event->list, &found->events);
		return;
	}

	list_for_each_entry_safe(probe, next, &event->probes, list) {
		if (remove_matches(probe, def))
			list_move(&probe->list, &found->probes);
	}
}

/* Return: 0; -EBUSY if something of it is in use, and nothing is removed */
static int remove_take_named(const struct probe_kind *kind, const struct probe_name *name,
			     const struct probe_def *def, struct remove_found *found)
{
	struct probe_event *event, *next;

	guard(mutex)(&trace_event_lock);

	if (remove_named_is_refused(kind, name, def))
		return -EBUSY;

	list_for_each_entry_safe(event, next, &probe_events, list) {
		if (remove_is_named(event, kind, name))
			remove_take(event, def, found);
	}
	remove_list(&found->events);

	return 0;
}

/* Free a probe, which is detached. Its event still needs the arguments of the first one. */
static void remove_free(struct probe *probe)
{
	struct probe_event *event = probe->event;

	if (&probe->args != event->shape) {
		event->kind->free(probe);
		return;
	}

	if (event->kind->leave)
		event->kind->leave(probe);
	list_add(&probe->list, &event->gone);
}

static void remove_drop_found(struct remove_found *found)
{
	struct probe *probe, *next;

	probe_drop_all(&found->events);
	list_for_each_entry_safe(probe, next, &found->probes, list) {
		list_del_init(&probe->list);
		probe_detach(probe);
		remove_free(probe);
	}
}

/**
 * probe_remove_named - apply a command that removes events
 * @kind: the kind of the events, NULL for all kinds
 * @def: the command: "-:GROUP/EVENT", "-:GROUP/" or "-:EVENT", optionally followed by a place and
 *	arguments
 *
 * probe_lock held. May sleep.
 *
 * Return: 0; -ENOENT; -EINVAL; -EBUSY if one of them is in use, with none removed, except probes
 *	if an event without probes of that name is in use
 */
int probe_remove_named(const struct probe_kind *kind, struct probe_def *def)
{
	struct remove_found found = {
		.events = LIST_HEAD_INIT(found.events),
		.probes = LIST_HEAD_INIT(found.probes),
	};
	struct probe_others *others;
	struct probe_name name;
	int ret;

	if (def->token[0][1] != ':')
		return probe_refuse(def, def->token[0] + 1, "There is no name of an event");
	/* Names of user events */
	ret = probe_name_parse(&name, def, def->token[0] + 2, ".-") ?:
	      remove_take_named(kind, &name, def, &found);
	if (ret)
		return ret;

	remove_drop_found(&found);
	list_for_each_entry(others, &probe_others, list) {
		/* A place and arguments describe a probe. */
		if (kind || (def->nr > 1 && found.nr))
			break;
		ret = others->remove(&name);
		if (ret < 0)
			return ret;
		found.nr += ret;
	}

	return found.nr ? 0 : -ENOENT;
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

	return false;
}

static bool remove_others_are_used(void)
{
	struct probe_others *others;

	list_for_each_entry(others, &probe_others, list) {
		if (others->is_used())
			return true;
	}

	return false;
}

static int remove_others(void)
{
	struct probe_others *others;
	int err = 0;

	list_for_each_entry(others, &probe_others, list)
		err = err ?: others->remove_all();

	return err;
}

/**
 * probe_remove_all - remove all events of a kind
 * @kind: the kind, NULL for all kinds
 *
 * May sleep.
 *
 * Return: 0; -EBUSY if one of them is in use, with none removed unless that is an event without
 *	probes whose use began just now
 */
int probe_remove_all(const struct probe_kind *kind)
{
	struct probe_event *event, *next;
	LIST_HEAD(removed);

	guard(mutex)(&probe_lock);

	if (!kind && remove_others_are_used())
		return -EBUSY;

	scoped_guard(mutex, &trace_event_lock) {
		if (remove_all_is_refused(kind))
			return -EBUSY;
		/* Probes on other events were defined after those events. */
		list_for_each_entry_safe_reverse(event, next, &probe_events, list) {
			if (!kind || event->kind == kind)
				list_move_tail(&event->list, &removed);
		}
		remove_list(&removed);
	}
	probe_drop_all(&removed);

	return kind ? 0 : remove_others();
}
