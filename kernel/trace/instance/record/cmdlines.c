// SPDX-License-Identifier: GPL-2.0
/*
 * Saved comms of the tasks that wrote entries (saved_cmdlines).
 *
 * An entry only has a pid. Its writer marks the CPU with a single store. When the task is
 * switched out on a marked CPU, its comm is saved in a small table, where it replaces the
 * oldest comm. Tasks that write no entries have no overhead.
 */
#include <linux/cleanup.h>
#include <linux/hashtable.h>
#include <linux/log2.h>
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/overflow.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/smp.h>
#include <linux/spinlock.h>
#include <linux/string.h>
#include <linux/trace_events.h>
#include <trace/events/sched.h>

#include "instance/record/cmdlines.h"

#define CMDLINES_DEFAULT	128
#define CMDLINES_MAX		PID_MAX_DEFAULT
#define CMDLINES_TRIES		1000

/* Fail rather than invoke the OOM killer. */
#define CMDLINES_GFP	(GFP_KERNEL | __GFP_RETRY_MAYFAIL | __GFP_NOWARN)

struct cmdlines_saved {
	struct hlist_node	node;
	int			pid;
	char			comm[TASK_COMM_LEN];
};

/**
 * struct cmdlines_table - comms by pid
 * @size: number of slots
 * @used: number of used slots
 * @next: next slot to use; when all slots are used, it has the oldest comm
 * @bits: log2 of the number of hash heads
 * @head: hash heads
 * @slot: the comms
 */
struct cmdlines_table {
	unsigned int		size;
	unsigned int		used;
	unsigned int		next;
	unsigned int		bits;
	struct hlist_head	*head;
	struct cmdlines_saved	slot[] __counted_by(size);
};

DEFINE_PER_CPU(bool, trace_cmdline_wanted);

/*
 * Guards the table and the pointer to it. The scheduler takes it with the run queue locked, so
 * code in the critical section calls no other subsystem and takes no other lock.
 */
static DEFINE_RAW_SPINLOCK(cmdlines_lock);
static struct cmdlines_table *cmdlines;

/* Guards @recorders. No other lock of tracing is taken while it is held. */
static DEFINE_MUTEX(record_lock);

/* Number of users of the sched_switch probe. */
static unsigned int recorders;

static struct cmdlines_table *cmdlines_table_alloc(unsigned int size)
{
	struct cmdlines_table *table;
	unsigned int bits = order_base_2(size) + 1;

	table = kvzalloc(struct_size(table, slot, size), CMDLINES_GFP);
	if (!table)
		return NULL;

	table->head = kvcalloc(1U << bits, sizeof(*table->head), CMDLINES_GFP);
	if (!table->head) {
		kvfree(table);
		return NULL;
	}

	table->size = size;
	table->bits = bits;

	return table;
}

static void cmdlines_table_free(struct cmdlines_table *table)
{
	if (!table)
		return;

	kvfree(table->head);
	kvfree(table);
}

static struct hlist_head *cmdlines_table_head(struct cmdlines_table *table, int pid)
{
	return &table->head[hash_32(pid, table->bits)];
}

static struct cmdlines_saved *cmdlines_table_find(struct cmdlines_table *table, int pid)
{
	struct cmdlines_saved *name;

	hlist_for_each_entry(name, cmdlines_table_head(table, pid), node) {
		if (name->pid == pid)
			return name;
	}

	return NULL;
}

static void cmdlines_table_save(struct cmdlines_table *table, struct task_struct *task)
{
	struct cmdlines_saved *name = cmdlines_table_find(table, task->pid);

	if (!name) {
		name = &table->slot[table->next];
		if (++table->next == table->size)
			table->next = 0;

		if (table->used < table->size)
			table->used++;
		else
			hlist_del(&name->node);

		name->pid = task->pid;
		hlist_add_head(&name->node, cmdlines_table_head(table, task->pid));
	}

	strscpy(name->comm, task->comm, sizeof(name->comm));
}

/* Return: false if the comm could not be saved now. Any context except NMI. */
static bool cmdlines_save(struct task_struct *task)
{
	unsigned long flags;

	/* All idle tasks have pid 0 and the same comm, which needs no slot. */
	if (!task->pid)
		return true;

	/* Retry at the next switch rather than let all CPUs spin here. */
	if (!raw_spin_trylock_irqsave(&cmdlines_lock, flags))
		return false;

	if (cmdlines)
		cmdlines_table_save(cmdlines, task);
	raw_spin_unlock_irqrestore(&cmdlines_lock, flags);

	return true;
}

static void cmdlines_sched_switch(void *data, bool preempt,
				  struct task_struct *prev,
				  struct task_struct *next,
				  unsigned int prev_state)
{
	if (!this_cpu_read(trace_cmdline_wanted))
		return;

	if (cmdlines_save(prev))
		this_cpu_write(trace_cmdline_wanted, false);
}

/**
 * tracing_record_cmdline - save the comm of a task immediately
 * @task: task whose current comm is saved under its pid
 *
 * For entries written while the sched_switch probe may not be registered. Any context; does
 * nothing in an NMI.
 */
void tracing_record_cmdline(struct task_struct *task)
{
	if (!in_nmi())
		cmdlines_save(task);
}

static bool cmdlines_is_wanted(int cpu, void *unused)
{
	return per_cpu(trace_cmdline_wanted, cpu);
}

static void cmdlines_save_current(void *unused)
{
	if (cmdlines_save(current))
		this_cpu_write(trace_cmdline_wanted, false);
}

/**
 * trace_cmdlines_save_running - save the comms of the currently running tasks
 *
 * A task that wrote entries and has not been switched out since is not in the table yet. Only
 * marked CPUs are interrupted. Does nothing while no comms are recorded. May sleep.
 */
void trace_cmdlines_save_running(void)
{
	if (!READ_ONCE(recorders))
		return;

	on_each_cpu_cond(cmdlines_is_wanted, cmdlines_save_current, NULL, true);
}

/**
 * trace_cmdlines_record - save the comms of tasks that are switched out on a marked CPU
 *
 * Calls nest. May sleep.
 *
 * Return: 0, or the error of the tracepoint registration.
 */
int trace_cmdlines_record(void)
{
	int ret = 0;

	guard(mutex)(&record_lock);

	if (!recorders)
		ret = register_trace_sched_switch(cmdlines_sched_switch, NULL);
	if (!ret)
		WRITE_ONCE(recorders, recorders + 1);

	return ret;
}

/**
 * trace_cmdlines_unrecord - undo one trace_cmdlines_record()
 */
void trace_cmdlines_unrecord(void)
{
	guard(mutex)(&record_lock);

	if (WARN_ON_ONCE(!recorders))
		return;

	/* Later, nobody saves the comms of the tasks that are running now. */
	if (recorders == 1) {
		trace_cmdlines_save_running();
		unregister_trace_sched_switch(cmdlines_sched_switch, NULL);
	}
	WRITE_ONCE(recorders, recorders - 1);
}

/*
 * A dump must not wait: it may have interrupted the holder of the lock, or be called by it. A
 * holder on another CPU releases the lock soon, so a limited number of attempts is made.
 */
static bool cmdlines_lock_to_read(bool may_wait, unsigned long *flags)
{
	int tries = CMDLINES_TRIES;

	if (may_wait) {
		raw_spin_lock_irqsave(&cmdlines_lock, *flags);
		goto held;
	}

	while (!raw_spin_trylock_irqsave(&cmdlines_lock, *flags)) {
		if (!--tries)
			return false;
		cpu_relax();
	}
held:
	/* For sparse: the macro annotates that the lock is held. */
	__release(&cmdlines_lock);
	return true;
}

#define lock_to_read(may_wait, flags) \
	__cond_lock(&cmdlines_lock, cmdlines_lock_to_read(may_wait, flags))

/**
 * trace_find_cmdline - find the comm of a task
 * @pid: pid of the task
 * @comm: output buffer
 * @may_wait: false for a caller that may already hold the lock, in any context
 *
 * Return: true if the comm is known; otherwise @comm is set to "<...>".
 */
bool trace_find_cmdline(int pid, char comm[TASK_COMM_LEN], bool may_wait)
{
	struct cmdlines_saved *name;
	unsigned long flags;

	if (!pid) {
		strscpy(comm, "<idle>", TASK_COMM_LEN);
		return true;
	}

	strscpy(comm, "<...>", TASK_COMM_LEN);

	if (!lock_to_read(may_wait, &flags))
		return false;

	name = cmdlines ? cmdlines_table_find(cmdlines, pid) : NULL;
	if (name)
		strscpy(comm, name->comm, TASK_COMM_LEN);
	raw_spin_unlock_irqrestore(&cmdlines_lock, flags);

	return name;
}

/**
 * trace_cmdlines_size - number of slots for comms
 */
unsigned int trace_cmdlines_size(void)
{
	unsigned long flags;
	unsigned int size;

	raw_spin_lock_irqsave(&cmdlines_lock, flags);
	size = cmdlines ? cmdlines->size : 0;
	raw_spin_unlock_irqrestore(&cmdlines_lock, flags);

	return size;
}

/**
 * trace_cmdlines_resize - change the number of slots for comms
 * @size: number of slots
 *
 * The saved comms are dropped.
 *
 * Return: 0, -EINVAL if @size is 0 or too large, -ENOMEM. An error has no effect.
 */
int trace_cmdlines_resize(unsigned int size)
{
	struct cmdlines_table *table;

	if (!size || size > CMDLINES_MAX)
		return -EINVAL;

	table = cmdlines_table_alloc(size);
	if (!table)
		return -ENOMEM;

	scoped_guard(raw_spinlock_irqsave, &cmdlines_lock)
		swap(cmdlines, table);

	cmdlines_table_free(table);

	return 0;
}

/**
 * trace_cmdlines_init - allocate the table with its default size
 */
int __init trace_cmdlines_init(void)
{
	return trace_cmdlines_resize(CMDLINES_DEFAULT);
}

/* Get the @i-th comm, oldest first. Comms may be saved between two calls. */
static bool cmdlines_at(loff_t i, struct cmdlines_saved *name)
{
	unsigned long flags;
	unsigned int first;
	bool found;

	raw_spin_lock_irqsave(&cmdlines_lock, flags);
	found = cmdlines && i < cmdlines->used;
	if (found) {
		first = cmdlines->used < cmdlines->size ? 0 : cmdlines->next;
		*name = cmdlines->slot[(first + (unsigned int)i) % cmdlines->size];
	}
	raw_spin_unlock_irqrestore(&cmdlines_lock, flags);

	return found;
}

static void *cmdlines_start(struct seq_file *m, loff_t *pos)
{
	struct cmdlines_saved unused;

	if (!*pos)
		trace_cmdlines_save_running();

	return cmdlines_at(*pos, &unused) ? pos : NULL;
}

static void *cmdlines_next(struct seq_file *m, void *v, loff_t *pos)
{
	++*pos;

	return cmdlines_start(m, pos);
}

static void cmdlines_stop(struct seq_file *m, void *v)
{
}

static int cmdlines_show(struct seq_file *m, void *v)
{
	struct cmdlines_saved name;

	if (!cmdlines_at(*(loff_t *)v, &name))
		return SEQ_SKIP;

	seq_printf(m, "%d %s\n", name.pid, name.comm);

	return 0;
}

const struct seq_operations trace_cmdlines_seq_ops = {
	.start	= cmdlines_start,
	.next	= cmdlines_next,
	.stop	= cmdlines_stop,
	.show	= cmdlines_show,
};
