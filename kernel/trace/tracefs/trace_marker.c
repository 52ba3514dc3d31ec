// SPDX-License-Identifier: GPL-2.0
/*
 * The files trace_marker and trace_marker_raw: entries written by user space.
 *
 * The data is copied before the entry is reserved: copying may have to wait for a page fault,
 * which is not possible between reserve and commit.
 */
#include <linux/align.h>
#include <linux/cleanup.h>
#include <linux/fs.h>
#include <linux/init.h>
#include <linux/overflow.h>
#include <linux/rculist.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/trace_seq.h>
#include <linux/uaccess.h>

#include "event/record/trigger.h"
#include "instance/record/export.h"
#include "instance/core/buffer.h"
#include "instance/core/instance.h"
#include "instance/core/options.h"
#include "instance/record/record_stack.h"
#include "instance/record/entry.h"
#include "tracefs/files.h"
#include "tracefs/tables.h"

/*
 * Iterate over all instances. Preemption must be disabled, which pins them: an instance is
 * freed after trace_wait_for_users().
 */
#define for_each_instance(tr) \
	list_for_each_entry_rcu(tr, &trace_instances, list, rcu_read_lock_sched_held())

/* Text up to this length is copied to the stack. */
#define MARKER_SHORT	256

static int trace_marker_open(struct inode *inode, struct file *file)
{
	struct trace_array *tr;
	int ret;

	ret = tracefs_open(inode);
	if (ret)
		return ret;

	tr = tracefs_node_of(inode)->tr;
	ret = trace_array_expand_now(tr);
	if (ret < 0) {
		tracefs_release(inode);
		return ret;
	}

	file->private_data = tr;

	return stream_open(inode, file);
}

static int trace_marker_release(struct inode *inode, struct file *file)
{
	tracefs_release(inode);

	return 0;
}

/*
 * Option copy_trace_marker: data written to the file of the top instance is recorded in the
 * instances that have the option set. It is set by default in the top instance.
 */
static bool trace_marker_gets_copies(const struct trace_array *tr)
{
	return READ_ONCE(tr->options) & TRACE_OPT(COPY_TRACE_MARKER);
}

/* Number of instances with the option set, except the top instance. Changed under trace_lock. */
static unsigned int nr_copies;

/* Is data written to the instance's file recorded only there? */
static bool trace_marker_is_alone(const struct trace_array *tr)
{
	return tr != &trace_top || (trace_marker_gets_copies(tr) && !READ_ONCE(nr_copies));
}

static bool trace_marker_allowed(struct trace_array *tr)
{
	return READ_ONCE(tr->options) & TRACE_OPT(MARKERS);
}

static ssize_t tracing_mark_write(struct file *file, const char __user *ubuf,
				  size_t count, loff_t *ppos);

/* Data for the entry in each instance that gets it. */
struct trace_marker_file {
	const void	*data;
	size_t		count;
	unsigned int	context;
	unsigned long	from;
	bool		exported;
};

/* Return: the number of bytes, or -EBADF if recording is off. */
typedef ssize_t (*marker_fn)(struct trace_array *tr, struct trace_marker_file *marker);

static ssize_t trace_marker_record(struct trace_array *tr, struct trace_marker_file *marker,
				   marker_fn fn)
{
	ssize_t ret = -ENODEV, one;

	if (trace_marker_is_alone(tr)) {
		ret = fn(tr, marker);
	} else {
		rcu_read_lock_sched();
		for_each_instance(tr) {
			if (!trace_marker_gets_copies(tr))
				continue;
			one = fn(tr, marker);
			if (ret < 0)
				ret = one;
		}
		rcu_read_unlock_sched();
	}

	return ret;
}

/* The maximum size of an entry, in bytes. */
static size_t trace_marker_max_event_size(struct trace_array *tr)
{
	size_t size = ring_buffer_max_event_size(tr->main.buffer);

	if (trace_marker_is_alone(tr))
		return size;

	rcu_read_lock_sched();
	for_each_instance(tr) {
		if (trace_marker_gets_copies(tr))
			size = min_t(size_t, size,
				     ring_buffer_max_event_size(tr->main.buffer));
	}
	rcu_read_unlock_sched();

	return size;
}

static ssize_t trace_marker_record_text(struct trace_array *tr, struct trace_marker_file *marker)
{
	size_t count = marker->count;
	struct trace_buffer *buffer = tr->main.buffer;
	struct print_entry *entry;
	size_t size = struct_size(entry, buf, count + 1);

	entry = trace_entry_begin(buffer, TRACE_PRINT, size, marker->context);
	if (!entry)
		return -EBADF;

	/* This name is shown as the function that wrote the text. */
	entry->ip = (unsigned long)tracing_mark_write;
	memcpy(entry->buf, marker->data, count);
	entry->buf[count] = '\0';
	if (!marker->exported)
		trace_export_marker(entry, size);
	marker->exported = true;
	trace_marker_end(tr, entry, size, marker->context, marker->from);
	trace_stacks_after(tr, marker->context, marker->from);
	trace_cmdline_save_now(tr);

	return count;
}

static ssize_t tracing_mark_write(struct file *file, const char __user *ubuf,
				  size_t count, loff_t *ppos)
{
	struct trace_array *tr = file->private_data;
	struct trace_marker_file marker = {
		.context	= trace_context_now(),
		.from		= _RET_IP_,
	};
	char short_text[MARKER_SHORT];
	char *text = short_text;
	size_t most;
	ssize_t ret;

	if (!trace_marker_allowed(tr))
		return -EINVAL;

	if (!count)
		return 0;

	/*
	 * A longer text is written in part, and the writer continues with the rest. An entry
	 * must also fit into a line of the file trace, whatever the page size.
	 */
	most = trace_marker_max_event_size(tr) - offsetof(struct print_entry, buf) - 1;
	count = min3(count, most, (size_t)TRACE_SEQ_BUFFER_SIZE / 2);

	if (count > sizeof(short_text)) {
		text = kmalloc(count, GFP_KERNEL);
		if (!text)
			return -ENOMEM;
	}

	marker.data = text;
	marker.count = count;
	if (copy_from_user(text, ubuf, count))
		ret = -EFAULT;
	else
		ret = trace_marker_record(tr, &marker, trace_marker_record_text);

	if (text != short_text)
		kfree(text);

	return ret;
}

/* The size of an entry is a multiple of 4, so readers see the padding after the data. */
static ssize_t trace_marker_record_raw(struct trace_array *tr, struct trace_marker_file *marker)
{
	struct trace_buffer *buffer = tr->main.buffer;
	size_t padded = ALIGN(marker->count, sizeof(u32));
	struct raw_data_entry *entry;

	entry = trace_entry_begin(buffer, TRACE_RAW_DATA,
				  offsetof(struct raw_data_entry, id) + padded,
				  marker->context);
	if (!entry)
		return -EBADF;

	memcpy(&entry->id, marker->data, marker->count);
	memset((void *)&entry->id + marker->count, 0, padded - marker->count);
	trace_entry_end(buffer);
	trace_stacks_after(tr, marker->context, marker->from);
	trace_cmdline_save_now(tr);

	return marker->count;
}

/* The data begins with a number that identifies its format, by agreement between tools. */
static ssize_t trace_marker_raw_write(struct file *file, const char __user *ubuf,
				      size_t count, loff_t *ppos)
{
	struct trace_array *tr = file->private_data;
	struct trace_marker_file marker = {
		.count		= count,
		.context	= trace_context_now(),
		.from		= _RET_IP_,
	};
	void *data;
	ssize_t ret;

	if (!trace_marker_allowed(tr))
		return -EINVAL;

	/* Binary data cannot be split into two entries. */
	if (count < sizeof_field(struct raw_data_entry, id) ||
	    count > trace_marker_max_event_size(tr) - offsetof(struct raw_data_entry, id))
		return -EINVAL;

	data = memdup_user(ubuf, count);
	if (IS_ERR(data))
		return PTR_ERR(data);

	marker.data = data;
	ret = trace_marker_record(tr, &marker, trace_marker_record_raw);
	kfree(data);

	return ret;
}

static const struct file_operations marker_fops = {
	.open		= trace_marker_open,
	.write		= tracing_mark_write,
	.release	= trace_marker_release,
};

static const struct file_operations marker_raw_fops = {
	.open		= trace_marker_open,
	.write		= trace_marker_raw_write,
	.release	= trace_marker_release,
};

/* In the directory of every instance. */
const struct tracefs_entry tracefs_marker_files[] = {
	{ "trace_marker", TRACEFS_WRITE, .fops = &marker_fops },
	{ "trace_marker_raw", TRACEFS_WRITE, .fops = &marker_raw_fops },
	{ }
};

static int trace_marker_set_copy(struct trace_array *tr, bool on)
{
	int ret = on ? trace_array_expand(tr) : 0;

	if (!ret && tr != &trace_top)
		WRITE_ONCE(nr_copies, nr_copies + (on ? 1 : -1));

	return ret;
}

static int __init trace_marker_init(void)
{
	trace_option_handle(TRACE_OPTION_COPY_TRACE_MARKER, trace_marker_set_copy);

	return 0;
}
early_initcall(trace_marker_init);
