// SPDX-License-Identifier: GPL-2.0
/* struct ftrace_ops: registration, edits of its filters, unregistration. */
#include <linux/export.h>
#include <linux/rcupdate.h>
#include <asm/sections.h>

#include "ftrace/entry/ftrace_rcu.h"
#include "ftrace/entry/list.h"
#include "ftrace/entry/ops_filter.h"
#include "ftrace/ops/ipmodify.h"
#include "ftrace/ops/kill.h"
#include "ftrace/ops/lost.h"
#include "ftrace/ops/mod_map.h"
#include "ftrace/ops/ops.h"
#include "ftrace/ops/update.h"
#include "lib/hash.h"
#include "patch/announce.h"

/* See ftrace/ops/ipmodify.h. */
DEFINE_MUTEX(ftrace_direct_mutex);

struct ftrace_ops_hash ftrace_global_hash = {
	.regex_lock = __MUTEX_INITIALIZER(ftrace_global_hash.regex_lock),
};

/* List of struct ftrace_read_filters; ftrace_lock. */
static LIST_HEAD(read_filters);

/**
 * ftrace_ops_init - initialize the fields of an ops that belong to ftrace
 * @ops: the ops; left as it is if it is already initialized
 *
 * Context: any; the caller makes sure that no other code uses the ops concurrently
 */
void ftrace_ops_init(struct ftrace_ops *ops)
{
	if (ops->flags & FTRACE_OPS_FL_INITIALIZED)
		return;

	mutex_init(&ops->local_hash.regex_lock);
	ops->func_hash = &ops->local_hash;
	ops->flags |= FTRACE_OPS_FL_INITIALIZED;
}

/* Make the sites of the functions that an ops traces call it, or stop calling it. */
static int ftrace_ops_update_sites(struct ftrace_ops *ops, bool on, gfp_t gfp)
{
	struct ftrace_filter_change shift = {
		.ops = ops,
		.old = ftrace_ops_filter_of(ops->func_hash),
		.new = ftrace_ops_filter_of(ops->func_hash),
		.gfp = gfp,
	};

	shift.old.on = !on;
	shift.new.on = on;
	return ftrace_update_sites(&shift);
}

/* Conditions that an ops must meet before it is registered. */
static int ftrace_ops_check_flags(struct ftrace_ops *ops)
{
	if (ops->flags & FTRACE_OPS_FL_ENABLED)
		return -EBUSY;

	if (ops->flags & FTRACE_OPS_FL_SAVE_REGS &&
	    !IS_ENABLED(CONFIG_DYNAMIC_FTRACE_WITH_REGS))
		return -EINVAL;

	/* No ops may redirect all functions, or have a direct call on all of them. */
	if (ops->flags & (FTRACE_OPS_FL_IPMODIFY | FTRACE_OPS_FL_DIRECT) &&
	    !rcu_access_pointer(ops->func_hash->filter_hash))
		return -EINVAL;

	/* Some architectures cannot redirect functions. */
	if (ops->flags & FTRACE_OPS_FL_IPMODIFY &&
	    !IS_ENABLED(CONFIG_DYNAMIC_FTRACE_WITH_ARGS) &&
	    !IS_ENABLED(CONFIG_DYNAMIC_FTRACE_WITH_REGS))
		return -EINVAL;

	if (ops->flags & FTRACE_OPS_FL_PERMANENT && !ftrace_enabled)
		return -EBUSY;

	return 0;
}

/* Remove addresses that are no longer the same call site from a set that is visible to readers. */
static void ftrace_ops_forget_gone(struct ftrace_hash __rcu **slot, unsigned long serial)
{
	struct ftrace_hash *old, *left;

	old = rcu_dereference_protected(*slot, lockdep_is_held(&ftrace_lock));
	if (!old)
		return;

	left = ftrace_hash_copy(old, GFP_KERNEL | __GFP_NOFAIL);
	if (!ftrace_records_intersect(left, serial)) {
		ftrace_hash_free(left);
		return;
	}
	rcu_assign_pointer(*slot, left);
	ftrace_hash_free_rcu(old);
}

/**
 * ftrace_read_filters_add - add filters that callbacks are about to read
 * @filters: the filters; call sites that are removed are immediately removed from them
 *
 * Context: process context; takes ftrace_lock
 */
void ftrace_read_filters_add(struct ftrace_read_filters *filters)
{
	guard(mutex)(&ftrace_lock);

	list_add(&filters->link, &read_filters);
}

/**
 * ftrace_read_filters_del - remove filters that callbacks no longer read
 * @filters: filters that ftrace_read_filters_add() has added; functions of removed text remain
 *	in them from now on
 *
 * Context: process context; takes ftrace_lock
 */
void ftrace_read_filters_del(struct ftrace_read_filters *filters)
{
	guard(mutex)(&ftrace_lock);

	list_del(&filters->link);
}

/**
 * ftrace_filters_refresh - remove call sites that no longer exist from filters
 * @hash: the filters
 *
 * When text is removed, ftrace_sites_going() updates only the filters of registered ops, the
 * global filters and read_filters. Other filters are updated when they are used next, or shown.
 *
 * Context: ftrace_lock held; may sleep
 */
void ftrace_filters_refresh(struct ftrace_ops_hash *hash)
{
	unsigned long serial = ftrace_records_serial();

	lockdep_assert_held(&ftrace_lock);

	if (hash->serial == serial)
		return;

	ftrace_ops_forget_gone(&hash->filter_hash, hash->serial);
	ftrace_ops_forget_gone(&hash->notrace_hash, hash->serial);
	hash->serial = serial;
}

static int ftrace_ops_attach(struct ftrace_ops *ops)
{
	int err;

	lockdep_assert_held(&ftrace_lock);

	ftrace_filters_refresh(ops->func_hash);

	if (IS_ENABLED(CONFIG_DYNAMIC_FTRACE_WITH_REGS) &&
	    ops->flags & FTRACE_OPS_FL_SAVE_REGS_IF_SUPPORTED)
		ops->flags |= FTRACE_OPS_FL_SAVE_REGS;
	if (!is_kernel_core_data((unsigned long)ops))
		ops->flags |= FTRACE_OPS_FL_DYNAMIC;

	err = ftrace_ops_list_add(ops);
	if (err)
		return err;

	ops->flags |= FTRACE_OPS_FL_ENABLED;
	err = ftrace_ops_update_sites(ops, true, GFP_KERNEL);
	if (err) {
		ops->flags &= ~FTRACE_OPS_FL_ENABLED;
		ftrace_ops_list_del(ops);
	}
	return ftrace_check_text(err);
}

/**
 * ftrace_ops_register - register an ops with a callback or a direct call
 * @ops: the initialized ops
 * @was_listed: set to true if there is an error but the list function may be about to call the
 *	callback: until ftrace_synchronize() has returned, neither callback nor ops may be freed.
 *	The caller waits without the mutex, so that other ops can be registered and unregistered.
 *
 * Context: process context; takes ftrace_lock. For a DIRECT or IPMODIFY ops, the caller holds
 * ftrace_direct_mutex; for an IPMODIFY ops, it has called ftrace_ipmodify_ask().
 *
 * Return: as register_ftrace_function()
 */
int ftrace_ops_register(struct ftrace_ops *ops, bool *was_listed)
{
	int err;

	*was_listed = false;

	guard(mutex)(&ftrace_lock);

	err = ftrace_is_dead() ? -ENODEV : ftrace_ops_check_flags(ops);
	if (!err && ops->flags & FTRACE_OPS_FL_DIRECT)
		err = ftrace_ipmodify_ask_self(ops);
	if (err)
		return err;

	err = ftrace_ops_attach(ops);
	*was_listed = err;
	return err;
}

/* The functions that an IPMODIFY ops will trace when it is registered, as a set or ERR_PTR(). */
static struct ftrace_hash *ftrace_ops_future_functions(struct ftrace_ops *ops)
{
	struct ftrace_ops_filter meaning;

	guard(mutex)(&ftrace_lock);

	ftrace_filters_refresh(ops->func_hash);
	meaning = ftrace_ops_filter_of(ops->func_hash);
	if (!meaning.filter)
		return ERR_PTR(-EINVAL);

	return ftrace_hash_minus(meaning.filter, meaning.exclude) ?: ERR_PTR(-ENOMEM);
}

static int ftrace_ops_register_ipmodify(struct ftrace_ops *ops, bool *was_listed)
{
	struct ftrace_hash *functions;
	int err;

	guard(mutex)(&ftrace_direct_mutex);

	if (ops->flags & FTRACE_OPS_FL_ENABLED)
		return -EBUSY;

	functions = ftrace_ops_future_functions(ops);
	if (IS_ERR(functions))
		return PTR_ERR(functions);

	err = ftrace_ipmodify_ask(functions);
	ftrace_hash_free(functions);
	if (!err)
		err = ftrace_ops_register(ops, was_listed);
	if (err)
		ftrace_ipmodify_release();
	return err;
}

/**
 * register_ftrace_function - call a callback at the start of functions
 * @ops: the callback, its flags, and filters that select the functions
 *
 * The callback may be called before this returns.
 *
 * Context: process context; takes ftrace_direct_mutex and ftrace_lock
 *
 * Return: 0; -EINVAL for an ops without callback or with flags that are not supported; -EBUSY if
 * it is already registered, if it is PERMANENT while kernel.ftrace_enabled is 0, or if it would
 * be the second IPMODIFY ops of a function; the error of the ops_func of a direct call on such a
 * function; -ENOMEM; -ENODEV when tracing is shut down
 */
int register_ftrace_function(struct ftrace_ops *ops)
{
	bool was_listed = false;
	int err;

	if (!ops->func)
		return -EINVAL;
	if (ftrace_is_dead())
		return -ENODEV;

	ftrace_ops_init(ops);
	if (ops->flags & FTRACE_OPS_FL_IPMODIFY)
		err = ftrace_ops_register_ipmodify(ops, &was_listed);
	else
		err = ftrace_ops_register(ops, &was_listed);

	if (was_listed && ops->flags & FTRACE_OPS_FL_DYNAMIC)
		ftrace_synchronize();
	return err;
}
EXPORT_SYMBOL_GPL(register_ftrace_function);

/**
 * ftrace_ops_detach - remove a callback or a direct call from all functions
 * @ops: the registered ops; tasks may be in its callback until ftrace_synchronize()
 *
 * Context: process context; takes ftrace_lock
 *
 * Return: 0, or -EBUSY if @ops is not registered
 */
int ftrace_ops_detach(struct ftrace_ops *ops)
{
	int err, found = 0;

	guard(mutex)(&ftrace_lock);

	if (!(ops->flags & FTRACE_OPS_FL_ENABLED))
		return -EBUSY;

	/*
	 * The memory of the callback may be freed, and the caller could not handle an error: so
	 * this does not fail. Corrupt sites are known after the first attempt, and the next
	 * attempt leaves them out.
	 */
	while ((err = ftrace_ops_update_sites(ops, false, GFP_KERNEL | __GFP_NOFAIL)) == -EINVAL ||
	       err == -EFAULT)
		found = err;
	ops->flags &= ~FTRACE_OPS_FL_ENABLED;
	ftrace_ops_list_del(ops);
	ftrace_check_text(found);
	return 0;
}

/**
 * unregister_ftrace_function - stop calling a callback
 * @ops: the registered ops
 *
 * No function calls the callback when this returns. If @ops is not part of the kernel's own
 * data, no task is in the callback either, and its memory may be freed.
 *
 * Context: process context; takes ftrace_direct_mutex and ftrace_lock, and may wait for grace
 * periods of RCU Tasks
 *
 * Return: 0, or -EBUSY if @ops is not registered
 */
int unregister_ftrace_function(struct ftrace_ops *ops)
{
	int err;

	if (ops->flags & FTRACE_OPS_FL_IPMODIFY) {
		scoped_guard(mutex, &ftrace_direct_mutex)
			err = ftrace_ops_detach(ops);
	} else {
		err = ftrace_ops_detach(ops);
	}
	if (err)
		return err;

	/*
	 * Without the mutex, so that direct calls can be registered and unregistered
	 * concurrently.
	 */
	if (ops->flags & FTRACE_OPS_FL_DYNAMIC)
		ftrace_synchronize();

	if (ops->flags & FTRACE_OPS_FL_IPMODIFY) {
		scoped_guard(mutex, &ftrace_direct_mutex)
			ftrace_ipmodify_release();
	}
	return 0;
}
EXPORT_SYMBOL_GPL(unregister_ftrace_function);

/*
 * All flags of the registered ops that use these filters; of all registered ops if @hash is
 * NULL.
 */
static unsigned long ftrace_ops_users_flags(const struct ftrace_ops_hash *hash)
{
	struct ftrace_ops_node *node;
	unsigned long flags = 0;

	for_each_ftrace_ops(node)
		if (!hash || node->ops->func_hash == hash)
			flags |= node->ops->flags;
	return flags;
}

/* Publish a new set, and make the sites call the ops that use these filters. */
static int ftrace_ops_replace_set(struct ftrace_ops_hash *hash, struct ftrace_hash __rcu **slot,
				  struct ftrace_hash *new, bool in_use, gfp_t gfp)
{
	struct ftrace_filter_change shift = { .hash = hash, .gfp = gfp };
	struct ftrace_hash *old;
	int err = 0;

	shift.old = ftrace_ops_filter_of(hash);
	old = rcu_dereference_protected(*slot, lockdep_is_held(&ftrace_lock));
	rcu_assign_pointer(*slot, new);
	shift.new = ftrace_ops_filter_of(hash);

	if (in_use)
		err = ftrace_update_sites(&shift);
	if (err)
		rcu_assign_pointer(*slot, old);

	/* The list function may be reading either set. */
	ftrace_hash_free_rcu(err ? new : old);
	return ftrace_check_text(err);
}

/* Do sites call users with these flags? */
static bool ftrace_ops_in_force(unsigned long flags)
{
	return flags & FTRACE_OPS_FL_ENABLED &&
	       (!ftrace_is_dead() || flags & FTRACE_OPS_KEPT);
}

/* ftrace_ops_edit_hash(), except for the agreements that IPMODIFY ops need. */
static int ftrace_ops_edit_hash_alone(struct ftrace_ops_hash *hash, bool exclude,
				      ftrace_hash_edit_t edit, const void *data, gfp_t gfp,
				      unsigned long *flags)
{
	struct ftrace_hash __rcu **slot;
	struct ftrace_hash *old, *new;

	guard(mutex)(&hash->regex_lock);
	guard(mutex)(&ftrace_lock);

	ftrace_filters_refresh(hash);
	*flags = ftrace_ops_users_flags(hash);

	slot = exclude ? &hash->notrace_hash : &hash->filter_hash;
	old = rcu_dereference_protected(*slot, lockdep_is_held(&ftrace_lock));
	new = edit(old, data);
	if (IS_ERR(new))
		return PTR_ERR(new);
	if (new == old)
		return 0;

	/* No ops may redirect all functions, or have a direct call on all of them. */
	if (!exclude && !new && *flags & (FTRACE_OPS_FL_IPMODIFY | FTRACE_OPS_FL_DIRECT))
		return -EINVAL;

	return ftrace_ops_replace_set(hash, slot, new, ftrace_ops_in_force(*flags), gfp);
}

/* The functions that filters select after an edit, as a set or ERR_PTR(). */
static struct ftrace_hash *ftrace_ops_edited_functions(struct ftrace_ops_hash *hash,
						       ftrace_hash_edit_t edit, const void *data)
{
	struct ftrace_hash *filter, *functions;
	struct ftrace_ops_filter meaning;

	guard(mutex)(&ftrace_lock);

	meaning = ftrace_ops_filter_of(hash);
	filter = edit(meaning.filter, data);
	if (IS_ERR(filter))
		return filter;

	functions = ftrace_hash_minus(filter, meaning.exclude);
	if (filter != meaning.filter)
		ftrace_hash_free(filter);
	return functions ?: ERR_PTR(-ENOMEM);
}

/* Repeat an edit that was refused, once the owners of direct calls have agreed. */
static int ftrace_ops_edit_hash_shared(struct ftrace_ops_hash *hash, ftrace_hash_edit_t edit,
				       const void *data, gfp_t gfp)
{
	struct ftrace_hash *functions = ftrace_ops_edited_functions(hash, edit, data);
	unsigned long flags;
	int err;

	if (IS_ERR(functions))
		return PTR_ERR(functions);

	err = ftrace_ipmodify_ask(functions);
	ftrace_hash_free(functions);
	return err ?: ftrace_ops_edit_hash_alone(hash, false, edit, data, gfp, &flags);
}

/**
 * ftrace_ops_edit_hash - change the functions that filters select
 * @hash: the filters
 * @exclude: change notrace_hash instead of filter_hash
 * @edit: makes the new set from the current one, under ftrace_lock. It returns the current set
 *	for no change, NULL for no restriction, or an ERR_PTR(). It may be called more than once.
 * @data: argument for @edit
 * @gfp: GFP_KERNEL, or with __GFP_NOFAIL if lack of memory must not be an error
 *
 * The change applies to all registered ops that use these filters. If they include an IPMODIFY
 * ops, the owners of direct calls are queried and notified as when an ops is registered.
 *
 * Context: process context; takes @hash->regex_lock and ftrace_lock, and for filters of a
 * registered IPMODIFY ops ftrace_direct_mutex
 *
 * Return: 0, the error of @edit, -EINVAL if a DIRECT or IPMODIFY ops would have no filter, the
 * error of an ops_func, or as ftrace_update_sites(). An error has no effect.
 */
int ftrace_ops_edit_hash(struct ftrace_ops_hash *hash, bool exclude,
			 ftrace_hash_edit_t edit, const void *data, gfp_t gfp)
{
	unsigned long flags = 0;
	int err = ftrace_ops_edit_hash_alone(hash, exclude, edit, data, gfp, &flags);

	/*
	 * Edits of the global filters are made with mod_pending_lock held, inside of which
	 * ftrace_direct_mutex must not be taken: there, -EBUSY is returned.
	 */
	if (!(flags & FTRACE_OPS_FL_IPMODIFY) || hash == &ftrace_global_hash)
		return err;

	guard(mutex)(&ftrace_direct_mutex);

	if (err == -EBUSY && !exclude)
		err = ftrace_ops_edit_hash_shared(hash, edit, data, gfp);
	ftrace_ipmodify_release();
	return err;
}

static struct ftrace_hash *ftrace_ops_no_restriction(struct ftrace_hash *old, const void *data)
{
	return NULL;
}

/**
 * ftrace_free_filter - free the filters of an ops
 * @ops: the ops, not registered
 *
 * Context: process context
 */
void ftrace_free_filter(struct ftrace_ops *ops)
{
	ftrace_ops_init(ops);
	if (WARN_ON_ONCE(ops->flags & FTRACE_OPS_FL_ENABLED))
		return;

	if (ops->local_hash.forget)
		ops->local_hash.forget(&ops->local_hash);
	ftrace_ops_edit_hash(&ops->local_hash, false, ftrace_ops_no_restriction, NULL, GFP_KERNEL);
	ftrace_ops_edit_hash(&ops->local_hash, true, ftrace_ops_no_restriction, NULL, GFP_KERNEL);
}
EXPORT_SYMBOL_GPL(ftrace_free_filter);

/**
 * ftrace_switch - set kernel.ftrace_enabled
 * @enabled: true if sites must call their targets, false to make them NOPs for now
 *
 * Context: process context; takes ftrace_lock
 *
 * Return: 0; -EBUSY if a PERMANENT ops is registered; -ENODEV when tracing is shut down; else as
 * ftrace_update_sites()
 */
int ftrace_switch(bool enabled)
{
	int err;

	guard(mutex)(&ftrace_lock);

	if (ftrace_is_dead())
		return -ENODEV;
	if (enabled == ftrace_enabled)
		return 0;
	if (!enabled && ftrace_ops_users_flags(NULL) & FTRACE_OPS_FL_PERMANENT)
		return -EBUSY;

	err = ftrace_update_all(enabled);
	if (!err) {
		ftrace_enabled = enabled;
		ftrace_announce_switch(enabled);
	}
	return ftrace_check_text(err);
}

#ifdef CONFIG_DYNAMIC_FTRACE
#ifdef CONFIG_ARCH_WANTS_EXECMEM_LATE
/* Move functions that were traced before there was memory for trampolines off the list function. */
static int __init ftrace_ops_leave_list_function(void)
{
	guard(mutex)(&ftrace_lock);

	if (!ftrace_is_dead() && ftrace_enabled)
		ftrace_check_text(ftrace_update_all(true));
	return 0;
}
postcore_initcall_sync(ftrace_ops_leave_list_function);
#endif

/**
 * ftrace_sites_coming - trace the call sites of text that is about to run
 * @start: first address of the text
 * @end: end of the text, exclusive
 *
 * Context: process context; takes ftrace_lock
 *
 * Return: 0 or as ftrace_update_sites()
 */
int ftrace_sites_coming(unsigned long start, unsigned long end)
{
	guard(mutex)(&ftrace_lock);

	return ftrace_is_dead() ? 0 : ftrace_check_text(ftrace_update_range(start, end));
}

/* Remove the addresses of a range, whose records have been removed, from a set. */
static void ftrace_ops_forget_in(struct ftrace_hash __rcu **slot, unsigned long start,
				 unsigned long end, unsigned long serial)
{
	struct ftrace_hash *hash;

	hash = rcu_dereference_protected(*slot, lockdep_is_held(&ftrace_lock));
	if (hash && ftrace_hash_touches(hash, start, end))
		ftrace_ops_forget_gone(slot, serial);
}

static void ftrace_ops_forget_in_both(struct ftrace_ops_hash *hash, unsigned long start,
				      unsigned long end, unsigned long serial)
{
	ftrace_ops_forget_in(&hash->filter_hash, start, end, serial);
	ftrace_ops_forget_in(&hash->notrace_hash, start, end, serial);
}

static void ftrace_ops_forget_in_filters(unsigned long start, unsigned long end,
					 unsigned long serial)
{
	struct ftrace_read_filters *filters;
	struct ftrace_ops_node *node;

	for_each_ftrace_ops(node)
		ftrace_ops_forget_in_both(node->ops->func_hash, start, end, serial);
	list_for_each_entry(filters, &read_filters, link)
		ftrace_ops_forget_in_both(filters->hash, start, end, serial);
	ftrace_ops_forget_in_both(&ftrace_global_hash, start, end, serial);
}

/**
 * ftrace_sites_going - remove the call sites of text that is about to be freed
 * @mod: module that remains loaded without this text, or NULL
 * @start: first address of the text
 * @end: end of the text, exclusive
 *
 * Context: process context; takes ftrace_lock
 */
void ftrace_sites_going(struct module *mod, unsigned long start, unsigned long end)
{
	unsigned long serial;

	guard(mutex)(&ftrace_lock);

	if (mod)
		ftrace_mod_map_add(mod, start, end);
	ftrace_check_text(ftrace_update_range_off(start, end));
	serial = ftrace_records_serial();
	ftrace_records_remove(start, end);
	ftrace_announced_forget(start, end);
	ftrace_ops_forget_in_filters(start, end, serial);
}
#endif /* CONFIG_DYNAMIC_FTRACE */
