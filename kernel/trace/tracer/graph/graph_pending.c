// SPDX-License-Identifier: GPL-2.0
/*
 * Buffers for pending call trees: entries that are committed to or dropped from the trace only
 * when the outermost call returns. See graph_pending.h.
 *
 * Calls are traced in contexts where memory cannot be allocated, so each instance has a reserve
 * of pages, and a worker replaces the pages that trees have taken. A page is taken by setting
 * its bit, and given back by clearing it, so that both are possible in any context.
 */
#include <linux/atomic.h>
#include <linux/bitmap.h>
#include <linux/cleanup.h>
#include <linux/kernel.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/sizes.h>
#include <linux/slab.h>
#include <linux/smp.h>

#include <asm/local.h>

#include "ftrace/entry/ftrace_rcu.h"
#include "instance/core/entries.h"
#include "instance/core/instance.h"
#include "instance/record/entry.h"
#include "lib/reserve.h"
#include "ring/write.h"
#include "tracer/function/call_args.h"
#include "tracer/graph/graph_pending.h"

/*
 * Independent of PAGE_SIZE: the memory per tree is documented, and each tree takes at least one
 * page.
 */
#define TREE_PAGE	SZ_4K

/* Maximum number of pages of an instance, 32 MiB. */
#define PAGES_MOST	8192

/*
 * The worker refills the reserve to RESERVE free pages; it is queued when fewer than
 * RESERVE_LOW are left.
 */
#define RESERVE		256
#define RESERVE_LOW	192

/**
 * struct graph_pending_trees - pending trees of an instance
 * @list: entry in all_trees
 * @rcu: head for freeing after a grace period that includes all callbacks
 * @ready: number of pages; changed under trees_lock
 * @nr_taken: number of taken pages
 * @taken: bitmap of taken pages
 * @page: the pages
 */
struct graph_pending_trees {
	struct list_head	list;
	struct rcu_head		rcu;
	unsigned int		ready;
	atomic_t		nr_taken;
	DECLARE_BITMAP(taken, PAGES_MOST);
	void			*page[PAGES_MOST];
};

/**
 * struct graph_pending_tree - header of a tree, in its first page
 * @task: owner of the tree; NULL if the tree has ended
 * @nr: number of the tree, which is the number of its first page
 * @writing: the tree is being written to the buffer
 * @used: bytes in use, in all pages taken together, including this structure
 * @calls: number of calls in it
 * @missing: number of calls that did not fit
 * @page: its pages after the first one: page numbers, counted from 1, 0 if there is no page
 */
struct graph_pending_tree {
	struct task_struct	*task;
	u16			nr;
	bool			writing;
	local_t			used;
	local_t			calls;
	local_t			missing;
	u16			page[TREE_PAGES - 1];
};

static_assert(PAGES_MOST <= U16_MAX);

/**
 * struct graph_pending_tree_entry - a pending entry
 * @time: its time by the clock of the buffer; 0 if the rest of the page is empty
 * @ent: the entry as in the buffer, except for TREE_TYPE_ARGS
 */
struct graph_pending_tree_entry {
	u64			time;
	struct trace_entry	ent;
};

/* Size of an entry in the tree. */
#define TREE_SIZE(size)	ALIGN(offsetof(struct graph_pending_tree_entry, ent) + (size), 8)

/* Offset of the first entry. */
#define TREE_FIRST	ALIGN(sizeof(struct graph_pending_tree), 8)

/* Size of the return of a call. */
#define TREE_RETURN	TREE_SIZE(sizeof(struct graph_ret_entry))

/*
 * An entry does not cross the end of a page: the maximum gap there before the return of a call.
 */
#define GAP_MOST	TREE_RETURN

/* Protects the list, and the number of pages of an instance. */
static DEFINE_MUTEX(trees_lock);
static LIST_HEAD(all_trees);

/*
 * Pages
 */

static unsigned int graph_pending_pages_free(struct graph_pending_trees *trees)
{
	unsigned int taken = atomic_read(&trees->nr_taken);

	return trees->ready - min(trees->ready, taken);
}

/* trees_lock held. Return: 0 or -ENOMEM. */
static int graph_pending_fill(struct graph_pending_trees *trees)
{
	void *page;

	while (trees->ready < PAGES_MOST && graph_pending_pages_free(trees) < RESERVE) {
		page = kzalloc(TREE_PAGE, GFP_KERNEL);
		if (!page)
			return -ENOMEM;

		trees->page[trees->ready] = page;
		/*
		 * Pairs with smp_load_acquire() in graph_pending_page_take() and
		 * graph_pending_find(): the page pointer is visible before the count.
		 */
		smp_store_release(&trees->ready, trees->ready + 1);
	}
	return 0;
}

static void graph_pending_fill_all(struct work_struct *unused);
static struct reserve_worker refill = RESERVE_WORKER_INIT(refill, graph_pending_fill_all);

static void graph_pending_fill_all(struct work_struct *unused)
{
	struct graph_pending_trees *trees;

	guard(mutex)(&trees_lock);

	reserve_begin(&refill);
	list_for_each_entry(trees, &all_trees, list)
		graph_pending_fill(trees);
}

/* Return: a page number, counted from 1; 0 if all pages are taken. */
static unsigned int graph_pending_page_take(struct graph_pending_trees *trees)
{
	/* Pairs with smp_store_release() in graph_pending_fill(). */
	unsigned int ready = smp_load_acquire(&trees->ready);
	unsigned int words = BITS_TO_LONGS(ready);
	unsigned int word, nr, i;
	unsigned long taken;

	/* CPUs begin at different positions. */
	word = words ? raw_smp_processor_id() % words : 0;
	for (i = 0; i < words; i++, word = word + 1 < words ? word + 1 : 0) {
		while (~(taken = READ_ONCE(trees->taken[word]))) {
			nr = word * BITS_PER_LONG + ffz(taken);
			if (nr >= ready)
				break;
			if (test_and_set_bit(nr, trees->taken))
				continue;

			if (ready - atomic_inc_return(&trees->nr_taken) < RESERVE_LOW &&
			    ready < PAGES_MOST)
				reserve_kick(&refill);
			return nr + 1;
		}
	}
	return 0;
}

static void graph_pending_page_give(struct graph_pending_trees *trees, unsigned int nr)
{
	atomic_dec(&trees->nr_taken);
	clear_bit_unlock(nr - 1, trees->taken);
}

/*
 * Trees
 */

/* Page with byte @at of a tree, taken if necessary; NULL if no page is left. */
static void *graph_pending_page_at(struct graph_pending_trees *trees,
				   struct graph_pending_tree *tree, unsigned long at)
{
	unsigned int n = at / TREE_PAGE, nr;

	if (!n)
		return tree;
	if (n >= TREE_PAGES)
		return NULL;

	nr = READ_ONCE(tree->page[n - 1]);
	if (!nr) {
		nr = graph_pending_page_take(trees);
		if (!nr)
			return NULL;
		/* An interrupt may have added the page in between. */
		if (cmpxchg_local(&tree->page[n - 1], 0, nr)) {
			graph_pending_page_give(trees, nr);
			nr = READ_ONCE(tree->page[n - 1]);
		}
	}
	return trees->page[nr - 1];
}

/**
 * graph_pending_begin - begin a tree of the current task
 * @trees: pending trees of the instance
 *
 * Context: any, preemption disabled
 *
 * Return: its number, counted from 1; 0 if there is no memory
 */
unsigned int graph_pending_begin(struct graph_pending_trees *trees)
{
	unsigned int nr = graph_pending_page_take(trees);
	struct graph_pending_tree *tree;

	if (nr) {
		tree = trees->page[nr - 1];
		memset(tree, 0, sizeof(*tree));
		tree->nr = nr;
		local_set(&tree->used, TREE_FIRST);
		WRITE_ONCE(tree->task, current);
	}
	return nr;
}

/**
 * graph_pending_find - find a tree by its number
 * @trees: pending trees of the instance
 * @nr: the number, or 0. It may be stale: from an earlier run of the tracer, whose trees have
 *	been freed.
 * @task: the task that the tree has to belong to
 *
 * Context: any
 *
 * Return: the tree, or NULL
 */
struct graph_pending_tree *graph_pending_find(struct graph_pending_trees *trees, unsigned int nr,
					      struct task_struct *task)
{
	struct graph_pending_tree *tree;

	/*
	 * Pairs with smp_store_release() in graph_pending_fill(): the number may be from an
	 * earlier run.
	 */
	if (!nr || nr > smp_load_acquire(&trees->ready))
		return NULL;

	tree = trees->page[nr - 1];
	return READ_ONCE(tree->task) == task ? tree : NULL;
}

/* Make sure that all pages from byte @at to byte @last exist. They are taken in order. */
static bool graph_pending_has_pages(struct graph_pending_trees *trees,
				    struct graph_pending_tree *tree, unsigned long at,
				    unsigned long last)
{
	for (at = ALIGN_DOWN(at, TREE_PAGE); at <= last; at += TREE_PAGE) {
		if (!graph_pending_page_at(trees, tree, at))
			return false;
	}
	return true;
}

/* Number of bytes to keep free after an entry for the returns of the open calls. */
static unsigned int graph_pending_bytes_of_returns(unsigned int returns)
{
	unsigned int bytes = returns * TREE_RETURN;

	return bytes + (bytes / TREE_PAGE + !!bytes) * GAP_MOST;
}

/**
 * graph_pending_add - reserve space for an entry of a tree
 * @trees: pending trees of the instance
 * @tree: tree returned by graph_pending_find(), in the task that began it
 * @size: size of the entry in bytes
 * @returns: number of returns of open calls that must fit after it; 0 for a return
 * @time: time of the entry by the clock of the buffer
 *
 * Context: context of the tree, or an interrupt inside it; preemption disabled
 *
 * Return: space for the entry, which starts with its struct trace_entry; NULL if there is no
 *	space, or if the tree is being written to the buffer
 */
void *graph_pending_add(struct graph_pending_trees *trees, struct graph_pending_tree *tree,
			unsigned int size,
			unsigned int returns, u64 time)
{
	unsigned long used = local_read(&tree->used), at, last;
	struct graph_pending_tree_entry *entry, *gap;

	if (READ_ONCE(tree->writing))
		return NULL;

	size = TREE_SIZE(size);
	do {
		at = used;
		if (at % TREE_PAGE + size > TREE_PAGE)
			at = ALIGN(at, TREE_PAGE);
		last = at + size - 1 + graph_pending_bytes_of_returns(returns);
		if (!graph_pending_has_pages(trees, tree, at, last))
			return NULL;
	} while (!local_try_cmpxchg(&tree->used, (long *)&used, at + size));

	if (at != used) {
		gap = graph_pending_page_at(trees, tree, used) + used % TREE_PAGE;
		gap->time = 0;
	}
	entry = graph_pending_page_at(trees, tree, at) + at % TREE_PAGE;
	entry->time = time ?: 1;
	return &entry->ent;
}

/**
 * graph_pending_count - count an entry of graph_pending_add() as a call
 * @tree: the tree
 *
 * Context: as graph_pending_add()
 */
void graph_pending_count(struct graph_pending_tree *tree)
{
	local_inc(&tree->calls);
}

/**
 * graph_pending_is_written - is a tree being written to the buffer?
 * @tree: the tree; if so, calls of interrupts can no longer be added
 *
 * Context: as graph_pending_add()
 */
bool graph_pending_is_written(const struct graph_pending_tree *tree)
{
	return READ_ONCE(tree->writing);
}

/**
 * graph_pending_miss - count a call that is missing in a tree
 * @tree: tree returned by graph_pending_find()
 *
 * Context: as graph_pending_add()
 */
void graph_pending_miss(struct graph_pending_tree *tree)
{
	local_inc(&tree->missing);
}

/**
 * graph_pending_missing - get the number of calls missing in a tree
 * @tree: tree returned by graph_pending_find(); the number may grow until its outermost call
 *	returns
 */
unsigned long graph_pending_missing(const struct graph_pending_tree *tree)
{
	return local_read(&tree->missing);
}

/**
 * graph_pending_calls - get the number of calls in a tree
 * @tree: tree returned by graph_pending_find(); the number may grow until its outermost call
 *	returns
 */
unsigned long graph_pending_calls(const struct graph_pending_tree *tree)
{
	return local_read(&tree->calls);
}

/* Size of an entry of a tree. */
static unsigned int graph_pending_size_of(const struct trace_entry *ent)
{
	unsigned int args = ent->type & TREE_TYPE_ARGS ? sizeof(struct trace_args) : 0;

	switch (ent->type & ~TREE_TYPE_ARGS) {
	case TRACE_GRAPH_RET:
		return sizeof(struct graph_ret_entry);
	case TRACE_GRAPH_RETADDR_ENT:
		return sizeof(struct graph_retaddr_entry) + args;
	case TRACE_PRINT:
		return offsetof(struct print_entry, buf) + TREE_TEXT;
	default:
		return sizeof(struct graph_ent_entry) + args;
	}
}

/* Return: false if the buffer has no space for it. */
static bool graph_pending_write_entry(struct trace_buffer *buffer,
				      const struct graph_pending_tree_entry *entry)
{
	unsigned int size = graph_pending_size_of(&entry->ent);
	struct ring_write write;
	struct trace_entry *ent;

	ent = ring_write_begin_past(buffer, size, entry->time, &write);
	if (!ent)
		return false;

	memcpy(ent, &entry->ent, size);
	ent->type &= ~TREE_TYPE_ARGS;
	ring_write_end(&write);
	return true;
}

static bool graph_pending_is_call(const struct trace_entry *ent)
{
	return ent->type != TRACE_GRAPH_RET && ent->type != TRACE_PRINT;
}

/**
 * graph_pending_write - write the entries of a tree to the buffer
 * @trees: pending trees of the instance
 * @tree: the tree, to which no entries are added from now on
 * @tr: the instance
 *
 * Each entry keeps its time stamp. Calls that do not fit into the buffer are counted as missing
 * in the tree.
 *
 * Context: context of the tree; preemption disabled
 *
 * Return: true if all entries are in the buffer
 */
bool graph_pending_write(struct graph_pending_trees *trees, struct graph_pending_tree *tree,
			 struct trace_array *tr)
{
	unsigned long at = TREE_FIRST, end;
	const struct graph_pending_tree_entry *entry;
	bool all = true;

	WRITE_ONCE(tree->writing, true);
	barrier();
	end = local_read(&tree->used);
	while (at < end) {
		entry = graph_pending_page_at(trees, tree, at) + at % TREE_PAGE;
		if (!entry->time) {
			at = ALIGN(at, TREE_PAGE);
			continue;
		}
		if (!graph_pending_write_entry(tr->main.buffer, entry)) {
			all = false;
			if (graph_pending_is_call(&entry->ent))
				graph_pending_miss(tree);
		}
		at += TREE_SIZE(graph_pending_size_of(&entry->ent));
	}
	return all;
}

/**
 * graph_pending_end - free a tree
 * @trees: pending trees of the instance
 * @tree: tree returned by graph_pending_find(); its pages are given back to @trees
 *
 * Context: context of the tree, or after the exit of its task; preemption disabled
 */
void graph_pending_end(struct graph_pending_trees *trees, struct graph_pending_tree *tree)
{
	unsigned int i;

	WRITE_ONCE(tree->task, NULL);
	for (i = 0; i < ARRAY_SIZE(tree->page) && tree->page[i]; i++)
		graph_pending_page_give(trees, tree->page[i]);
	graph_pending_page_give(trees, tree->nr);
}

/*
 * Allocation per instance
 */

static void graph_pending_destroy(struct graph_pending_trees *trees)
{
	unsigned int i;

	for (i = 0; i < trees->ready; i++)
		kfree(trees->page[i]);
	kvfree(trees);
}

static void graph_pending_free_rcu(struct rcu_head *head)
{
	graph_pending_destroy(container_of(head, struct graph_pending_trees, rcu));
}

/**
 * graph_pending_alloc - allocate the memory for the trees of an instance
 *
 * Context: may sleep
 *
 * Return: the memory, to be freed by graph_pending_free(), or NULL
 */
struct graph_pending_trees *graph_pending_alloc(void)
{
	struct graph_pending_trees *trees = kvzalloc(sizeof(*trees), GFP_KERNEL);

	if (!trees)
		return NULL;

	guard(mutex)(&trees_lock);

	if (graph_pending_fill(trees)) {
		graph_pending_destroy(trees);
		return NULL;
	}
	list_add(&trees->list, &all_trees);
	return trees;
}

/**
 * graph_pending_free - free the memory for the trees of an instance, and all trees
 * @trees: the memory, or NULL; callbacks that began earlier may still be using it
 *
 * Context: may sleep
 */
void graph_pending_free(struct graph_pending_trees *trees)
{
	if (!trees)
		return;

	scoped_guard(mutex, &trees_lock)
		list_del(&trees->list);
	call_ftrace_rcu(&trees->rcu, graph_pending_free_rcu);
}
