/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The tracer osnoise: what its files set.
 */
#ifndef _TRACE_TRACER_OSNOISE_H
#define _TRACE_TRACER_OSNOISE_H

#include <linux/types.h>

struct cpumask;
struct tracer;

/* The numbers that files set, all in microseconds. */
enum osnoise_number {
	OSNOISE_RUNTIME,
	OSNOISE_PERIOD,
	OSNOISE_STOP,
	OSNOISE_STOP_TOTAL,
	OSNOISE_NUMBERS,
};

/* The words of the file options. */
enum osnoise_option {
	OSNOISE_WORKLOAD,
	OSNOISE_PANIC,
	OSNOISE_PREEMPT_DISABLE,
	OSNOISE_IRQ_DISABLE,
	OSNOISE_OPTIONS,
};

extern const char * const trace_osnoise_options[OSNOISE_OPTIONS];
extern struct tracer trace_osnoise_tracer;

unsigned long trace_osnoise_number(enum osnoise_number number);
int trace_osnoise_set_number(enum osnoise_number number, unsigned long us);
bool trace_osnoise_option(enum osnoise_option option);
int trace_osnoise_set_option(enum osnoise_option option, bool on);
int trace_osnoise_default_options(void);
void trace_osnoise_cpus(struct cpumask *cpus);
int trace_osnoise_set_cpus(const struct cpumask *cpus);

#endif /* _TRACE_TRACER_OSNOISE_H */
