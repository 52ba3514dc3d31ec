// SPDX-License-Identifier: GPL-2.0
/*
 * The file osnoise/per_cpu/cpuN/timerlat_fd, which threads of user space use to measure with
 * the tracer timerlat.
 */
#include <linux/err.h>
#include <linux/fs.h>
#include <linux/kernel.h>

#include "instance/core/instance.h"
#include "tracefs/files.h"
#include "tracer/osnoise/noise_files.h"
#include "tracer/osnoise/timerlat.h"

static int timerlat_files_fd_open(struct inode *inode, struct file *file)
{
	struct timerlat_user *user;
	int ret;

	ret = tracefs_open(inode);
	if (ret)
		return ret;

	user = trace_timerlat_attach(tracefs_node_of(inode)->cpu);
	if (IS_ERR(user)) {
		tracefs_release(inode);
		return PTR_ERR(user);
	}
	file->private_data = user;

	return 0;
}

/* No data is read: the call returns when the timer has expired. */
static ssize_t timerlat_files_fd_read(struct file *file, char __user *ubuf, size_t count,
				      loff_t *pos)
{
	return trace_timerlat_cycle(file->private_data);
}

static int timerlat_files_fd_release(struct inode *inode, struct file *file)
{
	trace_timerlat_detach(file->private_data);
	tracefs_release(inode);

	return 0;
}

static const struct file_operations timerlat_fd_fops = {
	.open		= timerlat_files_fd_open,
	.read		= timerlat_files_fd_read,
	.release	= timerlat_files_fd_release,
	.llseek		= noop_llseek,
};

static const struct tracefs_entry cpu_files[] = {
	{ "timerlat_fd", TRACEFS_READ, .fops = &timerlat_fd_fops },
	{ }
};

static const struct tracefs_entry * const cpu_tables[] = { cpu_files };

/**
 * tracefs_add_timerlat - create the directory per_cpu in osnoise
 * @dir: the directory osnoise
 */
void tracefs_add_timerlat(struct dentry *dir)
{
	tracefs_add_cpus(dir, cpu_tables, ARRAY_SIZE(cpu_tables), &trace_top);
}
