// SPDX-License-Identifier: GPL-2.0
/*
 * User events: definition, references and removal.
 */
#include <linux/bits.h>
#include <linux/capability.h>
#include <linux/cleanup.h>
#include <linux/ctype.h>
#include <linux/err.h>
#include <linux/kernel.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/tracepoint.h>
#include <linux/user_events.h>
#include <linux/workqueue.h>

#include "event/control/event_add.h"
#include "event/core/event_list.h"
#include "user/user_event.h"

#define USER_NAME_MAX	200

/* see user_event.h */
DEFINE_MUTEX(user_events_lock);
LIST_HEAD(user_events);

/* Maximum number of events, which leaves types to other events */
#define USER_EVENTS_MAX	32768

/* Number of events; user_events_lock */
static unsigned int user_event_nr;

/* Number of multi-format events so far, for their names; user_events_lock */
static u64 user_event_ids;

/*
 * Removal
 */

static void user_event_free(struct user_event *event)
{
	user_fields_free(event);
	kfree(event->class.fields_array);
	kfree(event->call.print_fmt);
	if (event->call.name != event->name)
		kfree(event->call.name);
	kfree(event->name);
	kfree(event);
}

/* Can the event be removed now? */
static bool user_event_is_idle(struct user_event *event)
{
	/* Pairs with user_event_put(): all uses of the event are before its removal. */
	return !atomic_read_acquire(&event->refs) && !trace_event_call_is_used(&event->call, 0);
}

/* Remove the idle events of a list, with one grace period. user_events_lock held. */
static void user_event_remove_list(struct list_head *idle)
{
	struct user_event *event, *next;

	lockdep_assert_held(&user_events_lock);
	lockdep_assert_held(&trace_event_lock);

	if (list_empty(idle))
		return;

	list_for_each_entry(event, idle, list)
		trace_event_call_retire(&event->call);
	tracepoint_synchronize_unregister();
	list_for_each_entry_safe(event, next, idle, list) {
		trace_event_call_bury(&event->call);
		list_del(&event->list);
		user_event_free(event);
		user_event_nr--;
	}
}

static void user_events_reap(struct work_struct *work);
static DECLARE_DELAYED_WORK(user_events_reaper, user_events_reap);

/*
 * Remove the events without references. Other references, for example of triggers, are dropped
 * without notice, so this looks for them again.
 */
static void user_events_reap(struct work_struct *work)
{
	struct user_event *event, *next;
	bool again = false;
	LIST_HEAD(idle);

	guard(mutex)(&user_events_lock);
	guard(mutex)(&trace_event_lock);

	list_for_each_entry_safe(event, next, &user_events, list) {
		if (event->persists || atomic_read(&event->refs))
			continue;
		if (user_event_is_idle(event))
			list_move_tail(&event->list, &idle);
		else
			again = true;
	}
	user_event_remove_list(&idle);
	if (again)
		schedule_delayed_work(&user_events_reaper, HZ);
}

/**
 * user_event_put - drop a reference of an event
 * @event: the event, which must not be used afterwards
 *
 * Context: any in which a work can be queued
 */
void user_event_put(struct user_event *event)
{
	/* Pairs with user_event_is_idle() */
	if (atomic_dec_and_test(&event->refs))
		mod_delayed_work(system_wq, &user_events_reaper, 0);
}

/* Return: true if the event is to be deleted */
typedef bool (*user_event_wanted_t)(const struct user_event *event, const void *arg);

/*
 * Move the events that a caller wants to delete to @idle. Return: their number; -EBUSY or -EPERM
 * with none moved
 */
static int user_event_take(struct list_head *idle, user_event_wanted_t wanted, const void *arg)
{
	struct user_event *event, *next;
	int nr = 0;

	list_for_each_entry(event, &user_events, list) {
		if (!wanted(event, arg))
			continue;
		if (event->persists && !perfmon_capable())
			return -EPERM;
		if (!user_event_is_idle(event))
			return -EBUSY;
		nr++;
	}
	list_for_each_entry_safe(event, next, &user_events, list) {
		if (wanted(event, arg))
			list_move_tail(&event->list, idle);
	}

	return nr;
}

static int user_event_delete_wanted(user_event_wanted_t wanted, const void *arg)
{
	LIST_HEAD(idle);
	int nr;

	guard(mutex)(&user_events_lock);
	guard(mutex)(&trace_event_lock);

	nr = user_event_take(&idle, wanted, arg);
	user_event_remove_list(&idle);

	return nr;
}

static bool user_event_has_name(const struct user_event *event, const void *name)
{
	return !strcmp(event->name, name);
}

/**
 * user_event_delete - delete the events that were registered with a name
 * @name: the name
 *
 * May sleep.
 *
 * Return: 0; -ENOENT; -EBUSY if one of them has references, or -EPERM if one is persistent and
 *	the task may not delete it, and none is deleted
 */
int user_event_delete(const char *name)
{
	int nr = user_event_delete_wanted(user_event_has_name, name);

	return nr < 0 ? nr : nr ? 0 : -ENOENT;
}

/* A name of a trace event; "" for any */
struct user_event_path {
	const char	*system;
	const char	*name;
};

static bool user_event_is_at(const struct user_event *event, const void *arg)
{
	const struct user_event_path *path = arg;

	return (!*path->system || !strcmp(event->class.system, path->system)) &&
	       (!*path->name || !strcmp(event->call.name, path->name));
}

/**
 * user_event_delete_call - delete user events by the names of their trace events
 * @system: the system, or "" for any
 * @name: the name, or "" for any
 *
 * May sleep.
 *
 * Return: number of deleted events; -EBUSY or -EPERM with none deleted
 */
int user_event_delete_call(const char *system, const char *name)
{
	const struct user_event_path path = { system, name };

	return user_event_delete_wanted(user_event_is_at, &path);
}

/*
 * Definition
 */

/* With the number of a multi-format event, the name is the name of a directory. */
static bool user_event_name_is_valid(const char *name)
{
	if ((!isalpha(*name) && *name != '_') || strlen(name) > USER_NAME_MAX)
		return false;
	while (isalnum(*name) || *name == '_' || *name == '-' || *name == '.')
		name++;

	return !*name;
}

/* Find an event with the name of @new. For a multi-format event the fields are part of it. */
static struct user_event *user_event_find(const struct user_event *new)
{
	struct user_event *event;

	lockdep_assert_held(&user_events_lock);

	list_for_each_entry(event, &user_events, list) {
		if (event->multi == new->multi && !strcmp(event->name, new->name) &&
		    (!new->multi || user_fields_match(event, new)))
			return event;
	}

	return NULL;
}

/* Parse "name [fields]". Return: the event, or an error */
static struct user_event *user_event_parse(char *text, unsigned int flags)
{
	struct user_event *event = kzalloc(sizeof(*event), GFP_KERNEL_ACCOUNT);
	char *name = skip_spaces(text), *fields = name + strcspn(name, " \t\n");
	int err;

	if (!event)
		return ERR_PTR(-ENOMEM);

	if (*fields)
		*fields++ = '\0';
	INIT_LIST_HEAD(&event->users);
	INIT_LIST_HEAD(&event->class.fields);
	event->multi = flags & USER_EVENT_REG_MULTI_FORMAT;
	event->persists = flags & USER_EVENT_REG_PERSIST;
	event->name = kstrdup(name, GFP_KERNEL_ACCOUNT);
	event->call.name = event->name;
	err = !event->name ? -ENOMEM : !user_event_name_is_valid(name) ? -EINVAL :
	      user_fields_parse(event, fields);
	if (err) {
		user_event_free(event);
		return ERR_PTR(err);
	}

	return event;
}

/* Add a new event. Its files exist from now on. */
static int user_event_add(struct user_event *event)
{
	int err;

	if (user_event_nr == USER_EVENTS_MAX)
		return -EMFILE;
	if (event->multi)
		event->call.name = kasprintf(GFP_KERNEL_ACCOUNT, "%s.%llx", event->name,
					     user_event_ids++);
	event->call.print_fmt = user_fields_print_format(event);
	event->class.fields_array = user_fields_table(event);
	if (!event->call.name || !event->call.print_fmt || !event->class.fields_array)
		return -ENOMEM;

	event->class.system = event->multi ? USER_EVENTS_MULTI_SYSTEM : USER_EVENTS_SYSTEM;
	event->class.reg = user_event_reg;
	event->call.class = &event->class;
	event->call.flags = TRACE_EVENT_FL_DYNAMIC;
	event->call.event.funcs = &user_event_functions;
	err = trace_add_event_call(&event->call);
	if (err)
		return err;

	list_add_tail(&event->list, &user_events);
	user_event_nr++;

	return 0;
}

/* Return: the event with the name and the fields of @new, which is either added or freed */
static struct user_event *user_event_add_or_find(struct user_event *new)
{
	struct user_event *event = user_event_find(new);
	int err = 0;

	if (!event)
		err = user_event_add(new);
	else if (!user_fields_match(event, new))
		err = -EADDRINUSE;
	else
		event->persists |= new->persists;
	if (!err && !event)
		return new;

	user_event_free(new);

	return err ? ERR_PTR(err) : event;
}

/**
 * user_event_register - get an event, which is defined if it does not exist
 * @text: its definition, "name [type name[; type name ...]]"
 * @flags: USER_EVENT_REG_PERSIST, USER_EVENT_REG_MULTI_FORMAT or both
 *
 * May sleep.
 *
 * Return: the event with a reference; -EPERM if it would be persistent and the task may not do
 *	that, -EADDRINUSE if there is one with other fields, -EMFILE if there are too many,
 *	-EINVAL, -ENOMEM
 */
struct user_event *user_event_register(const char *text, unsigned int flags)
{
	struct user_event *event;
	char *copy;

	if (flags & USER_EVENT_REG_PERSIST && !perfmon_capable())
		return ERR_PTR(-EPERM);

	copy = kstrdup(text, GFP_KERNEL_ACCOUNT);
	if (!copy)
		return ERR_PTR(-ENOMEM);

	scoped_guard(mutex, &user_events_lock) {
		event = user_event_parse(copy, flags);
		if (!IS_ERR(event))
			event = user_event_add_or_find(event);
		if (!IS_ERR(event))
			user_event_get(event);
	}
	kfree(copy);

	return event;
}
