/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A trace instance: a buffer, what is recorded into it and how it is shown.
 *
 * Its locks, and their order, are in Documentation/trace/ftrace-design.rst, "Locks".
 * Writers of entries wait for none of them.
 */
#ifndef _TRACE_INSTANCE_CORE_INSTANCE_H
#define _TRACE_INSTANCE_CORE_INSTANCE_H

#include <linux/ftrace.h>
#include <linux/irq_work.h>
#include <linux/list.h>
#include <linux/llist.h>
#include <linux/mutex.h>
#include <linux/ring_buffer.h>
#include <linux/rwsem.h>
#include <linux/sched.h>
#include <linux/spinlock_types.h>
#include <linux/trace.h>
#include <linux/trace_events.h>
#include <linux/workqueue.h>

struct seq_file;
struct dentry;
struct ftrace_pids;
struct trace_events;
struct tracer;

/**
 * struct trace_max - what the trace of a latency is of
 * @latency: how long it was, in nanoseconds; 0 for no trace of a latency
 * @since: when it began, by the clock of the instance: entries that are older are
 *	   not of it
 * @start_ip: where it began, 0 if the tracer does not know
 * @end_ip: where it ended, or 0
 * @cpu: the CPU where it ended
 * @pid: the task that had to wait
 * @uid: its user
 * @nice: its nice value
 * @policy: its scheduling policy
 * @rt_priority: its real-time priority
 * @comm: its name
 */
struct trace_max {
	u64			latency;
	u64			since;
	unsigned long		start_ip;
	unsigned long		end_ip;
	int			cpu;
	pid_t			pid;
	uid_t			uid;
	int			nice;
	unsigned int		policy;
	unsigned int		rt_priority;
	char			comm[TASK_COMM_LEN];
};

/**
 * struct array_buffer - a buffer of an instance
 * @tr: the instance
 * @buffer: the ring buffer
 * @max: the latency that a latency tracer took the content for; trace_array.max_lock
 */
struct array_buffer {
	struct trace_array	*tr;
	struct trace_buffer	*buffer;
	struct trace_max	max;
};

/* Whether a snapshot is to be taken, see tracing_snapshot_cond_enable(). */
typedef bool (*cond_update_fn_t)(struct trace_array *tr, void *cond_data);

/**
 * struct trace_snapshot_cond - the condition of tracing_snapshot_cond()
 * @lock: guards the rest; taken with interrupts off, in any context but NMIs
 * @update: the condition, NULL where there is none
 * @data: of whoever has set it
 */
struct trace_snapshot_cond {
	arch_spinlock_t		lock;
	cond_update_fn_t	update;
	void			*data;
};

/* One more than there can be parts: the first is that of a part that is not registered. */
#define TRACE_SLOTS	16

/**
 * struct trace_array - a trace instance
 * @list: in trace_instances; trace_lock to change
 * @name: name of its directory, NULL for the top instance
 * @systems: systems that it has events of, with commas between them; NULL for all
 * @memory: that @main is in, where it outlives the kernel; NULL otherwise
 * @memory_size: bytes of it
 * @refs: open files and other users; trace_lock
 * @ending: it is being made or removed, so that nobody may begin to use it; trace_lock
 * @main: the buffer that entries are written to
 * @snap: the spare buffer, whose @buffer is NULL until there is one; trace_lock
 *	  and @consume to change
 * @snap_readers: open files that read @snap, which therefore stays; trace_lock
 * @snap_armed: other users that take snapshots, so that @snap stays; trace_lock
 * @snap_owned: the current tracer keeps its maxima in @snap, which has no other
 *	  use meanwhile; trace_lock and @max_lock to change
 * @snap_implicit: @snap is there for a latency tracer, or was; nobody else has asked for
 *	  one. trace_lock
 * @snap_cond: what decides about snapshots that tracing_snapshot_cond() suggests
 * @snap_refused: 1 if a snapshot was requested while a ring was mapped
 * @snap_irq_work: queues @snap_work
 * @snap_work: takes the snapshots that were requested
 * @snap_drop_work: frees @snap after a latency tracer
 * @max_latency: the longest latency seen, or what was written into
 *	tracing_max_latency, in nanoseconds; @max_lock to change
 * @max_lock: guards @max_latency and @snap.max; taken with interrupts off, in any context but
 *	  NMIs; rings are exchanged inside it
 * @max_unreported: the last latency that was recorded, 0 when @max_work has told of it
 * @max_irq_work: queues @max_work
 * @max_work: takes the traces that were requested, and tells of a new maximum
 * @max_options: options as they were before a latency tracer changed them; trace_lock
 * @max_file: the file tracing_max_latency, or NULL; trace_lock
 * @size: bytes a CPU that the buffer is to have from its first use on
 * @cpu_size: the same for each CPU; they can differ after first use; trace_lock, but for
 *	a CPU that comes up for the first time
 * @in_use: the buffer has been grown to @size
 * @clock: index of the clock
 * @clock_changes: how often the clock was changed, for users that keep time
 *	  stamps: trace_clock_changes()
 * @options: TRACE_OPT_* bits; changed under trace_lock, read anywhere
 * @tracer: the current tracer; trace_lock
 * @tracers: what it has for each tracer; trace_lock
 * @cmdlines: the tracer has the names of tasks recorded; trace_lock
 * @events_on: any trace event is enabled; trace_lock
 * @slot: what parts keep in it, see trace_instance_data()
 * @should_record_call: set by a latency tracer while it is the current one: whether a call on
 *	       this CPU is recorded. Preemption is disabled.
 * @saved_func: what @ops called before a latency tracer took it, which calls it
 *	  while option function-trace is set; NULL otherwise; trace_lock
 * @ops: its filter is what set_ftrace_filter edits; NULL where functions cannot
 *	  be traced
 * @pids: the tasks whose functions are traced; NULL like @ops
 * @pipes: open files that consume entries, which keep the tracer; trace_lock
 * @maps: mappings of its rings, which keep the buffers from being exchanged; -1 while
 *	  @snap_armed, a latency tracer or a snapshot that is being taken keeps them from
 *	  being mapped
 * @events: what it has of trace events; trace_event_lock to change
 * @piped: CPUs of which a trace_pipe is open; trace_lock
 * @stops: nested trace_array_stop(); trace_lock
 * @consume: held for reading to consume entries of one CPU, for writing to
 *	  consume those of all CPUs or to drop content
 * @consume_cpu: one for each CPU, taken inside @consume held for reading
 * @errors: the latest refused writes, oldest first; errors_lock
 * @cpumask: CPUs that record; trace_lock and cpu_hotplug_lock to change
 * @cpus_off: CPUs whose ring was told not to record; cpu_hotplug_lock
 * @hotplug: in the CPU hotplug state of buffer.c
 * @buffer_percent: how full the buffer is when a raw reader is woken
 * @dir: its directory
 * @files: the tables of its files, added without locks; trace_lock to take them out
 * @leaving: in a list of instances that have left and are not freed yet
 * @last_part: the last part that has something for it, since it has left
 */
struct trace_array {
	struct list_head		list;
	char				*name;
	char				*systems;
	void				*memory;
	unsigned long			memory_size;
	unsigned int			refs;
	bool				ending;

	struct array_buffer		main;
	struct array_buffer		snap;
	unsigned int			snap_readers;
	unsigned int			snap_armed;
	bool				snap_owned;
	bool				snap_implicit;
	struct trace_snapshot_cond	snap_cond;
	atomic_t			snap_refused;
	struct irq_work			snap_irq_work;
	struct work_struct		snap_work;
	struct work_struct		snap_drop_work;

	u64				max_latency;
	arch_spinlock_t			max_lock;
	u64				max_unreported;
	struct irq_work			max_irq_work;
	struct work_struct		max_work;
	u64				max_options;
	struct dentry			*max_file;

	unsigned long			size;
	unsigned long __percpu		*cpu_size;
	bool				in_use;
	unsigned int			clock;
	unsigned int			clock_changes;
	u64				options;

	struct tracer			*tracer;
	struct list_head		tracers;
	bool				cmdlines;
	bool				events_on;
	void				*slot[TRACE_SLOTS];
#ifdef CONFIG_FUNCTION_TRACER
	bool				(*should_record_call)(struct trace_array *tr);
	ftrace_func_t			saved_func;
#endif
	struct ftrace_ops		*ops;
	struct ftrace_pids		*pids;
	struct trace_events		*events;

	unsigned int			pipes;
	atomic_t			maps;
	cpumask_var_t			piped;
	unsigned int			stops;
	struct rw_semaphore		consume;
	struct mutex __percpu		*consume_cpu;

	struct list_head		errors;
	cpumask_var_t			cpumask;
	cpumask_var_t			cpus_off;
	struct hlist_node		hotplug;
	unsigned int			buffer_percent;
	struct dentry			*dir;
	struct llist_head		files;

	struct list_head		leaving;
	struct list_head		*last_part;
};

/**
 * struct trace_instance_ops - what an upper room has for every instance
 * @create: a new instance begins. It is in the list already, and may have files, but
 *	    they cannot be opened before all parts are there. An error ends it.
 * @destroy: an instance ends, of which @create succeeded. Nobody can find it any
 *	     more, and it has the tracer that records nothing; a callback of its
 *	     tracer may still be under way, so that what callbacks use has to stay
 *	     until @release. Another instance can have its name from then on.
 * @release: free what callbacks use; none is under way any more
 * @show_stats: add lines to the file stats of a CPU; trace_lock held
 * @slot: where instances have its data, from register_trace_instance_ops() on
 * @list: in the order of registration
 *
 * @create, @destroy and @release are called without trace_lock, the first two with
 * instances_lock held, and may sleep. Any of them may be NULL.
 */
struct trace_instance_ops {
	int			(*create)(struct trace_array *tr);
	void			(*destroy)(struct trace_array *tr);
	void			(*release)(struct trace_array *tr);
	void			(*show_stats)(struct seq_file *m, struct trace_array *tr, int cpu);
	unsigned int		slot;
	struct list_head	list;
};

/* trace_instance_data - what a part keeps in an instance, NULL at first; any context */
static __always_inline void *trace_instance_data(const struct trace_array *tr,
						 const struct trace_instance_ops *part)
{
	return READ_ONCE(tr->slot[part->slot]);
}

/* trace_instance_set_data - let trace_instance_data() return @data */
static inline void trace_instance_set_data(struct trace_array *tr,
					   const struct trace_instance_ops *part,
					   void *data)
{
	WRITE_ONCE(tr->slot[part->slot], data);
}

extern struct mutex trace_lock;
extern struct list_head trace_instances;
extern struct trace_array trace_top;

int trace_array_get(struct trace_array *tr);
struct trace_array *trace_array_find(const char *name);
struct trace_array *trace_array_find_atomic(const char *name, size_t len);
void trace_instances_add(struct trace_array *tr);

bool trace_array_on(struct trace_array *tr);
bool trace_array_off(struct trace_array *tr);
bool trace_array_is_on(struct trace_array *tr);
void trace_array_stop(struct trace_array *tr);
void trace_array_start(struct trace_array *tr);
void trace_wait_for_users(bool readers);

void trace_consume_begin(struct trace_array *tr, int cpu);
void trace_consume_end(struct trace_array *tr, int cpu);

#endif /* _TRACE_INSTANCE_CORE_INSTANCE_H */
