// SPDX-License-Identifier: GPL-2.0
/*
 * The current tracer of an instance: starting, stopping and switching tracers.
 */
#define pr_fmt(fmt) "tracing: " fmt

#include <linux/cleanup.h>
#include <linux/init.h>
#include <linux/kernel.h>
#include <linux/printk.h>

#include "instance/core/buffer.h"
#include "instance/core/instance.h"
#include "instance/core/options.h"
#include "instance/record/cmdlines.h"
#include "instance/record/tgids.h"
#include "instance/snapshot/max_latency.h"
#include "instance/tracer/current_tracer.h"
#include "instance/tracer/tracer.h"

/*
 * Record comms while a tracer is active or events are enabled, and the option is set. Return:
 * 0, or an error without a change.
 */
static int current_tracer_update_cmdlines(struct trace_array *tr, const struct tracer *tracer,
					  bool option)
{
	bool record = option && (tracer != &trace_nop || tr->events_on);
	int ret = 0;

	lockdep_assert_held(&trace_lock);

	if (record == tr->cmdlines)
		return 0;

	if (record)
		ret = trace_cmdlines_record();
	else
		trace_cmdlines_unrecord();

	if (!ret)
		tr->cmdlines = record;

	return ret;
}

static int current_tracer_set_record_cmd(struct trace_array *tr, bool on)
{
	return current_tracer_update_cmdlines(tr, tr->tracer, on);
}

static int current_tracer_set_record_tgid(struct trace_array *tr, bool on)
{
	if (on)
		return trace_tgids_record();

	trace_tgids_unrecord();

	return 0;
}

/* Make "nop" the current tracer of the instance. */
static void current_tracer_idle(struct trace_array *tr)
{
	tr->tracer = &trace_nop;
	current_tracer_update_cmdlines(tr, tr->tracer, tr->options & TRACE_OPT(RECORD_CMD));
}

/* The tracer has stopped recording, or did not start. */
static void current_tracer_end(struct trace_array *tr)
{
	if (tr->tracer->keeps_max)
		trace_latency_end(tr);
	current_tracer_idle(tr);
}

/**
 * trace_cmdlines_events - start or stop recording comms for trace events
 * @tr: the instance
 * @on: true if any event is enabled
 *
 * trace_lock held.
 *
 * Return: 0, or an error without a change, if @on
 */
int trace_cmdlines_events(struct trace_array *tr, bool on)
{
	int ret;

	tr->events_on = on;
	ret = current_tracer_update_cmdlines(tr, tr->tracer, tr->options & TRACE_OPT(RECORD_CMD));
	if (ret)
		tr->events_on = false;

	return ret;
}

/* The current tracer of @tr is "nop". */
static int current_tracer_start(struct trace_array *tr, struct tracer *tracer)
{
	int ret;

	ret = current_tracer_update_cmdlines(tr, tracer, tr->options & TRACE_OPT(RECORD_CMD));
	if (ret)
		return ret;

	ret = tracer->keeps_max ? trace_latency_begin(tr) : 0;
	if (ret) {
		current_tracer_idle(tr);
		return ret;
	}

	tr->tracer = tracer;
	ret = tracer->init ? tracer->init(tr) : 0;
	if (ret)
		current_tracer_end(tr);

	return ret;
}

static void current_tracer_stop(struct trace_array *tr)
{
	if (tr->tracer->reset)
		tr->tracer->reset(tr);
	current_tracer_end(tr);
}

/**
 * tracing_tracer_failed - report that the current tracer stopped and failed to restart
 * @tr: the instance; its tracer is "nop" from now on
 *
 * trace_lock held.
 */
void tracing_tracer_failed(struct trace_array *tr)
{
	lockdep_assert_held(&trace_lock);

	pr_warn("failed to restart tracer %s\n", tr->tracer->name);
	current_tracer_end(tr);
}

/* Return: true if the instance can use the tracer now. */
static bool current_tracer_may_have(const struct trace_array *tr, const struct tracer *tracer)
{
	if (!tracer_fits(tr, tracer))
		return false;

	if (tracer->noboot && system_state < SYSTEM_RUNNING) {
		pr_warn("tracer %s cannot start during boot\n", tracer->name);
		return false;
	}

	return true;
}

/**
 * tracing_switch_tracer - switch an instance to another tracer
 * @tr: the instance
 * @tracer: a registered tracer; &trace_nop to only stop the current one
 *
 * The buffer is cleared. trace_lock held.
 *
 * Return: 0, or an error, with the old tracer still active and the buffer unchanged, except
 * that the maximum of a latency tracer is dropped. -EINVAL if the tracer cannot be used in this
 * instance (as a latency tracer in a buffer that outlives the kernel) or not during boot;
 * -ENODEV for an instance that is being created or removed; -EBUSY while a trace_pipe is open.
 */
int tracing_switch_tracer(struct trace_array *tr, struct tracer *tracer)
{
	struct tracer *old = tr->tracer;
	int ret;

	lockdep_assert_held(&trace_lock);

	if (tracer == old)
		return 0;

	if (!current_tracer_may_have(tr, tracer))
		return -EINVAL;

	if (tracer != &trace_nop && tr->ending)
		return -ENODEV;

	/* Readers of trace_pipe use the print functions of the tracer that was current at open. */
	if (tr->pipes)
		return -EBUSY;

	ret = tracer == &trace_nop ? 0 : trace_array_expand(tr);
	if (ret < 0)
		return ret;

	current_tracer_stop(tr);
	ret = current_tracer_start(tr, tracer);
	if (!ret) {
		trace_array_clear_all(tr);
	} else if (current_tracer_start(tr, old)) {
		pr_warn("failed to start tracer %s, and to restart %s\n",
			tracer->name, old->name);
	}

	if (tr->tracer->keeps_max)
		trace_latency_keep_max(tr);

	return ret;
}

/**
 * tracing_set_tracer - switch an instance to a tracer given by name (current_tracer)
 * @tr: the instance
 * @name: name of the tracer
 *
 * Takes trace_lock.
 *
 * Return: 0; -EINVAL if there is no such tracer, or the errors of tracing_switch_tracer().
 */
int tracing_set_tracer(struct trace_array *tr, const char *name)
{
	struct tracer *tracer;

	guard(mutex)(&trace_lock);

	tracer = tracer_find(name);
	if (!tracer)
		return -EINVAL;

	return tracing_switch_tracer(tr, tracer);
}

/**
 * current_tracer_init - set up tracers before the first instance is created
 *
 * The "nop" tracer is the first in the list.
 */
void __init current_tracer_init(void)
{
	trace_option_handle(TRACE_OPTION_RECORD_CMD, current_tracer_set_record_cmd);
	trace_option_handle(TRACE_OPTION_RECORD_TGID, current_tracer_set_record_tgid);

	list_add(&trace_nop.list, &trace_tracers);
}
