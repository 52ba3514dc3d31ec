// SPDX-License-Identifier: GPL-2.0
/*
 * The current tracer of an instance: one starts, another one stops.
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
 * Record the names of tasks while a tracer is at work or events are enabled, and the
 * option asks for it. Return: 0, or an error with nothing changed.
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

/* The instance has the tracer that records nothing, or keeps it. */
static void current_tracer_idle(struct trace_array *tr)
{
	tr->tracer = &trace_nop;
	current_tracer_update_cmdlines(tr, tr->tracer, tr->options & TRACE_OPT(RECORD_CMD));
}

/* The tracer records nothing any more, or did not start. */
static void current_tracer_end(struct trace_array *tr)
{
	if (tr->tracer->keeps_max)
		trace_latency_end(tr);
	current_tracer_idle(tr);
}

/**
 * trace_cmdlines_events - record the names of tasks for trace events, or end that
 * @tr: the instance
 * @on: whether any event is enabled
 *
 * trace_lock held.
 *
 * Return: 0, or an error with nothing changed, if @on
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

/* @tr has the tracer that records nothing. */
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
 * tracing_tracer_failed - the current tracer has stopped, and could not start again
 * @tr: the instance, which has the tracer that records nothing from now on
 *
 * trace_lock held.
 */
void tracing_tracer_failed(struct trace_array *tr)
{
	lockdep_assert_held(&trace_lock);

	pr_warn("failed to restart tracer %s\n", tr->tracer->name);
	current_tracer_end(tr);
}

/* Return: whether the instance can have the tracer now. */
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
 * tracing_switch_tracer - give an instance another tracer
 * @tr: the instance
 * @tracer: registered; &trace_nop is for none
 *
 * The buffer is cleared. trace_lock held.
 *
 * Return: 0, or an error, with the old tracer still at work and the buffer as it was, but
 * for the maximum of a latency tracer; -EINVAL if the tracer cannot be used in this
 * instance, as a latency tracer cannot where the buffer outlives the kernel, or not yet;
 * -ENODEV for an instance that is being made or has ended; -EBUSY while a trace_pipe is open.
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

	/* Readers of trace_pipe print with the tracer that they began with. */
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
 * tracing_set_tracer - give an instance the tracer of that name (current_tracer)
 * @tr: the instance
 * @name: of the tracer
 *
 * Takes trace_lock.
 *
 * Return: 0; -EINVAL where there is no such tracer, or as tracing_switch_tracer().
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
 * tracer_switch_init - what has to be before the first instance
 *
 * The tracer that records nothing is the first in the list.
 */
void __init tracer_switch_init(void)
{
	trace_option_handle(TRACE_OPTION_RECORD_CMD, current_tracer_set_record_cmd);
	trace_option_handle(TRACE_OPTION_RECORD_TGID, current_tracer_set_record_tgid);

	list_add(&trace_nop.list, &trace_tracers);
}
