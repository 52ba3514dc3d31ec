/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Per-CPU pid filter state for ops with FTRACE_OPS_FL_PID.
 *
 * Read by callbacks, written by kernel/trace/filter/pids.c.
 */
#ifndef _TRACE_FTRACE_ENTRY_TASK_H
#define _TRACE_FTRACE_ENTRY_TASK_H

#include <linux/jump_label.h>
#include <linux/percpu.h>
#include <linux/sched.h>
#include <linux/types.h>

/*
 * On while the top instance has pid lists and ftrace_ops_pid is derived from them. An ops with
 * FTRACE_OPS_FL_PID ignores the pid lists of other instances.
 */
DECLARE_STATIC_KEY_FALSE(ftrace_pids_in_use);

/* The pid of the task that runs on this CPU, if it is to be traced. */
DECLARE_PER_CPU(pid_t, ftrace_ops_pid);

#endif /* _TRACE_FTRACE_ENTRY_TASK_H */
