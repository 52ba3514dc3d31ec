// SPDX-License-Identifier: GPL-2.0
/*
 * File per_cpu/cpuN/trace_pipe_raw: pages of the buffer as they are, for tools
 * that know the format (events/header_page, events/header_event).
 *
 * A page that is read is taken out of the buffer. What a read() has no room
 * for comes with the next one; splice() hands the page over without a copy.
 */
#include <linux/cleanup.h>
#include <linux/fs.h>
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/poll.h>
#include <linux/refcount.h>
#include <linux/slab.h>
#include <linux/splice.h>
#include <linux/uaccess.h>

#include "instance/instance.h"
#include "tracefs/files.h"

/**
 * struct raw_file - the file while it is open
 * @lock: guards @page, @page_size and @read: one read() at a time
 * @tr: the instance
 * @cpu: of which CPU
 * @page: of the buffer, NULL until first used
 * @page_size: of @page
 * @read: how many bytes of @page were handed out
 * @any: something was handed out
 */
struct raw_file {
	/* one read() at a time */
	struct mutex			lock;
	struct trace_array		*tr;
	int				cpu;
	struct buffer_data_read_page	*page;
	unsigned int			page_size;
	unsigned int			read;
	bool				any;
};

static int raw_open(struct inode *inode, struct file *file)
{
	const struct tracefs_node *node = tracefs_node_of(inode);
	struct raw_file *raw;
	int ret;

	ret = tracefs_open(inode);
	if (ret)
		return ret;

	raw = kzalloc(sizeof(*raw), GFP_KERNEL);
	if (!raw) {
		tracefs_release(inode);
		return -ENOMEM;
	}

	mutex_init(&raw->lock);
	raw->tr = node->tr;
	raw->cpu = node->cpu;
	file->private_data = raw;

	scoped_guard(mutex, &trace_lock)
		node->tr->pipes++;

	return stream_open(inode, file);
}

static int raw_release(struct inode *inode, struct file *file)
{
	struct raw_file *raw = file->private_data;
	struct trace_array *tr = raw->tr;

	scoped_guard(mutex, &trace_lock)
		tr->pipes--;

	if (raw->page)
		ring_buffer_free_read_page(tr->main.buffer, raw->cpu,
					   raw->page);
	mutex_destroy(&raw->lock);
	kfree(raw);
	tracefs_release(inode);

	return 0;
}

static bool raw_is_over(void *data)
{
	struct raw_file *raw = data;

	return raw->any && !trace_array_is_on(raw->tr);
}

/* Return: bytes of a page of the buffer with its header. */
static int raw_take(struct raw_file *raw, struct buffer_data_read_page *page,
		    size_t len, int full)
{
	int ret;

	trace_consume_begin(raw->tr, raw->cpu);
	ret = ring_buffer_read_page(raw->tr->main.buffer, page, len, raw->cpu,
				    full);
	trace_consume_end(raw->tr, raw->cpu);

	return ret;
}

static int raw_prepare(struct raw_file *raw)
{
	struct trace_buffer *buffer = raw->tr->main.buffer;
	unsigned int size = ring_buffer_subbuf_size_get(buffer);
	int ret;

	if (raw->page && raw->page_size == size)
		return 0;

	if (raw->page)
		ring_buffer_free_read_page(buffer, raw->cpu, raw->page);
	raw->page = NULL;

	ret = ring_buffer_alloc_read_page(buffer, raw->cpu, &raw->page);
	if (ret)
		return ret;

	raw->page_size = size;
	raw->read = size;

	return 0;
}

/* Return: 1 with a page to hand out from, 0 at the end, or an error. */
static int raw_fill(struct raw_file *raw, struct file *file, size_t count)
{
	struct trace_buffer *buffer = raw->tr->main.buffer;
	int ret;

	while (raw_take(raw, raw->page, count, 0) < 0) {
		if (!ring_buffer_empty_cpu(buffer, raw->cpu))
			return 0;

		if (file->f_flags & O_NONBLOCK)
			return -EAGAIN;

		if (raw_is_over(raw))
			return 0;

		mutex_unlock(&raw->lock);
		ret = ring_buffer_wait(buffer, raw->cpu, 0, raw_is_over, raw);
		mutex_lock(&raw->lock);
		if (ret)
			return ret;
	}

	raw->read = 0;

	return 1;
}

static ssize_t raw_read(struct file *file, char __user *ubuf, size_t count,
			loff_t *ppos)
{
	struct raw_file *raw = file->private_data;
	size_t left;
	int ret;

	if (!count)
		return 0;

	guard(mutex)(&raw->lock);

	ret = raw_prepare(raw);
	if (ret)
		return ret;

	if (raw->read >= raw->page_size) {
		ret = raw_fill(raw, file, count);
		if (ret <= 0)
			return ret;
	}

	count = min_t(size_t, count, raw->page_size - raw->read);
	left = copy_to_user(ubuf, ring_buffer_read_page_data(raw->page) +
			    raw->read, count);
	if (left == count)
		return -EFAULT;

	count -= left;
	raw->read += count;
	raw->any = true;

	return count;
}

static __poll_t raw_poll(struct file *file, poll_table *table)
{
	struct raw_file *raw = file->private_data;

	return ring_buffer_poll_wait(raw->tr->main.buffer, raw->cpu, file,
				     table, READ_ONCE(raw->tr->buffer_percent));
}

/* A page on its way through a pipe. */
struct raw_page {
	struct trace_buffer		*buffer;
	struct buffer_data_read_page	*page;
	int				cpu;
	refcount_t			refs;
};

static void raw_page_put(struct raw_page *ref)
{
	if (!refcount_dec_and_test(&ref->refs))
		return;

	ring_buffer_free_read_page(ref->buffer, ref->cpu, ref->page);
	kfree(ref);
}

static void raw_buf_release(struct pipe_inode_info *pipe,
			    struct pipe_buffer *buf)
{
	raw_page_put((struct raw_page *)buf->private);
	buf->private = 0;
}

static bool raw_buf_get(struct pipe_inode_info *pipe, struct pipe_buffer *buf)
{
	struct raw_page *ref = (struct raw_page *)buf->private;

	return refcount_inc_not_zero(&ref->refs);
}

static const struct pipe_buf_operations raw_buf_ops = {
	.release	= raw_buf_release,
	.get		= raw_buf_get,
};

static void raw_spd_release(struct splice_pipe_desc *spd, unsigned int i)
{
	raw_page_put((struct raw_page *)spd->partial[i].private);
	spd->partial[i].private = 0;
}

/* Return: a page with its content, or NULL where none is to be had. */
static struct raw_page *raw_page_get(struct raw_file *raw, int full, int *error)
{
	struct trace_buffer *buffer = raw->tr->main.buffer;
	struct raw_page *ref;
	int ret;

	ref = kzalloc(sizeof(*ref), GFP_KERNEL);
	if (!ref) {
		*error = -ENOMEM;
		return NULL;
	}

	refcount_set(&ref->refs, 1);
	ref->buffer = buffer;
	ref->cpu = raw->cpu;
	ret = ring_buffer_alloc_read_page(buffer, raw->cpu, &ref->page);
	if (ret) {
		*error = ret;
		kfree(ref);
		return NULL;
	}

	ret = raw_take(raw, ref->page, ring_buffer_subbuf_size_get(buffer),
		       full);
	if (ret < 0) {
		raw_page_put(ref);
		return NULL;
	}

	return ref;
}

/* Return: how many pages there are in @spd now. */
static int raw_gather(struct raw_file *raw, struct splice_pipe_desc *spd,
		      size_t len, int full, int *error)
{
	unsigned int size = ring_buffer_subbuf_size_get(raw->tr->main.buffer);
	struct raw_page *ref;
	int n;

	for (n = 0; n < spd->nr_pages_max && len >= size; n++, len -= size) {
		ref = raw_page_get(raw, full, error);
		if (!ref)
			break;

		spd->pages[n] = virt_to_page(ring_buffer_read_page_data(ref->page));
		spd->partial[n].len = ring_buffer_read_page_size(ref->page);
		spd->partial[n].offset = 0;
		spd->partial[n].private = (unsigned long)ref;
	}

	return n;
}

static ssize_t raw_splice_read(struct file *file, loff_t *ppos,
			       struct pipe_inode_info *pipe, size_t len,
			       unsigned int flags)
{
	struct raw_file *raw = file->private_data;
	struct trace_buffer *buffer = raw->tr->main.buffer;
	struct partial_page partial[PIPE_DEF_BUFFERS];
	struct page *pages[PIPE_DEF_BUFFERS];
	struct splice_pipe_desc spd = {
		.pages		= pages,
		.partial	= partial,
		.nr_pages_max	= PIPE_DEF_BUFFERS,
		.ops		= &raw_buf_ops,
		.spd_release	= raw_spd_release,
	};
	bool wait = !(file->f_flags & O_NONBLOCK) &&
		    !(flags & SPLICE_F_NONBLOCK);
	ssize_t ret = 0;
	int error = 0;

	/* Whole pages, or none. */
	if (len < ring_buffer_subbuf_size_get(buffer))
		return -EINVAL;

	if (splice_grow_spd(pipe, &spd))
		return -ENOMEM;

	for (;;) {
		int full = wait ? READ_ONCE(raw->tr->buffer_percent) : 0;

		spd.nr_pages = raw_gather(raw, &spd, len, full, &error);
		if (spd.nr_pages || error || raw_is_over(raw))
			break;

		if (!wait) {
			error = -EAGAIN;
			break;
		}

		error = ring_buffer_wait(buffer, raw->cpu, full, raw_is_over,
					 raw);
		if (error)
			break;
	}

	if (spd.nr_pages) {
		ret = splice_to_pipe(pipe, &spd);
		raw->any = true;
	}
	splice_shrink_spd(&spd);

	return ret ?: error;
}

const struct file_operations tracefs_raw_fops = {
	.open		= raw_open,
	.read		= raw_read,
	.poll		= raw_poll,
	.splice_read	= raw_splice_read,
	.release	= raw_release,
};
