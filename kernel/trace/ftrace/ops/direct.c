// SPDX-License-Identifier: GPL-2.0
/*
 * Direct calls: sites that call a user's own trampoline, which saves the registers itself and
 * returns to the function.
 *
 * A DIRECT ops is a member of sets like any other ops. If it is the only member, the site calls
 * its trampoline. If there are other members, the trampoline of the set calls them first and
 * then jumps to the trampoline of the DIRECT ops, as if the site had called it.
 */
#include <linux/export.h>

#include "ftrace/entry/ftrace_rcu.h"
#include "ftrace/entry/list.h"
#include "ftrace/entry/ops_filter.h"
#include "ftrace/ops/ipmodify.h"
#include "ftrace/ops/kill.h"
#include "ftrace/ops/ops.h"
#include "ftrace/ops/update.h"

/* The callback of a DIRECT ops: the list function calls it like any other callback. */
static void ftrace_direct_set_caller(unsigned long ip, unsigned long parent_ip,
				     struct ftrace_ops *op, struct ftrace_regs *fregs)
{
	arch_ftrace_set_direct_caller(fregs, READ_ONCE(op->direct_call));
}

static bool ftrace_direct_has_filter(const struct ftrace_ops *ops)
{
	struct ftrace_ops_filter meaning;

	guard(mutex)(&ftrace_lock);

	meaning = ftrace_ops_filter_of(ops->func_hash);
	return meaning.filter && meaning.filter->count;
}

/* The ops is not registered, and the list function no longer uses it. */
static void ftrace_direct_forget(struct ftrace_ops *ops)
{
	ops->func = NULL;
	ops->flags &= ~(FTRACE_OPS_FL_DIRECT | FTRACE_OPS_FL_SHARE_IPMODIFY);
}

/**
 * ftrace_find_rec_direct - find the direct call of a function
 * @ip: call site of the function
 *
 * Context: process context; takes ftrace_lock
 *
 * Return: the trampoline that was registered, or 0
 */
unsigned long ftrace_find_rec_direct(unsigned long ip)
{
	struct ftrace_ops_node *node;

	guard(mutex)(&ftrace_lock);

	for_each_ftrace_ops(node) {
		struct ftrace_ops_filter meaning = ftrace_ops_filter_of(node->ops->func_hash);

		if (node->ops->flags & FTRACE_OPS_FL_DIRECT &&
		    ftrace_ops_filter_has(&meaning, ip))
			return node->ops->direct_call;
	}
	return 0;
}

/* The caller holds ftrace_direct_mutex. Return: as register_ftrace_direct(). */
static int ftrace_direct_add(struct ftrace_ops *ops, unsigned long addr, bool *was_listed)
{
	int err;

	if (!addr || ops->func || ops->flags & FTRACE_OPS_FL_ENABLED ||
	    !(ops->flags & FTRACE_OPS_FL_INITIALIZED) || !ftrace_direct_has_filter(ops))
		return -EINVAL;

	ops->func = ftrace_direct_set_caller;
	ops->flags |= FTRACE_OPS_FL_DIRECT;
	WRITE_ONCE(ops->direct_call, addr);
	err = ftrace_ops_register(ops, was_listed);
	if (err && !*was_listed)
		ftrace_direct_forget(ops);
	return err;
}

/**
 * register_ftrace_direct - make functions call a trampoline of the caller
 * @ops: ops whose filter selects the functions; its callback is unset, and is set here
 * @addr: trampoline within the reach of a call; it saves the registers that it changes and
 *	returns to the function
 *
 * A function can have one direct call. Other ops on the function are called before it. If one of
 * them is an IPMODIFY ops, the trampoline may return to another function; @ops->ops_func is
 * called to query whether it can cope with that.
 *
 * Context: process context; takes ftrace_direct_mutex and ftrace_lock
 *
 * Return: 0; -EINVAL without an address or a filter, or if @ops has a callback or is registered;
 * -EBUSY if one of the functions has a direct call, or an IPMODIFY ops and @ops has no ops_func;
 * an error of @ops->ops_func; else as register_ftrace_function()
 */
int register_ftrace_direct(struct ftrace_ops *ops, unsigned long addr)
{
	bool was_listed = false;
	int err;

	scoped_guard(mutex, &ftrace_direct_mutex)
		err = ftrace_direct_add(ops, addr, &was_listed);

	/* Without the mutex, as below; until then the ops counts as one that has a callback. */
	if (was_listed) {
		ftrace_synchronize();
		ftrace_direct_forget(ops);
	}
	return err;
}
EXPORT_SYMBOL_GPL(register_ftrace_direct);

static bool ftrace_direct_is_registered(const struct ftrace_ops *ops)
{
	const unsigned long flags = FTRACE_OPS_FL_ENABLED | FTRACE_OPS_FL_DIRECT;

	return (ops->flags & flags) == flags;
}

/**
 * unregister_ftrace_direct - remove a direct call from its functions
 * @ops: the registered ops
 * @addr: not used
 * @free_filters: also free the filters of @ops
 *
 * No task is in the trampoline when this returns.
 *
 * Context: process context; takes ftrace_direct_mutex and ftrace_lock, and waits for grace
 * periods of RCU Tasks
 *
 * Return: 0, or -EINVAL if @ops is not registered as a direct call
 */
int unregister_ftrace_direct(struct ftrace_ops *ops, unsigned long addr,
			     bool free_filters)
{
	scoped_guard(mutex, &ftrace_direct_mutex) {
		if (!ftrace_direct_is_registered(ops))
			return -EINVAL;

		ftrace_ops_detach(ops);
	}

	/* Without the mutex, so that many callers can wait for the same grace period. */
	ftrace_synchronize();
	ftrace_direct_forget(ops);

	if (free_filters)
		ftrace_free_filter(ops);
	return 0;
}
EXPORT_SYMBOL_GPL(unregister_ftrace_direct);

/**
 * modify_ftrace_direct_nolock - make functions call another trampoline
 * @ops: the registered ops
 * @addr: the new trampoline
 *
 * For use in @ops->ops_func, which is called with the mutex held.
 *
 * Context: ftrace_direct_mutex held; takes ftrace_lock
 *
 * Return: 0; -EINVAL without an address or if @ops is not registered as a direct call; else as
 * register_ftrace_function(). An error has no effect.
 */
int modify_ftrace_direct_nolock(struct ftrace_ops *ops, unsigned long addr)
{
	unsigned long old = ops->direct_call;
	int err;

	if (WARN_ON_ONCE(!mutex_is_locked(&ftrace_direct_mutex)))
		return -EINVAL;
	if (!addr || !ftrace_direct_is_registered(ops))
		return -EINVAL;

	guard(mutex)(&ftrace_lock);

	WRITE_ONCE(ops->direct_call, addr);
	err = ftrace_update_direct(ops);
	if (err)
		WRITE_ONCE(ops->direct_call, old);
	return ftrace_check_text(err);
}
EXPORT_SYMBOL_GPL(modify_ftrace_direct_nolock);

/**
 * modify_ftrace_direct - make functions call another trampoline
 * @ops: the registered ops
 * @addr: the new trampoline
 *
 * At any moment each function calls one of the two. Tasks may still be in the old one when this
 * returns.
 *
 * Context: process context; takes ftrace_direct_mutex and ftrace_lock
 *
 * Return: as modify_ftrace_direct_nolock()
 */
int modify_ftrace_direct(struct ftrace_ops *ops, unsigned long addr)
{
	guard(mutex)(&ftrace_direct_mutex);

	return modify_ftrace_direct_nolock(ops, addr);
}
EXPORT_SYMBOL_GPL(modify_ftrace_direct);
