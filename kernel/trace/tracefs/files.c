// SPDX-License-Identifier: GPL-2.0
/*
 * Directories of tracefs, and the files that only show or take a value.
 */
#include <linux/cpumask.h>
#include <linux/debugfs.h>
#include <linux/fs.h>
#include <linux/init.h>
#include <linux/mount.h>
#include <linux/printk.h>
#include <linux/security.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/tracefs.h>
#include <linux/uaccess.h>

#include "instance/errlog.h"
#include "instance/instance.h"
#include "tracefs/files.h"

/**
 * tracefs_open - whether a file may be opened; its instance stays if so
 * @inode: the file
 *
 * Return: 0; -EPERM in lockdown, -ENODEV when the instance is being removed.
 */
int tracefs_open(struct inode *inode)
{
	int ret;

	ret = security_locked_down(LOCKDOWN_TRACEFS);
	if (ret)
		return ret;

	return trace_array_get(tracefs_node_of(inode)->tr);
}

/**
 * tracefs_release - a file that tracefs_open() agreed to is closed
 * @inode: the file
 */
void tracefs_release(struct inode *inode)
{
	trace_array_put(tracefs_node_of(inode)->tr);
}

/**
 * tracefs_llseek - move in a file that is read as a list and takes writes
 * @file: the file
 * @offset: where to
 * @whence: from where
 *
 * Programs that append seek to the end before they write. What is written has
 * no position, and the size of the file, as stat() tells it, is 0: the end is
 * where the beginning is.
 *
 * Return: the position, or a negative error.
 */
loff_t tracefs_llseek(struct file *file, loff_t offset, int whence)
{
	if (file->f_mode & FMODE_READ)
		return seq_lseek(file, offset,
				 whence == SEEK_END ? SEEK_SET : whence);

	file->f_pos = 0;

	return 0;
}

/**
 * tracefs_get_word - what was written into a file
 * @ubuf: what was written
 * @count: its length
 *
 * Return: a copy up to the first NUL, without the white space around it, to be
 * freed by kfree(); -EINVAL for what no file takes, -EFAULT, -ENOMEM.
 */
char *tracefs_get_word(const char __user *ubuf, size_t count)
{
	char *text, *word;

	if (count > TRACEFS_WORD_MAX)
		return ERR_PTR(-EINVAL);

	text = memdup_user_nul(ubuf, count);
	if (IS_ERR(text))
		return text;

	word = strim(text);

	return memmove(text, word, strlen(word) + 1);
}

static int value_show(struct seq_file *m, void *unused)
{
	struct tracefs_node *node = m->private;

	if (node->entry->show)
		node->entry->show(m, node);

	return 0;
}

static int value_open(struct inode *inode, struct file *file)
{
	int ret;

	ret = tracefs_open(inode);
	if (ret)
		return ret;

	ret = single_open(file, value_show, tracefs_node_of(inode));
	if (ret)
		tracefs_release(inode);

	return ret;
}

static int value_release(struct inode *inode, struct file *file)
{
	tracefs_release(inode);

	return single_release(inode, file);
}

static int value_set_word(const struct tracefs_node *node, char *word)
{
	const struct tracefs_entry *entry = node->entry;
	int ret;

	if (!*word && !entry->may_be_empty)
		return -EINVAL;

	ret = entry->set_word(node, word);
	if (ret == -EINVAL && entry->refused)
		trace_error(node->tr, entry->name, entry->refused, word,
			    strlen(word), 0);

	return ret;
}

static ssize_t value_write(struct file *file, const char __user *ubuf,
			   size_t count, loff_t *ppos)
{
	struct tracefs_node *node = tracefs_node_of(file_inode(file));
	unsigned long value;
	int ret;

	if (node->entry->set_number) {
		ret = kstrtoul_from_user(ubuf, count, 10, &value);
		if (!ret)
			ret = node->entry->set_number(node, value);
	} else if (node->entry->set_word) {
		char *word = tracefs_get_word(ubuf, count);

		if (IS_ERR(word))
			return PTR_ERR(word);

		ret = value_set_word(node, word);
		kfree(word);
	} else {
		ret = -EINVAL;
	}

	if (ret < 0)
		return ret;

	*ppos += count;

	return count;
}

static const struct file_operations value_fops = {
	.open		= value_open,
	.read		= seq_read,
	.write		= value_write,
	.llseek		= tracefs_llseek,
	.release	= value_release,
};

/**
 * tracefs_add_file - make a file
 * @dir: the directory, NULL for the top one
 * @name: of the file
 * @node: what it is; has to stay as long as the file
 *
 * Return: the file, or NULL, and the log says so.
 */
struct dentry *tracefs_add_file(struct dentry *dir, const char *name,
				struct tracefs_node *node)
{
	const struct tracefs_entry *entry = node->entry;
	struct dentry *file;

	file = tracefs_create_file(name, entry->mode, dir, node,
				   entry->fops ?: &value_fops);
	if (!file)
		pr_warn("tracefs: no file %s\n", name);

	return file;
}

/**
 * tracefs_add_files - make the files of a directory
 * @dir: the directory, NULL for the top one
 * @table: the files
 * @tr: the instance
 * @cpu: of which CPU, or RING_BUFFER_ALL_CPUS
 * @data: tracefs_node.data of all of them
 *
 * Return: 0 or -ENOMEM. A file that cannot be made is missing, the others are
 * there.
 */
int tracefs_add_files(struct dentry *dir, const struct tracefs_entry *table,
		      struct trace_array *tr, int cpu, const void *data)
{
	const struct tracefs_entry *entry;
	struct tracefs_node *node;
	size_t n = 0;

	for (entry = table; entry->name; entry++)
		n++;
	if (!n)
		return 0;

	/* Lives as long as the files do: for good, in the top directory. */
	node = kcalloc(n, sizeof(*node), GFP_KERNEL);
	if (!node)
		return -ENOMEM;

	for (entry = table; entry->name; entry++, node++) {
		node->entry = entry;
		node->tr = tr;
		node->cpu = cpu;
		node->data = data;
		tracefs_add_file(dir, entry->name, node);
	}

	return 0;
}

static void add_cpus(struct dentry *dir, struct trace_array *tr)
{
	struct dentry *all, *one;
	unsigned int cpu;
	char name[16];

	all = tracefs_create_dir("per_cpu", dir);
	if (!all)
		return;

	for_each_possible_cpu(cpu) {
		snprintf(name, sizeof(name), "cpu%u", cpu);
		one = tracefs_create_dir(name, all);
		if (one)
			tracefs_add_files(one, tracefs_cpu_files, tr, cpu,
					  NULL);
	}
}

/* /sys/kernel/debug/tracing, where all of this was before there was tracefs. */
static struct vfsmount *mount_in_debugfs(struct dentry *at, void *unused)
{
	struct file_system_type *type = get_fs_type("tracefs");
	struct vfsmount *mnt;

	if (!type)
		return NULL;

	mnt = vfs_submount(at, type, "tracefs", NULL);
	put_filesystem(type);

	return IS_ERR(mnt) ? NULL : mntget(mnt);
}

static int __init tracefs_fill(void)
{
	struct trace_array *tr = &trace_top;

	if (!tr->main.buffer || !tracefs_initialized())
		return 0;

	if (security_locked_down(LOCKDOWN_TRACEFS)) {
		pr_warn("tracefs: no files because of lockdown\n");
		return 0;
	}

	if (IS_ENABLED(CONFIG_DEBUG_FS))
		debugfs_create_automount("tracing", NULL, mount_in_debugfs,
					 NULL);

	tracefs_add_files(NULL, tracefs_control_files, tr,
			  RING_BUFFER_ALL_CPUS, NULL);
	tracefs_add_files(NULL, tracefs_top_files, tr, RING_BUFFER_ALL_CPUS,
			  NULL);
	tracefs_add_files(NULL, tracefs_function_files, tr,
			  RING_BUFFER_ALL_CPUS, NULL);
	tracefs_add_files(NULL, tracefs_pid_files, tr, RING_BUFFER_ALL_CPUS,
			  NULL);
	tracefs_add_events(NULL, tr);
	tracefs_add_options(NULL, tr);
	add_cpus(NULL, tr);

	return 0;
}
fs_initcall(tracefs_fill);
