/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Pending call trees: it is not known yet whether they are kept.
 *
 * A tree is one call and all calls inside it. Its entries are held in pages of memory, in the
 * format of the buffer, until the call returns. Then they are written to the buffer, or
 * dropped.
 *
 * Only the task that owns a tree, and interrupts of that task, add to the tree. Invariant: an
 * interrupt that adds entries between any two instructions finds, and leaves, a tree to which
 * entries can be added.
 */
#ifndef _TRACE_TRACER_GRAPH_GRAPH_PENDING_H
#define _TRACE_TRACER_GRAPH_GRAPH_PENDING_H

#include <linux/types.h>

struct task_struct;
struct trace_array;
struct graph_pending_tree;
struct graph_pending_trees;

/* Set in the type of an entry that has arguments, while the entry is pending. */
#define TREE_TYPE_ARGS	0x8000

/* Size of the text of an entry about task switches, including its NUL. */
#define TREE_TEXT	48

/* Maximum size of a tree, in pages of 4 KiB. */
#define TREE_PAGES	64

struct graph_pending_trees *graph_pending_alloc(void);
void graph_pending_free(struct graph_pending_trees *trees);

unsigned int graph_pending_begin(struct graph_pending_trees *trees);
struct graph_pending_tree *graph_pending_find(struct graph_pending_trees *trees, unsigned int nr,
					      struct task_struct *task);
void *graph_pending_add(struct graph_pending_trees *trees, struct graph_pending_tree *tree,
			unsigned int size,
			unsigned int returns, u64 time);
void graph_pending_count(struct graph_pending_tree *tree);
bool graph_pending_is_written(const struct graph_pending_tree *tree);
void graph_pending_miss(struct graph_pending_tree *tree);
unsigned long graph_pending_missing(const struct graph_pending_tree *tree);
unsigned long graph_pending_calls(const struct graph_pending_tree *tree);
bool graph_pending_write(struct graph_pending_trees *trees, struct graph_pending_tree *tree,
			 struct trace_array *tr);
void graph_pending_end(struct graph_pending_trees *trees, struct graph_pending_tree *tree);

#endif /* _TRACE_TRACER_GRAPH_GRAPH_PENDING_H */
