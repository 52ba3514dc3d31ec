/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Tasks that are traced, and tasks that are not (set_ftrace_pid and
 * set_ftrace_notrace_pid).
 *
 * Whether a task is meant is asked when it gets a CPU, and the answer kept with
 * the CPU: a call of a function costs one look at that, and nothing at all while
 * there are no lists.
 */
#ifndef _TRACE_FILTER_PIDS_H
#define _TRACE_FILTER_PIDS_H

#include <linux/types.h>

#include "hook/task.h"

/* Of tasks: the only ones to be traced, and those not to be. */
enum ftrace_pid_list {
	FTRACE_PIDS_ONLY,
	FTRACE_PIDS_NEVER,
	FTRACE_PID_LISTS,
};

struct ftrace_pid_bits;

/**
 * struct ftrace_pids - tasks whose functions are traced
 * @list: the pids of each list, NULL for no list; the lock of pids.c, and RCU to
 *	read
 * @meant: the pid of who runs on a CPU, if that task is to be traced; NULL where
 *	nobody asks, and tasks are not watched
 * @follow: children are what their parents are, and who has ended is forgotten
 */
struct ftrace_pids {
	struct ftrace_pid_bits __rcu	*list[FTRACE_PID_LISTS];
	pid_t __percpu			*meant;
	bool				follow;
};

/* Those of the top instance, which an ops with FTRACE_OPS_FL_PID heeds, too. */
extern struct ftrace_pids ftrace_global_pids;

/*
 * ftrace_pids_skip - do the lists say not to trace the current task?
 *
 * It is compared with the task that the CPU was given to, which is not yet or
 * not any more the current one while the scheduler changes from one to another.
 *
 * Any context.
 */
static __always_inline bool ftrace_pids_skip(const struct ftrace_pids *pids)
{
	return static_branch_unlikely(&ftrace_pids_in_use) &&
	       this_cpu_read(*pids->meant) != current->pid;
}

/**
 * struct ftrace_pids_edit - a change of one list, which takes effect as a whole
 * @pids: the lists
 * @list: which of them
 * @reset: what is there goes
 * @bits: what is added, NULL for nothing
 */
struct ftrace_pids_edit {
	struct ftrace_pids	*pids;
	enum ftrace_pid_list	list;
	bool			reset;
	struct ftrace_pid_bits	*bits;
};

void ftrace_pids_edit_begin(struct ftrace_pids_edit *edit, struct ftrace_pids *pids,
			    enum ftrace_pid_list list, bool reset);
int ftrace_pids_edit_add(struct ftrace_pids_edit *edit, int pid);
int ftrace_pids_edit_end(struct ftrace_pids_edit *edit);
void ftrace_pids_edit_drop(struct ftrace_pids_edit *edit);

void ftrace_pids_lock(void);
void ftrace_pids_unlock(void);
bool ftrace_pids_exist(const struct ftrace_pids *pids, enum ftrace_pid_list list);
int ftrace_pids_next(const struct ftrace_pids *pids, enum ftrace_pid_list list,
		     int pid);

#endif /* _TRACE_FILTER_PIDS_H */
