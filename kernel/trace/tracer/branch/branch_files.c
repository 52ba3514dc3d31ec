// SPDX-License-Identifier: GPL-2.0
/*
 * Files of the branch profiler: trace_stat/branch_annotated has the branches with likely() and
 * unlikely(), those that are most often wrong first. trace_stat/branch_all has each "if" of the
 * kernel, in the order in which it is linked. Modules are not in them.
 *
 * A file shows the counters at the time when it was opened, or read again from the beginning.
 */
#include <linux/compiler.h>
#include <linux/err.h>
#include <linux/fs.h>
#include <linux/math64.h>
#include <linux/mm.h>
#include <linux/overflow.h>
#include <linux/seq_file.h>
#include <linux/sort.h>
#include <linux/string.h>

#include "instance/core/instance.h"
#include "tracefs/files.h"
#include "tracer/branch/branch_files.h"
#include "tracer/branch/branch_profile.h"

/**
 * struct branch_line - a branch
 * @where: its place in the source
 * @correct: number of times that it went as expected; for branch_all, that it was not taken
 * @incorrect: number of times that it did not; for branch_all, that it was taken
 * @constant: number of times that the compiler knew the condition
 */
struct branch_line {
	const struct ftrace_branch_data	*where;
	unsigned long			correct;
	unsigned long			incorrect;
	unsigned long			constant;
};

/**
 * struct branch_table - counters of all branches at some time
 * @nr: number of lines
 * @line: the lines, in the order of the file
 */
struct branch_table {
	unsigned long		nr;
	struct branch_line	line[];
};

/**
 * struct branch_files_stat - an open file
 * @table: its counters; NULL before the first line is read
 */
struct branch_files_stat {
	struct branch_table	*table;
};

/* The share of the second counter, or -1 if the code did not run */
static int branch_percent(const struct branch_line *line)
{
	u64 all = (u64)line->correct + line->incorrect;

	return all ? div64_u64((u64)line->incorrect * 100, all) : -1;
}

static struct branch_table *branch_table_new(unsigned long nr)
{
	struct branch_table *table = kvmalloc(struct_size(table, line, nr), GFP_KERNEL);

	if (table)
		table->nr = nr;

	return table;
}

static void *branch_files_at(const struct branch_files_stat *stat, loff_t pos)
{
	if (!pos)
		return SEQ_START_TOKEN;

	return pos <= stat->table->nr ? &stat->table->line[pos - 1] : NULL;
}

static void *branch_files_start(struct seq_file *m, loff_t *pos,
				struct branch_table *(*read)(void))
{
	struct branch_files_stat *stat = m->private;

	if (!stat->table || !*pos) {
		kvfree(stat->table);
		stat->table = read();
		if (!stat->table)
			return ERR_PTR(-ENOMEM);
	}
	return branch_files_at(stat, *pos);
}

static void *branch_files_next(struct seq_file *m, void *v, loff_t *pos)
{
	return branch_files_at(m->private, ++*pos);
}

static void branch_files_stop(struct seq_file *m, void *v)
{
}

/* Counts of conditions that the compiler knew are behind a slash. */
static void branch_files_show_line(struct seq_file *m, const struct branch_line *line)
{
	const struct ftrace_branch_data *where = line->where;
	int percent = branch_percent(line);

	seq_printf(m, "%8lu", line->correct);
	if (line->constant)
		seq_printf(m, "/%lu", line->constant);
	seq_printf(m, " %8lu ", line->incorrect);
	if (percent < 0)
		seq_puts(m, "  X ");
	else
		seq_printf(m, "%3d ", percent);
	seq_printf(m, "%-30.30s %-20.20s %u\n", where->func, kbasename(where->file), where->line);
}

/* From the branches that were wrong most often to the ones that were right most often. */
static int branch_annotated_cmp(const void *a, const void *b)
{
	const struct branch_line *one = a, *two = b;
	int percents = branch_percent(two) - branch_percent(one);

	if (percents)
		return percents;
	if (one->incorrect != two->incorrect)
		return one->incorrect > two->incorrect ? -1 : 1;
	if (one->correct != two->correct)
		return one->correct > two->correct ? 1 : -1;

	return 0;
}

static struct branch_table *branch_annotated_read(void)
{
	const struct ftrace_likely_data *from = __start_annotated_branch_profile;
	unsigned long i, nr = __stop_annotated_branch_profile - from;
	struct branch_table *table = branch_table_new(nr);

	for (i = 0; table && i < nr; i++) {
		struct branch_line *line = &table->line[i];

		line->where = &from[i].data;
		/* data_race: branches are counted meanwhile */
		line->correct = data_race(from[i].data.correct);
		/* data_race: as above */
		line->incorrect = data_race(from[i].data.incorrect);
		/* data_race: as above */
		line->constant = data_race(from[i].constant);
	}
	if (table)
		sort(table->line, nr, sizeof(*table->line), branch_annotated_cmp, NULL);

	return table;
}

static void *branch_annotated_start(struct seq_file *m, loff_t *pos)
{
	return branch_files_start(m, pos, branch_annotated_read);
}

static int branch_annotated_show(struct seq_file *m, void *v)
{
	if (v == SEQ_START_TOKEN)
		seq_puts(m,
			 " correct incorrect  %        Function                  File              Line\n"
			 " ------- ---------  -        --------                  ----              ----\n");
	else
		branch_files_show_line(m, v);

	return 0;
}

static const struct seq_operations branch_annotated_ops = {
	.start	= branch_annotated_start,
	.next	= branch_files_next,
	.stop	= branch_files_stop,
	.show	= branch_annotated_show,
};

#ifdef CONFIG_PROFILE_ALL_BRANCHES
static struct branch_table *branch_all_read(void)
{
	const struct ftrace_branch_data *from = __start_branch_profile;
	unsigned long i, nr = __stop_branch_profile - from;
	struct branch_table *table = branch_table_new(nr);

	for (i = 0; table && i < nr; i++) {
		struct branch_line *line = &table->line[i];

		*line = (struct branch_line) { .where = &from[i] };
		/* data_race: branches are counted meanwhile */
		line->correct = data_race(from[i].miss);
		/* data_race: as above */
		line->incorrect = data_race(from[i].hit);
	}

	return table;
}

static void *branch_all_start(struct seq_file *m, loff_t *pos)
{
	return branch_files_start(m, pos, branch_all_read);
}

static int branch_all_show(struct seq_file *m, void *v)
{
	if (v == SEQ_START_TOKEN)
		seq_puts(m,
			 "   miss      hit    %        Function                  File              Line\n"
			 " ------- ---------  -        --------                  ----              ----\n");
	else
		branch_files_show_line(m, v);

	return 0;
}

static const struct seq_operations branch_all_ops = {
	.start	= branch_all_start,
	.next	= branch_files_next,
	.stop	= branch_files_stop,
	.show	= branch_all_show,
};
#endif

static int branch_files_open(struct inode *inode, struct file *file)
{
	const struct seq_operations *ops = tracefs_node_of(inode)->data;
	struct branch_files_stat *stat = tracefs_open_seq(inode, file, ops, sizeof(*stat));

	return PTR_ERR_OR_ZERO(stat);
}

static int branch_files_release(struct inode *inode, struct file *file)
{
	struct branch_files_stat *stat = ((struct seq_file *)file->private_data)->private;

	kvfree(stat->table);
	return tracefs_release_seq(inode, file);
}

static const struct file_operations branch_fops = {
	.open		= branch_files_open,
	.read		= seq_read,
	.llseek		= seq_lseek,
	.release	= branch_files_release,
};

static const struct tracefs_entry branch_file = {
	.mode = TRACEFS_READ, .fops = &branch_fops,
};

/**
 * tracefs_add_branch_stats - create the files of the branch profiler
 * @dir: the directory trace_stat
 */
void tracefs_add_branch_stats(struct dentry *dir)
{
	tracefs_add_file(dir, "branch_annotated", &branch_file, &trace_top,
			 &branch_annotated_ops);
#ifdef CONFIG_PROFILE_ALL_BRANCHES
	tracefs_add_file(dir, "branch_all", &branch_file, &trace_top, &branch_all_ops);
#endif
}
