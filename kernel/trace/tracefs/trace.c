// SPDX-License-Identifier: GPL-2.0
/*
 * The files trace and snapshot: the content of a buffer as text. Reading does not consume it.
 */
#include <linux/cleanup.h>
#include <linux/err.h>
#include <linux/fs.h>
#include <linux/rcupdate.h>
#include <linux/seq_file.h>

#include "instance/core/buffer.h"
#include "instance/core/instance.h"
#include "instance/snapshot/max_latency.h"
#include "instance/core/options.h"
#include "instance/tracer/tracer.h"
#include "instance/snapshot/snapshot.h"
#include "output/reader.h"
#include "tracefs/files.h"
#include "tracefs/tables.h"

/**
 * struct trace_file - a file that is open for reading
 * @reader: its reader
 * @pos: position of the current entry; the header has 0, the first entry 1
 * @printed: position of the entry whose text is in the reader's iter.seq, or 0: seq_file
 *	requests a text again if it did not fit, and printing it twice may yield different texts
 * @more: there is a current entry
 * @paused: recording was stopped when the file was opened
 */
struct trace_file {
	struct trace_reader	*reader;
	loff_t			pos;
	loff_t			printed;
	bool			more;
	bool			paused;
};

/* seq_file only moves forward; after a seek it starts again at the header. */
static void *tracefs_trace_seq_start(struct seq_file *m, loff_t *pos)
{
	struct trace_file *file = m->private;
	struct trace_reader *reader = file->reader;
	bool again = !*pos || !file->pos || *pos < file->pos;
	int ret = 0;

	/* A reader that rarely returns to user space must not delay RCU Tasks. */
	cond_resched_tasks_rcu_qs();
	if (again) {
		ret = trace_reader_follow(reader);
		file->printed = 0;
	}
	/* tracefs_trace_seq_stop() unlocks it, also after an error. */
	trace_reader_lock(reader);
	if (ret) {
		file->pos = 0;
		return ERR_PTR(ret);
	}

	if (!*pos) {
		file->pos = 0;
		return SEQ_START_TOKEN;
	}

	if (again) {
		trace_reader_rewind(reader);
		file->pos = 1;
		file->more = trace_reader_next(reader);
	}

	for (; file->more && file->pos < *pos; file->pos++) {
		trace_reader_consumed(reader);
		file->more = trace_reader_next(reader);
	}

	return file->more ? reader : NULL;
}

static void *tracefs_trace_seq_next(struct seq_file *m, void *v, loff_t *pos)
{
	struct trace_file *file = m->private;
	struct trace_reader *reader = file->reader;

	++*pos;

	if (v == SEQ_START_TOKEN)
		trace_reader_rewind(reader);
	else
		trace_reader_consumed(reader);

	file->pos = *pos;
	file->more = trace_reader_next(reader);

	return file->more ? reader : NULL;
}

static void tracefs_trace_seq_stop(struct seq_file *m, void *v)
{
	struct trace_file *file = m->private;

	trace_reader_unlock(file->reader);
}

/* Tools look for the strings "Snapshot is freed" and "Snapshot is allocated". */
static void tracefs_trace_snapshot_help(struct seq_file *m, const struct tracer *tracer,
					bool allocated)
{
	seq_printf(m, "# tracer: %s\n#\n# * Snapshot is %s *\n#\n",
		   tracer->name, allocated ? "allocated" : "freed");
	seq_puts(m,
		 "# echo 1 > snapshot : take a snapshot; the first one allocates a spare buffer\n"
		 "# echo 2 > snapshot : clear the snapshot, as any other number does\n"
		 "# echo 0 > snapshot : clear the snapshot and free the spare buffer\n");
}

static void tracefs_trace_show_header(struct seq_file *m, struct trace_reader *reader)
{
	if (reader->iter.snapshot && trace_reader_empty(reader))
		tracefs_trace_snapshot_help(m, reader->iter.trace, true);
	else
		trace_print_header(m, reader);
}

static int tracefs_trace_seq_show(struct seq_file *m, void *v)
{
	struct trace_file *file = m->private;
	struct trace_reader *reader = file->reader;
	struct trace_seq *s = &reader->iter.seq;

	if (v == SEQ_START_TOKEN) {
		tracefs_trace_show_header(m, reader);
		return 0;
	}

	if (file->printed != file->pos) {
		s->seq.len = 0;
		s->full = 0;
		trace_print_entry(reader);
		file->printed = file->pos;
	}
	seq_write(m, s->buffer, s->seq.len);

	return 0;
}

static const struct seq_operations trace_seq_ops = {
	.start	= tracefs_trace_seq_start,
	.next	= tracefs_trace_seq_next,
	.stop	= tracefs_trace_seq_stop,
	.show	= tracefs_trace_seq_show,
};

static void tracefs_trace_note_overruns(struct trace_reader *reader)
{
	struct trace_iterator *iter = &reader->iter;

	if (ring_buffer_overruns(iter->array_buffer->buffer))
		iter->iter_flags |= TRACE_FILE_ANNOTATE;
}

/* @snapshot: the file is snapshot, which shows its usage when it is empty */
static int tracefs_trace_open_for_reading(struct array_buffer *ab, int cpu, struct file *file,
					  bool snapshot)
{
	struct trace_array *tr = ab->tr;
	struct trace_file *state;
	int ret = -ENOMEM;

	state = __seq_open_private(file, &trace_seq_ops, sizeof(*state));
	if (!state)
		return -ENOMEM;

	scoped_guard(mutex, &trace_lock)
		state->reader = trace_reader_alloc(ab, cpu, false);
	if (!state->reader)
		goto fail;

	tracefs_trace_note_overruns(state->reader);
	state->reader->iter.snapshot = snapshot;
	/* A latency tracer would otherwise replace the trace that is read. */
	if (!snapshot && (READ_ONCE(tr->options) & TRACE_OPT(PAUSE_ON_TRACE))) {
		trace_array_stop(tr);
		state->paused = true;
	}

	ret = trace_reader_start(state->reader);
	if (!ret)
		return 0;

	if (state->paused)
		trace_array_start(tr);
	trace_reader_free(state->reader);
fail:
	seq_release_private(NULL, file);
	return ret;
}

/* A latency tracer has its trace in the spare buffer. */
static int tracefs_trace_open_shown(const struct tracefs_node *node, struct file *file)
{
	struct trace_array *tr = node->tr;
	int ret;

	if (!trace_snapshot_get_owned(tr))
		return tracefs_trace_open_for_reading(&tr->main, node->cpu, file, false);

	ret = tracefs_trace_open_for_reading(&tr->snap, node->cpu, file, false);
	if (ret)
		trace_snapshot_put(tr);

	return ret;
}

static int tracefs_trace_file_open(struct inode *inode, struct file *file)
{
	const struct tracefs_node *node;
	int ret;

	ret = tracefs_open(inode);
	if (ret)
		return ret;

	node = tracefs_node_of(inode);
	trace_snapshot_settle(node->tr);
	if ((file->f_mode & FMODE_WRITE) && (file->f_flags & O_TRUNC)) {
		trace_array_clear(node->tr, node->cpu);
		trace_latency_clear(node->tr, node->cpu);
	}

	if (file->f_mode & FMODE_READ) {
		ret = tracefs_trace_open_shown(node, file);
		if (ret)
			tracefs_release(inode);
	}

	return ret;
}

static void tracefs_trace_close_for_reading(struct trace_array *tr, struct file *file)
{
	struct seq_file *m = file->private_data;
	struct trace_file *state = m->private;
	bool spare = state->reader->iter.array_buffer == &tr->snap;

	if (state->paused)
		trace_array_start(tr);
	trace_reader_free(state->reader);
	seq_release_private(NULL, file);
	if (spare)
		trace_snapshot_put(tr);
}

static int tracefs_trace_file_release(struct inode *inode, struct file *file)
{
	if (file->f_mode & FMODE_READ)
		tracefs_trace_close_for_reading(tracefs_node_of(inode)->tr, file);

	tracefs_release(inode);

	return 0;
}

/* Opening with O_TRUNC clears the buffer, as "echo > trace" does; written text is ignored. */
static ssize_t tracefs_trace_write(struct file *file, const char __user *ubuf,
				   size_t count, loff_t *ppos)
{
	return count;
}

static const struct file_operations trace_fops = {
	.open		= tracefs_trace_file_open,
	.read		= seq_read,
	.read_iter	= seq_read_iter,
	.splice_read	= copy_splice_read,
	.write		= tracefs_trace_write,
	.llseek		= tracefs_llseek,
	.release	= tracefs_trace_file_release,
};

#ifdef CONFIG_TRACER_SNAPSHOT
static int tracefs_trace_no_snapshot_show(struct seq_file *m, void *unused)
{
	const struct tracefs_node *node = m->private;

	guard(mutex)(&trace_lock);
	tracefs_trace_snapshot_help(m, node->tr->tracer, false);

	return 0;
}

/* Without a spare buffer the file only shows how to take a snapshot. */
static int tracefs_trace_snapshot_open(struct inode *inode, struct file *file)
{
	const struct tracefs_node *node;
	struct trace_array *tr;
	int ret;

	ret = tracefs_open(inode);
	if (ret || !(file->f_mode & FMODE_READ))
		return ret;

	node = tracefs_node_of(inode);
	tr = node->tr;
	ret = trace_snapshot_get(tr);
	if (ret == -ENOENT) {
		ret = single_open(file, tracefs_trace_no_snapshot_show, (void *)node);
	} else if (!ret) {
		ret = tracefs_trace_open_for_reading(&tr->snap, node->cpu, file, true);
		if (ret)
			trace_snapshot_put(tr);
	}

	if (ret)
		tracefs_release(inode);

	return ret;
}

static int tracefs_trace_snapshot_release(struct inode *inode, struct file *file)
{
	struct trace_array *tr = tracefs_node_of(inode)->tr;

	if (file->f_mode & FMODE_READ) {
		struct seq_file *m = file->private_data;

		if (m->op == &trace_seq_ops)
			tracefs_trace_close_for_reading(tr, file);
		else
			single_release(inode, file);
	}

	tracefs_release(inode);

	return 0;
}

/* 0 frees the spare buffer, 1 takes a snapshot, any other number clears it. */
static ssize_t tracefs_trace_snapshot_write(struct file *file, const char __user *ubuf,
					    size_t count, loff_t *ppos)
{
	const struct tracefs_node *node = tracefs_node_of(file_inode(file));
	unsigned long value;
	int ret;

	ret = kstrtoul_from_user(ubuf, count, 0, &value);
	if (ret)
		return ret;

	if (value > 1)
		ret = trace_snapshot_clear(node->tr, node->cpu);
	else if (value)
		ret = trace_snapshot_take(node->tr, node->cpu);
	else if (node->cpu == RING_BUFFER_ALL_CPUS)
		ret = trace_snapshot_free(node->tr);
	else
		ret = -EINVAL;

	return ret ?: count;
}

static const struct file_operations snapshot_fops = {
	.open		= tracefs_trace_snapshot_open,
	.read		= seq_read,
	.read_iter	= seq_read_iter,
	.splice_read	= copy_splice_read,
	.write		= tracefs_trace_snapshot_write,
	.llseek		= tracefs_llseek,
	.release	= tracefs_trace_snapshot_release,
};
#endif

/* In the directories of every instance and of each CPU. */
const struct tracefs_entry tracefs_trace_files[] = {
	{ "trace", TRACEFS_BOTH, .fops = &trace_fops },
#ifdef CONFIG_TRACER_SNAPSHOT
	{ "snapshot", TRACEFS_BOTH, .fops = &snapshot_fops },
#endif
	{ }
};
