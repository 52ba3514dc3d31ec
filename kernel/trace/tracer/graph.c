// SPDX-License-Identifier: GPL-2.0
/*
 * The function graph tracer: an entry when a traced function is called, and one when
 * it returns, with the time that it took.
 *
 * With an option to keep some call trees alone, the entries of a tree wait in memory
 * of their own (trees.h) until its outermost call has returned, and go into the buffer
 * if that was slow, or failed.
 */
#include <linux/cleanup.h>
#include <linux/err.h>
#include <linux/ftrace.h>
#include <linux/init.h>
#include <linux/kernel.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/printk.h>
#include <linux/slab.h>

#include <trace/events/sched.h>

#include "filter/filter.h"
#include "filter/pids.h"
#include "hook/graph.h"
#include "hook/ops.h"
#include "hook/shadow.h"
#include "instance/entries.h"
#include "instance/instance.h"
#include "instance/latency.h"
#include "instance/life.h"
#include "instance/tracer.h"
#include "instance/write.h"
#include "lib/hash.h"
#include "ring/write.h"
#include "tracer/graph.h"
#include "tracer/selftest.h"
#include "tracer/trees.h"

/**
 * struct trace_graph - what an instance has for the tracer
 * @gops: registered while the tracer is the current one. Its ops has the filters of
 *	  set_ftrace_filter and set_ftrace_notrace.
 * @tr: the instance
 * @outermost: never registered; its filters are those of set_graph_function, and in
 *	  place of functions to leave out, set_graph_notrace
 * @max_depth: max_graph_depth, 0 for no limit
 * @flags: the options
 * @checks: any of these restrict what is recorded: callbacks look no further if not.
 *	  trace_lock to change.
 * @trees: call trees that may be kept; NULL without such an option. trace_lock to
 *	  change; freed behind a grace period that includes all callbacks.
 * @counts: what became of these
 */
struct trace_graph {
	struct fgraph_ops	gops;
	struct trace_array	*tr;
	struct ftrace_ops	outermost;
	unsigned int		max_depth;
	u32			flags;
	bool			checks;
	struct trees		*trees;
	struct graph_counts __percpu *counts;
};

/**
 * struct graph_task - the task variable
 * @muted: the depth, counted from 1, of a call of a function of set_graph_notrace,
 *	   which is accepted only so as to know when it returns; 0 outside. A function
 *	   that was left without returning leaves it behind, so it counts only for
 *	   deeper calls.
 * @tree: number of the tree that the task is in, 0 for none
 */
struct graph_task {
	u16	muted;
	u16	tree;
};

static_assert(sizeof(struct graph_task) <= sizeof(unsigned long));

#define GRAPH_RECORD_FLAGS	(GRAPH_IRQS | GRAPH_SLEEP_TIME)

static __always_inline void fill_entry(struct graph_ent_entry *entry,
				       const struct ftrace_graph_ent *ent,
				       unsigned int context)
{
	trace_entry_fill(&entry->ent, TRACE_GRAPH_ENT, context);
	entry->graph_ent = *ent;
}

static void fill_entry_retaddr(struct graph_retaddr_entry *entry,
			       const struct ftrace_graph_ent *ent, unsigned int context)
{
	trace_entry_fill(&entry->ent, TRACE_GRAPH_RETADDR_ENT, context);
	entry->graph_ent = *ent;
	entry->retaddr = graph_entry_caller();
}

static __always_inline void fill_return(struct graph_ret_entry *entry,
					const struct ftrace_graph_ret *ret,
					unsigned int context)
{
	trace_entry_fill(&entry->ent, TRACE_GRAPH_RET, context);
	entry->ret = *ret;
}

/* The ring refuses a writer that is inside already in the same context. */
static noinline int record_entry(struct trace_array *tr,
				 const struct ftrace_graph_ent *ent)
{
	unsigned int context = trace_context_now();
	struct graph_ent_entry *entry;
	struct ring_write write;

	entry = ring_write_begin(tr->main.buffer, sizeof(*entry), &write);
	/* What is not shown to begin is not shown to end. */
	if (unlikely(!entry))
		return 0;

	fill_entry(entry, ent, context);
	trace_cmdline_want();
	ring_write_end(&write);
	return 1;
}

/* The same with option funcgraph-retaddr. */
static noinline int record_entry_retaddr(struct trace_array *tr,
					 const struct ftrace_graph_ent *ent)
{
	unsigned int context = trace_context_now();
	struct graph_retaddr_entry *entry;
	struct ring_write write;

	entry = ring_write_begin(tr->main.buffer, sizeof(*entry), &write);
	if (unlikely(!entry))
		return 0;

	fill_entry_retaddr(entry, ent, context);
	trace_cmdline_want();
	ring_write_end(&write);
	return 1;
}

static noinline void record_return(struct trace_array *tr,
				   const struct ftrace_graph_ret *ret)
{
	unsigned int context = trace_context_now();
	struct graph_ret_entry *entry;
	struct ring_write write;

	entry = ring_write_begin(tr->main.buffer, sizeof(*entry), &write);
	if (unlikely(!entry))
		return;

	fill_return(entry, ret, context);
	trace_cmdline_want();
	ring_write_end(&write);
}

static __always_inline bool has_limits(const struct trace_graph *graph)
{
	return READ_ONCE(graph->checks) || READ_ONCE(trace_latency_thresh);
}

static bool is_in(struct ftrace_hash __rcu *set, unsigned long ip)
{
	/* Freed behind a grace period that includes all callbacks. */
	struct ftrace_hash *hash = rcu_dereference_raw(set);

	return hash && ftrace_hash_has(hash, ip);
}

static struct graph_task *task_var(struct trace_graph *graph)
{
	return (struct graph_task *)fgraph_get_task_var(&graph->gops);
}

static bool is_muted(struct graph_task *task, const struct ftrace_graph_ent *ent)
{
	if (task->muted && ent->depth < task->muted)
		task->muted = 0;

	return task->muted;
}

/* Return: whether set_graph_notrace begins with this call. */
static bool mute(struct trace_graph *graph, struct graph_task *task,
		 const struct ftrace_graph_ent *ent)
{
	if (!is_in(graph->outermost.func_hash->notrace_hash, ent->func))
		return false;

	task->muted = ent->depth + 1;
	return true;
}

/* Only accepted calls count for the depth: outside of set_graph_function it is 0. */
static bool is_outside(const struct trace_graph *graph,
		       const struct ftrace_graph_ent *ent)
{
	struct ftrace_ops_hash *hash = graph->outermost.func_hash;

	return !ent->depth && rcu_access_pointer(hash->filter_hash) &&
	       !is_in(hash->filter_hash, ent->func);
}

/*
 * Call trees that may be kept
 */

/* Return: whether there is room in the tree. */
static bool tree_add_entry(struct trees *trees, struct tree *tree, u32 flags,
			   const struct ftrace_graph_ent *ent)
{
	unsigned int spare = max(ent->depth, 1) * sizeof(struct graph_ret_entry);
	bool retaddr = flags & GRAPH_RETADDR;
	void *entry;

	entry = tree_add(trees, tree, retaddr ? sizeof(struct graph_retaddr_entry) :
						sizeof(struct graph_ent_entry), spare);
	if (!entry)
		tree_miss(tree);
	else if (retaddr)
		fill_entry_retaddr(entry, ent, trace_context_now());
	else
		fill_entry(entry, ent, trace_context_now());
	return entry;
}

/*
 * The outermost call is accepted in any case: a call inside must not be taken for an
 * outermost one.
 */
static int tree_entry(struct trace_graph *graph, struct graph_task *task, u32 flags,
		      const struct ftrace_graph_ent *ent)
{
	struct trees *trees = READ_ONCE(graph->trees);
	unsigned int nr = task->tree;
	struct tree *tree;
	bool added;

	if (!trees)
		return 0;

	tree = tree_find(trees, nr, current);
	if (!ent->depth) {
		/* It was left without returning. */
		if (unlikely(tree)) {
			this_cpu_inc(graph->counts->unfinished);
			tree_end(trees, tree);
		}
		WRITE_ONCE(task->tree, 0);
		nr = tree_begin(trees);
		tree = tree_find(trees, nr, current);
	}

	added = tree && tree_add_entry(trees, tree, flags, ent);
	if (!tree)
		this_cpu_inc(graph->counts->missed);

	/*
	 * Interrupts add to the tree from here on. One that comes before the call counts
	 * as accepted takes the tree for one that was left, and ends it.
	 */
	barrier();
	if (!ent->depth)
		WRITE_ONCE(task->tree, nr);
	return added || !ent->depth;
}

#ifdef CONFIG_FUNCTION_GRAPH_RETVAL
/*
 * Of a function that returns an int, the upper half of the register may be anything. An
 * error code has the same lower half as an int and as a long.
 */
static bool has_failed(const struct ftrace_graph_ret *ret)
{
	return IS_ERR_VALUE((long)(int)ret->retval);
}
#else
static bool has_failed(const struct ftrace_graph_ret *ret)
{
	return false;
}
#endif

static bool is_kept(u32 flags, const struct ftrace_graph_ret *ret)
{
	return (flags & GRAPH_KEEP_SLOW &&
		ret->rettime - ret->calltime >= READ_ONCE(trace_latency_thresh)) ||
	       (flags & GRAPH_KEEP_FAILED && has_failed(ret));
}

/* Before the end of a tree: that calls are missing in it. */
static void record_missing(struct trace_array *tr, unsigned long ip, unsigned long calls)
{
	struct {
		struct trace_entry	ent;
		unsigned long		ip;
		char			buf[64];
	} *entry;
	unsigned int context = trace_context_now();
	struct ring_write write;

	static_assert(offsetof(typeof(*entry), buf) == offsetof(struct print_entry, buf));

	entry = ring_write_begin(tr->main.buffer, sizeof(*entry), &write);
	if (!entry)
		return;

	trace_entry_fill(&entry->ent, TRACE_PRINT, context);
	entry->ip = ip;
	snprintf(entry->buf, sizeof(entry->buf),
		 "%lu calls are missing: the tree is too large\n", calls);
	ring_write_end(&write);
}

static void tree_keep(struct trace_graph *graph, struct trees *trees,
		      struct tree *tree, const struct ftrace_graph_ret *ret)
{
	tree_write(trees, tree, graph->tr);
	if (tree_missing(tree)) {
		record_missing(graph->tr, ret->func, tree_missing(tree));
		this_cpu_inc(graph->counts->truncated);
	}
	record_return(graph->tr, ret);
	this_cpu_inc(graph->counts->kept);
}

static void tree_drop(struct trace_graph *graph, struct tree *tree)
{
	this_cpu_inc(graph->counts->dropped);
	this_cpu_add(graph->counts->dropped_calls,
		     tree_calls(tree) + tree_missing(tree));
}

static void tree_return(struct trace_graph *graph, struct graph_task *task, u32 flags,
			const struct ftrace_graph_ret *ret)
{
	struct trees *trees = READ_ONCE(graph->trees);
	struct tree *tree = trees ? tree_find(trees, task->tree, current) : NULL;
	struct graph_ret_entry *entry;

	if (!tree)
		return;

	if (ret->depth) {
		entry = tree_add(trees, tree, sizeof(*entry), 0);
		if (entry)
			fill_return(entry, ret, trace_context_now());
		return;
	}

	if (is_kept(flags, ret))
		tree_keep(graph, trees, tree, ret);
	else
		tree_drop(graph, tree);
	/* What comes in an interrupt from here on is not in the tree. */
	WRITE_ONCE(task->tree, 0);
	barrier();
	tree_end(trees, tree);
}

/* A task is freed: nobody returns from the tree that it was in. */
static void tree_task_freed(void *data, struct task_struct *task)
{
	struct trace_graph *graph = data;
	struct graph_task *var = (void *)graph_task_var_of(&graph->gops, task);
	struct trees *trees = READ_ONCE(graph->trees);
	struct tree *tree = trees && var ? tree_find(trees, var->tree, task) : NULL;

	if (!tree)
		return;

	this_cpu_inc(graph->counts->unfinished);
	tree_end(trees, tree);
}

/*
 * Entry and return
 */

static noinline int graph_entry_checked(struct trace_graph *graph,
					struct ftrace_graph_ent *ent)
{
	unsigned int max = READ_ONCE(graph->max_depth);
	struct graph_task *task = task_var(graph);
	u32 flags = READ_ONCE(graph->flags);
	u64 *slept;

	if (is_muted(task, ent) || (max && ent->depth >= max) ||
	    (!(flags & GRAPH_IRQS) && in_hardirq()) || is_outside(graph, ent))
		return 0;

	if (mute(graph, task, ent))
		return 1;

	if (!(flags & GRAPH_SLEEP_TIME)) {
		slept = fgraph_reserve_data(graph->gops.idx, sizeof(*slept));
		if (slept)
			*slept = shadow_stack_slept();
	}

	if (flags & GRAPH_KEEP)
		return tree_entry(graph, task, flags, ent);
	/* Only the return tells whether it took long enough. */
	if (READ_ONCE(trace_latency_thresh))
		return 1;

	return flags & GRAPH_RETADDR ? record_entry_retaddr(graph->tr, ent) :
				       record_entry(graph->tr, ent);
}

static int graph_entry(struct ftrace_graph_ent *ent, struct fgraph_ops *gops)
{
	struct trace_graph *graph = container_of(gops, struct trace_graph, gops);
	struct trace_array *tr = graph->tr;

	if (ftrace_pids_skip(tr->pids))
		return 0;

	if (unlikely(has_limits(graph)))
		return graph_entry_checked(graph, ent);

	return record_entry(tr, ent);
}

static noinline void graph_return_checked(struct trace_graph *graph,
					  const struct ftrace_graph_ret *call)
{
	struct graph_task *task = task_var(graph);
	u32 flags = READ_ONCE(graph->flags);
	struct ftrace_graph_ret ret = *call;
	u64 *slept;

	if (task->muted == ret.depth + 1) {
		task->muted = 0;
		return;
	}

	slept = fgraph_retrieve_data(graph->gops.idx, NULL);
	if (slept)
		ret.calltime += shadow_stack_slept() - *slept;
	if (flags & GRAPH_KEEP)
		tree_return(graph, task, flags, &ret);
	else if (ret.rettime - ret.calltime >= READ_ONCE(trace_latency_thresh))
		record_return(graph->tr, &ret);
}

static void graph_return(struct ftrace_graph_ret *ret, struct fgraph_ops *gops)
{
	struct trace_graph *graph = container_of(gops, struct trace_graph, gops);

	if (unlikely(has_limits(graph)))
		graph_return_checked(graph, ret);
	else
		record_return(graph->tr, ret);
}

static DEFINE_PER_CPU(struct graph_counts, top_counts);

static struct trace_graph top_graph = {
	.counts	= &top_counts,
};

/**
 * trace_graph_update - the limits of what an instance records may have changed
 * @tr: the instance
 *
 * trace_lock held.
 */
void trace_graph_update(struct trace_array *tr)
{
	struct trace_graph *graph = tr->graph;
	struct ftrace_ops_hash *hash = graph->outermost.func_hash;

	lockdep_assert_held(&trace_lock);

	WRITE_ONCE(graph->checks,
		   graph->max_depth || ~graph->flags & GRAPH_RECORD_FLAGS ||
		   graph->flags & (GRAPH_KEEP | GRAPH_RETADDR) ||
		   rcu_access_pointer(hash->filter_hash) ||
		   rcu_access_pointer(hash->notrace_hash));
}

/**
 * trace_graph_filters - the filters of set_graph_function and set_graph_notrace
 * @tr: the instance
 *
 * Whoever changes them calls trace_graph_update() afterwards.
 */
struct ftrace_ops_hash *trace_graph_filters(struct trace_array *tr)
{
	return tr->graph->outermost.func_hash;
}

/**
 * trace_graph_flags - the options of the tracer that are set
 * @tr: the instance
 *
 * Any context.
 */
u32 trace_graph_flags(struct trace_array *tr)
{
	return READ_ONCE(tr->graph->flags);
}

/**
 * trace_graph_max_depth - how deep calls are recorded (max_graph_depth)
 * @tr: the instance
 *
 * Return: the limit, 0 for none.
 */
unsigned int trace_graph_max_depth(struct trace_array *tr)
{
	return READ_ONCE(tr->graph->max_depth);
}

/**
 * trace_graph_set_max_depth - record calls only up to a depth
 * @tr: the instance
 * @depth: the limit, 0 for none
 *
 * Takes trace_lock.
 */
void trace_graph_set_max_depth(struct trace_array *tr, unsigned int depth)
{
	guard(mutex)(&trace_lock);

	WRITE_ONCE(tr->graph->max_depth, depth);
	trace_graph_update(tr);
}

/**
 * trace_graph_user - the callbacks that record into an instance, for its self test
 * @tr: the instance
 */
struct fgraph_ops *trace_graph_user(struct trace_array *tr)
{
	return &tr->graph->gops;
}

/**
 * trace_graph_counts - what became of call trees since the tracer was started
 * @tr: the instance
 */
struct graph_counts trace_graph_counts(struct trace_array *tr)
{
	struct graph_counts sum = {};
	unsigned int cpu;

	for_each_possible_cpu(cpu) {
		const struct graph_counts *counts = per_cpu_ptr(tr->graph->counts, cpu);

		sum.kept += READ_ONCE(counts->kept);
		sum.truncated += READ_ONCE(counts->truncated);
		sum.dropped += READ_ONCE(counts->dropped);
		sum.dropped_calls += READ_ONCE(counts->dropped_calls);
		sum.unfinished += READ_ONCE(counts->unfinished);
		sum.missed += READ_ONCE(counts->missed);
	}
	return sum;
}

static void trees_stop(struct trace_graph *graph)
{
	struct trees *trees = graph->trees;

	if (!trees)
		return;

	unregister_trace_sched_process_free(tree_task_freed, graph);
	WRITE_ONCE(graph->trees, NULL);
	trees_free(trees);
}

static int trees_start(struct trace_graph *graph)
{
	unsigned int cpu;
	int ret;

	for_each_possible_cpu(cpu)
		memset(per_cpu_ptr(graph->counts, cpu), 0, sizeof(*graph->counts));
	if (!(graph->flags & GRAPH_KEEP))
		return 0;

	WRITE_ONCE(graph->trees, trees_alloc());
	if (!graph->trees)
		return -ENOMEM;

	ret = register_trace_sched_process_free(tree_task_freed, graph);
	if (ret) {
		trees_free(graph->trees);
		WRITE_ONCE(graph->trees, NULL);
	}
	return ret;
}

static int graph_start(struct trace_graph *graph)
{
	int ret = trees_start(graph);

	if (ret)
		return ret;

	trace_graph_update(graph->tr);
	ret = register_ftrace_graph(&graph->gops);
	if (ret)
		trees_stop(graph);
	return ret;
}

static int graph_init(struct trace_array *tr)
{
	return tr->graph ? graph_start(tr->graph) : -ENODEV;
}

static void graph_reset(struct trace_array *tr)
{
	unregister_ftrace_graph(&tr->graph->gops);
	trees_stop(tr->graph);
}

/* A tree is kept or dropped by the options that it began with: they begin anew. */
static int restart(struct trace_graph *graph, u32 flags)
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
		pr_warn("tracing: function_graph did not start again\n");
	return ret;
}

static int graph_set_option(struct trace_array *tr, u32 bit, bool on)
{
	struct trace_graph *graph = tr->graph;
	u32 flags;

	if (!graph)
		return 0;

	flags = on ? graph->flags | bit : graph->flags & ~bit;
	if (bit & GRAPH_KEEP && tr->tracer == &trace_graph_tracer)
		return restart(graph, flags);

	WRITE_ONCE(graph->flags, flags);
	trace_graph_update(tr);
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
	{ "sleep-time", GRAPH_SLEEP_TIME },
	{ "graph-time", GRAPH_GRAPH_TIME },
	{ }
};

struct tracer trace_graph_tracer = {
	.name			= "function_graph",
	.init			= graph_init,
	.reset			= graph_reset,
	.set_option		= graph_set_option,
	.selftest		= graph_selftest,
	.options		= graph_options,
	.flags			= GRAPH_CPU | GRAPH_OVERHEAD | GRAPH_DURATION |
				  GRAPH_IRQS | GRAPH_SLEEP_TIME | GRAPH_GRAPH_TIME,
	.allow_instances	= true,
};

static void graph_release(struct trace_array *tr)
{
	struct trace_graph *graph = tr->graph;

	ftrace_free_filter(&graph->outermost);
	tr->graph = NULL;
	if (graph == &top_graph)
		return;

	free_percpu(graph->counts);
	kfree(graph);
}

static int graph_create(struct trace_array *tr)
{
	struct trace_graph *graph = &top_graph;

	if (tr != &trace_top) {
		graph = kzalloc(sizeof(*graph), GFP_KERNEL);
		if (!graph)
			return -ENOMEM;

		graph->counts = alloc_percpu(struct graph_counts);
		if (!graph->counts) {
			kfree(graph);
			return -ENOMEM;
		}
	}

	graph->tr = tr;
	graph->flags = trace_graph_tracer.flags;
	graph->gops.entryfunc = graph_entry;
	graph->gops.retfunc = graph_return;
	ftrace_ops_init(&graph->gops.ops);
	graph->gops.ops.func_hash = tr->ops->func_hash;
	ftrace_ops_init(&graph->outermost);
	tr->graph = graph;

	return 0;
}

/* Its filters are those of the part with the function tracer, which comes first. */
static struct trace_part graph_part = {
	.create		= graph_create,
	.release	= graph_release,
};

FTRACE_BOOT_FILTER(boot_filter, "ftrace_graph_filter=");
FTRACE_BOOT_FILTER(boot_notrace, "ftrace_graph_notrace=");

static int __init boot_depth_setup(char *str)
{
	return !kstrtouint(str, 0, &top_graph.max_depth);
}
__setup("ftrace_graph_max_depth=", boot_depth_setup);

static int __init graph_part_init(void)
{
	int ret;

	if (!trace_top.main.buffer)
		return -ENODEV;

	ret = trace_part_register(&graph_part);
	if (ret)
		return ret;

	ftrace_filter_boot(trace_graph_filters(&trace_top), boot_filter, false);
	ftrace_filter_boot(trace_graph_filters(&trace_top), boot_notrace, true);

	return 0;
}
early_initcall(graph_part_init);
