/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Accounting of interference with a thread: counts and durations.
 */
#ifndef _TRACE_TRACER_OSNOISE_OSNOISE_ACCOUNT_H
#define _TRACE_TRACER_OSNOISE_OSNOISE_ACCOUNT_H

#include <linux/percpu.h>
#include <linux/types.h>

struct task_struct;

/* Each kind can interrupt the kinds before it. */
enum noise_kind {
	NOISE_THREAD,
	NOISE_SOFTIRQ,
	NOISE_IRQ,
	NOISE_NMI,
	NOISE_KINDS,
};

/**
 * struct noise_counts - interferences on a CPU since trace_noise_begin()
 * @of: numbers by kind
 * @all: number of all kinds. It is incremented before the interference does anything else.
 *
 * Written only on that CPU, in any context, by operations that cannot be interrupted.
 */
struct noise_counts {
	unsigned int	of[NOISE_KINDS];
	unsigned int	all;
};

DECLARE_PER_CPU(struct noise_counts, trace_noise_counts);

int trace_noise_begin(void);
void trace_noise_end(void);
void trace_noise_ignore(unsigned int cpu, struct task_struct *task);
void trace_noise_unignore(unsigned int cpu, struct task_struct *task);
void trace_noise_since_irq(void);

#endif /* _TRACE_TRACER_OSNOISE_OSNOISE_ACCOUNT_H */
