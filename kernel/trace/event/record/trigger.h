/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Event triggers: commands that run whenever an event occurs. See "Event triggers" in
 * Documentation/trace/events.rst.
 *
 * A trigger has a command, and optionally a count and a filter. This file declares the list of
 * commands, and running and freeing triggers; event/control/trigger_text.h creates triggers
 * from text.
 */
#ifndef _TRACE_EVENT_RECORD_TRIGGER_H
#define _TRACE_EVENT_RECORD_TRIGGER_H

#include <linux/list.h>
#include <linux/rcupdate.h>
#include <linux/trace_events.h>
#include <linux/types.h>

#include "instance/record/record_stack.h"
#include "lib/count.h"

struct event_filter;
struct ring_buffer_event;
struct seq_file;
struct trace_array;
struct trace_trigger;

/**
 * struct trace_trigger_run - data passed to a command when its event occurs
 * @entry: the entry; NULL if no trigger of the event needs it
 * @len: its length
 * @event: the event in the ring buffer; NULL if the entry is not in it, or if this is not known
 * @context: result of trace_context_now()
 * @start: the place where stack traces begin
 */
struct trace_trigger_run {
	const void	*entry;
	size_t		len;
	struct ring_buffer_event *event;
	unsigned int	context;
	struct trace_stack_start start;
};

/**
 * struct trace_trigger_text - a trigger as written to a file
 * @tr: the instance
 * @call: the event
 * @text: the complete text
 * @copy: a copy of the text, which is modified by the parser
 * @remove: a trigger must be removed
 * @name: name of the command, in @copy
 * @param: the text after the name, in @copy; or NULL
 * @filter: the filter, in @text; or NULL
 */
struct trace_trigger_text {
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
 * struct trace_trigger_command - a command for triggers
 * @list: entry in the list of commands
 * @name: name of the command, at the beginning of a trigger
 * @kind: an event has only one trigger of a kind, unless @same allows more; NULL to use the
 *	name of the command
 * @hidden: its triggers are not shown in files
 * @wants_entry: it reads the entry
 * @blanks: its parameters may be separated by blanks
 * @set: add, change or remove a trigger, with trace_trigger_add() and trace_trigger_remove(),
 *	from the unparsed text; replaces @parse and @same. Return: 0 or an error
 * @is_truncated: return true if opening the file with O_TRUNC removes the trigger; NULL for
 *	false
 * @after: it runs after the entry has been written, not before. Only for one kind.
 * @parse: parse its parameters, which are between the name and the count, from *@text on; may
 *	be NULL. Sets *@text to the text after them, NULL at the end, and sets trigger->data.
 *	Return: 0, or an error; with -EINVAL, *@wrong is set to the error message
 * @free: undo @parse; may be NULL
 * @same: return true if two triggers of a kind cannot coexist on one event; NULL for always
 *	true
 * @begin: called before the first run; may be NULL. Return: 0 or an error
 * @end: undo @begin; the trigger may still be running. May be NULL
 * @run: the event has occurred. Any context, preemption is disabled. Returns true if it did
 *	anything: if not, the count is unchanged
 * @show: print the parameters, with a preceding colon; may be NULL
 * @show_all: print the whole trigger instead, without a newline
 *
 * All callbacks except @run are called with trace_event_lock held, and may sleep.
 */
struct trace_trigger_command {
	struct list_head	list;
	const char		*name;
	const char		*kind;
	bool			hidden;
	bool			wants_entry;
	bool			blanks;
	int			(*set)(const struct trace_trigger_text *written,
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
 * @list: entry in trace_event_file.triggers, an RCU list
 * @rcu: frees it after a grace period
 * @command: its command
 * @file: the event
 * @filter: filter for entries, NULL for all
 * @data: data of the command
 * @counted: it has a count
 * @paused: it is temporarily inactive
 * @left: number of remaining runs
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

/* trace_trigger_wants_entry - check whether a trigger runs with the entry or after it */
static inline bool trace_trigger_wants_entry(const struct trace_trigger *trigger)
{
	return trigger->filter || trigger->command->wants_entry || trigger->command->after;
}

/* List of commands; trace_event_lock. */
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
