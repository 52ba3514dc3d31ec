// SPDX-License-Identifier: GPL-2.0
/*
 * The fields of entries by type, and the option fields, which prints them.
 */
#include <linux/compiler.h>
#include <linux/kernel.h>
#include <linux/stddef.h>
#include <linux/string.h>
#include <linux/trace_seq.h>

#include "instance/entries.h"
#include "output/fields.h"
#include "output/types.h"

#define FIELD(struct_type, type, field, what) {				\
	.text		= #type " " #field,				\
	.name		= #field,					\
	.offset		= offsetof(struct_type, field),			\
	.size		= sizeof_field(struct_type, field),		\
	.is_signed	= is_signed_type(type),				\
	.kind		= what,						\
}

#define FIELD_ARRAY(struct_type, type, field, n, what) {		\
	.text		= #type " " #field "[" #n "]",			\
	.name		= #field,					\
	.offset		= offsetof(struct_type, field),			\
	.size		= (n) * sizeof(type),				\
	.is_signed	= is_signed_type(type),				\
	.kind		= what,						\
}

#define FIELD_REST(struct_type, type, field, what) {			\
	.text		= #type " " #field "[]",			\
	.name		= #field,					\
	.offset		= offsetof(struct_type, field),			\
	.is_signed	= is_signed_type(type),				\
	.kind		= what,						\
}

#define FIELD_POINTER(struct_type, type, field) {			\
	.text		= #type " " #field,				\
	.name		= #field,					\
	.offset		= offsetof(struct_type, field),			\
	.size		= sizeof_field(struct_type, field),		\
	.kind		= FIELD_TEXT_POINTER,				\
}

#define FIELD_COMMON(type, field) {					\
	.text		= #type " common_" #field,			\
	.name		= "common_" #field,				\
	.offset		= offsetof(struct trace_entry, field),		\
	.size		= sizeof_field(struct trace_entry, field),	\
	.is_signed	= is_signed_type(type),				\
}

const struct entry_field trace_common_fields[] = {
	FIELD_COMMON(unsigned short, type),
	FIELD_COMMON(unsigned char, flags),
	FIELD_COMMON(unsigned char, preempt_count),
	FIELD_COMMON(int, pid),
	{ }
};

static const struct entry_field function_fields[] = {
	FIELD(struct ftrace_entry, unsigned long, ip, FIELD_ADDRESS),
	FIELD(struct ftrace_entry, unsigned long, parent_ip, FIELD_ADDRESS),
	{ }
};

static const struct entry_field func_repeats_fields[] = {
	FIELD(struct func_repeats_entry, unsigned long, ip, FIELD_ADDRESS),
	FIELD(struct func_repeats_entry, unsigned long, parent_ip, FIELD_ADDRESS),
	FIELD(struct func_repeats_entry, u16, count, FIELD_NUMBER),
	FIELD(struct func_repeats_entry, u16, top_delta_ts, FIELD_NUMBER),
	FIELD(struct func_repeats_entry, u32, bottom_delta_ts, FIELD_NUMBER),
	{ }
};

static const struct entry_field stack_fields[] = {
	FIELD(struct stack_entry, int, size, FIELD_NUMBER),
	FIELD_REST(struct stack_entry, unsigned long, caller, FIELD_ADDRESSES),
	{ }
};

static const struct entry_field user_stack_fields[] = {
	FIELD(struct userstack_entry, unsigned int, tgid, FIELD_NUMBER),
	FIELD_ARRAY(struct userstack_entry, unsigned long, caller, 8,
		    FIELD_USER_ADDRESSES),
	{ }
};

static const struct entry_field print_fields[] = {
	FIELD(struct print_entry, unsigned long, ip, FIELD_ADDRESS),
	FIELD_REST(struct print_entry, char, buf, FIELD_TEXT),
	{ }
};

static const struct entry_field bprint_fields[] = {
	FIELD(struct bprint_entry, unsigned long, ip, FIELD_ADDRESS),
	FIELD_POINTER(struct bprint_entry, const char *, fmt),
	FIELD_REST(struct bprint_entry, u32, buf, FIELD_BYTES),
	{ }
};

static const struct entry_field bputs_fields[] = {
	FIELD(struct bputs_entry, unsigned long, ip, FIELD_ADDRESS),
	FIELD_POINTER(struct bputs_entry, const char *, str),
	{ }
};

static const struct entry_field raw_data_fields[] = {
	FIELD(struct raw_data_entry, unsigned int, id, FIELD_NUMBER),
	FIELD_REST(struct raw_data_entry, char, buf, FIELD_BYTES),
	{ }
};

static_assert(TRACE_USER_STACK_MAX == 8);

const struct entry_format trace_entry_formats[] = {
	{ "function", TRACE_FN,
	  "\" %ps <-- %ps\", (void *)REC->ip, (void *)REC->parent_ip",
	  function_fields },
	{ "kernel_stack", TRACE_STACK,
	  "\"\\t=> %ps\\n\\t=> %ps\\n\\t=> %ps\\n\", (void *)REC->caller[0], (void *)REC->caller[1], (void *)REC->caller[2]",
	  stack_fields },
	{ "user_stack", TRACE_USER_STACK,
	  "\"\\t=> %ps\\n\\t=> %ps\\n\\t=> %ps\\n\", (void *)REC->caller[0], (void *)REC->caller[1], (void *)REC->caller[2]",
	  user_stack_fields },
	{ "print", TRACE_PRINT, "\"%ps: %s\", (void *)REC->ip, REC->buf",
	  print_fields },
	{ "bprint", TRACE_BPRINT, "\"%ps: %s\", (void *)REC->ip, REC->fmt",
	  bprint_fields },
	{ "bputs", TRACE_BPUTS, "\"%ps: %s\", (void *)REC->ip, REC->str",
	  bputs_fields },
	{ "raw_data", TRACE_RAW_DATA,
	  "\"id:%04x %08x\", REC->id, (int)REC->buf[0]", raw_data_fields },
	{ "func_repeats", TRACE_FUNC_REPEATS,
	  "\" %ps <-%ps (repeats:%u  delta: -%llu)\", (void *)REC->ip, (void *)REC->parent_ip, REC->count, ((unsigned long long)REC->top_delta_ts << 32 | REC->bottom_delta_ts)",
	  func_repeats_fields },
	{ }
};

static void print_number(struct trace_seq *s, const struct entry_field *field,
			 const void *at)
{
	switch (field->size) {
	case sizeof(u16):
		trace_seq_printf(s, "%u", *(const u16 *)at);
		break;
	case sizeof(u32):
		trace_seq_printf(s, field->is_signed ? "%d" : "%u",
				 *(const u32 *)at);
		break;
	default:
		trace_seq_puts(s, "?");
	}
}

static void print_addresses(struct trace_iterator *iter,
			    const struct entry_field *field,
			    const unsigned long *at, unsigned int size)
{
	unsigned int i, n = size / sizeof(*at);

	trace_seq_putc(&iter->seq, '{');
	for (i = 0; i < n && at[i]; i++) {
		trace_seq_printf(&iter->seq, "%s0x%lx", i ? ", " : "", at[i]);
		if (field->kind == FIELD_ADDRESSES)
			trace_print_symbol(iter, " (", at[i], ")");
	}
	trace_seq_putc(&iter->seq, '}');
}

static void print_text(struct trace_seq *s, const char *text, unsigned int size)
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

static void print_field(struct trace_iterator *iter,
			const struct entry_field *field)
{
	const void *at = (const void *)iter->ent + field->offset;
	unsigned int size = field->size ?: iter->ent_size - field->offset;
	struct trace_seq *s = &iter->seq;

	trace_seq_printf(s, " %s=", field->name);

	switch (field->kind) {
	case FIELD_NUMBER:
		print_number(s, field, at);
		break;
	case FIELD_ADDRESS:
		trace_seq_printf(s, "0x%lx", *(const unsigned long *)at);
		trace_print_symbol(iter, " (", *(const unsigned long *)at, ")");
		break;
	case FIELD_ADDRESSES:
	case FIELD_USER_ADDRESSES:
		print_addresses(iter, field, at, size);
		break;
	case FIELD_TEXT:
		print_text(s, at, size);
		break;
	case FIELD_TEXT_POINTER:
		print_text(s, *(const char * const *)at, U16_MAX);
		break;
	case FIELD_BYTES:
		print_bytes(s, at, size);
		break;
	}
}

/**
 * trace_print_fields - print name and value of each field of an entry
 * @iter: with the entry at hand
 *
 * Return: false where the type of the entry has no fields that are known.
 */
bool trace_print_fields(struct trace_iterator *iter)
{
	const struct entry_format *format;
	const struct entry_field *field;

	for (format = trace_entry_formats; format->name; format++) {
		if (format->id == iter->ent->type)
			break;
	}
	if (!format->name)
		return false;

	trace_seq_printf(&iter->seq, "%s:", format->name);
	for (field = format->fields; field->text; field++) {
		if (field->offset + field->size <= iter->ent_size)
			print_field(iter, field);
	}
	trace_seq_putc(&iter->seq, '\n');

	return true;
}
