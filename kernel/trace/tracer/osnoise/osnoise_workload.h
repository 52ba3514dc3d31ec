/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Common part of the tracers osnoise and timerlat: the values set by files in the directory
 * osnoise, the instances that record, and a thread on each CPU.
 */
#ifndef _TRACE_TRACER_OSNOISE_OSNOISE_WORKLOAD_H
#define _TRACE_TRACER_OSNOISE_OSNOISE_WORKLOAD_H

#include <linux/time64.h>
#include <linux/types.h>

#include "tracer/osnoise/percpu_kthreads.h"

struct trace_array;

/* Values set by files, all in microseconds. */
enum osnoise_number {
	OSNOISE_RUNTIME,
	OSNOISE_PERIOD,
	OSNOISE_STOP,
	OSNOISE_STOP_TOTAL,
	/* only for timerlat */
	OSNOISE_TIMERLAT_PERIOD,
	OSNOISE_PRINT_STACK,
	OSNOISE_NUMBERS,
};

/* Options of the file "options". */
enum osnoise_option {
	OSNOISE_WORKLOAD,
	OSNOISE_PANIC,
	OSNOISE_PREEMPT_DISABLE,
	OSNOISE_IRQ_DISABLE,
	OSNOISE_OPTIONS,
};

extern const char * const trace_osnoise_options[OSNOISE_OPTIONS];

/**
 * struct trace_workload - measuring threads of a tracer
 * @workers: the threads, which run while OSNOISE_WORKLOAD is set
 * @evict: stops the threads of user space that measure instead, which may not continue when the
 *	tracer is stopped or OSNOISE_WORKLOAD is set; NULL if there are no such threads.
 *	trace_lock held.
 */
struct trace_workload {
	struct trace_workers	workers;
	void			(*evict)(void);
};

int trace_workload_begin(struct trace_array *tr, struct trace_workload *workload);
void trace_workload_end(struct trace_array *tr);
bool trace_workload_is_active(const struct trace_workload *workload);

void trace_workload_record(void (*record)(struct trace_array *tr, const void *data),
			   const void *data);
bool trace_workload_is_recording(void);
void trace_workload_stop_recording(const char *why, u64 ns);

unsigned long trace_osnoise_number(enum osnoise_number number);
int trace_osnoise_set_number(enum osnoise_number number, unsigned long us);
bool trace_osnoise_options_are_default(void);
bool trace_osnoise_option(enum osnoise_option option);
int trace_osnoise_set_options(bool defaults, unsigned long on, unsigned long off);
void trace_osnoise_cpus(struct cpumask *cpus);
int trace_osnoise_set_cpus(const struct cpumask *cpus);

/* trace_osnoise_ns - get a value set by a file, in nanoseconds */
static inline u64 trace_osnoise_ns(enum osnoise_number number)
{
	return (u64)trace_osnoise_number(number) * NSEC_PER_USEC;
}

#endif /* _TRACE_TRACER_OSNOISE_OSNOISE_WORKLOAD_H */
