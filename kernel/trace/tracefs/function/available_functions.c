// SPDX-License-Identifier: GPL-2.0
/*
 * The files available_filter_functions, with its variants _addrs and _sources, enabled_functions
 * and touched_functions: they list records of call sites by the names of their functions. The
 * functions can be traced, are traced now, or have ever been traced.
 */
#include <linux/err.h>
#include <linux/fs.h>
#include <linux/rcupdate.h>
#include <linux/seq_buf.h>
#include <linux/seq_file.h>
#include <linux/slab.h>

#include "filter/name_iter.h"
#include "filter/source_match.h"
#include "ftrace/ops/kill.h"
#include "ftrace/ops/ops.h"
#include "ftrace/ops/rec_show.h"
#include "patch/announce.h"
#include "patch/records.h"
#include "tracefs/files.h"
#include "tracefs/function/available_functions.h"
#include "tracefs/tables.h"

/* Upper limit for a read of a list of records: the size that cat requests */
#define RECORDS_BUFFER	(64 * 1024)

/**
 * tracefs_show_function - print the name of a function, as NAME or NAME [MODULE]
 * @m: destination
 * @names: iterator at the function
 */
void tracefs_show_function(struct seq_file *m, const struct ftrace_name_iter *names)
{
	seq_puts(m, names->name);
	if (names->module) {
		seq_puts(m, " [");
		seq_puts(m, names->module);
		seq_putc(m, ']');
	}
}

struct functions_record_list;

/* Prints the line of a record. Return: 0 or SEQ_SKIP. */
typedef int (*show_record_t)(struct seq_file *m, struct functions_record_list *list,
			     const struct dyn_ftrace *rec);

/**
 * struct functions_record_list - an open file that lists records
 * @iter: the iterator over records
 * @pos: a position, see @from
 * @from: the record at @pos is the first one from this address on. Records may have been added
 *	or removed since: a reader neither gets a record twice nor misses one.
 * @show: prints the line of a record
 * @names: the iterator over the names of the records
 * @sources: the index of source files, if @show needs it
 * @state: the state of the record that @users was made for
 * @users: text about the callbacks of that record, empty if it has not been made
 */
struct functions_record_list {
	struct ftrace_rec_iter	iter;
	loff_t			pos;
	unsigned long		from;
	show_record_t		show;
	struct ftrace_name_iter	names;
	struct ftrace_sources	*sources;
	u32			state;
	char			users[PAGE_SIZE / 2];
};

static bool functions_show_rec_name(struct seq_file *m, struct functions_record_list *list,
				    const struct dyn_ftrace *rec)
{
	if (!ftrace_name_iter_rec(&list->names, rec))
		return false;

	tracefs_show_function(m, &list->names);
	return true;
}

/* Most functions have the same users as the function before: print the same text again. */
static void functions_show_users(struct seq_file *m, struct functions_record_list *list,
				 const struct dyn_ftrace *rec)
{
	struct seq_buf s;

	if (!*list->users || rec->state != list->state ||
	    !ftrace_rec_has_set(rec)) {
		seq_buf_init(&s, list->users, sizeof(list->users));
		ftrace_rec_show_ops(&s, rec);
		seq_buf_str(&s);
		list->state = rec->state;
	}
	seq_puts(m, list->users);
	seq_putc(m, '\n');
}

static int functions_show_available(struct seq_file *m, struct functions_record_list *list,
				    const struct dyn_ftrace *rec)
{
	if (!ftrace_rec_is_usable(rec) ||
	    !functions_show_rec_name(m, list, rec))
		return SEQ_SKIP;

	seq_putc(m, '\n');
	return 0;
}

static int functions_show_enabled(struct seq_file *m, struct functions_record_list *list,
				  const struct dyn_ftrace *rec)
{
	if (ftrace_rec_have(rec) == FTRACE_NR_NOP ||
	    !functions_show_rec_name(m, list, rec))
		return SEQ_SKIP;

	functions_show_users(m, list, rec);
	return 0;
}

static int functions_show_touched(struct seq_file *m, struct functions_record_list *list,
				  const struct dyn_ftrace *rec)
{
	if (!(rec->state & FTRACE_REC_TOUCHED) ||
	    !functions_show_rec_name(m, list, rec))
		return SEQ_SKIP;

	functions_show_users(m, list, rec);
	return 0;
}

static int functions_show_address(struct seq_file *m, struct functions_record_list *list,
				  const struct dyn_ftrace *rec)
{
	if (!ftrace_rec_is_usable(rec))
		return SEQ_SKIP;

	seq_printf(m, "%px ", (void *)ftrace_rec_ip(rec));
	return functions_show_available(m, list, rec);
}

static void *functions_start(struct seq_file *m, loff_t *pos)
{
	struct functions_record_list *list = m->private;
	struct dyn_ftrace *rec;

	/*
	 * A reader of a long list must not delay RCU Tasks, because freeing of ops waits for
	 * it.
	 */
	cond_resched_tasks_rcu_qs();
	mutex_lock(&ftrace_lock);
	list->users[0] = '\0';
	if (*pos == list->pos)
		return ftrace_rec_seek_ip(&list->iter, list->from);

	/* lseek(2) */
	rec = ftrace_rec_seek(&list->iter, *pos);
	list->pos = *pos;
	list->from = rec ? ftrace_rec_ip(rec) : ULONG_MAX;
	return rec;
}

static void *functions_next(struct seq_file *m, void *v, loff_t *pos)
{
	struct functions_record_list *list = m->private;

	list->from = ftrace_rec_ip(v) + 1;
	list->pos = ++*pos;
	return ftrace_rec_next(&list->iter);
}

static void functions_stop(struct seq_file *m, void *v)
{
	mutex_unlock(&ftrace_lock);
}

static int functions_show(struct seq_file *m, void *v)
{
	struct functions_record_list *list = m->private;

	return list->show(m, list, v);
}

static const struct seq_operations records_seq_ops = {
	.start	= functions_start,
	.next	= functions_next,
	.stop	= functions_stop,
	.show	= functions_show,
};

/*
 * seq_file reads one buffer at a time, and each buffer begins with a search for the record and
 * with making the text of its users. If there is no memory for a large buffer, seq_file
 * allocates a small one.
 */
static void functions_buffer(struct seq_file *m)
{
	m->size = RECORDS_BUFFER;
	m->buf = kvmalloc(m->size, GFP_KERNEL | __GFP_NOWARN);
}

static int functions_open(struct inode *inode, struct file *file,
			  show_record_t show)
{
	struct functions_record_list *list;

	list = tracefs_open_seq(inode, file, &records_seq_ops, sizeof(*list));
	if (IS_ERR(list))
		return PTR_ERR(list);

	list->show = show;
	functions_buffer(file->private_data);
	return 0;
}

static int functions_release(struct inode *inode, struct file *file)
{
	struct functions_record_list *list = ((struct seq_file *)file->private_data)->private;

	ftrace_sources_free(list->sources);
	return tracefs_release_seq(inode, file);
}

static int functions_available_open(struct inode *inode, struct file *file)
{
	return ftrace_is_dead() ? -ENODEV :
	       functions_open(inode, file, functions_show_available);
}

static int functions_enabled_open(struct inode *inode, struct file *file)
{
	return functions_open(inode, file, functions_show_enabled);
}

static int functions_touched_open(struct inode *inode, struct file *file)
{
	return functions_open(inode, file, functions_show_touched);
}

static int functions_addrs_open(struct inode *inode, struct file *file)
{
	return ftrace_is_dead() ? -ENODEV :
	       functions_open(inode, file, functions_show_address);
}

static ssize_t functions_no_write(struct file *file, const char __user *ubuf, size_t count,
				  loff_t *ppos)
{
	return -EINVAL;
}

static const struct file_operations available_fops = {
	.open		= functions_available_open,
	.read		= seq_read,
	.write		= functions_no_write,
	.llseek		= seq_lseek,
	.release	= functions_release,
};

static const struct file_operations enabled_fops = {
	.open		= functions_enabled_open,
	.read		= seq_read,
	.write		= functions_no_write,
	.llseek		= seq_lseek,
	.release	= functions_release,
};

static const struct file_operations touched_fops = {
	.open		= functions_touched_open,
	.read		= seq_read,
	.write		= functions_no_write,
	.llseek		= seq_lseek,
	.release	= functions_release,
};

static const struct file_operations addrs_fops = {
	.open		= functions_addrs_open,
	.read		= seq_read,
	.write		= functions_no_write,
	.llseek		= seq_lseek,
	.release	= functions_release,
};

#ifdef CONFIG_FTRACE_SOURCES
static int functions_show_source(struct seq_file *m, struct functions_record_list *list,
				 const struct dyn_ftrace *rec)
{
	const char *path = ftrace_sources_find(list->sources, rec);

	if (!ftrace_rec_is_usable(rec) || !path)
		return SEQ_SKIP;

	seq_printf(m, "%s ", path);
	return functions_show_available(m, list, rec);
}

static int functions_sources_open(struct inode *inode, struct file *file)
{
	struct functions_record_list *list;
	int err;

	if (ftrace_is_dead())
		return -ENODEV;

	err = functions_open(inode, file, functions_show_source);
	if (err)
		return err;

	list = ((struct seq_file *)file->private_data)->private;
	list->sources = ftrace_sources_make();
	if (list->sources)
		return 0;

	functions_release(inode, file);
	return -ENOMEM;
}

static const struct file_operations sources_fops = {
	.open		= functions_sources_open,
	.read		= seq_read,
	.write		= functions_no_write,
	.llseek		= seq_lseek,
	.release	= functions_release,
};
#endif

/* Counts of sites that are found while the kernel runs and have not been found yet. */
static void functions_show_announced(struct seq_file *m)
{
	struct ftrace_announced_totals totals = ftrace_announced_totals();

	seq_printf(m, " pending: %u skipped: %lu left out: %u", totals.pending, totals.skipped,
		   totals.left_out);
}

static void functions_total_info_show(struct seq_file *m, const struct tracefs_node *node)
{
	struct ftrace_records_totals totals = ftrace_records_totals();

	seq_printf(m, "%u pages:%u groups: %u", totals.records, totals.pages,
		   totals.texts);
	if (IS_ENABLED(CONFIG_FTRACE_DISCOVER))
		functions_show_announced(m);
	seq_putc(m, '\n');
}

/* Only in the top directory. */
const struct tracefs_entry tracefs_function_files[] = {
	{ .name = "available_filter_functions", .mode = 0440, .fops = &available_fops },
	{ .name = "available_filter_functions_addrs", .mode = 0440, .fops = &addrs_fops },
#ifdef CONFIG_FTRACE_SOURCES
	{ .name = "available_filter_functions_sources", .mode = 0440, .fops = &sources_fops },
#endif
	{ .name = "touched_functions", .mode = 0440, .fops = &touched_fops },
	{ .name = "enabled_functions", .mode = 0440, .fops = &enabled_fops },
	{ .name = "dyn_ftrace_total_info", .mode = 0440, .show = functions_total_info_show },
	{ }
};
