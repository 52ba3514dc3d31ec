// SPDX-License-Identifier: GPL-2.0
/*
 * Reactors: what is done when a monitor finds an event that its model does not allow. Each
 * monitor has one of them, and "nop" at first.
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

/* A reactor that is registered */
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

/* Nothing is locked under it but what waiting for probes locks. */
static DEFINE_MUTEX(reactors_lock);

/* Under reactors_lock: the reactors, the first of which is nop; what monitors do with them */
static struct list_head reactors = LIST_HEAD_INIT(nop_record.list);
static LIST_HEAD(reactions);

static bool reacting = true;

/**
 * rv_reacting_on - whether monitors react
 *
 * Context: any
 */
bool rv_reacting_on(void)
{
	return READ_ONCE(reacting);
}
EXPORT_SYMBOL_GPL(rv_reacting_on);

/**
 * rv_reactors_switch - let monitors react, or keep them from it
 * @on: whether they do
 *
 * None reacts any more when it returns, if they shall not.
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

/* The probes of the monitor may be under way. They read the pointer, which is never NULL. */
static void reactors_react_by(struct rv_reaction *reaction, const struct rv_reactor *reactor)
{
	reaction->reactor = reactor;
	WRITE_ONCE(reaction->monitor->react, reactor->react);
}

/**
 * rv_reaction_begin - a monitor comes; it has the reactor nop
 * @reaction: its own, not used yet
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
 * rv_reaction_end - a monitor goes
 * @reaction: its own
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
 * rv_reaction_set - give a monitor a reactor
 * @reaction: of the monitor
 * @name: of the reactor
 *
 * The last reaction by the one before may still be under way when it returns.
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
 * rv_reaction_show - list the reactors, that of a monitor in brackets
 * @m: where to
 * @reaction: of the monitor
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
 * @m: where to
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
 * rv_register_reactor - add a reactor, which monitors can be given then
 * @reactor: stays as it is until it is unregistered. Its react() is called by probes, with
 *	     any locks held and in any context, and has to do with that.
 *
 * Context: may sleep; takes reactors_lock
 *
 * Return: 0; -EINVAL if its name is none, is too long or has characters that files cannot take,
 * or if it does not react; -EEXIST if another one has the name; -ENOMEM
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
 * rv_unregister_reactor - remove a reactor
 * @reactor: registered
 *
 * Monitors that have it get nop. It is not called any more when this returns.
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
