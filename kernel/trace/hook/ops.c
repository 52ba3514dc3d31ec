// SPDX-License-Identifier: GPL-2.0
/*
 * The life of an ftrace_ops: registered, given other filters, unregistered.
 */
#define pr_fmt(fmt) "ftrace: " fmt

#include <linux/export.h>
#include <linux/kprobes.h>
#include <linux/rcupdate.h>
#include <linux/seq_buf.h>
#include <linux/slab.h>
#include <linux/workqueue.h>
#include <asm/sections.h>

#include "hook/direct.h"
#include "hook/dispatch.h"
#include "hook/gone.h"
#include "hook/ops.h"
#include "hook/opset.h"
#include "hook/reap.h"
#include "hook/want.h"
#include "lib/hash.h"

/* kernel.ftrace_enabled: when 0, sites are NOPs whoever wants them. */
int ftrace_enabled __read_mostly = 1;

static bool ftrace_dead __read_mostly;

/* See hook/direct.h. */
DEFINE_MUTEX(ftrace_direct_mutex);

struct ftrace_ops_hash ftrace_global_hash = {
	.regex_lock = __MUTEX_INITIALIZER(ftrace_global_hash.regex_lock),
};

/**
 * ftrace_is_dead - has tracing been shut down for good?
 */
bool ftrace_is_dead(void)
{
	return READ_ONCE(ftrace_dead);
}

/* Under ftrace_lock. Idempotent. */
static void shut_down(void)
{
	WRITE_ONCE(ftrace_dead, true);
	kprobe_ftrace_kill();
	ftrace_want_nothing();
	WRITE_ONCE(ftrace_enabled, 0);
}

static void kill_work_func(struct work_struct *work)
{
	guard(mutex)(&ftrace_lock);
	shut_down();
}

static DECLARE_WORK(kill_work, kill_work_func);

/**
 * ftrace_kill - never trace a function again
 *
 * For use when something is found that makes changing text a danger. Nothing
 * is traced from some time after, and nothing can be registered any more.
 *
 * Context: any but NMI
 */
void ftrace_kill(void)
{
	WRITE_ONCE(ftrace_dead, true);
	kprobe_ftrace_kill();
	/* Before there are workqueues, nothing is traced. */
	if (system_wq)
		schedule_work(&kill_work);
}

/* A site was not what it should be: the end of tracing, not of the machine. */
static int check_text(int err)
{
	if (err == -EINVAL || err == -EFAULT)
		shut_down();
	return err;
}

/**
 * ftrace_ops_init - set up what ftrace keeps in an ops
 * @ops: the ops, set up before or not
 *
 * Context: whoever uses the ops for the first time
 */
void ftrace_ops_init(struct ftrace_ops *ops)
{
	if (ops->flags & FTRACE_OPS_FL_INITIALIZED)
		return;

	mutex_init(&ops->local_hash.regex_lock);
	ops->func_hash = &ops->local_hash;
	ops->flags |= FTRACE_OPS_FL_INITIALIZED;
}

static struct ftrace_meaning meaning_in(const struct ftrace_ops_hash *hash, bool on)
{
	return (struct ftrace_meaning) {
		.on = on,
		.filter = rcu_dereference_protected(hash->filter_hash,
						    lockdep_is_held(&ftrace_lock)),
		.exclude = rcu_dereference_protected(hash->notrace_hash,
						     lockdep_is_held(&ftrace_lock)),
	};
}

static int shift_registered(struct ftrace_ops *ops, bool on, gfp_t gfp)
{
	struct ftrace_shift shift = {
		.ops = ops,
		.old = meaning_in(ops->func_hash, !on),
		.new = meaning_in(ops->func_hash, on),
		.agreed = true,
		.gfp = gfp,
	};

	return ftrace_want_shift(&shift);
}

static void list_add_ops(struct ftrace_ops *ops)
{
	rcu_assign_pointer(ops->next, rcu_dereference_protected(ftrace_ops_list, 1));
	rcu_assign_pointer(ftrace_ops_list, ops);
}

/* @ops->next stays: the list function may be there. */
static void list_del_ops(struct ftrace_ops *ops)
{
	struct ftrace_ops __rcu **link = &ftrace_ops_list;
	struct ftrace_ops *it;

	while ((it = rcu_dereference_protected(*link, 1)) && it != ops)
		link = &it->next;
	if (it)
		rcu_assign_pointer(*link, rcu_dereference_protected(ops->next, 1));
}

/* What has to be true of an ops before it is registered. */
static int check_flags(struct ftrace_ops *ops)
{
	if (ops->flags & FTRACE_OPS_FL_ENABLED)
		return -EBUSY;

	if (ops->flags & FTRACE_OPS_FL_SAVE_REGS &&
	    !IS_ENABLED(CONFIG_DYNAMIC_FTRACE_WITH_REGS))
		return -EINVAL;

	/* Nobody hijacks all functions. */
	if (ops->flags & FTRACE_OPS_FL_IPMODIFY &&
	    !rcu_access_pointer(ops->func_hash->filter_hash))
		return -EINVAL;

	if (ops->flags & FTRACE_OPS_FL_PERMANENT && !ftrace_enabled)
		return -EBUSY;

	return 0;
}

/**
 * ftrace_hash_existing - those of a set that are call sites still
 * @hash: the set, NULL for an empty one
 * @gfp: GFP_KERNEL, or with __GFP_NOFAIL
 *
 * Context: ftrace_lock held; may sleep
 *
 * Return: a new set, or NULL if out of memory
 */
struct ftrace_hash *ftrace_hash_existing(const struct ftrace_hash *hash, gfp_t gfp)
{
	struct ftrace_hash *left = ftrace_hash_copy(hash, gfp);
	unsigned int i, kept = 0;

	if (!left)
		return NULL;

	for (i = 0; i < left->count; i++)
		if (ftrace_rec_find(left->ip[i]))
			left->ip[kept++] = left->ip[i];
	left->count = kept;
	return left;
}

static bool all_exist(const struct ftrace_hash *hash)
{
	unsigned int i;

	for (i = 0; hash && i < hash->count; i++)
		if (!ftrace_rec_find(hash->ip[i]))
			return false;
	return true;
}

/*
 * Leave out of a set, which others may be reading, what is no call site any
 * more: other text may come to lie there, which was never meant.
 */
static void forget_gone(struct ftrace_hash __rcu **slot)
{
	struct ftrace_hash *old;

	old = rcu_dereference_protected(*slot, lockdep_is_held(&ftrace_lock));
	if (all_exist(old))
		return;

	rcu_assign_pointer(*slot, ftrace_hash_existing(old, GFP_KERNEL | __GFP_NOFAIL));
	ftrace_reap_hash(old);
}

static int attach(struct ftrace_ops *ops)
{
	int err;

	lockdep_assert_held(&ftrace_lock);

	/* Until now, nobody knew of these filters when text went. */
	if (ops->func_hash != &ftrace_global_hash) {
		forget_gone(&ops->func_hash->filter_hash);
		forget_gone(&ops->func_hash->notrace_hash);
	}

	if (IS_ENABLED(CONFIG_DYNAMIC_FTRACE_WITH_REGS) &&
	    ops->flags & FTRACE_OPS_FL_SAVE_REGS_IF_SUPPORTED)
		ops->flags |= FTRACE_OPS_FL_SAVE_REGS;
	if (!is_kernel_core_data((unsigned long)ops))
		ops->flags |= FTRACE_OPS_FL_DYNAMIC;

	list_add_ops(ops);
	ops->flags |= FTRACE_OPS_FL_ENABLED;
	err = shift_registered(ops, true, GFP_KERNEL);
	if (err) {
		ops->flags &= ~FTRACE_OPS_FL_ENABLED;
		list_del_ops(ops);
	}
	return check_text(err);
}

/**
 * ftrace_ops_register - have a callback or a direct call called
 * @ops: the ops, set up
 *
 * Context: process context; takes ftrace_lock. For an ops that is DIRECT or may
 * change the instruction pointer, ftrace_direct_mutex is held, and the DIRECT
 * ops that are there have agreed.
 *
 * Return: as register_ftrace_function()
 */
int ftrace_ops_register(struct ftrace_ops *ops)
{
	int err;

	scoped_guard(mutex, &ftrace_lock) {
		err = ftrace_is_dead() ? -ENODEV : check_flags(ops);
		if (!err && ops->flags & FTRACE_OPS_FL_DIRECT)
			err = ftrace_direct_join(ops);
		if (err)
			return err;
		err = attach(ops);
	}

	/* The list function may have seen it. */
	if (err && ops->flags & FTRACE_OPS_FL_DYNAMIC)
		ftrace_reap_wait();
	return err;
}

/**
 * register_ftrace_function - have a callback called at the start of functions
 * @ops: the callback, its flags, and the functions as its filters tell
 *
 * The callback may be called before this returns.
 *
 * Context: process context; takes ftrace_direct_mutex and ftrace_lock
 *
 * Return: 0; -EINVAL for an ops without callback or with flags that cannot be
 * honoured; -EBUSY for one that is registered already, that is PERMANENT while
 * kernel.ftrace_enabled is 0, or that would be the second to change the
 * instruction pointer of a function; what the owner of a direct call on such a
 * function answered; -ENOMEM; -ENODEV when tracing is shut down
 */
int register_ftrace_function(struct ftrace_ops *ops)
{
	int err;

	if (!ops->func)
		return -EINVAL;
	if (ftrace_is_dead())
		return -ENODEV;

	ftrace_ops_init(ops);
	if (!(ops->flags & FTRACE_OPS_FL_IPMODIFY))
		return ftrace_ops_register(ops);

	guard(mutex)(&ftrace_direct_mutex);

	if (ops->flags & FTRACE_OPS_FL_ENABLED)
		return -EBUSY;

	err = ftrace_direct_welcome(ops);
	if (err)
		return err;

	err = ftrace_ops_register(ops);
	if (err)
		ftrace_direct_dismiss(ops);
	return err;
}
EXPORT_SYMBOL_GPL(register_ftrace_function);

/**
 * ftrace_ops_detach - let nobody enter a callback or a direct call any more
 * @ops: what was registered; somebody may be in it until ftrace_reap_wait()
 *
 * Context: process context; takes ftrace_lock
 *
 * Return: 0, or -EBUSY if @ops is not registered
 */
int ftrace_ops_detach(struct ftrace_ops *ops)
{
	guard(mutex)(&ftrace_lock);

	if (!(ops->flags & FTRACE_OPS_FL_ENABLED))
		return -EBUSY;

	/*
	 * The caller cannot do anything about an error, and its callback may go:
	 * this must not fail. If a site is not what it should be, shutting down
	 * makes NOPs of all others.
	 */
	check_text(shift_registered(ops, false, GFP_KERNEL | __GFP_NOFAIL));
	ops->flags &= ~FTRACE_OPS_FL_ENABLED;
	list_del_ops(ops);
	return 0;
}

/* Detached, and left if its memory may go. */
static int unregister(struct ftrace_ops *ops)
{
	int err = ftrace_ops_detach(ops);

	if (!err && ops->flags & FTRACE_OPS_FL_DYNAMIC)
		ftrace_reap_wait();
	return err;
}

/**
 * unregister_ftrace_function - have a callback not called any more
 * @ops: what was registered
 *
 * When this returns, nobody will enter the callback any more. Of an ops that is
 * not part of the kernel's own data, nobody is inside it either, and its memory
 * may go.
 *
 * Context: process context; takes ftrace_direct_mutex and ftrace_lock, and may
 * wait for long
 *
 * Return: 0, or -EBUSY if @ops is not registered
 */
int unregister_ftrace_function(struct ftrace_ops *ops)
{
	int err;

	if (!(ops->flags & FTRACE_OPS_FL_IPMODIFY))
		return unregister(ops);

	guard(mutex)(&ftrace_direct_mutex);

	err = unregister(ops);
	if (!err)
		ftrace_direct_dismiss(ops);
	return err;
}
EXPORT_SYMBOL_GPL(unregister_ftrace_function);

/**
 * ftrace_ops_want_again - an ops has got another direct call
 * @ops: the ops, registered
 *
 * Context: ftrace_lock held; may sleep
 *
 * Return: as ftrace_want_shift()
 */
int ftrace_ops_want_again(struct ftrace_ops *ops)
{
	return check_text(ftrace_want_again(ops));
}

static bool any_registered(const struct ftrace_ops_hash *hash, unsigned long flag)
{
	struct ftrace_ops *ops;

	for (ops = rcu_dereference_protected(ftrace_ops_list, 1); ops;
	     ops = rcu_dereference_protected(ops->next, 1))
		if ((!hash || ops->func_hash == hash) && ops->flags & flag)
			return true;
	return false;
}

/* With the new set in place, let the ops that use these filters mean it. */
static int shift_hash(struct ftrace_ops_hash *hash, struct ftrace_hash __rcu **slot,
		      struct ftrace_hash *new, gfp_t gfp)
{
	struct ftrace_shift shift = { .hash = hash, .gfp = gfp };
	struct ftrace_hash *old;
	int err = 0;

	shift.old = meaning_in(hash, true);
	old = rcu_dereference_protected(*slot, lockdep_is_held(&ftrace_lock));
	rcu_assign_pointer(*slot, new);
	shift.new = meaning_in(hash, true);

	if (!ftrace_is_dead() && any_registered(hash, FTRACE_OPS_FL_ENABLED))
		err = ftrace_want_shift(&shift);
	if (err)
		rcu_assign_pointer(*slot, old);

	/* The list function may be reading either. */
	ftrace_reap_hash(err ? new : old);
	return check_text(err);
}

/**
 * ftrace_ops_edit_hash - let all ops that use these filters mean others
 * @hash: the filters
 * @exclude: whether it is about the functions never meant, or those meant
 * @edit: makes the new set out of the present one, under ftrace_lock; returns
 *	the present one for no change, NULL for no restriction, or an ERR_PTR()
 * @data: for @edit
 * @gfp: GFP_KERNEL, or with __GFP_NOFAIL where memory must not be a reason to fail
 *
 * Context: takes @hash->regex_lock and ftrace_lock; may sleep
 *
 * Return: 0, the error of @edit, or as ftrace_want_shift(); in an error, nothing
 * has changed
 */
int ftrace_ops_edit_hash(struct ftrace_ops_hash *hash, bool exclude,
			 ftrace_hash_edit_t edit, const void *data, gfp_t gfp)
{
	struct ftrace_hash __rcu **slot;
	struct ftrace_hash *old, *new;

	guard(mutex)(&hash->regex_lock);
	guard(mutex)(&ftrace_lock);

	slot = exclude ? &hash->notrace_hash : &hash->filter_hash;
	old = rcu_dereference_protected(*slot, lockdep_is_held(&ftrace_lock));
	new = edit(old, data);
	if (IS_ERR(new))
		return PTR_ERR(new);
	if (new == old)
		return 0;

	/* Nobody hijacks all functions, or has all of them call what is his. */
	if (!exclude && !new &&
	    any_registered(hash, FTRACE_OPS_FL_IPMODIFY | FTRACE_OPS_FL_DIRECT))
		return -EINVAL;

	return shift_hash(hash, slot, new, gfp);
}

/**
 * ftrace_switch - kernel.ftrace_enabled
 * @enabled: whether sites call what they shall, or nothing
 *
 * Context: process context; takes ftrace_lock
 *
 * Return: 0; -EBUSY if a PERMANENT ops is registered; -ENODEV when tracing is
 * shut down; else as ftrace_want_shift()
 */
int ftrace_switch(bool enabled)
{
	int err;

	guard(mutex)(&ftrace_lock);

	if (ftrace_is_dead())
		return -ENODEV;
	if (enabled == ftrace_enabled)
		return 0;
	if (!enabled && any_registered(NULL, FTRACE_OPS_FL_PERMANENT))
		return -EBUSY;

	err = ftrace_want_all(enabled);
	if (!err)
		ftrace_enabled = enabled;
	return check_text(err);
}

/**
 * ftrace_sites_coming - text with call sites is about to run
 * @start: first address of the text
 * @end: first address behind it
 *
 * Context: process context; takes ftrace_lock
 *
 * Return: 0 or as ftrace_want_shift()
 */
int ftrace_sites_coming(unsigned long start, unsigned long end)
{
	guard(mutex)(&ftrace_lock);

	return ftrace_is_dead() ? 0 : check_text(ftrace_want_range(start, end));
}

/* Leave out the addresses of a range, whose records have gone. */
static void forget_in(struct ftrace_hash __rcu **slot, unsigned long start,
		      unsigned long end)
{
	struct ftrace_hash *hash;

	hash = rcu_dereference_protected(*slot, lockdep_is_held(&ftrace_lock));
	if (hash && ftrace_hash_touches(hash, start, end))
		forget_gone(slot);
}

static void forget_in_filters(unsigned long start, unsigned long end)
{
	struct ftrace_ops *ops;

	for (ops = rcu_dereference_protected(ftrace_ops_list, 1); ops;
	     ops = rcu_dereference_protected(ops->next, 1)) {
		forget_in(&ops->func_hash->filter_hash, start, end);
		forget_in(&ops->func_hash->notrace_hash, start, end);
	}
	forget_in(&ftrace_global_hash.filter_hash, start, end);
	forget_in(&ftrace_global_hash.notrace_hash, start, end);
}

/**
 * ftrace_sites_going - text with call sites is about to go
 * @mod: the module that goes on without it, or NULL
 * @start: first address of the text
 * @end: first address behind it
 *
 * Context: process context; takes ftrace_lock
 */
void ftrace_sites_going(struct module *mod, unsigned long start, unsigned long end)
{
	guard(mutex)(&ftrace_lock);

	if (mod)
		ftrace_gone_keep(mod, start, end);
	check_text(ftrace_want_range_nothing(start, end));
	ftrace_records_remove(start, end);
	forget_in_filters(start, end);
}

/**
 * ftrace_rec_has_set - does a site call the trampoline of a set?
 * @rec: its record
 */
bool ftrace_rec_has_set(const struct dyn_ftrace *rec)
{
	return ftrace_rec_have(rec) >= FTRACE_NR_SET;
}

/* How many ops the list function finds for a function, and their flags. */
static unsigned int count_users(unsigned long ip, unsigned long *flags)
{
	unsigned int count = 0;
	struct ftrace_ops *ops;

	for (ops = rcu_dereference_protected(ftrace_ops_list, 1); ops;
	     ops = rcu_dereference_protected(ops->next, 1)) {
		struct ftrace_meaning meaning = meaning_in(ops->func_hash, true);

		if (ops->flags & FTRACE_OPS_FL_STUB ||
		    !ftrace_ops_means(meaning.filter, meaning.exclude, ip))
			continue;
		*flags |= ops->flags;
		count++;
	}
	return count;
}

/*
 * Number of users, and a column for each of R, I, D, O and M. Architectures with
 * what O stands for are not in this series.
 */
static void show_flags(struct seq_buf *s, unsigned int count, unsigned long flags,
		       const struct dyn_ftrace *rec)
{
	seq_buf_printf(s, " (%u)%s%s%s%s%s ", count,
		       flags & FTRACE_OPS_FL_SAVE_REGS ? " R" : "  ",
		       flags & FTRACE_OPS_FL_IPMODIFY ? " I" : "  ",
		       flags & FTRACE_OPS_FL_DIRECT ? " D" : "  ", "  ",
		       rec->state & FTRACE_REC_MODIFIED ? " M" : "  ");
}

static void show_callbacks(struct seq_buf *s, const struct ftrace_opset *set)
{
	unsigned int i;

	if (!ftrace_opset_is_direct(set))
		seq_buf_printf(s, "\ttramp: %pS", (void *)set->code);
	if (set->count == 1 && !set->direct)
		seq_buf_printf(s, " (%pS)", set->ops[0]->func);
	for (i = 0; i < set->count; i++)
		if (!(set->ops[i]->flags & FTRACE_OPS_FL_DIRECT))
			seq_buf_printf(s, " ->%pS", set->ops[i]->func);
	if (set->direct)
		seq_buf_printf(s, "\n\tdirect-->%pS", (void *)set->direct);
}

/**
 * ftrace_rec_show_users - who is called at a site
 * @s: where to print it: the number of users; R where all registers are saved,
 *	I where the instruction pointer may be changed, D where there is a direct
 *	call, M where there ever could be one of these two; then the trampoline
 *	and the callbacks in their order
 * @rec: the record
 *
 * Context: ftrace_lock held
 */
void ftrace_rec_show_users(struct seq_buf *s, const struct dyn_ftrace *rec)
{
	const struct ftrace_opset *set = ftrace_opset(ftrace_rec_have(rec));
	unsigned long flags = 0;
	unsigned int i, count;

	/* Of a site that is not what it should be, the users may have gone. */
	if (ftrace_rec_have(rec) == FTRACE_NR_NOP || !ftrace_rec_is_usable(rec)) {
		show_flags(s, 0, 0, rec);
		return;
	}
	if (!set) {
		count = count_users(ftrace_rec_ip(rec), &flags);
		show_flags(s, count, flags, rec);
		seq_buf_puts(s, "->arch_ftrace_ops_list_func");
		return;
	}

	for (i = 0; i < set->count; i++)
		flags |= set->ops[i]->flags;
	show_flags(s, set->count, flags, rec);
	show_callbacks(s, set);
}
