// SPDX-License-Identifier: GPL-2.0
/*
 * set_ftrace_pid and set_ftrace_notrace_pid, set_event_pid and set_event_notrace_pid: lists
 * of tasks.
 *
 * A write adds the numbers in it, which are separated by blanks. If one of them is not a pid,
 * none of them is added. If the file was opened with O_TRUNC, the first write that is accepted
 * replaces the list; closing the file empties the list if nothing was written.
 */
#include <linux/err.h>
#include <linux/kstrtox.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "event/record/event_instance.h"
#include "filter/pids.h"
#include "instance/core/instance.h"
#include "tracefs/files.h"
#include "tracefs/tables.h"

/**
 * struct set_event_pid_file - an open file
 * @lists: the lists of the instance
 * @list: the list of this file
 * @of_events: a list that does not exist is shown as an empty one
 * @lock: serializes writes
 * @reset: the next change replaces the list
 * @failed: a write was refused
 */
struct set_event_pid_file {
	struct ftrace_pids	*lists;
	enum ftrace_pid_list	list;
	bool			of_events;
	struct mutex		lock;	/* protects the rest */
	bool			reset;
	bool			failed;
};

static struct set_event_pid_file *set_event_pid_file_of(struct file *file)
{
	struct seq_file *m = file->private_data;

	return m->private;
}

/* The position in the file is the pid. */
static void *set_event_pid_start(struct seq_file *m, loff_t *pos)
{
	struct set_event_pid_file *pids = m->private;
	int pid;

	ftrace_pids_lock();
	if (!pids->of_events && !ftrace_pids_exist(pids->lists, pids->list))
		return *pos ? NULL : SEQ_START_TOKEN;

	pid = ftrace_pids_next(pids->lists, pids->list, *pos);
	if (pid < 0)
		return NULL;

	*pos = pid;
	return pos;
}

static void *set_event_pid_next(struct seq_file *m, void *v, loff_t *pos)
{
	struct set_event_pid_file *pids = m->private;
	int pid = -1;

	++*pos;
	if (v != SEQ_START_TOKEN)
		pid = ftrace_pids_next(pids->lists, pids->list, *pos);
	if (pid < 0)
		return NULL;

	*pos = pid;
	return pos;
}

static void set_event_pid_stop(struct seq_file *m, void *v)
{
	ftrace_pids_unlock();
}

static int set_event_pid_show(struct seq_file *m, void *v)
{
	if (v == SEQ_START_TOKEN)
		seq_puts(m, "no pid\n");
	else
		seq_printf(m, "%lld\n", *(loff_t *)v);
	return 0;
}

static const struct seq_operations pids_seq_ops = {
	.start	= set_event_pid_start,
	.next	= set_event_pid_next,
	.stop	= set_event_pid_stop,
	.show	= set_event_pid_show,
};

static int set_event_pid_open(struct inode *inode, struct file *file, bool of_events,
			      enum ftrace_pid_list list)
{
	struct set_event_pid_file *pids;
	struct trace_array *tr;

	pids = tracefs_open_seq(inode, file, &pids_seq_ops, sizeof(*pids));
	if (IS_ERR(pids))
		return PTR_ERR(pids);

	tr = tracefs_node_of(inode)->tr;
	pids->lists = of_events ? tr->events->pids : tr->pids;
	pids->list = list;
	pids->of_events = of_events;
	mutex_init(&pids->lock);
	pids->reset = (file->f_mode & FMODE_WRITE) && (file->f_flags & O_TRUNC);
	return 0;
}

static int set_event_pid_func_only_open(struct inode *inode, struct file *file)
{
	return set_event_pid_open(inode, file, false, FTRACE_PIDS_ONLY);
}

static int set_event_pid_func_never_open(struct inode *inode, struct file *file)
{
	return set_event_pid_open(inode, file, false, FTRACE_PIDS_NEVER);
}

static int set_event_pid_event_only_open(struct inode *inode, struct file *file)
{
	return set_event_pid_open(inode, file, true, FTRACE_PIDS_ONLY);
}

static int set_event_pid_event_never_open(struct inode *inode, struct file *file)
{
	return set_event_pid_open(inode, file, true, FTRACE_PIDS_NEVER);
}

static int set_event_pid_add_tokens(struct ftrace_pids_edit *edit, char *text)
{
	char *token;
	int err, pid;

	while ((token = strsep(&text, " \t\n\v\f\r"))) {
		if (!*token)
			continue;

		err = kstrtoint(token, 0, &pid) ? -EINVAL :
		      ftrace_pids_edit_add(edit, pid);
		if (err)
			return err;
	}
	return 0;
}

static int set_event_pid_change_list(struct set_event_pid_file *pids, char *text)
{
	struct ftrace_pids_edit edit;
	int err;

	guard(mutex)(&pids->lock);

	ftrace_pids_edit_begin(&edit, pids->lists, pids->list, pids->reset);
	err = set_event_pid_add_tokens(&edit, text);
	if (err)
		ftrace_pids_edit_drop(&edit);
	else
		err = ftrace_pids_edit_end(&edit);

	if (!err)
		pids->reset = false;
	return err;
}

static ssize_t set_event_pid_take_text(struct set_event_pid_file *pids, const char __user *ubuf,
				       size_t count)
{
	char *text = tracefs_get_tokens(ubuf, &count);
	int err;

	if (IS_ERR(text))
		return PTR_ERR(text);

	err = set_event_pid_change_list(pids, text);
	kfree(text);
	return err ?: count;
}

static ssize_t set_event_pid_write(struct file *file, const char __user *ubuf,
				   size_t count, loff_t *ppos)
{
	struct set_event_pid_file *pids = set_event_pid_file_of(file);
	ssize_t len = set_event_pid_take_text(pids, ubuf, count);

	if (len < 0)
		pids->failed = true;
	else
		*ppos += len;
	return len;
}

static int set_event_pid_file_release(struct inode *inode, struct file *file)
{
	struct set_event_pid_file *pids = set_event_pid_file_of(file);
	char nothing[] = "";

	/* Do not empty a list because of a write that was refused. */
	if (pids->reset && !pids->failed)
		set_event_pid_change_list(pids, nothing);

	return tracefs_release_seq(inode, file);
}

#define PID_FILE_OPS(open_fn)				\
	{						\
		.open		= open_fn,		\
		.read		= seq_read,		\
		.write		= set_event_pid_write,	\
		.llseek		= tracefs_llseek,	\
		.release	= set_event_pid_file_release,	\
	}

static const struct file_operations only_fops = PID_FILE_OPS(set_event_pid_func_only_open);
static const struct file_operations never_fops = PID_FILE_OPS(set_event_pid_func_never_open);
static const struct file_operations event_only_fops = PID_FILE_OPS(set_event_pid_event_only_open);
static const struct file_operations event_never_fops = PID_FILE_OPS(set_event_pid_event_never_open);

/* The table is empty without the function tracer. */
#define FUNCTION_FILE(name) (IS_ENABLED(CONFIG_FUNCTION_TRACER) ? (name) : NULL)

/* In the directory of every instance. */
const struct tracefs_entry tracefs_pid_files[] = {
	{ .name = FUNCTION_FILE("set_ftrace_pid"), .mode = 0640, .fops = &only_fops },
	{ .name = FUNCTION_FILE("set_ftrace_notrace_pid"), .mode = 0640, .fops = &never_fops },
	{ }
};

/* In the directory of every instance. */
const struct tracefs_entry tracefs_event_pid_files[] = {
	{ .name = "set_event_pid", .mode = 0640, .fops = &event_only_fops },
	{ .name = "set_event_notrace_pid", .mode = 0640, .fops = &event_never_fops },
	{ }
};
