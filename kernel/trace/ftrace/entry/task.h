/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Which tasks an ops with FTRACE_OPS_FL_PID is called for.
 *
 * Callbacks read this. The room that keeps lists of tasks writes it.
 */
#ifndef _TRACE_FTRACE_ENTRY_TASK_H
#define _TRACE_FTRACE_ENTRY_TASK_H

#include <linux/jump_label.h>
#include <linux/percpu.h>
#include <linux/sched.h>
#include <linux/types.h>

/*
 * On while the top instance has lists of tasks, and ftrace_ops_pid follows from
 * them. An ops with FTRACE_OPS_FL_PID does not care about the lists of other instances.
 */
DECLARE_STATIC_KEY_FALSE(ftrace_pids_in_use);

/* The pid of the task that this CPU was given to, if it is to be traced. */
DECLARE_PER_CPU(pid_t, ftrace_ops_pid);

#endif /* _TRACE_FTRACE_ENTRY_TASK_H */
