// SPDX-License-Identifier: GPL-2.0
/*
 * Directory events, as far as it is about the entries of tracers: layout and
 * number of each, and the layout of the buffer's pages, for tools that read
 * trace_pipe_raw. There are no trace events to be enabled.
 */
#include <linux/array_size.h>
#include <linux/compiler.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/trace_seq.h>
#include <linux/tracefs.h>

#include "instance/entries.h"
#include "instance/instance.h"
#include "tracefs/files.h"

/**
 * struct entry_field - a field of an entry
 * @text: type and name as in C; NULL ends the fields
 * @offset: where it is
 * @size: its size, 0 for an array up to the end of the entry
 * @is_signed: whether its type is
 */
struct entry_field {
	const char	*text;
	u16		offset;
	u16		size;
	bool		is_signed;
};

/**
 * struct entry_format - a type of entries
 * @name: of its directory
 * @id: its number
 * @print: how it is printed, the way printf() is called
 * @fields: beyond those that all have
 */
struct entry_format {
	const char			*name;
	int				id;
	const char			*print;
	const struct entry_field	*fields;
};

#define FIELD(struct_type, type, name) {				\
	.text		= #type " " #name,				\
	.offset		= offsetof(struct_type, name),			\
	.size		= sizeof_field(struct_type, name),		\
	.is_signed	= is_signed_type(type),				\
}

#define FIELD_REST(struct_type, type, name) {				\
	.text		= #type " " #name "[]",				\
	.offset		= offsetof(struct_type, name),			\
	.is_signed	= is_signed_type(type),				\
}

#define FIELD_POINTER(struct_type, type, name) {			\
	.text		= #type " " #name,				\
	.offset		= offsetof(struct_type, name),			\
	.size		= sizeof_field(struct_type, name),		\
}

#define FIELD_COMMON(type, name) {					\
	.text		= #type " common_" #name,			\
	.offset		= offsetof(struct trace_entry, name),		\
	.size		= sizeof_field(struct trace_entry, name),	\
	.is_signed	= is_signed_type(type),				\
}

static const struct entry_field common_fields[] = {
	FIELD_COMMON(unsigned short, type),
	FIELD_COMMON(unsigned char, flags),
	FIELD_COMMON(unsigned char, preempt_count),
	FIELD_COMMON(int, pid),
	{ }
};

static const struct entry_field function_fields[] = {
	FIELD(struct ftrace_entry, unsigned long, ip),
	FIELD(struct ftrace_entry, unsigned long, parent_ip),
	{ }
};

static const struct entry_field stack_fields[] = {
	FIELD(struct stack_entry, int, size),
	FIELD_REST(struct stack_entry, unsigned long, caller),
	{ }
};

static const struct entry_field print_fields[] = {
	FIELD(struct print_entry, unsigned long, ip),
	FIELD_REST(struct print_entry, char, buf),
	{ }
};

static const struct entry_field bprint_fields[] = {
	FIELD(struct bprint_entry, unsigned long, ip),
	FIELD_POINTER(struct bprint_entry, const char *, fmt),
	FIELD_REST(struct bprint_entry, u32, buf),
	{ }
};

static const struct entry_field bputs_fields[] = {
	FIELD(struct bputs_entry, unsigned long, ip),
	FIELD_POINTER(struct bputs_entry, const char *, str),
	{ }
};

static const struct entry_field raw_data_fields[] = {
	FIELD(struct raw_data_entry, unsigned int, id),
	FIELD_REST(struct raw_data_entry, char, buf),
	{ }
};

static const struct entry_format formats[] = {
	{ "function", TRACE_FN,
	  "\" %ps <-- %ps\", (void *)REC->ip, (void *)REC->parent_ip",
	  function_fields },
	{ "kernel_stack", TRACE_STACK,
	  "\"\\t=> %ps\\n\\t=> %ps\\n\\t=> %ps\\n\", (void *)REC->caller[0], (void *)REC->caller[1], (void *)REC->caller[2]",
	  stack_fields },
	{ "print", TRACE_PRINT, "\"%ps: %s\", (void *)REC->ip, REC->buf",
	  print_fields },
	{ "bprint", TRACE_BPRINT, "\"%ps: %s\", (void *)REC->ip, REC->fmt",
	  bprint_fields },
	{ "bputs", TRACE_BPUTS, "\"%ps: %s\", (void *)REC->ip, REC->str",
	  bputs_fields },
	{ "raw_data", TRACE_RAW_DATA,
	  "\"id:%04x %08x\", REC->id, (int)REC->buf[0]", raw_data_fields },
};

static void show_field(struct seq_file *m, const struct entry_field *field)
{
	seq_printf(m, "\tfield:%s;\toffset:%u;\tsize:%u;\tsigned:%d;\n",
		   field->text, field->offset, field->size, field->is_signed);
}

static void format_show(struct seq_file *m, const struct tracefs_node *node)
{
	const struct entry_format *format = node->data;
	const struct entry_field *field;

	seq_printf(m, "name: %s\nID: %d\nformat:\n", format->name, format->id);
	for (field = common_fields; field->text; field++)
		show_field(m, field);
	seq_putc(m, '\n');

	for (field = format->fields; field->text; field++)
		show_field(m, field);
	seq_printf(m, "\nprint fmt: %s\n", format->print);
}

static void id_show(struct seq_file *m, const struct tracefs_node *node)
{
	const struct entry_format *format = node->data;

	seq_printf(m, "%d\n", format->id);
}

/* The ring speaks to a trace_seq, which is too large for the stack. */
static void header_page_show(struct seq_file *m, const struct tracefs_node *node)
{
	struct trace_seq *s = kmalloc(sizeof(*s), GFP_KERNEL);

	if (!s)
		return;

	trace_seq_init(s);
	ring_buffer_print_page_header(node->tr->main.buffer, s);
	trace_print_seq(m, s);
	kfree(s);
}

static void header_event_show(struct seq_file *m,
			      const struct tracefs_node *node)
{
	struct trace_seq *s = kmalloc(sizeof(*s), GFP_KERNEL);

	if (!s)
		return;

	trace_seq_init(s);
	ring_buffer_print_entry_header(s);
	trace_print_seq(m, s);
	kfree(s);
}

/* There are no events: to enable or disable all of them is done at once. */
static void enable_show(struct seq_file *m, const struct tracefs_node *node)
{
	seq_puts(m, "0\n");
}

static int enable_set(const struct tracefs_node *node, unsigned long value)
{
	return value > 1 ? -EINVAL : 0;
}

/* No event has the name that is written, no task is to be told apart. */
static void nothing_show(struct seq_file *m, const struct tracefs_node *node)
{
}

static int nothing_set(const struct tracefs_node *node, char *word)
{
	return *word ? -EINVAL : 0;
}

static const struct tracefs_entry format_files[] = {
	{ "format", 0440, .show = format_show },
	{ "id", 0440, .show = id_show },
	{ }
};

static const struct tracefs_entry events_files[] = {
	{ "enable", 0640, .show = enable_show, .set_number = enable_set },
	{ "header_page", 0440, .show = header_page_show },
	{ "header_event", 0440, .show = header_event_show },
	{ }
};

static const struct tracefs_entry set_event_files[] = {
	{ "available_events", 0440, .show = nothing_show },
	{ "set_event", 0640, .show = nothing_show, .set_word = nothing_set,
	  .may_be_empty = true },
	{ "set_event_pid", 0640, .show = nothing_show, .set_word = nothing_set,
	  .may_be_empty = true },
	{ }
};

/**
 * tracefs_add_events - make the directory events, and set_event beside it
 * @dir: where, NULL for the top directory
 * @tr: the instance
 */
void tracefs_add_events(struct dentry *dir, struct trace_array *tr)
{
	struct dentry *events, *ftrace, *one;
	int i;

	tracefs_add_files(dir, set_event_files, tr, RING_BUFFER_ALL_CPUS, NULL);

	events = tracefs_create_dir("events", dir);
	if (!events)
		return;

	tracefs_add_files(events, events_files, tr, RING_BUFFER_ALL_CPUS, NULL);
	ftrace = tracefs_create_dir("ftrace", events);
	if (!ftrace)
		return;

	for (i = 0; i < ARRAY_SIZE(formats); i++) {
		one = tracefs_create_dir(formats[i].name, ftrace);
		if (one)
			tracefs_add_files(one, format_files, tr,
					  RING_BUFFER_ALL_CPUS, &formats[i]);
	}
}
