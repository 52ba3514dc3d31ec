// SPDX-License-Identifier: GPL-2.0
/*
 * Registration of a tracer: its selftest, and ftrace= on the command line.
 */
#define pr_fmt(fmt) "tracing: " fmt

#include <linux/cleanup.h>
#include <linux/ftrace.h>
#include <linux/init.h>
#include <linux/kernel.h>
#include <linux/printk.h>
#include <linux/ring_buffer.h>
#include <linux/security.h>
#include <linux/string.h>

#include <asm/setup.h>

#include "ftrace/ops/kill.h"
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

#ifdef CONFIG_FTRACE_STARTUP_TEST
/*
 * A selftest would find entries of other users in its trace, and it clears the buffer. So it is
 * skipped if ftrace= starts a tracer, trace_event= enables events, or the kernel itself uses
 * trace_printk(). It would find no entries if traceoff_on_warning has ended recording.
 */
static bool __init register_tracer_buffer_is_used(struct trace_array *tr)
{
	return *boot_tracer || tr->events_on || trace_formats_built_in() ||
	       ring_buffer_entries(tr->main.buffer) || !trace_array_is_on(tr);
}

/* Tracers whose self tests are to fail, to test what becomes of them. */
static char register_tracer_failing[COMMAND_LINE_SIZE] __initdata;

static int __init register_tracer_failing_setup(char *str)
{
	return strscpy(register_tracer_failing, str, sizeof(register_tracer_failing)) > 0;
}
__setup("ftrace_selftest_fails=", register_tracer_failing_setup);

/* Run the self test; without a buffer that records, if it is to fail. */
static int __init register_tracer_run_selftest(struct trace_array *tr, struct tracer *tracer)
{
	bool fails = parse_option_str(register_tracer_failing, tracer->name);
	u64 thresh = trace_latency_thresh;
	int ret;

	if (fails)
		trace_array_off(tr);
	/* With tracing_thresh=, some tests would find no entries. */
	WRITE_ONCE(trace_latency_thresh, 0);
	ret = tracer->selftest(tr, tracer);
	WRITE_ONCE(trace_latency_thresh, thresh);
	if (fails)
		trace_array_on(tr);
	trace_array_clear(tr, RING_BUFFER_ALL_CPUS);

	return ret;
}

/*
 * A tracer that fails is removed from the list, along with its options, and boot continues. If
 * call sites do not call what they should, no user of them is safe.
 */
static void __init register_tracer_reject(struct tracer *tracer)
{
	list_del_init(&tracer->list);
	tracer_options_remove(tracer);

	if (tracer->proves_sites && !ftrace_is_dead()) {
		pr_err("function tracing is shut down\n");
		ftrace_kill();
	}
}

/* The buffer keeps the small size it has before its first use. */
static void __init register_tracer_selftest(struct tracer *tracer)
{
	int ret;

	if (tracer->selftested)
		return;

	if (tracer->selftest && !register_tracer_buffer_is_used(&trace_top)) {
		ret = register_tracer_run_selftest(&trace_top, tracer);
		if (WARN(ret, "tracer %s failed its self test: %d\n",
			 tracer->name, ret)) {
			register_tracer_reject(tracer);
			return;
		}
		pr_info("tracer %s passed its self test\n", tracer->name);
	}

	tracer->selftested = true;
}
#else
static void register_tracer_selftest(struct tracer *tracer)
{
}
#endif

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
