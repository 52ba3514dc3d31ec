/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Pid lists: tasks to trace, and tasks not to trace (set_ftrace_pid and set_ftrace_notrace_pid).
 *
 * The lists are checked when a CPU switches to a task, and the result is kept per CPU: a call of
 * a function costs one comparison, and is free while there are no lists.
 */
#ifndef _TRACE_FILTER_PIDS_H
#define _TRACE_FILTER_PIDS_H

#include <linux/types.h>

#include "ftrace/entry/task.h"

/* The tasks to trace, and the tasks not to trace. */
enum ftrace_pid_list {
	FTRACE_PIDS_ONLY,
	FTRACE_PIDS_NEVER,
	FTRACE_PID_LISTS,
};

struct ftrace_pid_bits;

/**
 * struct ftrace_pids - the pid lists of one user
 * @list: pids of each list, NULL if there is no list. Replaced under ftrace_pids_lock(), read
 *	under RCU.
 * @traced: for each CPU the pid of the task that it runs, if that task must be traced. NULL if
 *	the user does not read it, and the lists are only kept.
 * @in_use: there is a list, and @traced is derived from the lists
 * @follow: a new task is added to the lists of its parent, and a task that has exited is removed
 */
struct ftrace_pids {
	struct ftrace_pid_bits __rcu	*list[FTRACE_PID_LISTS];
	pid_t __percpu			*traced;
	bool				in_use;
	bool				follow;
};

/* The lists of the top instance, which also apply to FTRACE_OPS_FL_PID. */
extern struct ftrace_pids ftrace_global_pids;

/* On while any instance has lists. */
DECLARE_STATIC_KEY_FALSE(ftrace_pids_in_instances);

/* ftrace_pids_in_any_instance - may there be lists at all? Any context. */
static __always_inline bool ftrace_pids_in_any_instance(void)
{
	return static_branch_unlikely(&ftrace_pids_in_instances);
}

/*
 * ftrace_pids_any - is there any list?
 *
 * Any context.
 */
static __always_inline bool ftrace_pids_any(const struct ftrace_pids *pids)
{
	return ftrace_pids_in_any_instance() && READ_ONCE(pids->in_use);
}

/*
 * ftrace_pids_skip - do the lists exclude the current task from tracing?
 *
 * While the scheduler switches tasks, the task that @traced was set for is not the current one:
 * then neither of the two is traced.
 *
 * Any context.
 */
static __always_inline bool ftrace_pids_skip(const struct ftrace_pids *pids)
{
	return ftrace_pids_any(pids) && this_cpu_read(*pids->traced) != current->pid;
}

/**
 * struct ftrace_pids_edit - a change of one list, which takes effect at its end
 * @pids: the lists
 * @list: list to change
 * @reset: replace the list instead of adding to it
 * @bits: pids to add, NULL for no pids
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

struct ftrace_pids *ftrace_pids_alloc(void);
void ftrace_pids_clear(struct ftrace_pids *pids);
void ftrace_pids_free(struct ftrace_pids *pids);

void ftrace_pids_lock(void);
void ftrace_pids_unlock(void);
bool ftrace_pids_traced(const struct ftrace_pids *pids, pid_t pid);
bool ftrace_pids_exist(const struct ftrace_pids *pids, enum ftrace_pid_list list);
int ftrace_pids_next(const struct ftrace_pids *pids, enum ftrace_pid_list list,
		     int pid);

#endif /* _TRACE_FILTER_PIDS_H */
