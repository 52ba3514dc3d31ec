/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Targets of an event's perf events, for probes in programs.
 */
#ifndef _TRACE_PROBE_CORE_UPROBE_TARGETS_H
#define _TRACE_PROBE_CORE_UPROBE_TARGETS_H

#include <linux/list.h>
#include <linux/spinlock.h>
#include <linux/types.h>

struct mm_struct;
struct perf_event;

/**
 * struct probe_targets - targets of an event's perf events
 * @lock: taken when programs hit probes and map files, never in interrupts; innermost
 * @everywhere: number of perf events for all tasks; protected by @lock
 * @tasks: perf events for one task, linked by hw.tp_list; protected by @lock
 */
struct probe_targets {
	rwlock_t		lock;
	unsigned int		everywhere;
	struct list_head	tasks;
};

static inline void probe_targets_init(struct probe_targets *targets)
{
	rwlock_init(&targets->lock);
	targets->everywhere = 0;
	INIT_LIST_HEAD(&targets->tasks);
}

void probe_targets_add(struct probe_targets *targets, struct perf_event *event);
void probe_targets_remove(struct probe_targets *targets, struct perf_event *event);
bool probe_targets_have(struct probe_targets *targets, const struct mm_struct *mm);

#endif /* _TRACE_PROBE_CORE_UPROBE_TARGETS_H */
