// SPDX-License-Identifier: GPL-2.0
/*
 * The monitor wip: wakeups happen only while preemption is off. Each CPU has an automaton.
 *
 *			  preempt_disable
 *	 --> preemptive ------------------> non_preemptive <--.
 *		      ^ <------------------ |	    \________/
 *			   preempt_enable	   sched_waking
 *
 * See Documentation/trace/rv/monitor_wip.rst.
 */
#include <linux/cpumask.h>
#include <linux/init.h>
#include <linux/percpu.h>
#include <linux/rv.h>
#include <linux/tracepoint.h>
#include <rv/da_monitor.h>
#include <trace/events/preemptirq.h>
#include <trace/events/rv.h>
#include <trace/events/sched.h>

#include "lib/probes.h"

/* The model, which is tools/verification/models/wip.dot, in the form of rv/da_monitor.h */
enum states_wip { preemptive_wip, non_preemptive_wip, state_max_wip };
enum events_wip { preempt_disable_wip, preempt_enable_wip, sched_waking_wip, event_max_wip };

#define INVALID_STATE	state_max_wip

static const struct {
	char		*state_names[state_max_wip];
	char		*event_names[event_max_wip];
	unsigned char	function[state_max_wip][event_max_wip];
	unsigned char	initial_state;
	bool		final_states[state_max_wip];
} automaton_wip = {
	.state_names	= { "preemptive", "non_preemptive" },
	.event_names	= { "preempt_disable", "preempt_enable", "sched_waking" },
	.function	= {
		[preemptive_wip] = {
			[preempt_disable_wip]	= non_preemptive_wip,
			[preempt_enable_wip]	= INVALID_STATE,
			[sched_waking_wip]	= INVALID_STATE,
		},
		[non_preemptive_wip] = {
			[preempt_disable_wip]	= INVALID_STATE,
			[preempt_enable_wip]	= preemptive_wip,
			[sched_waking_wip]	= non_preemptive_wip,
		},
	},
	.initial_state	= preemptive_wip,
	.final_states	= { [preemptive_wip] = true },
};

static struct rv_monitor rv_wip;

DECLARE_DA_MON_PER_CPU(wip, unsigned char);

static void wip_preempt_disabled(void *data, unsigned long ip, unsigned long parent_ip)
{
	da_handle_event_wip(preempt_disable_wip);
}

/* The CPU enters the initial state, so that its automaton can start. */
static void wip_preempt_enabled(void *data, unsigned long ip, unsigned long parent_ip)
{
	da_handle_start_event_wip(preempt_enable_wip);
}

static void wip_waking(void *data, struct task_struct *task)
{
	da_handle_event_wip(sched_waking_wip);
}

static const struct trace_probe probes[] = {
	TRACE_PROBE(preempt_enable, wip_preempt_enabled),
	TRACE_PROBE(sched_waking, wip_waking),
	TRACE_PROBE(preempt_disable, wip_preempt_disabled),
	{ }
};

/*
 * Unlike da_monitor_reset_all_wip(), this includes CPUs that are offline now and go online
 * later.
 */
static void wip_reset(void)
{
	int cpu;

	for_each_possible_cpu(cpu)
		da_monitor_reset_wip(per_cpu_ptr(&da_mon_wip, cpu));
}

static int wip_enable(void)
{
	wip_reset();

	return trace_probes_register(probes, ~0U, NULL);
}

static void wip_disable(void)
{
	trace_probes_unregister(probes, ~0U, NULL);
}

static struct rv_monitor rv_wip = {
	.name		= "wip",
	.description	= "wakeup in preemptive per-cpu testing monitor.",
	.enable		= wip_enable,
	.disable	= wip_disable,
	.reset		= wip_reset,
};

static int __init wip_init(void)
{
	return rv_register_monitor(&rv_wip);
}
device_initcall(wip_init);
