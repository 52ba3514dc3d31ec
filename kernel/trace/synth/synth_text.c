// SPDX-License-Identifier: GPL-2.0
/*
 * Types of the fields of synthetic events; printing of entries, and the content of format
 * files.
 */
#include <linux/ctype.h>
#include <linux/err.h>
#include <linux/kernel.h>
#include <linux/seq_buf.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/unaligned.h>

#include "synth/synth.h"

#define SYNTH_NUMBER(c_type, text)	{ #c_type, text, sizeof(c_type), is_signed_type(c_type) }

static const struct synth_type synth_types[] = {
	SYNTH_NUMBER(s64, "%lld"), SYNTH_NUMBER(u64, "%llu"),
	SYNTH_NUMBER(s32, "%d"), SYNTH_NUMBER(u32, "%u"),
	SYNTH_NUMBER(s16, "%d"), SYNTH_NUMBER(u16, "%u"),
	SYNTH_NUMBER(s8, "%d"), SYNTH_NUMBER(u8, "%u"),
	SYNTH_NUMBER(char, "%d"), SYNTH_NUMBER(unsigned char, "%u"),
	SYNTH_NUMBER(short, "%d"), SYNTH_NUMBER(unsigned short, "%u"),
	SYNTH_NUMBER(int, "%d"), SYNTH_NUMBER(unsigned int, "%u"),
	SYNTH_NUMBER(long, "%ld"), SYNTH_NUMBER(unsigned long, "%lu"),
	SYNTH_NUMBER(long long, "%lld"), SYNTH_NUMBER(unsigned long long, "%llu"),
	SYNTH_NUMBER(size_t, "%zu"), SYNTH_NUMBER(ssize_t, "%zd"),
	SYNTH_NUMBER(bool, "%d"), SYNTH_NUMBER(pid_t, "%d"),
	{ "gfp_t", "%x", sizeof(gfp_t), false },
};

/* Parse brackets at the end. Return: -1 for "[]", 0 without, the number in them, or an error */
static int synth_brackets(const char *type, size_t *len)
{
	char digits[8];
	unsigned int nr;
	size_t end = *len, begin;

	if (!end || type[end - 1] != ']')
		return 0;
	for (begin = end - 1; begin && type[begin] != '['; begin--)
		;
	*len = begin;
	if (begin == end - 2)
		return -1;
	if (end - begin - 2 >= sizeof(digits))
		return -EINVAL;
	memcpy(digits, type + begin + 1, end - begin - 2);
	digits[end - begin - 2] = '\0';
	if (kstrtouint(digits, 0, &nr) || !nr || nr > VALUE_TEXT_MAX)
		return -EINVAL;

	return nr;
}

static const struct synth_type *synth_find_type(const char *name, size_t len)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(synth_types); i++) {
		if (!strncmp(synth_types[i].name, name, len) && !synth_types[i].name[len])
			return &synth_types[i];
	}

	return NULL;
}

static bool synth_type_is(const char *type, size_t len, const char *name)
{
	return len == strlen(name) && !strncmp(type, name, len);
}

/* Strings are arrays of char, and stack traces are arrays of long. No other arrays are valid. */
static int synth_set_array(struct synth_field *field, const char *type, size_t len, int nr)
{
	bool is_long = synth_type_is(type, len, "long") ||
		       synth_type_is(type, len, "unsigned long");

	field->is_dynamic = nr < 0;
	field->size = nr < 0 ? sizeof(u32) : nr;
	if (synth_type_is(type, len, "char")) {
		field->kind = VALUE_TEXT;
		return 0;
	}
	if (!is_long || nr > 0)
		return -EINVAL;
	field->kind = VALUE_STACK;

	return 0;
}

static int synth_set_type(struct synth_field *field, const char *type, size_t len)
{
	int nr = synth_brackets(type, &len);

	while (len && isspace(type[len - 1]))
		len--;
	if (nr == -EINVAL)
		return nr;
	if (nr)
		return synth_set_array(field, type, len, nr);

	field->kind = VALUE_NUMBER;
	field->number = synth_find_type(type, len);
	if (!field->number)
		return -EINVAL;
	field->size = field->number->size;

	return 0;
}

/**
 * synth_field_set - initialize a field
 * @field: output
 * @type: its type, including the brackets of an array
 * @type_len: length of @type
 * @name: its name
 * @name_len: length of @name
 *
 * Return: 0; -EINVAL if there is no such type, -ENOMEM
 */
int synth_field_set(struct synth_field *field, const char *type, size_t type_len,
		    const char *name, size_t name_len)
{
	int err = synth_set_type(field, type, type_len);

	if (err)
		return err;

	field->type = kmemdup_nul(type, type_len, GFP_KERNEL);
	field->name = kmemdup_nul(name, name_len, GFP_KERNEL);
	field->c_type = kasprintf(GFP_KERNEL, "%s%.*s", field->is_dynamic ? "__data_loc " : "",
				  (int)type_len, type);
	if (field->type && field->name && field->c_type)
		return 0;

	synth_field_free(field);

	return -ENOMEM;
}

/**
 * synth_field_free - free the data of a field
 * @field: the field
 */
void synth_field_free(struct synth_field *field)
{
	kfree(field->type);
	kfree(field->name);
	kfree(field->c_type);
	*field = (struct synth_field){};
}

/* Content of format files */

/**
 * synth_fields_table - create the table of an event's fields, without the common ones
 * @event: the event
 *
 * Return: the table, terminated by a field without a type, to be freed by kfree(); or NULL
 */
struct trace_event_fields *synth_fields_table(const struct synth_event *event)
{
	struct trace_event_fields *table = kcalloc(event->nr + 1, sizeof(*table), GFP_KERNEL);
	unsigned int i;

	for (i = 0; table && i < event->nr; i++) {
		const struct synth_field *field = &event->field[i];
		const struct trace_event_fields row = {
			.type		= field->c_type,
			.name		= field->name,
			.size		= field->size,
			.align		= sizeof(u64),
			.is_signed	= field->number && field->number->is_signed,
			.filter_type	= FILTER_OTHER,
		};

		/* The members are const, so they cannot be assigned. */
		memcpy(&table[i], &row, sizeof(row));
	}

	return table;
}

static void synth_format_all(struct seq_buf *s, const struct synth_event *event)
{
	unsigned int i;

	seq_buf_putc(s, '"');
	for (i = 0; i < event->nr; i++) {
		const struct synth_field *field = &event->field[i];

		seq_buf_printf(s, "%s%s=%s", i ? " " : "", field->name,
			       field->kind == VALUE_NUMBER ? field->number->format : "%s");
	}
	seq_buf_putc(s, '"');
	for (i = 0; i < event->nr; i++) {
		const struct synth_field *field = &event->field[i];

		if (field->kind == VALUE_STACK)
			seq_buf_printf(s, ", __get_stacktrace(%s)", field->name);
		else if (field->is_dynamic)
			seq_buf_printf(s, ", __get_str(%s)", field->name);
		else
			seq_buf_printf(s, ", REC->%s", field->name);
	}
}

/**
 * synth_print_format - create the print format of an event
 * @event: the event
 *
 * Return: the text, to be freed by kfree(); or NULL
 */
char *synth_print_format(const struct synth_event *event)
{
	struct seq_buf s;
	unsigned int i;
	size_t size = 16;
	char *text;

	/* "name=%llu ", ", __get_stacktrace(name)" */
	for (i = 0; i < event->nr; i++)
		size += 2 * strlen(event->field[i].name) + 40;
	text = kmalloc(size, GFP_KERNEL);
	if (!text)
		return NULL;

	seq_buf_init(&s, text, size);
	synth_format_all(&s, event);
	seq_buf_str(&s);

	return text;
}

/*
 * Entries
 */

static void synth_print_number(struct trace_seq *s, const struct synth_type *type, const void *at)
{
	switch (type->size) {
	case 1:
		trace_seq_printf(s, type->format, type->is_signed ? *(s8 *)at : *(u8 *)at);
		break;
	case 2:
		trace_seq_printf(s, type->format, type->is_signed ? *(s16 *)at : *(u16 *)at);
		break;
	case 4:
		trace_seq_printf(s, type->format, *(u32 *)at);
		break;
	default:
		trace_seq_printf(s, type->format, *(u64 *)at);
	}
}

/* The entry may be from memory that an earlier kernel has left. */
static const void *synth_located(const struct trace_iterator *iter, const void *at,
				 unsigned int *len)
{
	u32 loc = *(const u32 *)at;

	*len = loc >> 16;

	return (loc & 0xffff) + *len <= iter->ent_size ?
	       (const void *)iter->ent + (loc & 0xffff) : NULL;
}

static void synth_print_text(struct trace_iterator *iter, const struct synth_field *field,
			     const void *at)
{
	unsigned int len = field->size;

	if (field->is_dynamic)
		at = synth_located(iter, at, &len);
	if (at)
		trace_seq_printf(&iter->seq, "%.*s", (int)strnlen(at, len), (const char *)at);
}

static void synth_print_stack(struct trace_iterator *iter, const void *at)
{
	const unsigned long *caller;
	unsigned int len, i;

	trace_seq_puts(&iter->seq, "STACK:\n");
	caller = synth_located(iter, at, &len);
	for (i = 0; caller && i < len / sizeof(*caller) && caller[i]; i++)
		trace_seq_printf(&iter->seq, "=> %pS\n", (void *)caller[i]);
}

/* The event and its fields remain valid: unregister_trace_event() waits for readers. */
static enum print_line_t synth_print(struct trace_iterator *iter, int flags,
				     struct trace_event *type)
{
	struct synth_event *event = container_of(type, struct synth_event, call.event);
	struct trace_seq *s = &iter->seq;
	unsigned int i;

	if (iter->ent_size < event->size)
		return TRACE_TYPE_UNHANDLED;

	trace_seq_printf(s, "%s: ", event->call.name);
	for (i = 0; i < event->nr; i++) {
		const struct synth_field *field = &event->field[i];
		const void *at = (const void *)iter->ent + field->offset;

		trace_seq_printf(s, "%s%s=", i ? " " : "", field->name);
		if (field->kind == VALUE_NUMBER)
			synth_print_number(s, field->number, at);
		else if (field->kind == VALUE_TEXT)
			synth_print_text(iter, field, at);
		else
			synth_print_stack(iter, at);
	}
	trace_seq_putc(s, '\n');

	return trace_handle_return(s);
}

struct trace_event_functions synth_event_functions = {
	.trace	= synth_print,
};
