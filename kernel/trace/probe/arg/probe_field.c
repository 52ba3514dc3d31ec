// SPDX-License-Identifier: GPL-2.0
/*
 * Fields of an event, for the arguments of probes on it.
 */
#include <linux/err.h>
#include <linux/string.h>
#include <linux/trace_events.h>

#include "event/core/fields.h"
#include "probe/arg/probe_field.h"

static enum probe_field_form field_form(const struct ftrace_event_field *field)
{
	if (strstarts(field->type, "__data_loc"))
		return PROBE_FIELD_LOC;
	if (strstarts(field->type, "__rel_loc"))
		return PROBE_FIELD_REL_LOC;
	if (strchr(field->type, '['))
		return PROBE_FIELD_ARRAY;

	switch (field->size) {
	case 1:
	case 2:
	case 4:
	case 8:
		return PROBE_FIELD_NUMBER;
	default:
		return PROBE_FIELD_ARRAY;
	}
}

static bool field_is_string(const struct ftrace_event_field *field)
{
	switch (field->filter_type) {
	case FILTER_STATIC_STRING:
	case FILTER_DYN_STRING:
	case FILTER_RDYN_STRING:
	case FILTER_PTR_STRING:
		return true;
	default:
		return false;
	}
}

/**
 * probe_field_find - find a field of an event
 * @to: filled in
 * @call: the event, with a reference
 * @name: name of the field
 *
 * May sleep.
 *
 * Return: 0, -ENOENT if there is no such field, -ENOMEM
 */
int probe_field_find(struct probe_field *to, struct trace_event_call *call, const char *name)
{
	const struct ftrace_event_field *field = trace_event_field(call, name);

	if (IS_ERR(field))
		return PTR_ERR(field);
	if (!field)
		return -ENOENT;

	*to = (struct probe_field){
		.offset		= field->offset,
		.size		= field->size,
		.form		= field_form(field),
		.is_signed	= field->is_signed,
		.is_string	= field_is_string(field),
	};

	return 0;
}
