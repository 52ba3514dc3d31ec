// SPDX-License-Identifier: GPL-2.0
/*
 * The tasks that perf events of an event are about, as far as places are in programs: other
 * programs need not be stopped there.
 */
#include <linux/perf_event.h>
#include <linux/sched.h>

#include "probe/core/uprobe_targets.h"

/**
 * probe_targets_add - a perf event begins to be about an event
 * @targets: of the event
 * @event: the perf event
 */
void probe_targets_add(struct probe_targets *targets, struct perf_event *event)
{
	write_lock(&targets->lock);
	if (event->hw.target)
		list_add(&event->hw.tp_list, &targets->tasks);
	else
		targets->everywhere++;
	write_unlock(&targets->lock);
}

/**
 * probe_targets_remove - undo probe_targets_add()
 * @targets: of the event
 * @event: the perf event
 */
void probe_targets_remove(struct probe_targets *targets, struct perf_event *event)
{
	write_lock(&targets->lock);
	if (event->hw.target)
		list_del(&event->hw.tp_list);
	else
		targets->everywhere--;
	write_unlock(&targets->lock);
}

/**
 * probe_targets_have - whether a perf event is about tasks that have a memory
 * @targets: of the event
 * @mm: the memory
 *
 * A task that is exiting has none. Context: any but interrupts
 */
bool probe_targets_have(struct probe_targets *targets, const struct mm_struct *mm)
{
	const struct perf_event *event;
	bool found;

	read_lock(&targets->lock);
	found = targets->everywhere;
	list_for_each_entry(event, &targets->tasks, hw.tp_list) {
		if (found)
			break;
		found = READ_ONCE(event->hw.target->mm) == mm;
	}
	read_unlock(&targets->lock);

	return found;
}
