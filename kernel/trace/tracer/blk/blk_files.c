// SPDX-License-Identifier: GPL-2.0
/*
 * Files of /sys/block/<device>/trace, which select devices for the tracer blk: whether the
 * device is traced, and which of its events.
 *
 *  enable		1 if it is traced
 *  act_mask		categories of requests: names with commas between them, or a number
 *  pid			the only task that is traced; 0 for all
 *  start_lba, end_lba	the first and the last traced sector
 *
 * Writing to any of the other files also enables tracing.
 */
#include <linux/array_size.h>
#include <linux/blkdev.h>
#include <linux/blktrace_api.h>
#include <linux/cleanup.h>
#include <linux/device.h>
#include <linux/kernel.h>
#include <linux/limits.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/sysfs.h>

#include "block/blk.h"
#include "tracer/blk/blk_setup.h"

/* Names of categories, indexed by bit */
static const char * const categories[] = {
	"read", "write", "flush", "sync", "queue", "requeue", "issue", "complete",
	"fs", "pc", "notify", "ahead", "meta", "discard", "drv_data", "fua",
};

static_assert(BIT(ARRAY_SIZE(categories) - 1) == BLK_TC_END);

/* Name used by blktrace(8) for BLK_TC_FLUSH */
#define BARRIER		"barrier"

static ssize_t blk_files_mask_emit(char *buf, u16 mask)
{
	ssize_t len = 0;
	int i;

	for (i = 0; i < ARRAY_SIZE(categories); i++) {
		if (mask & BIT(i))
			len += sysfs_emit_at(buf, len, "%s%s", len ? "," : "", categories[i]);
	}

	return len + sysfs_emit_at(buf, len, "\n");
}

/* Return: 0, or -EINVAL for a token that is not a category; @list is modified. */
static int blk_files_mask_parse(char *list, u64 *mask)
{
	char *token;
	int i;

	*mask = 0;
	while ((token = strsep(&list, ","))) {
		if (!*token)
			continue;

		if (!strcasecmp(token, BARRIER)) {
			*mask |= BLK_TC_FLUSH;
			continue;
		}

		for (i = 0; i < ARRAY_SIZE(categories); i++) {
			if (!strcasecmp(token, categories[i]))
				break;
		}
		if (i == ARRAY_SIZE(categories))
			return -EINVAL;
		*mask |= BIT(i);
	}

	return 0;
}

static ssize_t blk_files_attr_show(struct device *dev, struct device_attribute *attr, char *buf);
static ssize_t blk_files_attr_store(struct device *dev, struct device_attribute *attr,
				    const char *buf,
				    size_t count);

#define BLK_ATTR(name) \
	static struct device_attribute blk_##name = \
		__ATTR(name, 0644, blk_files_attr_show, blk_files_attr_store)

BLK_ATTR(enable);
BLK_ATTR(act_mask);
BLK_ATTR(pid);
BLK_ATTR(start_lba);
BLK_ATTR(end_lba);

static ssize_t blk_files_attr_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	struct block_device *bdev = dev_to_bdev(dev);
	struct blk_trace *bt;

	guard(mutex)(&bdev_get_queue(bdev)->debugfs_mutex);

	bt = blk_trace_of(bdev);
	if (attr == &blk_enable)
		return sysfs_emit(buf, "%d\n", !!bt);
	if (!bt)
		return sysfs_emit(buf, "disabled\n");
	if (attr == &blk_act_mask)
		return blk_files_mask_emit(buf, bt->act_mask);
	if (attr == &blk_pid)
		return sysfs_emit(buf, "%u\n", bt->pid);

	return sysfs_emit(buf, "%llu\n", attr == &blk_start_lba ? bt->start_lba : bt->end_lba);
}

/* Return: 0, -ENOMEM or -EINVAL; *value is the value to set. */
static int blk_files_parse(const struct device_attribute *attr, const char *buf, u64 *value)
{
	char *list __free(kfree) = NULL;

	if (kstrtou64(buf, 0, value)) {
		if (attr != &blk_act_mask)
			return -EINVAL;
		list = kstrdup(buf, GFP_KERNEL);
		return list ? blk_files_mask_parse(strim(list), value) : -ENOMEM;
	}

	if (attr == &blk_act_mask && *value > U16_MAX)
		return -EINVAL;
	if (attr == &blk_pid && *value > PID_MAX_LIMIT)
		return -EINVAL;

	return 0;
}

static void blk_files_set(const struct device_attribute *attr, struct blk_trace *bt, u64 value)
{
	if (attr == &blk_act_mask)
		WRITE_ONCE(bt->act_mask, value);
	else if (attr == &blk_pid)
		WRITE_ONCE(bt->pid, value);
	else if (attr == &blk_start_lba)
		WRITE_ONCE(bt->start_lba, value);
	else
		WRITE_ONCE(bt->end_lba, value);
}

static int blk_files_store(struct block_device *bdev, const struct device_attribute *attr,
			   u64 value)
{
	struct blk_trace *bt;
	int ret = 0;

	guard(mutex)(&bdev_get_queue(bdev)->debugfs_mutex);

	bt = blk_trace_of(bdev);
	if (attr == &blk_enable) {
		if (value && !bt)
			ret = blk_trace_enable(bdev);
		else if (!value && bt)
			ret = blk_trace_disable(bdev);
		return ret;
	}

	ret = bt ? 0 : blk_trace_enable(bdev);
	if (!ret)
		blk_files_set(attr, blk_trace_of(bdev), value);

	return ret;
}

static ssize_t blk_files_attr_store(struct device *dev, struct device_attribute *attr,
				    const char *buf,
				    size_t count)
{
	u64 value;
	int ret;

	ret = blk_files_parse(attr, buf, &value) ?: blk_files_store(dev_to_bdev(dev), attr, value);

	return ret ?: count;
}

static struct attribute *blk_attrs[] = {
	&blk_act_mask.attr,
	&blk_enable.attr,
	&blk_end_lba.attr,
	&blk_pid.attr,
	&blk_start_lba.attr,
	NULL
};

/* Attributes of disks and of partitions, created by block/ */
struct attribute_group blk_trace_attr_group = {
	.name	= "trace",
	.attrs	= blk_attrs,
};
