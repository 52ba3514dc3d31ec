/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Maximum latency of an instance, and its trace.
 */
#ifndef _TRACE_INSTANCE_SNAPSHOT_MAX_LATENCY_H
#define _TRACE_INSTANCE_SNAPSHOT_MAX_LATENCY_H

#include <linux/compiler.h>
#include <linux/math64.h>
#include <linux/sched.h>
#include <linux/time64.h>
#include <linux/types.h>

#include "instance/core/instance.h"

/**
 * struct trace_latency - a measured latency
 * @task: the delayed task
 * @ns: its duration in nanoseconds
 * @since: its start, by the clock of the instance
 * @start_ip: address where it began, or 0
 * @end_ip: address where it ended, or 0
 */
struct trace_latency {
	struct task_struct	*task;
	u64			ns;
	u64			since;
	unsigned long		start_ip;
	unsigned long		end_ip;
};

/* tracing_thresh in nanoseconds, 0 if not set. */
extern u64 trace_latency_thresh;

/*
 * trace_latency_counts - check whether a latency must be recorded
 *
 * With tracing_thresh, a latency must be longer than the threshold; otherwise it must be longer
 * than tracing_max_latency of the instance. Until @max_work has announced the last maximum, a
 * new latency must exceed that one as well; otherwise the interrupts that reporting causes,
 * which may exceed a short threshold, would be recorded endlessly. Any context.
 */
static __always_inline bool trace_latency_counts(const struct trace_array *tr,
						 u64 ns)
{
	u64 thresh = READ_ONCE(trace_latency_thresh);

	if (!thresh)
		return ns > READ_ONCE(tr->max_latency);
	return ns > thresh && ns > READ_ONCE(tr->max_unreported);
}

/* trace_latency_us - convert nanoseconds to microseconds as shown in files, rounded */
static inline u64 trace_latency_us(u64 ns)
{
	return div_u64(ns + NSEC_PER_USEC / 2, NSEC_PER_USEC);
}

/**
 * struct trace_latency_watch - listener for new maxima
 * @list: entry in the list of all listeners; trace_lock to change
 * @new_max: called in process context without a lock held, once for each new maximum of an
 *	instance or once for several in succession
 */
struct trace_latency_watch {
	struct list_head	list;
	void			(*new_max)(struct trace_array *tr);
};

void trace_latency_create(struct trace_array *tr);
void trace_latency_destroy(struct trace_array *tr);
void trace_latency_on_max(struct trace_latency_watch *watch);

int trace_latency_begin(struct trace_array *tr);
void trace_latency_keep_max(struct trace_array *tr);
void trace_latency_end(struct trace_array *tr);

bool trace_latency_record_cpu(struct trace_array *tr,
			      const struct trace_latency *latency);
bool trace_latency_record_all(struct trace_array *tr,
			      const struct trace_latency *latency);

void trace_latency_raise(struct trace_array *tr, u64 ns);
void trace_latency_set_max(struct trace_array *tr, u64 ns);
struct trace_max trace_latency_max(struct array_buffer *ab);
void trace_latency_clear(struct trace_array *tr, int cpu);
void trace_latency_drop(struct trace_array *tr);

#endif /* _TRACE_INSTANCE_SNAPSHOT_MAX_LATENCY_H */
