// SPDX-License-Identifier: GPL-2.0
/*
 * Thread groups of tasks (saved_tgids): while the option record-tgid is set in
 * any instance, that of each task that gets or leaves a CPU is saved.
 *
 * The table has a place for each pid, so that the scheduler writes one word and
 * takes no lock. It is made when the option is set for the first time, and stays.
 */
#include <linux/cleanup.h>
#include <linux/errno.h>
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/pid.h>
#include <linux/sched.h>
#include <linux/smp.h>
#include <trace/events/sched.h>

#include "instance/tgids.h"

/* An error is better than a task killed for the memory. */
#define TGIDS_GFP	(GFP_KERNEL | __GFP_RETRY_MAYFAIL | __GFP_NOWARN)

/* Guards @recorders. No other lock of tracing is taken under it. */
static DEFINE_MUTEX(record_lock);

/* Users of the probe on sched_switch. */
static unsigned int recorders;

/* Thread groups by pid, 0 where none was seen; @nr_tgids is set before @tgids. */
static pid_t *tgids;
static int nr_tgids;

/* A task whose pid is beyond what pid_max was when the table was made has no place. */
static bool has_place(int pid)
{
	/* Pairs with smp_store_release() in tgids_alloc(). */
	return smp_load_acquire(&tgids) && pid > 0 && pid < nr_tgids;
}

static void save(const struct task_struct *task)
{
	if (has_place(task->pid))
		WRITE_ONCE(tgids[task->pid], task->tgid);
}

static void tgids_sched_switch(void *data, bool preempt,
			       struct task_struct *prev,
			       struct task_struct *next,
			       unsigned int prev_state)
{
	save(prev);
	save(next);
}

static void save_current(void *unused)
{
	save(current);
}

static int tgids_alloc(void)
{
	pid_t *table;

	lockdep_assert_held(&record_lock);

	if (tgids)
		return 0;

	nr_tgids = pid_max + 1;
	table = kvcalloc(nr_tgids, sizeof(*table), TGIDS_GFP);
	if (!table)
		return -ENOMEM;

	/* Pairs with smp_load_acquire() in has_place(). */
	smp_store_release(&tgids, table);

	return 0;
}

/**
 * trace_tgids_record - save thread groups of tasks at context switches
 *
 * Those of the tasks that run right now are saved at once. Calls nest. May
 * sleep.
 *
 * Return: 0, -ENOMEM, or the error of the tracepoint.
 */
int trace_tgids_record(void)
{
	int ret;

	guard(mutex)(&record_lock);

	ret = tgids_alloc();
	if (!ret && !recorders)
		ret = register_trace_sched_switch(tgids_sched_switch, NULL);
	if (ret)
		return ret;

	if (!recorders++)
		on_each_cpu(save_current, NULL, true);

	return 0;
}

/**
 * trace_tgids_unrecord - undo one trace_tgids_record()
 *
 * What was saved stays.
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
 * trace_find_tgid - find the thread group of a task
 * @pid: the task
 *
 * Any context.
 *
 * Return: the thread group, or 0 where it is not known.
 */
int trace_find_tgid(int pid)
{
	return has_place(pid) ? READ_ONCE(tgids[pid]) : 0;
}

/* *@pos is a pid. Pid 0, of the idle tasks, has no thread group to show. */
static void *tgids_start(struct seq_file *m, loff_t *pos)
{
	for (; *pos < INT_MAX; ++*pos) {
		if (*pos && !has_place(*pos))
			break;
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
