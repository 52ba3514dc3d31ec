// SPDX-License-Identifier: GPL-2.0
/*
 * Dynamic events: defining and listing them. The differences between kinds of probes
 * are in struct probe_kind.
 */
#include <linux/cleanup.h>
#include <linux/ctype.h>
#include <linux/err.h>
#include <linux/list.h>
#include <linux/lockdep.h>
#include <linux/percpu.h>
#include <linux/rculist.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/trace_events.h>

#include "event/control/event_add.h"
#include "event/core/event_list.h"
#include "event/core/fields.h"
#include "event/record/event_perf.h"
#include "instance/core/errlog.h"
#include "instance/core/instance.h"
#include "probe/arg/probe_def.h"
#include "probe/core/probe_event.h"

/* Protects the lists of events and kinds, and the contents of events. */
DEFINE_MUTEX(probe_lock);
LIST_HEAD(probe_events);

/* Maximum number of returns of one function that are waited for at the same time */
#define PROBE_MAXACTIVE_MAX	4096

LIST_HEAD(probe_kinds);
LIST_HEAD(probe_others);

/**
 * probe_others_add - register dynamic events without probes
 * @others: their functions
 *
 * Called by early_initcall().
 */
void __init probe_others_add(struct probe_others *others)
{
	list_add_tail(&others->list, &probe_others);
}

/**
 * probe_kind_register - register a kind of probes
 * @kind: the kind
 *
 * Called from an initcall.
 */
void __init probe_kind_register(struct probe_kind *kind)
{
	guard(mutex)(&probe_lock);

	if (kind->is_place)
		list_add(&kind->list, &probe_kinds);
	else
		list_add_tail(&kind->list, &probe_kinds);
}

/*
 * Names
 */

/* @more: other characters that are valid, except at the beginning */
static bool probe_event_is_name(const char *text, const char *more)
{
	if (!isalpha(*text) && *text != '_')
		return false;
	while (*text && (isalnum(*text) || *text == '_' || strchr(more, *text)))
		text++;

	return !*text;
}

static int probe_event_take_name(char *to, struct probe_def *def, const char *from,
				 const char *more, const char *what)
{
	size_t size = *more ? PROBE_PATH_MAX : PROBE_NAME_MAX;

	if (strlen(from) >= size)
		return probe_refuse(def, from, "The name is too long");
	if (!probe_event_is_name(from, more))
		return probe_refuse(def, from, what);
	strscpy(to, from, size);

	return 0;
}

/**
 * probe_name_parse - parse the name of an event
 * @name: filled in
 * @def: the definition
 * @text: "GROUP/EVENT", "GROUP/" or "EVENT", in a token of @def
 * @more: other characters than letters, digits and "_" that are valid in the name of an event
 *
 * Return: 0; -EINVAL, with the reason in @def
 */
int probe_name_parse(struct probe_name *name, struct probe_def *def, char *text,
		     const char *more)
{
	char *event = strchr(text, '/');
	int err = 0;

	*name = (struct probe_name){};
	if (!*text)
		return probe_refuse(def, text, "There is no name of an event");

	if (event) {
		*event++ = '\0';
		err = probe_event_take_name(name->group, def, text, "",
					    "Invalid name of a group");
	} else {
		event = text;
	}
	if (!err && *event)
		err = probe_event_take_name(name->event, def, event, more,
					    "Invalid name of an event");

	return err;
}

/**
 * probe_name_mend - make the name of an event valid, if it was derived from a place
 * @name: the name; characters that are not allowed are replaced by _, and what is too long is cut
 *	off
 */
void probe_name_mend(struct probe_name *name)
{
	char *c;

	name->event[PROBE_NAME_MAX - 1] = '\0';
	for (c = name->event; *c; c++) {
		if (!isalnum(*c))
			*c = '_';
	}
}

/**
 * probe_maxactive_parse - parse the number of returns of a function to wait for at the same
 * time
 * @most: set to the number
 * @def: the definition
 * @text: the number, in a token of @def
 *
 * Return: 0; -EINVAL or -E2BIG, with the reason in @def
 */
int probe_maxactive_parse(unsigned int *most, struct probe_def *def, const char *text)
{
	if (kstrtouint(text, 0, most))
		return probe_refuse(def, text, "Invalid maximum");
	if (*most <= PROBE_MAXACTIVE_MAX)
		return 0;
	probe_refuse(def, text, "The maximum is too large");

	return -E2BIG;
}

static struct probe_event *probe_event_find(const char *group, const char *name)
{
	struct probe_event *event;

	lockdep_assert_held(&probe_lock);

	list_for_each_entry(event, &probe_events, list) {
		if (!strcmp(event->system, group) && !strcmp(event->call.name, name))
			return event;
	}

	return NULL;
}

/*
 * Probes
 */

/*
 * Size of an entry before the arguments, in bytes: one address, two at the return of a
 * function, no address on an event.
 */
static unsigned int probe_event_head(unsigned int flags, bool at_return)
{
	unsigned int nr = flags & PROBE_ON_EVENT ? 0 : at_return ? 2 : 1;

	return sizeof(struct trace_entry) + nr * sizeof(unsigned long);
}

/**
 * probe_init - initialize a probe
 * @probe: the probe; must be freed with probe_free(), also after an error
 * @def: its definition, whose third token is the first argument
 * @place: its place
 * @at_return: see struct probe_kind
 *
 * Return: 0 or an error
 */
int probe_init(struct probe *probe, struct probe_def *def,
	       const struct probe_place *place, bool at_return)
{
	int err;

	INIT_LIST_HEAD(&probe->list);
	probe->hits = alloc_percpu(unsigned long);
	if (!probe->hits)
		return -ENOMEM;

	err = probe_args_parse(&probe->args, def, 2, place,
			       probe_event_head(place->flags, at_return));

	if (err)
		return err;

	return probe->args.has_strings || probe->args.reads_user ? probe_scratch_prepare() : 0;
}

/**
 * probe_free - free the contents of a probe
 * @probe: the probe, which is not attached
 */
void probe_free(struct probe *probe)
{
	probe_args_free(&probe->args);
	free_percpu(probe->hits);
	kfree(probe->command);
	kfree(probe->where);
	kfree(probe->filter);
}

/**
 * probe_hits - get the number of hits of a probe
 * @probe: the probe
 */
unsigned long probe_hits(const struct probe *probe)
{
	unsigned long sum = 0;
	int cpu;

	for_each_possible_cpu(cpu)
		sum += *per_cpu_ptr(probe->hits, cpu);

	return sum;
}

/*
 * Events
 */

static void probe_event_free(const struct probe_kind *kind, struct list_head *probes)
{
	struct probe *probe, *next;

	list_for_each_entry_safe(probe, next, probes, list) {
		list_del(&probe->list);
		kind->free(probe);
	}
}

/**
 * probe_event_drop - free an event with all of its probes, which are not attached
 * @event: the event, which is in no list
 */
void probe_event_drop(struct probe_event *event)
{
	probe_event_free(event->kind, &event->probes);
	probe_event_free(event->kind, &event->gone);
	/* A hidden event has never been registered, so that nobody else frees these. */
	trace_event_fields_drop(&event->call);
	trace_perf_forget(&event->call);
	kfree(event->class.fields_array);
	kvfree(event->call.print_fmt);
	kfree(event->call.name);
	kfree(event->system);
	kfree(event);
}

static struct probe_event *probe_event_new(const struct probe_kind *kind, const struct probe *probe,
					   const struct probe_name *name)
{
	struct probe_event *event = kzalloc(sizeof(*event), GFP_KERNEL);

	if (!event)
		return NULL;

	event->kind = kind;
	event->at_return = kind->at_return(probe);
	event->shape = &probe->args;
	event->call.class = &event->class;
	INIT_LIST_HEAD(&event->probes);
	INIT_LIST_HEAD(&event->gone);
	INIT_LIST_HEAD(&event->files);
	INIT_LIST_HEAD(&event->class.fields);
	probe_targets_init(&event->targets);

	event->system = kstrdup(name->group, GFP_KERNEL);
	event->call.name = kstrdup(name->event, GFP_KERNEL);
	event->call.print_fmt = probe_print_format(event);
	event->class.fields_array = probe_fields(event);
	if (!event->system || !event->call.name || !event->call.print_fmt ||
	    !event->class.fields_array) {
		probe_event_drop(event);
		return NULL;
	}

	event->class.system = event->system;
	event->class.reg = probe_reg;
	event->call.flags = kind->flags | TRACE_EVENT_FL_DYNAMIC;
	event->call.event.funcs = &probe_event_functions;

	return event;
}

/* Does an event have this name already, for example a tracepoint's? */
static bool probe_event_is_taken(const struct probe_name *name)
{
	guard(mutex)(&trace_event_lock);

	return trace_event_call_find(name->group, name->event);
}

/* Add the first probe of an event. The event owns the probe only on success. */
static int probe_event_add_first(const struct probe_kind *kind, struct probe *probe,
				 const struct probe_name *name, struct probe_def *def)
{
	struct probe_event *event;
	int err;

	if (probe_event_is_taken(name)) {
		probe_refuse(def, def->token[0], "An event of this name already exists");
		return -EEXIST;
	}

	event = probe_event_new(kind, probe, name);
	if (!event)
		return -ENOMEM;

	probe->event = event;
	err = kind->attach(probe);
	if (err) {
		probe_event_drop(event);
		return err;
	}

	list_add_tail(&probe->list, &event->probes);
	err = trace_add_event_call(&event->call);
	if (err) {
		list_del_init(&probe->list);
		probe_detach(probe);
		probe_event_drop(event);
		return err;
	}
	list_add_tail(&event->list, &probe_events);

	return 0;
}

/* Can @probe be added to @event? */
static int probe_event_check_next(const struct probe_event *event, const struct probe_kind *kind,
				  const struct probe *probe, struct probe_def *def)
{
	const struct probe *other;
	const char *what = NULL;

	if (event->kind != kind || event->at_return != kind->at_return(probe))
		what = "The event has probes of another kind";
	else if (!probe_args_same(event->shape, &probe->args, false))
		what = "The event has arguments of other names or types";
	else if (event->shape->head == sizeof(struct trace_entry) &&
		 strcmp(probe_event_place(event), probe->where))
		what = "The event has probes on another event";
	list_for_each_entry(other, &event->probes, list) {
		if (!what && !strcmp(other->where, probe->where) &&
		    probe_args_same(&other->args, &probe->args, true))
			what = "The event has this probe already";
	}
	if (!what)
		return 0;

	probe_refuse(def, def->token[0], what);

	return -EEXIST;
}

static int probe_event_add_next(struct probe_event *event, struct probe *probe)
{
	int err;

	probe->event = event;
	err = event->kind->attach(probe);
	if (err)
		return err;

	scoped_guard(mutex, &trace_event_lock) {
		if (event->users)
			err = probe_enable_another(probe);
		/* For probe_kprobe_may_override() */
		if (!err)
			list_add_tail_rcu(&probe->list, &event->probes);
	}
	if (err)
		probe_detach(probe);

	return err;
}

/**
 * probe_event_add - add a probe to its event, and attach it
 * @kind: kind of the probe
 * @probe: the probe, after probe_init(); freed by its event from now on
 * @name: name of its event, which may already have other probes
 * @def: the definition
 *
 * probe_lock held.
 *
 * Return: 0; or an error, and the caller still owns @probe
 */
int probe_event_add(const struct probe_kind *kind, struct probe *probe,
		    const struct probe_name *name, struct probe_def *def)
{
	struct probe_event *event = probe_event_find(name->group, name->event);
	int err;

	lockdep_assert_held(&probe_lock);

	if (!event)
		return probe_event_add_first(kind, probe, name, def);

	err = probe_event_check_next(event, kind, probe, def);

	return err ?: probe_event_add_next(event, probe);
}

/**
 * probe_event_hidden - make an event that is in no list
 * @kind: kind of the probe
 * @probe: the only probe of the event, which frees it from now on
 * @name: name of the event
 *
 * For perf. May sleep.
 *
 * Return: the event, for probe_drop_all(); or an error, and the caller still owns @probe
 */
struct probe_event *probe_event_hidden(const struct probe_kind *kind, struct probe *probe,
				       const struct probe_name *name)
{
	struct probe_event *event = probe_event_new(kind, probe, name);
	int err;

	if (!event)
		return ERR_PTR(-ENOMEM);

	probe->event = event;
	err = kind->attach(probe);
	if (err) {
		probe_event_drop(event);
		return ERR_PTR(err);
	}
	list_add_tail(&probe->list, &event->probes);

	return event;
}

/*
 * Text
 */

/**
 * probe_show - write the definition of a probe, so that it can be written back
 * @m: destination
 * @probe: the probe
 *
 * probe_lock held.
 */
void probe_show(struct seq_file *m, const struct probe *probe)
{
	const struct probe_event *event = probe->event;
	unsigned int i;

	seq_printf(m, "%s:%s/%s %s", probe->command, event->system, event->call.name,
		   probe->where);
	for (i = 0; i < probe->args.nr; i++)
		seq_printf(m, " %s=%s", probe->args.arg[i].name, probe->args.arg[i].text);
	if (probe->filter)
		seq_printf(m, " if %s", probe->filter);
	seq_putc(m, '\n');
}

/* Is the place valid for this kind? */
static bool probe_event_may_be_at(const struct probe_kind *kind, const struct probe_def *def)
{
	return !kind->is_place || (def->nr > 1 && kind->is_place(def->token[1]));
}

static int probe_event_apply(const struct probe_kind *only, struct probe_def *def)
{
	struct probe_others *others;
	struct probe_kind *kind;

	if (def->token[0][0] == '-') {
		guard(mutex)(&probe_lock);
		return probe_remove_named(only, def);
	}

	/* Both lists change only while the kernel boots. */
	list_for_each_entry(kind, &probe_kinds, list) {
		if ((only ? only == kind : probe_event_may_be_at(kind, def)) &&
		    kind->is_begun_by(def->token[0]))
			return kind->define(def);
	}

	guard(mutex)(&probe_lock);

	list_for_each_entry(others, &probe_others, list) {
		if (!only && others->is_begun_by(def->token[0]))
			return others->define(def);
	}

	return probe_refuse(def, def->token[0], "Unknown command");
}

/**
 * probe_command - define an event, or remove one
 * @kind: kind of events, NULL for all kinds
 * @text: the command line
 * @where: name of the file for error_log, a constant; NULL to write no report
 *
 * May sleep.
 *
 * Return: 0 or an error, with details in error_log
 */
int probe_command(const struct probe_kind *kind, const char *text, const char *where)
{
	struct probe_def def;
	int err;

	err = probe_def_split(&def, text);
	if (err)
		return err;

	if (def.nr && *def.token[0] != '#')
		err = probe_event_apply(kind, &def);
	if (err && def.what && where)
		trace_error(&trace_top, where, def.what, text, strlen(text), def.at);
	probe_def_free(&def);

	return err;
}
