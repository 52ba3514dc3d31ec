// SPDX-License-Identifier: GPL-2.0
/*
 * Perf events of the types kprobe and uprobe. Each has a probe of its own, which is not listed
 * in any file. Perf events that are inherited, for example by new threads, share the probe.
 */
#include <linux/atomic.h>
#include <linux/cleanup.h>
#include <linux/perf_event.h>
#include <linux/trace_events.h>

#include "event/record/event_perf.h"
#include "probe/core/probe_event.h"
#include "probe/core/probe_perf.h"

/**
 * probe_perf_begin - attach a perf event to a probe
 * @event: the perf event
 * @made: event of the probe, made by probe_event_hidden(), which is freed with the last perf
 *	event, or if there is an error
 *
 * probe_lock held. May sleep.
 *
 * Return: 0 or an error
 */
int probe_perf_begin(struct perf_event *event, struct probe_event *made)
{
	int err = trace_perf_attach(event, &made->call);

	if (err)
		probe_event_drop_hidden(made);

	return err;
}

/**
 * probe_perf_share - attach an inherited perf event to the probe of its parent
 * @event: the perf event, which has a parent
 *
 * May sleep.
 *
 * Return: 0 or an error
 */
int probe_perf_share(struct perf_event *event)
{
	guard(mutex)(&probe_lock);

	return trace_perf_attach(event, event->parent->tp_event);
}

/**
 * probe_perf_end - undo probe_perf_begin() or probe_perf_share()
 * @event: the perf event
 *
 * May sleep.
 */
void probe_perf_end(struct perf_event *event)
{
	struct probe_event *made = container_of(event->tp_event, struct probe_event, call);

	guard(mutex)(&probe_lock);

	perf_trace_destroy(event);
	/* Perf events are attached and detached with the lock held, so this one is the last. */
	if (!atomic_read(&made->call.refcnt))
		probe_event_drop_hidden(made);
}
