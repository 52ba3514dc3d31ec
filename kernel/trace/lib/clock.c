// SPDX-License-Identifier: GPL-2.0
/*
 * Trace clocks: sources of the time stamps of trace entries.
 *
 * Each is called from any context, NMI included, and takes no lock.
 */
#include <linux/atomic.h>
#include <linux/export.h>
#include <linux/jiffies.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/sched/clock.h>
#include <linux/time64.h>
#include <linux/trace_clock.h>

/**
 * trace_clock_local - read this CPU's own clock in nanoseconds
 *
 * The cheapest of the clocks. Time stamps of different CPUs may disagree if the hardware's
 * counters do.
 */
u64 notrace trace_clock_local(void)
{
	u64 now;

	/* A counter that is kept per CPU has to be read on one CPU. */
	preempt_disable_notrace();
	now = sched_clock();
	preempt_enable_notrace();

	return now;
}
EXPORT_SYMBOL_GPL(trace_clock_local);

/**
 * trace_clock - read a clock in nanoseconds that CPUs agree on to within a jiffy
 *
 * perf uses the same clock for its samples.
 */
u64 notrace trace_clock(void)
{
	u64 now;

	/* local_clock() itself can be traced. */
	preempt_disable_notrace();
	now = local_clock_noinstr();
	preempt_enable_notrace();

	return now;
}
EXPORT_SYMBOL_GPL(trace_clock);

/**
 * trace_clock_jiffies - read nanoseconds since boot at the resolution of a jiffy
 */
u64 notrace trace_clock_jiffies(void)
{
	/* jiffies64_to_nsecs() itself can be traced. */
	return mul_u64_u32_div(get_jiffies_64() - INITIAL_JIFFIES, NSEC_PER_SEC, HZ);
}
EXPORT_SYMBOL_GPL(trace_clock_jiffies);

/* The latest time stamp that trace_clock_global() has returned. */
static atomic64_t global_latest ____cacheline_aligned_in_smp;

/**
 * trace_clock_global - read nanoseconds that never run backwards between CPUs
 *
 * A CPU whose own clock lags gets the latest time stamp returned up to now. A failed exchange
 * means that another CPU or an interrupt advanced the time stamp, so the loop makes progress and
 * an NMI can never wait for code that it interrupted.
 */
u64 notrace trace_clock_global(void)
{
	s64 latest = atomic64_read(&global_latest);
	s64 now = trace_clock();

	while (now > latest) {
		if (atomic64_try_cmpxchg(&global_latest, &latest, now))
			return now;
	}

	return latest;
}
EXPORT_SYMBOL_GPL(trace_clock_global);

static atomic64_t counter;

/**
 * trace_clock_counter - read a counter that each call on any CPU increments by one
 */
u64 notrace trace_clock_counter(void)
{
	return atomic64_inc_return(&counter);
}
