// SPDX-License-Identifier: GPL-2.0
/*
 * The sets of ops in use, each with its trampoline. See opset.h.
 *
 * ftrace_lock protects all of it.
 */
#include <linux/ftrace_arch.h>
#include <linux/idr.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/sort.h>

#include "ftrace/entry/dispatch.h"
#include "ftrace/entry/ftrace_rcu.h"
#include "ftrace/entry/trampoline.h"
#include "ftrace/fgraph/fgraph.h"
#include "ftrace/ops/opset.h"
#include "lib/array.h"
#include "patch/records.h"

/* Sets by their members. */
static struct rb_root sets = RB_ROOT;

/*
 * Sets by number. Not an xarray, because its functions are traced, and a switch of all functions
 * looks up a set whenever the number differs from the number of the previous site.
 */
static struct ftrace_opset **set_of;
static unsigned int max_sets;
static DEFINE_IDA(numbers);

static struct ftrace_opset *idle_sets;
static unsigned int nr_sets;

/**
 * ftrace_opset - find the set with a number
 * @nr: the number
 *
 * Context: ftrace_lock held
 *
 * Return: the set, or NULL if the number is not the number of a set
 */
const struct ftrace_opset *ftrace_opset(unsigned int nr)
{
	lockdep_assert_held(&ftrace_lock);

	return nr < FTRACE_NR_SET ? NULL : set_of[nr - FTRACE_NR_SET];
}

/* Allocate a number for a set. Return: the number, or a negative error. */
static int opset_number_alloc(struct ftrace_opset *set)
{
	int nr = ida_alloc_range(&numbers, FTRACE_NR_SET, FTRACE_NR_MAX, GFP_KERNEL);
	struct ftrace_opset **array;

	if (nr < 0)
		return nr;

	array = ftrace_array_reserve(set_of, nr - FTRACE_NR_SET, &max_sets, sizeof(*array),
				     GFP_KERNEL | __GFP_ZERO);
	if (!array) {
		ida_free(&numbers, nr);
		return -ENOMEM;
	}

	set_of = array;
	set_of[nr - FTRACE_NR_SET] = set;
	return nr;
}

static void opset_number_free(unsigned int nr)
{
	set_of[nr - FTRACE_NR_SET] = NULL;
	ida_free(&numbers, nr);
}

/**
 * ftrace_opset_code - get the address that a site calls
 * @nr: number of a set or of one of the entries of the list function
 *
 * Context: ftrace_lock held
 *
 * Return: the address
 */
unsigned long ftrace_opset_code(unsigned int nr)
{
	const struct ftrace_opset *set = ftrace_opset(nr);

	if (set)
		return set->code;

	return nr == FTRACE_NR_LIST_REGS ? FTRACE_LIST_ENTRY_REGS : FTRACE_LIST_ENTRY;
}

static bool opset_any_flag(struct ftrace_ops **ops, unsigned int count,
			   unsigned long flag)
{
	unsigned int i;

	for (i = 0; i < count; i++)
		if (ops[i]->flags & flag)
			return true;
	return false;
}

/*
 * The number to use when there is no set: the list function, with full registers if any member
 * needs them.
 */
static unsigned int opset_list_nr(struct ftrace_ops **ops, unsigned int count)
{
	return opset_any_flag(ops, count, FTRACE_OPS_FL_SAVE_REGS | FTRACE_OPS_FL_DIRECT) ?
	       FTRACE_NR_LIST_REGS : FTRACE_NR_LIST;
}

/* The direct call of the one member that has one, or 0. */
static unsigned long opset_direct_of(struct ftrace_ops **ops, unsigned int count)
{
	unsigned int i;

	for (i = 0; i < count; i++)
		if (ops[i]->flags & FTRACE_OPS_FL_DIRECT)
			return ops[i]->direct_call;
	return 0;
}

/**
 * struct opset_members - the key of a set
 * @ops: members, in ascending order of addresses
 * @count: number of members
 * @direct: direct call of one of them, or 0
 */
struct opset_members {
	struct ftrace_ops	**ops;
	unsigned int		count;
	unsigned long		direct;
};

static int opset_compare_members(const void *key, const struct rb_node *node)
{
	const struct ftrace_opset *set = rb_entry(node, struct ftrace_opset, node);
	const struct opset_members *members = key;

	if (members->count != set->count)
		return members->count < set->count ? -1 : 1;
	if (members->direct != set->direct)
		return members->direct < set->direct ? -1 : 1;

	return memcmp(members->ops, set->ops, set->count * sizeof(*set->ops));
}

static struct ftrace_opset *opset_find(struct ftrace_ops **ops, unsigned int count)
{
	const struct opset_members members = { ops, count, opset_direct_of(ops, count) };
	struct rb_node *node = rb_find(&members, &sets, opset_compare_members);

	return node ? rb_entry(node, struct ftrace_opset, node) : NULL;
}

static int opset_compare_sets(struct rb_node *node, const struct rb_node *other)
{
	struct ftrace_opset *set = rb_entry(node, struct ftrace_opset, node);
	const struct opset_members members = { set->ops, set->count, set->direct };

	return opset_compare_members(&members, other);
}

/*
 * Function graph is called last: it replaces the return address, which other ops that also do so
 * have to find unchanged, and unwinding tries it first.
 */
static unsigned long opset_make_code(const struct ftrace_opset *set)
{
	struct ftrace_call call[FTRACE_OPSET_MAX + 1];
	unsigned int flags = 0, nr = 0, i;

	if (ftrace_opset_is_direct(set))
		return set->direct;

	for (i = 0; i < set->count; i++) {
		struct ftrace_ops *ops = set->ops[i];

		if (ops->flags & FTRACE_OPS_FL_SAVE_REGS)
			flags |= FTRACE_TRAMPOLINE_REGS;
		if (ops->flags & (FTRACE_OPS_FL_DIRECT | FTRACE_OPS_FL_GRAPH))
			continue;
		call[nr++] = (struct ftrace_call) {
			.func = ftrace_ops_entry(ops),
			.ops = ops,
		};
	}
	if (set->graph)
		call[nr++] = (struct ftrace_call) {
			.func = ftrace_graph_entry(set->graph),
			.ops = (struct ftrace_ops *)set->graph,
		};

	if (set->ipmodify)
		flags |= FTRACE_TRAMPOLINE_IPMODIFY;
	if (set->graph && nr == 1)
		flags |= FTRACE_TRAMPOLINE_BRIEF;
	return ftrace_trampoline_make(call, nr, flags, set->direct);
}

static void opset_make_idle(struct ftrace_opset *set)
{
	if (set->idle)
		return;

	set->idle = true;
	set->next = idle_sets;
	idle_sets = set;
}

static struct ftrace_opset *opset_make(struct ftrace_ops **ops, unsigned int count)
{
	struct ftrace_opset *set;
	int nr;

	set = kzalloc(struct_size(set, ops, count), GFP_KERNEL);
	if (!set)
		return NULL;

	set->count = count;
	memcpy(set->ops, ops, count * sizeof(*ops));
	set->ipmodify = opset_any_flag(ops, count, FTRACE_OPS_FL_IPMODIFY);
	set->direct = opset_direct_of(ops, count);

	nr = opset_number_alloc(set);
	if (nr < 0)
		goto free_set;

	set->nr = nr;
	if (graph_users_make(&set->graph, ops, count))
		goto free_nr;
	set->code = opset_make_code(set);
	if (!set->code)
		goto free_graph;

	rb_find_add(&set->node, &sets, opset_compare_sets);
	nr_sets++;
	opset_make_idle(set);
	return set;

free_graph:
	kfree(set->graph);
free_nr:
	opset_number_free(nr);
free_set:
	kfree(set);
	return NULL;
}

static int opset_compare_ops(const void *a, const void *b)
{
	struct ftrace_ops *x = *(struct ftrace_ops **)a;
	struct ftrace_ops *y = *(struct ftrace_ops **)b;

	return x < y ? -1 : x > y;
}

/**
 * ftrace_opset_of - find or make the set with these members
 * @ops: members, each once; this function sorts them
 * @count: number of members
 *
 * Context: ftrace_lock held; may sleep
 *
 * Return: a number, valid at least until ftrace_opset_sweep()
 */
unsigned int ftrace_opset_of(struct ftrace_ops **ops, unsigned int count)
{
	struct ftrace_opset *set;

	lockdep_assert_held(&ftrace_lock);

	if (!count)
		return FTRACE_NR_NOP;
	if (count > FTRACE_OPSET_MAX)
		return opset_list_nr(ops, count);

	sort(ops, count, sizeof(*ops), opset_compare_ops, NULL);
	set = opset_find(ops, count) ?: opset_make(ops, count);
	return set ? set->nr : opset_list_nr(ops, count);
}

/**
 * ftrace_opset_with - find or make a set with one more member
 * @nr: number of a set, or FTRACE_NR_NOP
 * @ops: ops to add, not in that set
 *
 * Context: ftrace_lock held; may sleep
 *
 * Return: as ftrace_opset_of()
 */
unsigned int ftrace_opset_with(unsigned int nr, struct ftrace_ops *ops)
{
	const struct ftrace_opset *set = ftrace_opset(nr);
	struct ftrace_ops *member[FTRACE_OPSET_MAX + 1];
	unsigned int count = set ? set->count : 0;

	if (set)
		memcpy(member, set->ops, count * sizeof(*member));
	member[count++] = ops;
	return ftrace_opset_of(member, count);
}

/**
 * ftrace_opset_without - find or make a set with one member fewer
 * @nr: number of a set
 * @ops: ops to remove; if it is not a member, the set remains the same
 *
 * Context: ftrace_lock held; may sleep
 *
 * Return: as ftrace_opset_of()
 */
unsigned int ftrace_opset_without(unsigned int nr, struct ftrace_ops *ops)
{
	const struct ftrace_opset *set = ftrace_opset(nr);
	struct ftrace_ops *member[FTRACE_OPSET_MAX];
	unsigned int i, count = 0;

	for (i = 0; set && i < set->count; i++)
		if (set->ops[i] != ops)
			member[count++] = set->ops[i];
	return ftrace_opset_of(member, count);
}

/**
 * ftrace_opset_again - find or make the set with the same members, after a direct call changed
 * @nr: number of a set, one of whose members has another direct call now
 *
 * Context: ftrace_lock held; may sleep
 *
 * Return: as ftrace_opset_of()
 */
unsigned int ftrace_opset_again(unsigned int nr)
{
	const struct ftrace_opset *set = ftrace_opset(nr);
	struct ftrace_ops *member[FTRACE_OPSET_MAX];

	memcpy(member, set->ops, set->count * sizeof(*member));
	return ftrace_opset_of(member, set->count);
}

/**
 * ftrace_opset_get - take references to a number for records
 * @nr: the number
 * @times: number of records
 *
 * Context: ftrace_lock held
 */
void ftrace_opset_get(unsigned int nr, unsigned int times)
{
	struct ftrace_opset *set = (struct ftrace_opset *)ftrace_opset(nr);

	if (set)
		set->users += times;
}

/**
 * ftrace_opset_put - drop references to a number for records
 * @nr: the number
 * @times: number of records
 *
 * Context: ftrace_lock held
 */
void ftrace_opset_put(unsigned int nr, unsigned int times)
{
	struct ftrace_opset *set = (struct ftrace_opset *)ftrace_opset(nr);

	if (!set)
		return;

	set->users -= times;
	if (!set->users)
		opset_make_idle(set);
}

static void opset_free_set(struct rcu_head *head)
{
	struct ftrace_opset *set = container_of(head, struct ftrace_opset, rcu);

	guard(mutex)(&ftrace_lock);

	ftrace_trampoline_free(set->code);
	kfree(set->graph);
	kfree(set);
}

/*
 * Only code that changes the set of traced functions reads a set; other tasks may execute its
 * trampoline.
 */
static void opset_release(struct ftrace_opset *set)
{
	if (ftrace_opset_is_direct(set))
		kfree(set);
	else
		call_ftrace_rcu(&set->rcu, opset_free_set);
}

/**
 * ftrace_opset_sweep - free the sets that no record refers to
 *
 * Context: ftrace_lock held; the caller keeps no number except in records
 */
void ftrace_opset_sweep(void)
{
	struct ftrace_opset *set = idle_sets;

	lockdep_assert_held(&ftrace_lock);

	idle_sets = NULL;
	while (set) {
		struct ftrace_opset *next = set->next;

		set->idle = false;
		if (!set->users) {
			rb_erase(&set->node, &sets);
			opset_number_free(set->nr);
			nr_sets--;
			opset_release(set);
		}
		set = next;
	}
}

/**
 * ftrace_opset_count - get the number of sets
 */
unsigned int ftrace_opset_count(void)
{
	return READ_ONCE(nr_sets);
}
