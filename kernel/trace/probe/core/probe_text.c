// SPDX-License-Identifier: GPL-2.0
/*
 * Text of the entries of dynamic events, and their fields and formats for the format files.
 */
#include <linux/err.h>
#include <linux/kernel.h>
#include <linux/seq_buf.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/trace_events.h>
#include <linux/unaligned.h>

#include "probe/arg/probe_type.h"
#include "probe/core/probe_event.h"

/* Do entries have the address of the probe? */
static bool probe_text_has_address(const struct probe_event *event)
{
	return event->shape->head > sizeof(struct trace_entry);
}

/*
 * Fields. There are no gaps between them.
 */

static void probe_text_set_field(struct trace_event_fields *field, const char *type,
				 const char *name,
				 unsigned int size, bool is_signed, unsigned int len)
{
	const struct trace_event_fields made = {
		.type		= type,
		.name		= name,
		.size		= size,
		.align		= 1,
		.is_signed	= is_signed,
		.filter_type	= FILTER_OTHER,
		.len		= len,
	};

	memcpy(field, &made, sizeof(made));
}

/**
 * probe_fields - get the fields of an event, without the common fields of all entries
 * @event: the event, whose shape is set
 *
 * Return: the table, ended by a field without a type, to be freed by kfree(); or NULL
 */
struct trace_event_fields *probe_fields(const struct probe_event *event)
{
	const struct probe_args *args = event->shape;
	struct trace_event_fields *fields = kcalloc(args->nr + 3, sizeof(*fields), GFP_KERNEL);
	struct trace_event_fields *field = fields;
	const char *type = "unsigned long";
	unsigned int i;

	if (!fields)
		return NULL;

	if (!probe_text_has_address(event)) {
		/* No address: all entries are of the event that the probes are on. */
	} else if (event->at_return) {
		probe_text_set_field(field++, type, "__probe_func", sizeof(long), false, 0);
		probe_text_set_field(field++, type, "__probe_ret_ip", sizeof(long), false, 0);
	} else {
		probe_text_set_field(field++, type, "__probe_ip", sizeof(long), false, 0);
	}
	for (i = 0; i < args->nr; i++) {
		const struct probe_arg *arg = &args->arg[i];

		probe_text_set_field(field++, arg->c_type, arg->name,
				     arg->type->size * (arg->nr ?: 1),
				     probe_argtype_is_signed(arg->type), arg->nr);
	}

	return fields;
}

/* Write one value of the format's arguments. @nth is "" or the index of an array in brackets. */
static void probe_text_format_value(struct seq_buf *s, const struct probe_arg *arg, const char *nth)
{
	if (probe_argtype_is_string(arg->type))
		seq_buf_printf(s, ", __get_str(%s%s)", arg->name, nth);
	else if (arg->type->style == 'S')
		seq_buf_printf(s, ", (void *)REC->%s%s", arg->name, nth);
	else
		seq_buf_printf(s, ", REC->%s%s", arg->name, nth);
}

static void probe_text_format_arg(struct seq_buf *s, const struct probe_arg *arg)
{
	unsigned int i;

	seq_buf_printf(s, " %s=%s%s", arg->name, arg->nr ? "{" : "", arg->type->format);
	for (i = 1; i < arg->nr; i++)
		seq_buf_printf(s, ",%s", arg->type->format);
	if (arg->nr)
		seq_buf_puts(s, "}");
}

static void probe_text_format_values(struct seq_buf *s, const struct probe_arg *arg)
{
	char nth[16];
	unsigned int i;

	if (!arg->nr)
		probe_text_format_value(s, arg, "");
	for (i = 0; i < arg->nr; i++) {
		snprintf(nth, sizeof(nth), "[%u]", i);
		probe_text_format_value(s, arg, nth);
	}
}

static void probe_text_format_all(struct seq_buf *s, const struct probe_event *event,
				  const struct probe_args *args)
{
	const char *place = "(%lx)", *address = ", REC->__probe_ip";
	unsigned int i;

	if (!probe_text_has_address(event)) {
		place = "";
		address = "";
	} else if (event->at_return) {
		place = "(%lx <- %lx)";
		address = ", REC->__probe_func, REC->__probe_ret_ip";
	}

	seq_buf_printf(s, "\"%s", place);
	for (i = 0; i < args->nr; i++)
		probe_text_format_arg(s, &args->arg[i]);
	seq_buf_printf(s, "\"%s", address);
	for (i = 0; i < args->nr; i++)
		probe_text_format_values(s, &args->arg[i]);
}

/**
 * probe_print_format - get the print format of an event
 * @event: the event, whose shape is set
 *
 * Return: the text, to be freed by kvfree(); or NULL
 */
char *probe_print_format(const struct probe_event *event)
{
	/*
	 * 128 arrays of 64 values need more than half a megabyte; most formats need only a
	 * line.
	 */
	size_t size = 256;
	struct seq_buf s;
	char *text;

	for (;; size *= 4) {
		text = kvmalloc(size, GFP_KERNEL);
		if (!text)
			return NULL;
		seq_buf_init(&s, text, size);
		probe_text_format_all(&s, event, event->shape);
		if (!seq_buf_has_overflowed(&s) && seq_buf_used(&s) < size)
			break;
		kvfree(text);
	}
	seq_buf_str(&s);

	return text;
}

/*
 * Entries
 */

static u64 probe_text_number_at(const void *at, const struct probe_argtype *type)
{
	switch (type->size) {
	case 1:
		return probe_argtype_is_signed(type) ? (s64)*(const s8 *)at : *(const u8 *)at;
	case 2:
		return probe_argtype_is_signed(type) ? (s64)get_unaligned((const s16 *)at) :
					 get_unaligned((const u16 *)at);
	case 4:
		return probe_argtype_is_signed(type) ? (s64)get_unaligned((const s32 *)at) :
					 get_unaligned((const u32 *)at);
	default:
		return get_unaligned((const u64 *)at);
	}
}

static void probe_text_print_number(struct trace_seq *s, const void *at,
				    const struct probe_argtype *type)
{
	u64 number = probe_text_number_at(at, type);

	switch (type->style) {
	case 'u':
		trace_seq_printf(s, "%llu", number);
		break;
	case 's':
		trace_seq_printf(s, "%lld", number);
		break;
	case 'c':
		trace_seq_printf(s, "'%c'", (char)number);
		break;
	case 'S':
		trace_seq_printf(s, "%pS", (void *)(unsigned long)number);
		break;
	default:
		trace_seq_printf(s, "0x%llx", number);
	}
}

/* The entry may be from memory left by an earlier kernel. */
static void probe_text_print_string(struct trace_seq *s, const void *at,
				    const struct trace_iterator *iter)
{
	u32 loc = get_unaligned((const u32 *)at);
	unsigned int len = PROBE_LOC_LEN(loc), offset = PROBE_LOC_OFFSET(loc);

	if (!len || offset + len > iter->ent_size)
		trace_seq_puts(s, "(fault)");
	else
		trace_seq_printf(s, "\"%.*s\"", len - 1, (const char *)iter->ent + offset);
}

static void probe_text_print_value(struct trace_seq *s, const void *at,
				   const struct probe_argtype *type,
				   const struct trace_iterator *iter)
{
	if (probe_argtype_is_string(type))
		probe_text_print_string(s, at, iter);
	else
		probe_text_print_number(s, at, type);
}

static void probe_text_print_arg(struct trace_seq *s, const struct probe_arg *arg,
				 const struct trace_iterator *iter)
{
	const void *at = (const void *)iter->ent + arg->offset;
	unsigned int i;

	trace_seq_printf(s, " %s=%s", arg->name, arg->nr ? "{" : "");
	probe_text_print_value(s, at, arg->type, iter);
	for (i = 1; i < arg->nr; i++) {
		trace_seq_putc(s, ',');
		probe_text_print_value(s, at + i * arg->type->size, arg->type, iter);
	}
	if (arg->nr)
		trace_seq_putc(s, '}');
}

/* Symbols of programs are not known here. */
static void probe_text_print_user_addresses(struct trace_seq *s, const unsigned long *address,
					    bool at_return)
{
	if (at_return)
		trace_seq_printf(s, "0x%lx <- 0x%lx)", address[1], address[0]);
	else
		trace_seq_printf(s, "0x%lx)", address[0]);
}

/* The event and its shape remain valid: unregister_trace_event() waits for readers. */
static enum print_line_t probe_text_print_entry(struct trace_iterator *iter, int flags,
						struct trace_event *type)
{
	struct probe_event *event = container_of(type, struct probe_event, call.event);
	const struct probe_args *args = event->shape;
	const unsigned long *address = (const void *)(iter->ent + 1);
	struct trace_seq *s = &iter->seq;
	unsigned int i;

	if (iter->ent_size < args->size)
		return TRACE_TYPE_UNHANDLED;

	trace_seq_printf(s, "%s: (", trace_event_name(&event->call));
	if (!probe_text_has_address(event))
		trace_seq_printf(s, "%s)", probe_event_place(event));
	else if (event->call.flags & TRACE_EVENT_FL_UPROBE)
		probe_text_print_user_addresses(s, address, event->at_return);
	else if (event->at_return)
		trace_seq_printf(s, "%pS <- %ps)", (void *)address[1], (void *)address[0]);
	else
		trace_seq_printf(s, "%pS)", (void *)address[0]);
	for (i = 0; i < args->nr; i++)
		probe_text_print_arg(s, &args->arg[i], iter);
	trace_seq_putc(s, '\n');

	return trace_handle_return(s);
}

struct trace_event_functions probe_event_functions = {
	.trace	= probe_text_print_entry,
};
