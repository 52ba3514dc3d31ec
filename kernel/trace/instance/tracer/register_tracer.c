// SPDX-License-Identifier: GPL-2.0
/*
 * Registration of a tracer: its selftest, and ftrace= on the command line.
 */
#define pr_fmt(fmt) "tracing: " fmt

#include <linux/cleanup.h>
#include <linux/ftrace.h>
#include <linux/init.h>
#include <linux/printk.h>
#include <linux/ring_buffer.h>
#include <linux/security.h>
#include <linux/string.h>

#include "instance/core/buffer.h"
#include "instance/core/instance.h"
#include "instance/record/printk_formats.h"
#include "instance/snapshot/max_latency.h"
#include "instance/tracer/current_tracer.h"
#include "instance/tracer/register_tracer.h"
#include "instance/tracer/tracer_options.h"

/* Selftests need interrupts, other tasks and RCU Tasks; trace_lock. */
static bool selftests_can_run;

static char boot_tracer[MAX_TRACER_SIZE] __initdata;

static int __init register_tracer_boot_setup(char *str)
{
	return strscpy(boot_tracer, str, sizeof(boot_tracer)) > 0;
}
__setup("ftrace=", register_tracer_boot_setup);

/*
 * A selftest would find entries of other users in its trace, and it clears the buffer. So it is
 * skipped if ftrace= starts a tracer, trace_event= enables events, or the kernel itself uses
 * trace_printk().
 */
static bool __init register_tracer_records_already(struct trace_array *tr)
{
	return *boot_tracer || tr->events_on || trace_formats_built_in() ||
	       ring_buffer_entries(tr->main.buffer);
}

/*
 * A tracer that fails is removed from the list, along with its options, and boot continues. The
 * buffer keeps the small size it has before its first use.
 */
static void __init register_tracer_selftest(struct tracer *tracer)
{
	u64 thresh = trace_latency_thresh;
	int ret;

	if (!IS_ENABLED(CONFIG_FTRACE_STARTUP_TEST) || tracer->selftested)
		return;

	if (tracer->selftest && !register_tracer_records_already(&trace_top)) {
		/* With tracing_thresh=, some tests would find no entries. */
		WRITE_ONCE(trace_latency_thresh, 0);
		ret = tracer->selftest(&trace_top, tracer);
		WRITE_ONCE(trace_latency_thresh, thresh);
		trace_array_clear(&trace_top, RING_BUFFER_ALL_CPUS);
		if (WARN(ret, "tracer %s failed its self test: %d\n",
			 tracer->name, ret)) {
			list_del_init(&tracer->list);
			tracer_options_remove(tracer);
			return;
		}
		pr_info("tracer %s passed its self test\n", tracer->name);
	}

	tracer->selftested = true;
}

static void __init register_tracer_start_at_boot(struct tracer *tracer)
{
	int ret;

	if (strcmp(tracer->name, boot_tracer))
		return;

	ret = security_locked_down(LOCKDOWN_TRACEFS) ?:
	      tracing_switch_tracer(&trace_top, tracer);
	if (ret)
		pr_warn("ftrace=%s: error %d\n", tracer->name, ret);
}

/**
 * register_tracer - register a tracer
 * @tracer: the tracer; it cannot be unregistered
 *
 * Called from an initcall. With CONFIG_FTRACE_STARTUP_TEST its selftest runs now, or as soon as
 * boot has progressed far enough; with ftrace=<its name> on the command line it is started.
 *
 * Return: 0; -EINVAL if the name is invalid, -EEXIST if it is already registered, -ENOMEM,
 * -ENODEV if there is no buffer to trace into.
 */
int __init register_tracer(struct tracer *tracer)
{
	size_t len = tracer->name ? strlen(tracer->name) : 0;
	int ret;

	if (!len || len >= MAX_TRACER_SIZE)
		return -EINVAL;

	if (!trace_top.main.buffer)
		return -ENODEV;

	guard(mutex)(&trace_lock);

	if (tracer_find(tracer->name))
		return -EEXIST;

	ret = tracer_options_add(tracer);
	if (ret)
		return ret;
	list_add(&tracer->list, &trace_tracers);

	if (selftests_can_run)
		register_tracer_selftest(tracer);
	/* A pending selftest needs the default options. */
	if (selftests_can_run || *boot_tracer)
		trace_option_apply_boot(&trace_top);
	register_tracer_start_at_boot(tracer);

	return 0;
}

/**
 * trace_selftests_run - run the self tests of the tracers that are registered, once
 *
 * In core_initcall_sync, by whichever caller is the first. From then on, register_tracer() runs
 * the self test of a tracer.
 *
 * Context: takes trace_lock
 *
 * Return: 0
 */
int __init trace_selftests_run(void)
{
	struct tracer *tracer, *next;

	guard(mutex)(&trace_lock);

	if (selftests_can_run)
		return 0;

	selftests_can_run = true;
	list_for_each_entry_safe(tracer, next, &trace_tracers, list)
		register_tracer_selftest(tracer);
	trace_option_apply_boot(&trace_top);

	return 0;
}
core_initcall_sync(trace_selftests_run);

/* All tracers are registered. */
static int __init register_tracer_boot_check(void)
{
	guard(mutex)(&trace_lock);

	if (*boot_tracer && !tracer_find(boot_tracer))
		pr_warn("ftrace=%s: no such tracer\n", boot_tracer);

	return 0;
}
late_initcall_sync(register_tracer_boot_check);
