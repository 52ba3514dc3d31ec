// SPDX-License-Identifier: GPL-2.0
/*
 * Tasks that are traced, and tasks that are not. See pids.h.
 *
 * A list is a bit for each pid that can be: it takes one piece of memory while
 * it is in use, and what happens to tasks later, in whatever context, needs no
 * more. Bits are changed with trace_lock held, or for a task that forks or ends
 * by that task's CPU, atomically.
 */
#include <linux/bitmap.h>
#include <linux/mm.h>
#include <linux/percpu.h>
#include <linux/pid.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/smp.h>
#include <linux/threads.h>
#include <trace/events/sched.h>

#include "instance/pids.h"

#define PIDS	PID_MAX_LIMIT

/* Rather an error than somebody killed for the memory. */
#define PIDS_GFP	(GFP_KERNEL | __GFP_RETRY_MAYFAIL | __GFP_NOWARN)

/* How many instances have a list. */
DEFINE_STATIC_KEY_FALSE(trace_pids_in_use);

static unsigned long *list_locked(struct trace_array *tr, enum trace_pid_list list)
{
	return rcu_dereference_protected(tr->pids.list[list],
					 lockdep_is_held(&trace_lock));
}

static bool any_list(struct trace_array *tr)
{
	return list_locked(tr, TRACE_PIDS_ONLY) || list_locked(tr, TRACE_PIDS_NOT);
}

/* Preemption disabled. */
static bool is_ignored(struct trace_array *tr, const struct task_struct *task)
{
	unsigned long *only = rcu_dereference_sched(tr->pids.list[TRACE_PIDS_ONLY]);
	unsigned long *not = rcu_dereference_sched(tr->pids.list[TRACE_PIDS_NOT]);

	return (only && !test_bit(task->pid, only)) ||
	       (not && test_bit(task->pid, not));
}

static void pids_sched_switch(void *data, bool preempt, struct task_struct *prev,
			      struct task_struct *next, unsigned int prev_state)
{
	struct trace_array *tr = data;

	this_cpu_write(*tr->pids.ignored, is_ignored(tr, next));
}

static void look_at_current(void *data)
{
	struct trace_array *tr = data;

	this_cpu_write(*tr->pids.ignored, is_ignored(tr, current));
}

/*
 * The child is what its parent is, whatever was said of a task that had the
 * pid before. It has not run yet.
 */
static void pids_fork(void *data, struct task_struct *parent,
		      struct task_struct *child)
{
	struct trace_array *tr = data;
	int i;

	if (!(READ_ONCE(tr->options) & TRACE_OPT(FUNCTION_FORK)))
		return;

	for (i = 0; i < TRACE_PID_LISTS; i++) {
		unsigned long *bits = rcu_dereference_sched(tr->pids.list[i]);

		if (bits)
			assign_bit(child->pid, bits, test_bit(parent->pid, bits));
	}
}

/* The task has been reaped; another may have its pid by now, and keeps it. */
static void pids_free(void *data, struct task_struct *task)
{
	struct trace_array *tr = data;
	int i;

	if (!(READ_ONCE(tr->options) & TRACE_OPT(FUNCTION_FORK)))
		return;

	guard(rcu)();

	if (find_task_by_pid_ns(task->pid, &init_pid_ns))
		return;

	for (i = 0; i < TRACE_PID_LISTS; i++) {
		unsigned long *bits = rcu_dereference_sched(tr->pids.list[i]);

		if (bits)
			clear_bit(task->pid, bits);
	}
}

static void unwatch(struct trace_array *tr)
{
	unregister_trace_sched_process_free(pids_free, tr);
	unregister_trace_sched_process_fork(pids_fork, tr);
	unregister_trace_sched_switch(pids_sched_switch, tr);
}

static int watch(struct trace_array *tr)
{
	int err;

	err = register_trace_sched_switch(pids_sched_switch, tr);
	if (err)
		return err;

	err = register_trace_sched_process_fork(pids_fork, tr);
	if (err)
		goto no_fork;

	err = register_trace_sched_process_free(pids_free, tr);
	if (err)
		goto no_free;

	return 0;

no_free:
	unregister_trace_sched_process_fork(pids_fork, tr);
no_fork:
	unregister_trace_sched_switch(pids_sched_switch, tr);
	return err;
}

/**
 * trace_pids_edit_begin - begin to change a list
 * @edit: the change
 * @tr: the instance
 * @list: which list
 * @reset: begin with no list, not with what is there
 *
 * Takes trace_lock, until the change ends or is dropped. May sleep.
 *
 * Return: 0 or -ENOMEM, with nothing begun.
 */
int trace_pids_edit_begin(struct trace_pids_edit *edit, struct trace_array *tr,
			  enum trace_pid_list list, bool reset)
{
	mutex_lock(&trace_lock);
	*edit = (struct trace_pids_edit) { .tr = tr, .list = list, .reset = reset };
	if (!tr->pids.ignored)
		tr->pids.ignored = alloc_percpu(bool);
	if (tr->pids.ignored)
		return 0;

	mutex_unlock(&trace_lock);
	return -ENOMEM;
}

/**
 * trace_pids_edit_add - one more task
 * @edit: the change
 * @pid: its pid in the first namespace; 0 stands for all idle tasks
 *
 * Return: 0, -EINVAL for what cannot be a pid, -ENOMEM
 */
int trace_pids_edit_add(struct trace_pids_edit *edit, int pid)
{
	if (pid < 0 || pid >= pid_max)
		return -EINVAL;

	if (!edit->bits)
		edit->bits = kvcalloc(BITS_TO_LONGS(PIDS), sizeof(long), PIDS_GFP);
	if (!edit->bits)
		return -ENOMEM;

	__set_bit(pid, edit->bits);
	return 0;
}

/**
 * trace_pids_edit_drop - end a change, and leave the list as it is
 * @edit: the change
 */
void trace_pids_edit_drop(struct trace_pids_edit *edit)
{
	kvfree(edit->bits);
	mutex_unlock(&trace_lock);
}

/* Another list, or none, takes the place of what is there. */
static int replace_list(struct trace_array *tr, enum trace_pid_list list,
			unsigned long *bits)
{
	unsigned long *old = list_locked(tr, list);
	bool before = any_list(tr);
	int err;

	if (!before && bits) {
		err = watch(tr);
		if (err)
			return err;
	}

	rcu_assign_pointer(tr->pids.list[list], bits);
	if (before && !any_list(tr)) {
		static_branch_dec(&trace_pids_in_use);
		unwatch(tr);
	}

	/* Behind a probe that still went by the old list. */
	if (before)
		synchronize_rcu();
	on_each_cpu(look_at_current, tr, true);
	if (!before && bits)
		static_branch_inc(&trace_pids_in_use);

	kvfree(old);
	return 0;
}

/* A list that stays: tasks may fork meanwhile, whose bits must not be lost. */
static void extend_list(struct trace_array *tr, unsigned long *list,
			unsigned long *bits)
{
	unsigned int pid;

	for_each_set_bit(pid, bits, PIDS)
		set_bit(pid, list);
	kvfree(bits);
	on_each_cpu(look_at_current, tr, true);
}

/**
 * trace_pids_edit_end - end a change, and let it take effect
 * @edit: the change
 *
 * What a task does that runs meanwhile is traced or not as before or as from
 * now on; behind this, as from now on.
 *
 * Return: 0, or the error of the tracepoints, with the list as it was.
 */
int trace_pids_edit_end(struct trace_pids_edit *edit)
{
	struct trace_array *tr = edit->tr;
	unsigned long *old = list_locked(tr, edit->list);
	int err = 0;

	if (old && edit->bits && !edit->reset)
		extend_list(tr, old, edit->bits);
	else if (edit->bits || (old && edit->reset))
		err = replace_list(tr, edit->list, edit->bits);

	if (err)
		kvfree(edit->bits);
	mutex_unlock(&trace_lock);
	return err;
}

/**
 * trace_pids_exist - is there a list, be it empty?
 * @tr: the instance
 * @list: which
 *
 * trace_lock held.
 */
bool trace_pids_exist(struct trace_array *tr, enum trace_pid_list list)
{
	return list_locked(tr, list);
}

/**
 * trace_pids_next - the next pid of a list
 * @tr: the instance
 * @list: which list
 * @pid: the first that will do
 *
 * trace_lock held.
 *
 * Return: the pid, or -1 if there is none
 */
int trace_pids_next(struct trace_array *tr, enum trace_pid_list list, int pid)
{
	unsigned long *bits = list_locked(tr, list);
	unsigned long next = bits ? find_next_bit(bits, PIDS, pid) : PIDS;

	return next < PIDS ? next : -1;
}
