// SPDX-License-Identifier: GPL-2.0
/*
 * The tracer blk: records the requests of traced block devices in the instance that has the
 * tracer. The traced devices are set by blk_setup.c.
 */
#include <linux/errno.h>
#include <linux/init.h>
#include <linux/lockdep.h>

#include "instance/core/instance.h"
#include "instance/tracer/register_tracer.h"
#include "instance/tracer/tracer.h"
#include "instance/tracer/tracer_options.h"
#include "tracer/blk/blk.h"

/* The instance that has the tracer, or NULL, and its options; changed under trace_lock. */
static struct trace_array *blk_tr;
static u32 blk_flags;

static struct tracer blk_tracer;

/**
 * trace_blk_instance - get the instance that events of block devices are recorded in
 *
 * Any context with interrupts off: the instance is valid until they are on again.
 *
 * Return: the instance, or NULL
 */
struct trace_array *trace_blk_instance(void)
{
	return READ_ONCE(blk_tr);
}

/**
 * trace_blk_flags - get the options of the instance that has the tracer, BLK_OPT_*; any context
 */
u32 trace_blk_flags(void)
{
	return READ_ONCE(blk_flags);
}

static int blk_set_option(struct trace_array *tr, u32 bit, bool on)
{
	lockdep_assert_held(&trace_lock);

	if (tr == blk_tr)
		WRITE_ONCE(blk_flags, on ? blk_flags | bit : blk_flags & ~bit);

	return 0;
}

static int blk_init(struct trace_array *tr)
{
	lockdep_assert_held(&trace_lock);

	if (blk_tr)
		return -EBUSY;

	WRITE_ONCE(blk_flags, tracer_flags(tr, &blk_tracer));
	WRITE_ONCE(blk_tr, tr);

	return 0;
}

static void blk_reset(struct trace_array *tr)
{
	lockdep_assert_held(&trace_lock);

	WRITE_ONCE(blk_tr, NULL);
	WRITE_ONCE(blk_flags, 0);
}

static const struct tracer_option blk_options[] = {
	{ "blk_classic", BLK_OPT_CLASSIC },
	{ "blk_cgroup", BLK_OPT_CGROUP },
	{ "blk_cgname", BLK_OPT_CGNAME },
	{ }
};

/* No self test: there is no block device yet when it would run. */
static struct tracer blk_tracer = {
	.name			= "blk",
	.init			= blk_init,
	.reset			= blk_reset,
	.header			= trace_blk_header,
	.line			= trace_blk_line,
	.set_option		= blk_set_option,
	.options		= blk_options,
	.allow_instances	= true,
};

static int __init blk_tracer_init(void)
{
	return trace_top.main.buffer ? register_tracer(&blk_tracer) : -ENODEV;
}
early_initcall(blk_tracer_init);
