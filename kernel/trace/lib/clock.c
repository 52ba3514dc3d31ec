// SPDX-License-Identifier: GPL-2.0
/*
 * Trace clocks: where the time stamps of trace entries come from.
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
 * trace_clock_local - nanoseconds of this CPU's own clock
 *
 * The cheapest of the clocks. Stamps of different CPUs may disagree where the
 * hardware's counters do.
 */
u64 notrace trace_clock_local(void)
{
	u64 now;

	/* Where the counter is kept per CPU, it has to be read on one CPU. */
	preempt_disable_notrace();
	now = sched_clock();
	preempt_enable_notrace();

	return now;
}
EXPORT_SYMBOL_GPL(trace_clock_local);

/**
 * trace_clock - nanoseconds on which CPUs agree to within a jiffy
 *
 * It is the clock that perf stamps its samples with.
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
 * trace_clock_jiffies - nanoseconds since boot at the resolution of a jiffy
 */
u64 notrace trace_clock_jiffies(void)
{
	/* jiffies64_to_nsecs() itself can be traced. */
	return mul_u64_u32_div(get_jiffies_64() - INITIAL_JIFFIES, NSEC_PER_SEC, HZ);
}
EXPORT_SYMBOL_GPL(trace_clock_jiffies);

/* The latest stamp that trace_clock_global() gave to anybody. */
static atomic64_t global_latest ____cacheline_aligned_in_smp;

/**
 * trace_clock_global - nanoseconds that never run backwards between CPUs
 *
 * A CPU whose own clock lags gets the latest stamp given so far. A failed
 * exchange means that another CPU or an interrupt moved the stamp on, so the
 * loop makes progress and an NMI can never wait for what it interrupted.
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
 * trace_clock_counter - no time, but a number that each call on any CPU raises by one
 */
u64 notrace trace_clock_counter(void)
{
	return atomic64_inc_return(&counter);
}
