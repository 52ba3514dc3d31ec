// SPDX-License-Identifier: GPL-2.0
/*
 * Files trace_marker and trace_marker_raw: entries written by user space.
 *
 * The data is copied before the entry is reserved: copying may have to wait for
 * a page, which is not possible between reserve and commit.
 */
#include <linux/align.h>
#include <linux/cleanup.h>
#include <linux/fs.h>
#include <linux/overflow.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/trace_seq.h>
#include <linux/uaccess.h>

#include "instance/export.h"
#include "instance/buffer.h"
#include "instance/instance.h"
#include "instance/options.h"
#include "instance/stack.h"
#include "instance/write.h"
#include "tracefs/files.h"
#include "tracefs/tables.h"

/* Text up to this length is copied to the stack. */
#define MARKER_SHORT	256

static int marker_open(struct inode *inode, struct file *file)
{
	struct trace_array *tr;
	int ret;

	ret = tracefs_open(inode);
	if (ret)
		return ret;

	tr = tracefs_node_of(inode)->tr;
	ret = trace_array_use_now(tr);
	if (ret < 0) {
		tracefs_release(inode);
		return ret;
	}

	file->private_data = tr;

	return stream_open(inode, file);
}

static int marker_release(struct inode *inode, struct file *file)
{
	tracefs_release(inode);

	return 0;
}

static bool markers_allowed(struct trace_array *tr)
{
	return READ_ONCE(tr->options) & TRACE_OPT(MARKERS);
}

static ssize_t tracing_mark_write(struct file *file, const char __user *ubuf,
				  size_t count, loff_t *ppos);

/* Return: @count, or -EBADF if recording is off. */
static ssize_t record_text(struct trace_array *tr, const char *text,
			   size_t count, unsigned int context)
{
	struct trace_buffer *buffer = tr->main.buffer;
	struct print_entry *entry;
	size_t size = struct_size(entry, buf, count + 1);

	entry = trace_entry_begin(buffer, TRACE_PRINT, size, context);
	if (!entry)
		return -EBADF;

	/* This name is shown as the function that wrote the text. */
	entry->ip = (unsigned long)tracing_mark_write;
	memcpy(entry->buf, text, count);
	entry->buf[count] = '\0';
	trace_export_marker(entry, size);
	trace_entry_end(buffer);
	tracing_record_cmdline(current);

	return count;
}

static ssize_t tracing_mark_write(struct file *file, const char __user *ubuf,
				  size_t count, loff_t *ppos)
{
	struct trace_array *tr = file->private_data;
	unsigned int context = trace_context_now();
	char short_text[MARKER_SHORT];
	char *text = short_text;
	size_t most;
	ssize_t ret;

	if (!markers_allowed(tr))
		return -EINVAL;

	if (!count)
		return 0;

	/*
	 * A longer text is written in part, and its writer goes on with the
	 * rest. An entry has to fit into a line of trace, too, whatever the size
	 * of pages.
	 */
	most = ring_buffer_max_event_size(tr->main.buffer) -
	       offsetof(struct print_entry, buf) - 1;
	count = min3(count, most, (size_t)TRACE_SEQ_BUFFER_SIZE / 2);

	if (count > sizeof(short_text)) {
		text = kmalloc(count, GFP_KERNEL);
		if (!text)
			return -ENOMEM;
	}

	if (copy_from_user(text, ubuf, count))
		ret = -EFAULT;
	else
		ret = record_text(tr, text, count, context);
	if (ret > 0)
		trace_stacks_after(tr, context, _RET_IP_);

	if (text != short_text)
		kfree(text);

	return ret;
}

/* The data starts with a number that says what it is, which tools agree on. */
static ssize_t marker_raw_write(struct file *file, const char __user *ubuf,
				size_t count, loff_t *ppos)
{
	struct trace_array *tr = file->private_data;
	size_t header = offsetof(struct raw_data_entry, id);
	struct trace_buffer *buffer = tr->main.buffer;
	unsigned int context = trace_context_now();
	struct raw_data_entry *entry;
	size_t padded;
	void *data;

	if (!markers_allowed(tr))
		return -EINVAL;

	/* Binary data cannot be split into two entries. */
	if (count < sizeof(entry->id) ||
	    count > ring_buffer_max_event_size(buffer) - header)
		return -EINVAL;

	data = memdup_user(ubuf, count);
	if (IS_ERR(data))
		return PTR_ERR(data);

	/* Entries consist of whole words, so readers see what is behind the data. */
	padded = ALIGN(count, sizeof(u32));
	entry = trace_entry_begin(buffer, TRACE_RAW_DATA, header + padded,
				  context);
	if (entry) {
		memcpy(&entry->id, data, count);
		memset((void *)&entry->id + count, 0, padded - count);
		trace_entry_end(buffer);
		trace_stacks_after(tr, context, _RET_IP_);
		tracing_record_cmdline(current);
	}
	kfree(data);

	return entry ? count : -EBADF;
}

static const struct file_operations marker_fops = {
	.open		= marker_open,
	.write		= tracing_mark_write,
	.release	= marker_release,
};

static const struct file_operations marker_raw_fops = {
	.open		= marker_open,
	.write		= marker_raw_write,
	.release	= marker_release,
};

/* In the directory of every instance. */
const struct tracefs_entry tracefs_marker_files[] = {
	{ "trace_marker", TRACEFS_WRITE, .fops = &marker_fops },
	{ "trace_marker_raw", TRACEFS_WRITE, .fops = &marker_raw_fops },
	{ }
};
