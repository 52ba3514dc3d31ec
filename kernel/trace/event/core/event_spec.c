// SPDX-License-Identifier: GPL-2.0
/*
 * Event specifiers. See event_spec.h.
 */
#include <linux/ctype.h>
#include <linux/err.h>
#include <linux/glob.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "event/core/event_list.h"
#include "event/core/event_spec.h"

#define MODULE_MARK	":mod:"

static int event_spec_split(struct event_spec *spec, char *text)
{
	char *mark = strstr(text, MODULE_MARK), *colon;

	if (mark) {
		*mark = '\0';
		spec->module = mark + strlen(MODULE_MARK);
		if (!*spec->module || strchr(spec->module, ':'))
			return -EINVAL;
	} else if (!*text) {
		return -EINVAL;
	}

	colon = strchr(text, ':');
	if (colon) {
		*colon = '\0';
		spec->system = text;
		spec->event = colon + 1;
	} else {
		spec->any = text;
	}

	return 0;
}

/**
 * trace_event_spec_parse - parse an event specifier
 * @text: the specifier
 * @len: its length
 *
 * May sleep.
 *
 * Return: the specifier, to be freed by kfree(); -EINVAL if the syntax is wrong; -ENOMEM
 */
struct event_spec *trace_event_spec_parse(const char *text, size_t len)
{
	struct event_spec *spec = kzalloc(struct_size(spec, text, 2 * (len + 1)), GFP_KERNEL);
	char *copy;
	int err;

	if (!spec)
		return ERR_PTR(-ENOMEM);

	copy = spec->text + len + 1;
	memcpy(spec->text, text, len);
	memcpy(copy, text, len);
	spec->on = *copy != '!';
	err = event_spec_split(spec, spec->on ? copy : copy + 1);
	if (err) {
		kfree(spec);
		return ERR_PTR(err);
	}

	return spec;
}

/**
 * trace_event_specs_free - free all event specifiers of a list
 * @specs: the list, which is empty afterwards
 */
void trace_event_specs_free(struct list_head *specs)
{
	struct event_spec *spec, *next;

	list_for_each_entry_safe(spec, next, specs, list) {
		list_del(&spec->list);
		kfree(spec);
	}
}

/* Most names differ in the first letter: skip the glob match for these. */
static bool event_spec_fits(const char *glob, const char *name)
{
	if (!glob || !*glob)
		return true;

	return (!isalnum(*glob) || *glob == *name) && glob_match(glob, name);
}

/**
 * trace_event_spec_fits_module - check whether a specifier can match events of a module
 * @spec: the event specifier; without a module, it matches the kernel and all modules
 * @mod: the module, or NULL for the kernel
 */
bool trace_event_spec_fits_module(const struct event_spec *spec, struct module *mod)
{
	return !spec->module || (mod && glob_match(spec->module, module_name(mod)));
}

/**
 * trace_event_spec_fits - check whether a specifier matches an event
 * @spec: the event specifier, whether it enables or disables
 * @call: the event
 */
bool trace_event_spec_fits(const struct event_spec *spec, struct trace_event_call *call)
{
	const char *system = call->class->system, *name;

	/* First, as it excludes most events. */
	if (spec->system && !event_spec_fits(spec->system, system))
		return false;
	if (spec->module && !trace_event_spec_fits_module(spec, trace_event_module(call)))
		return false;

	name = trace_event_name(call);
	if (spec->any)
		return event_spec_fits(spec->any, name) || event_spec_fits(spec->any, system);

	return event_spec_fits(spec->event, name);
}

static bool event_spec_is_all(const char *glob)
{
	return !glob || !*glob || !strcmp(glob, "*");
}

/**
 * trace_event_spec_cancels - check whether a specifier with `!' cancels a pending one
 * @spec: the event specifier with `!'
 * @other: the event specifier that is pending for a module
 *
 * It does so if the rest of its text is equal, or if it matches all events of such modules.
 */
bool trace_event_spec_cancels(const struct event_spec *spec,
			      const struct event_spec *other)
{
	if (!strcmp(spec->text + 1, other->text))
		return true;

	return spec->module && event_spec_is_all(spec->any) && event_spec_is_all(spec->system) &&
	       event_spec_is_all(spec->event) && glob_match(spec->module, other->module);
}
