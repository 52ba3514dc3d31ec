// SPDX-License-Identifier: GPL-2.0
/*
 * Setup of block device tracing: the ioctls of the program blktrace, and the files of its
 * binary stream in debugfs.
 *
 * A device, which is a disk with all of its partitions, is traced only once at a time. The
 * state is in request_queue.blk_trace, which is protected by RCU for writers of events and
 * changed under request_queue.debugfs_mutex. Under the mutex, memory is allocated without I/O,
 * as the queue may be frozen by a task that waits for the mutex. A stream is a relay channel,
 * which is created by the ioctls; if tracing was enabled by /sys/block/<device>/trace/enable,
 * there is no stream.
 */
#include <linux/blkdev.h>
#include <linux/blktrace_api.h>
#include <linux/cleanup.h>
#include <linux/compat.h>
#include <linux/debugfs.h>
#include <linux/export.h>
#include <linux/fs.h>
#include <linux/percpu.h>
#include <linux/rcupdate.h>
#include <linux/relay.h>
#include <linux/sched/mm.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include "block/blk.h"
#include "tracer/blk/blk_probe.h"
#include "tracer/blk/blk_setup.h"
#include "tracer/blk/blk_write.h"

/* Number of events that did not fit */
static ssize_t blk_setup_dropped_read(struct file *file, char __user *ubuf, size_t count,
				      loff_t *ppos)
{
	struct blk_trace *bt = file->private_data;
	char text[16];
	int len = scnprintf(text, sizeof(text), "%u\n", (u32)atomic_read(&bt->dropped));

	return simple_read_from_buffer(ubuf, count, ppos, text, len);
}

static const struct file_operations dropped_fops = {
	.owner	= THIS_MODULE,
	.open	= simple_open,
	.read	= blk_setup_dropped_read,
	.llseek	= default_llseek,
};

/* Written text is a message in the stream. */
static ssize_t blk_setup_msg_write(struct file *file, const char __user *ubuf, size_t count,
				   loff_t *ppos)
{
	struct blk_trace *bt = file->private_data;
	char *text;

	if (count >= BLK_TN_MAX_MSG)
		return -EINVAL;

	text = memdup_user_nul(ubuf, count);
	if (IS_ERR(text))
		return PTR_ERR(text);

	scoped_guard(rcu)
		__blk_trace_note_message(bt, NULL, "%s", text);
	kfree(text);

	return count;
}

static const struct file_operations msg_fops = {
	.owner	= THIS_MODULE,
	.open	= simple_open,
	.write	= blk_setup_msg_write,
	.llseek	= noop_llseek,
};

/* A reader that does not keep up loses the newest events. */
static int blk_setup_subbuf_start(struct rchan_buf *buf, void *subbuf, void *prev, size_t padding)
{
	struct blk_trace *bt = buf->chan->private_data;

	if (!relay_buf_full(buf))
		return 1;

	atomic_inc(&bt->dropped);

	return 0;
}

static struct dentry *blk_setup_create_buf_file(const char *name, struct dentry *parent,
						umode_t mode,
						struct rchan_buf *buf, int *is_global)
{
	return debugfs_create_file(name, mode, parent, buf, &relay_file_operations);
}

static int blk_setup_remove_buf_file(struct dentry *dentry)
{
	debugfs_remove(dentry);

	return 0;
}

static const struct rchan_callbacks stream_callbacks = {
	.subbuf_start		= blk_setup_subbuf_start,
	.create_buf_file	= blk_setup_create_buf_file,
	.remove_buf_file	= blk_setup_remove_buf_file,
};

static struct blk_trace *blk_setup_bt_of(struct request_queue *q)
{
	return rcu_dereference_protected(q->blk_trace, lockdep_is_held(&q->debugfs_mutex));
}

/* Free a state without writers, and its files. */
static void blk_setup_bt_free(struct request_queue *q, struct blk_trace *bt)
{
	if (bt->rchan)
		relay_close(bt->rchan);

	/* The directory of a disk belongs to block/, but these files in it do not. */
	if (!bt->dir && bt->rchan && q->debugfs_dir) {
		debugfs_lookup_and_remove("dropped", q->debugfs_dir);
		debugfs_lookup_and_remove("msg", q->debugfs_dir);
	}
	debugfs_remove(bt->dir);

	free_percpu(bt->sequence);
	free_percpu(bt->msg_data);
	kfree(bt);
}

/* @bdev: the disk or partition, to whose sectors tracing is limited; NULL for no limit */
static struct blk_trace *blk_setup_bt_alloc(dev_t dev, struct block_device *bdev)
{
	struct blk_trace *bt = kzalloc(sizeof(*bt), GFP_KERNEL);

	if (!bt)
		return NULL;

	INIT_LIST_HEAD(&bt->running_list);
	bt->dev = dev;
	bt->act_mask = (u16)-1;
	bt->end_lba = -1ULL;
	if (bdev) {
		bt->start_lba = bdev->bd_start_sect;
		bt->end_lba = bdev->bd_start_sect + bdev_nr_sectors(bdev) - 1;
	}

	bt->sequence = alloc_percpu(unsigned long);
	bt->msg_data = __alloc_percpu(BLK_TN_MAX_MSG, __alignof__(char));
	if (!bt->sequence || !bt->msg_data) {
		free_percpu(bt->sequence);
		free_percpu(bt->msg_data);
		kfree(bt);
		return NULL;
	}

	return bt;
}

/* Start tracing the device. An error has no effect. */
static int blk_setup_bt_publish(struct request_queue *q, struct blk_trace *bt)
{
	int ret = blk_probes_get();

	if (!ret)
		rcu_assign_pointer(q->blk_trace, bt);

	return ret;
}

static int blk_setup_bt_remove(struct request_queue *q)
{
	struct blk_trace *bt;
	unsigned int noio;

	lockdep_assert_held(&q->debugfs_mutex);

	bt = rcu_replace_pointer(q->blk_trace, NULL, lockdep_is_held(&q->debugfs_mutex));
	if (!bt)
		return -EINVAL;

	if (bt->trace_state == Blktrace_running)
		blk_trace_halt(bt);
	/* Detaching probes allocates memory. */
	noio = memalloc_noio_save();
	blk_probes_put();
	memalloc_noio_restore(noio);
	synchronize_rcu();
	blk_setup_bt_free(q, bt);

	return 0;
}

/* Create files and channel. @whole: a disk, which already has a directory */
static int blk_setup_open_stream(struct request_queue *q, struct blk_trace *bt, bool whole,
				 const struct blk_user_trace_setup *setup)
{
	struct dentry *dir = q->debugfs_dir;

	if (!whole) {
		dir = debugfs_create_dir(setup->name, blk_debugfs_root);
		bt->dir = IS_ERR(dir) ? NULL : dir;
	}
	/* A stream cannot exist without files. */
	if (IS_ERR_OR_NULL(dir))
		return -ENOENT;

	/* A CPU going online concurrently would never get its buffer. */
	scoped_guard(cpus_read_lock)
		bt->rchan = relay_open("trace", dir, setup->buf_size, setup->buf_nr,
				       &stream_callbacks, bt);
	if (!bt->rchan)
		return -ENOMEM;

	/* Without the file dropped, lost events of the stream would go unnoticed. */
	if (IS_ERR(debugfs_create_file("dropped", 0444, dir, bt, &dropped_fops)) ||
	    IS_ERR(debugfs_create_file("msg", 0200, dir, bt, &msg_fops)))
		return -ENOMEM;

	return 0;
}

static int blk_setup_locked(struct request_queue *q, dev_t dev, struct block_device *bdev,
			    const struct blk_user_trace_setup *setup)
{
	struct blk_trace *bt;
	int ret;

	if (blk_setup_bt_of(q))
		return -EBUSY;

	bt = blk_setup_bt_alloc(dev, bdev);
	if (!bt)
		return -ENOMEM;

	bt->act_mask = setup->act_mask ?: bt->act_mask;
	bt->start_lba = setup->start_lba ?: bt->start_lba;
	bt->end_lba = setup->end_lba ?: bt->end_lba;
	bt->pid = setup->pid;
	bt->trace_state = Blktrace_setup;

	ret = blk_setup_open_stream(q, bt, bdev && !bdev_is_partition(bdev),
				    setup) ?: blk_setup_bt_publish(q, bt);
	if (ret)
		blk_setup_bt_free(q, bt);

	return ret;
}

/*
 * Create the stream, and copy the name of its directory to @user_name in user space. The copy
 * is first: once the stream exists, another task may tear it down and create a new one.
 */
static int blk_setup_named(struct request_queue *q, const char *name, dev_t dev,
			   struct block_device *bdev, struct blk_user_trace_setup *setup,
			   char __user *user_name)
{
	unsigned int noio;
	int ret;

	if (!setup->buf_size || !setup->buf_nr)
		return -EINVAL;

	strscpy_pad(setup->name, name, sizeof(setup->name));
	strreplace(setup->name, '/', '!');
	if (copy_to_user(user_name, setup->name, sizeof(setup->name)))
		return -EFAULT;

	guard(mutex)(&q->debugfs_mutex);
	noio = memalloc_noio_save();
	ret = blk_setup_locked(q, dev, bdev, setup);
	memalloc_noio_restore(noio);

	return ret;
}

/**
 * blk_trace_setup - create a stream of a device (BLKTRACESETUP)
 * @q: the queue of the device
 * @name: name of the device for user space
 * @dev: its device number
 * @bdev: its block device, or NULL
 * @arg: a struct blk_user_trace_setup, in which the name of the directory in debugfs is
 *	returned
 *
 * May sleep.
 *
 * Return: 0; -EINVAL without a size, -EBUSY if the device is already traced, -ENOENT without
 *	debugfs, -ENOMEM, -EFAULT
 */
int blk_trace_setup(struct request_queue *q, char *name, dev_t dev, struct block_device *bdev,
		    char __user *arg)
{
	struct blk_user_trace_setup setup;

	if (copy_from_user(&setup, arg, sizeof(setup)))
		return -EFAULT;

	return blk_setup_named(q, name, dev, bdev, &setup, arg + offsetof(typeof(setup), name));
}
EXPORT_SYMBOL_GPL(blk_trace_setup);

#ifdef CONFIG_COMPAT
/* The same for a 32-bit program, whose structure may have a different layout */
static int blk_setup_compat(struct request_queue *q, char *name, struct block_device *bdev,
			    char __user *arg)
{
	struct compat_blk_user_trace_setup compat;
	struct blk_user_trace_setup setup;

	if (copy_from_user(&compat, arg, sizeof(compat)))
		return -EFAULT;

	setup = (struct blk_user_trace_setup){
		.act_mask	= compat.act_mask,
		.buf_size	= compat.buf_size,
		.buf_nr		= compat.buf_nr,
		.start_lba	= compat.start_lba,
		.end_lba	= compat.end_lba,
		.pid		= compat.pid,
	};

	return blk_setup_named(q, name, bdev->bd_dev, bdev, &setup,
			       arg + offsetof(typeof(compat), name));
}

static bool blk_setup_is_compat(unsigned int cmd)
{
	return cmd == BLKTRACESETUP32 && cmd != BLKTRACESETUP;
}
#else
static int blk_setup_compat(struct request_queue *q, char *name, struct block_device *bdev,
			    char __user *arg)
{
	return -ENOTTY;
}

static bool blk_setup_is_compat(unsigned int cmd)
{
	return false;
}
#endif

/**
 * blk_trace_startstop - start or stop the stream of a device (BLKTRACESTART, BLKTRACESTOP)
 * @q: the queue of the device
 * @start: true to start, false to stop
 *
 * May sleep.
 *
 * Return: 0, or -EINVAL if there is no stream, or if it is already in that state
 */
int blk_trace_startstop(struct request_queue *q, int start)
{
	struct blk_trace *bt;
	bool running;

	guard(mutex)(&q->debugfs_mutex);

	bt = blk_setup_bt_of(q);
	if (!bt || !bt->rchan)
		return -EINVAL;

	running = bt->trace_state == Blktrace_running;
	if (running == !!start)
		return -EINVAL;

	if (start)
		blk_trace_run(bt);
	else
		blk_trace_halt(bt);

	return 0;
}
EXPORT_SYMBOL_GPL(blk_trace_startstop);

/**
 * blk_trace_remove - stop tracing a device (BLKTRACETEARDOWN)
 * @q: the queue of the device
 *
 * Its files are removed. Waits for an RCU grace period.
 *
 * Return: 0, or -EINVAL if it is not traced
 */
int blk_trace_remove(struct request_queue *q)
{
	guard(mutex)(&q->debugfs_mutex);

	return blk_setup_bt_remove(q);
}
EXPORT_SYMBOL_GPL(blk_trace_remove);

/**
 * blk_trace_shutdown - stop tracing a device that is being removed
 * @q: the queue of the device; its debugfs_mutex is held
 */
void blk_trace_shutdown(struct request_queue *q)
{
	blk_setup_bt_remove(q);
}

/**
 * blk_trace_ioctl - handle an ioctl about tracing a device
 * @bdev: the disk or the partition
 * @cmd: BLKTRACE*
 * @arg: argument of BLKTRACESETUP
 *
 * May sleep.
 *
 * Return: like blk_trace_setup(), blk_trace_startstop() and blk_trace_remove(); -ENOTTY for any
 *	other command
 */
int blk_trace_ioctl(struct block_device *bdev, unsigned int cmd, char __user *arg)
{
	struct request_queue *q = bdev_get_queue(bdev);
	char name[BDEVNAME_SIZE];

	snprintf(name, sizeof(name), "%pg", bdev);

	if (blk_setup_is_compat(cmd))
		return blk_setup_compat(q, name, bdev, arg);

	switch (cmd) {
	case BLKTRACESETUP:
		return blk_trace_setup(q, name, bdev->bd_dev, bdev, arg);
	case BLKTRACESTART:
		return blk_trace_startstop(q, true);
	case BLKTRACESTOP:
		return blk_trace_startstop(q, false);
	case BLKTRACETEARDOWN:
		return blk_trace_remove(q);
	default:
		return -ENOTTY;
	}
}

/**
 * blk_trace_of - get the tracing state of a device
 * @bdev: the disk or the partition; the debugfs_mutex of its queue is held
 *
 * Return: the state, NULL if the device is not traced
 */
struct blk_trace *blk_trace_of(struct block_device *bdev)
{
	return blk_setup_bt_of(bdev_get_queue(bdev));
}

static int blk_setup_enable_locked(struct request_queue *q, struct block_device *bdev)
{
	struct blk_trace *bt = blk_setup_bt_alloc(bdev->bd_dev, bdev);
	int ret;

	if (!bt)
		return -ENOMEM;

	ret = blk_setup_bt_publish(q, bt);
	if (ret)
		blk_setup_bt_free(q, bt);

	return ret;
}

/**
 * blk_trace_enable - trace a device, only for the tracer blk
 * @bdev: the disk or the partition, which is not traced; the debugfs_mutex of its queue is held
 *
 * Return: 0, -ENOMEM, or an error of attaching probes
 */
int blk_trace_enable(struct block_device *bdev)
{
	struct request_queue *q = bdev_get_queue(bdev);
	unsigned int noio;
	int ret;

	lockdep_assert_held(&q->debugfs_mutex);

	noio = memalloc_noio_save();
	ret = blk_setup_enable_locked(q, bdev);
	memalloc_noio_restore(noio);

	return ret;
}

/**
 * blk_trace_disable - stop tracing a device, however it was started
 * @bdev: the disk or the partition; the debugfs_mutex of its queue is held
 *
 * Return: 0, or -EINVAL if it is not traced
 */
int blk_trace_disable(struct block_device *bdev)
{
	return blk_setup_bt_remove(bdev_get_queue(bdev));
}
