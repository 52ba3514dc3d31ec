// SPDX-License-Identifier: GPL-2.0
/*
 * Pid lists: tasks to trace, and tasks not to trace. See pids.h.
 *
 * A list is a bitmap of all possible pids. It is allocated when the list is made; when tasks
 * fork and exit later, in whatever context, no memory has to be allocated. Pids are added to a
 * list in place, so that no change that a concurrent fork or exit makes is lost.
 */
#include <linux/bitmap.h>
#include <linux/cleanup.h>
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/percpu.h>
#include <linux/pid.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/smp.h>
#include <linux/spinlock.h>
#include <linux/threads.h>
#include <trace/events/sched.h>

#include "filter/pids.h"
#include "lib/probes.h"

#define PIDS	PID_MAX_LIMIT

/* Placeholder for a task that must not be traced. No task has this pid. */
#define PID_NONE	-1

/* A list is large: fail rather than have a task killed for its memory. */
#define PIDS_GFP	(GFP_KERNEL | __GFP_RETRY_MAYFAIL | __GFP_NOWARN)

/**
 * struct ftrace_pid_bits - a list of pids
 * @rcu: frees it after a grace period
 * @bit: one bit for each pid
 */
struct ftrace_pid_bits {
	struct rcu_head	rcu;
	DECLARE_BITMAP(bit, PIDS);
};

/* Number of instances that have lists, including the top instance. */
DEFINE_STATIC_KEY_FALSE(ftrace_pids_in_instances);

struct ftrace_pids ftrace_global_pids = {
	.traced = IS_ENABLED(CONFIG_FUNCTION_TRACER) ? &ftrace_ops_pid : NULL,
};

/* Protects the lists. No other lock of tracing is taken under it. */
static DEFINE_MUTEX(pids_lock);

/*
 * Serializes the fork of a task that has got a pid with the exit of the task that had it before.
 * Taken with interrupts off; no lock is taken under it.
 */
static DEFINE_RAW_SPINLOCK(reuse_lock);

static struct ftrace_pid_bits *pids_list_locked(const struct ftrace_pids *pids,
						enum ftrace_pid_list list)
{
	return rcu_dereference_protected(pids->list[list],
					 lockdep_is_held(&pids_lock));
}

static bool pids_any_list(const struct ftrace_pids *pids)
{
	return pids_list_locked(pids, FTRACE_PIDS_ONLY) ||
	       pids_list_locked(pids, FTRACE_PIDS_NEVER);
}

/* Called with preemption disabled, like all functions up to the table of probes. */
static struct ftrace_pid_bits *pids_list_now(const struct ftrace_pids *pids,
					     enum ftrace_pid_list list)
{
	return rcu_dereference_sched(pids->list[list]);
}

/**
 * ftrace_pids_traced - do the lists select a task for tracing?
 * @pids: the lists
 * @pid: the task's pid in the initial namespace
 *
 * Any context, with preemption disabled.
 */
bool ftrace_pids_traced(const struct ftrace_pids *pids, pid_t pid)
{
	const struct ftrace_pid_bits *only = pids_list_now(pids, FTRACE_PIDS_ONLY);
	const struct ftrace_pid_bits *never = pids_list_now(pids, FTRACE_PIDS_NEVER);

	return (!only || test_bit(pid, only->bit)) &&
	       (!never || !test_bit(pid, never->bit));
}

/* This CPU switches to the task with this pid. */
static void pids_update_cpu(const struct ftrace_pids *pids, pid_t pid)
{
	this_cpu_write(*pids->traced, ftrace_pids_traced(pids, pid) ? pid : PID_NONE);
}

static void pids_switch(void *data, bool preempt, struct task_struct *prev,
			struct task_struct *next, unsigned int prev_state)
{
	pids_update_cpu(data, next->pid);
}

static void pids_update_this_cpu(void *data)
{
	pids_update_cpu(data, current->pid);
}

/* Give @pid the same membership in each list as @as. */
static void pids_copy_membership(const struct ftrace_pids *pids, pid_t pid, pid_t as)
{
	unsigned long flags;
	int i;

	raw_spin_lock_irqsave(&reuse_lock, flags);
	for (i = 0; i < FTRACE_PID_LISTS; i++) {
		struct ftrace_pid_bits *bits = pids_list_now(pids, i);

		if (bits)
			assign_bit(pid, bits->bit, test_bit(as, bits->bit));
	}
	raw_spin_unlock_irqrestore(&reuse_lock, flags);
}

/*
 * The child is added to the lists of its parent, whatever lists a previous task with the same
 * pid was on. It has not run yet.
 */
static void pids_fork(void *data, struct task_struct *parent,
		      struct task_struct *child)
{
	const struct ftrace_pids *pids = data;

	if (READ_ONCE(pids->follow))
		pids_copy_membership(pids, child->pid, parent->pid);
}

/*
 * A thread that executes a program takes over the pid of its thread group's leader. The leader
 * exits and is freed with the pid that the thread had, possibly before pids_exec().
 */
static void pids_before_exec(void *data, struct task_struct *task,
			     struct linux_binprm *bprm)
{
	const struct ftrace_pids *pids = data;

	if (task->pid != task->tgid && READ_ONCE(pids->follow))
		pids_copy_membership(pids, task->tgid, task->pid);
}

static void pids_exec(void *data, struct task_struct *task, pid_t old_pid,
		      struct linux_binprm *bprm)
{
	if (task->pid != old_pid)
		pids_update_cpu(data, task->pid);
}

/* The task has been reaped. If another task already has its pid, the lists refer to that task. */
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
		struct ftrace_pid_bits *bits = pids_list_now(pids, i);

		if (bits)
			clear_bit(task->pid, bits->bit);
	}
	raw_spin_unlock_irqrestore(&reuse_lock, flags);
}

static const struct trace_probe probes[] = {
	TRACE_PROBE(sched_switch, pids_switch),
	TRACE_PROBE(sched_process_fork, pids_fork),
	TRACE_PROBE(sched_prepare_exec, pids_before_exec),
	TRACE_PROBE(sched_process_exec, pids_exec),
	TRACE_PROBE(sched_process_free, pids_free),
	{ }
};

/* Probes are registered while there are lists, if the user reads @traced. */
static int pids_register_probes(struct ftrace_pids *pids)
{
	unsigned int cpu;

	if (!pids->traced)
		return 0;

	for_each_possible_cpu(cpu)
		WRITE_ONCE(*per_cpu_ptr(pids->traced, cpu), PID_NONE);

	return trace_probes_register(probes, ~0U, pids);
}

/* Let each CPU apply the current lists. */
static void pids_update_all_cpus(struct ftrace_pids *pids)
{
	if (pids->traced)
		on_each_cpu(pids_update_this_cpu, pids, true);
}

/* The first list was added: let callbacks compare. */
static void pids_lists_begin(struct ftrace_pids *pids)
{
	pids_update_all_cpus(pids);
	if (!pids->traced)
		return;

	WRITE_ONCE(pids->in_use, true);
	static_branch_inc(&ftrace_pids_in_instances);
	if (IS_ENABLED(CONFIG_FUNCTION_TRACER) && pids == &ftrace_global_pids)
		static_branch_enable(&ftrace_pids_in_use);
}

/* The last list was removed. */
static void pids_lists_end(struct ftrace_pids *pids)
{
	if (!pids->traced)
		return;

	if (IS_ENABLED(CONFIG_FUNCTION_TRACER) && pids == &ftrace_global_pids)
		static_branch_disable(&ftrace_pids_in_use);
	static_branch_dec(&ftrace_pids_in_instances);
	WRITE_ONCE(pids->in_use, false);
	trace_probes_unregister(probes, ~0U, pids);
}

/**
 * ftrace_pids_edit_begin - begin to change a list
 * @edit: the change
 * @pids: the lists
 * @list: list to change
 * @reset: replace the list instead of adding to it
 *
 * Takes the lock of ftrace_pids_lock(), which is held until the change ends or is dropped.
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
 * ftrace_pids_edit_add - add a task to a list
 * @edit: the change
 * @pid: the task's pid in the initial namespace; 0 means all idle tasks
 *
 * Return: 0, -EINVAL if @pid is not a valid pid, or -ENOMEM
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
 * ftrace_pids_edit_drop - drop a change, and leave the list as it is
 * @edit: the change
 */
void ftrace_pids_edit_drop(struct ftrace_pids_edit *edit)
{
	kvfree(edit->bits);
	mutex_unlock(&pids_lock);
}

/*
 * Replace a list by another list or remove it. Interrupts are off in pids_switch(): when
 * pids_update_this_cpu() has run on a CPU, no pids_switch() that has read the old list is still
 * running there.
 */
static int pids_replace(struct ftrace_pids *pids, enum ftrace_pid_list list,
			struct ftrace_pid_bits *bits)
{
	struct ftrace_pid_bits *old = pids_list_locked(pids, list);
	bool before = pids_any_list(pids);
	int err;

	if (!before && bits) {
		err = pids_register_probes(pids);
		if (err)
			return err;
	}

	rcu_assign_pointer(pids->list[list], bits);
	if (before && pids_any_list(pids))
		pids_update_all_cpus(pids);
	else if (before)
		pids_lists_end(pids);
	else if (bits)
		pids_lists_begin(pids);

	if (old)
		kvfree_rcu(old, rcu);
	return 0;
}

/* Add to a list in place: tasks may fork concurrently, and their bits must not be lost. */
static void pids_extend(struct ftrace_pids *pids, struct ftrace_pid_bits *list,
			const struct ftrace_pid_bits *bits)
{
	unsigned int pid;

	for_each_set_bit(pid, bits->bit, PIDS)
		set_bit(pid, list->bit);
	pids_update_all_cpus(pids);
}

/**
 * ftrace_pids_edit_end - let a change take effect
 * @edit: the change
 *
 * When this returns, the new list is in force on all CPUs. Until then, each CPU uses either the
 * old list or the new one.
 *
 * Return: 0, or the error of trace_probes_register(), with the list unchanged
 */
int ftrace_pids_edit_end(struct ftrace_pids_edit *edit)
{
	struct ftrace_pids *pids = edit->pids;
	struct ftrace_pid_bits *old = pids_list_locked(pids, edit->list);
	int err = 0;

	if (old && edit->bits && !edit->reset) {
		pids_extend(pids, old, edit->bits);
	} else if (edit->bits || (old && edit->reset)) {
		err = pids_replace(pids, edit->list, edit->bits);
		if (!err)
			edit->bits = NULL;
	}

	ftrace_pids_edit_drop(edit);
	return err;
}

/**
 * ftrace_pids_alloc - make the empty set of lists of a new instance
 *
 * Context: may sleep
 *
 * Return: the lists, or NULL if out of memory
 */
struct ftrace_pids *ftrace_pids_alloc(void)
{
	struct ftrace_pids *pids = kzalloc(sizeof(*pids), GFP_KERNEL);

	if (!pids)
		return NULL;

	pids->traced = alloc_percpu(pid_t);
	if (!pids->traced) {
		kfree(pids);
		return NULL;
	}
	return pids;
}

/**
 * ftrace_pids_clear - remove all lists
 * @pids: the lists
 *
 * When this returns, no probe reads @pids any longer.
 *
 * Context: may sleep; takes the lock of ftrace_pids_lock()
 */
void ftrace_pids_clear(struct ftrace_pids *pids)
{
	struct ftrace_pids_edit edit;
	int i;

	for (i = 0; i < FTRACE_PID_LISTS; i++) {
		ftrace_pids_edit_begin(&edit, pids, i, true);
		ftrace_pids_edit_end(&edit);
	}
	tracepoint_synchronize_unregister();
}

/**
 * ftrace_pids_free - free the memory that ftrace_pids_alloc() allocated
 * @pids: the lists, after ftrace_pids_clear(). No callback reads them any longer. May be NULL
 */
void ftrace_pids_free(struct ftrace_pids *pids)
{
	if (!pids)
		return;

	free_percpu(pids->traced);
	kfree(pids);
}

/**
 * ftrace_pids_lock - prevent that lists are added or removed
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
 * ftrace_pids_exist - does a list exist? It may be empty
 * @pids: the lists
 * @list: the list in question
 *
 * Context: ftrace_pids_lock() held
 */
bool ftrace_pids_exist(const struct ftrace_pids *pids, enum ftrace_pid_list list)
{
	return pids_list_locked(pids, list);
}

/**
 * ftrace_pids_next - get the next pid of a list
 * @pids: the lists
 * @list: the list; a list that does not exist has no pids
 * @pid: lowest pid to return
 *
 * Context: ftrace_pids_lock() held
 *
 * Return: the pid, or -1 if there is no further pid
 */
int ftrace_pids_next(const struct ftrace_pids *pids, enum ftrace_pid_list list,
		     int pid)
{
	const struct ftrace_pid_bits *bits = pids_list_locked(pids, list);
	unsigned long next = bits ? find_next_bit(bits->bit, PIDS, pid) : PIDS;

	return next < PIDS ? next : -1;
}
