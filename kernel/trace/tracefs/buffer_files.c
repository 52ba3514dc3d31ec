// SPDX-License-Identifier: GPL-2.0
/*
 * Files about the size of the buffer and its use, for all CPUs or for one CPU.
 */
#include <linux/cleanup.h>
#include <linux/cpumask.h>
#include <linux/kernel.h>
#include <linux/math64.h>
#include <linux/mm.h>
#include <linux/seq_file.h>

#include "instance/core/buffer.h"
#include "instance/core/clocks.h"
#include "instance/core/instance.h"
#include "instance/core/options.h"
#include "instance/snapshot/buffer_change.h"
#include "instance/snapshot/snapshot.h"
#include "instance/tracer/instance_create.h"
#include "tracefs/files.h"
#include "tracefs/tables.h"

static unsigned long buffer_files_size_kb(struct trace_array *tr, int cpu)
{
	return trace_array_size(tr, cpu) >> 10;
}

/*
 * The buffer of the top instance is small until it is first used, and its files for all CPUs
 * show that size. All other files show the size that the buffer has from then on, as tools
 * expect.
 */
static bool buffer_files_shows_rest(const struct tracefs_node *node)
{
	return node->tr == &trace_top && node->cpu == RING_BUFFER_ALL_CPUS && !node->tr->in_use;
}

/* Size of a CPU's buffer while the buffer is not yet expanded. */
static unsigned long buffer_files_rest_kb(struct trace_array *tr, int cpu)
{
	return ring_buffer_size(tr->main.buffer, cpu) >> 10;
}

/* Return: false if the CPUs have different sizes. */
static bool buffer_files_same_size(struct trace_array *tr, unsigned long *kb)
{
	bool first = true;
	unsigned int cpu;

	for_each_possible_cpu(cpu) {
		unsigned long one = buffer_files_size_kb(tr, cpu);

		/* A CPU that was never online has no buffer yet. */
		if (!one)
			continue;

		if (!first && one != *kb)
			return false;

		*kb = one;
		first = false;
	}

	return true;
}

static void buffer_files_size_kb_show(struct seq_file *m,
				      const struct tracefs_node *node)
{
	struct trace_array *tr = node->tr;
	unsigned long kb = 0;

	guard(mutex)(&trace_lock);

	if (node->cpu != RING_BUFFER_ALL_CPUS) {
		kb = buffer_files_size_kb(tr, node->cpu);
	} else if (!buffer_files_same_size(tr, &kb)) {
		seq_puts(m, "X\n");
		return;
	}

	if (buffer_files_shows_rest(node))
		seq_printf(m, "%lu (expanded: %lu)\n",
			   buffer_files_rest_kb(tr, cpumask_first(cpu_possible_mask)), kb);
	else
		seq_printf(m, "%lu\n", kb);
}

static int buffer_files_size_kb_set(const struct tracefs_node *node,
				    unsigned long value)
{
	if (value > ULONG_MAX >> 10)
		return -ENOMEM;

	return trace_array_resize(node->tr, value << 10, node->cpu);
}

static void buffer_files_total_show(struct seq_file *m,
				    const struct tracefs_node *node)
{
	struct trace_array *tr = node->tr;
	unsigned long rest = 0, full = 0;
	unsigned int cpu;

	guard(mutex)(&trace_lock);

	for_each_possible_cpu(cpu) {
		rest += buffer_files_rest_kb(tr, cpu);
		full += buffer_files_size_kb(tr, cpu);
	}

	if (buffer_files_shows_rest(node))
		seq_printf(m, "%lu (expanded: %lu)\n", rest, full);
	else
		seq_printf(m, "%lu\n", full);
}

static void buffer_files_subbuf_size_show(struct seq_file *m, const struct tracefs_node *node)
{
	seq_printf(m, "%d\n",
		   ring_buffer_subbuf_size_get(node->tr->main.buffer) >> 10);
}

/* The size is rounded up: the size of a page is a power of two. */
static int buffer_files_subbuf_size_set(const struct tracefs_node *node, unsigned long value)
{
	if (!value || value > INT_MAX >> 10)
		return -EINVAL;

	return trace_array_set_subbuf(node->tr, get_order(value << 10));
}

static int buffer_files_free_open(struct inode *inode, struct file *file)
{
	return tracefs_open(inode);
}

static ssize_t buffer_files_free_write(struct file *file, const char __user *ubuf,
				       size_t count, loff_t *ppos)
{
	return count;
}

/* A process opens this file so that the buffer is freed when the process exits. */
static int buffer_files_free_release(struct inode *inode, struct file *file)
{
	struct trace_array *tr = tracefs_node_of(inode)->tr;

	if (READ_ONCE(tr->options) & TRACE_OPT(DISABLE_ON_FREE))
		trace_array_off(tr);
	trace_array_resize(tr, PAGE_SIZE, RING_BUFFER_ALL_CPUS);
	tracefs_release(inode);

	return 0;
}

static const struct file_operations free_buffer_fops = {
	.open		= buffer_files_free_open,
	.write		= buffer_files_free_write,
	.release	= buffer_files_free_release,
};

static void buffer_files_percent_show(struct seq_file *m,
				      const struct tracefs_node *node)
{
	seq_printf(m, "%u\n", READ_ONCE(node->tr->buffer_percent));
}

static int buffer_files_percent_set(const struct tracefs_node *node,
				    unsigned long value)
{
	if (value > 100)
		return -EINVAL;

	WRITE_ONCE(node->tr->buffer_percent, value);
	/* Tasks that wait for the previous percentage wait for the new one from now on. */
	ring_buffer_wake_waiters(node->tr->main.buffer, RING_BUFFER_ALL_CPUS);

	return 0;
}

static void buffer_files_seq_stamp(struct seq_file *m, struct trace_array *tr,
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

static void buffer_files_ring_stats_show(struct seq_file *m, const struct tracefs_node *node)
{
	struct trace_buffer *buffer = node->tr->main.buffer;
	struct trace_array *tr = node->tr;
	int cpu = node->cpu;

	guard(mutex)(&trace_lock);
	trace_snapshot_settle_locked(tr);

	seq_printf(m, "entries: %lu\n", ring_buffer_entries_cpu(buffer, cpu));
	seq_printf(m, "overrun: %lu\n", ring_buffer_overrun_cpu(buffer, cpu));
	seq_printf(m, "commit overrun: %lu\n",
		   ring_buffer_commit_overrun_cpu(buffer, cpu));
	seq_printf(m, "bytes: %lu\n", ring_buffer_bytes_cpu(buffer, cpu));
	buffer_files_seq_stamp(m, tr, "oldest event ts",
			       ring_buffer_oldest_event_ts(buffer, cpu));
	buffer_files_seq_stamp(m, tr, "now ts", ring_buffer_time_stamp(buffer));
	seq_printf(m, "dropped events: %lu\n",
		   ring_buffer_dropped_events_cpu(buffer, cpu));
	seq_printf(m, "read events: %lu\n",
		   ring_buffer_read_events_cpu(buffer, cpu));
	/* The lines above are known to tools: add new lines only after them. */
	trace_instance_show_stats(m, tr, cpu);
}

/* In the directory of every instance. */
const struct tracefs_entry tracefs_buffer_files[] = {
	{ "buffer_size_kb", TRACEFS_BOTH, .show = buffer_files_size_kb_show,
	  .set_number = buffer_files_size_kb_set },
	{ "buffer_total_size_kb", TRACEFS_READ, .show = buffer_files_total_show },
	{ "buffer_subbuf_size_kb", TRACEFS_BOTH, .show = buffer_files_subbuf_size_show,
	  .set_number = buffer_files_subbuf_size_set },
	{ "free_buffer", TRACEFS_WRITE, .fops = &free_buffer_fops },
	{ "buffer_percent", TRACEFS_BOTH, .show = buffer_files_percent_show,
	  .set_number = buffer_files_percent_set },
	{ }
};

static void buffer_files_last_boot_info_show(struct seq_file *m,
					     const struct tracefs_node *node)
{
	long text, data;

	ring_buffer_last_boot_delta(node->tr->main.buffer, &text, &data);
	seq_printf(m, "text delta:\t%ld\ndata delta:\t%ld\n", text, data);
}

/* In the directory of an instance whose buffer outlives the kernel. */
const struct tracefs_entry tracefs_saved_files[] = {
	{ "last_boot_info", TRACEFS_READ, .show = buffer_files_last_boot_info_show },
	{ }
};

/* In the directory of each CPU. */
const struct tracefs_entry tracefs_cpu_buffer_files[] = {
	{ "buffer_size_kb", TRACEFS_BOTH, .show = buffer_files_size_kb_show,
	  .set_number = buffer_files_size_kb_set },
	{ "stats", TRACEFS_READ, .show = buffer_files_ring_stats_show },
	{ }
};
