// SPDX-License-Identifier: GPL-2.0
/*
 * The files available_events and set_event: events by name. See events.rst.
 *
 * A write to set_event has event specifiers (event/core/event_spec.h). If one of them matches
 * no event, none of them is applied. If the file was opened with O_TRUNC, the first write that
 * is accepted disables all other events, and drops the specifiers that are pending for modules;
 * closing the file does so if nothing was written. Pending specifiers are listed after the
 * enabled events.
 */
#include <linux/cleanup.h>
#include <linux/err.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "event/control/event_set.h"
#include "event/core/enum_names.h"
#include "event/core/event_list.h"
#include "event/core/event_spec.h"
#include "event/record/event_file.h"
#include "event/record/event_instance.h"
#include "instance/core/errlog.h"
#include "instance/core/instance.h"
#include "tracefs/files.h"
#include "tracefs/tables.h"

#define BLANKS	" \t\n\v\f\r"

/**
 * struct set_event_file - an open file
 * @tr: the instance
 * @enabled_only: list the enabled events and the pending specifiers
 * @at_specs: the list has reached the pending specifiers
 * @lock: serializes writes
 * @reset: the next write disables all other events
 * @failed: a write was refused
 */
struct set_event_file {
	struct trace_array	*tr;
	bool			enabled_only;
	bool			at_specs;
	struct mutex		lock;	/* protects the rest */
	bool			reset;
	bool			failed;
};

static bool set_event_is_listed(const struct set_event_file *events, struct trace_event_call *call)
{
	if (!trace_event_switchable(call) || !trace_event_in(events->tr, call))
		return false;

	return !events->enabled_only ||
	       trace_event_state(events->tr, call) == TRACE_EVENT_ON;
}

/* The first listed event, beginning at @at. */
static void *set_event_next_call(const struct set_event_file *events, struct list_head *at)
{
	for (; at != &trace_event_calls; at = at->next) {
		if (set_event_is_listed(events, list_entry(at, struct trace_event_call, list)))
			return at;
	}

	return NULL;
}

/* A specifier is not listed while its module is loaded. */
static void *set_event_next_spec(const struct set_event_file *events, struct list_head *at)
{
	for (; at != &events->tr->events->specs; at = at->next) {
		if (trace_event_spec_pending(list_entry(at, struct event_spec, list)))
			return at;
	}

	return NULL;
}

static void *set_event_next_listed(struct set_event_file *events, struct list_head *at)
{
	void *next;

	if (events->at_specs)
		return set_event_next_spec(events, at);

	next = set_event_next_call(events, at);
	if (next || !events->enabled_only)
		return next;

	events->at_specs = true;

	return set_event_next_spec(events, events->tr->events->specs.next);
}

/* The position is the number of events and specifiers listed before. */
static void *set_event_start(struct seq_file *m, loff_t *pos)
{
	struct set_event_file *events = m->private;
	struct list_head *at;
	loff_t left = *pos;

	mutex_lock(&trace_event_lock);

	events->at_specs = false;
	at = set_event_next_listed(events, trace_event_calls.next);
	while (at && left--)
		at = set_event_next_listed(events, at->next);

	return at;
}

static void *set_event_next(struct seq_file *m, void *v, loff_t *pos)
{
	struct list_head *at = v;

	++*pos;

	return set_event_next_listed(m->private, at->next);
}

static void set_event_stop(struct seq_file *m, void *v)
{
	mutex_unlock(&trace_event_lock);
}

static int set_event_show(struct seq_file *m, void *v)
{
	struct set_event_file *events = m->private;
	struct trace_event_call *call = list_entry(v, struct trace_event_call, list);

	if (events->at_specs) {
		seq_printf(m, "%s\n", list_entry(v, struct event_spec, list)->text);
		return 0;
	}

	seq_printf(m, "%s:%s\n", call->class->system, trace_event_name(call));

	return 0;
}

static const struct seq_operations events_seq_ops = {
	.start	= set_event_start,
	.next	= set_event_next,
	.stop	= set_event_stop,
	.show	= set_event_show,
};

static int set_event_open_events(struct inode *inode, struct file *file, bool enabled_only)
{
	struct set_event_file *events;

	events = tracefs_open_seq(inode, file, &events_seq_ops, sizeof(*events));
	if (IS_ERR(events))
		return PTR_ERR(events);

	events->tr = tracefs_node_of(inode)->tr;
	events->enabled_only = enabled_only;
	events->reset = (file->f_mode & FMODE_WRITE) && (file->f_flags & O_TRUNC);
	mutex_init(&events->lock);

	return 0;
}

static int set_event_available_open(struct inode *inode, struct file *file)
{
	return set_event_open_events(inode, file, false);
}

static int set_event_open(struct inode *inode, struct file *file)
{
	return set_event_open_events(inode, file, true);
}

static int set_event_error(struct trace_array *tr, const char *text, size_t len)
{
	trace_error(tr, "set_event", "There is no such event", text, len, 0);

	return -EINVAL;
}

/* Make a list of specifiers, and check that all of them can be applied. */
static int set_event_collect(struct trace_array *tr, const char *text, struct list_head *specs)
{
	const char *at;
	size_t len;
	int err;

	for (at = text + strspn(text, BLANKS); *at; at += strspn(at, BLANKS)) {
		struct event_spec *spec;

		len = strcspn(at, BLANKS);
		spec = trace_event_spec_parse(at, len);
		err = PTR_ERR_OR_ZERO(spec);
		if (!err) {
			list_add_tail(&spec->list, specs);
			err = trace_event_spec_check(tr, spec);
		}
		if (err)
			return err == -EINVAL ? set_event_error(tr, at, len) : err;
		at += len;
	}

	return 0;
}

static void set_event_reset(struct set_event_file *events)
{
	trace_events_set(events->tr, NULL, NULL, false);
	trace_event_specs_free(&events->tr->events->specs);
	events->reset = false;
}

static int set_event_apply(struct set_event_file *events, const char *text)
{
	struct event_spec *spec, *next;
	LIST_HEAD(specs);
	int err, ret;

	guard(mutex)(&events->lock);
	guard(mutex)(&trace_event_lock);

	ret = set_event_collect(events->tr, text, &specs);
	if (ret) {
		trace_event_specs_free(&specs);
		return ret;
	}

	if (events->reset)
		set_event_reset(events);

	list_for_each_entry_safe(spec, next, &specs, list) {
		list_del(&spec->list);
		err = trace_event_spec_apply(events->tr, spec);
		ret = ret ?: err;
	}

	return ret;
}

static ssize_t set_event_write(struct file *file, const char __user *ubuf, size_t count,
			       loff_t *ppos)
{
	struct seq_file *m = file->private_data;
	struct set_event_file *events = m->private;
	char *text = tracefs_get_tokens(ubuf, &count);
	int err;

	if (IS_ERR(text))
		return PTR_ERR(text);

	err = set_event_apply(events, text);
	kfree(text);
	if (err) {
		events->failed = true;
		return err;
	}
	*ppos += count;

	return count;
}

static int set_event_release(struct inode *inode, struct file *file)
{
	struct seq_file *m = file->private_data;
	struct set_event_file *events = m->private;

	/* Do not disable events because of a write that was refused. */
	if (events->reset && !events->failed)
		set_event_apply(events, "");

	return tracefs_release_seq(inode, file);
}

static const struct file_operations available_fops = {
	.open		= set_event_available_open,
	.read		= seq_read,
	.llseek		= seq_lseek,
	.release	= set_event_release,
};

static const struct file_operations set_fops = {
	.open		= set_event_open,
	.read		= seq_read,
	.write		= set_event_write,
	.llseek		= tracefs_llseek,
	.release	= set_event_release,
};

/* In the directory of every instance. */
const struct tracefs_entry tracefs_set_event_files[] = {
	{ "set_event", TRACEFS_BOTH, .fops = &set_fops },
	{ }
};

#ifdef CONFIG_TRACE_EVAL_MAP_FILE
static void set_event_eval_show(struct seq_file *m, const struct tracefs_node *node)
{
	trace_eval_list(m);
}
#endif

/* Only in the top directory. */
const struct tracefs_entry tracefs_available_event_files[] = {
	{ "available_events", TRACEFS_READ, .fops = &available_fops },
#ifdef CONFIG_TRACE_EVAL_MAP_FILE
	{ "eval_map", TRACEFS_READ, .show = set_event_eval_show },
#endif
	{ }
};
