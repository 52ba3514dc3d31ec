/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The tasks that perf events of an event are about, as far as places are in programs.
 */
#ifndef _TRACE_PROBE_CORE_UPROBE_TARGETS_H
#define _TRACE_PROBE_CORE_UPROBE_TARGETS_H

#include <linux/list.h>
#include <linux/spinlock.h>
#include <linux/types.h>

struct mm_struct;
struct perf_event;

/**
 * struct probe_targets - what perf events of an event are about
 * @lock: taken where programs hit probes and map files, never in interrupts; innermost
 * @everywhere: how many of them are about all tasks; @lock
 * @tasks: those about one task, by hw.tp_list; @lock
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
