// SPDX-License-Identifier: GPL-2.0
/* Registration of users of function graph. */
#define pr_fmt(fmt) "ftrace: " fmt

#include <linux/ftrace.h>
#include <linux/mutex.h>
#include <linux/printk.h>

#include "ftrace/entry/ftrace_rcu.h"
#include "ftrace/fgraph/fgraph.h"
#include "ftrace/fgraph/ret_stack.h"
#include "ftrace/ops/ops.h"
#include "patch/records.h"

/* Serializes registration and unregistration of users. Outside of all locks of ftrace/. */
static DEFINE_MUTEX(ftrace_graph_lock);

static unsigned int nr_users;

static void fgraph_ops_remove_user(struct fgraph_ops *gops)
{
	scoped_guard(mutex, &ftrace_lock)
		graph_user_remove(gops);

	if (!--nr_users)
		ret_stack_stop();
}

static int fgraph_ops_add_user(struct fgraph_ops *gops)
{
	int err = nr_users ? 0 : ret_stack_start();

	if (err)
		return err;

	scoped_guard(mutex, &ftrace_lock)
		err = graph_user_add(gops);
	if (err) {
		if (err == -ENOSPC)
			pr_warn("function graph already has %u users\n", nr_users);
		if (!nr_users)
			ret_stack_stop();
		return err;
	}

	nr_users++;
	return 0;
}

/**
 * register_ftrace_graph - call callbacks at the entry and the return of functions
 * @gops: callbacks, and an ops with filters that select the functions
 *
 * The callbacks may be called before this returns.
 *
 * Context: process context; takes ftrace_direct_mutex and ftrace_lock
 *
 * Return: 0; -EINVAL without an entryfunc; -EBUSY if it is already registered; -ENOSPC if there
 * are already 16 users; -ENOMEM; or as register_ftrace_function()
 */
int register_ftrace_graph(struct fgraph_ops *gops)
{
	int err;

	if (!gops->entryfunc)
		return -EINVAL;

	guard(mutex)(&ftrace_graph_lock);

	if (gops->ops.flags & FTRACE_OPS_FL_ENABLED)
		return -EBUSY;

	err = fgraph_ops_add_user(gops);
	if (err)
		return err;

	/* The flag remains set: the list function may still see the ops for a while afterwards. */
	gops->ops.func = ftrace_graph_func;
	gops->ops.flags |= FTRACE_OPS_FL_GRAPH;
	err = register_ftrace_function(&gops->ops);
	if (err)
		fgraph_ops_remove_user(gops);
	return err;
}

/**
 * graph_user_detach - stop starting the callbacks of a user
 * @gops: the user; tasks may be in its callbacks until ftrace_synchronize()
 *
 * Functions that have not returned are not reported to it.
 *
 * Context: process context; takes ftrace_lock
 *
 * Return: 0, or -EBUSY if @gops is not registered
 */
int graph_user_detach(struct fgraph_ops *gops)
{
	int err;

	guard(mutex)(&ftrace_graph_lock);

	err = ftrace_ops_detach(&gops->ops);
	if (!err)
		fgraph_ops_remove_user(gops);
	return err;
}

/**
 * unregister_ftrace_graph - stop calling the callbacks of a user
 * @gops: the user; has no effect if it is not registered
 *
 * Functions that have not returned are not reported to it. If @gops is not part of the kernel's
 * own data, no task is in a callback when this returns, and its memory may be freed.
 *
 * Context: process context; takes ftrace_lock, and may wait for grace periods of RCU Tasks
 */
void unregister_ftrace_graph(struct fgraph_ops *gops)
{
	if (!graph_user_detach(gops) && gops->ops.flags & FTRACE_OPS_FL_DYNAMIC)
		ftrace_synchronize();
}
