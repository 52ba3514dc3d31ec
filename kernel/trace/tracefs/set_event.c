// SPDX-License-Identifier: GPL-2.0
/*
 * available_events and set_event: events by name. See events.rst.
 *
 * A write to set_event has words of event/set.c. If one of them means no event, none of them
 * is obeyed. If the file was opened with O_TRUNC, the first write that is accepted disables
 * all other events; closing the file disables all if nothing was written.
 */
#include <linux/cleanup.h>
#include <linux/err.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "event/eval.h"
#include "event/file.h"
#include "event/registry.h"
#include "event/set.h"
#include "instance/errlog.h"
#include "instance/instance.h"
#include "tracefs/files.h"
#include "tracefs/tables.h"

#define BLANKS	" \t\n\v\f\r"

/**
 * struct events_file - an open file
 * @tr: the instance
 * @enabled_only: list the events that are enabled
 * @lock: serializes writes
 * @reset: the next write disables all other events
 * @failed: a write was refused
 */
struct events_file {
	struct trace_array	*tr;
	bool			enabled_only;
	struct mutex		lock;	/* of the rest */
	bool			reset;
	bool			failed;
};

static bool is_listed(const struct events_file *events, struct trace_event_call *call)
{
	if (!trace_event_switchable(call) || !trace_event_in(events->tr, call))
		return false;

	return !events->enabled_only ||
	       trace_event_state(events->tr, call) == TRACE_EVENT_ON;
}

/* The first event from @at on that is listed. */
static void *next_listed(const struct events_file *events, struct list_head *at)
{
	for (; at != &trace_event_calls; at = at->next) {
		if (is_listed(events, list_entry(at, struct trace_event_call, list)))
			return at;
	}

	return NULL;
}

/* The position is the number of events listed before. */
static void *events_start(struct seq_file *m, loff_t *pos)
{
	struct events_file *events = m->private;
	struct list_head *at;
	loff_t left = *pos;

	mutex_lock(&trace_event_lock);

	at = next_listed(events, trace_event_calls.next);
	while (at && left--)
		at = next_listed(events, at->next);

	return at;
}

static void *events_next(struct seq_file *m, void *v, loff_t *pos)
{
	struct list_head *at = v;

	++*pos;

	return next_listed(m->private, at->next);
}

static void events_stop(struct seq_file *m, void *v)
{
	mutex_unlock(&trace_event_lock);
}

static int events_show(struct seq_file *m, void *v)
{
	struct trace_event_call *call = list_entry(v, struct trace_event_call, list);

	seq_printf(m, "%s:%s\n", call->class->system, trace_event_name(call));

	return 0;
}

static const struct seq_operations events_seq_ops = {
	.start	= events_start,
	.next	= events_next,
	.stop	= events_stop,
	.show	= events_show,
};

static int events_open(struct inode *inode, struct file *file, bool enabled_only)
{
	struct events_file *events = tracefs_open_seq(inode, file, &events_seq_ops,
						      sizeof(*events));

	if (IS_ERR(events))
		return PTR_ERR(events);

	events->tr = tracefs_node_of(inode)->tr;
	events->enabled_only = enabled_only;
	events->reset = (file->f_mode & FMODE_WRITE) && (file->f_flags & O_TRUNC);
	mutex_init(&events->lock);

	return 0;
}

static int available_open(struct inode *inode, struct file *file)
{
	return events_open(inode, file, false);
}

static int set_open(struct inode *inode, struct file *file)
{
	return events_open(inode, file, true);
}

/* Do what each word says, or only see whether all can be obeyed. @text is left as it was. */
static int do_words(struct trace_array *tr, char *text, bool apply)
{
	int err, ret = 0;
	size_t len;
	char end, *at;

	for (at = text + strspn(text, BLANKS); *at; at += strspn(at, BLANKS)) {
		len = strcspn(at, BLANKS);
		end = at[len];
		at[len] = '\0';
		err = trace_events_word(tr, at, apply);
		if (err == -EINVAL && !apply)
			trace_error(tr, "set_event", "There is no such event", at, len, 0);
		at[len] = end;
		if (err && !apply)
			return err;
		ret = ret ?: err;
		at += len;
	}

	return ret;
}

static int obey(struct events_file *events, char *text)
{
	int err;

	guard(mutex)(&events->lock);
	guard(mutex)(&trace_event_lock);

	err = do_words(events->tr, text, false);
	if (err)
		return err;

	if (events->reset) {
		trace_events_set(events->tr, NULL, NULL, false);
		events->reset = false;
	}

	return do_words(events->tr, text, true);
}

static ssize_t set_write(struct file *file, const char __user *ubuf, size_t count,
			 loff_t *ppos)
{
	struct seq_file *m = file->private_data;
	struct events_file *events = m->private;
	char *text = tracefs_get_words(ubuf, &count);
	int err;

	if (IS_ERR(text))
		return PTR_ERR(text);

	err = obey(events, text);
	kfree(text);
	if (err) {
		events->failed = true;
		return err;
	}
	*ppos += count;

	return count;
}

static int events_release(struct inode *inode, struct file *file)
{
	struct seq_file *m = file->private_data;
	struct events_file *events = m->private;
	char nothing[] = "";

	/* Do not disable events because of a write that was refused. */
	if (events->reset && !events->failed)
		obey(events, nothing);

	return tracefs_release_seq(inode, file);
}

static const struct file_operations available_fops = {
	.open		= available_open,
	.read		= seq_read,
	.llseek		= seq_lseek,
	.release	= events_release,
};

static const struct file_operations set_fops = {
	.open		= set_open,
	.read		= seq_read,
	.write		= set_write,
	.llseek		= tracefs_llseek,
	.release	= events_release,
};

/* In the directory of every instance. */
const struct tracefs_entry tracefs_set_event_files[] = {
	{ "set_event", TRACEFS_BOTH, .fops = &set_fops },
	{ }
};

#ifdef CONFIG_TRACE_EVAL_MAP_FILE
static void eval_show(struct seq_file *m, const struct tracefs_node *node)
{
	trace_eval_list(m);
}
#endif

/* In the top directory alone. */
const struct tracefs_entry tracefs_available_event_files[] = {
	{ "available_events", TRACEFS_READ, .fops = &available_fops },
#ifdef CONFIG_TRACE_EVAL_MAP_FILE
	{ "eval_map", TRACEFS_READ, .show = eval_show },
#endif
	{ }
};
