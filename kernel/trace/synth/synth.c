// SPDX-License-Identifier: GPL-2.0
/*
 * Synthetic events: definition, listing and removal.
 *
 *	[s:[synthetic/]]name type field[; type field ...]	defines one
 *	!name [...]						removes one
 *
 * The type is an integer type, a string "char[n]" or "char[]", or a stack trace "long[]".
 * Brackets may also follow the name of the field.
 */
#include <linux/cleanup.h>
#include <linux/ctype.h>
#include <linux/err.h>
#include <linux/kernel.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "event/control/event_add.h"
#include "event/core/event_list.h"
#include "event/core/fields.h"
#include "instance/core/errlog.h"
#include "instance/core/instance.h"
#include "synth/synth.h"

/* Guards the list of synthetic events. */
DEFINE_MUTEX(synth_lock);
LIST_HEAD(synth_events);

/**
 * struct synth_def - a definition that is being parsed
 * @text: the complete text
 * @where: name of the file, for error_log
 */
struct synth_def {
	const char	*text;
	const char	*where;
};

static int synth_refuse(const struct synth_def *def, const char *at, const char *what)
{
	if (def->where)
		trace_error(&trace_top, def->where, what, def->text, strlen(def->text),
			    at - def->text);

	return -EINVAL;
}

static struct synth_event *synth_find(const char *name, size_t len)
{
	struct synth_event *event;

	lockdep_assert_held(&synth_lock);

	list_for_each_entry(event, &synth_events, list) {
		if (!strncmp(event->call.name, name, len) && !event->call.name[len])
			return event;
	}

	return NULL;
}

/**
 * synth_of_call - get the synthetic event of a trace event
 * @call: any trace event
 *
 * Return: NULL if it is not a synthetic event
 */
struct synth_event *synth_of_call(struct trace_event_call *call)
{
	return call->class->reg == synth_reg ? container_of(call, struct synth_event, call) :
					       NULL;
}

static size_t synth_name_len(const char *text)
{
	size_t len = 0;

	if (!isalpha(*text) && *text != '_')
		return 0;
	while (isalnum(text[len]) || text[len] == '_')
		len++;

	return len;
}

/*
 * Fields
 */

/* Find the name: the last token before @end, optionally with brackets. Return: its start */
static const char *synth_name_begin(const char *begin, const char *end, const char **name_end)
{
	const char *at = end;

	if (at > begin && at[-1] == ']') {
		while (at > begin && at[-1] != '[')
			at--;
		at -= at > begin;
		while (at > begin && isspace(at[-1]))
			at--;
	}
	*name_end = at;
	while (at > begin && (isalnum(at[-1]) || at[-1] == '_'))
		at--;

	return at;
}

/*
 * Append the tokens from @begin to @end, separated by one blank, at offset @len of @to. Return:
 * the new length, or -1 if there is not enough space
 */
static int synth_add_tokens(char *to, int size, int len, const char *begin, const char *end)
{
	bool blank = false;

	for (; len >= 0 && begin < end; begin++) {
		if (isspace(*begin)) {
			blank = true;
			continue;
		}
		if (len + blank + 1 >= size)
			return -1;
		if (blank && len && *begin != '[')
			to[len++] = ' ';
		blank = false;
		to[len++] = *begin;
	}

	return len;
}

/* Add the field "type name" from @begin to @end, which has no blanks around it */
static int synth_add_field(const struct synth_def *def, struct synth_event *event,
			   const char *begin, const char *end)
{
	const char *name_end, *name = synth_name_begin(begin, end, &name_end);
	struct synth_field *field = &event->field[event->nr];
	char type[64];
	unsigned int i;
	int len, err;

	if (event->nr == SYNTH_FIELDS_MAX)
		return synth_refuse(def, begin, "Too many fields");
	if (name == name_end || isdigit(*name) || name == begin)
		return synth_refuse(def, begin, "Field must have a type and a name");
	for (i = 0; i < event->nr; i++) {
		if (!strncmp(event->field[i].name, name, name_end - name) &&
		    !event->field[i].name[name_end - name])
			return synth_refuse(def, name, "Duplicate field");
	}

	/* Brackets after the name belong to the type. */
	len = synth_add_tokens(type, sizeof(type), 0, begin, name);
	len = synth_add_tokens(type, sizeof(type), len, name_end, end);
	if (len < 0)
		return synth_refuse(def, begin, "Illegal type");

	err = synth_field_set(field, type, len, name, name_end - name);
	if (err == -EINVAL)
		return synth_refuse(def, begin, "Illegal type");
	if (!err)
		event->nr++;

	return err;
}

static int synth_parse_fields(const struct synth_def *def, struct synth_event *event,
			      const char *at)
{
	int err = 0;

	while (!err && *(at = skip_spaces(at))) {
		size_t len = strcspn(at, ";");
		const char *next = at + len + (at[len] == ';');

		while (len && isspace(at[len - 1]))
			len--;
		if (len)
			err = synth_add_field(def, event, at, at + len);
		at = next;
	}
	if (!err && !event->nr)
		err = synth_refuse(def, at, "No fields");

	return err;
}

/* Each field is aligned to 8 bytes and padded to a multiple of 8 bytes. */
static void synth_place(struct synth_event *event)
{
	unsigned int i;

	event->size = sizeof(struct trace_entry);
	for (i = 0; i < event->nr; i++) {
		event->field[i].offset = event->size;
		event->size += ALIGN(event->field[i].size, sizeof(u64));
		event->has_dynamic |= event->field[i].is_dynamic;
	}
}

/* Creation and removal */

static void synth_free(struct synth_event *event)
{
	unsigned int i;

	for (i = 0; i < event->nr; i++)
		synth_field_free(&event->field[i]);
	kfree(event->field);
	kfree(event->class.fields_array);
	kfree(event->call.print_fmt);
	kfree(event->call.name);
	kfree(event);
}

static struct synth_event *synth_new(const char *name, size_t len)
{
	struct synth_event *event = kzalloc(sizeof(*event), GFP_KERNEL);

	if (!event)
		return NULL;

	INIT_LIST_HEAD(&event->list);
	INIT_LIST_HEAD(&event->files);
	INIT_LIST_HEAD(&event->class.fields);
	event->field = kcalloc(SYNTH_FIELDS_MAX, sizeof(*event->field), GFP_KERNEL);
	event->call.name = kmemdup_nul(name, len, GFP_KERNEL);
	if (!event->field || !event->call.name) {
		synth_free(event);
		return NULL;
	}

	return event;
}

/* Register a complete event. Its files exist from now on. */
static int synth_register(struct synth_event *event)
{
	int err;

	synth_place(event);
	event->call.print_fmt = synth_print_format(event);
	event->class.fields_array = synth_fields_table(event);
	if (!event->call.print_fmt || !event->class.fields_array)
		return -ENOMEM;

	event->class.system = SYNTH_SYSTEM;
	event->class.reg = synth_reg;
	event->call.class = &event->class;
	event->call.flags = TRACE_EVENT_FL_DYNAMIC;
	event->call.event.funcs = &synth_event_functions;
	err = trace_add_event_call(&event->call);
	if (!err)
		list_add_tail(&event->list, &synth_events);

	return err;
}

static int synth_list_add(const struct synth_def *def, const char *name, size_t len,
			  const char *fields)
{
	struct synth_event *event;
	int err;

	if (synth_find(name, len)) {
		synth_refuse(def, name, "Event already exists");
		return -EEXIST;
	}

	event = synth_new(name, len);
	if (!event)
		return -ENOMEM;

	err = synth_parse_fields(def, event, fields) ?: synth_register(event);
	if (err)
		synth_free(event);

	return err;
}

/**
 * synth_define - define a synthetic event
 * @name: its name
 * @fields: "type name; type name ..."
 * @text: the complete text, which contains @name and @fields
 * @where: name of the file, for error_log; NULL to log no errors
 *
 * May sleep.
 *
 * Return: 0; -EINVAL, -EEXIST or -ENOMEM
 */
int synth_define(const char *name, const char *fields, const char *text, const char *where)
{
	const struct synth_def def = { .text = text, .where = where };
	size_t len = synth_name_len(name);

	if (!len || (name[len] && !isspace(name[len])))
		return synth_refuse(&def, name, "Illegal name");

	guard(mutex)(&synth_lock);

	return synth_list_add(&def, name, len, fields);
}

static int synth_remove_one(struct synth_event *event)
{
	int err = trace_remove_event_call(&event->call);

	if (err)
		return err;

	list_del(&event->list);
	synth_free(event);

	return 0;
}

/**
 * synth_remove - remove a synthetic event
 * @name: its name, terminated by a blank
 *
 * May sleep.
 *
 * Return: 0; -ENOENT, or -EBUSY while it is in use
 */
int synth_remove(const char *name)
{
	struct synth_event *event;

	guard(mutex)(&synth_lock);

	event = synth_find(name, strcspn(name, " \t\n;"));

	return event ? synth_remove_one(event) : -ENOENT;
}

/**
 * synth_remove_all - remove all synthetic events
 *
 * May sleep.
 *
 * Return: 0; -EBUSY if one of them is in use, and none is removed
 */
int synth_remove_all(void)
{
	struct synth_event *event, *next;

	guard(mutex)(&synth_lock);

	scoped_guard(mutex, &trace_event_lock) {
		list_for_each_entry(event, &synth_events, list) {
			if (trace_event_call_is_used(&event->call, 0))
				return -EBUSY;
		}
		list_for_each_entry(event, &synth_events, list)
			trace_event_call_retire(&event->call);
		if (!list_empty(&synth_events))
			tracepoint_synchronize_unregister();
		list_for_each_entry(event, &synth_events, list)
			trace_event_call_bury(&event->call);
	}

	list_for_each_entry_safe(event, next, &synth_events, list) {
		list_del(&event->list);
		synth_free(event);
	}

	return 0;
}

/*
 * Text
 */

/**
 * synth_show - print the definition of an event in a form that can be written back
 * @m: output file, after the name
 * @event: the event
 *
 * synth_lock held.
 */
void synth_show(struct seq_file *m, const struct synth_event *event)
{
	unsigned int i;

	for (i = 0; i < event->nr; i++)
		seq_printf(m, "%s%s %s", i ? "; " : "", event->field[i].type,
			   event->field[i].name);
	seq_putc(m, '\n');
}

/**
 * synth_command - define or remove an event
 * @text: the command, a line
 * @where: name of the file, for error_log
 *
 * May sleep.
 *
 * Return: 0 or an error, with details possibly in error_log
 */
int synth_command(const char *text, const char *where)
{
	const char *name = skip_spaces(text);

	if (!*name || *name == '#')
		return 0;
	if (*name == '!')
		return synth_remove(skip_spaces(name + 1));

	return synth_define(name, name + strcspn(name, " \t\n"), text, where);
}
