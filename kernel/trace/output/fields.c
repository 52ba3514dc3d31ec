// SPDX-License-Identifier: GPL-2.0
/*
 * Option fields: the fields of an entry by name, instead of its text.
 */
#include <linux/kernel.h>
#include <linux/string.h>
#include <linux/trace_seq.h>

#include "event/type.h"
#include "output/fields.h"
#include "output/types.h"

static void print_number(struct trace_seq *s,
			 const struct ftrace_event_field *field, const void *at)
{
	bool sign = field->is_signed;

	switch (field->size) {
	case sizeof(u8):
		trace_seq_printf(s, "%d", sign ? *(const s8 *)at :
						 *(const u8 *)at);
		break;
	case sizeof(u16):
		trace_seq_printf(s, "%d", sign ? *(const s16 *)at :
						 *(const u16 *)at);
		break;
	case sizeof(u32):
		trace_seq_printf(s, sign ? "%d" : "%u", *(const u32 *)at);
		break;
	case sizeof(u64):
		trace_seq_printf(s, sign ? "%lld" : "%llu", *(const u64 *)at);
		break;
	default:
		trace_seq_puts(s, "?");
	}
}

/* The end of an array that is not full is 0. */
static void print_addresses(struct trace_iterator *iter,
			    const unsigned long *at, unsigned int size,
			    bool symbols)
{
	unsigned int i, n = size / sizeof(*at);

	trace_seq_putc(&iter->seq, '{');
	for (i = 0; i < n && at[i]; i++) {
		trace_seq_printf(&iter->seq, "%s0x%lx", i ? ", " : "", at[i]);
		if (symbols)
			trace_print_symbol(iter, " (", at[i], ")");
	}
	trace_seq_putc(&iter->seq, '}');
}

static void print_string(struct trace_seq *s, const char *text,
			 unsigned int size)
{
	size_t len = strnlen(text, size);

	/* The line has an end of its own. */
	if (len && text[len - 1] == '\n')
		len--;
	trace_seq_putc(s, '"');
	trace_seq_putmem(s, text, len);
	trace_seq_putc(s, '"');
}

static void print_bytes(struct trace_seq *s, const u8 *at, unsigned int size)
{
	unsigned int i;

	trace_seq_putc(s, '{');
	for (i = 0; i < size; i++)
		trace_seq_printf(s, "%s%02x", i ? " " : "", at[i]);
	trace_seq_putc(s, '}');
}

static void print_other(struct trace_iterator *iter,
			const struct ftrace_event_field *field, const void *at,
			unsigned int size)
{
	if (field->len && field->size / field->len == sizeof(long))
		print_addresses(iter, at, size, false);
	else if (field->len || !field->size)
		print_bytes(&iter->seq, at, size);
	else
		print_number(&iter->seq, field, at);
}

static void print_field(struct trace_iterator *iter,
			const struct ftrace_event_field *field)
{
	const void *at = (const void *)iter->ent + field->offset;
	unsigned int size = field->size ?: iter->ent_size - field->offset;
	struct trace_seq *s = &iter->seq;

	trace_seq_printf(s, " %s=", field->name);

	switch (field->filter_type) {
	case FILTER_TRACE_FN:
		trace_seq_printf(s, "0x%lx", *(const unsigned long *)at);
		trace_print_symbol(iter, " (", *(const unsigned long *)at, ")");
		break;
	case FILTER_STACKTRACE:
		print_addresses(iter, at, size, true);
		break;
	case FILTER_STATIC_STRING:
		print_string(s, at, size);
		break;
	case FILTER_PTR_STRING:
		print_string(s, *(const char * const *)at, U16_MAX);
		break;
	default:
		print_other(iter, field, at, size);
	}
}

/**
 * trace_print_fields - print name and value of each field of an entry
 * @iter: with the entry at hand
 *
 * Return: false if the fields of its type are not known.
 */
bool trace_print_fields(struct trace_iterator *iter)
{
	const struct trace_event_type *type;
	const struct ftrace_event_field *field;

	type = trace_event_type_find(iter->ent->type);
	if (!type)
		return false;

	trace_seq_printf(&iter->seq, "%s:", type->name);
	list_for_each_entry(field, &type->fields, link) {
		if (field->offset + field->size <= iter->ent_size)
			print_field(iter, field);
	}
	trace_seq_putc(&iter->seq, '\n');

	return true;
}
