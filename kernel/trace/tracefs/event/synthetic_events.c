// SPDX-License-Identifier: GPL-2.0
/*
 * Synthetic events: the file synthetic_events. See histogram.rst.
 *
 * Each written line is a command, which is applied before the next line is parsed. Opening the
 * file with O_TRUNC removes all synthetic events.
 */
#include <linux/err.h>
#include <linux/seq_file.h>

#include "synth/synth.h"
#include "tracefs/files.h"
#include "tracefs/tables.h"

static void *synthetic_events_start(struct seq_file *m, loff_t *pos)
{
	mutex_lock(&synth_lock);

	return seq_list_start(&synth_events, *pos);
}

static void *synthetic_events_next(struct seq_file *m, void *v, loff_t *pos)
{
	return seq_list_next(v, &synth_events, pos);
}

static void synthetic_events_stop(struct seq_file *m, void *v)
{
	mutex_unlock(&synth_lock);
}

static int synthetic_events_show(struct seq_file *m, void *v)
{
	const struct synth_event *event = list_entry(v, struct synth_event, list);

	seq_printf(m, "%s\t", event->call.name);
	synth_show(m, event);

	return 0;
}

static const struct seq_operations synths_seq_ops = {
	.start	= synthetic_events_start,
	.next	= synthetic_events_next,
	.stop	= synthetic_events_stop,
	.show	= synthetic_events_show,
};

static int synthetic_events_open(struct inode *inode, struct file *file)
{
	void *own = tracefs_open_seq(inode, file, &synths_seq_ops, 1);
	int err = 0;

	if (IS_ERR(own))
		return PTR_ERR(own);

	if (file->f_mode & FMODE_WRITE && file->f_flags & O_TRUNC)
		err = synth_remove_all();
	if (err)
		tracefs_release_seq(inode, file);

	return err;
}

static int synthetic_events_apply(void *data, const char *line)
{
	return synth_command(line, "synthetic_events");
}

static ssize_t synthetic_events_write(struct file *file, const char __user *ubuf, size_t count,
				      loff_t *ppos)
{
	return tracefs_write_lines(ubuf, count, ppos, synthetic_events_apply, NULL);
}

static const struct file_operations synths_fops = {
	.open		= synthetic_events_open,
	.read		= seq_read,
	.write		= synthetic_events_write,
	.llseek		= tracefs_llseek,
	.release	= tracefs_release_seq,
};

/* Only in the top directory. */
const struct tracefs_entry tracefs_synth_files[] = {
	{ "synthetic_events", TRACEFS_BOTH, .fops = &synths_fops },
	{ }
};
