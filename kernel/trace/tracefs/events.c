// SPDX-License-Identifier: GPL-2.0
/*
 * Directory events, as far as it is about entries of tracers: the number and the
 * fields of each type, and the layout of the buffer's pages, for tools that read
 * trace_pipe_raw. There are no trace events that could be enabled.
 */
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/trace_seq.h>
#include <linux/tracefs.h>

#include "event/type.h"
#include "instance/instance.h"
#include "tracefs/events.h"
#include "tracefs/files.h"

/* The brackets of an array stand behind its name, as in C. */
static void show_fields(struct seq_file *m, const struct list_head *fields)
{
	const struct ftrace_event_field *field;

	list_for_each_entry(field, fields, link) {
		int len = strcspn(field->type, "[");

		seq_printf(m, "\tfield:%.*s %s%s;\toffset:%u;\tsize:%u;\tsigned:%d;\n",
			   len, field->type, field->name, field->type + len,
			   field->offset, field->size, field->is_signed);
	}
}

static void format_show(struct seq_file *m, const struct tracefs_node *node)
{
	const struct trace_event_type *type = node->data;

	seq_printf(m, "name: %s\nID: %d\nformat:\n", type->name,
		   type->event.type);
	show_fields(m, &trace_common_fields);
	seq_putc(m, '\n');
	show_fields(m, &type->fields);
	seq_printf(m, "\nprint fmt: %s\n", type->print_fmt);
}

static void id_show(struct seq_file *m, const struct tracefs_node *node)
{
	const struct trace_event_type *type = node->data;

	seq_printf(m, "%d\n", type->event.type);
}

/* The ring buffer prints into a trace_seq, which is too large for the stack. */
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

/* There are no events, so enabling or disabling all of them changes nothing. */
static void enable_show(struct seq_file *m, const struct tracefs_node *node)
{
	seq_puts(m, "0\n");
}

static int enable_set(const struct tracefs_node *node, unsigned long value)
{
	return value > 1 ? -EINVAL : 0;
}

/* There is no event with the name that was written. */
static void nothing_show(struct seq_file *m, const struct tracefs_node *node)
{
}

static int nothing_set(const struct tracefs_node *node, char *word)
{
	return *word ? -EINVAL : 0;
}

static const struct tracefs_entry format_files[] = {
	{ "format", TRACEFS_READ, .show = format_show },
	{ "id", TRACEFS_READ, .show = id_show },
	{ }
};

static const struct tracefs_entry events_files[] = {
	{ "enable", TRACEFS_BOTH, .show = enable_show, .set_number = enable_set },
	{ "header_page", TRACEFS_READ, .show = header_page_show },
	{ "header_event", TRACEFS_READ, .show = header_event_show },
	{ }
};

static const struct tracefs_entry set_event_files[] = {
	{ "available_events", TRACEFS_READ, .show = nothing_show },
	{ "set_event", TRACEFS_BOTH, .show = nothing_show, .set_word = nothing_set,
	  .may_be_empty = true, .refused = "There are no trace events" },
	{ }
};

/**
 * tracefs_add_events - make the directory events, and set_event beside it
 * @dir: the directory of the instance, NULL for the top one
 * @tr: the instance
 */
void tracefs_add_events(struct dentry *dir, struct trace_array *tr)
{
	const struct trace_event_type *type;
	struct dentry *events, *ftrace, *one;

	tracefs_add_files(dir, set_event_files, tr, RING_BUFFER_ALL_CPUS, NULL);

	events = tracefs_create_dir("events", dir);
	if (!events)
		return;

	tracefs_add_files(events, events_files, tr, RING_BUFFER_ALL_CPUS, NULL);
	ftrace = tracefs_create_dir("ftrace", events);
	if (!ftrace)
		return;

	list_for_each_entry(type, &trace_event_types, list) {
		one = tracefs_create_dir(type->name, ftrace);
		if (one)
			tracefs_add_files(one, format_files, tr,
					  RING_BUFFER_ALL_CPUS, type);
	}
}
