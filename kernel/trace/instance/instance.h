/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A trace instance: a buffer, what goes into it and how it is shown.
 *
 * Locks, outer first; each is asserted where it is relied upon:
 *
 *   mutex of an open file	what one reader has read so far
 *   trace_lock			list of instances, tracers, sizes, clocks, options
 *   trace_array.consume	who takes entries out of the buffer, or drops them
 *   hook/'s locks		taken by a tracer that attaches to functions
 *   ring/'s locks
 *   errors_lock		errlog.c
 *   names_lock			names.c, inside the run queue lock
 *
 * Writers of entries take none of them.
 */
#ifndef _TRACE_INSTANCE_INSTANCE_H
#define _TRACE_INSTANCE_INSTANCE_H

#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/ring_buffer.h>
#include <linux/rwsem.h>
#include <linux/trace.h>
#include <linux/trace_events.h>

#include "instance/options.h"

struct dentry;
struct ftrace_ops;
struct ftrace_pids;
struct tracer;

/* What a buffer grows to at its first use, bytes a CPU, unless told else. */
#define TRACE_BUFFER_DEFAULT	1441792UL

/**
 * struct array_buffer - a buffer and whose it is
 * @tr: the instance
 * @buffer: the ring buffer
 */
struct array_buffer {
	struct trace_array	*tr;
	struct trace_buffer	*buffer;
};

/**
 * struct trace_array - a trace instance
 * @list: in trace_instances; trace_lock
 * @name: of its directory, NULL for the one on top
 * @refs: open files and other users; trace_lock
 * @main: what is written to
 * @snap: the spare buffer, once there is one; trace_lock and @consume to change
 * @snap_readers: open files that read @snap, which keep it; trace_lock
 * @snap_armed: others who rely on it, to take snapshots; trace_lock
 * @size: bytes a CPU that the buffer was asked to have, from its first use on
 * @cpu_size: the same of each CPU, which can differ once in use; trace_lock
 * @in_use: the buffer has been grown to @size
 * @clock: index of the clock in use
 * @options: TRACE_OPT_* bits; changed under trace_lock, read anywhere
 * @tracer: what fills the buffer; trace_lock
 * @tracer_data: the tracer's own, by CPU
 * @watching: the tracer has names saved; trace_lock
 * @ops: whose filter set_ftrace_filter edits, where functions can be traced
 * @pids: the tasks whose functions are traced, where functions can be traced
 * @pipes: open files that take entries, which keep the tracer; trace_lock
 * @maps: mappings of its rings, which keep the buffers from being exchanged;
 *	  -1 while @snap_armed keeps them from being mapped
 * @piped: CPUs of which a trace_pipe is open; trace_lock
 * @stops: nested trace_array_stop(); trace_lock
 * @consume: held for reading by who takes entries of one CPU, for writing by
 *	     who takes those of all or throws content away
 * @consume_cpu: one for each CPU, inside @consume held for reading
 * @errors: what was wrong with what was written, oldest first; errors_lock
 * @cpumask: CPUs that write; trace_lock
 * @buffer_percent: how full the buffer is when a raw reader is woken
 * @dir: its directory
 */
struct trace_array {
	struct list_head	list;
	char			*name;
	unsigned int		refs;

	struct array_buffer	main;
	struct array_buffer	snap;
	unsigned int		snap_readers;
	unsigned int		snap_armed;
	unsigned long		size;
	unsigned long __percpu	*cpu_size;
	bool			in_use;
	unsigned int		clock;
	u64			options;

	struct tracer		*tracer;
	void __percpu		*tracer_data;
	bool			watching;
	struct ftrace_ops	*ops;
	struct ftrace_pids	*pids;

	unsigned int		pipes;
	atomic_t		maps;
	cpumask_var_t		piped;
	unsigned int		stops;
	struct rw_semaphore	consume;
	struct mutex __percpu	*consume_cpu;

	struct list_head	errors;
	cpumask_var_t		cpumask;
	unsigned int		buffer_percent;
	struct dentry		*dir;
};

extern struct mutex trace_lock;
extern struct list_head trace_instances;
extern struct trace_array trace_top;

int trace_array_get(struct trace_array *tr);

int trace_array_use(struct trace_array *tr);
int trace_array_resize(struct trace_array *tr, unsigned long size, int cpu);
unsigned long trace_array_size(struct trace_array *tr, int cpu);
int trace_array_set_subbuf(struct trace_array *tr, int order);
int trace_array_use_now(struct trace_array *tr);
void trace_array_clear(struct trace_array *tr, int cpu);
void trace_array_clear_all(struct trace_array *tr);

void trace_array_on(struct trace_array *tr);
void trace_array_off(struct trace_array *tr);
bool trace_array_is_on(struct trace_array *tr);
void trace_array_stop(struct trace_array *tr);
void trace_array_start(struct trace_array *tr);
void trace_wait_for_users(bool readers);

int trace_array_set_cpumask(struct trace_array *tr, const struct cpumask *mask);

void trace_consume_begin(struct trace_array *tr, int cpu);
void trace_consume_end(struct trace_array *tr, int cpu);

/* clocks.c */
struct seq_file;

int trace_array_set_clock(struct trace_array *tr, const char *name);
void trace_array_apply_clock(struct trace_array *tr, struct trace_buffer *buffer);
bool trace_array_clock_in_ns(struct trace_array *tr);
void trace_array_show_clocks(struct seq_file *m, struct trace_array *tr);

/* snapshot.c */
#ifdef CONFIG_TRACER_SNAPSHOT
int trace_snapshot_arm(struct trace_array *tr);
void trace_snapshot_disarm(struct trace_array *tr);
int trace_snapshot_take(struct trace_array *tr, int cpu);
int trace_snapshot_free(struct trace_array *tr);
void trace_snapshot_clear(struct trace_array *tr, int cpu);
int trace_snapshot_hold(struct trace_array *tr);
void trace_snapshot_let_go(struct trace_array *tr);
#else
static inline void trace_snapshot_let_go(struct trace_array *tr)
{
}
#endif

/* boot.c */
extern char trace_boot_tracer[];
extern char trace_boot_clock[];
extern char trace_boot_options[];
extern unsigned long trace_boot_size;

#endif /* _TRACE_INSTANCE_INSTANCE_H */
