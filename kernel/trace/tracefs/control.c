// SPDX-License-Identifier: GPL-2.0
/*
 * Files that show or set something of an instance, or of one of its CPUs.
 */
#include <linux/cleanup.h>
#include <linux/cpumask.h>
#include <linux/kernel.h>
#include <linux/math64.h>
#include <linux/seq_file.h>
#include <linux/string.h>

#include "instance/formats.h"
#include "instance/instance.h"
#include "instance/names.h"
#include "instance/registry.h"
#include "tracefs/files.h"
#include "tracefs/readme.h"

#define FOR_READING	0440
#define FOR_BOTH	0640
#define FOR_WRITING	0220

static void available_tracers_show(struct seq_file *m,
				   const struct tracefs_node *node)
{
	tracer_show_all(m);
}

static void current_tracer_show(struct seq_file *m,
				const struct tracefs_node *node)
{
	guard(mutex)(&trace_lock);

	seq_printf(m, "%s\n", node->tr->tracer->name);
}

static int current_tracer_set(const struct tracefs_node *node, char *word)
{
	return tracer_set(node->tr, word);
}

static void tracing_on_show(struct seq_file *m, const struct tracefs_node *node)
{
	/* The number comes first, for programs that read one. */
	seq_printf(m, "%d%s\n", trace_array_is_on(node->tr),
		   ring_buffer_is_disabled_permanent(node->tr->main.buffer) ?
		   " (permanently disabled)" : "");
}

static int tracing_on_set(const struct tracefs_node *node, unsigned long value)
{
	struct trace_array *tr = node->tr;

	if (value) {
		if (ring_buffer_is_disabled_permanent(tr->main.buffer))
			return -EPERM;
		trace_array_on(tr);
		return 0;
	}

	trace_array_off(tr);
	/* Whoever waits in trace_pipe waits for nothing. */
	ring_buffer_wake_waiters(tr->main.buffer, RING_BUFFER_ALL_CPUS);

	return 0;
}

static unsigned long size_kb(struct trace_array *tr, int cpu)
{
	return trace_array_size(tr, cpu) >> 10;
}

/* Return: false if the CPUs have different sizes. */
static bool same_size(struct trace_array *tr, unsigned long *kb)
{
	bool first = true;
	unsigned int cpu;

	for_each_possible_cpu(cpu) {
		unsigned long one = size_kb(tr, cpu);

		/* A CPU that was never there has no buffer yet. */
		if (!one)
			continue;

		if (!first && one != *kb)
			return false;

		*kb = one;
		first = false;
	}

	return true;
}

static void buffer_size_kb_show(struct seq_file *m,
				const struct tracefs_node *node)
{
	struct trace_array *tr = node->tr;
	unsigned long kb = 0;

	guard(mutex)(&trace_lock);

	if (node->cpu != RING_BUFFER_ALL_CPUS) {
		kb = size_kb(tr, node->cpu);
	} else if (!same_size(tr, &kb)) {
		seq_puts(m, "X\n");
		return;
	}

	if (tr->in_use)
		seq_printf(m, "%lu\n", kb);
	else
		seq_printf(m, "%lu (expanded: %lu)\n", kb, tr->size >> 10);
}

static int buffer_size_kb_set(const struct tracefs_node *node,
			      unsigned long value)
{
	if (value > ULONG_MAX >> 10)
		return -ENOMEM;

	return trace_array_resize(node->tr, value << 10, node->cpu);
}

static void buffer_total_show(struct seq_file *m,
			      const struct tracefs_node *node)
{
	struct trace_array *tr = node->tr;
	unsigned long now = 0, full = 0;
	unsigned int cpu;

	guard(mutex)(&trace_lock);

	for_each_possible_cpu(cpu) {
		now += size_kb(tr, cpu);
		full += tr->size >> 10;
	}

	if (tr->in_use)
		seq_printf(m, "%lu\n", now);
	else
		seq_printf(m, "%lu (expanded: %lu)\n", now, full);
}

static void subbuf_size_show(struct seq_file *m, const struct tracefs_node *node)
{
	seq_printf(m, "%d\n",
		   ring_buffer_subbuf_size_get(node->tr->main.buffer) >> 10);
}

/* At least as much as was asked for: pages have a size that is a power of 2. */
static int subbuf_size_set(const struct tracefs_node *node, unsigned long value)
{
	if (!value || value > INT_MAX >> 10)
		return -EINVAL;

	return trace_array_set_subbuf(node->tr, get_order(value << 10));
}

static int free_buffer_open(struct inode *inode, struct file *file)
{
	return tracefs_open(inode);
}

static ssize_t free_buffer_write(struct file *file, const char __user *ubuf,
				 size_t count, loff_t *ppos)
{
	return count;
}

/* Whoever has it open wants the buffer no longer than it lives itself. */
static int free_buffer_release(struct inode *inode, struct file *file)
{
	struct trace_array *tr = tracefs_node_of(inode)->tr;

	if (READ_ONCE(tr->options) & TRACE_OPT(DISABLE_ON_FREE))
		trace_array_off(tr);
	trace_array_resize(tr, PAGE_SIZE, RING_BUFFER_ALL_CPUS);
	tracefs_release(inode);

	return 0;
}

static const struct file_operations free_buffer_fops = {
	.open		= free_buffer_open,
	.write		= free_buffer_write,
	.release	= free_buffer_release,
};

static void buffer_percent_show(struct seq_file *m,
				const struct tracefs_node *node)
{
	seq_printf(m, "%u\n", READ_ONCE(node->tr->buffer_percent));
}

static int buffer_percent_set(const struct tracefs_node *node,
			      unsigned long value)
{
	if (value > 100)
		return -EINVAL;

	WRITE_ONCE(node->tr->buffer_percent, value);

	return 0;
}

static void trace_clock_show(struct seq_file *m, const struct tracefs_node *node)
{
	guard(mutex)(&trace_lock);

	trace_array_show_clocks(m, node->tr);
}

static int trace_clock_set(const struct tracefs_node *node, char *word)
{
	return trace_array_set_clock(node->tr, word);
}

static void timestamp_mode_show(struct seq_file *m,
				const struct tracefs_node *node)
{
	bool absolute = ring_buffer_time_stamp_abs(node->tr->main.buffer);

	seq_puts(m, absolute ? "delta [absolute]\n" : "[delta] absolute\n");
}

static void tracing_cpumask_show(struct seq_file *m,
				 const struct tracefs_node *node)
{
	guard(mutex)(&trace_lock);

	seq_printf(m, "%*pb\n", cpumask_pr_args(node->tr->cpumask));
}

static int tracing_cpumask_set(const struct tracefs_node *node, char *word)
{
	cpumask_var_t mask;
	int ret;

	if (!zalloc_cpumask_var(&mask, GFP_KERNEL))
		return -ENOMEM;

	ret = cpumask_parse(word, mask);
	if (!ret)
		ret = trace_array_set_cpumask(node->tr, mask);
	free_cpumask_var(mask);

	return ret;
}

static void saved_cmdlines_show(struct seq_file *m,
				const struct tracefs_node *node)
{
	trace_names_catch_up();
	trace_names_show(m);
}

static void saved_cmdlines_size_show(struct seq_file *m,
				     const struct tracefs_node *node)
{
	seq_printf(m, "%u\n", trace_names_size());
}

static int saved_cmdlines_size_set(const struct tracefs_node *node,
				   unsigned long value)
{
	if (value > UINT_MAX)
		return -EINVAL;

	return trace_names_resize(value);
}

/* Thread groups are looked at only while the option asks for them. */
static void saved_tgids_show(struct seq_file *m, const struct tracefs_node *node)
{
	if (!(READ_ONCE(node->tr->options) & TRACE_OPT(RECORD_TGID)))
		return;

	trace_names_catch_up();
	trace_tgids_show(m);
}

static void printk_formats_show(struct seq_file *m,
				const struct tracefs_node *node)
{
	trace_formats_show(m);
}

static void seq_stamp(struct seq_file *m, struct trace_array *tr,
		      const char *what, u64 ts)
{
	u32 ns;
	u64 s;

	if (!trace_array_clock_in_ns(tr)) {
		seq_printf(m, "%s: %llu\n", what, ts);
		return;
	}

	s = div_u64_rem(ts, NSEC_PER_SEC, &ns);
	seq_printf(m, "%s: %5llu.%06u\n", what, s, ns / 1000);
}

static void stats_show(struct seq_file *m, const struct tracefs_node *node)
{
	struct trace_buffer *buffer = node->tr->main.buffer;
	struct trace_array *tr = node->tr;
	int cpu = node->cpu;

	guard(mutex)(&trace_lock);

	seq_printf(m, "entries: %lu\n", ring_buffer_entries_cpu(buffer, cpu));
	seq_printf(m, "overrun: %lu\n", ring_buffer_overrun_cpu(buffer, cpu));
	seq_printf(m, "commit overrun: %lu\n",
		   ring_buffer_commit_overrun_cpu(buffer, cpu));
	seq_printf(m, "bytes: %lu\n", ring_buffer_bytes_cpu(buffer, cpu));
	seq_stamp(m, tr, "oldest event ts",
		  ring_buffer_oldest_event_ts(buffer, cpu));
	seq_stamp(m, tr, "now ts", ring_buffer_time_stamp(buffer));
	seq_printf(m, "dropped events: %lu\n",
		   ring_buffer_dropped_events_cpu(buffer, cpu));
	seq_printf(m, "read events: %lu\n",
		   ring_buffer_read_events_cpu(buffer, cpu));
}

static void trace_options_show(struct seq_file *m,
			       const struct tracefs_node *node)
{
	struct trace_array *tr = node->tr;
	const struct tracer_option *own;
	int i;

	guard(mutex)(&trace_lock);

	for (i = 0; i < TRACE_OPTIONS; i++)
		seq_printf(m, "%s%s\n", tr->options & BIT_ULL(i) ? "" : "no",
			   trace_option_name(i));

	for (own = tr->tracer->options; own && own->name; own++)
		seq_printf(m, "%s%s\n", tr->tracer->flags & own->bit ? "" : "no",
			   own->name);
}

static int trace_options_set(const struct tracefs_node *node, char *word)
{
	return trace_option_write(node->tr, word);
}

static void readme_show(struct seq_file *m, const struct tracefs_node *node)
{
	seq_puts(m, tracefs_readme);
}

/* In the directory of every instance. */
const struct tracefs_entry tracefs_control_files[] = {
	{ "available_tracers", FOR_READING, .show = available_tracers_show },
	{ "current_tracer", FOR_BOTH, .show = current_tracer_show,
	  .set_word = current_tracer_set, .refused = "No such tracer" },
	{ "tracing_on", FOR_BOTH, .show = tracing_on_show,
	  .set_number = tracing_on_set },
	{ "trace", FOR_BOTH, .fops = &tracefs_trace_fops },
#ifdef CONFIG_TRACER_SNAPSHOT
	{ "snapshot", FOR_BOTH, .fops = &tracefs_snapshot_fops },
#endif
	{ "trace_pipe", FOR_READING, .fops = &tracefs_pipe_fops },
	{ "trace_marker", FOR_WRITING, .fops = &tracefs_marker_fops },
	{ "trace_marker_raw", FOR_WRITING, .fops = &tracefs_marker_raw_fops },
	{ "error_log", FOR_BOTH, .fops = &tracefs_errlog_fops },
	{ "trace_options", FOR_BOTH, .show = trace_options_show,
	  .set_word = trace_options_set,
	  .refused = "No such option, or it cannot be changed" },
	{ "trace_clock", FOR_BOTH, .show = trace_clock_show,
	  .set_word = trace_clock_set, .refused = "No such clock" },
	{ "timestamp_mode", FOR_READING, .show = timestamp_mode_show },
	{ "tracing_cpumask", FOR_BOTH, .show = tracing_cpumask_show,
	  .set_word = tracing_cpumask_set,
	  .refused = "Not a mask of CPUs" },
	{ "buffer_size_kb", FOR_BOTH, .show = buffer_size_kb_show,
	  .set_number = buffer_size_kb_set },
	{ "buffer_total_size_kb", FOR_READING, .show = buffer_total_show },
	{ "buffer_subbuf_size_kb", FOR_BOTH, .show = subbuf_size_show,
	  .set_number = subbuf_size_set },
	{ "free_buffer", FOR_WRITING, .fops = &free_buffer_fops },
	{ "buffer_percent", FOR_BOTH, .show = buffer_percent_show,
	  .set_number = buffer_percent_set },
	{ }
};

/* In the top directory alone. */
const struct tracefs_entry tracefs_top_files[] = {
	{ "README", FOR_READING, .show = readme_show },
	{ "saved_cmdlines", FOR_READING, .show = saved_cmdlines_show },
	{ "saved_cmdlines_size", FOR_BOTH, .show = saved_cmdlines_size_show,
	  .set_number = saved_cmdlines_size_set },
	{ "saved_tgids", FOR_READING, .show = saved_tgids_show },
	{ "printk_formats", FOR_READING, .show = printk_formats_show },
	{ }
};

/* In the directory of every CPU. */
const struct tracefs_entry tracefs_cpu_files[] = {
	{ "trace", FOR_BOTH, .fops = &tracefs_trace_fops },
#ifdef CONFIG_TRACER_SNAPSHOT
	{ "snapshot", FOR_BOTH, .fops = &tracefs_snapshot_fops },
	{ "snapshot_raw", FOR_READING, .fops = &tracefs_snapshot_raw_fops },
#endif
	{ "trace_pipe", FOR_READING, .fops = &tracefs_pipe_fops },
	{ "trace_pipe_raw", FOR_READING, .fops = &tracefs_raw_fops },
	{ "stats", FOR_READING, .show = stats_show },
	{ "buffer_size_kb", FOR_BOTH, .show = buffer_size_kb_show,
	  .set_number = buffer_size_kb_set },
	{ }
};
