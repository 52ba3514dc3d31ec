// SPDX-License-Identifier: GPL-2.0
/*
 * Users of a dynamic event: instances and perf. Its probes are enabled with the first user.
 */
#include <linux/lockdep.h>
#include <linux/perf_event.h>
#include <linux/sched.h>
#include <linux/trace_events.h>

#include "event/core/event_list.h"
#include "event/record/event_users.h"
#include "instance/core/instance.h"
#include "probe/core/probe_event.h"
/* @tr: the instance that no longer uses @probe */
static void use_disable_probe(struct probe *probe, struct trace_array *tr)
{
	const struct probe_kind *kind = probe->event->kind;

	if (kind->disable_in)
		kind->disable_in(probe, tr);
	else
		kind->disable(probe);
}

/* @tr: the instance that starts using @probe */
static int use_enable_probe(struct probe *probe, struct trace_array *tr)
{
	const struct probe_kind *kind = probe->event->kind;

	return kind->enable_in ? kind->enable_in(probe, tr) : kind->enable(probe);
}

/* Disable the probes of @event that are before @end in the list, all probes if @end is NULL. */
static void use_disable_before(struct probe_event *event, const struct probe *end,
			       struct trace_array *tr)
{
	struct probe *probe;

	list_for_each_entry(probe, &event->probes, list) {
		if (probe == end)
			break;
		use_disable_probe(probe, tr);
	}
}

static int use_begin(struct probe_event *event, struct trace_array *tr)
{
	struct probe *probe;
	int err;

	lockdep_assert_held(&trace_event_lock);

	if (event->users++ && !event->kind->enable_in)
		return 0;

	list_for_each_entry(probe, &event->probes, list) {
		err = use_enable_probe(probe, tr);
		if (err) {
			use_disable_before(event, probe, tr);
			event->users--;
			return err;
		}
	}

	return 0;
}

static void use_end(struct probe_event *event, struct trace_array *tr)
{
	lockdep_assert_held(&trace_event_lock);

	if (!--event->users || event->kind->disable_in)
		use_disable_before(event, NULL, tr);
}

/**
 * probe_enable_another - enable a probe before it is added to an event in use
 * @probe: the probe, which is not in its event's list yet
 *
 * trace_event_lock held. May sleep.
 *
 * Return: 0, or an error without effect
 */
int probe_enable_another(struct probe *probe)
{
	struct probe_event *event = probe->event;
	const struct trace_event_user *user, *failed;
	int err = 0;

	lockdep_assert_held(&trace_event_lock);

	if (!event->kind->enable_in)
		return event->kind->enable(probe);

	if (event->perf)
		err = use_enable_probe(probe, &trace_top);
	if (err)
		return err;

	list_for_each_entry(failed, &event->files, list) {
		err = use_enable_probe(probe, failed->file->tr);
		if (err)
			break;
	}
	if (!err)
		return 0;

	list_for_each_entry(user, &event->files, list) {
		if (user == failed)
			break;
		use_disable_probe(probe, user->file->tr);
	}
	if (event->perf)
		use_disable_probe(probe, &trace_top);

	return err;
}

/*
 * The event applies to more tasks than before, or to fewer. If fewer, it is not an error if a
 * probe remains where it is not needed.
 */
static int use_reach(struct probe_event *event, bool more)
{
	struct probe *probe;
	int err = 0;

	if (!event->kind->reach || !event->users)
		return 0;

	list_for_each_entry(probe, &event->probes, list)
		err = err ?: event->kind->reach(probe, more);

	return more ? err : 0;
}

/* The event applies to all tasks from now on, instead of only the targets of perf events. */
static int use_begin_for_all(struct probe_event *event, struct trace_array *tr, bool is_first)
{
	int err = use_begin(event, tr);

	if (err || !is_first || event->users == 1)
		return err;

	err = use_reach(event, true);
	if (err)
		use_end(event, tr);

	return err;
}

static int use_begin_in(struct probe_event *event, struct trace_event_file *file)
{
	bool is_first = list_empty(&event->files);
	int err;

	err = trace_event_user_add(&event->files, file);
	if (err)
		return err;

	err = use_begin_for_all(event, file->tr, is_first);
	if (err) {
		trace_event_user_remove(&event->files, file);
		use_reach(event, false);
	}

	return err;
}

static void use_end_in(struct probe_event *event, const struct trace_event_file *file)
{
	trace_event_user_remove(&event->files, file);
	use_end(event, file->tr);
	if (list_empty(&event->files))
		use_reach(event, false);
}

#ifdef CONFIG_PERF_EVENTS
static int use_begin_perf(struct probe_event *event)
{
	int err = use_begin(event, &trace_top);

	if (err)
		return err;
	/*
	 * Pairs with probe_hit_has_perf(): if @perf is seen set, the lists of the event are
	 * initialized.
	 */
	smp_store_release(&event->perf, true);

	return 0;
}

static int use_open_perf(struct probe_event *event, struct perf_event *perf_event)
{
	int err;

	if (!event->kind->reach)
		return 0;

	probe_targets_add(&event->targets, perf_event);
	/* A child shares the memory of its parent, or has a copy of it. */
	if (perf_event->parent || !list_empty(&event->files))
		return 0;

	err = use_reach(event, true);
	if (err) {
		probe_targets_remove(&event->targets, perf_event);
		use_reach(event, false);
	}

	return err;
}

/* A breakpoint that remains after the exit of the target is removed when another task hits it. */
static void use_close_perf(struct probe_event *event, struct perf_event *perf_event)
{
	const struct task_struct *task = perf_event->hw.target;

	if (!event->kind->reach)
		return;

	probe_targets_remove(&event->targets, perf_event);
	if (list_empty(&event->files) && !(task && task->flags & PF_EXITING))
		use_reach(event, false);
}
#endif

/**
 * probe_reg - trace_event_class.reg of dynamic events
 * @call: the event
 * @type: the operation
 * @data: the event in an instance, or the perf event
 *
 * trace_event_lock held.
 *
 * Return: 0 or an error
 */
int probe_reg(struct trace_event_call *call, enum trace_reg type, void *data)
{
	struct probe_event *event = container_of(call, struct probe_event, call);

	switch (type) {
	case TRACE_REG_REGISTER:
		return use_begin_in(event, data);
	case TRACE_REG_UNREGISTER:
		use_end_in(event, data);
		return 0;
#ifdef CONFIG_PERF_EVENTS
	case TRACE_REG_PERF_REGISTER:
		return use_begin_perf(event);
	case TRACE_REG_PERF_UNREGISTER:
		/* The event may still be hit for other users, and hits may be in progress. */
		WRITE_ONCE(event->perf, false);
		use_end(event, &trace_top);
		return 0;
	case TRACE_REG_PERF_OPEN:
		return use_open_perf(event, data);
	case TRACE_REG_PERF_CLOSE:
		use_close_perf(event, data);
		return 0;
#endif
	default:
		return 0;
	}
}
