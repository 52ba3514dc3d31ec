// SPDX-License-Identifier: GPL-2.0
/*
 * The monitor wwnr: a task is woken only while it is not running. Each task has an automaton.
 *
 *			    switch_in
 *	 --> not_running --------------> running
 *	     |	^   ^ <-----------------
 *	     \_/	    switch_out
 *	   wakeup
 *
 * The model is wrong: a task that is about to sleep, but still running, can be woken. Its
 * purpose is to produce errors for reactors. See Documentation/trace/rv/monitor_wwnr.rst.
 */
#include <linux/init.h>
#include <linux/rv.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/tracepoint.h>
#include <rv/da_monitor.h>
#include <trace/events/rv.h>
#include <trace/events/sched.h>

#include "lib/probes.h"

/* The model, which is tools/verification/models/wwnr.dot, in the form of rv/da_monitor.h */
enum states_wwnr { not_running_wwnr, running_wwnr, state_max_wwnr };
enum events_wwnr { switch_in_wwnr, switch_out_wwnr, wakeup_wwnr, event_max_wwnr };

#define INVALID_STATE	state_max_wwnr

static const struct {
	char		*state_names[state_max_wwnr];
	char		*event_names[event_max_wwnr];
	unsigned char	function[state_max_wwnr][event_max_wwnr];
	unsigned char	initial_state;
	bool		final_states[state_max_wwnr];
} automaton_wwnr = {
	.state_names	= { "not_running", "running" },
	.event_names	= { "switch_in", "switch_out", "wakeup" },
	.function	= {
		[not_running_wwnr] = {
			[switch_in_wwnr]	= running_wwnr,
			[switch_out_wwnr]	= INVALID_STATE,
			[wakeup_wwnr]		= not_running_wwnr,
		},
		[running_wwnr] = {
			[switch_in_wwnr]	= INVALID_STATE,
			[switch_out_wwnr]	= not_running_wwnr,
			[wakeup_wwnr]		= INVALID_STATE,
		},
	},
	.initial_state	= not_running_wwnr,
	.final_states	= { [not_running_wwnr] = true },
};

static struct rv_monitor rv_wwnr;

DECLARE_DA_MON_PER_TASK(wwnr, unsigned char);

/* The previous task enters the initial state, so that its automaton can start. */
static void wwnr_switched(void *data, bool preempt, struct task_struct *prev,
			  struct task_struct *next, unsigned int prev_state)
{
	da_handle_start_event_wwnr(prev, switch_out_wwnr);
	da_handle_event_wwnr(next, switch_in_wwnr);
}

static void wwnr_woken(void *data, struct task_struct *task)
{
	da_handle_event_wwnr(task, wakeup_wwnr);
}

static const struct trace_probe probes[] = {
	TRACE_PROBE(sched_switch, wwnr_switched),
	TRACE_PROBE(sched_wakeup, wwnr_woken),
	{ }
};

static int wwnr_enable(void)
{
	int ret = da_monitor_init_wwnr();

	if (ret)
		return ret;

	ret = trace_probes_register(probes, ~0U, NULL);
	if (ret)
		da_monitor_destroy_wwnr();

	return ret;
}

static void wwnr_disable(void)
{
	trace_probes_unregister(probes, ~0U, NULL);
	da_monitor_destroy_wwnr();
}

static struct rv_monitor rv_wwnr = {
	.name		= "wwnr",
	.description	= "wakeup while not running per-task testing monitor.",
	.enable		= wwnr_enable,
	.disable	= wwnr_disable,
	.reset		= da_monitor_reset_all_wwnr,
};

static int __init wwnr_init(void)
{
	return rv_register_monitor(&rv_wwnr);
}
device_initcall(wwnr_init);
