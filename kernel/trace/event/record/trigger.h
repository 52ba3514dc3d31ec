/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Triggers: what happens whenever an event does. See "Event triggers" in
 * Documentation/trace/events.rst.
 *
 * A trigger has a command, and maybe a count and a filter. What is in here runs and frees
 * triggers and knows the commands; event/control/trigger_text.h makes triggers of what was written.
 */
#ifndef _TRACE_EVENT_RECORD_TRIGGER_H
#define _TRACE_EVENT_RECORD_TRIGGER_H

#include <linux/list.h>
#include <linux/rcupdate.h>
#include <linux/trace_events.h>
#include <linux/types.h>

#include "lib/count.h"

struct event_filter;
struct seq_file;
struct trace_array;
struct trace_trigger;

/**
 * struct trace_trigger_run - what a command is told when its event happens
 * @entry: the entry; NULL if no trigger of the event asks for it
 * @len: its length
 * @context: as from trace_context_now()
 * @from: return address where stacks begin
 * @skip: how many callers they leave out from there on
 */
struct trace_trigger_run {
	const void	*entry;
	size_t		len;
	unsigned int	context;
	unsigned long	from;
	unsigned int	skip;
};

/**
 * struct trace_trigger_words - a trigger that was written
 * @tr: the instance
 * @call: the event
 * @text: all of it
 * @copy: the same, which is taken apart
 * @remove: a trigger is to be removed
 * @name: the name of the command, in @copy
 * @param: what follows the name, in @copy; or NULL
 * @filter: the filter, in @text; or NULL
 */
struct trace_trigger_words {
	struct trace_array	*tr;
	struct trace_event_call	*call;
	const char		*text;
	char			*copy;
	bool			remove;
	char			*name;
	char			*param;
	const char		*filter;
};

/**
 * struct trace_trigger_command - a command that triggers may have
 * @list: in the list of commands
 * @name: the first word of a trigger
 * @kind: an event has one trigger of a kind, unless @same says otherwise; of a command
 *	without a kind, its name
 * @hidden: no file shows its triggers
 * @wants_entry: it looks at the entry
 * @blanks: its parameters may have blanks between them
 * @set: add, change or remove a trigger, by trace_trigger_add() and trace_trigger_remove(), with
 *	nothing parsed yet: instead of @parse and @same. Return: 0 or an error
 * @is_truncated: whether opening the file with O_TRUNC removes a trigger; NULL for no
 * @after: it runs when the entry has been written, not before. For one kind only.
 * @parse: take its parameters, which are between the name and the count, from *@text on; may
 *	be NULL. Sets *@text behind them, NULL at the end, and trigger->data. Return: 0, or an
 *	error, of which -EINVAL says in *@wrong what is wrong
 * @free: undo @parse; may be NULL
 * @same: whether two triggers of a kind cannot be with one event; NULL for never
 * @begin: before the first run; may be NULL. Return: 0 or an error
 * @end: undo @begin; the trigger may still be running. May be NULL
 * @run: the event has happened. Any context, preemption is disabled. Returns whether
 *	something was done: if not, the count stays as it is
 * @show: print the parameters, with a colon before them; may be NULL
 * @show_all: print all of the trigger instead, without a newline
 *
 * All but @run are called with trace_event_lock held, and may sleep.
 */
struct trace_trigger_command {
	struct list_head	list;
	const char		*name;
	const char		*kind;
	bool			hidden;
	bool			wants_entry;
	bool			blanks;
	int			(*set)(const struct trace_trigger_words *words,
				       struct trace_event_file *file);
	bool			(*is_truncated)(const struct trace_trigger *trigger);
	bool			after;
	int			(*parse)(struct trace_trigger *trigger, char **text,
					 const char **wrong);
	void			(*free)(struct trace_trigger *trigger);
	bool			(*same)(const struct trace_trigger *a,
					const struct trace_trigger *b);
	int			(*begin)(struct trace_trigger *trigger);
	void			(*end)(struct trace_trigger *trigger);
	bool			(*run)(struct trace_trigger *trigger,
				       const struct trace_trigger_run *run);
	void			(*show)(struct seq_file *m, const struct trace_trigger *trigger);
	void			(*show_all)(struct seq_file *m,
					    const struct trace_trigger *trigger);
};

/**
 * struct trace_trigger - a trigger of an event in an instance
 * @list: in trace_event_file.triggers, an RCU list
 * @rcu: frees it after a grace period
 * @command: what to do
 * @file: the event
 * @filter: for which entries, NULL for all
 * @data: of the command
 * @counted: it has a count
 * @paused: it does nothing for now
 * @left: how often it will still do something
 */
struct trace_trigger {
	struct list_head			list;
	struct rcu_head				rcu;
	const struct trace_trigger_command	*command;
	struct trace_event_file			*file;
	struct event_filter			*filter;
	void					*data;
	bool					counted;
	bool					paused;
	struct trace_count			left;
};

/* trace_trigger_wants_entry - does a trigger act when the entry is there, not before? */
static inline bool trace_trigger_wants_entry(const struct trace_trigger *trigger)
{
	return trigger->filter || trigger->command->wants_entry || trigger->command->after;
}

/* The commands; trace_event_lock. */
extern struct list_head trace_trigger_commands;

int trace_trigger_command_register(struct trace_trigger_command *command);

int trace_trigger_add(struct trace_trigger *trigger);
void trace_trigger_remove(struct trace_trigger *trigger);
void trace_trigger_free(struct trace_trigger *trigger);
void trace_trigger_end(struct trace_trigger *trigger);
void trace_triggers_end(struct trace_event_file *file);
void trace_trigger_flags(struct trace_event_file *file);

struct trace_trigger *trace_triggers_run(struct trace_event_file *file,
					 const struct trace_trigger_run *run);
void trace_marker_end(struct trace_array *tr, void *entry, size_t len,
		      unsigned int context, unsigned long from);
void trace_trigger_run_after(struct trace_trigger *trigger,
			     const struct trace_trigger_run *run);

#endif /* _TRACE_EVENT_RECORD_TRIGGER_H */
