/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Users of an event that is not called through a tracepoint: the instances where it is enabled.
 */
#ifndef _TRACE_EVENT_RECORD_EVENT_USERS_H
#define _TRACE_EVENT_RECORD_EVENT_USERS_H

#include <linux/list.h>
#include <linux/rcupdate.h>

struct trace_event_file;

/**
 * struct trace_event_user - an instance where an event is enabled
 * @list: entry in the event's list; trace_event_lock, and RCU for readers with preemption
 *	disabled
 * @file: the event in the instance
 * @rcu: frees it after a grace period
 */
struct trace_event_user {
	struct list_head	list;
	struct trace_event_file	*file;
	struct rcu_head		rcu;
};

int trace_event_user_add(struct list_head *users, struct trace_event_file *file);
void trace_event_user_remove(struct list_head *users, const struct trace_event_file *file);

#endif /* _TRACE_EVENT_RECORD_EVENT_USERS_H */
