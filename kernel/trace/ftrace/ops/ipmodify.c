// SPDX-License-Identifier: GPL-2.0
/*
 * Sharing of functions between DIRECT ops and IPMODIFY ops.
 *
 * The trampoline of a direct call may call the function that it was called from, at an address
 * that it has computed. An IPMODIFY ops, like the ops of a live patch, which redirects callers
 * of the function, would have no effect on such a call. So the owner of a DIRECT ops has to
 * agree before the two share a function, and is notified when they no longer do; see enum
 * ftrace_ops_cmd. FTRACE_OPS_FL_SHARE_IPMODIFY is set in a DIRECT ops whose owner has agreed.
 */
#include "ftrace/entry/list.h"
#include "ftrace/entry/ops_filter.h"
#include "ftrace/ops/ipmodify.h"

/* Does a DIRECT ops, which has a filter, trace a function that @other includes? */
static bool ipmodify_shares_function(const struct ftrace_ops *direct,
				     const struct ftrace_ops_filter *other)
{
	struct ftrace_ops_filter own = ftrace_ops_filter_of(direct->func_hash);
	unsigned int i;

	for (i = 0; own.filter && i < own.filter->count; i++) {
		unsigned long ip = own.filter->ip[i];

		if (ftrace_ops_filter_has(&own, ip) && ftrace_ops_filter_has(other, ip))
			return true;
	}
	return false;
}

/* Does a DIRECT ops share a function with a registered IPMODIFY ops? */
static bool ipmodify_has_user(const struct ftrace_ops *direct)
{
	struct ftrace_ops_node *node;

	lockdep_assert_held(&ftrace_lock);

	for_each_ftrace_ops(node) {
		struct ftrace_ops_filter meaning = ftrace_ops_filter_of(node->ops->func_hash);

		if (node->ops->flags & FTRACE_OPS_FL_IPMODIFY &&
		    ipmodify_shares_function(direct, &meaning))
			return true;
	}
	return false;
}

/* Find a DIRECT ops that traces one of the functions and has not agreed, or NULL. */
static struct ftrace_ops *ipmodify_next_to_ask(struct ftrace_hash *functions)
{
	const struct ftrace_ops_filter meaning = { .on = true, .filter = functions };
	const unsigned long flags = FTRACE_OPS_FL_DIRECT | FTRACE_OPS_FL_SHARE_IPMODIFY;
	struct ftrace_ops_node *node;

	guard(mutex)(&ftrace_lock);

	for_each_ftrace_ops(node)
		if ((node->ops->flags & flags) == FTRACE_OPS_FL_DIRECT &&
		    ipmodify_shares_function(node->ops, &meaning))
			return node->ops;
	return NULL;
}

/*
 * Find a DIRECT ops that had agreed and shares no function with an IPMODIFY ops, or NULL. Clears
 * its agreement immediately: filters are edited with only ftrace_lock held.
 */
static struct ftrace_ops *ipmodify_next_to_release(void)
{
	const unsigned long flags = FTRACE_OPS_FL_DIRECT | FTRACE_OPS_FL_SHARE_IPMODIFY;
	struct ftrace_ops_node *node;

	guard(mutex)(&ftrace_lock);

	for_each_ftrace_ops(node)
		if ((node->ops->flags & flags) == flags && !ipmodify_has_user(node->ops)) {
			node->ops->flags &= ~FTRACE_OPS_FL_SHARE_IPMODIFY;
			return node->ops;
		}
	return NULL;
}

/**
 * ftrace_ipmodify_ask - may an IPMODIFY ops be added to functions with direct calls?
 * @functions: functions that the IPMODIFY ops is going to trace
 *
 * Queries all DIRECT ops on these functions that have not agreed yet. After an error, or if the
 * IPMODIFY ops is not registered after all, ftrace_ipmodify_release() reverts this.
 *
 * Context: ftrace_direct_mutex held, which keeps the DIRECT ops registered; ftrace_lock not
 * held; may sleep
 *
 * Return: 0; -EBUSY if one has no ops_func; the error that an ops_func returned
 */
int ftrace_ipmodify_ask(struct ftrace_hash *functions)
{
	struct ftrace_ops *direct;

	lockdep_assert_held(&ftrace_direct_mutex);

	while ((direct = ipmodify_next_to_ask(functions))) {
		int err = -EBUSY;

		if (direct->ops_func)
			err = direct->ops_func(direct,
					       FTRACE_OPS_CMD_ENABLE_SHARE_IPMODIFY_PEER);
		if (err)
			return err;
		scoped_guard(mutex, &ftrace_lock)
			direct->flags |= FTRACE_OPS_FL_SHARE_IPMODIFY;
	}
	return 0;
}

/**
 * ftrace_ipmodify_release - end agreements after an IPMODIFY ops was removed, or not added
 *
 * Notifies the DIRECT ops that have agreed and no longer share a function with an IPMODIFY ops.
 *
 * Context: ftrace_direct_mutex held, ftrace_lock not held; may sleep
 */
void ftrace_ipmodify_release(void)
{
	struct ftrace_ops *direct;

	lockdep_assert_held(&ftrace_direct_mutex);

	while ((direct = ipmodify_next_to_release()))
		if (direct->ops_func)
			direct->ops_func(direct, FTRACE_OPS_CMD_DISABLE_SHARE_IPMODIFY_PEER);
}

/**
 * ftrace_ipmodify_ask_self - may a DIRECT ops be added to functions of IPMODIFY ops?
 * @direct: the DIRECT ops, not registered yet
 *
 * Context: ftrace_direct_mutex and ftrace_lock held
 *
 * Return: 0; -EBUSY if it has no ops_func; the error that its ops_func returned
 */
int ftrace_ipmodify_ask_self(struct ftrace_ops *direct)
{
	int err = -EBUSY;

	lockdep_assert_held(&ftrace_direct_mutex);

	direct->flags &= ~FTRACE_OPS_FL_SHARE_IPMODIFY;
	if (!ipmodify_has_user(direct))
		return 0;

	if (direct->ops_func)
		err = direct->ops_func(direct, FTRACE_OPS_CMD_ENABLE_SHARE_IPMODIFY_SELF);
	if (!err)
		direct->flags |= FTRACE_OPS_FL_SHARE_IPMODIFY;
	return err;
}
