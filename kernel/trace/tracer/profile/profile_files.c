// SPDX-License-Identifier: GPL-2.0
/*
 * Files of the function profiler: function_profile_enabled, and in trace_stat, for each CPU, a
 * table of functions and the histograms of their durations.
 *
 * The table has the format that tools parse. A file shows the counters at the time when it was
 * opened, or read again from the beginning.
 */
#include <linux/cpumask.h>
#include <linux/err.h>
#include <linux/fs.h>
#include <linux/mm.h>
#include <linux/seq_file.h>

#include "filter/name_iter.h"
#include "instance/core/instance.h"
#include "output/emit.h"
#include "tracefs/files.h"
#include "tracefs/tables.h"
#include "tracer/profile/profile.h"
#include "tracer/profile/profile_files.h"

#define BAR_WIDTH	40

/**
 * struct profile_files_stat - an open file of trace_stat
 * @cpu: the CPU
 * @table: its counters; NULL before the first line is read
 * @names: the iterator over names of functions
 * @address: name of a function whose module was unloaded
 */
struct profile_files_stat {
	unsigned int		cpu;
	struct profile_table	*table;
	struct ftrace_name_iter	names;
	char			address[2 + EMIT_HEX_MAX + 1];
};

static void *profile_files_stat_at(struct profile_files_stat *stat, loff_t pos)
{
	if (!pos)
		return SEQ_START_TOKEN;

	return pos <= stat->table->nr ? &stat->table->line[pos - 1] : NULL;
}

static void *profile_files_stat_start(struct seq_file *m, loff_t *pos)
{
	struct profile_files_stat *stat = m->private;

	if (!stat->table || !*pos) {
		kvfree(stat->table);
		stat->table = trace_profile_read(stat->cpu);
		if (!stat->table)
			return ERR_PTR(-ENOMEM);
	}
	return profile_files_stat_at(stat, *pos);
}

static void *profile_files_stat_next(struct seq_file *m, void *v, loff_t *pos)
{
	return profile_files_stat_at(m->private, ++*pos);
}

static void profile_files_stat_stop(struct seq_file *m, void *v)
{
}

static const char *profile_files_name_of(struct profile_files_stat *stat, unsigned long ip)
{
	if (ftrace_name_iter_seek(&stat->names, ip))
		return stat->names.name;

	snprintf(stat->address, sizeof(stat->address), "0x%lx", ip);
	return stat->address;
}

/* Four spaces and a duration */
static void profile_files_show_us(struct seq_file *m, u64 ns)
{
	char text[EMIT_US_MAX];

	seq_puts(m, "    ");
	seq_write(m, text, emit_us(text, ns) - text);
}

static void profile_files_missed_show(struct seq_file *m, const struct profile_table *table)
{
	seq_printf(m, "# calls missed for lack of memory: %llu\n", table->missed);
	if (table->untimed)
		seq_printf(m, "# returns missed for lack of memory: %llu\n", table->untimed);
}

static int profile_files_functions_show(struct seq_file *m, void *v)
{
	struct profile_files_stat *stat = m->private;
	const struct profile_line *line = v;

	if (v == SEQ_START_TOKEN) {
		seq_puts(m, "  Function                               Hit");
		seq_puts(m, PROFILE_HAS_TIME ? "    Time            Avg             s^2\n" : "\n");
		seq_puts(m, "  --------                               ---");
		seq_puts(m, PROFILE_HAS_TIME ? "    ----            ---             ---\n" : "\n");
		if (stat->table->missed || stat->table->untimed)
			profile_files_missed_show(m, stat->table);
		return 0;
	}

	seq_printf(m, "  %-30.30s  %10llu", profile_files_name_of(stat, line->ip), line->hits);
	if (PROFILE_HAS_TIME) {
		profile_files_show_us(m, line->time);
		profile_files_show_us(m, div64_u64(line->time, line->returns ?: 1));
		profile_files_show_us(m, div_u64(line->variance, 1000));
	}
	seq_putc(m, '\n');
	return 0;
}

static const struct seq_operations functions_ops = {
	.start	= profile_files_stat_start,
	.next	= profile_files_stat_next,
	.stop	= profile_files_stat_stop,
	.show	= profile_files_functions_show,
};

static void profile_files_show_histogram(struct seq_file *m, const struct profile_line *line)
{
	int first = 0, last = PROFILE_SLOTS - 1, i;
	u64 most = 1;

	while (first < last && !line->slots[first])
		first++;
	while (last > first && !line->slots[last])
		last--;
	for (i = first; i <= last; i++)
		most = max(most, line->slots[i]);

	for (i = first; i <= last; i++) {
		u64 from = profile_slot_begin(i);
		int bar = div64_u64(line->slots[i] * BAR_WIDTH, most);

		if (i < PROFILE_SLOTS - 1)
			seq_printf(m, "  %12llu -> %-12llu : %10llu |", from,
				   profile_slot_begin(i + 1) - 1, line->slots[i]);
		else
			seq_printf(m, "  %12llu -> %-12s : %10llu |", from, "", line->slots[i]);
		seq_printf(m, "%.*s%*s|\n", bar, "****************************************",
			   BAR_WIDTH - bar, "");
	}
}

static int profile_files_histograms_show(struct seq_file *m, void *v)
{
	struct profile_files_stat *stat = m->private;
	const struct profile_line *line = v;

	if (v == SEQ_START_TOKEN) {
		seq_puts(m, "# How many calls of each function took how many nanoseconds\n");
		profile_files_missed_show(m, stat->table);
		return 0;
	}
	if (!line->returns)
		return SEQ_SKIP;

	seq_printf(m, "\n%s\n", profile_files_name_of(stat, line->ip));
	profile_files_show_histogram(m, line);
	return 0;
}

static const struct seq_operations histograms_ops = {
	.start	= profile_files_stat_start,
	.next	= profile_files_stat_next,
	.stop	= profile_files_stat_stop,
	.show	= profile_files_histograms_show,
};

static int profile_files_stat_open(struct inode *inode, struct file *file,
				   const struct seq_operations *ops)
{
	struct profile_files_stat *stat = tracefs_open_seq(inode, file, ops, sizeof(*stat));

	if (IS_ERR(stat))
		return PTR_ERR(stat);

	stat->cpu = (unsigned long)tracefs_node_of(inode)->data;
	return 0;
}

static int profile_files_functions_open(struct inode *inode, struct file *file)
{
	return profile_files_stat_open(inode, file, &functions_ops);
}

static int profile_files_histograms_open(struct inode *inode, struct file *file)
{
	return profile_files_stat_open(inode, file, &histograms_ops);
}

static int profile_files_stat_release(struct inode *inode, struct file *file)
{
	struct profile_files_stat *stat = ((struct seq_file *)file->private_data)->private;

	kvfree(stat->table);
	return tracefs_release_seq(inode, file);
}

static const struct file_operations functions_fops = {
	.open		= profile_files_functions_open,
	.read		= seq_read,
	.llseek		= seq_lseek,
	.release	= profile_files_stat_release,
};

static const struct file_operations histograms_fops = {
	.open		= profile_files_histograms_open,
	.read		= seq_read,
	.llseek		= seq_lseek,
	.release	= profile_files_stat_release,
};

static const struct tracefs_entry stat_files[] = {
	{ "function", TRACEFS_READ, .fops = &functions_fops },
#ifdef CONFIG_FUNCTION_GRAPH_TRACER
	{ "histogram", TRACEFS_READ, .fops = &histograms_fops },
#endif
};

/**
 * tracefs_add_function_stats - create the files of the function profiler
 * @dir: the directory trace_stat
 */
void tracefs_add_function_stats(struct dentry *dir)
{
	unsigned int cpu, i;
	char name[32];

	for_each_possible_cpu(cpu) {
		for (i = 0; i < ARRAY_SIZE(stat_files); i++) {
			snprintf(name, sizeof(name), "%s%u", stat_files[i].name, cpu);
			tracefs_add_file(dir, name, &stat_files[i], &trace_top,
					 (void *)(unsigned long)cpu);
		}
	}
}

static void profile_files_enabled_show(struct seq_file *m, const struct tracefs_node *node)
{
	seq_printf(m, "%d\n", trace_profile_enabled());
}

static int profile_files_enabled_set(const struct tracefs_node *node, unsigned long value)
{
	return trace_profile_enable(value);
}

/* Only in the top directory. */
const struct tracefs_entry tracefs_profile_files[] = {
	{ "function_profile_enabled", TRACEFS_BOTH, .show = profile_files_enabled_show,
	  .set_number = profile_files_enabled_set },
	{ }
};
