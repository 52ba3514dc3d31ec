// SPDX-License-Identifier: GPL-2.0
/*
 * Textual form of triggers:
 *
 *	[!]command[:parameters][:count] [if filter]
 *
 * `!' removes a trigger, whatever its count and filter are. The text shown for a trigger can be
 * written to the file again.
 */
#define pr_fmt(fmt) "tracing: " fmt

#include <linux/cleanup.h>
#include <linux/ctype.h>
#include <linux/err.h>
#include <linux/init.h>
#include <linux/lockdep.h>
#include <linux/printk.h>
#include <linux/rculist.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>

#include <asm/setup.h>

#include "event/control/event_filter.h"
#include "event/control/trigger_text.h"
#include "event/core/event_list.h"
#include "event/filter/predicate_match.h"
#include "event/record/buffered_event.h"
#include "event/record/event_file.h"
#include "event/record/event_instance.h"
#include "event/record/trigger.h"
#include "instance/core/entries.h"
#include "instance/core/errlog.h"
#include "lib/boot_list.h"
#include "lib/count.h"

/* @at: position in the copy */
static int trigger_text_error(const struct trace_trigger_text *written, const char *at,
			      const char *what)
{
	trace_error(written->tr, "event trigger parse error", what, written->text,
		    strlen(written->text), at - written->copy);

	return -EINVAL;
}

static struct trace_trigger_command *trigger_text_command_find(const char *name, size_t len)
{
	struct trace_trigger_command *command;

	list_for_each_entry(command, &trace_trigger_commands, list) {
		if (!strncmp(command->name, name, len) && !command->name[len])
			return command;
	}

	return NULL;
}

/* Find the end of the command: a blank, or for some commands, a blank followed by "if". */
static char *trigger_text_command_end(char *at)
{
	const struct trace_trigger_command *command =
		trigger_text_command_find(at, strcspn(at, ": \t"));
	char *end = at + strcspn(at, " \t");

	while (command && command->blanks && *end) {
		const char *token = skip_spaces(end);

		if (!strncmp(token, "if", 2) && isspace(token[2]))
			break;
		end += token - end;
		end += strcspn(end, " \t");
	}

	return end;
}

/* Split the text into the command and the filter after "if". */
static int trigger_text_split(struct trace_trigger_text *written)
{
	char *at = written->copy, *end, *rest;

	written->remove = *at == '!';
	at += written->remove;
	written->name = at;

	end = trigger_text_command_end(at);
	rest = skip_spaces(end);
	*end = '\0';
	if (*rest) {
		if (strncmp(rest, "if", 2) || !isspace(rest[2]))
			return trigger_text_error(written, rest, "\"if\" expected");
		rest = skip_spaces(rest + 2);
		written->filter = written->text + (rest - written->copy);
	}

	end = strchr(at, ':');
	if (end) {
		*end = '\0';
		written->param = end + 1;
	}

	return 0;
}

static int trigger_text_parse_count(const struct trace_trigger_text *written,
				    struct trace_trigger *trigger,
				    const char *text)
{
	long left;

	if (!text)
		return 0;
	if (trace_count_parse(text, &trigger->counted, &left))
		return trigger_text_error(written, text, "Count expected");

	trace_count_set(&trigger->left, left);

	return 0;
}

static int trigger_text_parse_params(const struct trace_trigger_text *written,
				     struct trace_trigger *trigger)
{
	const struct trace_trigger_command *command = trigger->command;
	char *text = written->param, *at = text;
	const char *wrong = NULL;
	int err = 0;

	if (command->parse)
		err = command->parse(trigger, &text, &wrong);
	if (err)
		return wrong ? trigger_text_error(written, at ?: written->name, wrong) : err;

	err = trigger_text_parse_count(written, trigger, text);
	if (err && command->free)
		command->free(trigger);

	return err;
}

/* Return: the trigger, or an error */
static struct trace_trigger *trigger_text_make(const struct trace_trigger_text *written,
					       const struct trace_trigger_command *command,
					       struct trace_event_file *file)
{
	struct trace_trigger *trigger;
	int err;

	trigger = kzalloc(sizeof(*trigger), GFP_KERNEL);
	if (!trigger)
		return ERR_PTR(-ENOMEM);

	trigger->command = command;
	trigger->file = file;
	err = trigger_text_parse_params(written, trigger);
	if (err) {
		kfree(trigger);
		return ERR_PTR(err);
	}

	return trigger;
}

static const char *trigger_text_kind_of(const struct trace_trigger *trigger)
{
	return trigger->command->kind ?: trigger->command->name;
}

static bool trigger_text_is_same(const struct trace_trigger *a, const struct trace_trigger *b)
{
	return !strcmp(trigger_text_kind_of(a), trigger_text_kind_of(b)) &&
	       (!a->command->same || a->command->same(a, b));
}

static struct trace_trigger *trigger_text_find_same(const struct trace_trigger *trigger)
{
	struct trace_trigger *each;

	list_for_each_entry(each, &trigger->file->triggers, list) {
		if (trigger_text_is_same(trigger, each))
			return each;
	}

	return NULL;
}

/* Events that tracing itself writes have no probe. */
static int trigger_text_use(struct trace_event_file *file)
{
	if (trace_event_switchable(file->event_call))
		return trace_event_soft_enable(file);

	if (file->event_call->event.type != TRACE_PRINT)
		return -EINVAL;

	/* Pairs with the address dependency in trace_marker_end(). */
	smp_store_release(&file->tr->events->marker, file);

	return 0;
}

static void trigger_text_unuse(struct trace_event_file *file)
{
	if (trace_event_switchable(file->event_call))
		trace_event_soft_disable(file);
}

/**
 * trace_trigger_add - activate a trigger
 * @trigger: the trigger, in no list; its event may not have been used in the instance yet
 *
 * trace_event_lock held. May sleep.
 *
 * Return: 0, or an error without a change
 */
int trace_trigger_add(struct trace_trigger *trigger)
{
	const struct trace_trigger_command *command = trigger->command;
	int err = 0;

	lockdep_assert_held(&trace_event_lock);

	if (trace_trigger_wants_entry(trigger))
		err = trace_buffered_event_prepare();
	if (!err && command->begin)
		err = command->begin(trigger);
	if (err)
		return err;

	err = trigger_text_use(trigger->file);
	if (err) {
		if (command->begin && command->end)
			command->end(trigger);
		return err;
	}

	list_add_tail_rcu(&trigger->list, &trigger->file->triggers);
	trace_trigger_flags(trigger->file);

	return 0;
}

/**
 * trace_trigger_remove - undo trace_trigger_add(), and free the trigger
 * @trigger: the trigger, which the caller must not use afterwards
 *
 * trace_event_lock held. May sleep.
 */
void trace_trigger_remove(struct trace_trigger *trigger)
{
	struct trace_event_file *file = trigger->file;

	trace_trigger_end(trigger);
	trace_trigger_flags(file);
	trigger_text_unuse(file);
}

static int trigger_text_compile_filter(const struct trace_trigger_text *written,
				       struct trace_trigger *trigger)
{
	struct event_filter *filter;

	if (!written->filter)
		return 0;

	filter = trace_event_filter_compile(written->tr, written->call, written->filter,
					    written->text, NULL);
	if (IS_ERR(filter))
		return PTR_ERR(filter);

	trigger->filter = filter;

	return 0;
}

static int trigger_text_add(const struct trace_trigger_text *written,
			    struct trace_trigger *trigger)
{
	if (trigger_text_find_same(trigger)) {
		trigger_text_error(written, written->name, "The event has such a trigger");
		return -EEXIST;
	}

	return trigger_text_compile_filter(written, trigger) ?: trace_trigger_add(trigger);
}

static void trigger_text_remove(const struct trace_trigger *like)
{
	struct trace_trigger *trigger = trigger_text_find_same(like);

	if (trigger && trigger->command == like->command)
		trace_trigger_remove(trigger);
}

static int trigger_text_edit(const struct trace_trigger_text *written)
{
	const struct trace_trigger_command *command =
		trigger_text_command_find(written->name, strlen(written->name));
	struct trace_event_file *file;
	struct trace_trigger *trigger;
	int err = 0;

	if (!command)
		return trigger_text_error(written, written->name, "There is no such trigger");

	file = trace_event_file_lookup(written->tr, written->call);
	if (IS_ERR(file))
		return PTR_ERR(file);
	if (command->set)
		return command->set(written, file);

	trigger = trigger_text_make(written, command, file);
	if (IS_ERR(trigger))
		return PTR_ERR(trigger);

	if (written->remove)
		trigger_text_remove(trigger);
	else
		err = trigger_text_add(written, trigger);
	if (written->remove || err)
		trace_trigger_free(trigger);

	return err;
}

/**
 * trace_trigger_set - add or remove a trigger of an event in an instance
 * @tr: the instance
 * @call: the event
 * @text: text of the trigger
 *
 * trace_event_lock held. May sleep.
 *
 * Return: 0, also if there is no trigger to remove; or an error without effect: -EINVAL if the
 * text is wrong, -EEXIST if the event has such a trigger, -ENOMEM, or the error of the command
 */
int trace_trigger_set(struct trace_array *tr, struct trace_event_call *call,
		      const char *text)
{
	struct trace_trigger_text written = { .tr = tr, .call = call, .text = text };
	int err;

	lockdep_assert_held(&trace_event_lock);

	written.copy = kstrdup(text, GFP_KERNEL);
	if (!written.copy)
		return -ENOMEM;

	err = trigger_text_split(&written);
	if (!err)
		err = trigger_text_edit(&written);
	kfree(written.copy);

	return err;
}

/**
 * trace_triggers_truncate - handle an open of the file trigger with O_TRUNC
 * @tr: the instance
 * @call: the event
 *
 * trace_event_lock held. May sleep.
 */
void trace_triggers_truncate(struct trace_array *tr, struct trace_event_call *call)
{
	struct trace_event_file *file = trace_event_file_find(tr, call);
	struct trace_trigger *trigger, *next;

	if (!file)
		return;

	list_for_each_entry_safe_reverse(trigger, next, &file->triggers, list) {
		if (trigger->command->is_truncated && trigger->command->is_truncated(trigger))
			trace_trigger_remove(trigger);
	}
}

static void trigger_text_show_one(struct seq_file *m, const struct trace_trigger *trigger)
{
	if (trigger->command->show_all) {
		trigger->command->show_all(m, trigger);
		seq_putc(m, '\n');
		return;
	}

	seq_puts(m, trigger->command->name);
	if (trigger->command->show)
		trigger->command->show(m, trigger);
	if (trigger->counted)
		seq_printf(m, ":count=%ld", trace_count_left(&trigger->left));
	else
		seq_puts(m, ":unlimited");
	if (trigger->filter)
		seq_printf(m, " if %s", trigger->filter->text);
	seq_putc(m, '\n');
}

static void trigger_text_show_commands(struct seq_file *m)
{
	struct trace_trigger_command *command;

	seq_puts(m, "# Available triggers:\n#");
	list_for_each_entry(command, &trace_trigger_commands, list)
		seq_printf(m, " %s", command->name);
	seq_putc(m, '\n');
}

/**
 * trace_triggers_show - list the triggers of an event in an instance
 * @m: output file
 * @tr: the instance
 * @call: the event
 *
 * For an event without triggers, the available commands are listed. trace_event_lock held.
 */
void trace_triggers_show(struct seq_file *m, struct trace_array *tr,
			 struct trace_event_call *call)
{
	struct trace_event_file *file = trace_event_file_find(tr, call);
	struct trace_trigger *trigger;
	bool any = false;

	if (!file)
		return trigger_text_show_commands(m);

	list_for_each_entry(trigger, &file->triggers, list) {
		if (trigger->command->hidden)
			continue;
		trigger_text_show_one(m, trigger);
		any = true;
	}
	if (!any)
		trigger_text_show_commands(m);
}

/*
 * The command line
 */

static char boot_triggers[COMMAND_LINE_SIZE] __initdata;

static int __init trigger_text_boot_setup(char *str)
{
	return boot_list_append(boot_triggers, sizeof(boot_triggers), str);
}
__setup("trace_trigger=", trigger_text_boot_setup);

static int __init trigger_text_boot(const char *name, const char *text)
{
	struct trace_event_call *call;
	int err = -ENOENT;

	guard(mutex)(&trace_event_lock);

	list_for_each_entry(call, &trace_event_calls, list) {
		if (strcmp(trace_event_name(call), name))
			continue;
		err = trace_trigger_set(&trace_top, call, text);
		if (err)
			break;
	}

	return err;
}

/* event.trigger,...; after all commands are registered */
static int __init trigger_text_boot_set(void)
{
	char *rest = boot_triggers, *text;

	while ((text = strsep(&rest, ","))) {
		char *name = strsep(&text, ".");

		if (*name && (!text || trigger_text_boot(name, text)))
			pr_warn("trace_trigger=%s.%s cannot be set\n", name,
				text ?: "");
	}

	return 0;
}
core_initcall_sync(trigger_text_boot_set);
