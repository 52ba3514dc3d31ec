// SPDX-License-Identifier: GPL-2.0
/*
 * The file trace_pipe: entries as text, as they are written. Reading consumes them.
 */
#include <linux/cleanup.h>
#include <linux/cpumask.h>
#include <linux/fs.h>
#include <linux/mutex.h>
#include <linux/poll.h>
#include <linux/rcupdate.h>
#include <linux/splice.h>
#include <linux/uio.h>

#include "instance/core/instance.h"
#include "instance/core/options.h"
#include "instance/snapshot/snapshot.h"
#include "output/reader.h"
#include "tracefs/files.h"
#include "tracefs/tables.h"

/*
 * Two readers of a CPU would get half of the entries each, so only one reader is allowed.
 *
 * Return: 0, or -EBUSY if there is already a reader.
 */
static int trace_pipe_claim(struct trace_array *tr, int cpu)
{
	lockdep_assert_held(&trace_lock);

	if (cpu == RING_BUFFER_ALL_CPUS) {
		if (!cpumask_empty(tr->piped))
			return -EBUSY;
		cpumask_setall(tr->piped);
	} else if (cpumask_test_and_set_cpu(cpu, tr->piped)) {
		return -EBUSY;
	}

	/* The current tracer cannot be changed while the file is open. */
	tr->pipes++;

	return 0;
}

static void trace_pipe_unclaim(struct trace_array *tr, int cpu)
{
	guard(mutex)(&trace_lock);

	if (cpu == RING_BUFFER_ALL_CPUS)
		cpumask_clear(tr->piped);
	else
		cpumask_clear_cpu(cpu, tr->piped);
	tr->pipes--;
}

static int trace_pipe_open(struct inode *inode, struct file *file)
{
	struct trace_reader *reader = NULL;
	const struct tracefs_node *node;
	struct trace_array *tr;
	int ret;

	ret = tracefs_open(inode);
	if (ret)
		return ret;

	node = tracefs_node_of(inode);
	tr = node->tr;
	scoped_guard(mutex, &trace_lock) {
		ret = trace_pipe_claim(tr, node->cpu);
		if (!ret)
			reader = trace_reader_alloc(&tr->main, node->cpu, true);
	}
	if (ret)
		goto fail;

	if (!reader) {
		trace_pipe_unclaim(tr, node->cpu);
		ret = -ENOMEM;
		goto fail;
	}

	file->private_data = reader;

	return stream_open(inode, file);
fail:
	tracefs_release(inode);
	return ret;
}

static int trace_pipe_release(struct inode *inode, struct file *file)
{
	const struct tracefs_node *node = tracefs_node_of(inode);

	trace_pipe_unclaim(node->tr, node->cpu);
	trace_reader_free(file->private_data);
	tracefs_release(inode);

	return 0;
}

/* A wait also ends when recording is switched off. */
static bool trace_pipe_is_over(void *data)
{
	struct trace_reader *reader = data;

	return reader->iter.pos && !trace_array_is_on(reader->iter.tr);
}

/*
 * If recording is off, the file ends only after something was read: a user may start the reader
 * first and then switch recording on.
 *
 * Return: 1 if there are entries, 0 at the end of the file, -EAGAIN, -ERESTARTSYS.
 */
static int trace_pipe_wait(struct trace_reader *reader, bool nonblock)
{
	struct trace_iterator *iter = &reader->iter;
	int ret;

	while (trace_reader_empty(reader)) {
		if (nonblock)
			return -EAGAIN;

		if (trace_pipe_is_over(reader))
			return 0;

		/* Let other threads read from the same open file during the wait. */
		mutex_unlock(&iter->mutex);
		ret = ring_buffer_wait(iter->array_buffer->buffer,
				       iter->cpu_file, 0, trace_pipe_is_over, reader);
		mutex_lock(&iter->mutex);
		if (ret)
			return ret;
	}

	return 1;
}

/* Fill iter.seq with lines until it is full or has @count bytes. */
static void trace_pipe_fill(struct trace_reader *reader, size_t count)
{
	struct trace_iterator *iter = &reader->iter;
	enum print_line_t printed;

	trace_snapshot_settle(iter->tr);
	trace_consume_begin(iter->tr, iter->cpu_file);
	trace_reader_lock(reader);
	trace_reader_look(reader);

	while (trace_reader_next(reader)) {
		printed = trace_print_entry(reader);
		if (printed == TRACE_TYPE_PARTIAL_LINE)
			break;

		if (printed != TRACE_TYPE_NO_CONSUME)
			trace_reader_consumed(reader);
		if (trace_seq_used(&iter->seq) >= count)
			break;
	}

	trace_reader_unlock(reader);
	trace_consume_end(iter->tr, iter->cpu_file);
}

/* Return: number of bytes of iter.seq copied to @to, 0 at the end of the text. */
static size_t trace_pipe_hand_out(struct trace_iterator *iter, struct iov_iter *to)
{
	struct trace_seq *s = &iter->seq;
	size_t n = trace_seq_used(s) - s->readpos;

	n = copy_to_iter(s->buffer + s->readpos, min(n, iov_iter_count(to)), to);
	s->readpos += n;

	return n;
}

static ssize_t trace_pipe_read_iter(struct kiocb *iocb, struct iov_iter *to)
{
	struct trace_reader *reader = iocb->ki_filp->private_data;
	bool nonblock = (iocb->ki_filp->f_flags & O_NONBLOCK) ||
			(iocb->ki_flags & IOCB_NOWAIT);
	struct trace_iterator *iter = &reader->iter;
	ssize_t ret;

	if (!iov_iter_count(to))
		return 0;

	/* A reader that rarely returns to user space must not delay RCU Tasks. */
	cond_resched_tasks_rcu_qs();
	guard(mutex)(&iter->mutex);

	/* Text that did not fit into an earlier read is returned first. */
	while (iter->seq.readpos >= trace_seq_used(&iter->seq)) {
		trace_seq_init(&iter->seq);
		ret = trace_pipe_wait(reader, nonblock);
		if (ret <= 0)
			return ret;

		trace_pipe_fill(reader, iov_iter_count(to));
	}

	ret = trace_pipe_hand_out(iter, to);
	if (!ret)
		return -EFAULT;

	iter->pos += ret;

	return ret;
}

/*
 * The caller holds the lock of the pipe. With SPLICE_F_NONBLOCK it must not wait while holding
 * it, whatever the flags of the file are.
 */
static ssize_t trace_pipe_splice_read(struct file *file, loff_t *ppos,
				      struct pipe_inode_info *pipe, size_t len,
				      unsigned int flags)
{
	struct trace_reader *reader = file->private_data;
	struct trace_iterator *iter = &reader->iter;

	if ((flags & SPLICE_F_NONBLOCK) && trace_reader_empty(reader) &&
	    iter->seq.readpos >= trace_seq_used(&iter->seq))
		return -EAGAIN;

	return copy_splice_read(file, ppos, pipe, len, flags);
}

static __poll_t trace_pipe_poll(struct file *file, poll_table *table)
{
	struct trace_reader *reader = file->private_data;
	struct trace_iterator *iter = &reader->iter;

	if (READ_ONCE(iter->tr->options) & TRACE_OPT(BLOCK))
		return EPOLLIN | EPOLLRDNORM;

	if (iter->seq.readpos < trace_seq_used(&iter->seq) || reader->copied)
		return EPOLLIN | EPOLLRDNORM;

	return ring_buffer_poll_wait(iter->array_buffer->buffer, iter->cpu_file,
				     file, table, 0);
}

static const struct file_operations pipe_fops = {
	.open		= trace_pipe_open,
	.read_iter	= trace_pipe_read_iter,
	.splice_read	= trace_pipe_splice_read,
	.poll		= trace_pipe_poll,
	.release	= trace_pipe_release,
};

/* In the directories of every instance and of each CPU. */
const struct tracefs_entry tracefs_pipe_files[] = {
	{ "trace_pipe", TRACEFS_READ, .fops = &pipe_fops },
	{ }
};
