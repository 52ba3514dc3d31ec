/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Hooks of user events in the life of tasks: bits in the memory of a program show whether its
 * events are enabled, see kernel/trace/user/user_mm.c.
 */
#ifndef _LINUX_USER_EVENTS_H
#define _LINUX_USER_EVENTS_H

#include <linux/sched.h>
#include <linux/types.h>

#include <uapi/linux/user_events.h>

#ifdef CONFIG_USER_EVENTS
void user_events_fork(struct task_struct *t, unsigned long clone_flags);
void user_event_mm_remove(struct task_struct *t);

/* user_events_execve - the current task has executed another program */
static inline void user_events_execve(struct task_struct *t)
{
	if (t->user_event_mm)
		user_event_mm_remove(t);
}

/* user_events_exit - the current task exits, and still has its memory */
static inline void user_events_exit(struct task_struct *t)
{
	if (t->user_event_mm)
		user_event_mm_remove(t);
}
#else
static inline void user_events_fork(struct task_struct *t, unsigned long clone_flags)
{
}

static inline void user_events_execve(struct task_struct *t)
{
}

static inline void user_events_exit(struct task_struct *t)
{
}
#endif

#endif /* _LINUX_USER_EVENTS_H */
