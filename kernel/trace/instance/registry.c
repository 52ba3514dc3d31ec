// SPDX-License-Identifier: GPL-2.0
/*
 * The tracers there are, and the change from one to another.
 */
#include <linux/cleanup.h>
#include <linux/ftrace.h>
#include <linux/init.h>
#include <linux/printk.h>
#include <linux/seq_file.h>
#include <linux/string.h>

#include "instance/instance.h"
#include "instance/names.h"
#include "instance/registry.h"

/* The latest first; trace_lock. */
static LIST_HEAD(tracers);

/* Self tests need interrupts, other tasks and RCU Tasks; trace_lock. */
static bool tests_can_run;

static struct tracer *tracer_find(const char *name)
{
	struct tracer *tracer;

	lockdep_assert_held(&trace_lock);

	list_for_each_entry(tracer, &tracers, list) {
		if (!strcmp(tracer->name, name))
			return tracer;
	}

	return NULL;
}

/**
 * tracer_watch_names - let names be saved for the tracer, or no more
 * @tr: the instance
 * @on: whether to
 *
 * Return: 0, or an error with things as they were.
 */
int tracer_watch_names(struct trace_array *tr, bool on)
{
	int ret = 0;

	lockdep_assert_held(&trace_lock);

	on = on && tr->tracer != &trace_nop;
	if (on == tr->watching)
		return 0;

	if (on)
		ret = trace_names_watch();
	else
		trace_names_unwatch();

	if (!ret)
		tr->watching = on;

	return ret;
}

/* @tr has the tracer that does nothing. */
static int tracer_begin(struct trace_array *tr, struct tracer *tracer)
{
	int ret;

	tr->tracer = tracer;
	ret = tracer_watch_names(tr, tr->options & TRACE_OPT_NAMES);
	if (ret)
		goto fail;

	ret = tracer->init ? tracer->init(tr) : 0;
	if (!ret)
		return 0;

	tracer_watch_names(tr, false);
fail:
	tr->tracer = &trace_nop;
	return ret;
}

static void tracer_end(struct trace_array *tr)
{
	struct tracer *old = tr->tracer;

	if (old->reset)
		old->reset(tr);

	tracer_watch_names(tr, false);
	tr->tracer = &trace_nop;
}

/**
 * tracer_switch - give an instance another tracer
 * @tr: the instance
 * @tracer: the tracer
 *
 * The buffer is cleared. trace_lock held.
 *
 * Return: 0, or an error with the tracer there was before.
 */
int tracer_switch(struct trace_array *tr, struct tracer *tracer)
{
	struct tracer *old = tr->tracer;
	int ret;

	lockdep_assert_held(&trace_lock);

	if (tracer == old)
		return 0;

	/* A process in trace_pipe relies on the tracer's way to print. */
	if (tr->pipes)
		return -EBUSY;

	ret = tracer == &trace_nop ? 0 : trace_array_use(tr);
	if (ret < 0)
		return ret;

	tracer_end(tr);
	trace_array_clear_all(tr);

	ret = tracer_begin(tr, tracer);
	if (ret && tracer_begin(tr, old))
		pr_warn("tracing: %s did not start and %s not again\n",
			tracer->name, old->name);

	return ret;
}

/**
 * tracer_set - give an instance the tracer of that name (current_tracer)
 * @tr: the instance
 * @name: of the tracer
 *
 * Takes trace_lock.
 *
 * Return: 0; -EINVAL where there is no such tracer, or as tracer_switch().
 */
int tracer_set(struct trace_array *tr, const char *name)
{
	struct tracer *tracer;

	guard(mutex)(&trace_lock);

	tracer = tracer_find(name);
	if (!tracer)
		return -EINVAL;

	return tracer_switch(tr, tracer);
}

/**
 * tracer_find_option - find an option that one tracer has
 * @name: of the option
 * @owner: set to the tracer
 *
 * Return: the option, or NULL. trace_lock held.
 */
const struct tracer_option *tracer_find_option(const char *name,
					       struct tracer **owner)
{
	const struct tracer_option *option;
	struct tracer *tracer;

	lockdep_assert_held(&trace_lock);

	list_for_each_entry(tracer, &tracers, list) {
		for (option = tracer->options; option && option->name; option++) {
			if (!strcmp(option->name, name)) {
				*owner = tracer;
				return option;
			}
		}
	}

	return NULL;
}

/**
 * tracer_option_name - the name of an option that one tracer has
 * @nr: which, counted over all tracers from 0
 *
 * Return: the name, or NULL where there are no more.
 */
const char *tracer_option_name(unsigned int nr)
{
	const struct tracer_option *option;
	struct tracer *tracer;

	guard(mutex)(&trace_lock);

	list_for_each_entry(tracer, &tracers, list) {
		for (option = tracer->options; option && option->name; option++) {
			if (!nr--)
				return option->name;
		}
	}

	return NULL;
}

/**
 * tracer_set_option - set or clear an option that one tracer has
 * @tr: the instance it is asked for in
 * @tracer: whose option
 * @bit: which
 * @on: whether to set it
 *
 * Return: 0, or the tracer's error. trace_lock held.
 */
int tracer_set_option(struct trace_array *tr, struct tracer *tracer, u32 bit,
		      bool on)
{
	int ret = 0;

	lockdep_assert_held(&trace_lock);

	if (!!(tracer->flags & bit) == on)
		return 0;

	if (tracer->set_option)
		ret = tracer->set_option(tr, bit, on);
	if (!ret)
		tracer->flags ^= bit;

	return ret;
}

/**
 * tracer_show_all - list the tracers (available_tracers)
 * @m: where to
 */
void tracer_show_all(struct seq_file *m)
{
	const char *space = "";
	struct tracer *tracer;

	guard(mutex)(&trace_lock);

	list_for_each_entry(tracer, &tracers, list) {
		seq_printf(m, "%s%s", space, tracer->name);
		space = " ";
	}
	seq_putc(m, '\n');
}

/*
 * Boot goes on with a tracer that failed taken off the list. A tracer that
 * boot was asked to start records already, and a test would wipe that out. The
 * buffer stays as small as it is before its first use.
 */
static void __init tracer_prove(struct tracer *tracer)
{
	int ret;

	if (!IS_ENABLED(CONFIG_FTRACE_STARTUP_TEST) || tracer->proven)
		return;

	if (tracer->selftest && !*trace_boot_tracer) {
		ret = tracer->selftest(&trace_top);
		trace_array_clear(&trace_top, RING_BUFFER_ALL_CPUS);
		if (WARN(ret, "tracer %s failed its self test: %d\n",
			 tracer->name, ret)) {
			list_del_init(&tracer->list);
			return;
		}
		pr_info("tracer %s passed its self test\n", tracer->name);
	}

	tracer->proven = true;
}

static void __init tracer_start_at_boot(struct tracer *tracer)
{
	int ret;

	if (strcmp(tracer->name, trace_boot_tracer))
		return;

	ret = tracer_switch(&trace_top, tracer);
	if (ret)
		pr_warn("tracing: ftrace=%s: error %d\n", tracer->name, ret);
}

/**
 * register_tracer - offer a tracer
 * @tracer: the tracer, which is never taken back
 *
 * Called from an initcall. With CONFIG_FTRACE_STARTUP_TEST the tracer proves
 * itself, now or as soon as boot has come far enough; with ftrace=<its name>
 * on the command line it starts.
 *
 * Return: 0; -EINVAL for a bad name, -EEXIST for one that is taken, -ENODEV
 * when there is no buffer to trace into.
 */
int __init register_tracer(struct tracer *tracer)
{
	size_t len = tracer->name ? strlen(tracer->name) : 0;

	if (!len || len >= MAX_TRACER_SIZE)
		return -EINVAL;

	if (!trace_top.main.buffer)
		return -ENODEV;

	guard(mutex)(&trace_lock);

	if (tracer_find(tracer->name))
		return -EEXIST;

	list_add(&tracer->list, &tracers);

	if (tests_can_run)
		tracer_prove(tracer);
	tracer_start_at_boot(tracer);

	return 0;
}

static int __init tracers_prove(void)
{
	struct tracer *tracer, *next;

	guard(mutex)(&trace_lock);

	tests_can_run = true;
	list_for_each_entry_safe(tracer, next, &tracers, list)
		tracer_prove(tracer);

	return 0;
}
core_initcall_sync(tracers_prove);

/* All that could have registered has. */
static int __init boot_tracer_known(void)
{
	guard(mutex)(&trace_lock);

	if (*trace_boot_tracer && !tracer_find(trace_boot_tracer))
		pr_warn("tracing: ftrace=%s: no such tracer\n",
			trace_boot_tracer);

	return 0;
}
late_initcall_sync(boot_tracer_known);
