// SPDX-License-Identifier: GPL-2.0
/*
 * Users of an event that is not called through a tracepoint.
 */
#include <linux/errno.h>
#include <linux/lockdep.h>
#include <linux/rculist.h>
#include <linux/slab.h>

#include "event/core/event_list.h"
#include "event/record/event_users.h"

/**
 * trace_event_user_add - add an instance where an event is enabled
 * @users: list of the event
 * @file: the event in the instance
 *
 * trace_event_lock held. May sleep.
 *
 * Return: 0 or -ENOMEM
 */
int trace_event_user_add(struct list_head *users, struct trace_event_file *file)
{
	struct trace_event_user *user = kzalloc(sizeof(*user), GFP_KERNEL);

	lockdep_assert_held(&trace_event_lock);

	if (!user)
		return -ENOMEM;

	user->file = file;
	list_add_tail_rcu(&user->list, users);

	return 0;
}

/**
 * trace_event_user_remove - undo trace_event_user_add()
 * @users: list of the event
 * @file: the event in the instance
 *
 * Readers of the list may still see it until a grace period has passed. trace_event_lock held.
 */
void trace_event_user_remove(struct list_head *users, const struct trace_event_file *file)
{
	struct trace_event_user *user;

	lockdep_assert_held(&trace_event_lock);

	list_for_each_entry(user, users, list) {
		if (user->file == file) {
			list_del_rcu(&user->list);
			kfree_rcu(user, rcu);
			return;
		}
	}
}
