// SPDX-License-Identifier: GPL-2.0
/*
 * The files hist and hist_raw of an event: its histograms at the time when reading begins, for
 * people and for programs. See histogram.rst.
 */
#include <linux/cleanup.h>
#include <linux/err.h>
#include <linux/seq_file.h>

#include "event/core/event_list.h"
#include "event/core/type.h"
#include "hist/file/hist_read.h"
#include "tracefs/event/hist_files.h"
#include "tracefs/files.h"

/**
 * struct hist_files_file - an open file
 * @subject: number of the event
 * @reading: copy of the histograms, NULL before reading begins
 */
struct hist_files_file {
	unsigned int		subject;
	struct hist_reading	*reading;
};

static struct hist_reading *hist_files_read(const struct tracefs_node *node, unsigned int subject)
{
	struct trace_event_call *call;

	guard(mutex)(&trace_event_lock);

	call = trace_event_call_of(subject);

	return call ? hist_read(node->tr, call) : ERR_PTR(-ENODEV);
}

/* Reading from the beginning takes a new copy of the histograms. */
static void *hist_files_start(struct seq_file *m, loff_t *pos)
{
	struct hist_files_file *file = m->private;
	struct hist_reading *reading;

	if (!*pos) {
		reading = hist_files_read(tracefs_node_of(file_inode(m->file)), file->subject);
		if (IS_ERR(reading))
			return reading;
		hist_reading_sort(reading);
		if (file->reading)
			hist_reading_free(file->reading);
		file->reading = reading;
	}

	return file->reading && hist_reading_has(file->reading, *pos) ? pos : NULL;
}

static void *hist_files_next(struct seq_file *m, void *v, loff_t *pos)
{
	struct hist_files_file *file = m->private;

	++*pos;

	return hist_reading_has(file->reading, *pos) ? pos : NULL;
}

static void hist_files_stop(struct seq_file *m, void *v)
{
}

static int hist_files_show(struct seq_file *m, void *v)
{
	struct hist_files_file *file = m->private;

	hist_reading_show(m, file->reading, *(loff_t *)v);

	return 0;
}

static const struct seq_operations hists_seq_ops = {
	.start	= hist_files_start,
	.next	= hist_files_next,
	.stop	= hist_files_stop,
	.show	= hist_files_show,
};

static int hist_files_show_raw(struct seq_file *m, void *v)
{
	struct hist_files_file *file = m->private;

	hist_reading_show_raw(m, file->reading, *(loff_t *)v);

	return 0;
}

static const struct seq_operations raw_hists_seq_ops = {
	.start	= hist_files_start,
	.next	= hist_files_next,
	.stop	= hist_files_stop,
	.show	= hist_files_show_raw,
};

static int hist_files_open_as(struct inode *inode, struct file *file,
			      const struct seq_operations *ops)
{
	struct hist_files_file *hists;

	hists = tracefs_open_seq(inode, file, ops, sizeof(*hists));
	if (IS_ERR(hists))
		return PTR_ERR(hists);
	hists->subject = tracefs_subject_of(inode);

	return 0;
}

static int hist_files_open(struct inode *inode, struct file *file)
{
	return hist_files_open_as(inode, file, &hists_seq_ops);
}

static int hist_files_open_raw(struct inode *inode, struct file *file)
{
	return hist_files_open_as(inode, file, &raw_hists_seq_ops);
}

static int hist_files_release(struct inode *inode, struct file *file)
{
	struct seq_file *m = file->private_data;
	struct hist_files_file *hists = m->private;

	if (hists->reading)
		hist_reading_free(hists->reading);

	return tracefs_release_seq(inode, file);
}

const struct file_operations tracefs_hist_fops = {
	.open		= hist_files_open,
	.read		= seq_read,
	.llseek		= seq_lseek,
	.release	= hist_files_release,
};

const struct file_operations tracefs_hist_raw_fops = {
	.open		= hist_files_open_raw,
	.read		= seq_read,
	.llseek		= seq_lseek,
	.release	= hist_files_release,
};
