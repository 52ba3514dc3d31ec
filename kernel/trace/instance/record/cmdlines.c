// SPDX-License-Identifier: GPL-2.0
/*
 * Names of the tasks that wrote entries (saved_cmdlines).
 *
 * An entry has only a pid. Its writer marks the CPU, which is one store; when
 * the task leaves a marked CPU, its name goes into a small table, where it
 * replaces the oldest name. A task that writes no entries costs nothing.
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

/* An error is better than a task killed for the memory. */
#define CMDLINES_GFP	(GFP_KERNEL | __GFP_RETRY_MAYFAIL | __GFP_NOWARN)

struct cmdlines_saved {
	struct hlist_node	node;
	int			pid;
	char			comm[TASK_COMM_LEN];
};

/**
 * struct cmdlines_table - names by pid
 * @size: how many names there is room for
 * @used: how many there are
 * @next: the slot to use next; when all are used, it has the oldest name
 * @bits: the number of hash heads, as a power of two
 * @head: hash heads
 * @slot: the names
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
 * Guards the table and the pointer to it. The scheduler takes it with the run
 * queue locked, so code under it calls nothing and takes no other lock.
 */
static DEFINE_RAW_SPINLOCK(cmdlines_lock);
static struct cmdlines_table *cmdlines;

/* Guards @recorders. No other lock of tracing is taken under it. */
static DEFINE_MUTEX(record_lock);

/* Users of the probe on sched_switch. */
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

/* Return: false if the name could not be saved now. Any context but NMI. */
static bool cmdlines_save(struct task_struct *task)
{
	unsigned long flags;

	/* All idle tasks have pid 0 and the same name, which needs no room. */
	if (!task->pid)
		return true;

	/* Better try again at the next switch than have all CPUs wait here. */
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
 * tracing_record_cmdline - save a task's name at once
 * @task: its name of now is saved under its pid
 *
 * For entries written while the scheduler may not be watched. Any context; does
 * nothing in an NMI.
 */
void tracing_record_cmdline(struct task_struct *task)
{
	if (!in_nmi())
		cmdlines_save(task);
}

/**
 * trace_cmdlines_record - save names of tasks that leave a marked CPU
 *
 * Calls nest. May sleep.
 *
 * Return: 0, or the error of the tracepoint.
 */
int trace_cmdlines_record(void)
{
	int ret = 0;

	guard(mutex)(&record_lock);

	if (!recorders)
		ret = register_trace_sched_switch(cmdlines_sched_switch, NULL);
	if (!ret)
		recorders++;

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

	if (!--recorders)
		unregister_trace_sched_switch(cmdlines_sched_switch, NULL);
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
 * trace_cmdlines_save_running - save the names of tasks that run right now
 *
 * A task that wrote entries and has not left its CPU since has no name in the
 * table yet. Only marked CPUs are interrupted. May sleep.
 */
void trace_cmdlines_save_running(void)
{
	on_each_cpu_cond(cmdlines_is_wanted, cmdlines_save_current, NULL, true);
}

/*
 * A dump must not wait: it may have interrupted the holder of the lock, or be
 * called by it. The holder on another CPU is done soon.
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
	/* Sparse: the macro says that it is held. */
	__release(&cmdlines_lock);
	return true;
}

#define lock_to_read(may_wait, flags) \
	__cond_lock(&cmdlines_lock, cmdlines_lock_to_read(may_wait, flags))

/**
 * trace_find_cmdline - find the name of a task
 * @pid: the task
 * @comm: set to the name
 * @may_wait: false for a caller that may hold the lock already, in any context
 *
 * Return: true if the name is known; otherwise @comm is set to "<...>".
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
 * trace_cmdlines_size - how many names there is room for
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
 * trace_cmdlines_resize - change how many names there is room for
 * @size: how many
 *
 * The names saved so far are forgotten.
 *
 * Return: 0, -EINVAL for a size that makes no sense, -ENOMEM; an error changes
 * nothing.
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
 * trace_cmdlines_init - make the table at its default size
 */
int __init trace_cmdlines_init(void)
{
	return trace_cmdlines_resize(CMDLINES_DEFAULT);
}

/* The @i-th name, oldest first. Names may be saved between two calls. */
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
