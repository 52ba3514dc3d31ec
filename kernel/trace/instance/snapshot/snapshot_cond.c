// SPDX-License-Identifier: GPL-2.0
/*
 * Snapshots on a condition: whoever sets it decides, each time that a snapshot is
 * suggested, whether it is taken.
 *
 * The condition keeps what made it true, like the largest value so far. A snapshot that it
 * wants replaces the one before, also where that one is still to be taken.
 */
#include <linux/atomic.h>
#include <linux/cleanup.h>
#include <linux/export.h>

#include "instance/core/instance.h"
#include "instance/snapshot/snapshot.h"
#include "lib/untraced_lock.h"

/**
 * tracing_snapshot_cond - suggest a snapshot
 * @tr: the instance
 * @cond_data: for its condition
 *
 * Does nothing where there is no condition, and otherwise as tracing_snapshot(). Any
 * context but NMIs.
 */
void tracing_snapshot_cond(struct trace_array *tr, void *cond_data)
{
	struct trace_snapshot_cond *cond = &tr->snap_cond;

	guard(untraced_lock)(&cond->lock);

	if (cond->update && cond->update(tr, cond_data))
		trace_snapshot_request(tr);
}
EXPORT_SYMBOL_GPL(tracing_snapshot_cond);

/**
 * tracing_cond_snapshot_data - what was given to tracing_snapshot_cond_enable()
 * @tr: the instance
 *
 * Any context but NMIs, and not for conditions themselves.
 *
 * Return: NULL where there is no condition
 */
void *tracing_cond_snapshot_data(struct trace_array *tr)
{
	guard(untraced_lock)(&tr->snap_cond.lock);

	return tr->snap_cond.data;
}
EXPORT_SYMBOL_GPL(tracing_cond_snapshot_data);

static bool snapshot_cond_set(struct trace_array *tr, cond_update_fn_t update, void *data)
{
	struct trace_snapshot_cond *cond = &tr->snap_cond;

	guard(untraced_lock)(&cond->lock);

	/* Set it where there is none, or end the one that there is. */
	if (!cond->update == !update)
		return false;

	cond->update = update;
	cond->data = data;

	return true;
}

/**
 * tracing_snapshot_cond_enable - have a function decide about suggested snapshots
 * @tr: the instance, which the caller keeps until tracing_snapshot_cond_disable()
 * @cond_data: for tracing_cond_snapshot_data()
 * @update: called with interrupts off and the data of tracing_snapshot_cond(); takes
 *	    no lock that lockdep knows. Returns whether the snapshot is to be taken
 *
 * The spare buffer is made, and stays. May sleep; takes trace_lock.
 *
 * Return: 0; -EINVAL without @update, and for a buffer that outlives the kernel;
 * -ENOMEM; -EBUSY where there is a condition already, while user space has a ring
 * mapped, and while a latency tracer has the spare buffer
 */
int tracing_snapshot_cond_enable(struct trace_array *tr, void *cond_data,
				 cond_update_fn_t update)
{
	int ret;

	if (!update)
		return -EINVAL;

	ret = trace_snapshot_arm(tr);
	if (ret)
		return ret;

	if (snapshot_cond_set(tr, update, cond_data))
		return 0;

	trace_snapshot_disarm(tr);

	return -EBUSY;
}
EXPORT_SYMBOL_GPL(tracing_snapshot_cond_enable);

/**
 * tracing_snapshot_cond_disable - undo tracing_snapshot_cond_enable()
 * @tr: the instance
 *
 * Its function is not called any more. The latest snapshot stays. May sleep; takes
 * trace_lock.
 *
 * Return: 0, or -EINVAL where there is no condition
 */
int tracing_snapshot_cond_disable(struct trace_array *tr)
{
	if (!snapshot_cond_set(tr, NULL, NULL))
		return -EINVAL;

	trace_snapshot_disarm(tr);

	return 0;
}
EXPORT_SYMBOL_GPL(tracing_snapshot_cond_disable);
