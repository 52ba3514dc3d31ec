// SPDX-License-Identifier: GPL-2.0
/*
 * The sets of ops in use, each with its trampoline. See opset.h.
 *
 * All of it under ftrace_lock.
 */
#include <linux/hashtable.h>
#include <linux/idr.h>
#include <linux/jhash.h>
#include <linux/slab.h>
#include <linux/sort.h>

#include "hook/dispatch.h"
#include "hook/opset.h"
#include "hook/reap.h"
#include "hook/trampoline.h"
#include "patch/records.h"

static DEFINE_HASHTABLE(sets, 8);
static DEFINE_IDA(numbers);

/*
 * Sets by number, in leaves that come with their first set. Not an xarray:
 * what that calls is traced, and when all functions are switched, a set is
 * looked up for each.
 */
#define LEAF_BITS	7
#define LEAF_SIZE	BIT(LEAF_BITS)
#define LEAVES		(BIT(FTRACE_NR_BITS) / LEAF_SIZE)

static struct ftrace_opset **leaf[LEAVES];

static struct ftrace_opset *idle_sets;
static unsigned int nr_sets;

/**
 * ftrace_opset - the set of a number
 * @nr: the number
 *
 * Context: ftrace_lock held
 *
 * Return: the set, or NULL if the number stands for something else
 */
const struct ftrace_opset *ftrace_opset(unsigned int nr)
{
	lockdep_assert_held(&ftrace_lock);

	return nr < FTRACE_NR_SET ? NULL :
	       leaf[nr >> LEAF_BITS][nr & (LEAF_SIZE - 1)];
}

/* A number for a set, or a negative error. */
static int number_alloc(struct ftrace_opset *set)
{
	int nr = ida_alloc_range(&numbers, FTRACE_NR_SET, FTRACE_NR_MAX, GFP_KERNEL);
	struct ftrace_opset ***slot;

	if (nr < 0)
		return nr;

	slot = &leaf[nr >> LEAF_BITS];
	if (!*slot)
		*slot = kcalloc(LEAF_SIZE, sizeof(**slot), GFP_KERNEL);
	if (!*slot) {
		ida_free(&numbers, nr);
		return -ENOMEM;
	}

	(*slot)[nr & (LEAF_SIZE - 1)] = set;
	return nr;
}

static void number_free(unsigned int nr)
{
	leaf[nr >> LEAF_BITS][nr & (LEAF_SIZE - 1)] = NULL;
	ida_free(&numbers, nr);
}

/**
 * ftrace_opset_code - what a site calls
 * @nr: the number of a set, or of one of the ways to the list function
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

	return nr == FTRACE_NR_LIST_REGS ? (unsigned long)ftrace_regs_caller :
					   (unsigned long)ftrace_caller;
}

static bool any_flag(struct ftrace_ops **ops, unsigned int count,
		     unsigned long flag)
{
	unsigned int i;

	for (i = 0; i < count; i++)
		if (ops[i]->flags & flag)
			return true;
	return false;
}

/* The number for these members when there is no set for them. */
static unsigned int list_nr(struct ftrace_ops **ops, unsigned int count)
{
	return any_flag(ops, count, FTRACE_OPS_FL_SAVE_REGS | FTRACE_OPS_FL_DIRECT) ?
	       FTRACE_NR_LIST_REGS : FTRACE_NR_LIST;
}

/* The direct call among the members, or 0. There is no more than one. */
static unsigned long direct_of(struct ftrace_ops **ops, unsigned int count)
{
	unsigned int i;

	for (i = 0; i < count; i++)
		if (ops[i]->flags & FTRACE_OPS_FL_DIRECT)
			return ops[i]->direct_call;
	return 0;
}

static u32 members_hash(struct ftrace_ops **ops, unsigned int count)
{
	return jhash2((u32 *)ops, count * sizeof(*ops) / sizeof(u32), count);
}

static struct ftrace_opset *find(struct ftrace_ops **ops, unsigned int count)
{
	unsigned long direct = direct_of(ops, count);
	struct ftrace_opset *set;

	hash_for_each_possible(sets, set, node, members_hash(ops, count))
		if (set->count == count && set->direct == direct &&
		    !memcmp(set->ops, ops, count * sizeof(*ops)))
			return set;
	return NULL;
}

static unsigned long make_code(const struct ftrace_opset *set)
{
	struct ftrace_call call[FTRACE_OPSET_MAX];
	unsigned int flags = 0, nr = 0, i;

	if (ftrace_opset_is_direct(set))
		return set->direct;

	for (i = 0; i < set->count; i++) {
		struct ftrace_ops *ops = set->ops[i];

		if (ops->flags & FTRACE_OPS_FL_SAVE_REGS)
			flags |= FTRACE_TRAMPOLINE_REGS;
		if (ops->flags & FTRACE_OPS_FL_DIRECT)
			continue;
		call[nr++] = (struct ftrace_call) {
			.func = ftrace_ops_entry(ops),
			.ops = ops,
		};
	}

	if (set->ipmodify)
		flags |= FTRACE_TRAMPOLINE_IPMODIFY;
	return ftrace_trampoline_make(call, nr, flags, set->direct);
}

static void make_idle(struct ftrace_opset *set)
{
	if (set->idle)
		return;

	set->idle = true;
	set->next = idle_sets;
	idle_sets = set;
}

static struct ftrace_opset *make(struct ftrace_ops **ops, unsigned int count)
{
	struct ftrace_opset *set;
	int nr;

	set = kzalloc(struct_size(set, ops, count), GFP_KERNEL);
	if (!set)
		return NULL;

	set->count = count;
	memcpy(set->ops, ops, count * sizeof(*ops));
	set->ipmodify = any_flag(ops, count, FTRACE_OPS_FL_IPMODIFY);
	set->direct = direct_of(ops, count);

	nr = number_alloc(set);
	if (nr < 0)
		goto free_set;

	set->nr = nr;
	set->code = make_code(set);
	if (!set->code)
		goto free_nr;

	hash_add(sets, &set->node, members_hash(ops, count));
	nr_sets++;
	make_idle(set);
	return set;

free_nr:
	number_free(nr);
free_set:
	kfree(set);
	return NULL;
}

static int compare_ops(const void *a, const void *b)
{
	struct ftrace_ops *x = *(struct ftrace_ops **)a;
	struct ftrace_ops *y = *(struct ftrace_ops **)b;

	return x < y ? -1 : x > y;
}

/**
 * ftrace_opset_of - the set with these members
 * @ops: the members, in any order, each once; gets sorted
 * @count: their number
 *
 * Context: ftrace_lock held; may sleep
 *
 * Return: a number; it stands for a set at least until ftrace_opset_sweep()
 */
unsigned int ftrace_opset_of(struct ftrace_ops **ops, unsigned int count)
{
	struct ftrace_opset *set;

	lockdep_assert_held(&ftrace_lock);

	if (!count)
		return FTRACE_NR_NOP;
	if (count > FTRACE_OPSET_MAX)
		return list_nr(ops, count);

	sort(ops, count, sizeof(*ops), compare_ops, NULL);
	set = find(ops, count) ?: make(ops, count);
	return set ? set->nr : list_nr(ops, count);
}

/**
 * ftrace_opset_with - the set of a number, and one ops more
 * @nr: number of a set, or FTRACE_NR_NOP
 * @ops: the ops, not in that set
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
 * ftrace_opset_without - the set of a number, and one ops fewer
 * @nr: number of a set
 * @ops: the ops
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
 * ftrace_opset_again - the set with the same members, as they are now
 * @nr: number of a set, one of whose members has got another direct call
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
 * ftrace_opset_get - records refer to what this number stands for
 * @nr: the number
 * @times: how often
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
 * ftrace_opset_put - records do not refer to it any more
 * @nr: the number
 * @times: how often they did
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
		make_idle(set);
}

static void free_set(struct rcu_head *head)
{
	struct ftrace_opset *set = container_of(head, struct ftrace_opset, rcu);

	guard(mutex)(&ftrace_lock);

	ftrace_trampoline_free(set->code);
	kfree(set);
}

/* Only those that change what is traced read a set; others may execute its code. */
static void release(struct ftrace_opset *set)
{
	if (ftrace_opset_is_direct(set))
		kfree(set);
	else
		ftrace_reap(&set->rcu, free_set);
}

/**
 * ftrace_opset_sweep - let go of the sets that no record refers to
 *
 * Context: ftrace_lock held, and no number kept but in records
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
			hash_del(&set->node);
			number_free(set->nr);
			nr_sets--;
			release(set);
		}
		set = next;
	}
}

/**
 * ftrace_opset_count - how many sets there are
 */
unsigned int ftrace_opset_count(void)
{
	return READ_ONCE(nr_sets);
}
