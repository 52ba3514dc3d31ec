// SPDX-License-Identifier: GPL-2.0
/*
 * Dynamic events: dynamic_events lists all of them, and other files list the events of one
 * kind. See kprobetrace.rst.
 *
 * Each written line is a command, which is applied before the next line is parsed. Opening one
 * of the files with O_TRUNC removes all events that it lists.
 */
#include <linux/err.h>
#include <linux/seq_file.h>

#include "probe/core/probe_event.h"
#include "tracefs/event/dynamic_events.h"
#include "tracefs/files.h"
#include "tracefs/tables.h"

/**
 * struct dynamic_events_file - an open file
 * @name: name of the file
 * @kind: kind of the listed events, NULL for all kinds
 */
struct dynamic_events_file {
	const char		*name;
	const struct probe_kind	*kind;
};

static void *dynamic_events_start(struct seq_file *m, loff_t *pos)
{
	mutex_lock(&probe_lock);

	return seq_list_start_head(&probe_events, *pos);
}

static void *dynamic_events_next(struct seq_file *m, void *v, loff_t *pos)
{
	return seq_list_next(v, &probe_events, pos);
}

static void dynamic_events_stop(struct seq_file *m, void *v)
{
	mutex_unlock(&probe_lock);
}

static int dynamic_events_show(struct seq_file *m, void *v)
{
	const struct probe_event *event = list_entry(v, struct probe_event, list);
	const struct dynamic_events_file *file = m->private;
	const struct probe_others *others;
	const struct probe *probe;

	/* Events of other kinds are listed first. */
	if (v == &probe_events) {
		if (!file->kind)
			list_for_each_entry(others, &probe_others, list)
				others->show(m);
		return 0;
	}
	if (file->kind && event->kind != file->kind)
		return 0;
	list_for_each_entry(probe, &event->probes, list)
		probe_show(m, probe);

	return 0;
}

static const struct seq_operations probes_seq_ops = {
	.start	= dynamic_events_start,
	.next	= dynamic_events_next,
	.stop	= dynamic_events_stop,
	.show	= dynamic_events_show,
};

/**
 * tracefs_probes_open - open a file of dynamic events
 * @inode: inode, as in file_operations.open
 * @file: file, as in file_operations.open
 * @name: name of the file, a constant
 * @kind: kind of the listed events, NULL for all kinds
 *
 * Return: 0 or an error
 */
int tracefs_probes_open(struct inode *inode, struct file *file, const char *name,
			const struct probe_kind *kind)
{
	struct dynamic_events_file *probes;
	int err = 0;

	probes = tracefs_open_seq(inode, file, &probes_seq_ops, sizeof(*probes));
	if (IS_ERR(probes))
		return PTR_ERR(probes);

	probes->name = name;
	probes->kind = kind;
	if (file->f_mode & FMODE_WRITE && file->f_flags & O_TRUNC)
		err = probe_remove_all(kind);
	if (err)
		tracefs_release_seq(inode, file);

	return err;
}

static int dynamic_events_open(struct inode *inode, struct file *file)
{
	return tracefs_probes_open(inode, file, "dynamic_events", NULL);
}

static int dynamic_events_apply(void *data, const char *line)
{
	const struct dynamic_events_file *file = data;

	return probe_command(file->kind, line, file->name);
}

/* tracefs_probes_write - file_operations.write of a file of dynamic events */
ssize_t tracefs_probes_write(struct file *file, const char __user *ubuf, size_t count,
			     loff_t *ppos)
{
	struct seq_file *m = file->private_data;

	return tracefs_write_lines(ubuf, count, ppos, dynamic_events_apply, m->private);
}

static const struct file_operations dynamic_fops = {
	.open		= dynamic_events_open,
	.read		= seq_read,
	.write		= tracefs_probes_write,
	.llseek		= tracefs_llseek,
	.release	= tracefs_release_seq,
};

/* Only in the top directory. */
const struct tracefs_entry tracefs_probe_files[] = {
	{ "dynamic_events", TRACEFS_BOTH, .fops = &dynamic_fops },
	{ }
};
