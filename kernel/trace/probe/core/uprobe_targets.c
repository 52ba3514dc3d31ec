// SPDX-License-Identifier: GPL-2.0
/*
 * Targets of an event's perf events: the tasks that need breakpoints in programs. Other
 * programs need not be stopped there.
 */
#include <linux/perf_event.h>
#include <linux/sched.h>

#include "probe/core/uprobe_targets.h"

/**
 * probe_targets_add - add the target of a perf event
 * @targets: targets of the event
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
 * @targets: targets of the event
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
 * probe_targets_have - do targets include tasks with an address space?
 * @targets: targets of the event
 * @mm: the address space
 *
 * An exiting task has no address space. Context: any except interrupts
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
