// SPDX-License-Identifier: GPL-2.0
/*
 * The files trace_pipe_raw and snapshot_raw in per_cpu/cpuN: unmodified pages of a buffer, for
 * tools that parse the format (events/header_page, events/header_event).
 *
 * A page that is read is removed from the buffer. If a read() has no space for all of it, the
 * next read() returns the rest; splice() passes the page on without a copy. A process that maps
 * trace_pipe_raw needs neither: the pages remain mapped, and an ioctl() advances to the next
 * page (Documentation/trace/ring-buffer-map.rst).
 */
#include <linux/cleanup.h>
#include <linux/fs.h>
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/poll.h>
#include <linux/refcount.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/splice.h>
#include <linux/uaccess.h>

#include "instance/core/buffer.h"
#include "instance/core/instance.h"
#include "instance/core/options.h"
#include "instance/snapshot/snapshot.h"
#include "ring/map.h"
#include "tracefs/files.h"
#include "tracefs/tables.h"

/**
 * struct trace_pipe_raw_pool - memory of a page for the next splice()
 * @refs: the open file, and its pages in pipes, which may outlive the file and the buffer
 * @spare: a page that is not in use, or was in a pipe; or NULL
 */
struct trace_pipe_raw_pool {
	refcount_t			refs;
	struct trace_pipe_raw_page	*spare;
};

/**
 * struct trace_pipe_raw_file - the open file
 * @lock: protects @page and @read: one read() at a time
 * @tr: the instance
 * @buffer: the buffer of the instance; NULL for the snapshot if there is no snapshot
 * @snapshot: @buffer is the snapshot
 * @cpu: CPU of the buffer
 * @page: page to read into, NULL until first used
 * @read: number of bytes of @page already returned
 * @pool: memory for splice()
 * @wakes: incremented to end the waits on this file
 * @any: some data was returned
 */
struct trace_pipe_raw_file {
	/* one read() at a time */
	struct mutex			lock;
	struct trace_array		*tr;
	struct trace_buffer		*buffer;
	bool				snapshot;
	int				cpu;
	struct buffer_data_read_page	*page;
	unsigned int			read;
	struct trace_pipe_raw_pool	*pool;
	atomic_t			wakes;
	bool				any;
};

/**
 * struct trace_pipe_raw_page - a page in a pipe, which may outlive the buffer
 * @page: the page
 * @refs: users of it
 * @pool: pool that it returns to, with a reference while it has users
 */
struct trace_pipe_raw_page {
	struct buffer_data_read_page	*page;
	refcount_t			refs;
	struct trace_pipe_raw_pool	*pool;
};

static void trace_pipe_raw_page_free(struct trace_pipe_raw_page *ref)
{
	if (ref && ref->page)
		ring_buffer_free_read_page(NULL, 0, ref->page);
	kfree(ref);
}

static void trace_pipe_raw_pool_put(struct trace_pipe_raw_pool *pool)
{
	if (!refcount_dec_and_test(&pool->refs))
		return;

	trace_pipe_raw_page_free(pool->spare);
	kfree(pool);
}

/* tracefs_open() has succeeded; the caller undoes it if this fails. */
static int trace_pipe_raw_open_buffer(struct inode *inode, struct file *file,
				      struct trace_buffer *buffer, bool snapshot)
{
	const struct tracefs_node *node = tracefs_node_of(inode);
	struct trace_pipe_raw_file *raw;

	raw = kzalloc(sizeof(*raw), GFP_KERNEL);
	if (!raw)
		return -ENOMEM;
	raw->pool = kzalloc(sizeof(*raw->pool), GFP_KERNEL);
	if (!raw->pool) {
		kfree(raw);
		return -ENOMEM;
	}

	refcount_set(&raw->pool->refs, 1);
	mutex_init(&raw->lock);
	raw->tr = node->tr;
	raw->buffer = buffer;
	raw->snapshot = snapshot;
	raw->cpu = node->cpu;
	file->private_data = raw;

	scoped_guard(mutex, &trace_lock)
		node->tr->pipes++;

	return stream_open(inode, file);
}

static int trace_pipe_raw_release(struct inode *inode, struct file *file)
{
	struct trace_pipe_raw_file *raw = file->private_data;
	struct trace_array *tr = raw->tr;

	scoped_guard(mutex, &trace_lock)
		tr->pipes--;

	if (raw->page)
		ring_buffer_free_read_page(raw->buffer, raw->cpu, raw->page);
	trace_pipe_raw_pool_put(raw->pool);
	if (raw->snapshot && raw->buffer)
		trace_snapshot_put(tr);
	mutex_destroy(&raw->lock);
	kfree(raw);
	tracefs_release(inode);

	return 0;
}

/*
 * A process that opens the file intends to record. Expand the buffer now, since a mapped buffer
 * cannot grow, and mmap() must not take trace_lock.
 */
static int trace_pipe_raw_open(struct inode *inode, struct file *file)
{
	struct trace_array *tr;
	int ret;

	ret = tracefs_open(inode);
	if (ret)
		return ret;

	tr = tracefs_node_of(inode)->tr;
	ret = trace_array_expand_now(tr) ?:
	      trace_pipe_raw_open_buffer(inode, file, tr->main.buffer, false);
	if (ret)
		tracefs_release(inode);

	return ret;
}

/**
 * struct trace_pipe_raw_wait - a wait for entries
 * @raw: the file
 * @wakes: raw->wakes when the system call began
 * @full: percentage of the pages that is waited for
 */
struct trace_pipe_raw_wait {
	struct trace_pipe_raw_file	*raw;
	int		wakes;
	unsigned int	full;
};

static void trace_pipe_raw_wait_begin(struct trace_pipe_raw_wait *wait,
				      struct trace_pipe_raw_file *raw)
{
	wait->raw = raw;
	wait->wakes = atomic_read(&raw->wakes);
}

/* End the waits of the system calls in progress on this file, and only on this file. */
static void trace_pipe_raw_wake(struct trace_pipe_raw_file *raw)
{
	atomic_inc(&raw->wakes);
	if (raw->buffer)
		ring_buffer_wake_waiters(raw->buffer, raw->cpu);
}

/* Is recording on this CPU off, until a user switches it on again? */
static bool trace_pipe_raw_is_off(struct trace_pipe_raw_file *raw)
{
	return !trace_array_is_on(raw->tr) || cpumask_test_cpu(raw->cpu, raw->tr->cpus_off);
}

/*
 * Should a wait end? It ends for a snapshot, to which nothing is written, and when it was woken
 * by a request. If recording is off it ends also, unless the reader has read nothing and the
 * buffer is empty: such a reader waits for writers.
 */
static bool trace_pipe_raw_is_over(void *data)
{
	struct trace_pipe_raw_wait *wait = data;
	struct trace_pipe_raw_file *raw = wait->raw;

	if (raw->snapshot || wait->wakes != atomic_read(&raw->wakes))
		return true;

	return trace_pipe_raw_is_off(raw) &&
	       (READ_ONCE(raw->any) || !ring_buffer_empty_cpu(raw->buffer, raw->cpu));
}

static bool trace_pipe_raw_share_changed(void *data)
{
	struct trace_pipe_raw_wait *wait = data;

	return wait->full != READ_ONCE(wait->raw->tr->buffer_percent) ||
	       trace_pipe_raw_is_over(wait);
}

/*
 * Wait until buffer_percent of the pages are full. @enough: set if they are, and neither was
 * buffer_percent changed nor the wait ended in between. Return: 0 or an error.
 */
static int trace_pipe_raw_wait_for_share(struct trace_pipe_raw_wait *wait, bool *enough)
{
	struct trace_pipe_raw_file *raw = wait->raw;
	int ret;

	wait->full = READ_ONCE(raw->tr->buffer_percent);
	ret = ring_buffer_wait(raw->buffer, raw->cpu, wait->full, trace_pipe_raw_share_changed,
			       wait);
	*enough = !ret && wait->full == READ_ONCE(raw->tr->buffer_percent);

	return ret;
}

/*
 * Take a page of the buffer, or as many of its entries as fit into @len bytes. @page is
 * allocated first if it is NULL or has the wrong size; the size of the buffer's pages cannot
 * change until trace_consume_end().
 *
 * Return: offset of the first entry, which is 0, or an error.
 */
static int trace_pipe_raw_take(struct trace_pipe_raw_file *raw, struct buffer_data_read_page **page,
			       size_t len, int full)
{
	struct trace_buffer *buffer = raw->buffer;
	int ret = 0;

	trace_snapshot_settle(raw->tr);
	trace_consume_begin(raw->tr, raw->cpu);

	if (*page && ring_buffer_read_page_size(*page) !=
	    ring_buffer_subbuf_size_get(buffer)) {
		ring_buffer_free_read_page(buffer, raw->cpu, *page);
		*page = NULL;
	}
	if (!*page)
		ret = ring_buffer_alloc_read_page(buffer, raw->cpu, page);
	if (!ret)
		ret = ring_buffer_read_page(buffer, *page, len, raw->cpu, full);

	trace_consume_end(raw->tr, raw->cpu);

	return ret;
}

/* Number of bytes of @raw->page that have not been returned yet. */
static unsigned int trace_pipe_raw_left(struct trace_pipe_raw_file *raw)
{
	return raw->page ? ring_buffer_read_page_size(raw->page) - raw->read : 0;
}

/* Return: 1 if there is a page to read from, 0 at the end, or an error. */
static int trace_pipe_raw_fill(struct trace_pipe_raw_file *raw, struct file *file, size_t count)
{
	struct trace_pipe_raw_wait wait;
	int ret;

	trace_pipe_raw_wait_begin(&wait, raw);
	for (;;) {
		ret = trace_pipe_raw_take(raw, &raw->page, count, 0);
		if (raw->page)
			raw->read = ring_buffer_read_page_size(raw->page);
		if (ret != -EAGAIN)
			break;

		if (file->f_flags & O_NONBLOCK)
			return -EAGAIN;

		if (trace_pipe_raw_is_over(&wait))
			return 0;

		mutex_unlock(&raw->lock);
		ret = ring_buffer_wait(raw->buffer, raw->cpu, 0, trace_pipe_raw_is_over, &wait);
		mutex_lock(&raw->lock);
		if (ret)
			return ret;
		/* Another read() of the same file may have got a page. */
		if (trace_pipe_raw_left(raw))
			return 1;
	}

	/* Not even one entry fits into @count bytes. */
	if (ret == -EINVAL)
		return 0;
	if (ret < 0)
		return ret;

	raw->read = 0;

	return 1;
}

static ssize_t trace_pipe_raw_read(struct file *file, char __user *ubuf, size_t count,
				   loff_t *ppos)
{
	struct trace_pipe_raw_file *raw = file->private_data;
	size_t left;
	int ret;

	if (!count || !raw->buffer)
		return 0;

	guard(mutex)(&raw->lock);

	if (!trace_pipe_raw_left(raw)) {
		ret = trace_pipe_raw_fill(raw, file, count);
		if (ret <= 0)
			return ret;
	}

	count = min_t(size_t, count, trace_pipe_raw_left(raw));
	left = copy_to_user(ubuf, ring_buffer_read_page_data(raw->page) +
			    raw->read, count);
	if (left == count)
		return -EFAULT;

	count -= left;
	raw->read += count;
	WRITE_ONCE(raw->any, true);

	return count;
}

/*
 * Is there any data to return? If recording was switched off and nothing is left, a poller
 * waits: recording may be switched on again.
 */
static bool trace_pipe_raw_has_rest(struct trace_pipe_raw_file *raw)
{
	struct trace_pipe_raw_wait wait;

	scoped_guard(mutex, &raw->lock) {
		if (trace_pipe_raw_left(raw))
			return true;
	}

	trace_pipe_raw_wait_begin(&wait, raw);

	return raw->snapshot ||
	       (trace_pipe_raw_is_over(&wait) && !ring_buffer_empty_cpu(raw->buffer, raw->cpu));
}

static __poll_t trace_pipe_raw_poll(struct file *file, poll_table *table)
{
	struct trace_pipe_raw_file *raw = file->private_data;
	__poll_t ready = 0;

	/* Queue first: the state that is checked afterwards may change at any time. */
	if (raw->buffer)
		ready = ring_buffer_poll_wait(raw->buffer, raw->cpu, file, table,
					      READ_ONCE(raw->tr->buffer_percent));
	if (!raw->buffer || trace_pipe_raw_has_rest(raw))
		ready |= EPOLLIN | EPOLLRDNORM;

	return ready;
}

/* The pool keeps the last page that returns to it. */
static void trace_pipe_raw_page_put(struct trace_pipe_raw_page *ref)
{
	struct trace_pipe_raw_pool *pool = ref->pool;

	if (!refcount_dec_and_test(&ref->refs))
		return;

	/* Fully ordered: the next user sees what is in @ref. */
	trace_pipe_raw_page_free(xchg(&pool->spare, ref));
	trace_pipe_raw_pool_put(pool);
}

/* Has somebody who took the page from the pipe, such as a socket, still a reference to it? */
static bool trace_pipe_raw_page_is_held(const struct trace_pipe_raw_page *ref)
{
	return ref->page &&
	       page_ref_count(virt_to_page(ring_buffer_read_page_data(ref->page))) != 1;
}

/* Return: a page without content, whose memory may be allocated already; NULL without memory */
static struct trace_pipe_raw_page *trace_pipe_raw_page_new(struct trace_pipe_raw_file *raw)
{
	struct trace_pipe_raw_page *ref = xchg(&raw->pool->spare, NULL);

	if (ref && trace_pipe_raw_page_is_held(ref)) {
		trace_pipe_raw_page_free(ref);
		ref = NULL;
	}
	if (!ref)
		ref = kzalloc(sizeof(*ref), GFP_KERNEL);
	if (!ref)
		return NULL;

	refcount_set(&ref->refs, 1);
	ref->pool = raw->pool;
	refcount_inc(&raw->pool->refs);

	return ref;
}

static void trace_pipe_raw_buf_release(struct pipe_inode_info *pipe,
				       struct pipe_buffer *buf)
{
	trace_pipe_raw_page_put((struct trace_pipe_raw_page *)buf->private);
	buf->private = 0;
}

static bool trace_pipe_raw_buf_get(struct pipe_inode_info *pipe, struct pipe_buffer *buf)
{
	struct trace_pipe_raw_page *ref = (struct trace_pipe_raw_page *)buf->private;

	return refcount_inc_not_zero(&ref->refs);
}

static const struct pipe_buf_operations raw_buf_ops = {
	.release	= trace_pipe_raw_buf_release,
	.get		= trace_pipe_raw_buf_get,
};

static void trace_pipe_raw_spd_release(struct splice_pipe_desc *spd, unsigned int i)
{
	trace_pipe_raw_page_put((struct trace_pipe_raw_page *)spd->partial[i].private);
	spd->partial[i].private = 0;
}

/*
 * Return: a page with its content; NULL if there is no page, with *@error set unless there is
 *	no entry.
 */
static struct trace_pipe_raw_page *trace_pipe_raw_page_get(struct trace_pipe_raw_file *raw,
							   int full, int *error)
{
	struct trace_pipe_raw_page *ref;
	int ret;

	ref = trace_pipe_raw_page_new(raw);
	if (!ref) {
		*error = -ENOMEM;
		return NULL;
	}

	ret = trace_pipe_raw_take(raw, &ref->page, SIZE_MAX, full);
	if (ret < 0) {
		if (ret != -EAGAIN)
			*error = ret;
		trace_pipe_raw_page_put(ref);
		return NULL;
	}

	return ref;
}

/*
 * Return: number of pages added to @spd. Only whole pages are added: *@error is -EINVAL if @len
 *	is less than a page.
 */
static int trace_pipe_raw_gather(struct trace_pipe_raw_file *raw, struct splice_pipe_desc *spd,
				 size_t len, int full, int *error)
{
	unsigned int size = ring_buffer_subbuf_size_get(raw->buffer);
	struct trace_pipe_raw_page *ref;
	int n;

	if (len < size)
		*error = -EINVAL;

	/* A page that has become larger in between may exceed the requested length. */
	for (n = 0; n < spd->nr_pages_max && len >= size; n++) {
		ref = trace_pipe_raw_page_get(raw, full, error);
		if (!ref)
			break;

		size = ring_buffer_read_page_size(ref->page);
		len -= min_t(size_t, len, size);
		spd->pages[n] = virt_to_page(ring_buffer_read_page_data(ref->page));
		spd->partial[n].len = size;
		spd->partial[n].offset = 0;
		spd->partial[n].private = (unsigned long)ref;
	}

	return n;
}

/*
 * Gather pages, and wait for them if @block. Once buffer_percent is reached, the page that is
 * being written is taken if no other page is full.
 */
static int trace_pipe_raw_gather_wait(struct trace_pipe_raw_file *raw, struct splice_pipe_desc *spd,
				      size_t len, bool block)
{
	struct trace_pipe_raw_wait wait;
	bool waited = false;
	int error = 0;

	trace_pipe_raw_wait_begin(&wait, raw);
	for (;;) {
		bool over = !block || trace_pipe_raw_is_over(&wait);
		int full = over ? 0 : READ_ONCE(raw->tr->buffer_percent);

		spd->nr_pages = trace_pipe_raw_gather(raw, spd, len, full, &error);
		if (waited && full && !spd->nr_pages && !error)
			spd->nr_pages = trace_pipe_raw_gather(raw, spd, len, 0, &error);
		if (spd->nr_pages || error)
			return error;

		if (over)
			return block ? 0 : -EAGAIN;

		/* Other readers may repeatedly take the pages that this task was woken for. */
		if (signal_pending(current))
			return -ERESTARTSYS;

		error = trace_pipe_raw_wait_for_share(&wait, &waited);
		if (error)
			return error;
	}
}

static ssize_t trace_pipe_raw_splice_read(struct file *file, loff_t *ppos,
					  struct pipe_inode_info *pipe, size_t len,
					  unsigned int flags)
{
	struct trace_pipe_raw_file *raw = file->private_data;
	struct partial_page partial[PIPE_DEF_BUFFERS];
	struct page *pages[PIPE_DEF_BUFFERS];
	struct splice_pipe_desc spd = {
		.pages		= pages,
		.partial	= partial,
		.nr_pages_max	= PIPE_DEF_BUFFERS,
		.ops		= &raw_buf_ops,
		.spd_release	= trace_pipe_raw_spd_release,
	};
	bool block = !(file->f_flags & O_NONBLOCK) &&
		     !(flags & SPLICE_F_NONBLOCK);
	ssize_t ret = 0;
	int error;

	if (!raw->buffer)
		return 0;

	if (splice_grow_spd(pipe, &spd))
		return -ENOMEM;

	error = trace_pipe_raw_gather_wait(raw, &spd, len, block);
	if (spd.nr_pages) {
		ret = splice_to_pipe(pipe, &spd);
		WRITE_ONCE(raw->any, true);
	}
	splice_shrink_spd(&spd);

	return ret ?: error;
}

static void trace_pipe_raw_map_open(struct vm_area_struct *vma)
{
	struct trace_pipe_raw_file *raw = vma->vm_file->private_data;

	ring_buffer_map_dup(raw->buffer, raw->cpu);
	atomic_inc(&raw->tr->maps);
}

static void trace_pipe_raw_map_close(struct vm_area_struct *vma)
{
	struct trace_pipe_raw_file *raw = vma->vm_file->private_data;

	WARN_ON_ONCE(ring_buffer_unmap(raw->buffer, raw->cpu));
	atomic_dec(&raw->tr->maps);
}

/* A split would create a second mapping. */
static int trace_pipe_raw_map_may_split(struct vm_area_struct *vma, unsigned long addr)
{
	return -EINVAL;
}

static const struct vm_operations_struct raw_map_ops = {
	.open		= trace_pipe_raw_map_open,
	.close		= trace_pipe_raw_map_close,
	.may_split	= trace_pipe_raw_map_may_split,
};

static int trace_pipe_raw_mmap(struct file *file, struct vm_area_struct *vma)
{
	struct trace_pipe_raw_file *raw = file->private_data;
	int ret;

	/* Fails while snapshots are in use: no snapshot can be taken of a mapped buffer. */
	if (!atomic_inc_unless_negative(&raw->tr->maps))
		return -EBUSY;

	/*
	 * Also refuse while a snapshot is pending, which would need trace_lock to be completed.
	 */
	ret = trace_snapshot_pending(raw->tr) ? -EBUSY :
	      ring_buffer_map(raw->buffer, raw->cpu, vma);
	if (ret) {
		atomic_dec(&raw->tr->maps);
		return ret;
	}

	vma->vm_ops = &raw_map_ops;

	return 0;
}

/* Advance user space to the next page of its mapping, when enough of it is filled. */
static int trace_pipe_raw_get_reader(struct trace_pipe_raw_file *raw, bool block)
{
	struct trace_pipe_raw_wait wait;
	bool enough = false;
	int ret = 0;

	/* Without a mapping the page would be lost. */
	if (!ring_buffer_is_mapped(raw->buffer, raw->cpu))
		return -ENODEV;

	trace_pipe_raw_wait_begin(&wait, raw);
	while (block && !enough && !trace_pipe_raw_is_over(&wait)) {
		ret = trace_pipe_raw_wait_for_share(&wait, &enough);
		if (ret)
			return ret;
	}

	trace_consume_begin(raw->tr, raw->cpu);
	if (!ring_buffer_empty_cpu(raw->buffer, raw->cpu))
		WRITE_ONCE(raw->any, true);
	ret = ring_buffer_map_get_reader(raw->buffer, raw->cpu);
	trace_consume_end(raw->tr, raw->cpu);

	return ret;
}

/* Command 0 ends the waits on this file: tools use it when they want to stop. */
static long trace_pipe_raw_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct trace_pipe_raw_file *raw = file->private_data;

	switch (cmd) {
	case 0:
		trace_pipe_raw_wake(raw);
		return 0;
	case TRACE_MMAP_IOCTL_GET_READER:
		return trace_pipe_raw_get_reader(raw, !(file->f_flags & O_NONBLOCK));
	default:
		return -ENOTTY;
	}
}

/* A thread that waits in a system call must not delay close(2) in other threads. */
static int trace_pipe_raw_flush(struct file *file, fl_owner_t id)
{
	trace_pipe_raw_wake(file->private_data);

	return 0;
}

const struct file_operations tracefs_raw_fops = {
	.open		= trace_pipe_raw_open,
	.read		= trace_pipe_raw_read,
	.poll		= trace_pipe_raw_poll,
	.splice_read	= trace_pipe_raw_splice_read,
	.mmap		= trace_pipe_raw_mmap,
	.unlocked_ioctl	= trace_pipe_raw_ioctl,
	.flush		= trace_pipe_raw_flush,
	.release	= trace_pipe_raw_release,
};

#ifdef CONFIG_TRACER_SNAPSHOT
static int trace_pipe_raw_snapshot_open(struct inode *inode, struct file *file)
{
	struct trace_buffer *buffer = NULL;
	struct trace_array *tr;
	int ret;

	ret = tracefs_open(inode);
	if (ret)
		return ret;

	tr = tracefs_node_of(inode)->tr;
	ret = trace_snapshot_get(tr);
	if (ret == -EBUSY) {
		tracefs_release(inode);
		return ret;
	}

	if (!ret)
		buffer = tr->snap.buffer;

	ret = trace_pipe_raw_open_buffer(inode, file, buffer, true);
	if (!ret)
		return 0;

	/* The instance may be freed as soon as the file is released. */
	if (buffer)
		trace_snapshot_put(tr);
	tracefs_release(inode);

	return ret;
}

/* A snapshot has no waiters, and cannot be mapped. */
const struct file_operations tracefs_snapshot_raw_fops = {
	.open		= trace_pipe_raw_snapshot_open,
	.read		= trace_pipe_raw_read,
	.poll		= trace_pipe_raw_poll,
	.splice_read	= trace_pipe_raw_splice_read,
	.release	= trace_pipe_raw_release,
};
#endif
