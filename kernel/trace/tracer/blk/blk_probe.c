// SPDX-License-Identifier: GPL-2.0
/*
 * Probes on the tracepoints of block requests. They are attached while any device is traced,
 * and check whether events of the device are to be recorded.
 */
#include <linux/blk-cgroup.h>
#include <linux/blk-mq.h>
#include <linux/blkdev.h>
#include <linux/blktrace_api.h>
#include <linux/cleanup.h>
#include <linux/export.h>
#include <linux/mutex.h>
#include <linux/rcupdate.h>
#include <trace/events/block.h>

#include "lib/probes.h"
#include "tracer/blk/blk.h"
#include "tracer/blk/blk_probe.h"
#include "tracer/blk/blk_write.h"

/* Categories of a request, which are used by filters and stored in its action */
static u32 blk_probe_category(blk_opf_t opf)
{
	u32 category = op_is_write(opf) ? BLK_TC_WRITE : BLK_TC_READ;

	if (opf & REQ_SYNC)
		category |= BLK_TC_SYNC;
	if (opf & REQ_RAHEAD)
		category |= BLK_TC_AHEAD;
	if (opf & REQ_META)
		category |= BLK_TC_META;
	if (opf & REQ_FUA)
		category |= BLK_TC_FUA;
	if ((opf & REQ_PREFLUSH) || (opf & REQ_OP_MASK) == REQ_OP_FLUSH)
		category |= BLK_TC_FLUSH;
	if ((opf & REQ_OP_MASK) == REQ_OP_DISCARD || (opf & REQ_OP_MASK) == REQ_OP_SECURE_ERASE)
		category |= BLK_TC_DISCARD;

	return BLK_TC_ACT(category);
}

static u64 blk_probe_bio_cgroup(struct bio *bio)
{
	if (!bio || !(trace_blk_flags() & BLK_OPT_CGROUP))
		return 0;

	return blk_cgroup_id(bio_blkcg_css(bio));
}

/* @event: lacks the fields that are taken from the bio */
static void blk_probe_bio_event(struct request_queue *q, struct bio *bio, struct blk_event *event)
{
	struct blk_trace *bt;

	guard(rcu)();

	bt = rcu_dereference(q->blk_trace);
	if (likely(!bt))
		return;

	event->sector = bio->bi_iter.bi_sector;
	event->bytes = bio->bi_iter.bi_size;
	event->action |= blk_probe_category(bio->bi_opf);
	event->cgroup = blk_probe_bio_cgroup(bio);
	blk_trace_write(bt, event);
}

/* @event: has @bytes, but not the fields that are taken from the request */
static void blk_probe_rq_event(struct request *rq, struct blk_event *event)
{
	struct blk_trace *bt;

	guard(rcu)();

	bt = rcu_dereference(rq->q->blk_trace);
	if (likely(!bt))
		return;

	event->sector = blk_rq_trace_sector(rq);
	event->action |= blk_probe_category(rq->cmd_flags);
	event->action |= BLK_TC_ACT(blk_rq_is_passthrough(rq) ? BLK_TC_PC : BLK_TC_FS);
	event->cgroup = blk_probe_bio_cgroup(rq->bio);
	blk_trace_write(bt, event);
}

/* Events of the queue itself, with an optional number. */
static void blk_probe_queue_event(struct request_queue *q, u32 action, const __be64 *number)
{
	struct blk_event event = {
		.action	= action | blk_probe_category(REQ_OP_READ),
		.data	= number,
		.len	= number ? sizeof(*number) : 0,
	};
	struct blk_trace *bt;

	guard(rcu)();

	bt = rcu_dereference(q->blk_trace);
	if (unlikely(bt))
		blk_trace_write(bt, &event);
}

static void blk_probe_some_rq(struct request *rq, u32 action)
{
	struct blk_event event = { .action = action, .bytes = blk_rq_bytes(rq) };

	blk_probe_rq_event(rq, &event);
}

static void blk_probe_rq_insert(void *unused, struct request *rq)
{
	blk_probe_some_rq(rq, BLK_TA_INSERT);
}

static void blk_probe_rq_issue(void *unused, struct request *rq)
{
	blk_probe_some_rq(rq, BLK_TA_ISSUE);
}

static void blk_probe_rq_merge(void *unused, struct request *rq)
{
	blk_probe_some_rq(rq, BLK_TA_BACKMERGE);
}

static void blk_probe_rq_requeue(void *unused, struct request *rq)
{
	blk_probe_some_rq(rq, BLK_TA_REQUEUE);
}

static void blk_probe_rq_complete(void *unused, struct request *rq, blk_status_t error,
				  unsigned int nr_bytes)
{
	struct blk_event event = {
		.action	= BLK_TA_COMPLETE,
		.bytes	= nr_bytes,
		.error	= blk_status_to_errno(error),
	};

	blk_probe_rq_event(rq, &event);
}

static void blk_probe_some_bio(struct bio *bio, u32 action)
{
	struct blk_event event = { .action = action };

	blk_probe_bio_event(bdev_get_queue(bio->bi_bdev), bio, &event);
}

static void blk_probe_bio_bounce(void *unused, struct bio *bio)
{
	blk_probe_some_bio(bio, BLK_TA_BOUNCE);
}

static void blk_probe_bio_backmerge(void *unused, struct bio *bio)
{
	blk_probe_some_bio(bio, BLK_TA_BACKMERGE);
}

static void blk_probe_bio_frontmerge(void *unused, struct bio *bio)
{
	blk_probe_some_bio(bio, BLK_TA_FRONTMERGE);
}

static void blk_probe_bio_queue(void *unused, struct bio *bio)
{
	blk_probe_some_bio(bio, BLK_TA_QUEUE);
}

static void blk_probe_getrq(void *unused, struct bio *bio)
{
	blk_probe_some_bio(bio, BLK_TA_GETRQ);
}

static void blk_probe_bio_complete(void *unused, struct request_queue *q, struct bio *bio)
{
	struct blk_event event = {
		.action	= BLK_TA_COMPLETE,
		.error	= blk_status_to_errno(bio->bi_status),
	};

	blk_probe_bio_event(q, bio, &event);
}

static void blk_probe_plug(void *unused, struct request_queue *q)
{
	blk_probe_queue_event(q, BLK_TA_PLUG, NULL);
}

static void blk_probe_unplug(void *unused, struct request_queue *q, unsigned int depth,
			     bool explicit)
{
	__be64 number = cpu_to_be64(depth);

	blk_probe_queue_event(q, explicit ? BLK_TA_UNPLUG_IO : BLK_TA_UNPLUG_TIMER, &number);
}

static void blk_probe_split(void *unused, struct bio *bio, unsigned int new_sector)
{
	__be64 number = cpu_to_be64(new_sector);
	struct blk_event event = {
		.action	= BLK_TA_SPLIT,
		.error	= blk_status_to_errno(bio->bi_status),
		.data	= &number,
		.len	= sizeof(number),
	};

	blk_probe_bio_event(bdev_get_queue(bio->bi_bdev), bio, &event);
}

static void blk_probe_bio_remap(void *unused, struct bio *bio, dev_t dev, sector_t from)
{
	struct blk_io_trace_remap remap = {
		.device_from	= cpu_to_be32(dev),
		.device_to	= cpu_to_be32(bio_dev(bio)),
		.sector_from	= cpu_to_be64(from),
	};
	struct blk_event event = {
		.action	= BLK_TA_REMAP,
		.error	= blk_status_to_errno(bio->bi_status),
		.data	= &remap,
		.len	= sizeof(remap),
	};

	blk_probe_bio_event(bdev_get_queue(bio->bi_bdev), bio, &event);
}

static void blk_probe_rq_remap(void *unused, struct request *rq, dev_t dev, sector_t from)
{
	struct blk_io_trace_remap remap = {
		.device_from	= cpu_to_be32(dev),
		.device_to	= cpu_to_be32(disk_devt(rq->q->disk)),
		.sector_from	= cpu_to_be64(from),
	};
	struct blk_event event = {
		.action	= BLK_TA_REMAP,
		.bytes	= blk_rq_bytes(rq),
		.data	= &remap,
		.len	= sizeof(remap),
	};

	blk_probe_rq_event(rq, &event);
}

/**
 * blk_add_driver_data - record data of a driver about a request
 * @rq: the request
 * @data: data, for programs that read the stream
 * @len: length of @data in bytes
 *
 * Any context except NMIs.
 */
void blk_add_driver_data(struct request *rq, void *data, size_t len)
{
	struct blk_event event = {
		.action	= BLK_TA_DRV_DATA,
		.bytes	= blk_rq_bytes(rq),
		.data	= data,
		.len	= len,
	};

	blk_probe_rq_event(rq, &event);
}
EXPORT_SYMBOL_GPL(blk_add_driver_data);

static const struct trace_probe blk_probes[] = {
	TRACE_PROBE(block_rq_insert, blk_probe_rq_insert),
	TRACE_PROBE(block_rq_issue, blk_probe_rq_issue),
	TRACE_PROBE(block_rq_merge, blk_probe_rq_merge),
	TRACE_PROBE(block_rq_requeue, blk_probe_rq_requeue),
	TRACE_PROBE(block_rq_complete, blk_probe_rq_complete),
	TRACE_PROBE(block_bio_bounce, blk_probe_bio_bounce),
	TRACE_PROBE(block_bio_complete, blk_probe_bio_complete),
	TRACE_PROBE(block_bio_backmerge, blk_probe_bio_backmerge),
	TRACE_PROBE(block_bio_frontmerge, blk_probe_bio_frontmerge),
	TRACE_PROBE(block_bio_queue, blk_probe_bio_queue),
	TRACE_PROBE(block_getrq, blk_probe_getrq),
	TRACE_PROBE(block_plug, blk_probe_plug),
	TRACE_PROBE(block_unplug, blk_probe_unplug),
	TRACE_PROBE(block_split, blk_probe_split),
	TRACE_PROBE(block_bio_remap, blk_probe_bio_remap),
	TRACE_PROBE(block_rq_remap, blk_probe_rq_remap),
	{ }
};

/* Number of traced devices. Inside the lock only locks of tracepoints are taken. */
static DEFINE_MUTEX(devices_lock);
static unsigned int nr_devices;

/**
 * blk_probes_get - count a traced device, and attach the probes if it is the first; may sleep
 *
 * Return: 0, or an error of attaching the probes
 */
int blk_probes_get(void)
{
	int ret;

	guard(mutex)(&devices_lock);

	ret = nr_devices ? 0 : trace_probes_register(blk_probes, ~0U, NULL);
	if (!ret)
		nr_devices++;

	return ret;
}

/**
 * blk_probes_put - undo blk_probes_get(); may sleep
 *
 * Probes may still be running until a grace period has passed.
 */
void blk_probes_put(void)
{
	guard(mutex)(&devices_lock);

	if (!--nr_devices)
		trace_probes_unregister(blk_probes, ~0U, NULL);
}
