/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Tasks that are traced, and tasks that are not (set_ftrace_pid and
 * set_ftrace_notrace_pid).
 *
 * Whether a task is to be traced is asked when it gets a CPU, and the answer
 * kept with the CPU: a call of a function costs one look at that, and nothing
 * at all while there are no lists.
 */
#ifndef _TRACE_INSTANCE_PIDS_H
#define _TRACE_INSTANCE_PIDS_H

#include <linux/jump_label.h>
#include <linux/percpu.h>
#include <linux/types.h>

#include "instance/instance.h"

DECLARE_STATIC_KEY_FALSE(trace_pids_in_use);

/*
 * trace_ignores_current - do the lists say not to trace who runs here now?
 *
 * Any context, preemption disabled.
 */
static __always_inline bool trace_ignores_current(struct trace_array *tr)
{
	return static_branch_unlikely(&trace_pids_in_use) &&
	       this_cpu_read(*tr->pids.ignored);
}

/**
 * struct trace_pids_edit - a change of one list, which takes effect as a whole
 * @tr: the instance
 * @list: which of its lists
 * @reset: what is there goes
 * @bits: what is added, NULL for nothing
 */
struct trace_pids_edit {
	struct trace_array	*tr;
	enum trace_pid_list	list;
	bool			reset;
	unsigned long		*bits;
};

int trace_pids_edit_begin(struct trace_pids_edit *edit, struct trace_array *tr,
			  enum trace_pid_list list, bool reset);
int trace_pids_edit_add(struct trace_pids_edit *edit, int pid);
int trace_pids_edit_end(struct trace_pids_edit *edit);
void trace_pids_edit_drop(struct trace_pids_edit *edit);

bool trace_pids_exist(struct trace_array *tr, enum trace_pid_list list);
int trace_pids_next(struct trace_array *tr, enum trace_pid_list list, int pid);

#endif /* _TRACE_INSTANCE_PIDS_H */
