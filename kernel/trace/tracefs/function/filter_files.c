// SPDX-License-Identifier: GPL-2.0
/*
 * Function filters: set_ftrace_filter and set_ftrace_notrace, set_graph_function and
 * set_graph_notrace, and stack_trace_filter.
 *
 * Written patterns are collected in an edit, which takes effect as a whole when the file is
 * closed.
 */
#include <linux/cleanup.h>
#include <linux/ctype.h>
#include <linux/err.h>
#include <linux/fs.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include "filter/filter.h"
#include "filter/func_command.h"
#include "filter/mod_pending.h"
#include "filter/name_iter.h"
#include "ftrace/ops/kill.h"
#include "ftrace/ops/ops.h"
#include "instance/core/errlog.h"
#include "instance/core/instance.h"
#include "lib/hash.h"
#include "patch/records.h"
#include "tracefs/files.h"
#include "tracefs/function/available_functions.h"
#include "tracefs/tables.h"
#include "tracer/graph/graph_tracer.h"
#include "tracer/stack/stack_tracer.h"

/* Maximum number of bytes used per write: the caller writes the rest again. */
#define WRITE_MAX	(1024 * 1024)

/* Owner of the filters */
enum filter_files_user {
	FILTER_FUNCTION,
	FILTER_GRAPH,
	FILTER_STACK,
};

/**
 * struct filter_files_file - an open filter file
 * @tr: the instance
 * @user: owner of the filters; only FILTER_FUNCTION accepts commands
 * @hash: the filters
 * @exclude: the file lists the functions to leave out, not the functions to trace
 * @edit: the edit made by writes, NULL if the file is open only for reading
 * @names: the iterator over names of functions, for reading
 * @pending: the current pending pattern, for reading
 * @line: the current command on a function, for reading
 * @lock: serializes writes
 * @effect: closing the file changes the filter: a pattern was accepted, or nothing was refused
 *	and the file was opened with O_TRUNC
 */
struct filter_files_file {
	struct trace_array		*tr;
	enum filter_files_user		user;
	struct ftrace_ops_hash		*hash;
	bool				exclude;
	struct ftrace_filter_edit	*edit;
	struct ftrace_name_iter		names;
	const char			*pending;
	struct ftrace_command_line	line;
	struct mutex			lock;	/* protects @edit */
	bool				effect;
};

static const struct ftrace_hash *filter_files_set(const struct filter_files_file *filter)
{
	return rcu_dereference_protected(filter->exclude ?
					 filter->hash->notrace_hash :
					 filter->hash->filter_hash,
					 lockdep_is_held(&ftrace_lock));
}

/* Lines: the functions of the filter, then pending patterns, then commands. */
static void *filter_files_at(struct filter_files_file *filter, loff_t pos)
{
	const struct ftrace_hash *set = filter_files_set(filter);

	/* A filter without restriction has one line that shows this. */
	if (!set && !pos)
		return SEQ_START_TOKEN;
	if (set && pos < set->count)
		return (void *)&set->ip[pos];

	pos -= set ? set->count : 1;
	filter->pending = ftrace_mod_pending_line(filter->hash, filter->exclude, &pos);
	if (filter->pending)
		return &filter->pending;

	return !filter->exclude && filter->user == FILTER_FUNCTION &&
	       ftrace_command_line(filter->tr, pos, &filter->line) ?
	       &filter->line : NULL;
}

static void *filter_files_start(struct seq_file *m, loff_t *pos)
{
	struct filter_files_file *filter = m->private;

	ftrace_command_lock();
	mutex_lock(&ftrace_lock);
	ftrace_filters_refresh(filter->hash);
	return filter_files_at(filter, *pos);
}

static void *filter_files_next(struct seq_file *m, void *v, loff_t *pos)
{
	return filter_files_at(m->private, ++*pos);
}

static void filter_files_stop(struct seq_file *m, void *v)
{
	mutex_unlock(&ftrace_lock);
	ftrace_command_unlock();
}

/* Return: false if the symbol no longer exists. */
static bool filter_files_show_name(struct seq_file *m, struct ftrace_name_iter *names,
				   unsigned long ip)
{
	if (!ftrace_name_iter_seek(names, ip))
		return false;

	tracefs_show_function(m, names);
	return true;
}

static int filter_files_show_command(struct seq_file *m, struct filter_files_file *filter)
{
	const struct ftrace_command_line *line = &filter->line;

	if (!filter_files_show_name(m, &filter->names, line->ip))
		return SEQ_SKIP;

	seq_printf(m, ":%s", line->command->name);
	if (line->command->show)
		line->command->show(m, line->data);
	if (line->counted)
		seq_printf(m, ":count=%ld\n", line->left);
	else
		seq_puts(m, ":unlimited\n");
	return 0;
}

static int filter_files_show(struct seq_file *m, void *v)
{
	struct filter_files_file *filter = m->private;

	if (v == &filter->line)
		return filter_files_show_command(m, filter);

	if (v == &filter->pending)
		seq_puts(m, filter->pending);
	else if (v == SEQ_START_TOKEN)
		seq_puts(m, filter->exclude ? "#### no functions disabled ####" :
					      "#### all functions enabled ####");
	else if (!filter_files_show_name(m, &filter->names, *(unsigned long *)v))
		return SEQ_SKIP;
	seq_putc(m, '\n');
	return 0;
}

static const struct seq_operations filter_seq_ops = {
	.start	= filter_files_start,
	.next	= filter_files_next,
	.stop	= filter_files_stop,
	.show	= filter_files_show,
};

static struct ftrace_ops_hash *filter_files_hash(struct trace_array *tr,
						 enum filter_files_user user)
{
	switch (user) {
	case FILTER_GRAPH:
		return trace_graph_filters(tr);
	case FILTER_STACK:
		return trace_stack_filters();
	default:
		return tr->ops->func_hash;
	}
}

static int filter_files_setup(struct file *file, struct filter_files_file *filter,
			      struct trace_array *tr, enum filter_files_user user, bool exclude)
{
	bool reset = file->f_flags & O_TRUNC;

	if (!exclude && user == FILTER_FUNCTION)
		ftrace_command_sweep();
	filter->tr = tr;
	filter->user = user;
	filter->hash = filter_files_hash(tr, user);
	filter->exclude = exclude;
	mutex_init(&filter->lock);
	if (!(file->f_mode & FMODE_WRITE))
		return 0;

	filter->effect = reset;
	filter->edit = ftrace_filter_edit_begin(filter->hash, exclude, reset);
	if (!filter->edit)
		return -ENOMEM;

	filter->edit->may_wait = true;
	if (user == FILTER_FUNCTION)
		filter->edit->tr = tr;
	return 0;
}

static int filter_files_open(struct inode *inode, struct file *file, enum filter_files_user user,
			     bool exclude)
{
	struct filter_files_file *filter;
	int err;

	if (ftrace_is_dead())
		return -ENODEV;

	filter = tracefs_open_seq(inode, file, &filter_seq_ops, sizeof(*filter));
	if (IS_ERR(filter))
		return PTR_ERR(filter);

	err = filter_files_setup(file, filter, tracefs_node_of(inode)->tr, user, exclude);
	if (err)
		tracefs_release_seq(inode, file);
	return err;
}

static int filter_files_set_open(struct inode *inode, struct file *file)
{
	return filter_files_open(inode, file, FILTER_FUNCTION, false);
}

static int filter_files_set_notrace_open(struct inode *inode, struct file *file)
{
	return filter_files_open(inode, file, FILTER_FUNCTION, true);
}

static struct filter_files_file *filter_files_of(struct file *file)
{
	return ((struct seq_file *)file->private_data)->private;
}

static bool filter_files_is_separator(char c)
{
	return !c || isspace(c);
}

/* Find a token in a text, or return NULL. A plain name may follow the sign that negates it. */
static const char *filter_files_find_token(const char *text, size_t text_len, const char *token)
{
	const char *end = text + text_len, *at = text;
	size_t len = strlen(token);

	for (; (at = strnstr(at, token, end - at)); at++) {
		const char *begin = at > text && at[-1] == '!' ? at - 1 : at;

		if ((begin == text || filter_files_is_separator(begin[-1])) &&
		    (at + len == end || filter_files_is_separator(at[len])))
			return at;
	}
	return NULL;
}

/*
 * Report in error_log which token was refused. It may be from an earlier write, and the last
 * token may be ended by close(2), which cannot return an error.
 */
static void filter_files_explain(struct filter_files_file *filter, const char *text,
				 size_t len)
{
	static const char * const files[][2] = {
		[FILTER_FUNCTION]	= { "set_ftrace_filter", "set_ftrace_notrace" },
		[FILTER_GRAPH]		= { "set_graph_function", "set_graph_notrace" },
		[FILTER_STACK]		= { "stack_trace_filter" },
	};
	const char *where = files[filter->user][filter->exclude];
	const char *token = filter->edit->refused;
	const char *at = token ? filter_files_find_token(text, len, token) : text;

	if (!at) {
		text = token;
		len = strlen(token);
		at = token;
	}
	trace_error(filter->tr, where, "No such function, or no such command",
		    text, len, at - text);
}

/* Return: number of bytes used, or an error. */
static ssize_t filter_files_text(struct filter_files_file *filter, const char *text,
				 size_t len, bool last)
{
	size_t used = len;
	int err;

	guard(mutex)(&filter->lock);

	err = ftrace_filter_edit_text(filter->edit, text, &used, last);
	if (err == -EINVAL)
		filter_files_explain(filter, text, len);
	if (err)
		filter->effect = filter->edit->taken;
	else if (used)
		filter->effect = true;
	return err ?: used;
}

/* Text could not be copied from user space: closing the file applies the text accepted before. */
static void filter_files_error(struct filter_files_file *filter)
{
	guard(mutex)(&filter->lock);

	filter->effect = filter->edit->taken;
}

static ssize_t filter_files_write(struct file *file, const char __user *ubuf,
				  size_t count, loff_t *ppos)
{
	struct filter_files_file *filter = filter_files_of(file);
	ssize_t used;
	char *text;

	if (!count)
		return 0;

	count = min_t(size_t, count, WRITE_MAX);
	text = vmemdup_user(ubuf, count);
	if (IS_ERR(text)) {
		filter_files_error(filter);
		return PTR_ERR(text);
	}

	used = filter_files_text(filter, text, count, false);
	kvfree(text);
	if (used > 0)
		*ppos += used;
	return used;
}

static void filter_files_graph_changed(struct trace_array *tr)
{
	guard(mutex)(&trace_lock);

	trace_graph_filters_changed(tr);
}

/* The edit takes effect here, unless all written text was refused. */
static int filter_files_release(struct inode *inode, struct file *file)
{
	struct filter_files_file *filter = filter_files_of(file);

	if (filter->edit) {
		filter_files_text(filter, "", 0, true);
		if (filter->effect)
			ftrace_filter_edit_end(filter->edit);
		ftrace_filter_edit_free(filter->edit);
		if (filter->effect && filter->user == FILTER_GRAPH)
			filter_files_graph_changed(filter->tr);
	}
	return tracefs_release_seq(inode, file);
}

static const struct file_operations set_filter_fops = {
	.open		= filter_files_set_open,
	.read		= seq_read,
	.write		= filter_files_write,
	.llseek		= tracefs_llseek,
	.release	= filter_files_release,
};

static const struct file_operations set_notrace_fops = {
	.open		= filter_files_set_notrace_open,
	.read		= seq_read,
	.write		= filter_files_write,
	.llseek		= tracefs_llseek,
	.release	= filter_files_release,
};

#ifdef CONFIG_FUNCTION_GRAPH_TRACER
static int filter_files_graph_open(struct inode *inode, struct file *file)
{
	return filter_files_open(inode, file, FILTER_GRAPH, false);
}

static int filter_files_graph_notrace_open(struct inode *inode, struct file *file)
{
	return filter_files_open(inode, file, FILTER_GRAPH, true);
}

static const struct file_operations set_graph_function_fops = {
	.open		= filter_files_graph_open,
	.read		= seq_read,
	.write		= filter_files_write,
	.llseek		= tracefs_llseek,
	.release	= filter_files_release,
};

static const struct file_operations set_graph_notrace_fops = {
	.open		= filter_files_graph_notrace_open,
	.read		= seq_read,
	.write		= filter_files_write,
	.llseek		= tracefs_llseek,
	.release	= filter_files_release,
};
#endif

#ifdef CONFIG_STACK_TRACER
static int filter_files_stack_open(struct inode *inode, struct file *file)
{
	return filter_files_open(inode, file, FILTER_STACK, false);
}

static const struct file_operations stack_filter_fops = {
	.open		= filter_files_stack_open,
	.read		= seq_read,
	.write		= filter_files_write,
	.llseek		= tracefs_llseek,
	.release	= filter_files_release,
};
#endif

/* In the directory of every instance. */
const struct tracefs_entry tracefs_filter_files[] = {
	{ .name = "set_ftrace_filter", .mode = 0640, .fops = &set_filter_fops },
	{ .name = "set_ftrace_notrace", .mode = 0640, .fops = &set_notrace_fops },
#ifdef CONFIG_FUNCTION_GRAPH_TRACER
	{ .name = "set_graph_function", .mode = 0640, .fops = &set_graph_function_fops },
	{ .name = "set_graph_notrace", .mode = 0640, .fops = &set_graph_notrace_fops },
#endif
	{ }
};

/* Only in the top directory. */
const struct tracefs_entry tracefs_top_filter_files[] = {
#ifdef CONFIG_STACK_TRACER
	{ .name = "stack_trace_filter", .mode = 0640, .fops = &stack_filter_fops },
#endif
	{ }
};
