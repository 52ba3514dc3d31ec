// SPDX-License-Identifier: GPL-2.0
/*
 * Event triggers: removing and running them. See trigger.h.
 *
 * The list of triggers of an event is changed under trace_event_lock. The event's probe, which
 * has preemption disabled, may walk it at any time; a trigger that was removed from the list is
 * freed after a grace period.
 */
#include <linux/bitops.h>
#include <linux/cleanup.h>
#include <linux/lockdep.h>
#include <linux/rculist.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "event/core/event_list.h"
#include "event/filter/predicate_match.h"
#include "event/record/event_instance.h"
#include "event/record/event_nest.h"
#include "event/record/trigger.h"
#include "instance/core/instance.h"
#include "instance/record/entry.h"

LIST_HEAD(trace_trigger_commands);

DEFINE_PER_CPU(struct event_nest, trace_event_nest);

/**
 * trace_trigger_command_register - register a trigger command
 * @command: the command, which is never unregistered
 *
 * Context: may sleep
 *
 * Return: 0, or -EBUSY if there is one of that name
 */
int trace_trigger_command_register(struct trace_trigger_command *command)
{
	struct trace_trigger_command *each;

	guard(mutex)(&trace_event_lock);

	list_for_each_entry(each, &trace_trigger_commands, list) {
		if (!strcmp(each->name, command->name))
			return -EBUSY;
	}

	list_add_tail(&command->list, &trace_trigger_commands);

	return 0;
}

static void trigger_free_rcu(struct rcu_head *head)
{
	struct trace_trigger *trigger = container_of(head, struct trace_trigger, rcu);

	trace_filter_free(trigger->filter);
	kfree(trigger);
}

/**
 * trace_trigger_free - free a trigger that is not in a list
 * @trigger: the trigger, with its parameters parsed
 *
 * trace_event_lock held. It may still be running.
 */
void trace_trigger_free(struct trace_trigger *trigger)
{
	if (trigger->command->free)
		trigger->command->free(trigger);
	call_rcu(&trigger->rcu, trigger_free_rcu);
}

/**
 * trace_trigger_end - remove a trigger from its event
 * @trigger: trigger in the list of its event; the caller must not use it afterwards
 *
 * trace_event_lock held; may sleep. The caller must call trace_trigger_flags() afterwards.
 */
void trace_trigger_end(struct trace_trigger *trigger)
{
	lockdep_assert_held(&trace_event_lock);

	list_del_rcu(&trigger->list);
	if (trigger->command->end)
		trigger->command->end(trigger);
	trace_trigger_free(trigger);
}

/**
 * trace_triggers_end - remove all triggers of an event that is being removed
 * @file: the event in an instance
 *
 * trace_event_lock held; may sleep.
 */
void trace_triggers_end(struct trace_event_file *file)
{
	struct trace_trigger *trigger, *next;

	list_for_each_entry_safe(trigger, next, &file->triggers, list)
		trace_trigger_end(trigger);
	trace_trigger_flags(file);
}

/**
 * trace_trigger_flags - update the flags that inform the event's probe about its triggers
 * @file: the event in an instance
 *
 * trace_event_lock held.
 */
void trace_trigger_flags(struct trace_event_file *file)
{
	struct trace_trigger *trigger;
	bool entry = false;

	lockdep_assert_held(&trace_event_lock);

	list_for_each_entry(trigger, &file->triggers, list)
		entry |= trace_trigger_wants_entry(trigger);

	assign_bit(EVENT_FILE_FL_TRIGGER_COND_BIT, &file->flags, entry);
	assign_bit(EVENT_FILE_FL_TRIGGER_MODE_BIT, &file->flags, !list_empty(&file->triggers));
}

/* Arguments for a run of a trigger. */
struct trigger_hit {
	struct trace_trigger			*trigger;
	const struct trace_trigger_run		*run;
};

static bool trigger_run(const void *data)
{
	const struct trigger_hit *hit = data;

	return hit->trigger->command->run(hit->trigger, hit->run);
}

static noinline void trigger_run_counted(struct trace_trigger *trigger,
					 const struct trace_trigger_run *run)
{
	const struct trigger_hit hit = { .trigger = trigger, .run = run };

	trace_count_hit(&trigger->left, trigger_run, &hit);
}

static __always_inline void trigger_run_one(struct trace_trigger *trigger,
					    const struct trace_trigger_run *run)
{
	if (trigger->counted)
		trigger_run_counted(trigger, run);
	else
		trigger->command->run(trigger, run);
}

/* A filter may have been set since the caller saw that no trigger reads the entry. */
static bool trigger_matches(const struct trace_trigger *trigger,
			    const struct trace_trigger_run *run)
{
	return !trigger->filter ||
	       (run->entry && trace_filter_match(trigger->filter, run->entry, run->len));
}

/**
 * trace_triggers_run - run the triggers of an event
 * @file: the event in an instance
 * @run: data about its entry
 *
 * Context: any, preemption disabled
 *
 * Return: the trigger that must run after the entry is written, or NULL
 */
struct trace_trigger *trace_triggers_run(struct trace_event_file *file,
					 const struct trace_trigger_run *run)
{
	struct trace_trigger *trigger, *after = NULL;

	list_for_each_entry_rcu(trigger, &file->triggers, list, !preemptible()) {
		if (READ_ONCE(trigger->paused))
			continue;
		if (!trigger_matches(trigger, run))
			continue;
		if (trigger->command->after)
			after = trigger;
		else
			trigger_run_one(trigger, run);
	}

	return after;
}

/**
 * trace_trigger_run_after - run a trigger after the entry was written
 * @trigger: trigger that trace_triggers_run() returned; preemption was disabled since then
 * @run: data about the entry
 */
void trace_trigger_run_after(struct trace_trigger *trigger,
			     const struct trace_trigger_run *run)
{
	trigger_run_one(trigger, run);
}

/**
 * trace_marker_end - commit an entry of trace_marker, with the triggers of ftrace:print
 * @tr: the instance
 * @entry: the entry, from trace_entry_begin()
 * @len: its length
 * @context: @context that was passed to trace_entry_begin()
 * @from: return address into the code that wrote the entry
 */
void trace_marker_end(struct trace_array *tr, void *entry, size_t len,
		      unsigned int context, unsigned long from)
{
	struct trace_events *events = READ_ONCE(tr->events);
	/*
	 * Pairs with trigger_text_use() in event/control/trigger_text.c, by the address
	 * dependency.
	 */
	struct trace_event_file *file = events ? READ_ONCE(events->marker) : NULL;
	struct trace_trigger *after = NULL;
	struct trace_trigger_run run = {
		.entry = entry, .len = len, .context = context, .start.caller = from,
	};

	preempt_disable_notrace();
	if (file && READ_ONCE(file->flags) & EVENT_FILE_FL_TRIGGER_MODE)
		after = trace_triggers_run(file, &run);
	trace_entry_end(tr->main.buffer);
	if (after)
		trace_trigger_run_after(after, &run);
	preempt_enable_notrace();
}
