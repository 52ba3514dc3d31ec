// SPDX-License-Identifier: GPL-2.0
/*
 * Direct calls: sites that call a trampoline of the user's own, which looks
 * after the registers itself and returns to the function.
 *
 * A DIRECT ops is a member of sets like any other. Where it is the only one, the
 * site calls its trampoline; where there are more, the trampoline of the set
 * calls these and then goes on to that of the DIRECT ops, as if the site had
 * called it.
 */
#include <linux/export.h>
#include <linux/slab.h>

#include "hook/direct.h"
#include "hook/dispatch.h"
#include "hook/ops.h"
#include "hook/opset.h"
#include "hook/reap.h"
#include "hook/want.h"
#include "lib/hash.h"
#include "patch/records.h"

/* The callback of a DIRECT ops, where the list function finds it. */
static void go_on_to_direct(unsigned long ip, unsigned long parent_ip,
			    struct ftrace_ops *op, struct ftrace_regs *fregs)
{
	arch_ftrace_set_direct_caller(fregs, READ_ONCE(op->direct_call));
}

static struct ftrace_hash *filter_of(const struct ftrace_ops *ops)
{
	return rcu_dereference_protected(ops->func_hash->filter_hash,
					 lockdep_is_held(&ftrace_lock));
}

static bool means(const struct ftrace_ops *ops, unsigned long ip)
{
	return ftrace_ops_means(filter_of(ops),
				rcu_dereference_protected(ops->func_hash->notrace_hash,
							  lockdep_is_held(&ftrace_lock)),
				ip);
}

/* Is there a function that both mean? @direct means a few, not all. */
static bool share(const struct ftrace_ops *direct, const struct ftrace_ops *ops)
{
	const struct ftrace_hash *filter = filter_of(direct);
	unsigned int i;

	for (i = 0; filter && i < filter->count; i++)
		if (means(direct, filter->ip[i]) && means(ops, filter->ip[i]))
			return true;
	return false;
}

static bool has_filter(const struct ftrace_ops *ops)
{
	guard(mutex)(&ftrace_lock);

	return filter_of(ops) && filter_of(ops)->count;
}

static struct ftrace_ops *next_direct(const struct ftrace_ops *ops)
{
	struct ftrace_ops *it;

	it = rcu_dereference_protected(ops ? ops->next : ftrace_ops_list,
				       lockdep_is_held(&ftrace_lock));
	while (it && !(it->flags & FTRACE_OPS_FL_DIRECT))
		it = rcu_dereference_protected(it->next,
					       lockdep_is_held(&ftrace_lock));
	return it;
}

/*
 * The DIRECT ops on functions of @ops, ended by NULL. They stay registered as
 * long as the caller holds ftrace_direct_mutex. To be freed by kvfree().
 */
static struct ftrace_ops **peers_of(const struct ftrace_ops *ops, gfp_t gfp)
{
	struct ftrace_ops *direct, **peer;
	unsigned int nr = 0;

	lockdep_assert_held(&ftrace_direct_mutex);
	guard(mutex)(&ftrace_lock);

	for (direct = next_direct(NULL); direct; direct = next_direct(direct))
		nr++;
	peer = kvmalloc_array(nr + 1, sizeof(*peer), gfp);
	if (!peer)
		return NULL;

	nr = 0;
	for (direct = next_direct(NULL); direct; direct = next_direct(direct))
		if (share(direct, ops))
			peer[nr++] = direct;
	peer[nr] = NULL;
	return peer;
}

static void dismiss(struct ftrace_ops **first, struct ftrace_ops **end)
{
	while (end-- > first)
		if ((*end)->ops_func)
			(*end)->ops_func(*end, FTRACE_OPS_CMD_DISABLE_SHARE_IPMODIFY_PEER);
}

/**
 * ftrace_direct_welcome - may an IPMODIFY ops come to where DIRECT ops are?
 * @ops: the IPMODIFY ops, not registered yet
 *
 * Asks those whose functions it means.
 *
 * Context: ftrace_direct_mutex held, ftrace_lock not; may sleep
 *
 * Return: 0; -EBUSY, where one cannot be asked; what one answered; -ENOMEM
 */
int ftrace_direct_welcome(struct ftrace_ops *ops)
{
	struct ftrace_ops **peer = peers_of(ops, GFP_KERNEL), **it;
	int err = 0;

	if (!peer)
		return -ENOMEM;

	for (it = peer; *it; it++) {
		err = -EBUSY;
		if ((*it)->ops_func)
			err = (*it)->ops_func(*it, FTRACE_OPS_CMD_ENABLE_SHARE_IPMODIFY_PEER);
		if (err)
			break;
	}
	if (err)
		dismiss(peer, it);
	kvfree(peer);
	return err;
}

/**
 * ftrace_direct_dismiss - an IPMODIFY ops has gone: tell the DIRECT ops
 * @ops: the IPMODIFY ops, not registered any more
 *
 * Context: ftrace_direct_mutex held, ftrace_lock not; may sleep
 */
void ftrace_direct_dismiss(struct ftrace_ops *ops)
{
	struct ftrace_ops **peer = peers_of(ops, GFP_KERNEL | __GFP_NOFAIL), **end;

	for (end = peer; *end; end++)
		;
	dismiss(peer, end);
	kvfree(peer);
}

/**
 * ftrace_direct_join - may a DIRECT ops come to where IPMODIFY ops are?
 * @ops: the DIRECT ops, not registered yet
 *
 * Context: ftrace_direct_mutex and ftrace_lock held
 *
 * Return: 0; -EBUSY if it cannot be asked, else what it answered
 */
int ftrace_direct_join(struct ftrace_ops *ops)
{
	struct ftrace_ops *it;

	lockdep_assert_held(&ftrace_direct_mutex);
	lockdep_assert_held(&ftrace_lock);

	for (it = rcu_dereference_protected(ftrace_ops_list, 1); it;
	     it = rcu_dereference_protected(it->next, 1))
		if (it->flags & FTRACE_OPS_FL_IPMODIFY && share(ops, it))
			return ops->ops_func ?
			       ops->ops_func(ops, FTRACE_OPS_CMD_ENABLE_SHARE_IPMODIFY_SELF) :
			       -EBUSY;
	return 0;
}

/**
 * ftrace_find_rec_direct - the direct call of a function
 * @ip: its call site
 *
 * Context: process context; takes ftrace_lock
 *
 * Return: the trampoline that was registered, or 0
 */
unsigned long ftrace_find_rec_direct(unsigned long ip)
{
	struct ftrace_ops *direct;

	guard(mutex)(&ftrace_lock);

	for (direct = next_direct(NULL); direct; direct = next_direct(direct))
		if (means(direct, ip))
			return direct->direct_call;
	return 0;
}

/**
 * register_ftrace_direct - have functions call a trampoline of one's own
 * @ops: the functions, as its filter tells; its callback is not the caller's
 * @addr: the trampoline, in reach of a call; it saves what it changes and
 *	returns to the function
 *
 * A function can have one. Other ops may be beside it and are called before.
 * Beside one that may change the instruction pointer, where the trampoline
 * returns to may be another function; @ops->ops_func is asked before.
 *
 * Context: process context; takes ftrace_direct_mutex and ftrace_lock
 *
 * Return: 0; -EINVAL without an address or a filter, or for an ops that has a
 * callback or is registered; -EBUSY for a function that has a direct call, or
 * whose other user does not go with one; else as register_ftrace_function()
 */
int register_ftrace_direct(struct ftrace_ops *ops, unsigned long addr)
{
	int err;

	if (!addr || ops->func || ops->flags & FTRACE_OPS_FL_ENABLED ||
	    !(ops->flags & FTRACE_OPS_FL_INITIALIZED) || !has_filter(ops))
		return -EINVAL;

	guard(mutex)(&ftrace_direct_mutex);

	ops->func = go_on_to_direct;
	ops->flags |= FTRACE_OPS_FL_DIRECT;
	WRITE_ONCE(ops->direct_call, addr);
	err = ftrace_ops_register(ops);
	if (err) {
		ops->func = NULL;
		ops->flags &= ~FTRACE_OPS_FL_DIRECT;
	}
	return err;
}
EXPORT_SYMBOL_GPL(register_ftrace_direct);

static bool is_direct(const struct ftrace_ops *ops)
{
	const unsigned long flags = FTRACE_OPS_FL_ENABLED | FTRACE_OPS_FL_DIRECT;

	return (ops->flags & flags) == flags;
}

/**
 * unregister_ftrace_direct - let functions not call it any more
 * @ops: what was registered
 * @addr: the trampoline, for the reader
 * @free_filters: free the filters of @ops, too
 *
 * Nobody is in the trampoline when this returns.
 *
 * Context: process context; takes ftrace_direct_mutex and ftrace_lock, and may
 * wait for long
 *
 * Return: 0, or -EINVAL if @ops is not registered as a direct call
 */
int unregister_ftrace_direct(struct ftrace_ops *ops, unsigned long addr,
			     bool free_filters)
{
	scoped_guard(mutex, &ftrace_direct_mutex) {
		if (!is_direct(ops))
			return -EINVAL;

		ftrace_ops_detach(ops);
	}

	/* Others need not stand in line for this: of many, all wait at once. */
	ftrace_reap_wait();
	/* Up to now, the list function may have called it. */
	ops->func = NULL;
	ops->flags &= ~FTRACE_OPS_FL_DIRECT;

	if (free_filters)
		ftrace_free_filter(ops);
	return 0;
}
EXPORT_SYMBOL_GPL(unregister_ftrace_direct);

/**
 * modify_ftrace_direct_nolock - have functions call another trampoline
 * @ops: what was registered
 * @addr: the other trampoline
 *
 * For @ops->ops_func, which is called with the lock held.
 *
 * Context: ftrace_direct_mutex held; takes ftrace_lock
 *
 * Return: 0; -EINVAL without an address or if @ops is not registered as a direct
 * call; else as register_ftrace_function(). In an error nothing has changed.
 */
int modify_ftrace_direct_nolock(struct ftrace_ops *ops, unsigned long addr)
{
	unsigned long old = ops->direct_call;
	int err;

	if (WARN_ON_ONCE(!mutex_is_locked(&ftrace_direct_mutex)))
		return -EINVAL;
	if (!addr || !is_direct(ops))
		return -EINVAL;

	guard(mutex)(&ftrace_lock);

	if (ftrace_is_dead())
		return -ENODEV;

	WRITE_ONCE(ops->direct_call, addr);
	err = ftrace_ops_want_again(ops);
	if (err)
		WRITE_ONCE(ops->direct_call, old);
	return err;
}
EXPORT_SYMBOL_GPL(modify_ftrace_direct_nolock);

/**
 * modify_ftrace_direct - have functions call another trampoline
 * @ops: what was registered
 * @addr: the other trampoline
 *
 * At any moment each function calls one of the two. Somebody may still be in the
 * old one when this returns.
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
