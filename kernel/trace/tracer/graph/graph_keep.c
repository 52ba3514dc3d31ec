// SPDX-License-Identifier: GPL-2.0
/*
 * Conditional recording of call trees by the function graph tracer, with the options
 * funcgraph-keep-slow and funcgraph-keep-failed: the entries of a tree are pending in a
 * separate memory (graph_pending.h) until its outermost call returns, and are committed to the
 * buffer if that call was slow, or failed. They keep their original time stamps. Entries
 * between them show when the task did not run.
 */
#include <linux/err.h>
#include <linux/ftrace.h>
#include <linux/kernel.h>
#include <linux/percpu.h>
#include <linux/ring_buffer.h>
#include <linux/sched.h>
#include <linux/smp.h>
#include <linux/string.h>

#include "ftrace/fgraph/fgraph.h"
#include "instance/core/instance.h"
#include "instance/snapshot/max_latency.h"
#include "tracer/graph/graph_keep.h"
#include "tracer/graph/graph_pending.h"
#include "tracer/graph/graph_record.h"

static u64 graph_keep_now(const struct graph_keep *keep)
{
	return ring_buffer_time_stamp(keep->tr->main.buffer);
}

/* Return: true if the tree has space for the entry. */
static bool graph_keep_tree_add_entry(struct graph_keep *keep, struct graph_pending_trees *trees,
				      struct graph_pending_tree *tree,
				      u32 flags, const struct ftrace_graph_ent *ent)
{
	struct trace_entry *entry;

	entry = graph_pending_add(trees, tree, graph_entry_size(flags), max(ent->depth, 1),
				  graph_keep_now(keep));
	if (!entry) {
		graph_pending_miss(tree);
		return false;
	}

	graph_pending_count(tree);
	fill_entry_more(entry, ent, flags, trace_context_now());
	if (flags & GRAPH_ARGS)
		entry->type |= TREE_TYPE_ARGS;
	return true;
}

/**
 * graph_keep_entry - add a call to its tree; the outermost call begins a tree
 * @keep: state of the instance
 * @task: the task variable
 * @flags: the options
 * @ent: the call
 *
 * The outermost call is always accepted: otherwise a nested call would be taken for an
 * outermost one.
 *
 * Return: 1 if graph_keep_return() is to be called when the call returns, otherwise 0
 */
int graph_keep_entry(struct graph_keep *keep, struct graph_task *task, u32 flags,
		     const struct ftrace_graph_ent *ent)
{
	struct graph_pending_trees *trees = READ_ONCE(keep->trees);
	unsigned int nr = READ_ONCE(task->tree);
	struct graph_pending_tree *tree;
	bool added;

	if (!trees)
		return 0;

	tree = graph_pending_find(trees, nr, current);
	if (!ent->depth) {
		/* The outermost call of the previous tree was left without returning. */
		if (unlikely(tree)) {
			this_cpu_inc(keep->counts->unfinished);
			graph_pending_end(trees, tree);
		}
		WRITE_ONCE(task->tree, 0);
		nr = graph_pending_begin(trees);
		tree = graph_pending_find(trees, nr, current);
	} else if (tree && graph_pending_is_written(tree)) {
		/* The tree had space, but its outermost call has already returned. */
		tree = NULL;
	}

	added = tree && graph_keep_tree_add_entry(keep, trees, tree, flags, ent);
	if (!tree)
		this_cpu_inc(keep->counts->missed);

	/*
	 * Interrupts add to the tree from here on. An interrupt that occurs before this call is
	 * pushed to the return stack takes the tree for an unfinished one, and ends it.
	 */
	barrier();
	if (!ent->depth)
		WRITE_ONCE(task->tree, nr);
	return added || !ent->depth;
}

#ifdef CONFIG_FUNCTION_GRAPH_RETVAL
/*
 * If the function returns an int, the upper half of the register is undefined. An error code
 * has the same lower half as an int and as a long.
 */
static bool graph_keep_has_failed(const struct ftrace_graph_ret *ret)
{
	return IS_ERR_VALUE((long)(int)ret->retval);
}
#else
static bool graph_keep_has_failed(const struct ftrace_graph_ret *ret)
{
	return false;
}
#endif

static bool graph_keep_is_kept(u32 flags, const struct ftrace_graph_ret *ret)
{
	return (flags & GRAPH_KEEP_SLOW &&
		ret->rettime - ret->calltime >= READ_ONCE(trace_latency_thresh)) ||
	       (flags & GRAPH_KEEP_FAILED && graph_keep_has_failed(ret));
}

static void graph_keep_tree_drop(struct graph_keep *keep, struct graph_pending_tree *tree)
{
	this_cpu_inc(keep->counts->dropped);
	this_cpu_add(keep->counts->dropped_calls,
		     graph_pending_calls(tree) + graph_pending_missing(tree));
}

static void graph_keep_tree_keep(struct graph_keep *keep, struct graph_pending_trees *trees,
				 struct graph_pending_tree *tree,
				 const struct ftrace_graph_ret *ret)
{
	u64 now = graph_keep_now(keep);
	bool all = graph_pending_write(trees, tree, keep->tr);

	if (graph_pending_missing(tree))
		graph_record_missing(keep->tr, ret->func, graph_pending_missing(tree),
				     all ? "the tree is too large" : "the buffer was full");
	if (!graph_record_return_at(keep->tr, ret, now) || !all || graph_pending_missing(tree))
		this_cpu_inc(keep->counts->truncated);
	this_cpu_inc(keep->counts->kept);
}

/**
 * graph_keep_return - handle the return of a call; the outermost call decides about the tree
 * @keep: state of the instance
 * @task: the task variable
 * @flags: the options
 * @ret: the call
 */
void graph_keep_return(struct graph_keep *keep, struct graph_task *task, u32 flags,
		       const struct ftrace_graph_ret *ret)
{
	struct graph_pending_trees *trees = READ_ONCE(keep->trees);
	struct graph_pending_tree *tree =
		trees ? graph_pending_find(trees, READ_ONCE(task->tree), current) : NULL;
	struct graph_ret_entry *entry;

	if (!tree)
		return;

	if (ret->depth) {
		entry = graph_pending_add(trees, tree, sizeof(*entry), 0, graph_keep_now(keep));
		if (entry)
			fill_return(entry, ret, trace_context_now());
		return;
	}

	if (graph_keep_is_kept(flags, ret) && ring_buffer_record_is_on(keep->tr->main.buffer))
		graph_keep_tree_keep(keep, trees, tree, ret);
	else
		graph_keep_tree_drop(keep, tree);
	/* Calls in interrupts from here on are not in the tree. */
	WRITE_ONCE(task->tree, 0);
	barrier();
	graph_pending_end(trees, tree);
}

/* If a task is in a tree, record in the tree that its CPU switches from or to another task. */
static void graph_keep_tree_note_switch(struct graph_keep *keep, struct task_struct *task,
					const char *what, struct task_struct *other)
{
	struct fgraph_ret_stack *stack = ret_stack_of(task);
	struct graph_task *var = stack ? (void *)graph_stack_var(keep->gops, stack) : NULL;
	struct graph_pending_trees *trees = READ_ONCE(keep->trees);
	struct graph_pending_tree *tree =
		trees && var ? graph_pending_find(trees, READ_ONCE(var->tree), task) : NULL;
	struct print_entry *entry;

	/*
	 * Reserve space as for a nested call: the return of the outermost call is not in the
	 * tree.
	 */
	if (!tree || graph_pending_is_written(tree))
		return;
	entry = graph_pending_add(trees, tree, offsetof(struct print_entry, buf) + TREE_TEXT,
				  max(graph_stack_depth(keep->gops, stack),
				      1), graph_keep_now(keep));
	if (!entry)
		return;

	trace_entry_fill(&entry->ent, TRACE_PRINT, trace_context_now());
	entry->ent.pid = task->pid;
	entry->ip = (unsigned long)schedule;
	snprintf(entry->buf, TREE_TEXT, "CPU %d: %s %s-%d\n", smp_processor_id(), what,
		 other->comm, other->pid);
}

static void graph_keep_tree_switched(struct ret_stack_watch *watch, struct task_struct *prev,
				     struct task_struct *next)
{
	struct graph_keep *keep = container_of(watch, struct graph_keep, watch);

	if (READ_ONCE(prev->curr_ret_stack))
		graph_keep_tree_note_switch(keep, prev, "switched to", next);
	if (READ_ONCE(next->curr_ret_stack))
		graph_keep_tree_note_switch(keep, next, "switched from", prev);
}

/* A task has exited, perhaps inside a tree. */
static void graph_keep_tree_lost(struct ret_stack_watch *watch, struct task_struct *task,
				 struct fgraph_ret_stack *stack)
{
	struct graph_keep *keep = container_of(watch, struct graph_keep, watch);
	struct graph_task *var = (void *)graph_stack_var(keep->gops, stack);
	struct graph_pending_trees *trees = READ_ONCE(keep->trees);
	struct graph_pending_tree *tree =
		trees && var ? graph_pending_find(trees, var->tree, task) : NULL;

	if (!tree)
		return;

	var->tree = 0;
	this_cpu_inc(keep->counts->unfinished);
	graph_pending_end(trees, tree);
}

/**
 * graph_keep_counts - get the statistics of call trees since the tracer was started
 * @keep: state of the instance
 */
struct graph_counts graph_keep_counts(const struct graph_keep *keep)
{
	struct graph_counts sum = {};
	unsigned int cpu;

	for_each_possible_cpu(cpu) {
		const struct graph_counts *counts = per_cpu_ptr(keep->counts, cpu);

		sum.kept += READ_ONCE(counts->kept);
		sum.truncated += READ_ONCE(counts->truncated);
		sum.dropped += READ_ONCE(counts->dropped);
		sum.dropped_calls += READ_ONCE(counts->dropped_calls);
		sum.unfinished += READ_ONCE(counts->unfinished);
		sum.missed += READ_ONCE(counts->missed);
		sum.lost_calls += READ_ONCE(counts->lost_calls);
	}
	return sum;
}

/**
 * graph_keep_lost - get the number of calls lost on a CPU since the tracer was started
 * @keep: state of the instance
 * @cpu: the CPU
 */
unsigned long graph_keep_lost(const struct graph_keep *keep, unsigned int cpu)
{
	return READ_ONCE(per_cpu_ptr(keep->counts, cpu)->lost_calls);
}

/**
 * graph_keep_stop - drop the pending trees
 * @keep: state of the instance. A callback in progress may still use the trees, which are freed
 *	after a grace period, or finds no trees.
 */
void graph_keep_stop(struct graph_keep *keep)
{
	struct graph_pending_trees *trees = keep->trees;

	if (!trees)
		return;

	ret_stack_watch_del(&keep->watch);
	WRITE_ONCE(keep->trees, NULL);
	graph_pending_free(trees);
}

/**
 * graph_keep_start - reset the counts, and prepare for trees
 * @keep: state of the instance
 * @flags: the options
 *
 * Return: 0 or -ENOMEM
 */
int graph_keep_start(struct graph_keep *keep, u32 flags)
{
	struct graph_pending_trees *trees;
	unsigned int cpu;

	for_each_possible_cpu(cpu)
		memset(per_cpu_ptr(keep->counts, cpu), 0, sizeof(*keep->counts));
	if (!(flags & GRAPH_KEEP))
		return 0;

	trees = graph_pending_alloc();
	if (!trees)
		return -ENOMEM;

	/* A callback may still be in progress, and depends on the address. */
	smp_store_release(&keep->trees, trees);
	keep->watch.switched = graph_keep_tree_switched;
	keep->watch.lost = graph_keep_tree_lost;
	ret_stack_watch_add(&keep->watch);
	return 0;
}
