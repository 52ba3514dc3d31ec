/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A trace instance: its buffers, what it records and how its entries are shown.
 *
 * Its locks, and their order, are documented in Documentation/trace/ftrace-design.rst, "Locks".
 * Writers of entries wait for none of them.
 */
#ifndef _TRACE_INSTANCE_CORE_INSTANCE_H
#define _TRACE_INSTANCE_CORE_INSTANCE_H

#include <linux/bug.h>
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

struct dentry;
struct ftrace_pids;
struct seq_file;
struct trace_events;
struct tracer;

/**
 * struct trace_max - the latency that a latency trace was recorded for
 * @latency: its duration in nanoseconds; 0 if this is not a latency trace
 * @since: its start by the clock of the instance; older entries are not part of the trace
 * @start_ip: address where it began, 0 if the tracer does not provide it
 * @end_ip: address where it ended, or 0
 * @cpu: CPU on which it ended
 * @pid: pid of the delayed task
 * @uid: its user id
 * @nice: its nice value
 * @policy: its scheduling policy
 * @rt_priority: its real-time priority
 * @comm: its comm
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
 * @max: the latency that a latency tracer recorded this content for; trace_array.max_lock
 */
struct array_buffer {
	struct trace_array	*tr;
	struct trace_buffer	*buffer;
	struct trace_max	max;
};

/* Decide whether a snapshot is taken, see tracing_snapshot_cond_enable(). */
typedef bool (*cond_update_fn_t)(struct trace_array *tr, void *cond_data);

/**
 * struct trace_snapshot_cond - the condition of tracing_snapshot_cond()
 * @lock: guards the other fields; taken with interrupts off, in any context except NMI
 * @update: the condition, or NULL
 * @data: private data of the caller that set @update
 */
struct trace_snapshot_cond {
	arch_spinlock_t		lock;
	cond_update_fn_t	update;
	void			*data;
};

/* One more than the maximum number of parts: slot 0 belongs to parts that are not registered. */
#define TRACE_SLOTS	16

/**
 * struct trace_array - a trace instance
 * @list: entry in trace_instances; trace_lock to change
 * @name: name of its directory, NULL for the top instance
 * @systems: comma-separated systems whose events the instance has; NULL for all
 * @memory: memory of @main if it outlives the kernel; NULL otherwise
 * @memory_size: size of @memory in bytes
 * @refs: number of open files and other users; trace_lock
 * @ending: it is being created or removed and must not get new users; trace_lock
 * @main: the buffer that entries are written to
 * @snap: the spare buffer, whose @buffer is NULL until it is allocated; trace_lock and @consume
 *	to change
 * @snap_readers: number of open files that read @snap and pin it; trace_lock
 * @snap_armed: number of other users that take snapshots and pin @snap; trace_lock
 * @snap_owned: the current tracer keeps its maxima in @snap, which then has no other use;
 *	trace_lock and @max_lock to change
 * @snap_implicit: @snap was allocated for a latency tracer only, and is freed with it;
 *	trace_lock
 * @snap_cond: condition of the snapshots that tracing_snapshot_cond() requests
 * @snap_refused: 1 if a snapshot was requested while a ring was mapped
 * @snap_irq_work: queues @snap_work
 * @snap_work: takes the requested snapshots
 * @snap_drop_work: frees @snap after a latency tracer was unset
 * @max_latency: maximum latency seen, or the value written to tracing_max_latency, in
 *	nanoseconds; @max_lock to change
 * @max_lock: guards @max_latency and @snap.max; taken with interrupts off, in any context
 *	except NMI; rings are exchanged while it is held
 * @max_unreported: last recorded latency not yet announced by @max_work, or 0
 * @max_irq_work: queues @max_work
 * @max_work: takes the requested traces and announces a new maximum
 * @max_options: options saved before a latency tracer changed them; trace_lock
 * @size: size of the buffer after its first use, in bytes per CPU
 * @cpu_size: size for each CPU; sizes can differ after the first use; trace_lock, except for a
 *	CPU that is brought up for the first time
 * @in_use: the buffer has been expanded to @size
 * @clock: index of the clock
 * @clock_changes: number of clock changes, for users that store time stamps:
 *	trace_clock_changes()
 * @options: TRACE_OPT_* bits; changed under trace_lock, read anywhere
 * @tracer: the current tracer; trace_lock
 * @tracers: per-tracer data of the instance; trace_lock
 * @cmdlines: the tracer has recording of comms enabled; trace_lock
 * @events_on: any trace event is enabled; trace_lock
 * @slot: data that parts keep in the instance, see trace_instance_data()
 * @should_record_call: callback of the current latency tracer that decides whether a call on
 *	this CPU is recorded, otherwise NULL. Called with preemption disabled.
 * @saved_func: callback of @ops before a latency tracer replaced it; the tracer calls it while
 *	option function-trace is set; NULL otherwise; trace_lock
 * @ops: ftrace_ops whose filter set_ftrace_filter edits; NULL if functions cannot be traced
 * @pids: tasks whose functions are traced; NULL like @ops
 * @pipes: number of open files that consume entries, which pin the tracer; trace_lock
 * @maps: number of mappings of its rings, which prevent the exchange of buffers; -1 while
 *	mapping is prevented by @snap_armed, a latency tracer or a snapshot in progress
 * @events: trace events of the instance; trace_event_lock to change
 * @piped: CPUs with an open trace_pipe; trace_lock
 * @stops: nested trace_array_stop(); trace_lock
 * @consume: held for reading to consume entries of one CPU, for writing to consume entries of
 *	all CPUs or to drop content
 * @consume_cpu: per-CPU lock of consumers, taken inside @consume held for reading
 * @errors: the latest refused writes, oldest first; errors_lock
 * @cpumask: CPUs that record; trace_lock and cpu_hotplug_lock to change
 * @cpus_off: CPUs whose ring has recording disabled; cpu_hotplug_lock
 * @hotplug: entry in the CPU hotplug state of buffer.c
 * @buffer_percent: fill level that wakes a raw reader, in percent
 * @dir: its directory
 * @files: tables of its files, added without locks; trace_lock to remove them
 * @leaving: entry in a list of removed instances that are not freed yet
 * @last_part: the last part that has data for it, since it was removed
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
 * struct trace_instance_ops - callbacks of a part that extends every instance
 * @create: called for a new instance. The instance is in the list already and may have files,
 *	but they cannot be opened until @create of all parts has succeeded. An error aborts the
 *	creation.
 * @destroy: called when an instance is removed whose @create succeeded. The instance can no
 *	longer be found and its tracer is "nop". A callback of its tracer may still be running,
 *	so the data used by callbacks must remain valid until @release. Another instance can get
 *	the same name from now on.
 * @release: free the data used by callbacks; no callback is running any longer
 * @show_stats: add lines to the file stats of a CPU; trace_lock held
 * @slot: index of its data in trace_array.slot, set by register_trace_instance_ops()
 * @list: entry in the list of all parts, in the order of registration
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

/* trace_instance_data - get a part's data of an instance, initially NULL; any context */
static __always_inline void *trace_instance_data(const struct trace_array *tr,
						 const struct trace_instance_ops *part)
{
	return READ_ONCE(tr->slot[part->slot]);
}

/* trace_instance_set_data - set the data that trace_instance_data() returns */
static inline void trace_instance_set_data(struct trace_array *tr,
					   const struct trace_instance_ops *part,
					   void *data)
{
	if (WARN_ON_ONCE(!part->slot))
		return;

	/* Pairs with the address dependency of readers: @data is complete. */
	smp_store_release(&tr->slot[part->slot], data);
}

#ifdef CONFIG_FUNCTION_TRACER
/*
 * trace_should_record_call - ask the latency tracer of @tr, if it has not stopped; preemption is
 * disabled
 */
static __always_inline bool trace_should_record_call(struct trace_array *tr)
{
	/* Pairs with latency_common_functions_begin(). */
	bool (*should)(struct trace_array *tr) = smp_load_acquire(&tr->should_record_call);

	return should && should(tr);
}
#endif

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
