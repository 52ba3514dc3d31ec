// SPDX-License-Identifier: GPL-2.0
/*
 * Tasks that are traced, and tasks that are not. See pids.h.
 *
 * A list is a bit for each pid that can be: it takes one piece of memory while
 * it is in use, and what happens to tasks later, in whatever context, needs no
 * more. A list that stays is added to where it is, so that nothing is lost of
 * what tasks do meanwhile.
 */
#include <linux/bitmap.h>
#include <linux/cleanup.h>
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/pid.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/smp.h>
#include <linux/spinlock.h>
#include <linux/threads.h>
#include <trace/events/sched.h>

#include "filter/pids.h"

#define PIDS	PID_MAX_LIMIT

/* What stands for a task that is not to be traced. No task has this pid. */
#define NOBODY	-1

/* Rather an error than somebody killed for the memory. */
#define PIDS_GFP	(GFP_KERNEL | __GFP_RETRY_MAYFAIL | __GFP_NOWARN)

/**
 * struct ftrace_pid_bits - a list of pids
 * @rcu: frees it
 * @bit: one for each pid
 */
struct ftrace_pid_bits {
	struct rcu_head	rcu;
	DECLARE_BITMAP(bit, PIDS);
};

struct ftrace_pids ftrace_global_pids = { .meant = &ftrace_traced_pid };

/* Lists come and go under it. Nothing of tracing is taken under it. */
static DEFINE_MUTEX(pids_lock);

/*
 * Between a task that has just got its pid, and the end of one that had it
 * before. Interrupts off; nothing is taken under it.
 */
static DEFINE_RAW_SPINLOCK(reuse_lock);

static struct ftrace_pid_bits *list_locked(const struct ftrace_pids *pids,
					   enum ftrace_pid_list list)
{
	return rcu_dereference_protected(pids->list[list],
					 lockdep_is_held(&pids_lock));
}

static bool any_list(const struct ftrace_pids *pids)
{
	return list_locked(pids, FTRACE_PIDS_ONLY) ||
	       list_locked(pids, FTRACE_PIDS_NEVER);
}

/* Preemption disabled, as for all that follow up to watch(). */
static struct ftrace_pid_bits *list_now(const struct ftrace_pids *pids,
					enum ftrace_pid_list list)
{
	return rcu_dereference_sched(pids->list[list]);
}

static void look_at(const struct ftrace_pids *pids, pid_t pid)
{
	const struct ftrace_pid_bits *only = list_now(pids, FTRACE_PIDS_ONLY);
	const struct ftrace_pid_bits *never = list_now(pids, FTRACE_PIDS_NEVER);
	bool meant = (!only || test_bit(pid, only->bit)) &&
		     (!never || !test_bit(pid, never->bit));

	this_cpu_write(*pids->meant, meant ? pid : NOBODY);
}

static void pids_switch(void *data, bool preempt, struct task_struct *prev,
			struct task_struct *next, unsigned int prev_state)
{
	look_at(data, next->pid);
}

static void look_at_current(void *data)
{
	look_at(data, current->pid);
}

/* One pid is to be on the lists that another is on. */
static void assign(const struct ftrace_pids *pids, pid_t pid, pid_t as)
{
	unsigned long flags;
	int i;

	raw_spin_lock_irqsave(&reuse_lock, flags);
	for (i = 0; i < FTRACE_PID_LISTS; i++) {
		struct ftrace_pid_bits *bits = list_now(pids, i);

		if (bits)
			assign_bit(pid, bits->bit, test_bit(as, bits->bit));
	}
	raw_spin_unlock_irqrestore(&reuse_lock, flags);
}

/*
 * The child is what its parent is, whatever was said of a task that had the
 * pid before. It has not run yet.
 */
static void pids_fork(void *data, struct task_struct *parent,
		      struct task_struct *child)
{
	const struct ftrace_pids *pids = data;

	if (READ_ONCE(pids->follow))
		assign(pids, child->pid, parent->pid);
}

/*
 * A thread that executes a program gets the pid of its group's first, which ends
 * and is freed under the thread's, maybe before pids_exec().
 */
static void pids_before_exec(void *data, struct task_struct *task,
			     struct linux_binprm *bprm)
{
	const struct ftrace_pids *pids = data;

	if (task->pid != task->tgid && READ_ONCE(pids->follow))
		assign(pids, task->tgid, task->pid);
}

static void pids_exec(void *data, struct task_struct *task, pid_t old_pid,
		      struct linux_binprm *bprm)
{
	if (task->pid != old_pid)
		look_at(data, task->pid);
}

/* The task has been reaped; another may have its pid by now, and keeps it. */
static void pids_free(void *data, struct task_struct *task)
{
	const struct ftrace_pids *pids = data;
	unsigned long flags;
	bool reused;
	int i;

	if (!READ_ONCE(pids->follow))
		return;

	guard(rcu)();

	raw_spin_lock_irqsave(&reuse_lock, flags);
	reused = find_task_by_pid_ns(task->pid, &init_pid_ns);
	for (i = 0; !reused && i < FTRACE_PID_LISTS; i++) {
		struct ftrace_pid_bits *bits = list_now(pids, i);

		if (bits)
			clear_bit(task->pid, bits->bit);
	}
	raw_spin_unlock_irqrestore(&reuse_lock, flags);
}

static void unwatch(struct ftrace_pids *pids)
{
	unregister_trace_sched_process_free(pids_free, pids);
	unregister_trace_sched_process_exec(pids_exec, pids);
	unregister_trace_sched_prepare_exec(pids_before_exec, pids);
	unregister_trace_sched_process_fork(pids_fork, pids);
	unregister_trace_sched_switch(pids_switch, pids);
}

static int watch_lives(struct ftrace_pids *pids)
{
	int err;

	err = register_trace_sched_process_fork(pids_fork, pids);
	if (err)
		return err;

	err = register_trace_sched_prepare_exec(pids_before_exec, pids);
	if (err)
		goto no_prepare;

	err = register_trace_sched_process_exec(pids_exec, pids);
	if (err)
		goto no_exec;

	err = register_trace_sched_process_free(pids_free, pids);
	if (err)
		goto no_free;

	return 0;

no_free:
	unregister_trace_sched_process_exec(pids_exec, pids);
no_exec:
	unregister_trace_sched_prepare_exec(pids_before_exec, pids);
no_prepare:
	unregister_trace_sched_process_fork(pids_fork, pids);
	return err;
}

/* From the first list on, where somebody asks. */
static int watch(struct ftrace_pids *pids)
{
	unsigned int cpu;
	int err;

	if (!pids->meant)
		return 0;

	for_each_possible_cpu(cpu)
		WRITE_ONCE(*per_cpu_ptr(pids->meant, cpu), NOBODY);

	err = register_trace_sched_switch(pids_switch, pids);
	if (err)
		return err;

	err = watch_lives(pids);
	if (err)
		unregister_trace_sched_switch(pids_switch, pids);
	return err;
}

/* Have the answer follow from the lists as they are now. */
static void look_again(struct ftrace_pids *pids)
{
	if (pids->meant)
		on_each_cpu(look_at_current, pids, true);
}

/* watch() is done, and so are the lists. */
static void heed(struct ftrace_pids *pids)
{
	look_again(pids);
	if (pids->meant)
		static_branch_inc(&ftrace_pids_in_use);
}

/* There is no list any more. */
static void heed_no_more(struct ftrace_pids *pids)
{
	if (!pids->meant)
		return;

	static_branch_dec(&ftrace_pids_in_use);
	unwatch(pids);
}

/**
 * ftrace_pids_edit_begin - begin to change a list
 * @edit: the change
 * @pids: the lists
 * @list: which of them
 * @reset: begin with no list, not with what is there
 *
 * Takes the lock of the lists, until the change ends or is dropped.
 */
void ftrace_pids_edit_begin(struct ftrace_pids_edit *edit, struct ftrace_pids *pids,
			    enum ftrace_pid_list list, bool reset)
{
	mutex_lock(&pids_lock);
	*edit = (struct ftrace_pids_edit) {
		.pids = pids, .list = list, .reset = reset,
	};
}

/**
 * ftrace_pids_edit_add - one more task
 * @edit: the change
 * @pid: its pid in the first namespace; 0 stands for all idle tasks
 *
 * Return: 0, -EINVAL for what cannot be a pid, -ENOMEM
 */
int ftrace_pids_edit_add(struct ftrace_pids_edit *edit, int pid)
{
	if (pid < 0 || pid >= pid_max)
		return -EINVAL;

	if (!edit->bits)
		edit->bits = kvzalloc(sizeof(*edit->bits), PIDS_GFP);
	if (!edit->bits)
		return -ENOMEM;

	__set_bit(pid, edit->bits->bit);
	return 0;
}

/**
 * ftrace_pids_edit_drop - end a change, and leave the list as it is
 * @edit: the change
 */
void ftrace_pids_edit_drop(struct ftrace_pids_edit *edit)
{
	kvfree(edit->bits);
	mutex_unlock(&pids_lock);
}

/*
 * Another list, or none, takes the place of what is there. Who is interrupted
 * by look_at_current() is out of pids_switch(), where interrupts are off, so
 * that nobody comes behind it with what the old list says.
 */
static int replace(struct ftrace_pids *pids, enum ftrace_pid_list list,
		   struct ftrace_pid_bits *bits)
{
	struct ftrace_pid_bits *old = list_locked(pids, list);
	bool before = any_list(pids);
	int err;

	if (!before && bits) {
		err = watch(pids);
		if (err)
			return err;
	}

	rcu_assign_pointer(pids->list[list], bits);
	if (before && any_list(pids))
		look_again(pids);
	else if (before)
		heed_no_more(pids);
	else if (bits)
		heed(pids);

	if (old)
		kvfree_rcu(old, rcu);
	return 0;
}

/* A list that stays: tasks may fork meanwhile, whose bits must not be lost. */
static void extend(struct ftrace_pids *pids, struct ftrace_pid_bits *list,
		   const struct ftrace_pid_bits *bits)
{
	unsigned int pid;

	for_each_set_bit(pid, bits->bit, PIDS)
		set_bit(pid, list->bit);
	look_again(pids);
}

/**
 * ftrace_pids_edit_end - end a change, and let it take effect
 * @edit: the change
 *
 * What a task does that runs meanwhile is traced or not as before or as from
 * now on; behind this, as from now on.
 *
 * Return: 0, or the error of the tracepoints, with the list as it was.
 */
int ftrace_pids_edit_end(struct ftrace_pids_edit *edit)
{
	struct ftrace_pids *pids = edit->pids;
	struct ftrace_pid_bits *old = list_locked(pids, edit->list);
	int err = 0;

	if (old && edit->bits && !edit->reset) {
		extend(pids, old, edit->bits);
	} else if (edit->bits || (old && edit->reset)) {
		err = replace(pids, edit->list, edit->bits);
		if (!err)
			edit->bits = NULL;
	}

	ftrace_pids_edit_drop(edit);
	return err;
}

/**
 * ftrace_pids_lock - lists do not come or go until it is undone
 */
void ftrace_pids_lock(void)
{
	mutex_lock(&pids_lock);
}

/**
 * ftrace_pids_unlock - undo ftrace_pids_lock()
 */
void ftrace_pids_unlock(void)
{
	mutex_unlock(&pids_lock);
}

/**
 * ftrace_pids_exist - is there a list, be it empty?
 * @pids: the lists
 * @list: which of them
 *
 * Context: ftrace_pids_lock() held
 */
bool ftrace_pids_exist(const struct ftrace_pids *pids, enum ftrace_pid_list list)
{
	return list_locked(pids, list);
}

/**
 * ftrace_pids_next - the next pid of a list
 * @pids: the lists
 * @list: which of them
 * @pid: the first that will do
 *
 * Context: ftrace_pids_lock() held
 *
 * Return: the pid, or -1 if there is none
 */
int ftrace_pids_next(const struct ftrace_pids *pids, enum ftrace_pid_list list,
		     int pid)
{
	const struct ftrace_pid_bits *bits = list_locked(pids, list);
	unsigned long next = bits ? find_next_bit(bits->bit, PIDS, pid) : PIDS;

	return next < PIDS ? next : -1;
}
