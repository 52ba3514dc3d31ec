// SPDX-License-Identifier: GPL-2.0
/*
 * The files in the subdirectories of "events": enabling of events, and the formats of events
 * for tools that read trace_pipe_raw. See events.rst.
 *
 * An event can be unregistered while one of its files is open. The file has the event's number,
 * and looks it up on each access; numbers are not reused soon. Reads and writes return -ENODEV
 * after that.
 */
#include <linux/cleanup.h>
#include <linux/err.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/trace_seq.h>

#include "event/control/event_filter.h"
#include "event/control/event_set.h"
#include "event/control/trigger_text.h"
#include "event/core/enum_names.h"
#include "event/core/event_list.h"
#include "event/core/fields.h"
#include "event/core/type.h"
#include "event/record/event_file.h"
#include "instance/core/instance.h"
#include "tracefs/event/event_files.h"
#include "hist/file/hist_debug.h"
#include "tracefs/event/hist_files.h"

/* Indexed by enum trace_event_state. */
static const char state_chars[] = "?01X";

static tracefs_system_fn system_name;

/**
 * tracefs_event_files_init - set the function that returns a system's name
 * @name_of: the function
 */
void __init tracefs_event_files_init(tracefs_system_fn name_of)
{
	system_name = name_of;
}

/* Combined state of all events of @system that the instance has; of all systems if it is NULL. */
static char event_files_state_of(struct trace_array *tr, const char *system)
{
	struct trace_event_call *call;
	unsigned int state = TRACE_EVENT_NONE;

	list_for_each_entry(call, &trace_event_calls, list) {
		if (!trace_event_switchable(call) || !trace_event_in(tr, call) ||
		    (system && strcmp(call->class->system, system)))
			continue;

		state |= trace_event_state(tr, call);
		if (state == TRACE_EVENT_MIXED)
			break;
	}

	return state_chars[state];
}

static void event_files_all_show(struct seq_file *m, const struct tracefs_node *node)
{
	guard(mutex)(&trace_event_lock);

	seq_printf(m, "%c\n", event_files_state_of(node->tr, NULL));
}

static int event_files_all_set(const struct tracefs_node *node, unsigned long value)
{
	if (value > 1)
		return -EINVAL;

	guard(mutex)(&trace_event_lock);

	return trace_events_set(node->tr, NULL, NULL, value);
}

/* Print the content of a file of an event or of a system; trace_event_lock held. */
typedef void (*show_event_fn)(struct seq_file *m, struct trace_array *tr,
			      struct trace_event_call *call);
typedef void (*show_system_fn)(struct seq_file *m, struct trace_array *tr, const char *system);

static int event_files_show_of_event(struct seq_file *m, const struct tracefs_node *node,
				     show_event_fn show)
{
	struct trace_event_call *call;

	guard(mutex)(&trace_event_lock);

	call = trace_event_call_of(node->subject);
	if (!call)
		return -ENODEV;

	show(m, node->tr, call);

	return 0;
}

static int event_files_show_of_system(struct seq_file *m, const struct tracefs_node *node,
				      show_system_fn show)
{
	const char *name;

	guard(mutex)(&trace_event_lock);

	name = system_name(node->tr, node->subject);
	if (!name)
		return -ENODEV;

	show(m, node->tr, name);

	return 0;
}

static void event_files_show_system_state(struct seq_file *m, struct trace_array *tr,
					  const char *system)
{
	seq_printf(m, "%c\n", event_files_state_of(tr, system));
}

static int event_files_system_show(struct seq_file *m, const struct tracefs_node *node)
{
	return event_files_show_of_system(m, node, event_files_show_system_state);
}

static int event_files_system_set(const struct tracefs_node *node, unsigned long value)
{
	const char *name;

	if (value > 1)
		return -EINVAL;

	guard(mutex)(&trace_event_lock);

	name = system_name(node->tr, node->subject);

	return name ? trace_events_set(node->tr, name, NULL, value) : -ENODEV;
}

static int event_files_system_filter_show(struct seq_file *m, const struct tracefs_node *node)
{
	return event_files_show_of_system(m, node, trace_system_filter_show);
}

static int event_files_system_filter_set(const struct tracefs_node *node, char *text)
{
	const char *name;

	guard(mutex)(&trace_event_lock);

	name = system_name(node->tr, node->subject);

	return name ? trace_system_filter_set(node->tr, name, text) : -ENODEV;
}

static void event_files_show_state(struct seq_file *m, struct trace_array *tr,
				   struct trace_event_call *call)
{
	seq_printf(m, "%c%s\n", state_chars[trace_event_state(tr, call)],
		   trace_event_is_soft(tr, call) ? "*" : "");
}

static int event_files_enable_show(struct seq_file *m, const struct tracefs_node *node)
{
	return event_files_show_of_event(m, node, event_files_show_state);
}

static int event_files_enable_set(const struct tracefs_node *node, unsigned long value)
{
	struct trace_event_call *call;

	if (value > 1)
		return -EINVAL;

	guard(mutex)(&trace_event_lock);

	call = trace_event_call_of(node->subject);

	return call ? trace_event_set(node->tr, call, value) : -ENODEV;
}

static void event_files_show_id(struct seq_file *m, struct trace_array *tr,
				struct trace_event_call *call)
{
	seq_printf(m, "%u\n", call->event.type);
}

static int event_files_id_show(struct seq_file *m, const struct tracefs_node *node)
{
	return event_files_show_of_event(m, node, event_files_show_id);
}

static int event_files_filter_show(struct seq_file *m, const struct tracefs_node *node)
{
	return event_files_show_of_event(m, node, trace_event_filter_show);
}

static int event_files_filter_set(const struct tracefs_node *node, char *text)
{
	struct trace_event_call *call;

	guard(mutex)(&trace_event_lock);

	call = trace_event_call_of(node->subject);

	return call ? trace_event_filter_set(node->tr, call, text) : -ENODEV;
}

static int event_files_trigger_show(struct seq_file *m, const struct tracefs_node *node)
{
	return event_files_show_of_event(m, node, trace_triggers_show);
}

static int event_files_trigger_set(const struct tracefs_node *node, char *text)
{
	struct trace_event_call *call;

	guard(mutex)(&trace_event_lock);

	call = trace_event_call_of(node->subject);

	return call ? trace_trigger_set(node->tr, call, text) : -ENODEV;
}

#ifdef CONFIG_HIST_TRIGGERS_DEBUG
static int event_files_hist_debug_show(struct seq_file *m, const struct tracefs_node *node)
{
	return event_files_show_of_event(m, node, hist_debug_show);
}
#endif

static void event_files_trigger_truncate(const struct tracefs_node *node)
{
	struct trace_event_call *call;

	guard(mutex)(&trace_event_lock);

	call = trace_event_call_of(node->subject);
	if (call)
		trace_triggers_truncate(node->tr, call);
}

/*
 * For an array with a fixed size, the brackets follow the name, as in C, with a number in them.
 * For an array after the fixed part of the entry, the brackets belong to the type.
 */
static void event_files_show_fields(struct seq_file *m, const struct list_head *fields)
{
	const struct ftrace_event_field *field;

	list_for_each_entry(field, fields, link) {
		int len = strcspn(field->type, "[");

		if (strstarts(field->type, "__data_loc"))
			len = strlen(field->type);

		seq_printf(m, "\tfield:%.*s %s", len, field->type, field->name);
		if (field->len)
			seq_printf(m, "[%u]", field->len);
		else
			seq_puts(m, field->type + len);
		seq_printf(m, ";\toffset:%u;\tsize:%u;\tsigned:%d;\n",
			   field->offset, field->size, field->is_signed);
	}
}

static int event_files_format_show(struct seq_file *m, const struct tracefs_node *node)
{
	const struct list_head *fields;
	struct trace_event_call *call;

	guard(mutex)(&trace_event_lock);

	call = trace_event_call_of(node->subject);
	if (!call)
		return -ENODEV;

	fields = trace_event_fields(call);
	if (IS_ERR(fields))
		return PTR_ERR(fields);

	seq_printf(m, "name: %s\nID: %u\nformat:\n", trace_event_name(call), node->subject);
	event_files_show_fields(m, &trace_common_fields);
	seq_putc(m, '\n');
	event_files_show_fields(m, fields);
	seq_puts(m, "\nprint fmt: ");
	trace_eval_print(m, call->class->system, call->print_fmt);
	seq_putc(m, '\n');

	return 0;
}

/* The ring buffer prints into a trace_seq, which is too large for the stack. */
static int event_files_header_page_show(struct seq_file *m, const struct tracefs_node *node)
{
	struct trace_seq *s = kmalloc(sizeof(*s), GFP_KERNEL);

	if (!s)
		return -ENOMEM;

	trace_seq_init(s);
	ring_buffer_print_page_header(node->tr->main.buffer, s);
	trace_print_seq(m, s);
	kfree(s);

	return 0;
}

static int event_files_header_show(struct seq_file *m, const struct tracefs_node *node)
{
	struct trace_seq *s = kmalloc(sizeof(*s), GFP_KERNEL);

	if (!s)
		return -ENOMEM;

	trace_seq_init(s);
	ring_buffer_print_entry_header(s);
	trace_print_seq(m, s);
	kfree(s);

	return 0;
}

const struct tracefs_entry tracefs_events_files[] = {
	{ "enable", TRACEFS_BOTH, .show = event_files_all_show, .set_number = event_files_all_set },
	{ "header_page", TRACEFS_READ, .try_show = event_files_header_page_show },
	{ "header_event", TRACEFS_READ, .try_show = event_files_header_show },
	{ }
};

const struct tracefs_entry tracefs_system_files[] = {
	{ "enable", TRACEFS_BOTH, .try_show = event_files_system_show,
	 .set_number = event_files_system_set },
	{ "filter", TRACEFS_BOTH, .try_show = event_files_system_filter_show,
	 .set_token = event_files_system_filter_set,
	  .long_token = true },
	{ }
};

const struct tracefs_entry tracefs_event_files[] = {
	{ "enable", TRACEFS_BOTH, .try_show = event_files_enable_show,
	 .set_number = event_files_enable_set },
	{ "filter", TRACEFS_BOTH, .try_show = event_files_filter_show,
	 .set_token = event_files_filter_set,
	  .long_token = true },
	{ "trigger", TRACEFS_BOTH, .try_show = event_files_trigger_show,
	 .set_token = event_files_trigger_set,
	  .long_token = true, .truncate = event_files_trigger_truncate },
#ifdef CONFIG_HIST_TRIGGERS
	{ "hist", TRACEFS_READ, .fops = &tracefs_hist_fops },
	{ "hist_raw", TRACEFS_READ, .fops = &tracefs_hist_raw_fops },
#endif
#ifdef CONFIG_HIST_TRIGGERS_DEBUG
	{ "hist_debug", TRACEFS_READ, .try_show = event_files_hist_debug_show },
#endif
	{ "id", TRACEFS_READ, .try_show = event_files_id_show },
	{ "format", TRACEFS_READ, .try_show = event_files_format_show },
	{ }
};
