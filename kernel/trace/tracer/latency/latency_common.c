// SPDX-License-Identifier: GPL-2.0
/*
 * Common part of the latency tracers: start, stop, and the options function-trace and
 * display-graph. With function-trace, calls of the functions in set_ftrace_filter are recorded
 * while the tracer requests it; if display-graph is also set, in the format of the function
 * graph tracer.
 */
#define pr_fmt(fmt) "tracing: " fmt

#include <linux/ftrace.h>
#include <linux/init.h>
#include <linux/lockdep.h>
#include <linux/preempt.h>
#include <linux/printk.h>

#include "ftrace/fgraph/fgraph_unwind.h"
#include "ftrace/ops/ops.h"
#include "instance/core/entries.h"
#include "instance/core/instance.h"
#include "instance/core/options.h"
#include "instance/record/entry.h"
#include "lib/probes.h"
#include "ring/write.h"
#include "tracer/graph/graph_tracer.h"
#include "tracer/latency/latency_common.h"

static void latency_common_record_function(struct trace_array *tr, unsigned long ip,
					   unsigned long parent_ip)
{
	unsigned int context = trace_context_now();
	struct ftrace_entry *entry;
	struct ring_write write;

	entry = ring_write_begin(tr->main.buffer, sizeof(*entry), &write);
	if (!entry)
		return;

	trace_entry_fill(&entry->ent, TRACE_FN, context);
	entry->ip = ip;
	entry->parent_ip = parent_ip;
	trace_cmdline_want();
	ring_write_end(&write);
}

/**
 * trace_latency_record_call - record the place where a latency begins or ends
 * @tr: the instance
 * @ip: the function
 * @parent_ip: its caller
 *
 * Any context, with interrupts off.
 */
noinline void trace_latency_record_call(struct trace_array *tr, unsigned long ip,
					unsigned long parent_ip)
{
	if (IS_ENABLED(CONFIG_FUNCTION_GRAPH_TRACER) &&
	    READ_ONCE(tr->options) & TRACE_OPT(DISPLAY_GRAPH))
		trace_graph_latency_leaf(tr, ip);
	else
		latency_common_record_function(tr, ip, parent_ip);
}

#ifdef CONFIG_FUNCTION_TRACER
static void latency_common_call(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *ops,
				struct ftrace_regs *fregs)
{
	struct trace_array *tr = ops->private;

	preempt_disable_notrace();
	if (trace_should_record_call(tr))
		latency_common_record_function(tr, ip, graph_real_parent(parent_ip, fregs));
	preempt_enable_notrace();
}

/* Calls are recorded by the ops of the instance, or as a graph. */
static int latency_common_calls_begin(struct trace_array *tr)
{
	if (!(tr->options & TRACE_OPT(FUNCTION_TRACE)))
		return 0;

	return tr->options & TRACE_OPT(DISPLAY_GRAPH) ? trace_graph_latency_start(tr) :
							register_ftrace_function(tr->ops);
}

/* Also works if recording of calls failed to restart after a change of options. */
static void latency_common_calls_end(struct trace_array *tr)
{
	if (!(tr->options & TRACE_OPT(FUNCTION_TRACE)))
		return;

	if (tr->options & TRACE_OPT(DISPLAY_GRAPH))
		trace_graph_latency_stop(tr);
	else
		ftrace_ops_detach(tr->ops);
}

/* Callbacks that are still running record nothing from here on. */
static void latency_common_give_back(struct trace_array *tr)
{
	tr->ops->func = tr->saved_func;
	tr->saved_func = NULL;
	/* No order is needed: callbacks read it once, and it refers to no data. */
	WRITE_ONCE(tr->should_record_call, NULL);
}

static int latency_common_functions_begin(struct trace_array *tr,
					  bool (*should_record_call)(struct trace_array *tr))
{
	int ret;

	if (!tr->ops)
		return 0;

	/* Pairs with trace_should_record_call(): the state of the tracer in the instance is set. */
	smp_store_release(&tr->should_record_call, should_record_call);
	tr->saved_func = tr->ops->func;
	tr->ops->func = latency_common_call;
	ret = latency_common_calls_begin(tr);
	if (ret)
		latency_common_give_back(tr);

	return ret;
}

static void latency_common_functions_end(struct trace_array *tr)
{
	if (!tr->saved_func)
		return;

	latency_common_calls_end(tr);
	latency_common_give_back(tr);
}

/*
 * Apply the options function-trace and display-graph, which the caller changes if this returns
 * 0
 */
static int latency_common_change_options(struct trace_array *tr, u64 option, bool on)
{
	u64 old = tr->options;
	int ret;

	if (!tr->saved_func)
		return 0;

	latency_common_calls_end(tr);
	tr->options = on ? old | option : old & ~option;
	ret = latency_common_calls_begin(tr);
	tr->options = old;
	if (ret && latency_common_calls_begin(tr))
		pr_warn("function calls are no longer recorded\n");

	return ret;
}

static int latency_common_set_function_trace(struct trace_array *tr, bool on)
{
	return latency_common_change_options(tr, TRACE_OPT(FUNCTION_TRACE), on);
}

static int latency_common_set_display_graph(struct trace_array *tr, bool on)
{
	if (on && !IS_ENABLED(CONFIG_FUNCTION_GRAPH_TRACER))
		return -EINVAL;

	return latency_common_change_options(tr, TRACE_OPT(DISPLAY_GRAPH), on);
}

static int __init latency_common_functions_init(void)
{
	trace_option_handle(TRACE_OPTION_FUNCTION_TRACE, latency_common_set_function_trace);
	trace_option_handle(TRACE_OPTION_DISPLAY_GRAPH, latency_common_set_display_graph);

	return 0;
}
early_initcall(latency_common_functions_init);
#else
static int latency_common_functions_begin(struct trace_array *tr,
					  bool (*should_record_call)(struct trace_array *tr))
{
	return 0;
}

static void latency_common_functions_end(struct trace_array *tr)
{
}
#endif

/**
 * trace_latency_start - start a latency tracer
 * @tr: the instance
 * @should_record_call: returns whether a call on this CPU is to be recorded. Called for each
 *	call while the option function-trace is set, with preemption disabled, and possibly
 *	still after the tracer has stopped.
 * @probes: probes of the tracer
 * @kinds: kinds of probes to register
 * @data: data of the probes
 *
 * trace_lock held.
 *
 * Return: 0, or the error of register_ftrace_function() or trace_probes_register().
 */
int trace_latency_start(struct trace_array *tr, bool (*should_record_call)(struct trace_array *tr),
			const struct trace_probe *probes, unsigned int kinds, void *data)
{
	int ret;

	lockdep_assert_held(&trace_lock);

	ret = latency_common_functions_begin(tr, should_record_call);
	if (ret)
		return ret;

	ret = trace_probes_register(probes, kinds, data);
	if (ret)
		latency_common_functions_end(tr);

	return ret;
}

/**
 * trace_latency_stop - undo trace_latency_start()
 * @tr: the instance
 * @probes: probes passed to trace_latency_start()
 * @kinds: kinds passed to trace_latency_start()
 * @data: data passed to trace_latency_start()
 *
 * trace_lock held.
 */
void trace_latency_stop(struct trace_array *tr, const struct trace_probe *probes,
			unsigned int kinds, void *data)
{
	lockdep_assert_held(&trace_lock);

	trace_probes_unregister(probes, kinds, data);
	latency_common_functions_end(tr);
}
