// SPDX-License-Identifier: GPL-2.0
/*
 * The option "fields": print the fields of an entry by name instead of its text.
 */
#include <linux/err.h>
#include <linux/kernel.h>
#include <linux/string.h>
#include <linux/trace_seq.h>
#include <linux/unaligned.h>

#include "event/core/fields.h"
#include "event/core/type.h"
#include "output/entry_text.h"
#include "output/print_fields.h"
#include "output/reader.h"

static void print_fields_bytes(struct trace_seq *s, const u8 *at, unsigned int size)
{
	unsigned int i;

	trace_seq_putc(s, '{');
	for (i = 0; i < size; i++)
		trace_seq_printf(s, "%s%02x", i ? " " : "", at[i]);
	trace_seq_putc(s, '}');
}

static void print_fields_number(struct trace_seq *s,
				const struct ftrace_event_field *field, const void *at)
{
	bool sign = field->is_signed;
	u16 short_number;

	switch (field->size) {
	case sizeof(u8):
		trace_seq_printf(s, "0x%x (%d)", *(const u8 *)at,
				 sign ? *(const s8 *)at : *(const u8 *)at);
		break;
	case sizeof(u16):
		short_number = get_unaligned((const u16 *)at);
		trace_seq_printf(s, "0x%x (%d)", short_number,
				 sign ? (s16)short_number : short_number);
		break;
	case sizeof(u32):
		trace_seq_printf(s, sign ? "0x%x (%d)" : "0x%x (%u)",
				 get_unaligned((const u32 *)at), get_unaligned((const u32 *)at));
		break;
	case sizeof(u64):
		trace_seq_printf(s, sign ? "0x%llx (%lld)" : "0x%llx (%llu)",
				 get_unaligned((const u64 *)at), get_unaligned((const u64 *)at));
		break;
	default:
		print_fields_bytes(s, at, field->size);
	}
}

/* An array that is not full ends with a 0. */
static void print_fields_addresses(struct trace_iterator *iter,
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

static void print_fields_string(struct trace_seq *s, const char *text,
				unsigned int size)
{
	size_t len = strnlen(text, size);

	/* The line is ended separately. */
	if (len && text[len - 1] == '\n')
		len--;
	trace_seq_putmem(s, text, len);
}

static void print_fields_other(struct trace_iterator *iter,
			       const struct ftrace_event_field *field, const void *at,
			       unsigned int size)
{
	if (field->len && field->size / field->len == sizeof(long))
		print_fields_addresses(iter, at, size, false);
	else if (field->len || !field->size)
		print_fields_bytes(&iter->seq, at, size);
	else
		print_fields_number(&iter->seq, field, at);
}

/* Read the location field of dynamic data: the address of the data, and its size in @size. */
static const void *print_fields_find_data(const struct trace_iterator *iter,
					  const struct ftrace_event_field *field,
					  unsigned int *size)
{
	u32 loc = get_unaligned((const u32 *)((const void *)iter->ent + field->offset));
	unsigned int offset = loc & U16_MAX;

	*size = loc >> 16;
	if (strstarts(field->type, "__rel_loc"))
		offset += field->offset + sizeof(loc);

	return offset + *size <= iter->ent_size ? (const void *)iter->ent + offset : NULL;
}

static bool print_fields_has_data(const struct ftrace_event_field *field)
{
	return strstarts(field->type, "__data_loc") || strstarts(field->type, "__rel_loc");
}

static void print_fields_data(struct trace_iterator *iter, const struct ftrace_event_field *field)
{
	unsigned int size;
	const void *at = print_fields_find_data(iter, field, &size);

	if (!at)
		trace_seq_puts(&iter->seq, "<OVERFLOW>");
	else if (field->filter_type == FILTER_CPUMASK)
		trace_seq_printf(&iter->seq, "%*pbl", size * BITS_PER_BYTE, at);
	else if (field->filter_type == FILTER_DYN_STRING ||
		 field->filter_type == FILTER_RDYN_STRING)
		print_fields_string(&iter->seq, at, size);
	else
		print_fields_bytes(&iter->seq, at, size);
}

static void print_fields_one(struct trace_iterator *iter,
			     const struct ftrace_event_field *field)
{
	const void *at = (const void *)iter->ent + field->offset;
	unsigned int size = field->size ?: iter->ent_size - field->offset;
	struct trace_seq *s = &iter->seq;

	trace_seq_printf(s, " %s=", field->name);
	if (print_fields_has_data(field)) {
		print_fields_data(iter, field);
		return;
	}

	switch (field->filter_type) {
	case FILTER_TRACE_FN:
		trace_seq_printf(s, "0x%lx", *(const unsigned long *)at);
		trace_print_symbol(iter, " (", *(const unsigned long *)at, ")");
		break;
	case FILTER_STACKTRACE:
		/*
		 * The length in the format is nominal: the stack extends to the end of the
		 * entry.
		 */
		print_fields_addresses(iter, at, iter->ent_size - field->offset,
				       !trace_is_saved_event(iter));
		break;
	case FILTER_STATIC_STRING:
		print_fields_string(s, at, size);
		break;
	case FILTER_PTR_STRING:
		/*
		 * The kernel's own formats remain valid; a string that an event points to may
		 * be freed.
		 */
		if (iter->ent->type < TRACE_TYPE_FIXED)
			print_fields_string(s, *(const char * const *)at, U16_MAX);
		else
			trace_seq_printf(s, "0x%lx", *(const unsigned long *)at);
		break;
	default:
		print_fields_other(iter, field, at, size);
	}
}

/* A field without a size is the rest of the entry, which may be empty. */
static bool print_fields_has(const struct trace_iterator *iter,
			     const struct ftrace_event_field *field)
{
	if (field->filter_type == FILTER_STACKTRACE)
		return field->offset <= iter->ent_size;

	return field->offset + (field->size ?: 1) <= iter->ent_size;
}

/**
 * trace_print_fields - print name and value of each field of an entry
 * @iter: iterator at the entry
 *
 * For a trace event from an earlier boot, this is all that can be printed.
 *
 * Return: false if the fields of its type are unknown, cannot be queried in this context, or do
 *	not fit in memory.
 */
bool trace_print_fields(struct trace_iterator *iter)
{
	struct trace_event_call *call = trace_event_call_of(iter->ent->type);
	const struct ftrace_event_field *field;
	const struct list_head *fields;

	/* Querying the fields of an event may sleep. */
	if (!call || (call->class->fields_array && trace_reader_of(iter)->symbols.no_alloc))
		return false;

	fields = trace_event_fields(call);
	if (IS_ERR(fields))
		return false;

	trace_seq_printf(&iter->seq, "%s:", trace_event_name(call));
	list_for_each_entry(field, fields, link) {
		if (print_fields_has(iter, field))
			print_fields_one(iter, field);
	}
	trace_seq_putc(&iter->seq, '\n');

	return true;
}
