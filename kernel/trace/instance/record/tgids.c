// SPDX-License-Identifier: GPL-2.0
/*
 * Thread group ids of tasks (saved_tgids): while the option record-tgid is set in any instance,
 * the tgids of the previous and the next task are saved at each context switch.
 *
 * The table is indexed by pid, so that the scheduler writes one word and takes no lock. It is
 * allocated when the option is set for the first time, and is never freed. If pid_max was
 * raised since, and a task is switched whose pid is beyond the table, a work item allocates a
 * larger table.
 */
#include <linux/cleanup.h>
#include <linux/compiler.h>
#include <linux/errno.h>
#include <linux/irq_work.h>
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/overflow.h>
#include <linux/pid.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/smp.h>
#include <linux/string.h>
#include <linux/workqueue.h>
#include <trace/events/sched.h>

#include "instance/record/tgids.h"

/* Fail rather than invoke the OOM killer. */
#define TGIDS_GFP	(GFP_KERNEL | __GFP_RETRY_MAYFAIL | __GFP_NOWARN)

/* Guards @recorders. No other lock of tracing is taken while it is held. */
static DEFINE_MUTEX(record_lock);

/* Number of users of the sched_switch probe. */
static unsigned int recorders;

/**
 * struct tgids - thread group ids by pid
 * @rcu: frees the table after a larger one has replaced it
 * @nr: size of @tgid; pids in the table are less than this
 * @tgid: thread group id, 0 if the pid was not seen
 */
struct tgids {
	struct rcu_head	rcu;
	int		nr;
	pid_t		tgid[] __counted_by(nr);
};

/* NULL before the first use; @record_lock to change. */
static struct tgids __rcu *tgids;

/* A larger table could not be allocated; cleared when the option is set again. */
static bool gave_up;

static void tgids_grow_irq(struct irq_work *work);

/* Queues @grow_work, which the scheduler cannot do directly. */
static struct irq_work grow_irq_work = IRQ_WORK_INIT_HARD(tgids_grow_irq);

static void tgids_save(const struct task_struct *task)
{
	struct tgids *table = rcu_dereference_sched(tgids);

	if (likely(task->pid < table->nr))
		WRITE_ONCE(table->tgid[task->pid], task->tgid);
	else if (task->pid <= READ_ONCE(pid_max) && !READ_ONCE(gave_up))
		/* The pid of an old task may exceed a pid_max that was lowered since. */
		irq_work_queue(&grow_irq_work);
}

static void tgids_sched_switch(void *data, bool preempt,
			       struct task_struct *prev,
			       struct task_struct *next,
			       unsigned int prev_state)
{
	tgids_save(prev);
	tgids_save(next);
}

static void tgids_save_current(void *unused)
{
	tgids_save(current);
}

/* Return: number of pids that the table has space for. */
static int tgids_nr(void)
{
	struct tgids *table;

	guard(rcu)();

	table = rcu_dereference(tgids);

	return table ? table->nr : 0;
}

/* Make the table large enough for all possible pids. Return: 0, or -ENOMEM without a change. */
static int tgids_grow(void)
{
	struct tgids *old = rcu_dereference_protected(tgids, lockdep_is_held(&record_lock));
	int nr = READ_ONCE(pid_max) + 1;
	struct tgids *new;

	lockdep_assert_held(&record_lock);

	if (old && old->nr >= nr)
		return 0;

	new = kvzalloc(struct_size(new, tgid, nr), TGIDS_GFP);
	if (!new)
		return -ENOMEM;

	new->nr = nr;
	if (old)
		/* data_race: if the scheduler's concurrent write is lost, it is soon repeated */
		data_race(memcpy(new->tgid, old->tgid, old->nr * sizeof(*old->tgid)));
	rcu_assign_pointer(tgids, new);
	if (old)
		kvfree_rcu(old, rcu);

	return 0;
}

static void tgids_grow_work(struct work_struct *work)
{
	guard(mutex)(&record_lock);

	if (tgids_grow())
		WRITE_ONCE(gave_up, true);
}

static DECLARE_WORK(grow_work, tgids_grow_work);

static void tgids_grow_irq(struct irq_work *work)
{
	schedule_work(&grow_work);
}

/**
 * trace_tgids_record - save thread group ids of tasks at context switches
 *
 * The ids of the currently running tasks are saved immediately. Calls nest. May sleep.
 *
 * Return: 0, -ENOMEM, or the error of the tracepoint registration.
 */
int trace_tgids_record(void)
{
	int ret;

	guard(mutex)(&record_lock);

	WRITE_ONCE(gave_up, false);
	ret = tgids_grow();
	if (!ret && !recorders)
		ret = register_trace_sched_switch(tgids_sched_switch, NULL);
	if (ret)
		return ret;

	if (!recorders++)
		on_each_cpu(tgids_save_current, NULL, true);

	return 0;
}

/**
 * trace_tgids_unrecord - undo one trace_tgids_record()
 *
 * The saved ids are kept.
 */
void trace_tgids_unrecord(void)
{
	guard(mutex)(&record_lock);

	if (WARN_ON_ONCE(!recorders))
		return;

	if (!--recorders)
		unregister_trace_sched_switch(tgids_sched_switch, NULL);
}

/**
 * trace_find_tgid - find the thread group id of a task
 * @pid: pid of the task
 *
 * Any context.
 *
 * Return: the thread group id, or 0 if it is not known.
 */
int trace_find_tgid(int pid)
{
	struct tgids *table;

	guard(rcu)();

	table = rcu_dereference(tgids);

	return table && pid > 0 && pid < table->nr ? READ_ONCE(table->tgid[pid]) : 0;
}

/* *@pos is a pid. Pid 0 belongs to the idle tasks, which have no thread group to show. */
static void *tgids_start(struct seq_file *m, loff_t *pos)
{
	int nr = tgids_nr();

	for (; *pos < nr; ++*pos) {
		if (trace_find_tgid(*pos))
			return pos;
	}

	return NULL;
}

static void *tgids_next(struct seq_file *m, void *v, loff_t *pos)
{
	++*pos;

	return tgids_start(m, pos);
}

static void tgids_stop(struct seq_file *m, void *v)
{
}

static int tgids_show(struct seq_file *m, void *v)
{
	int pid = *(loff_t *)v;

	seq_printf(m, "%d %d\n", pid, trace_find_tgid(pid));

	return 0;
}

const struct seq_operations trace_tgids_seq_ops = {
	.start	= tgids_start,
	.next	= tgids_next,
	.stop	= tgids_stop,
	.show	= tgids_show,
};
