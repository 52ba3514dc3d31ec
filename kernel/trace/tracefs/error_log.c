// SPDX-License-Identifier: GPL-2.0
/*
 * The file error_log: reasons why writes to other files were refused.
 */
#include <linux/fs.h>
#include <linux/seq_file.h>

#include "instance/core/errlog.h"
#include "tracefs/files.h"
#include "tracefs/tables.h"

static int error_log_show(struct seq_file *m, void *unused)
{
	const struct tracefs_node *node = m->private;

	trace_errors_show(m, node->tr);

	return 0;
}

static int error_log_open(struct inode *inode, struct file *file)
{
	const struct tracefs_node *node;
	int ret;

	ret = tracefs_open(inode);
	if (ret)
		return ret;

	node = tracefs_node_of(inode);
	ret = single_open(file, error_log_show, (void *)node);
	if (ret) {
		tracefs_release(inode);
		return ret;
	}

	if ((file->f_mode & FMODE_WRITE) && (file->f_flags & O_TRUNC))
		trace_errors_clear(node->tr);

	return 0;
}

/* Opening with O_TRUNC clears the log, as "echo > error_log" does. */
static ssize_t error_log_write(struct file *file, const char __user *ubuf,
			       size_t count, loff_t *ppos)
{
	return count;
}

static int error_log_release(struct inode *inode, struct file *file)
{
	single_release(inode, file);
	tracefs_release(inode);

	return 0;
}

static const struct file_operations errlog_fops = {
	.open		= error_log_open,
	.read		= seq_read,
	.write		= error_log_write,
	.llseek		= tracefs_llseek,
	.release	= error_log_release,
};

/* In the directory of every instance. */
const struct tracefs_entry tracefs_errlog_files[] = {
	{ "error_log", TRACEFS_BOTH, .fops = &errlog_fops },
	{ }
};
