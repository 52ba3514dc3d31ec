// SPDX-License-Identifier: GPL-2.0
/*
 * What latency tracers have in common: how they start and stop, and option function-trace.
 * While that is set, calls of the functions in set_ftrace_filter are recorded as the
 * tracer sees fit.
 */
#include <linux/ftrace.h>
#include <linux/init.h>
#include <linux/lockdep.h>

#include "hook/ops.h"
#include "instance/entries.h"
#include "instance/instance.h"
#include "instance/options.h"
#include "instance/write.h"
#include "lib/probes.h"
#include "ring/write.h"
#include "tracer/latency.h"

/**
 * trace_latency_record_call - record an entry as the function tracer does
 * @tr: the instance
 * @ip: the function
 * @parent_ip: its caller
 *
 * Any context.
 */
noinline void trace_latency_record_call(struct trace_array *tr, unsigned long ip,
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

#ifdef CONFIG_FUNCTION_TRACER
static void give_back(struct trace_array *tr)
{
	tr->ops->func = tr->function_before;
	tr->function_before = NULL;
}

static int functions_begin(struct trace_array *tr, ftrace_func_t func)
{
	int ret = 0;

	if (!tr->ops)
		return 0;

	tr->function_before = tr->ops->func;
	tr->ops->func = func;
	if (tr->options & TRACE_OPT(FUNCTION_TRACE))
		ret = register_ftrace_function(tr->ops);
	if (ret)
		give_back(tr);

	return ret;
}

static void functions_end(struct trace_array *tr)
{
	if (!tr->function_before)
		return;

	if (tr->options & TRACE_OPT(FUNCTION_TRACE))
		WARN_ON(ftrace_ops_detach(tr->ops));
	give_back(tr);
}

/* Option function-trace */
static int set_function_trace(struct trace_array *tr, bool on)
{
	if (!tr->function_before)
		return 0;

	return on ? register_ftrace_function(tr->ops) : ftrace_ops_detach(tr->ops);
}

static int __init latency_functions_init(void)
{
	trace_option_handle(TRACE_OPTION_FUNCTION_TRACE, set_function_trace);

	return 0;
}
early_initcall(latency_functions_init);
#else
static int functions_begin(struct trace_array *tr, void *func)
{
	return 0;
}

static void functions_end(struct trace_array *tr)
{
}
#endif

/**
 * trace_latency_start - start a latency tracer
 * @tr: the instance
 * @func: a ftrace_func_t, which is called for each call of a function while option
 *	  function-trace is set; ops->private is @tr. It may still be called when the
 *	  tracer has stopped. NULL where functions cannot be traced.
 * @probes: what the tracer measures by
 * @kinds: which of them
 * @data: for the probes
 *
 * trace_lock held.
 *
 * Return: 0, or the error of register_ftrace_function() or trace_probes_register().
 */
int trace_latency_start(struct trace_array *tr, void *func,
			const struct trace_probe *probes, unsigned int kinds, void *data)
{
	int ret;

	lockdep_assert_held(&trace_lock);

	ret = functions_begin(tr, func);
	if (ret)
		return ret;

	ret = trace_probes_register(probes, kinds, data);
	if (ret)
		functions_end(tr);

	return ret;
}

/**
 * trace_latency_stop - undo trace_latency_start()
 * @tr: the instance
 * @probes: as for trace_latency_start()
 * @kinds: likewise
 * @data: likewise
 *
 * trace_lock held.
 */
void trace_latency_stop(struct trace_array *tr, const struct trace_probe *probes,
			unsigned int kinds, void *data)
{
	lockdep_assert_held(&trace_lock);

	trace_probes_unregister(probes, kinds, data);
	functions_end(tr);
}
