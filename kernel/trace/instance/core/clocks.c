// SPDX-License-Identifier: GPL-2.0
/*
 * Trace clocks that an instance can use (trace_clock).
 */
#define pr_fmt(fmt) "tracing: " fmt

#include <linux/array_size.h>
#include <linux/cleanup.h>
#include <linux/ftrace.h>
#include <linux/init.h>
#include <linux/lockdep.h>
#include <linux/printk.h>
#include <linux/sched/clock.h>
#include <linux/seq_file.h>
#include <linux/string.h>
#include <linux/timekeeping.h>
#include <linux/trace_clock.h>

#include "instance/core/clocks.h"
#include "instance/core/instance.h"

/* ARCH_TRACE_CLOCKS adds rows of this form. */
static const struct {
	u64		(*func)(void);
	const char	*name;
	bool		in_ns;
} clocks[] = {
	{ trace_clock_local,		"local",	true },
	{ trace_clock_global,		"global",	true },
	{ trace_clock_counter,		"counter",	false },
	{ trace_clock_jiffies,		"uptime",	true },
	{ trace_clock,			"perf",		true },
	{ ktime_get_mono_fast_ns,	"mono",		true },
	{ ktime_get_raw_fast_ns,	"mono_raw",	true },
	{ ktime_get_boot_fast_ns,	"boot",		true },
	{ ktime_get_tai_fast_ns,	"tai",		true },
	ARCH_TRACE_CLOCKS
};

/* Default clock of instances; trace_lock to change. */
static unsigned int first_clock;

/* Return: -EINVAL if there is no such clock */
static int clocks_index(const char *name)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(clocks); i++) {
		if (!strcmp(clocks[i].name, name))
			return i;
	}

	return -EINVAL;
}

/**
 * trace_array_choose_clock - switch an instance to another clock
 * @tr: the instance; the caller drops its content
 * @name: name of the clock
 *
 * trace_lock held.
 *
 * Return: 0, or -EINVAL if there is no such clock.
 */
int trace_array_choose_clock(struct trace_array *tr, const char *name)
{
	int i = clocks_index(name);

	lockdep_assert_held(&trace_lock);

	if (i < 0)
		return i;

	tr->clock = i;
	trace_array_apply_clock(tr, tr->main.buffer);
	if (tr->snap.buffer)
		trace_array_apply_clock(tr, tr->snap.buffer);
	/*
	 * Pairs with smp_load_acquire() in trace_clock_changes(): a callback that sees the new
	 * count gets time stamps of the new clock.
	 */
	smp_store_release(&tr->clock_changes, tr->clock_changes + 1);

	return 0;
}

/**
 * trace_array_apply_clock - apply the clock of an instance to a buffer
 * @tr: the instance
 * @buffer: one of its buffers; the caller clears it afterwards
 */
void trace_array_apply_clock(struct trace_array *tr, struct trace_buffer *buffer)
{
	ring_buffer_set_clock(buffer, clocks[tr->clock].func);
}

/**
 * trace_array_first_clock - set the default clock for a new instance
 * @tr: the instance, which has its buffer
 */
void trace_array_first_clock(struct trace_array *tr)
{
	tr->clock = READ_ONCE(first_clock);
	trace_array_apply_clock(tr, tr->main.buffer);
}

#ifdef CONFIG_HAVE_UNSTABLE_SCHED_CLOCK
/*
 * If sched_clock() is unstable, the local clocks of two CPUs differ, and a merged trace of both
 * would be out of order: use the global clock. Entries recorded up to now are kept, as both
 * clocks count nanoseconds since the same moment. Instances whose clock was set explicitly keep
 * it. Whether sched_clock() is stable is decided in a late_initcall().
 */
static int __init clocks_avoid_unstable(void)
{
	struct trace_array *tr;

	if (sched_clock_stable() || !trace_top.main.buffer)
		return 0;

	guard(mutex)(&trace_lock);

	WRITE_ONCE(first_clock, clocks_index("global"));
	list_for_each_entry(tr, &trace_instances, list) {
		if (!tr->clock_changes)
			trace_array_choose_clock(tr, "global");
	}
	if (trace_top.clock == first_clock)
		pr_warn("sched_clock is unstable, so the clock is global; trace_clock=local chooses local\n");

	return 0;
}
late_initcall_sync(clocks_avoid_unstable);
#endif

/**
 * trace_array_clock_is - check whether an instance uses a clock
 * @tr: the instance
 * @name: name of the clock
 *
 * trace_lock held.
 */
bool trace_array_clock_is(struct trace_array *tr, const char *name)
{
	return !strcmp(clocks[tr->clock].name, name);
}

/**
 * trace_array_clock_in_ns - check whether time stamps are nanoseconds rather than plain counts
 * @tr: the instance
 */
bool trace_array_clock_in_ns(struct trace_array *tr)
{
	return clocks[tr->clock].in_ns;
}

/**
 * trace_array_show_clocks - list the clocks, with brackets around the current one
 * @m: output file
 * @tr: the instance
 */
void trace_array_show_clocks(struct seq_file *m, struct trace_array *tr)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(clocks); i++) {
		seq_printf(m, i == tr->clock ? "%s[%s]" : "%s%s",
			   i ? " " : "", clocks[i].name);
	}
	seq_putc(m, '\n');
}
