// SPDX-License-Identifier: GPL-2.0
/*
 * Event filters of instances: of a single event, or of all events of a system. See "Setting
 * filters" in Documentation/trace/events.rst.
 *
 * A text that is refused changes no filter. The file then shows that text with the error,
 * instead of the filter that remains active, until something else is written.
 */
#include <linux/bitops.h>
#include <linux/cleanup.h>
#include <linux/err.h>
#include <linux/lockdep.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "event/control/event_filter.h"
#include "event/core/event_list.h"
#include "event/core/fields.h"
#include "event/filter/predicate.h"
#include "event/filter/predicate_match.h"
#include "event/record/buffered_event.h"
#include "event/record/event_file.h"
#include "event/record/event_instance.h"
#include "instance/core/errlog.h"

static const char where[] = "event filter parse error";
static const char no_event[] = "No event of the system can have this filter";

/**
 * struct event_filter_swap - new filter of an event
 * @file: the event in an instance
 * @filter: the filter, NULL to clear it
 */
struct event_filter_swap {
	struct trace_event_file	*file;
	struct event_filter	*filter;
};

static const struct ftrace_event_field *event_filter_find(const void *data, const char *name)
{
	return trace_event_field((struct trace_event_call *)data, name);
}

/* Text that a file shows after an error. */
static char *event_filter_message_of(const char *text, const struct trace_filter_error *error)
{
	return kasprintf(GFP_KERNEL, "%s\n%*s\nparse_error: %s\n", text, (int)error->at + 1,
			 "^", error->what);
}

/**
 * trace_event_filter_compile - compile a filter of an event
 * @tr: the instance, for its error_log
 * @call: the event
 * @text: the filter
 * @whole: complete text that was written, which contains @text; NULL to log nothing in
 *	error_log
 * @message: if not NULL, set to the text that a file must show if @text is wrong, or NULL
 *
 * trace_event_lock held. May sleep.
 *
 * Return: the filter, or an error of trace_filter_compile()
 */
struct event_filter *trace_event_filter_compile(struct trace_array *tr,
						struct trace_event_call *call,
						const char *text, const char *whole,
						char **message)
{
	struct trace_filter_error error;
	struct event_filter *filter;

	lockdep_assert_held(&trace_event_lock);

	filter = trace_filter_compile(text, event_filter_find, call, &error);
	if (IS_ERR(filter) && error.what && whole) {
		trace_error(tr, where, error.what, whole, strlen(whole),
			    error.at + (text - whole));
		if (message)
			*message = event_filter_message_of(text, &error);
	}

	return filter;
}

static struct event_filter *event_filter_of(struct trace_event_file *file)
{
	return rcu_dereference_protected(file->filter, lockdep_is_held(&trace_event_lock));
}

/* Readers that see the bit but not yet the filter keep the entry. */
static void event_filter_do_swap(struct trace_event_file *file, struct event_filter *filter)
{
	struct event_filter *old = event_filter_of(file);

	/* Failure is harmless: entries are then written to the ring and discarded there. */
	if (filter)
		trace_buffered_event_prepare();

	rcu_assign_pointer(file->filter, filter);
	assign_bit(EVENT_FILE_FL_FILTERED_BIT, &file->flags, filter);
	trace_filter_free_rcu(old);
	kfree(file->filter_error);
	file->filter_error = NULL;
}

/* "none" is shown by a file without a filter. */
static bool event_filter_is_clear(const char *text)
{
	return !strcmp(text, "0") || !strcmp(text, "none");
}

/**
 * trace_event_filter_set - set the filter of an event in an instance
 * @tr: the instance
 * @call: the event
 * @text: the filter, or "0" or "none" to clear it
 *
 * trace_event_lock held. May sleep.
 *
 * Return: 0, or an error with the filter unchanged: -EINVAL if the text is wrong, -ENOMEM
 */
int trace_event_filter_set(struct trace_array *tr, struct trace_event_call *call,
			   const char *text)
{
	struct event_filter *filter = NULL;
	struct trace_event_file *file;
	char *message = NULL;

	file = trace_event_file_lookup(tr, call);
	if (IS_ERR(file))
		return PTR_ERR(file);

	if (!event_filter_is_clear(text))
		filter = trace_event_filter_compile(tr, call, text, text, &message);
	if (IS_ERR(filter)) {
		if (message) {
			kfree(file->filter_error);
			file->filter_error = message;
		}
		return PTR_ERR(filter);
	}

	event_filter_do_swap(file, filter);

	return 0;
}

/**
 * trace_event_filter_show - show the filter of an event
 * @m: output file
 * @tr: the instance
 * @call: the event
 *
 * trace_event_lock held.
 */
void trace_event_filter_show(struct seq_file *m, struct trace_array *tr,
			     struct trace_event_call *call)
{
	struct trace_event_file *file = trace_event_file_find(tr, call);
	struct event_filter *filter = file ? event_filter_of(file) : NULL;
	const char *error = file ? file->filter_error : NULL;

	if (error)
		seq_puts(m, error);
	else
		seq_printf(m, "%s\n", filter ? filter->text : "none");
}

/* Filters of systems */

static bool event_filter_is_of(struct trace_array *tr, const char *system,
			       struct trace_event_call *call)
{
	return trace_event_switchable(call) && !strcmp(call->class->system, system) &&
	       trace_event_in(tr, call);
}

static unsigned int event_filter_count(struct trace_array *tr, const char *system)
{
	struct trace_event_call *call;
	unsigned int nr = 0;

	list_for_each_entry(call, &trace_event_calls, list)
		nr += event_filter_is_of(tr, system, call);

	return nr;
}

/*
 * Compile the filter for each event that can have it; to clear it, only existing files matter.
 *
 * Return: the number of such events, or -ENOMEM or -ENODEV
 */
static int event_filter_collect(struct trace_array *tr, const char *system, const char *text,
				struct event_filter_swap *swaps)
{
	struct trace_event_call *call;
	int nr = 0;

	list_for_each_entry(call, &trace_event_calls, list) {
		struct trace_filter_error error;
		struct event_filter_swap *swap = &swaps[nr];

		if (!event_filter_is_of(tr, system, call))
			continue;

		if (event_filter_is_clear(text)) {
			swap->file = trace_event_file_find(tr, call);
			nr += !!swap->file;
			continue;
		}

		swap->filter = trace_filter_compile(text, event_filter_find, call, &error);
		if (IS_ERR(swap->filter) && error.what)
			continue;
		if (IS_ERR(swap->filter))
			return PTR_ERR(swap->filter);

		nr++;
		swap->file = trace_event_file_lookup(tr, call);
		if (IS_ERR(swap->file))
			return PTR_ERR(swap->file);
	}

	return nr;
}

static struct system_filter *event_filter_system_find(struct trace_array *tr, const char *system)
{
	struct system_filter *each;

	list_for_each_entry(each, &tr->events->system_filters, list) {
		if (!strcmp(each->system, system))
			return each;
	}

	return NULL;
}

static struct system_filter *event_filter_system_get(struct trace_array *tr, const char *system)
{
	struct system_filter *new = event_filter_system_find(tr, system);

	if (new)
		return new;

	new = kzalloc(struct_size(new, system, strlen(system) + 1), GFP_KERNEL);
	if (new) {
		memcpy(new->system, system, strlen(system));
		list_add(&new->list, &tr->events->system_filters);
	}

	return new;
}

static void event_filter_forget(struct event_filter_swap *swaps, unsigned int nr)
{
	unsigned int i;

	for (i = 0; i < nr; i++) {
		if (!IS_ERR(swaps[i].filter))
			trace_filter_free(swaps[i].filter);
	}
}

/* The text is not valid for any event: log the error, and make the file show it. */
static int event_filter_error(struct trace_array *tr, struct system_filter *shown, const char *text)
{
	struct trace_filter_error error = { .what = no_event };
	char *message = event_filter_message_of(text, &error);

	trace_error(tr, where, no_event, text, strlen(text), 0);
	if (message) {
		kfree(shown->text);
		shown->text = message;
	}

	return -EINVAL;
}

/**
 * trace_system_filter_set - set the filter of all events of a system that it is valid for
 * @tr: the instance
 * @system: its name, which is copied
 * @text: the filter, or "0" to clear it
 *
 * An event that lacks a field keeps its filter. trace_event_lock held. May sleep.
 *
 * Return: 0, or an error with all filters unchanged: -EINVAL if it is not valid for any event,
 * -ENODEV if the instance no longer has events, -ENOMEM
 */
int trace_system_filter_set(struct trace_array *tr, const char *system, const char *text)
{
	unsigned int i, most = event_filter_count(tr, system);
	struct event_filter_swap *swaps __free(kvfree) = NULL;
	struct system_filter *shown;
	char *show = NULL;
	int nr;

	lockdep_assert_held(&trace_event_lock);

	if (!tr->events)
		return -ENODEV;

	swaps = kvcalloc(most + 1, sizeof(*swaps), GFP_KERNEL);
	shown = event_filter_system_get(tr, system);
	if (!swaps || !shown)
		return -ENOMEM;

	nr = event_filter_collect(tr, system, text, swaps);
	if (!nr && !event_filter_is_clear(text))
		return event_filter_error(tr, shown, text);

	if (nr >= 0 && !event_filter_is_clear(text)) {
		show = kasprintf(GFP_KERNEL, "%s\n", text);
		if (!show)
			nr = -ENOMEM;
	}
	if (nr < 0) {
		event_filter_forget(swaps, most);
		return nr;
	}

	for (i = 0; i < nr; i++)
		event_filter_do_swap(swaps[i].file, swaps[i].filter);
	kfree(shown->text);
	shown->text = show;

	return 0;
}

/**
 * trace_system_filter_show - show the last filter string of a system, or a hint if no filter
 * was written
 * @m: output file
 * @tr: the instance
 * @system: its name; possibly without any earlier write to its filter
 *
 * trace_event_lock held.
 */
void trace_system_filter_show(struct seq_file *m, struct trace_array *tr,
			      const char *system)
{
	struct system_filter *shown = tr->events ? event_filter_system_find(tr, system) : NULL;

	seq_puts(m, shown && shown->text ? shown->text :
		    "### global filter ###\n"
		    "# Use this to set filters for multiple events.\n"
		    "# Only events with the given fields will be affected.\n"
		    "# If no events are modified, an error message will be displayed here\n");
}
