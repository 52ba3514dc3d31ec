/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The list of registered ops, newest first.
 */
#ifndef _TRACE_FTRACE_ENTRY_LIST_H
#define _TRACE_FTRACE_ENTRY_LIST_H

#include <linux/ftrace.h>
#include <linux/rculist.h>

/**
 * struct ftrace_ops_node - the node of a registered ops in the list
 * @link: node in ftrace_ops_list
 * @rcu: frees the node when no reader can be using it
 * @ops: the ops, which has another node each time that it is registered
 *
 * The list function reads the list in any context, and can be preempted at a node for a long
 * time. So each registration has its own node: an ops that has been unregistered can be
 * registered again immediately, and a reader at its old node can continue from there.
 */
struct ftrace_ops_node {
	struct hlist_node	link;
	struct rcu_head		rcu;
	struct ftrace_ops	*ops;
};

/* Changed under ftrace_lock. */
extern struct hlist_head ftrace_ops_list;

/* The caller holds ftrace_lock. */
#define for_each_ftrace_ops(node) \
	hlist_for_each_entry(node, &ftrace_ops_list, link)

int ftrace_ops_list_add(struct ftrace_ops *ops);
void ftrace_ops_list_del(struct ftrace_ops *ops);

#endif /* _TRACE_FTRACE_ENTRY_LIST_H */
