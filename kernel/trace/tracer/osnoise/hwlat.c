// SPDX-License-Identifier: GPL-2.0
/*
 * The tracer hwlat, the hardware latency detector.
 *
 * A thread reads the clock in a loop with interrupts off. A large gap between two readings
 * means that the CPU did something else: an NMI, which is counted, or an activity that is
 * invisible to the kernel.
 */
#include <linux/cleanup.h>
#include <linux/cpu.h>
#include <linux/cpumask.h>
#include <linux/ftrace.h>
#include <linux/ftrace_irq.h>
#include <linux/init.h>
#include <linux/kthread.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/mutex.h>
#include <linux/percpu.h>
#include <linux/sched.h>
#include <linux/sched/clock.h>
#include <linux/timekeeping.h>

#include "instance/core/entries.h"
#include "instance/core/instance.h"
#include "instance/record/entry.h"
#include "instance/snapshot/max_latency.h"
#include "instance/tracer/register_tracer.h"
#include "tracer/osnoise/hwlat.h"
#include "tracer/osnoise/percpu_kthreads.h"
#include "tracer/selftest/selftest.h"

#define DEFAULT_THRESH_US	10
#define DEFAULT_WIDTH_US	500000
#define DEFAULT_WINDOW_US	1000000

const char * const trace_hwlat_modes[HWLAT_MODES] = {
	[HWLAT_NONE]		= "none",
	[HWLAT_ROUND_ROBIN]	= "round-robin",
	[HWLAT_PER_CPU]		= "per-cpu",
};

/*
 * The instance that has the tracer, or NULL, and the values of its files; changed under
 * trace_lock.
 */
static struct trace_array *hwlat_tr;
static enum hwlat_mode mode = HWLAT_ROUND_ROBIN;
static unsigned long width_us = DEFAULT_WIDTH_US;
static unsigned long window_us = DEFAULT_WINDOW_US;

/* tracing_thresh when the tracer was stopped, and before it was started. */
static u64 last_thresh = DEFAULT_THRESH_US * NSEC_PER_USEC;
static u64 thresh_before;

static atomic_t seqnum;

/**
 * struct hwlat_nmi_time - NMIs on a CPU during its sampling
 * @sampling: the CPU is sampling
 * @since: time when the current NMI began
 * @total: total time in nanoseconds
 * @count: number of NMIs
 *
 * Accessed on its CPU with interrupts off, and by NMIs of that CPU.
 */
struct hwlat_nmi_time {
	bool		sampling;
	u64		since;
	u64		total;
	unsigned int	count;
};

static DEFINE_PER_CPU(struct hwlat_nmi_time, nmi_time);

/* NMI entry and exit test it before the call. */
bool trace_hwlat_callback_enabled;

/**
 * trace_hwlat_callback - handle the beginning or end of an NMI, while
 * trace_hwlat_callback_enabled
 * @enter: true at the beginning
 */
void trace_hwlat_callback(bool enter)
{
	struct hwlat_nmi_time *nmi = this_cpu_ptr(&nmi_time);

	if (!READ_ONCE(nmi->sampling))
		return;

	if (enter) {
		nmi->since = sched_clock();
		nmi->count++;
	} else if (nmi->since) {
		nmi->total += sched_clock() - nmi->since;
	}
}

/**
 * struct hwlat_sample - result of one sample width
 * @inner: longest gap between the two readings of an iteration, in ns
 * @outer: longest gap between two iterations, in ns
 * @count: number of gaps longer than tracing_thresh
 * @when: time of day of the first of these gaps
 */
struct hwlat_sample {
	u64			inner;
	u64			outer;
	unsigned int		count;
	struct timespec64	when;
};

/* Interrupts are off. */
static void hwlat_take_sample(struct hwlat_sample *sample, u64 thresh)
{
	u64 end = sched_clock() + READ_ONCE(width_us) * NSEC_PER_USEC;
	u64 last = 0;

	*sample = (struct hwlat_sample){};
	do {
		u64 first = sched_clock();
		u64 second = sched_clock();
		u64 inner = second - first;
		u64 outer = last ? first - last : 0;

		last = second;
		sample->inner = max(sample->inner, inner);
		sample->outer = max(sample->outer, outer);
		if (inner > thresh || outer > thresh) {
			if (!sample->count++)
				ktime_get_real_ts64(&sample->when);
		}
	} while (last < end && !kthread_should_stop());
}

/* Tools expect the durations in the entry to be in microseconds. */
static void hwlat_record_sample(struct trace_array *tr, const struct hwlat_sample *sample,
				const struct hwlat_nmi_time *nmi)
{
	struct trace_buffer *buffer = tr->main.buffer;
	struct hwlat_entry *entry;

	trace_latency_raise(tr, max(sample->inner, sample->outer));

	entry = trace_entry_begin(buffer, TRACE_HWLAT, sizeof(*entry), trace_context_now());
	if (!entry)
		return;

	entry->duration = div_u64(sample->inner, NSEC_PER_USEC);
	entry->outer_duration = div_u64(sample->outer, NSEC_PER_USEC);
	entry->nmi_total_ts = div_u64(nmi->total, NSEC_PER_USEC);
	entry->timestamp = sample->when;
	entry->nmi_count = nmi->count;
	entry->seqnum = atomic_inc_return(&seqnum);
	entry->count = sample->count;
	trace_entry_end(buffer);
}

static void hwlat_sample_this_cpu(struct trace_array *tr)
{
	u64 thresh = READ_ONCE(trace_latency_thresh) ?: DEFAULT_THRESH_US * NSEC_PER_USEC;
	struct hwlat_nmi_time *nmi;
	struct hwlat_sample sample;

	if (!trace_array_is_on(tr))
		return;

	local_irq_disable();
	/* The mask may have changed since the threads were started. */
	if (!cpumask_test_cpu(smp_processor_id(), tr->cpumask)) {
		local_irq_enable();
		return;
	}
	nmi = this_cpu_ptr(&nmi_time);
	*nmi = (struct hwlat_nmi_time){};
	barrier();
	WRITE_ONCE(nmi->sampling, true);
	hwlat_take_sample(&sample, thresh);
	WRITE_ONCE(nmi->sampling, false);
	barrier();
	if (sample.count)
		hwlat_record_sample(tr, &sample, nmi);
	local_irq_enable();
}

/* Sleep for the rest of the window, but at least for a millisecond. */
static void hwlat_sleep_until_window(void)
{
	unsigned long window = READ_ONCE(window_us), width = READ_ONCE(width_us);
	unsigned long us;
	ktime_t end;

	/* If both settings change concurrently, one value read may be old. */
	us = window > width ? window - width : 0;
	us = clamp(us, (unsigned long)USEC_PER_MSEC, (unsigned long)LONG_MAX / NSEC_PER_USEC);
	end = ktime_add_us(ktime_get(), us);
	while (!kthread_should_stop() && ktime_before(ktime_get(), end)) {
		set_current_state(TASK_INTERRUPTIBLE);
		if (!kthread_should_stop())
			schedule_hrtimeout(&end, HRTIMER_MODE_ABS);
		__set_current_state(TASK_RUNNING);
	}
}

static int hwlat_run_on_cpu(void *unused)
{
	while (!kthread_should_stop()) {
		hwlat_sample_this_cpu(READ_ONCE(hwlat_tr));
		hwlat_sleep_until_window();
	}

	return 0;
}

/*
 * Migrate to the next CPU of tracing_cpumask. If it is going offline, the thread moves in
 * a later window.
 */
static void hwlat_move_on(const struct trace_array *tr)
{
	unsigned int cpu;

	scoped_guard(cpus_read_lock) {
		cpu = cpumask_next_and(raw_smp_processor_id(), tr->cpumask, cpu_online_mask);
		if (cpu >= nr_cpu_ids)
			cpu = cpumask_first_and(tr->cpumask, cpu_online_mask);
	}
	if (cpu < nr_cpu_ids)
		set_cpus_allowed_ptr(current, cpumask_of(cpu));
}

static int hwlat_run_in_turn(void *unused)
{
	while (!kthread_should_stop()) {
		hwlat_sample_this_cpu(READ_ONCE(hwlat_tr));
		hwlat_sleep_until_window();
		hwlat_move_on(READ_ONCE(hwlat_tr));
	}

	return 0;
}

static struct trace_workers workers = {
	.name	= "hwlatd/%u",
	.run	= hwlat_run_on_cpu,
};

/* The thread of the modes with only one thread */
static struct task_struct *single;

static struct task_struct *hwlat_create_single(struct trace_array *tr, enum hwlat_mode as)
{
	struct task_struct *task;

	task = kthread_create(as == HWLAT_NONE ? hwlat_run_on_cpu : hwlat_run_in_turn, NULL,
			      "hwlatd");
	/* Fails if none of the CPUs is online: the thread may then run on any CPU. */
	if (!IS_ERR(task))
		set_cpus_allowed_ptr(task, tr->cpumask);

	return task;
}

static void hwlat_stop_single(void)
{
	if (single)
		kthread_stop(single);
	single = NULL;
}

/* Start the threads of a mode and stop the old ones. On failure the old threads continue. */
static int hwlat_use_mode(struct trace_array *tr, enum hwlat_mode new)
{
	struct task_struct *task;
	int ret;

	lockdep_assert_held(&trace_lock);

	if (new == HWLAT_PER_CPU) {
		ret = workers.running ? 0 : trace_workers_start(&workers, tr->cpumask);
		if (ret)
			return ret;
		hwlat_stop_single();
	} else {
		task = hwlat_create_single(tr, new);
		if (IS_ERR(task))
			return PTR_ERR(task);
		trace_workers_stop(&workers);
		hwlat_stop_single();
		single = task;
		wake_up_process(task);
	}

	return 0;
}

static void hwlat_stop_threads(void)
{
	lockdep_assert_held(&trace_lock);

	trace_workers_stop(&workers);
	hwlat_stop_single();
}

static int hwlat_init(struct trace_array *tr)
{
	int ret;

	if (hwlat_tr)
		return -EBUSY;

	thresh_before = trace_latency_thresh;
	if (!thresh_before)
		WRITE_ONCE(trace_latency_thresh, last_thresh);
	trace_latency_set_max(tr, 0);
	atomic_set(&seqnum, 0);
	WRITE_ONCE(hwlat_tr, tr);
	WRITE_ONCE(trace_hwlat_callback_enabled, true);

	ret = hwlat_use_mode(tr, mode);
	if (ret) {
		WRITE_ONCE(trace_hwlat_callback_enabled, false);
		hwlat_tr = NULL;
		WRITE_ONCE(trace_latency_thresh, thresh_before);
	}

	return ret;
}

static void hwlat_reset(struct trace_array *tr)
{
	hwlat_stop_threads();
	WRITE_ONCE(trace_hwlat_callback_enabled, false);
	hwlat_tr = NULL;
	last_thresh = trace_latency_thresh ?: last_thresh;
	WRITE_ONCE(trace_latency_thresh, thresh_before);
}

/**
 * trace_hwlat_forget_thresh - reset to the default tracing_thresh; trace_lock held
 */
void trace_hwlat_forget_thresh(void)
{
	lockdep_assert_held(&trace_lock);

	last_thresh = DEFAULT_THRESH_US * NSEC_PER_USEC;
}

/**
 * trace_hwlat_mode - get the mode of assigning threads to CPUs
 */
enum hwlat_mode trace_hwlat_mode(void)
{
	return READ_ONCE(mode);
}

/**
 * trace_hwlat_set_mode - set the mode of assigning threads to CPUs, and restart the threads
 * @new: the mode
 *
 * Takes trace_lock.
 *
 * Return: 0, or an error of starting threads, without effect
 */
int trace_hwlat_set_mode(enum hwlat_mode new)
{
	int ret;

	guard(mutex)(&trace_lock);

	ret = hwlat_tr ? hwlat_use_mode(hwlat_tr, new) : 0;
	if (!ret)
		mode = new;

	return ret;
}

/**
 * trace_hwlat_width - get the duration of a sample, in microseconds
 */
unsigned long trace_hwlat_width(void)
{
	return READ_ONCE(width_us);
}

/**
 * trace_hwlat_window - get the time from the beginning of a sample to the next, in microseconds
 */
unsigned long trace_hwlat_window(void)
{
	return READ_ONCE(window_us);
}

/* Interrupts are off for a width: a longer width would trigger the watchdogs. */
#define WIDTH_MAX_US	(10 * USEC_PER_SEC)

/**
 * trace_hwlat_set_width - set the duration of a sample; trace_lock held
 * @us: the width in microseconds
 *
 * Return: 0, or -EINVAL if it is 0, not less than the window, or too large
 */
int trace_hwlat_set_width(unsigned long us)
{
	lockdep_assert_held(&trace_lock);

	if (!us || us >= window_us || us > WIDTH_MAX_US)
		return -EINVAL;

	WRITE_ONCE(width_us, us);

	return 0;
}

/**
 * trace_hwlat_set_window - set the time between samples; trace_lock held
 * @us: the window in microseconds
 *
 * Return: 0, or -EINVAL if it is not more than the width
 */
int trace_hwlat_set_window(unsigned long us)
{
	lockdep_assert_held(&trace_lock);

	if (us <= width_us)
		return -EINVAL;

	WRITE_ONCE(window_us, us);

	return 0;
}

static struct tracer hwlat_tracer = {
	.name			= "hwlat",
	.init			= hwlat_init,
	.reset			= hwlat_reset,
	.selftest		= hwlat_selftest,
	.allow_instances	= true,
};

static int __init hwlat_tracer_init(void)
{
	if (!trace_top.main.buffer)
		return -ENODEV;

	return register_tracer(&hwlat_tracer);
}
early_initcall(hwlat_tracer_init);
