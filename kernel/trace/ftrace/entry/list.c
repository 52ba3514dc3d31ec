// SPDX-License-Identifier: GPL-2.0
/*
 * The list of registered ops. See list.h.
 */
#include <linux/slab.h>

#include "ftrace/entry/ftrace_rcu.h"
#include "ftrace/entry/list.h"
#include "patch/records.h"

HLIST_HEAD(ftrace_ops_list);

/**
 * ftrace_ops_list_add - add an ops at the head of the list
 * @ops: the ops, not in the list
 *
 * Context: ftrace_lock held; may sleep
 *
 * Return: 0 or -ENOMEM
 */
int ftrace_ops_list_add(struct ftrace_ops *ops)
{
	struct ftrace_ops_node *node = kmalloc(sizeof(*node), GFP_KERNEL);

	lockdep_assert_held(&ftrace_lock);

	if (!node)
		return -ENOMEM;

	node->ops = ops;
	ops->node = node;
	/* Publish the node for the list function after it is initialized. */
	hlist_add_head_rcu(&node->link, &ftrace_ops_list);
	return 0;
}

static void ftrace_list_free_node(struct rcu_head *head)
{
	kfree(container_of(head, struct ftrace_ops_node, rcu));
}

/**
 * ftrace_ops_list_del - remove an ops from the list
 * @ops: the ops; readers may use it until ftrace_synchronize()
 *
 * Context: ftrace_lock held
 */
void ftrace_ops_list_del(struct ftrace_ops *ops)
{
	lockdep_assert_held(&ftrace_lock);

	hlist_del_rcu(&ops->node->link);
	call_ftrace_rcu(&ops->node->rcu, ftrace_list_free_node);
	ops->node = NULL;
}
