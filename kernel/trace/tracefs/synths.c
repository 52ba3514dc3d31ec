// SPDX-License-Identifier: GPL-2.0
/*
 * Synthetic events: the file synthetic_events. See histogram.rst.
 *
 * Each line that is written is a command, which is applied before the next one is looked at.
 * Opening the file with O_TRUNC removes all synthetic events.
 */
#include <linux/cleanup.h>
#include <linux/err.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "hist/synth.h"
#include "tracefs/files.h"
#include "tracefs/tables.h"

static void *synths_start(struct seq_file *m, loff_t *pos)
{
	mutex_lock(&synth_lock);

	return seq_list_start(&synth_events, *pos);
}

static void *synths_next(struct seq_file *m, void *v, loff_t *pos)
{
	return seq_list_next(v, &synth_events, pos);
}

static void synths_stop(struct seq_file *m, void *v)
{
	mutex_unlock(&synth_lock);
}

static int synths_show(struct seq_file *m, void *v)
{
	const struct synth_event *event = list_entry(v, struct synth_event, list);

	seq_printf(m, "%s\t", event->call.name);
	synth_show(m, event);

	return 0;
}

static const struct seq_operations synths_seq_ops = {
	.start	= synths_start,
	.next	= synths_next,
	.stop	= synths_stop,
	.show	= synths_show,
};

static int synths_open(struct inode *inode, struct file *file)
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

/*
 * Apply the lines of @text, and set *@len to its bytes. Of more text than was taken at once, the
 * last line may go on in what follows: it is left for the next write.
 */
static int synths_apply(char *text, size_t *len, bool is_whole)
{
	char *at = text, *end;
	int err = 0;

	while (!err && *at) {
		end = strchr(at, '\n');
		if (!end && !is_whole)
			break;
		if (end)
			*end = '\0';
		err = synth_command(at, "synthetic_events");
		at = end ? end + 1 : at + strlen(at);
	}
	*len = is_whole ? *len : at - text;

	return err ?: *len ? 0 : -EINVAL;
}

static ssize_t synths_write(struct file *file, const char __user *ubuf, size_t count,
			    loff_t *ppos)
{
	size_t len = min_t(size_t, count, SZ_64K);
	char *text;
	int err;

	if (!count)
		return 0;

	text = memdup_user_nul(ubuf, len);
	if (IS_ERR(text))
		return PTR_ERR(text);

	err = synths_apply(text, &len, len == count);
	kfree(text);
	if (err)
		return err;
	*ppos += len;

	return len;
}

static const struct file_operations synths_fops = {
	.open		= synths_open,
	.read		= seq_read,
	.write		= synths_write,
	.llseek		= tracefs_llseek,
	.release	= tracefs_release_seq,
};

/* In the top directory alone. */
const struct tracefs_entry tracefs_synth_files[] = {
	{ "synthetic_events", TRACEFS_BOTH, .fops = &synths_fops },
	{ }
};
