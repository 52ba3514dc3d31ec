// SPDX-License-Identifier: GPL-2.0
/*
 * Fields of user events: parsing, comparing, listing, and checking of entries.
 *
 *	[type name[; type name ...]]
 *
 * The type is an integer type with a fixed size, "char[n]", a string with its location in the
 * field ("__data_loc char[]", "__rel_loc char[]"), or "struct tag" with the size after the name.
 */
#include <linux/array_size.h>
#include <linux/ctype.h>
#include <linux/kernel.h>
#include <linux/seq_buf.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/trace_events.h>
#include <linux/unaligned.h>

#include "user/user_event.h"

#define USER_FIELDS_MAX		128
#define USER_ARRAY_MAX		1024

/* "struct", tag, name, size */
#define USER_TOKENS_MAX		4

/**
 * struct user_type - an integer type
 * @name: its C name
 * @format: its printf format
 * @size: its size in bytes
 * @is_signed: it may be negative
 */
struct user_type {
	const char	*name;
	const char	*format;
	u8		size;
	bool		is_signed;
};

#define USER_TYPE(c_type, text)	{ #c_type, text, sizeof(c_type), is_signed_type(c_type) }

static const struct user_type user_types[] = {
	USER_TYPE(s64, "%lld"), USER_TYPE(u64, "%llu"),
	USER_TYPE(s32, "%d"), USER_TYPE(u32, "%u"),
	USER_TYPE(int, "%d"), USER_TYPE(unsigned int, "%u"),
	USER_TYPE(s16, "%d"), USER_TYPE(u16, "%u"),
	USER_TYPE(short, "%d"), USER_TYPE(unsigned short, "%u"),
	USER_TYPE(s8, "%d"), USER_TYPE(u8, "%u"),
	/* Signed on each architecture, as in programs of most */
	{ "char", "%d", 1, true }, USER_TYPE(unsigned char, "%u"),
};

static const struct user_type *user_type_find(const char *name)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(user_types); i++) {
		if (!strcmp(user_types[i].name, name))
			return &user_types[i];
	}

	return NULL;
}

/*
 * Parsing
 */

/* Return: size of an array of char with the brackets @text, or -EINVAL */
static int user_array_size(const char *text)
{
	char digits[8];
	unsigned int size;
	size_t len = strlen(text);

	if (len < 3 || text[0] != '[' || text[len - 1] != ']' || len - 2 >= sizeof(digits))
		return -EINVAL;
	memcpy(digits, text + 1, len - 2);
	digits[len - 2] = '\0';
	if (kstrtouint(digits, 0, &size) || !size || size > USER_ARRAY_MAX)
		return -EINVAL;

	return size;
}

/* Set size and sign of a field with a type that contains its size. Return: 0 or -EINVAL */
static int user_field_set_type(struct user_field *field, const char *type)
{
	const struct user_type *number = user_type_find(type);
	const char *at = type;
	int size;

	if (number) {
		field->size = number->size;
		field->is_signed = number->is_signed;
		return 0;
	}

	if (strstarts(at, "__data_loc "))
		field->data = USER_DATA_LOC;
	else if (strstarts(at, "__rel_loc "))
		field->data = USER_DATA_REL;
	if (field->data)
		at = strchr(at, ' ') + 1;
	if (strstarts(at, "unsigned "))
		at += strlen("unsigned ");
	if (!strstarts(at, "char["))
		return -EINVAL;

	at += strlen("char");
	if (field->data) {
		field->size = sizeof(u32);
		return strcmp(at, "[]") ? -EINVAL : 0;
	}
	size = user_array_size(at);
	if (size < 0)
		return size;
	field->size = size;

	return 0;
}

static bool user_field_is_name(const char *name)
{
	if (!isalpha(*name) && *name != '_')
		return false;
	while (isalnum(*name) || *name == '_')
		name++;

	return !*name;
}

/* Return: number of tokens, or -EINVAL if there are too many */
static int user_field_split(char *text, char *token[USER_TOKENS_MAX])
{
	char *one;
	int nr = 0;

	while ((one = strsep(&text, " \t\n"))) {
		if (!*one)
			continue;
		if (nr == USER_TOKENS_MAX)
			return -EINVAL;
		token[nr++] = one;
	}

	return nr;
}

/* Join @nr tokens with blanks. Return: the text, to be freed by kfree(); or NULL */
static char *user_field_join(char *token[USER_TOKENS_MAX], int nr)
{
	return kasprintf(GFP_KERNEL_ACCOUNT, "%s%s%s%s%s", token[0], nr > 1 ? " " : "",
			 nr > 1 ? token[1] : "", nr > 2 ? " " : "", nr > 2 ? token[2] : "");
}

static int user_field_set(struct user_field *field, char *token[USER_TOKENS_MAX], int nr)
{
	bool is_struct = !strcmp(token[0], "struct");
	int name = is_struct ? 2 : nr - 1;

	if (nr < 2 || (is_struct && (nr != 4 || !user_field_is_name(token[1]))) ||
	    !user_field_is_name(token[name]) || strstarts(token[name], "common_"))
		return -EINVAL;

	field->type = user_field_join(token, name);
	field->name = kstrdup(token[name], GFP_KERNEL_ACCOUNT);
	if (!field->type || !field->name)
		return -ENOMEM;
	if (!is_struct)
		return user_field_set_type(field, field->type);
	if (kstrtouint(token[3], 0, &field->size) || !field->size || field->size > USER_ENTRY_MAX)
		return -EINVAL;

	return 0;
}

/* Add the field in @text to the fields of an event, if @text is not blank. */
static int user_field_add(struct user_event *event, char *text)
{
	struct user_field *field = &event->fields[event->nr];
	char *token[USER_TOKENS_MAX];
	int nr = user_field_split(text, token), err;
	unsigned int i;

	if (nr <= 0)
		return nr;
	if (event->nr == USER_FIELDS_MAX)
		return -EINVAL;

	event->nr++;
	err = user_field_set(field, token, nr);
	if (err)
		return err;
	for (i = 0; i + 1 < event->nr; i++) {
		if (!strcmp(event->fields[i].name, field->name))
			return -EINVAL;
	}

	field->offset = event->size;
	event->size += field->size;
	event->has_data |= field->data != USER_DATA_NONE;

	return event->size > USER_ENTRY_MAX ? -EINVAL : 0;
}

/**
 * user_fields_parse - set the fields of a new event
 * @event: the event. user_fields_free() frees its fields, also after an error
 * @text: the fields, overwritten
 *
 * Return: 0; -EINVAL or -ENOMEM
 */
int user_fields_parse(struct user_event *event, char *text)
{
	struct user_field *fields;
	char *field;
	int err = 0;

	event->size = sizeof(struct trace_entry);
	event->fields = kcalloc(USER_FIELDS_MAX, sizeof(*event->fields), GFP_KERNEL_ACCOUNT);
	if (!event->fields)
		return -ENOMEM;

	while (!err && (field = strsep(&text, ";")))
		err = user_field_add(event, field);

	/* This only makes the array smaller. */
	fields = krealloc_array(event->fields, max(event->nr, 1U), sizeof(*fields),
				GFP_KERNEL_ACCOUNT);
	event->fields = fields ?: event->fields;

	return err;
}

/**
 * user_fields_free - free the fields of an event
 * @event: the event
 */
void user_fields_free(struct user_event *event)
{
	unsigned int i;

	for (i = 0; i < event->nr; i++) {
		kfree(event->fields[i].type);
		kfree(event->fields[i].name);
	}
	kfree(event->fields);
}

/**
 * user_fields_match - check whether two events have the same fields
 * @a: an event
 * @b: another event
 */
bool user_fields_match(const struct user_event *a, const struct user_event *b)
{
	unsigned int i;

	if (a->nr != b->nr)
		return false;
	for (i = 0; i < a->nr; i++) {
		if (strcmp(a->fields[i].type, b->fields[i].type) ||
		    strcmp(a->fields[i].name, b->fields[i].name) ||
		    a->fields[i].size != b->fields[i].size)
			return false;
	}

	return true;
}

/*
 * Text
 */

/**
 * user_fields_show - print the fields of an event in a form that can be written back
 * @m: output file, after the name
 * @event: the event
 */
void user_fields_show(struct seq_file *m, const struct user_event *event)
{
	unsigned int i;

	for (i = 0; i < event->nr; i++) {
		const struct user_field *field = &event->fields[i];

		seq_printf(m, "%s %s %s", i ? ";" : "", field->type, field->name);
		if (strstarts(field->type, "struct "))
			seq_printf(m, " %u", field->size);
	}
}

static const char *user_field_format(const struct user_field *field)
{
	const struct user_type *type = user_type_find(field->type);

	if (type)
		return type->format;

	/* The content of a structure is unknown; its first bytes are shown. */
	return strstarts(field->type, "struct ") ? "%llu" : "%s";
}

static void user_fields_format_all(struct seq_buf *s, const struct user_event *event)
{
	static const char * const value[] = {
		[USER_DATA_NONE] = ", REC->%s",
		[USER_DATA_LOC]	= ", __get_str(%s)",
		[USER_DATA_REL]	= ", __get_rel_str(%s)",
	};
	unsigned int i;

	seq_buf_putc(s, '"');
	for (i = 0; i < event->nr; i++)
		seq_buf_printf(s, "%s%s=%s", i ? " " : "", event->fields[i].name,
			       user_field_format(&event->fields[i]));
	seq_buf_putc(s, '"');
	for (i = 0; i < event->nr; i++)
		seq_buf_printf(s, value[event->fields[i].data], event->fields[i].name);
}

/**
 * user_fields_print_format - create the print format of an event
 * @event: the event
 *
 * Return: the text, to be freed by kfree(); or NULL
 */
char *user_fields_print_format(const struct user_event *event)
{
	struct seq_buf s;
	unsigned int i;
	size_t size = 8;
	char *text;

	/* " name=%llu", ", __get_rel_str(name)" */
	for (i = 0; i < event->nr; i++)
		size += 2 * strlen(event->fields[i].name) + 32;
	text = kmalloc(size, GFP_KERNEL_ACCOUNT);
	if (!text)
		return NULL;

	seq_buf_init(&s, text, size);
	user_fields_format_all(&s, event);
	seq_buf_str(&s);

	return text;
}

/**
 * user_fields_table - create the table of an event's fields, without the common ones
 * @event: the event
 *
 * Return: the table, terminated by a field without a type, to be freed by kfree(); or NULL
 */
struct trace_event_fields *user_fields_table(const struct user_event *event)
{
	struct trace_event_fields *table;
	unsigned int i;

	table = kcalloc(event->nr + 1, sizeof(*table), GFP_KERNEL_ACCOUNT);
	for (i = 0; table && i < event->nr; i++) {
		const struct user_field *field = &event->fields[i];
		const struct trace_event_fields row = {
			.type		= field->type,
			.name		= field->name,
			.size		= field->size,
			.align		= 1,
			.is_signed	= field->is_signed,
			.filter_type	= FILTER_OTHER,
		};

		/* The members are const, so they cannot be assigned. */
		memcpy(&table[i], &row, sizeof(row));
	}

	return table;
}

/*
 * Entries
 */

/* Is the string of a field inside of the entry, and does it end with a NUL? */
static bool user_field_data_is_valid(const struct user_event *event,
				     const struct user_field *field, const void *entry,
				     unsigned int len)
{
	u32 loc = get_unaligned((const u32 *)(entry + field->offset));
	unsigned int at = loc & U16_MAX, size = loc >> 16;

	if (field->data == USER_DATA_REL)
		at += field->offset + sizeof(loc);

	return size && at >= sizeof(struct trace_entry) && at + size <= len &&
	       !*(const char *)(entry + at + size - 1);
}

/**
 * user_fields_are_valid - check whether tools can rely on the data that fields refer to
 * @event: the event
 * @entry: the entry
 * @len: its length in bytes, at least the minimum of the event
 */
bool user_fields_are_valid(const struct user_event *event, const void *entry, unsigned int len)
{
	unsigned int i;

	for (i = 0; event->has_data && i < event->nr; i++) {
		if (event->fields[i].data &&
		    !user_field_data_is_valid(event, &event->fields[i], entry, len))
			return false;
	}

	return true;
}
