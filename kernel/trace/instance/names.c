// SPDX-License-Identifier: GPL-2.0
/*
 * Names of the tasks seen while tracing, and their thread groups.
 *
 * An entry holds a pid alone. A writer marks its CPU, which is one store; when
 * the task leaves a marked CPU, its name goes into a small table, where the
 * one longest in it makes room. A task that is never marked costs nothing.
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

#include "instance/names.h"

#define NAMES_DEFAULT	128
#define NAMES_TRIES	1000
#define NAMES_MOST	PID_MAX_DEFAULT

/* Rather an error than somebody killed for the memory. */
#define NAMES_GFP	(GFP_KERNEL | __GFP_RETRY_MAYFAIL | __GFP_NOWARN)

struct task_name {
	struct hlist_node	node;
	int			pid;
	int			tgid;
	char			comm[TASK_COMM_LEN];
};

/**
 * struct name_table - names by pid
 * @size: how many names there is room for
 * @used: how many there are
 * @next: the slot to be given out next; those after it are older
 * @bits: the number of hash heads, as a power of two
 * @head: hash heads
 * @slot: the names
 */
struct name_table {
	unsigned int		size;
	unsigned int		used;
	unsigned int		next;
	unsigned int		bits;
	struct hlist_head	*head;
	struct task_name	slot[] __counted_by(size);
};

DEFINE_PER_CPU(bool, trace_name_wanted);

/*
 * Guards *names and which table it is. It is taken in the scheduler with the
 * run queue locked, so nothing is called and no other lock taken under it.
 */
static DEFINE_RAW_SPINLOCK(names_lock);
static struct name_table *names;

/* Guards who watches the scheduler. Nothing of tracing is taken under it. */
static DEFINE_MUTEX(watch_lock);
static unsigned int watchers;

static struct name_table *table_alloc(unsigned int size)
{
	struct name_table *table;
	unsigned int bits = order_base_2(size) + 1;

	table = kvzalloc(struct_size(table, slot, size), NAMES_GFP);
	if (!table)
		return NULL;

	table->head = kvcalloc(1U << bits, sizeof(*table->head), NAMES_GFP);
	if (!table->head) {
		kvfree(table);
		return NULL;
	}

	table->size = size;
	table->bits = bits;

	return table;
}

static void table_free(struct name_table *table)
{
	if (!table)
		return;

	kvfree(table->head);
	kvfree(table);
}

static struct hlist_head *table_head(struct name_table *table, int pid)
{
	return &table->head[hash_32(pid, table->bits)];
}

static struct task_name *table_find(struct name_table *table, int pid)
{
	struct task_name *name;

	hlist_for_each_entry(name, table_head(table, pid), node) {
		if (name->pid == pid)
			return name;
	}

	return NULL;
}

static void table_save(struct name_table *table, struct task_struct *task)
{
	struct task_name *name = table_find(table, task->pid);

	if (!name) {
		name = &table->slot[table->next];
		if (++table->next == table->size)
			table->next = 0;

		if (table->used < table->size)
			table->used++;
		else
			hlist_del(&name->node);

		name->pid = task->pid;
		hlist_add_head(&name->node, table_head(table, task->pid));
	}

	name->tgid = task->tgid;
	strscpy(name->comm, task->comm, sizeof(name->comm));
}

/* Return: false if the name could not be saved for now. Not for NMIs. */
static bool name_save(struct task_struct *task)
{
	unsigned long flags;

	/* All idle tasks have pid 0 and one name, which needs no room. */
	if (!task->pid)
		return true;

	/* Rather once more at the next switch than all CPUs in a queue. */
	if (!raw_spin_trylock_irqsave(&names_lock, flags))
		return false;

	if (names)
		table_save(names, task);
	raw_spin_unlock_irqrestore(&names_lock, flags);

	return true;
}

static void names_sched_switch(void *data, bool preempt,
			       struct task_struct *prev,
			       struct task_struct *next,
			       unsigned int prev_state)
{
	if (!this_cpu_read(trace_name_wanted))
		return;

	if (name_save(prev))
		this_cpu_write(trace_name_wanted, false);
}

/**
 * tracing_record_cmdline - save a task's name at once
 * @task: the task
 *
 * For entries written while nothing watches the scheduler. Any context but
 * NMI, where it does nothing.
 */
void tracing_record_cmdline(struct task_struct *task)
{
	if (!in_nmi())
		name_save(task);
}

/**
 * trace_names_watch - save names of tasks that leave a marked CPU from now on
 *
 * Calls nest. May sleep.
 *
 * Return: 0, or the error of the tracepoint.
 */
int trace_names_watch(void)
{
	int ret = 0;

	guard(mutex)(&watch_lock);

	if (!watchers)
		ret = register_trace_sched_switch(names_sched_switch, NULL);
	if (!ret)
		watchers++;

	return ret;
}

/**
 * trace_names_unwatch - undo one trace_names_watch()
 */
void trace_names_unwatch(void)
{
	guard(mutex)(&watch_lock);

	if (WARN_ON_ONCE(!watchers))
		return;

	if (!--watchers)
		unregister_trace_sched_switch(names_sched_switch, NULL);
}

static bool name_is_wanted(int cpu, void *unused)
{
	return per_cpu(trace_name_wanted, cpu);
}

static void name_save_current(void *unused)
{
	if (name_save(current))
		this_cpu_write(trace_name_wanted, false);
}

/**
 * trace_names_catch_up - save the names of those that run right now
 *
 * A task that wrote entries and has not left its CPU since has no name in the
 * table yet. Only marked CPUs are interrupted. May sleep.
 */
void trace_names_catch_up(void)
{
	on_each_cpu_cond(name_is_wanted, name_save_current, NULL, true);
}

/*
 * A dump must not wait: it may have interrupted the holder of the lock, or be
 * called by it. The holder on another CPU is done soon.
 */
static bool names_lock_to_read(bool may_wait, unsigned long *flags)
{
	int tries = NAMES_TRIES;

	if (may_wait) {
		raw_spin_lock_irqsave(&names_lock, *flags);
		return true;
	}

	while (!raw_spin_trylock_irqsave(&names_lock, *flags)) {
		if (!--tries)
			return false;
		cpu_relax();
	}

	return true;
}

/**
 * trace_name_of - find the name of a task
 * @pid: the task
 * @comm: set to the name
 * @may_wait: false for a caller that may hold the lock already, in any context
 *
 * Return: true if the name is known; otherwise @comm is set to "<...>".
 */
bool trace_name_of(int pid, char comm[TASK_COMM_LEN], bool may_wait)
{
	struct task_name *name;
	unsigned long flags;

	if (!pid) {
		strscpy(comm, "<idle>", TASK_COMM_LEN);
		return true;
	}

	strscpy(comm, "<...>", TASK_COMM_LEN);

	if (!names_lock_to_read(may_wait, &flags))
		return false;

	name = names ? table_find(names, pid) : NULL;
	if (name)
		strscpy(comm, name->comm, TASK_COMM_LEN);
	raw_spin_unlock_irqrestore(&names_lock, flags);

	return name;
}

/**
 * trace_tgid_of - find the thread group of a task
 * @pid: the task
 * @may_wait: as for trace_name_of()
 *
 * Return: the pid of its leader, or 0 if it is not known.
 */
int trace_tgid_of(int pid, bool may_wait)
{
	struct task_name *name;
	unsigned long flags;
	int tgid = 0;

	if (!names_lock_to_read(may_wait, &flags))
		return 0;

	name = names ? table_find(names, pid) : NULL;
	if (name)
		tgid = name->tgid;
	raw_spin_unlock_irqrestore(&names_lock, flags);

	return tgid;
}

/**
 * trace_names_size - how many names there is room for
 */
unsigned int trace_names_size(void)
{
	unsigned long flags;
	unsigned int size;

	raw_spin_lock_irqsave(&names_lock, flags);
	size = names ? names->size : 0;
	raw_spin_unlock_irqrestore(&names_lock, flags);

	return size;
}

/**
 * trace_names_resize - change how many names there is room for
 * @size: how many
 *
 * The names saved so far are forgotten.
 *
 * Return: 0, -EINVAL for a size that makes no sense, -ENOMEM; an error leaves
 * everything as it was.
 */
int trace_names_resize(unsigned int size)
{
	struct name_table *table;

	if (!size || size > NAMES_MOST)
		return -EINVAL;

	table = table_alloc(size);
	if (!table)
		return -ENOMEM;

	scoped_guard(raw_spinlock_irqsave, &names_lock)
		swap(names, table);

	table_free(table);

	return 0;
}

/* The @i-th name, oldest first: the table may change between two, not within one. */
static bool name_at(unsigned int i, struct task_name *name)
{
	unsigned long flags;
	unsigned int first;
	bool found;

	raw_spin_lock_irqsave(&names_lock, flags);
	found = names && i < names->used;
	if (found) {
		first = names->used < names->size ? 0 : names->next;
		*name = names->slot[(first + i) % names->size];
	}
	raw_spin_unlock_irqrestore(&names_lock, flags);

	return found;
}

/**
 * trace_names_show - list the names, oldest first, one "<pid> <name>" a line
 * @m: where to
 */
void trace_names_show(struct seq_file *m)
{
	struct task_name name;
	unsigned int i;

	for (i = 0; name_at(i, &name); i++)
		seq_printf(m, "%d %s\n", name.pid, name.comm);
}

/**
 * trace_tgids_show - list the thread groups, one "<pid> <tgid>" a line
 * @m: where to
 */
void trace_tgids_show(struct seq_file *m)
{
	struct task_name name;
	unsigned int i;

	for (i = 0; name_at(i, &name); i++)
		seq_printf(m, "%d %d\n", name.pid, name.tgid);
}

/**
 * trace_names_init - make the table at its default size
 */
int __init trace_names_init(void)
{
	return trace_names_resize(NAMES_DEFAULT);
}
