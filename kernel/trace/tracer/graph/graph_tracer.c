// SPDX-License-Identifier: GPL-2.0
/*
 * The function graph tracer: an entry when a traced function is called, and one with its
 * duration when it returns.
 */
#define pr_fmt(fmt) "tracing: " fmt

#include <linux/cleanup.h>
#include <linux/ftrace.h>
#include <linux/init.h>
#include <linux/kernel.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/printk.h>
#include <linux/ring_buffer.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "filter/filter.h"
#include "filter/pids.h"
#include "ftrace/ops/ops.h"
#include "instance/core/instance.h"
#include "instance/snapshot/max_latency.h"
#include "instance/tracer/current_tracer.h"
#include "instance/tracer/instance_create.h"
#include "instance/tracer/register_tracer.h"
#include "instance/tracer/tracer.h"
#include "lib/clock.h"
#include "lib/hash.h"
#include "tracer/function/function.h"
#include "tracer/graph/graph_keep.h"
#include "tracer/graph/graph_limits.h"
#include "tracer/graph/graph_overhead.h"
#include "tracer/graph/graph_record.h"
#include "tracer/graph/graph_text.h"
#include "tracer/graph/graph_times.h"
#include "tracer/graph/graph_tracer.h"
#include "tracer/selftest/selftest.h"

/**
 * struct trace_graph - state of the tracer in an instance
 * @gops: registered while the tracer is the current one. Its ops has the filters of
 *	  set_ftrace_filter and set_ftrace_notrace.
 * @tr: the instance
 * @limits: limits by set_graph_function, set_graph_notrace and max_graph_depth
 * @filters: the filters set_graph_function and set_graph_notrace, as registered with ftrace/
 * @flags: the set options; changed under trace_lock, read anywhere
 * @no_thresh: ignore tracing_thresh, for a measurement; trace_lock
 * @checks: some of these restrict recording; if not, callbacks skip the checks. Changed under
 *	trace_lock.
 * @keep: state of pending call trees
 * @cost: overhead of calls, used without the option tracer-time
 */
struct trace_graph {
	struct fgraph_ops	gops;
	struct trace_array	*tr;
	struct graph_limits	limits;
	struct ftrace_read_filters filters;
	u32			flags;
	bool			no_thresh;
	bool			checks;
	struct graph_keep	keep;
	struct graph_cost	cost;
};

#define GRAPH_RECORD_FLAGS	(GRAPH_IRQS | GRAPH_SLEEP_TIME | GRAPH_TRACER_TIME)

/* The overhead of a call depends on these, and on whether tracing_thresh is set. */
#define GRAPH_COST_FLAGS	(GRAPH_SLEEP_TIME | GRAPH_MORE)
#define GRAPH_COST_THRESH	BIT(31)

static __always_inline bool graph_has_limits(const struct trace_graph *graph)
{
	return READ_ONCE(graph->checks) || READ_ONCE(trace_latency_thresh);
}

static struct graph_task *graph_task_var(struct trace_graph *graph)
{
	return (struct graph_task *)fgraph_get_task_var(&graph->gops);
}

static noinline int graph_entry_checked(struct trace_graph *graph,
					struct ftrace_graph_ent *ent)
{
	struct graph_task *task = graph_task_var(graph);
	u32 flags = READ_ONCE(graph->flags);

	if (graph_limits_leave_out(&graph->limits, task, flags, ent)) {
		graph_times_add(graph->gops.idx, flags, graph->cost.refused);
		return 0;
	}

	if (graph_limits_notrace(&graph->limits, task, ent))
		return 1;

	graph_times_begin(graph->gops.idx, flags);
	if (flags & GRAPH_KEEP)
		return graph_keep_entry(&graph->keep, task, flags, ent);
	/* The duration is known only at the return. */
	if (READ_ONCE(trace_latency_thresh) && !graph->no_thresh)
		return 1;

	return flags & GRAPH_MORE ? graph_record_entry_more(graph->tr, ent, flags) :
				    graph_record_entry(graph->tr, ent, graph_entry_time());
}

static int graph_entry(struct ftrace_graph_ent *ent, struct fgraph_ops *gops)
{
	struct trace_graph *graph = container_of(gops, struct trace_graph, gops);
	struct trace_array *tr = graph->tr;

	if (ftrace_pids_skip(tr->pids))
		return 0;

	if (unlikely(graph_has_limits(graph)))
		return graph_entry_checked(graph, ent);

	return graph_record_entry(tr, ent, graph_entry_time());
}

static noinline void graph_return_checked(struct trace_graph *graph,
					  const struct ftrace_graph_ret *call)
{
	struct graph_task *task = graph_task_var(graph);
	u32 flags = READ_ONCE(graph->flags);
	struct ftrace_graph_ret ret = *call;

	if (graph_limits_end(task, ret.depth)) {
		graph_times_add(graph->gops.idx, flags, graph->cost.in_notrace);
		return;
	}

	graph_times_end(graph->gops.idx, flags, &graph->cost, &ret);
	if (flags & GRAPH_KEEP)
		graph_keep_return(&graph->keep, task, flags, &ret);
	else if (graph->no_thresh ||
		 ret.rettime - ret.calltime >= READ_ONCE(trace_latency_thresh))
		graph_record_return(graph->tr, &ret);
}

static void graph_return(struct ftrace_graph_ret *ret, struct fgraph_ops *gops)
{
	struct trace_graph *graph = container_of(gops, struct trace_graph, gops);

	if (unlikely(graph_has_limits(graph)))
		graph_return_checked(graph, ret);
	else
		graph_record_return(graph->tr, ret);
}

/* Callbacks for a latency tracer with the option display-graph; preemption is disabled. */
static int graph_latency_entry(struct ftrace_graph_ent *ent, struct fgraph_ops *gops)
{
	struct trace_graph *graph = container_of(gops, struct trace_graph, gops);
	struct trace_array *tr = graph->tr;
	struct graph_task *task;

	if (!trace_should_record_call(tr) || ftrace_pids_skip(tr->pids))
		return 0;

	task = graph_task_var(graph);
	if (graph_limits_leave_out(&graph->limits, task, READ_ONCE(graph->flags), ent))
		return 0;
	if (graph_limits_notrace(&graph->limits, task, ent))
		return 1;

	return graph_record_entry(tr, ent, graph_entry_time());
}

static void graph_latency_return(struct ftrace_graph_ret *ret, struct fgraph_ops *gops)
{
	struct trace_graph *graph = container_of(gops, struct trace_graph, gops);
	struct graph_task *task = graph_task_var(graph);

	if (!graph_limits_end(task, ret->depth) && trace_should_record_call(graph->tr))
		graph_record_return(graph->tr, ret);
}

/*
 * A call that would have been recorded is lost, or only its return. In a task without a return
 * stack there is no task variable.
 */
static void graph_lost(const struct ftrace_graph_ent *ent, struct fgraph_ops *gops)
{
	struct trace_graph *graph = container_of(gops, struct trace_graph, gops);
	struct graph_task *task = graph_task_var(graph);
	struct trace_array *tr = graph->tr;
	u32 flags = READ_ONCE(graph->flags);

	if (ftrace_pids_skip(tr->pids) ||
	    (gops->entryfunc == graph_latency_entry && !trace_should_record_call(tr)))
		return;
	if ((task && graph_limits_in_notrace(task, ent)) ||
	    graph_limits_refuse(&graph->limits, task, flags, ent) ||
	    !ring_buffer_record_is_on(tr->main.buffer))
		return;

	this_cpu_inc(graph->keep.counts->lost_calls);
	/* Pending trees are recorded later, and fast calls are not recorded at all. */
	if (!(flags & GRAPH_KEEP) && !READ_ONCE(trace_latency_thresh))
		graph_record_lost(tr, ent->func);
}

static DEFINE_PER_CPU(struct graph_counts, top_counts);

static struct trace_graph top_graph = {
	.keep.counts	= &top_counts,
};

static struct trace_instance_ops graph_part;
static struct tracer graph_tracer;

static struct trace_graph *graph_of(const struct trace_array *tr)
{
	return trace_instance_data(tr, &graph_part);
}

/* The limits of an instance may have changed. trace_lock held. */
static void graph_update_checks(struct trace_array *tr)
{
	struct trace_graph *graph = graph_of(tr);
	struct ftrace_ops_hash *hash = graph->limits.outermost.func_hash;

	lockdep_assert_held(&trace_lock);

	WRITE_ONCE(graph->checks,
		   graph->limits.max_depth || ~graph->flags & GRAPH_RECORD_FLAGS ||
		   graph->flags & (GRAPH_KEEP | GRAPH_MORE) ||
		   rcu_access_pointer(hash->filter_hash) ||
		   rcu_access_pointer(hash->notrace_hash));
}

/**
 * trace_graph_filters - get the filters of set_graph_function and set_graph_notrace
 * @tr: the instance
 *
 * Callers that change them call trace_graph_filters_changed() afterwards.
 */
struct ftrace_ops_hash *trace_graph_filters(struct trace_array *tr)
{
	return graph_of(tr)->limits.outermost.func_hash;
}

/**
 * trace_graph_max_depth - get the maximum depth of recorded calls (max_graph_depth)
 * @tr: the instance
 *
 * Return: the limit, 0 if there is no limit.
 */
unsigned int trace_graph_max_depth(struct trace_array *tr)
{
	return READ_ONCE(graph_of(tr)->limits.max_depth);
}

/**
 * trace_graph_set_max_depth - record calls only up to a depth
 * @tr: the instance
 * @depth: the limit, 0 if there is no limit
 *
 * Takes trace_lock.
 */
void trace_graph_set_max_depth(struct trace_array *tr, unsigned int depth)
{
	guard(mutex)(&trace_lock);

	WRITE_ONCE(graph_of(tr)->limits.max_depth, depth);
	graph_update_checks(tr);
}

/**
 * trace_graph_user - get the callbacks that record into an instance, for its self test
 * @tr: the instance
 */
struct fgraph_ops *trace_graph_user(struct trace_array *tr)
{
	return &graph_of(tr)->gops;
}

/**
 * trace_graph_counts - get the statistics of call trees since the tracer was started
 * @tr: the instance
 */
struct graph_counts trace_graph_counts(struct trace_array *tr)
{
	return graph_keep_counts(&graph_of(tr)->keep);
}

/**
 * trace_graph_flags - get the options of the tracer
 * @tr: the instance
 *
 * Return: pointer to the options, for READ_ONCE(); valid as long as the instance exists.
 */
const u32 *trace_graph_flags(const struct trace_array *tr)
{
	const struct trace_graph *graph = graph_of(tr);

	return graph ? &graph->flags : &top_graph.flags;
}

/* Show the calls that were lost because their task had no return stack, or no space on it. */
static void graph_show_stats(struct seq_file *m, struct trace_array *tr, int cpu)
{
	const struct trace_graph *graph = graph_of(tr);
	unsigned long lost = graph ? graph_keep_lost(&graph->keep, cpu) : 0;

	if (lost)
		seq_printf(m, "lost calls: %lu\n", lost);
}

static void graph_use_callbacks(struct trace_graph *graph, trace_func_graph_ent_t entry,
				trace_func_graph_ret_t ret)
{
	graph->gops.entryfunc = entry;
	graph->gops.retfunc = ret;
}

static void graph_release(struct trace_array *tr)
{
	struct trace_graph *graph = graph_of(tr);

	ftrace_free_filter(&graph->limits.outermost);
	ftrace_read_filters_del(&graph->filters);
	trace_instance_set_data(tr, &graph_part, NULL);
	if (graph == &top_graph)
		return;

	free_percpu(graph->keep.counts);
	kfree(graph);
}

static int graph_create(struct trace_array *tr)
{
	struct trace_graph *graph = &top_graph;

	if (tr != &trace_top) {
		graph = kzalloc(sizeof(*graph), GFP_KERNEL);
		if (!graph)
			return -ENOMEM;

		graph->keep.counts = alloc_percpu(struct graph_counts);
		if (!graph->keep.counts) {
			kfree(graph);
			return -ENOMEM;
		}
	}

	graph->tr = tr;
	graph->keep.tr = tr;
	graph->keep.gops = &graph->gops;
	graph->gops.lostfunc = graph_lost;
	graph->flags = graph_tracer.flags;
	graph_use_callbacks(graph, graph_entry, graph_return);
	ftrace_ops_init(&graph->gops.ops);
	graph->gops.ops.func_hash = tr->ops->func_hash;
	ftrace_ops_init(&graph->limits.outermost);
	graph->filters.hash = graph->limits.outermost.func_hash;
	ftrace_read_filters_add(&graph->filters);
	trace_instance_set_data(tr, &graph_part, graph);

	return 0;
}

/*
 * An instance that is in no list. Its tracer is used to measure the overhead of calls. It is
 * never freed, as other CPUs may find its ops in the list of all ops. trace_lock
 */
static struct trace_array *graph_scratch_get(void)
{
	static struct trace_array *scratch;
	struct trace_array *tr;

	if (scratch)
		return scratch;

	tr = kzalloc(sizeof(*tr), GFP_KERNEL);
	if (!tr)
		return NULL;

	tr->ops = kzalloc(sizeof(*tr->ops), GFP_KERNEL);
	tr->pids = ftrace_pids_alloc();
	if (tr->ops)
		ftrace_ops_init(tr->ops);
	if (tr->ops && tr->pids && !graph_create(tr)) {
		scratch = tr;
		return tr;
	}

	kfree(tr->ops);
	ftrace_pids_free(tr->pids);
	kfree(tr);
	return NULL;
}

static int graph_measure_all(struct trace_graph *graph, struct graph_cost *cost)
{
	char nothing[] = "", muted[] = "graph_cost_empty";
	int ret;

	/* The last measurement has left a function there. */
	ret = ftrace_set_notrace(&graph->limits.outermost, nothing, 0, 1);
	if (!ret)
		ret = graph_cost_inside(&graph->gops, &cost->inside);
	if (!ret)
		ret = graph_cost_of_call(&graph->gops, &cost->call);
	if (!ret)
		ret = ftrace_set_notrace(&graph->limits.outermost, muted, strlen(muted), 1);
	if (!ret)
		ret = graph_cost_of_call(&graph->gops, &cost->in_notrace);
	if (ret)
		return ret;

	graph->limits.max_depth = 1;
	ret = graph_cost_of_call(&graph->gops, &cost->refused);
	graph->limits.max_depth = 0;
	return ret;
}

/* Measure the overhead of calls with these options when they are recorded in the buffer. */
static int graph_measure(u32 flags, struct graph_cost *cost)
{
	struct trace_array *tr = graph_scratch_get();
	struct trace_graph *graph;
	int ret;

	if (!tr)
		return -ENOMEM;

	tr->main.buffer = ring_buffer_alloc(PAGE_SIZE, RB_FL_OVERWRITE);
	if (!tr->main.buffer)
		return -ENOMEM;

	graph = graph_of(tr);
	graph->flags = flags & ~GRAPH_KEEP;
	graph->no_thresh = flags & GRAPH_KEEP;
	graph_update_checks(tr);
	ret = graph_measure_all(graph, cost);
	/* Only this task has run callbacks. */
	ring_buffer_free(tr->main.buffer);
	return ret;
}

/*
 * The measurement is done only once, because other instances record the functions called for
 * it.
 */
static int graph_know_cost(struct trace_graph *graph)
{
	bool direct = graph->flags & GRAPH_KEEP || !READ_ONCE(trace_latency_thresh);
	u32 thresh = direct ? 0 : GRAPH_COST_THRESH;
	struct graph_cost *known, cost;
	int ret;

	known = graph_cost_known((graph->flags & GRAPH_COST_FLAGS) | thresh);
	if (!known->call) {
		ret = graph_measure(graph->flags, &cost);
		if (ret)
			return ret;
		*known = cost;
	}
	graph->cost = *known;
	return 0;
}

static int graph_start(struct trace_graph *graph)
{
	int ret = 0;

	if (!(graph->flags & GRAPH_TRACER_TIME))
		ret = graph_know_cost(graph);
	if (!ret)
		ret = graph_keep_start(&graph->keep, graph->flags);
	if (ret)
		return ret;

	graph_update_checks(graph->tr);
	ret = register_ftrace_graph(&graph->gops);
	if (ret)
		graph_keep_stop(&graph->keep);
	return ret;
}

/**
 * trace_graph_latency_start - record calls as a graph for a latency tracer
 * @tr: the instance, which has tr->should_record_call
 *
 * trace_lock held. set_graph_function, set_graph_notrace and max_graph_depth apply as for the
 * function graph tracer.
 *
 * Return: 0, -ENODEV, or an error of register_ftrace_graph()
 */
int trace_graph_latency_start(struct trace_array *tr)
{
	struct trace_graph *graph = graph_of(tr);
	int ret;

	if (!graph)
		return -ENODEV;

	graph_use_callbacks(graph, graph_latency_entry, graph_latency_return);
	ret = register_ftrace_graph(&graph->gops);
	if (ret)
		graph_use_callbacks(graph, graph_entry, graph_return);
	return ret;
}

/**
 * trace_graph_latency_stop - undo trace_graph_latency_start()
 * @tr: the instance
 */
void trace_graph_latency_stop(struct trace_array *tr)
{
	graph_user_detach(&graph_of(tr)->gops);
	graph_use_callbacks(graph_of(tr), graph_entry, graph_return);
}

/**
 * trace_graph_latency_leaf - record the place where a latency begins or ends
 * @tr: the instance
 * @func: the function, shown as a call that took no time
 *
 * Preemption is disabled.
 */
void trace_graph_latency_leaf(struct trace_array *tr, unsigned long func)
{
	const struct ftrace_graph_ent ent = { .func = func };
	struct ftrace_graph_ret ret = { .func = func };

	ret.calltime = trace_clock_this_cpu();
	if (!graph_record_entry(tr, &ent, ret.calltime))
		return;

	ret.rettime = trace_clock_this_cpu();
	ret.calltime = ret.rettime;
	graph_record_return(tr, &ret);
}

static int graph_init(struct trace_array *tr)
{
	struct trace_graph *graph = graph_of(tr);

	return graph ? graph_start(graph) : -ENODEV;
}

/*
 * trace_lock is held, so do not wait here for callbacks in progress: all data that they use is
 * valid until graph_release().
 */
static void graph_reset(struct trace_array *tr)
{
	graph_user_detach(&graph_of(tr)->gops);
	graph_keep_stop(&graph_of(tr)->keep);
}

/*
 * Options that select which trees are kept, or how overhead is subtracted, must not change
 * while a call is on a return stack: restart the tracer.
 */
static bool graph_needs_restart(const struct trace_graph *graph, u32 bit)
{
	return bit & (GRAPH_KEEP | GRAPH_TRACER_TIME) ||
	       (bit & GRAPH_COST_FLAGS && !(graph->flags & GRAPH_TRACER_TIME));
}

static int graph_restart(struct trace_graph *graph, u32 flags)
{
	u32 old = graph->flags;
	int ret;

	graph_reset(graph->tr);
	WRITE_ONCE(graph->flags, flags);
	ret = graph_start(graph);
	if (!ret)
		return 0;

	WRITE_ONCE(graph->flags, old);
	if (graph_start(graph))
		tracing_tracer_failed(graph->tr);
	return ret;
}

/**
 * trace_graph_filters_changed - apply changes of set_graph_function or set_graph_notrace
 * @tr: the instance
 *
 * A task may be inside a call that was recorded with the old filters; a kernel thread may be
 * for its whole life. Its calls must be recorded with the new filters, so all tasks start again
 * as if they were outside all calls.
 *
 * trace_lock held.
 */
void trace_graph_filters_changed(struct trace_array *tr)
{
	struct trace_graph *graph = graph_of(tr);

	graph_update_checks(tr);
	if (!(graph->gops.ops.flags & FTRACE_OPS_FL_ENABLED))
		return;

	if (tr->tracer == &graph_tracer) {
		graph_restart(graph, graph->flags);
		return;
	}

	/* The callbacks are used by a latency tracer. */
	graph_user_detach(&graph->gops);
	if (register_ftrace_graph(&graph->gops))
		pr_warn("function calls are no longer recorded\n");
}

static int graph_set_option(struct trace_array *tr, u32 bit, bool on)
{
	struct trace_graph *graph = graph_of(tr);
	u32 flags;

	if (!graph)
		return 0;

	flags = on ? graph->flags | bit : graph->flags & ~bit;
	if (graph_needs_restart(graph, bit) && tr->tracer == &graph_tracer)
		return graph_restart(graph, flags);

	WRITE_ONCE(graph->flags, flags);
	graph_update_checks(tr);
	return 0;
}

static const struct tracer_option graph_options[] = {
	{ "funcgraph-overrun", GRAPH_OVERRUN },
	{ "funcgraph-cpu", GRAPH_CPU },
	{ "funcgraph-overhead", GRAPH_OVERHEAD },
	{ "funcgraph-proc", GRAPH_PROC },
	{ "funcgraph-duration", GRAPH_DURATION },
	{ "funcgraph-abstime", GRAPH_ABSTIME },
	{ "funcgraph-irqs", GRAPH_IRQS },
	{ "funcgraph-tail", GRAPH_TAIL },
#ifdef CONFIG_FUNCTION_GRAPH_RETVAL
	{ "funcgraph-retval", GRAPH_RETVAL },
	{ "funcgraph-retval-hex", GRAPH_RETVAL_HEX },
	{ "funcgraph-keep-failed", GRAPH_KEEP_FAILED },
#endif
	{ "funcgraph-keep-slow", GRAPH_KEEP_SLOW },
	{ "funcgraph-retaddr", GRAPH_RETADDR },
#ifdef CONFIG_DYNAMIC_FTRACE_WITH_ARGS
	{ "funcgraph-args", GRAPH_ARGS },
#endif
	{ "sleep-time", GRAPH_SLEEP_TIME },
	{ "graph-time", GRAPH_GRAPH_TIME },
	{ "tracer-time", GRAPH_TRACER_TIME },
	{ }
};

static struct tracer graph_tracer = {
	.name			= "function_graph",
	.init			= graph_init,
	.reset			= graph_reset,
	.set_option		= graph_set_option,
	.open			= graph_open,
	.close			= graph_close,
	.header			= graph_print_header,
	.line			= graph_print_line,
	.selftest		= graph_selftest,
	.proves_sites		= true,
	.options		= graph_options,
	.flags			= GRAPH_CPU | GRAPH_OVERHEAD | GRAPH_DURATION |
				  GRAPH_IRQS | GRAPH_SLEEP_TIME | GRAPH_GRAPH_TIME |
				  GRAPH_TRACER_TIME,
	.allow_instances	= true,
};

static struct trace_instance_ops graph_part = {
	.create		= graph_create,
	.release	= graph_release,
	.show_stats	= graph_show_stats,
};

FTRACE_BOOT_FILTER(boot_filter, "ftrace_graph_filter=");
FTRACE_BOOT_FILTER(boot_notrace, "ftrace_graph_notrace=");

static int __init graph_boot_depth_setup(char *str)
{
	return !kstrtouint(str, 0, &top_graph.limits.max_depth);
}
__setup("ftrace_graph_max_depth=", graph_boot_depth_setup);

static int __init graph_tracer_init(void)
{
	int ret = trace_function_filters_init() ?: register_trace_instance_ops(&graph_part);

	if (ret)
		return ret;

	ftrace_filter_boot(trace_graph_filters(&trace_top), boot_filter, false);
	ftrace_filter_boot(trace_graph_filters(&trace_top), boot_notrace, true);

	return register_tracer(&graph_tracer);
}
early_initcall(graph_tracer_init);
