// SPDX-License-Identifier: GPL-2.0
/*
 * Start-up self test of the function graph tracer.
 */
#define pr_fmt(fmt) "tracing: " fmt

#include <linux/ftrace.h>
#include <linux/init.h>
#include <linux/printk.h>

#include "filter/set_filter.h"
#include "instance/core/entries.h"
#include "instance/core/instance.h"
#include "tracer/graph/graph_tracer.h"
#include "tracer/selftest/selftest.h"

/* The entries of one call of trace_selftest_outer(). */
static const struct {
	u16		type;
	int		depth;
	unsigned long	(*func)(unsigned long n);
} expected[] = {
	{ TRACE_GRAPH_ENT, 0, trace_selftest_outer },
	{ TRACE_GRAPH_ENT, 1, trace_selftest_inner },
	{ TRACE_GRAPH_RET, 1, trace_selftest_inner },
	{ TRACE_GRAPH_RET, 0, trace_selftest_outer },
};

#define CALLS	3

static bool graph_selftest_is_expected(const struct trace_entry *ent, unsigned int nr)
{
	const struct graph_ent_entry *entry = (const void *)ent;
	const struct graph_ret_entry *ret = (const void *)ent;
	unsigned int i = nr % ARRAY_SIZE(expected);
	unsigned long func = ftrace_filter_site_of((unsigned long)expected[i].func);

	if (ent->type != expected[i].type)
		return false;
	if (ent->type == TRACE_GRAPH_ENT)
		return entry->graph_ent.func == func &&
		       entry->graph_ent.depth == expected[i].depth;

	return ret->ret.func == func && ret->ret.depth == expected[i].depth &&
	       ret->ret.rettime >= ret->ret.calltime;
}

/* Return: true if the entries match @calls calls. */
static bool graph_selftest_records(struct trace_array *tr, const char *when, unsigned int calls)
{
	struct ring_buffer_event *event;
	unsigned int i, cpu, nr = 0, good = 0;
	unsigned long lost;
	u64 ts;

	for (i = 0; i < CALLS; i++) {
		/* On one CPU, so that the entries are in order. */
		preempt_disable();
		trace_selftest_outer(i);
		preempt_enable();
	}

	for_each_possible_cpu(cpu) {
		unsigned int on_cpu = 0;

		while ((event = ring_buffer_consume(tr->main.buffer, cpu, &ts,
						    &lost))) {
			good += graph_selftest_is_expected(ring_buffer_event_data(event), on_cpu++);
			nr++;
		}
	}

	if (nr == calls * ARRAY_SIZE(expected) && good == nr)
		return true;

	pr_err("function graph tracer, %s: %u entries, %u of them right, expected %zu\n",
	       when, nr, good, calls * ARRAY_SIZE(expected));

	return false;
}

/**
 * graph_selftest - self test of the function graph tracer
 * @tr: the instance to record into
 * @tracer: unused; @tr has the fgraph ops of the tracer
 *
 * The tracer has to record entry and return of each call of the functions in the filter, in
 * their order and with their depths, and must not record any call after it was unregistered.
 *
 * Return: 0; -EIO if calls were recorded wrongly; or the error of starting the tracer
 */
int graph_selftest(struct trace_array *tr, struct tracer *tracer)
{
	/* Separate filters: the tracer's own may have been set on the command line. */
	static struct ftrace_ops filters;
	struct fgraph_ops *gops = trace_graph_user(tr);
	struct ftrace_ops_hash *hash = gops->ops.func_hash;
	unsigned long ips[] = {
		(unsigned long)trace_selftest_outer,
		(unsigned long)trace_selftest_inner,
	};
	bool ok;
	int ret;

	ret = ftrace_set_filter_ips(&filters, ips, ARRAY_SIZE(ips), 0, 1);
	if (ret)
		return ret;

	gops->ops.func_hash = filters.func_hash;
	ret = register_ftrace_graph(gops);
	if (!ret) {
		ok = graph_selftest_records(tr, "two functions", CALLS);
		unregister_ftrace_graph(gops);
		ok = graph_selftest_records(tr, "switched off", 0) && ok;
		ret = ok ? 0 : -EIO;
	}
	gops->ops.func_hash = hash;
	ftrace_free_filter(&filters);
	return ret;
}
