// SPDX-License-Identifier: GPL-2.0
/*
 * tracefs files: the code that all files share, and the files that only show or accept a value.
 *
 * An inode does not point to its node. It has a number, and the node is looked up by that number
 * under trace_lock: an instance may be removed while one of its files is being opened, and then
 * the look-up fails. A successful open pins the instance, and with it the node, until the file is
 * closed. Numbers are not reused soon.
 */
#define pr_fmt(fmt) "tracefs: " fmt

#include <linux/cleanup.h>
#include <linux/cpumask.h>
#include <linux/ctype.h>
#include <linux/err.h>
#include <linux/fs.h>
#include <linux/kernel.h>
#include <linux/llist.h>
#include <linux/overflow.h>
#include <linux/printk.h>
#include <linux/security.h>
#include <linux/seq_file.h>
#include <linux/sizes.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/tracefs.h>
#include <linux/uaccess.h>
#include <linux/xarray.h>

#include "instance/core/errlog.h"
#include "instance/core/instance.h"
#include "tracefs/files.h"

/*
 * The number of an inode contains the number of its table and the index of its row. Files of
 * eventfs are created again at each look-up, and thousands of them share a table: their numbers
 * also contain the subject, which is the event or the system that the file belongs to. Files of
 * other objects that may be freed before their instance, like a monitor, have a subject also.
 */
#define ROW_BITS	6
#define TABLE_BITS	32
#define SUBJECT_SHIFT	(ROW_BITS + TABLE_BITS)

static_assert(SUBJECT_SHIFT + TRACEFS_SUBJECT_BITS == BITS_PER_LONG);

/**
 * struct tracefs_table - nodes of files that were created together
 * @id: its index in @tables
 * @next: entry in trace_array.files
 * @nr: number of nodes
 * @nodes: the nodes, in the order of the rows that they were created from
 */
struct tracefs_table {
	u32			id;
	struct llist_node	next;
	unsigned int		nr;
	struct tracefs_node	nodes[] __counted_by(nr);
};

/*
 * Look-ups for a file that is not open yet, and removal, are under trace_lock. Additions are
 * under the lock of the xarray.
 */
static DEFINE_XARRAY_ALLOC1(tables);
static u32 tables_next;

static unsigned long tracefs_number_of(const struct inode *inode)
{
	return (unsigned long)inode->i_private;
}

/**
 * tracefs_node_of - get the node of an open file
 * @inode: the file, after tracefs_open() and before tracefs_release()
 *
 * Context: any
 */
const struct tracefs_node *tracefs_node_of(struct inode *inode)
{
	unsigned long nr = tracefs_number_of(inode);
	struct tracefs_table *table = xa_load(&tables, (u32)(nr >> ROW_BITS));

	return table ? &table->nodes[nr & (BIT(ROW_BITS) - 1)] : NULL;
}

/**
 * tracefs_subject_of - get the number of the object that a file belongs to, see
 * tracefs_node.subject
 * @inode: the file
 *
 * Context: any
 */
unsigned int tracefs_subject_of(const struct inode *inode)
{
	return tracefs_number_of(inode) >> SUBJECT_SHIFT;
}

/**
 * tracefs_open - open a file, if that is allowed, and pin its instance
 * @inode: the file
 *
 * Context: process context; takes trace_lock
 *
 * Return: 0; -EPERM in lockdown, -ENODEV if the instance was removed or is being removed.
 */
int tracefs_open(struct inode *inode)
{
	const struct tracefs_node *node;
	int ret;

	ret = security_locked_down(LOCKDOWN_TRACEFS);
	if (ret)
		return ret;

	guard(mutex)(&trace_lock);

	node = tracefs_node_of(inode);
	if (!node || node->tr->ending)
		return -ENODEV;

	node->tr->refs++;

	return 0;
}

/**
 * tracefs_release - close a file that tracefs_open() has opened
 * @inode: the file
 *
 * Context: process context; takes trace_lock
 */
void tracefs_release(struct inode *inode)
{
	trace_array_put(tracefs_node_of(inode)->tr);
}

/**
 * tracefs_open_seq - tracefs_open() for a file that is read as a list
 * @inode: the file
 * @file: the file being opened
 * @ops: operations of the list
 * @size: size of the file's private data, which is zeroed, in seq_file.private
 *
 * Context: process context; takes trace_lock
 *
 * Return: the file's private data; an error as tracefs_open(), or -ENOMEM
 */
void *tracefs_open_seq(struct inode *inode, struct file *file,
		       const struct seq_operations *ops, int size)
{
	int err = tracefs_open(inode);
	void *own;

	if (err)
		return ERR_PTR(err);

	own = __seq_open_private(file, ops, size);
	if (!own) {
		tracefs_release(inode);
		return ERR_PTR(-ENOMEM);
	}
	return own;
}

/**
 * tracefs_release_seq - close a file that tracefs_open_seq() has opened
 * @inode: the file
 * @file: the open file
 *
 * Context: process context; takes trace_lock
 *
 * Return: 0
 */
int tracefs_release_seq(struct inode *inode, struct file *file)
{
	tracefs_release(inode);
	return seq_release_private(inode, file);
}

/**
 * tracefs_get_tokens - copy written tokens from user space
 * @ubuf: the written text
 * @len: its length in bytes; set to the number of bytes used
 *
 * A token that continues after the part that is used is left for the next write. So is the text
 * after a 0 byte, which ends a token.
 *
 * Context: may sleep
 *
 * Return: the tokens, to be freed by kfree(); -EFAULT or -ENOMEM
 */
char *tracefs_get_tokens(const char __user *ubuf, size_t *len)
{
	size_t size = min_t(size_t, *len, SZ_64K), whole = size;
	char *text = memdup_user_nul(ubuf, size);

	if (IS_ERR(text))
		return text;

	while (size < *len && whole && !isspace(text[whole - 1]))
		whole--;
	if (whole)
		text[whole] = '\0';
	*len = min(whole ?: size, strlen(text) + 1);

	return text;
}

/* Return: 0 or the error of @apply; *@len is set to the number of processed bytes. */
static int tracefs_apply_lines(char *text, size_t *len, bool is_whole,
			       int (*apply)(void *data, const char *line), void *data)
{
	char *at = text, *end;
	int err = 0;

	while (!err && *at) {
		end = strchr(at, '\n');
		if (!end && !is_whole)
			break;
		if (end)
			*end = '\0';
		err = apply(data, at);
		at = end ? end + 1 : at + strlen(at);
	}
	*len = is_whole ? *len : at - text;

	return err ?: *len ? 0 : -EINVAL;
}

/**
 * tracefs_write_lines - apply each written line before the next one is parsed
 * @ubuf: the lines
 * @count: their length in bytes
 * @ppos: position, as in file_operations.write
 * @apply: applies a line; returns 0 or an error, which ends the write
 * @data: passed to @apply
 *
 * If the text is longer than the limit of one write, the last line may continue after the
 * limit: it is left for the next write.
 *
 * Context: may sleep
 *
 * Return: number of processed bytes; an error of @apply; -EINVAL if a line is too long; -EFAULT
 *	or -ENOMEM
 */
ssize_t tracefs_write_lines(const char __user *ubuf, size_t count, loff_t *ppos,
			    int (*apply)(void *data, const char *line), void *data)
{
	size_t len = min_t(size_t, count, SZ_64K);
	char *text;
	int err;

	if (!count)
		return 0;

	text = memdup_user_nul(ubuf, len);
	if (IS_ERR(text))
		return PTR_ERR(text);

	err = tracefs_apply_lines(text, &len, len == count, apply, data);
	kfree(text);
	if (err)
		return err;
	*ppos += len;

	return len;
}

/**
 * tracefs_llseek - seek in a file that is read as a list and accepts writes
 * @file: opened by seq_open() if it can be read
 * @offset: the offset
 * @whence: SEEK_SET, SEEK_CUR or SEEK_END
 *
 * Programs that append seek to the end before they write. Written text has no position, and the
 * size of the file in stat() is 0: the end is the same as the beginning.
 *
 * Context: may sleep
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

/*
 * The text up to the first NUL, without leading and trailing white space, to be freed by
 * kfree().
 */
static char *tracefs_get_token(const char __user *ubuf, size_t count,
			       const struct tracefs_entry *entry)
{
	char *text, *token;

	if (count > (entry->long_token ? TRACEFS_LONG_TOKEN_MAX : TRACEFS_TOKEN_MAX))
		return ERR_PTR(-EINVAL);

	text = memdup_user_nul(ubuf, count);
	if (IS_ERR(text))
		return text;

	token = strim(text);

	return memmove(text, token, strlen(token) + 1);
}

static int tracefs_show_copied_value(struct seq_file *m, void *unused)
{
	const struct tracefs_node *node = m->private;

	if (node->entry->try_show)
		return node->entry->try_show(m, node);
	if (node->entry->show)
		node->entry->show(m, node);

	return 0;
}

static int tracefs_value_open_single(struct inode *inode, struct file *file,
				     const struct tracefs_node *node)
{
	struct tracefs_node *copy = kmemdup(node, sizeof(*node), GFP_KERNEL);
	int ret;

	if (!copy)
		return -ENOMEM;

	copy->subject = tracefs_subject_of(inode);
	ret = single_open(file, tracefs_show_copied_value, copy);
	if (ret)
		kfree(copy);

	return ret;
}

/* The node of an open file: a copy with the file's subject, unless it is a list. */
static const struct tracefs_node *tracefs_value_node(struct file *file)
{
	const struct tracefs_node *node = tracefs_node_of(file_inode(file));
	const struct seq_file *m = file->private_data;

	return node->entry->seq ? node : m->private;
}

static int tracefs_value_open(struct inode *inode, struct file *file)
{
	const struct tracefs_node *node;
	int ret;

	ret = tracefs_open(inode);
	if (ret)
		return ret;

	node = tracefs_node_of(inode);
	ret = node->entry->seq ? seq_open(file, node->entry->seq) :
				 tracefs_value_open_single(inode, file, node);
	if (ret)
		tracefs_release(inode);
	else if (node->entry->truncate && file->f_mode & FMODE_WRITE && file->f_flags & O_TRUNC)
		node->entry->truncate(tracefs_value_node(file));

	return ret;
}

static int tracefs_value_release(struct inode *inode, struct file *file)
{
	struct seq_file *m = file->private_data;

	if (tracefs_node_of(inode)->entry->seq) {
		seq_release(inode, file);
	} else {
		kfree(m->private);
		single_release(inode, file);
	}
	tracefs_release(inode);

	return 0;
}

static int tracefs_value_set_token(const struct tracefs_node *node, char *token)
{
	const struct tracefs_entry *entry = node->entry;
	int ret;

	if (!*token && !entry->may_be_empty)
		return -EINVAL;

	ret = entry->set_token(node, token);
	if (ret == -EINVAL && entry->refused)
		trace_error(node->tr, entry->name, entry->refused, token,
			    strlen(token), 0);

	return ret;
}

static ssize_t tracefs_value_file_write(struct file *file, const char __user *ubuf,
					size_t count, loff_t *ppos)
{
	const struct tracefs_node *node = tracefs_value_node(file);
	unsigned long value;
	int ret;

	if (node->entry->set_number) {
		ret = kstrtoul_from_user(ubuf, count, 10, &value);
		if (!ret)
			ret = node->entry->set_number(node, value);
	} else if (node->entry->set_token) {
		char *token = tracefs_get_token(ubuf, count, node->entry);

		if (IS_ERR(token))
			return PTR_ERR(token);

		ret = tracefs_value_set_token(node, token);
		kfree(token);
	} else {
		ret = -EINVAL;
	}

	if (ret < 0)
		return ret;

	*ppos += count;

	return count;
}

static const struct file_operations value_fops = {
	.open		= tracefs_value_open,
	.read		= seq_read,
	.write		= tracefs_value_file_write,
	.llseek		= tracefs_llseek,
	.release	= tracefs_value_release,
};

/*
 * Add a table of the instance, whose nodes are for all CPUs and have no row yet. Return: the
 * table, or an error.
 */
static struct tracefs_table *tracefs_table_add(struct trace_array *tr, unsigned int nr)
{
	struct tracefs_table *table;
	unsigned int i;
	int ret;

	if (WARN_ON_ONCE(nr > BIT(ROW_BITS)))
		return ERR_PTR(-EINVAL);

	table = kzalloc(struct_size(table, nodes, nr), GFP_KERNEL);
	if (!table)
		return ERR_PTR(-ENOMEM);

	table->nr = nr;
	for (i = 0; i < nr; i++) {
		table->nodes[i].tr = tr;
		table->nodes[i].cpu = RING_BUFFER_ALL_CPUS;
	}
	ret = xa_alloc_cyclic(&tables, &table->id, table,
			      XA_LIMIT(1, U32_MAX),
			      &tables_next, GFP_KERNEL);
	if (ret < 0) {
		kfree(table);
		return ERR_PTR(ret);
	}
	llist_add(&table->next, &tr->files);

	return table;
}

static struct dentry *tracefs_make_file(struct dentry *dir, const char *name,
					const struct tracefs_entry *entry, unsigned long nr)
{
	struct dentry *file = tracefs_create_file(name, entry->mode, dir, (void *)nr,
						  entry->fops ?: &value_fops);

	if (!file)
		pr_warn("could not create file %s\n", name);

	return file;
}

static struct dentry *tracefs_table_create_file(struct dentry *dir, const char *name,
						struct tracefs_table *table,
						unsigned int row)
{
	return tracefs_make_file(dir, name, table->nodes[row].entry,
				 (unsigned long)table->id << ROW_BITS | row);
}

/**
 * tracefs_add_file - create a file
 * @dir: the directory, NULL for the top directory
 * @name: its name, which may differ from the name in the row
 * @entry: its row
 * @tr: the instance
 * @data: tracefs_node.data
 *
 * Context: may sleep
 *
 * Return: the file, which exists as long as the directory; NULL without memory.
 */
struct dentry *tracefs_add_file(struct dentry *dir, const char *name,
				const struct tracefs_entry *entry,
				struct trace_array *tr, const void *data)
{
	struct tracefs_table *table = tracefs_table_add(tr, 1);

	if (IS_ERR(table))
		return NULL;

	table->nodes[0].entry = entry;
	table->nodes[0].data = data;

	return tracefs_table_create_file(dir, name, table, 0);
}

/**
 * tracefs_add_files - create the files of a table
 * @dir: the directory, NULL for the top directory
 * @rows: the files
 * @tr: the instance
 * @cpu: the CPU, or RING_BUFFER_ALL_CPUS
 * @data: tracefs_node.data of all files
 *
 * Context: may sleep
 *
 * Return: 0 or -ENOMEM. A file that cannot be created is missing, the other files exist.
 */
int tracefs_add_files(struct dentry *dir, const struct tracefs_entry *rows,
		      struct trace_array *tr, int cpu, const void *data)
{
	struct tracefs_table *table;
	unsigned int i, nr = 0;
	int ret = 0;

	while (rows[nr].name)
		nr++;
	if (!nr)
		return 0;

	table = tracefs_table_add(tr, nr);
	if (IS_ERR(table))
		return PTR_ERR(table);

	for (i = 0; i < nr; i++) {
		table->nodes[i].entry = &rows[i];
		table->nodes[i].cpu = cpu;
		table->nodes[i].data = data;
		if (!tracefs_table_create_file(dir, rows[i].name, table, i))
			ret = -ENOMEM;
	}

	return ret;
}

/**
 * tracefs_add_alike - create files that differ only in their names
 * @dir: the directory
 * @entry: the row of all files
 * @nr: number of files
 * @name_of: returns the name of a file, which is also its tracefs_node.data
 * @tr: the instance
 *
 * Context: may sleep
 *
 * Return: 0 or -ENOMEM. A file that cannot be created is missing, the other files exist.
 */
int tracefs_add_alike(struct dentry *dir, const struct tracefs_entry *entry, unsigned int nr,
		      const char *(*name_of)(unsigned int nr), struct trace_array *tr)
{
	struct tracefs_table *table;
	const char *name;
	unsigned int i;
	int ret = 0;

	if (!nr)
		return 0;

	table = tracefs_table_add(tr, nr);
	if (IS_ERR(table))
		return PTR_ERR(table);

	for (i = 0; i < nr; i++) {
		name = name_of(i);
		table->nodes[i].entry = entry;
		table->nodes[i].data = name;
		if (!tracefs_table_create_file(dir, name, table, i))
			ret = -ENOMEM;
	}

	return ret;
}

/**
 * tracefs_add_cpus - create the directory per_cpu, with a directory for each CPU
 * @dir: its parent directory, NULL for the top directory
 * @tables: the files of each CPU
 * @nr: number of tables
 * @tr: the instance
 *
 * Context: may sleep
 *
 * Return: 0 or -ENOMEM. Files and directories that cannot be created are missing, the rest
 *	exists.
 */
int tracefs_add_cpus(struct dentry *dir, const struct tracefs_entry * const *tables,
		     unsigned int nr, struct trace_array *tr)
{
	struct dentry *all = tracefs_create_dir("per_cpu", dir), *one;
	unsigned int cpu, i;
	char name[16];
	int ret = 0;

	if (!all)
		return -ENOMEM;

	for_each_possible_cpu(cpu) {
		snprintf(name, sizeof(name), "cpu%u", cpu);
		one = tracefs_create_dir(name, all);
		if (!one)
			ret = -ENOMEM;
		for (i = 0; one && i < nr; i++)
			ret = tracefs_add_files(one, tables[i], tr, cpu, NULL) ?: ret;
	}

	return ret;
}

/**
 * tracefs_add_nodes - create the nodes of a table, for files that have a subject
 * @rows: the files
 * @tr: the instance
 *
 * Context: may sleep
 *
 * Return: base number, to be passed to tracefs_eventfs_data() and tracefs_add_files_about(); 0
 *	without memory
 */
unsigned long tracefs_add_nodes(const struct tracefs_entry *rows, struct trace_array *tr)
{
	struct tracefs_table *table;
	unsigned int i, nr = 0;

	while (rows[nr].name)
		nr++;

	table = tracefs_table_add(tr, nr);
	if (IS_ERR(table))
		return 0;

	for (i = 0; i < nr; i++)
		table->nodes[i].entry = &rows[i];

	return (unsigned long)table->id << ROW_BITS;
}

/**
 * tracefs_add_files_about - create the files of a table, for a subject
 * @dir: the directory
 * @rows: the files
 * @numbers: base number returned by tracefs_add_nodes() for these rows
 * @subject: number of the object that they belong to, at most TRACEFS_SUBJECT_MOST
 *
 * The object may be freed while the files are open; looking it up fails then. A file that is a
 * list (@seq) has no access to its subject.
 *
 * Context: may sleep
 *
 * Return: 0 or -ENOMEM. A file that cannot be created is missing, the other files exist.
 */
int tracefs_add_files_about(struct dentry *dir, const struct tracefs_entry *rows,
			    unsigned long numbers, unsigned int subject)
{
	unsigned long nr = numbers | (unsigned long)subject << SUBJECT_SHIFT;
	unsigned int i;
	int ret = 0;

	for (i = 0; rows[i].name; i++) {
		if (!tracefs_make_file(dir, rows[i].name, &rows[i], nr | i))
			ret = -ENOMEM;
	}

	return ret;
}

/**
 * tracefs_eventfs_data - get the data of an eventfs directory
 * @numbers: base number returned by tracefs_add_nodes()
 * @subject: number of the object that its files belong to, at most TRACEFS_SUBJECT_MOST
 *
 * Context: any
 */
void *tracefs_eventfs_data(unsigned long numbers, unsigned int subject)
{
	return (void *)(numbers | (unsigned long)subject << SUBJECT_SHIFT);
}

/**
 * tracefs_eventfs_entry - fill in the attributes of a file for eventfs
 * @rows: the files of its directory
 * @name: name of the file
 * @mode: set to the mode of its row
 * @data: data of the directory; changed to the data of the file
 * @fops: set to the file operations of the file
 *
 * Context: any
 *
 * Return: 1; 0 if no row has the name
 */
int tracefs_eventfs_entry(const struct tracefs_entry *rows, const char *name, umode_t *mode,
			  void **data, const struct file_operations **fops)
{
	unsigned int i;

	for (i = 0; rows[i].name; i++) {
		if (strcmp(rows[i].name, name))
			continue;

		*mode = rows[i].mode;
		*data = (void *)((unsigned long)*data | i);
		*fops = rows[i].fops ?: &value_fops;
		return 1;
	}

	return 0;
}

/**
 * tracefs_forget - free the nodes of all files of an instance
 * @tr: the instance; none of its files is open
 *
 * Opening one of its files, which may not have been removed yet, fails with
 * -ENODEV from now on.
 *
 * Context: trace_lock held
 */
void tracefs_forget(struct trace_array *tr)
{
	struct tracefs_table *table, *next;

	lockdep_assert_held(&trace_lock);

	llist_for_each_entry_safe(table, next, llist_del_all(&tr->files), next) {
		xa_erase(&tables, table->id);
		kfree(table);
	}
}
