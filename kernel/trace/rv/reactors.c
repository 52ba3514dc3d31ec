// SPDX-License-Identifier: GPL-2.0
/*
 * Reactors: the actions taken when a monitor finds an event that its model does not allow. Each
 * monitor has one reactor, initially "nop".
 */
#include <linux/cleanup.h>
#include <linux/export.h>
#include <linux/mutex.h>
#include <linux/rv.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/tracepoint.h>

#include "rv/name.h"
#include "rv/reactors.h"

/* A registered reactor */
struct reactors_record {
	struct rv_reactor	*reactor;
	struct list_head	list;
};

static void reactors_nop_react(char *msg)
{
}

static struct rv_reactor nop = {
	.name		= "nop",
	.description	= "no operation",
	.react		= reactors_nop_react,
};

static struct list_head reactors;

static struct reactors_record nop_record = {
	.reactor	= &nop,
	.list		= LIST_HEAD_INIT(reactors),
};

/* Only the locks for waiting for probes are taken inside it. */
static DEFINE_MUTEX(reactors_lock);

/*
 * Protected by reactors_lock: the reactors, with nop as the first; the reactions of
 * monitors
 */
static struct list_head reactors = LIST_HEAD_INIT(nop_record.list);
static LIST_HEAD(reactions);

static bool reacting = true;

/**
 * rv_reacting_on - do monitors react?
 *
 * Context: any
 */
bool rv_reacting_on(void)
{
	return READ_ONCE(reacting);
}
EXPORT_SYMBOL_GPL(rv_reacting_on);

/**
 * rv_reactors_switch - switch the reactions of monitors on or off
 * @on: true to switch them on
 *
 * After switching off, no reaction is running when it returns.
 *
 * Context: may sleep; takes reactors_lock
 */
void rv_reactors_switch(bool on)
{
	guard(mutex)(&reactors_lock);

	WRITE_ONCE(reacting, on);
	if (!on)
		tracepoint_synchronize_unregister();
}

/* Probes of the monitor may be running. They read the pointer, which is never NULL. */
static void reactors_react_by(struct rv_reaction *reaction, const struct rv_reactor *reactor)
{
	reaction->reactor = reactor;
	WRITE_ONCE(reaction->monitor->react, reactor->react);
}

/**
 * rv_reaction_begin - initialize the reaction of a new monitor with the reactor nop
 * @reaction: its reaction, not in use yet
 * @monitor: the monitor
 *
 * Context: may sleep; takes reactors_lock
 */
void rv_reaction_begin(struct rv_reaction *reaction, struct rv_monitor *monitor)
{
	guard(mutex)(&reactors_lock);

	reaction->monitor = monitor;
	reactors_react_by(reaction, &nop);
	list_add_tail(&reaction->list, &reactions);
}

/**
 * rv_reaction_end - remove the reaction of a monitor that is being unregistered
 * @reaction: its reaction
 *
 * Context: may sleep; takes reactors_lock
 */
void rv_reaction_end(struct rv_reaction *reaction)
{
	guard(mutex)(&reactors_lock);

	list_del(&reaction->list);
}

static struct reactors_record *reactors_find(const char *name)
{
	struct reactors_record *record;

	list_for_each_entry(record, &reactors, list) {
		if (!strcmp(record->reactor->name, name))
			return record;
	}

	return NULL;
}

/**
 * rv_reaction_set - set the reactor of a monitor
 * @reaction: reaction of the monitor
 * @name: name of the reactor
 *
 * The last reaction by the previous reactor may still be running when it returns.
 *
 * Context: may sleep; takes reactors_lock
 *
 * Return: 0, or -EINVAL if there is no such reactor
 */
int rv_reaction_set(struct rv_reaction *reaction, const char *name)
{
	struct reactors_record *record;

	guard(mutex)(&reactors_lock);

	record = reactors_find(name);
	if (!record)
		return -EINVAL;

	reactors_react_by(reaction, record->reactor);

	return 0;
}

/**
 * rv_reaction_show - list the reactors, with the reactor of a monitor in brackets
 * @m: destination
 * @reaction: reaction of the monitor
 *
 * Context: may sleep; takes reactors_lock
 */
void rv_reaction_show(struct seq_file *m, const struct rv_reaction *reaction)
{
	struct reactors_record *record;

	guard(mutex)(&reactors_lock);

	list_for_each_entry(record, &reactors, list)
		seq_printf(m, record->reactor == reaction->reactor ? "[%s]\n" : "%s\n",
			   record->reactor->name);
}

/**
 * rv_reactors_show - list the reactors
 * @m: destination
 *
 * Context: may sleep; takes reactors_lock
 */
void rv_reactors_show(struct seq_file *m)
{
	struct reactors_record *record;

	guard(mutex)(&reactors_lock);

	list_for_each_entry(record, &reactors, list)
		seq_printf(m, "%s\n", record->reactor->name);
}

/**
 * rv_register_reactor - register a reactor, which can then be assigned to monitors
 * @reactor: the reactor, which must not change until it is unregistered. Its react() is called
 *	by probes, with any locks held and in any context, and must be safe there.
 *
 * Context: may sleep; takes reactors_lock
 *
 * Return: 0; -EINVAL if it has no name, or a name that is too long or has characters not
 *	allowed in files, or if it has no react(); -EEXIST if the name is in use; -ENOMEM
 */
int rv_register_reactor(struct rv_reactor *reactor)
{
	struct reactors_record *record;

	if (!rv_name_is_usable(reactor->name) || !reactor->react)
		return -EINVAL;

	guard(mutex)(&reactors_lock);

	if (reactors_find(reactor->name))
		return -EEXIST;

	record = kzalloc(sizeof(*record), GFP_KERNEL);
	if (!record)
		return -ENOMEM;

	record->reactor = reactor;
	list_add_tail(&record->list, &reactors);

	return 0;
}
EXPORT_SYMBOL_GPL(rv_register_reactor);

/**
 * rv_unregister_reactor - unregister a reactor
 * @reactor: the registered reactor
 *
 * Monitors that use it get nop instead. It is no longer called when this returns.
 *
 * Context: may sleep; takes reactors_lock
 *
 * Return: 0, or -ENOENT if it is not registered
 */
int rv_unregister_reactor(struct rv_reactor *reactor)
{
	struct reactors_record *record;
	struct rv_reaction *reaction;

	guard(mutex)(&reactors_lock);

	record = reactors_find(reactor->name);
	if (!record || record->reactor != reactor || record == &nop_record)
		return -ENOENT;

	list_for_each_entry(reaction, &reactions, list) {
		if (reaction->reactor == reactor)
			reactors_react_by(reaction, &nop);
	}
	list_del(&record->list);
	kfree(record);
	tracepoint_synchronize_unregister();

	return 0;
}
EXPORT_SYMBOL_GPL(rv_unregister_reactor);
