// SPDX-License-Identifier: GPL-2.0
/*
 * Perf events of the types kprobe and uprobe. Each has a probe of its own, which is not listed
 * in any file. Perf events that are inherited, for example by new threads, share the probe.
 */
#include <linux/atomic.h>
#include <linux/cleanup.h>
#include <linux/list.h>
#include <linux/perf_event.h>
#include <linux/trace_events.h>
#include <linux/workqueue.h>

#include "event/record/event_perf.h"
#include "probe/core/probe_event.h"
#include "probe/core/probe_perf.h"

/*
 * Protects perf events against each other. perf closes events with a lock held that depends on
 * exec_update_lock, as a look-up of /proc/self/exe does: so not probe_lock, inside which uprobes
 * look up their files.
 */
static DEFINE_MUTEX(probe_perf_lock);

/*
 * Events whose last perf event was closed. perf closes its events one by one, and each would wait
 * for a grace period: the worker waits for all that it finds in the list. probe_perf_lock.
 */
static LIST_HEAD(probe_perf_left);
static unsigned int probe_perf_nr_left;

/* With more events in the list, whoever closes one waits for the worker. */
#define PROBE_PERF_LEFT_MAX	256

static void probe_perf_drop(struct work_struct *work)
{
	LIST_HEAD(left);

	scoped_guard(mutex, &probe_perf_lock) {
		list_splice_init(&probe_perf_left, &left);
		probe_perf_nr_left = 0;
	}

	probe_drop_all(&left);
}

static DECLARE_WORK(probe_perf_dropper, probe_perf_drop);

/* @made has no perf events. Return: true if there are too many such events */
static bool probe_perf_leave(struct probe_event *made)
{
	struct probe *probe;

	list_for_each_entry(probe, &made->probes, list) {
		if (made->kind->leave)
			made->kind->leave(probe);
	}
	list_add_tail(&made->list, &probe_perf_left);
	queue_work(system_unbound_wq, &probe_perf_dropper);

	return ++probe_perf_nr_left > PROBE_PERF_LEFT_MAX;
}

/**
 * probe_perf_begin - attach a perf event to a probe
 * @event: the perf event
 * @made: event of the probe, made by probe_event_hidden(), which is freed with the last perf
 *	event, or if there is an error
 *
 * May sleep.
 *
 * Return: 0 or an error
 */
int probe_perf_begin(struct perf_event *event, struct probe_event *made)
{
	int err;

	guard(mutex)(&probe_perf_lock);

	err = trace_perf_attach(event, &made->call);
	/* Whoever closes the next event waits if there are too many. */
	if (err)
		probe_perf_leave(made);

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
	guard(mutex)(&probe_perf_lock);

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
	bool wait = false;

	scoped_guard(mutex, &probe_perf_lock) {
		perf_trace_destroy(event);
		/*
		 * Perf events are attached and detached with the lock held, so this one is the
		 * last.
		 */
		if (!atomic_read(&made->call.refcnt))
			wait = probe_perf_leave(made);
	}
	if (wait)
		flush_work(&probe_perf_dropper);
}
