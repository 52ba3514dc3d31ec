// SPDX-License-Identifier: GPL-2.0
/*
 * Events of system calls that are enabled before there are tasks.
 */
#include <linux/cleanup.h>
#include <linux/init.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/thread_info.h>

#include <trace/events/syscalls.h>

/*
 * A task calls the tracepoints of system calls only if it is marked. The first probe on them
 * marks all tasks, and new tasks inherit the mark; but when trace_init() registers the first
 * probe, there are no tasks, and later probes mark no task. This runs before user space, and
 * before another CPU runs, so probes cannot be unregistered concurrently.
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
