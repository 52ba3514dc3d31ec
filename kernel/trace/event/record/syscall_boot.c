// SPDX-License-Identifier: GPL-2.0
/*
 * Events of system calls that are enabled before there is a task.
 */
#include <linux/cleanup.h>
#include <linux/init.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/thread_info.h>

#include <trace/events/syscalls.h>

/*
 * A task passes the tracepoints of system calls if it is marked. The first probe on them marks
 * all tasks, and others inherit that; but when trace_init() attaches the first probe, there are
 * none, and later ones mark nothing. This comes before user space, and before another CPU runs:
 * so nobody detaches probes meanwhile.
 */
static int __init syscall_boot_mark_tasks(void)
{
	struct task_struct *leader, *task;

	if (!trace_sys_enter_enabled() && !trace_sys_exit_enabled())
		return 0;

	guard(read_lock)(&tasklist_lock);

	for_each_process_thread(leader, task)
		set_task_syscall_work(task, SYSCALL_TRACEPOINT);

	return 0;
}
early_initcall(syscall_boot_mark_tasks);
