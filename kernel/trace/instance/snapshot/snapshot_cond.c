// SPDX-License-Identifier: GPL-2.0
/*
 * Conditional snapshots: a callback decides, for each suggested snapshot, whether it is taken.
 *
 * The condition keeps the data that made it true, like the largest value up to now. A snapshot
 * that it accepts replaces the previous one, even if that one is still pending.
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
 * @cond_data: data passed to its condition
 *
 * Does nothing if there is no condition; if the condition is true, same as tracing_snapshot().
 * Any context except NMI.
 */
void tracing_snapshot_cond(struct trace_array *tr, void *cond_data)
{
	struct trace_snapshot_cond *cond = &tr->snap_cond;
	bool due;

	scoped_guard(untraced_lock, &cond->lock)
		due = cond->update && cond->update(tr, cond_data);
	/* Without the lock: the request may send an interrupt, whose event may lead here again. */
	if (due)
		trace_snapshot_request(tr);
}
EXPORT_SYMBOL_GPL(tracing_snapshot_cond);

/**
 * tracing_cond_snapshot_data - get the data passed to tracing_snapshot_cond_enable()
 * @tr: the instance
 *
 * Any context except NMI; must not be called by a condition.
 *
 * Return: the data, or NULL if there is no condition
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

	/* Set a condition if there is no current one, or clear the current one. */
	if (!cond->update == !update)
		return false;

	cond->update = update;
	cond->data = data;

	return true;
}

/**
 * tracing_snapshot_cond_enable - set the condition for suggested snapshots
 * @tr: the instance; the caller holds a reference until tracing_snapshot_cond_disable()
 * @cond_data: data that tracing_cond_snapshot_data() returns
 * @update: called with interrupts off and the data of tracing_snapshot_cond(); takes no lock
 *	visible to lockdep. Returns true if the snapshot must be taken
 *
 * The spare buffer is allocated and pinned. May sleep; takes trace_lock.
 *
 * Return: 0; -EINVAL if @update is NULL or the buffer outlives the kernel; -ENOMEM; -EBUSY if
 * there already is a condition, while user space has a ring mapped, and while a latency tracer
 * owns the spare buffer
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
 * The callback is no longer called. The latest snapshot is kept. May sleep; takes trace_lock.
 *
 * Return: 0, or -EINVAL if there is no condition
 */
int tracing_snapshot_cond_disable(struct trace_array *tr)
{
	if (!snapshot_cond_set(tr, NULL, NULL))
		return -EINVAL;

	trace_snapshot_disarm(tr);

	return 0;
}
EXPORT_SYMBOL_GPL(tracing_snapshot_cond_disable);
