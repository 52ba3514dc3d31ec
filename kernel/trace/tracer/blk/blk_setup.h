/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Setup of block device tracing: devices and filters.
 */
#ifndef _TRACE_TRACER_BLK_BLK_SETUP_H
#define _TRACE_TRACER_BLK_BLK_SETUP_H

#include <linux/blkdev.h>
#include <linux/blktrace_api.h>

struct blk_trace *blk_trace_of(struct block_device *bdev);
int blk_trace_enable(struct block_device *bdev);
int blk_trace_disable(struct block_device *bdev);

#endif /* _TRACE_TRACER_BLK_BLK_SETUP_H */
