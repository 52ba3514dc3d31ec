// SPDX-License-Identifier: GPL-2.0
/*
 * Slots of function graph users, by their numbers.
 *
 * A number is reused. So each user also has an epoch, and a call records the epoch at which it
 * began.
 */
#include <linux/ftrace.h>
#include <linux/kprobes.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>

#include "ftrace/entry/ftrace_rcu.h"
#include "ftrace/fgraph/fgraph_slots.h"
#include "ftrace/fgraph/ret_stack.h"
#include "patch/records.h"

/* Replaces the retfunc of a user without one. */
static void fgraph_slots_ignore_return(struct ftrace_graph_ret *ret, struct fgraph_ops *gops)
{
}

NOKPROBE_SYMBOL(fgraph_slots_ignore_return);

/* Distance by which the epoch of a missing user is later than the epoch of any list. */
#define EPOCH_OF_NOBODY		BIT(30)

/*
 * Placeholder for a missing user. Its epoch, which graph_user_add() keeps ahead, makes it
 * registered for no call.
 */
static struct graph_slot graph_nobody = { .epoch = EPOCH_OF_NOBODY };

struct graph_slot __rcu *graph_slots[GRAPH_USERS] __read_mostly = {
	[0 ... GRAPH_USERS - 1] = RCU_INITIALIZER(&graph_nobody),
};

/* Epoch of the latest registration; ftrace_lock. */
static u32 graph_last_epoch;

/* Number that was assigned last; ftrace_lock. */
static unsigned int graph_last_idx;

/**
 * ftrace_graph_entry_stub - an entryfunc that accepts no call
 * @trace: the call
 * @gops: the user
 *
 * Return: 0
 */
int ftrace_graph_entry_stub(struct ftrace_graph_ent *trace, struct fgraph_ops *gops)
{
	return 0;
}

/**
 * graph_slot_of - get the slot of a user
 * @gops: the user
 *
 * Context: any
 *
 * Return: the slot, or NULL if the user is not registered. Then its number may belong to another
 * user.
 */
const struct graph_slot *graph_slot_of(const struct fgraph_ops *gops)
{
	const struct graph_slot *slot = graph_slot_at(READ_ONCE(gops->idx));

	return slot->gops == gops ? slot : NULL;
}

NOKPROBE_SYMBOL(graph_slot_of);

/**
 * graph_user_of - make the entry for a user in lists
 * @slot: slot of the user
 */
struct graph_user graph_user_of(const struct graph_slot *slot)
{
	struct fgraph_ops *gops = slot->gops;

	return (struct graph_user) {
		.entry	= gops->entryfunc,
		.gops	= gops,
		.epoch	= slot->epoch,
		.idx	= slot->idx,
		.bit	= BIT(slot->idx),
		.flags	= gops->ops.flags & (FTRACE_OPS_FL_PID | FTRACE_OPS_FL_RCU),
	};
}

NOKPROBE_SYMBOL(graph_user_of);

/* These ops may change the address that a function continues at. */
#define FGRAPH_SLOTS_CHANGE_IP	(FTRACE_OPS_FL_IPMODIFY | FTRACE_OPS_FL_SAVE_REGS | \
				 FTRACE_OPS_FL_SAVE_REGS_IF_SUPPORTED)

static bool fgraph_slots_are_plain(const struct graph_users *users, struct ftrace_ops **ops,
				   unsigned int count)
{
	unsigned int i;

	for (i = 0; i < count; i++)
		if (ops[i]->flags & FGRAPH_SLOTS_CHANGE_IP)
			return false;
	return users->count == 1 && !users->user[0].flags;
}

/**
 * graph_users_make - list the users of function graph among ops
 * @users: set to the list, which the caller frees with kfree(); to NULL if there are no users
 * @ops: ops of all kinds; ops that are not users of function graph are skipped
 * @count: number of @ops
 *
 * Context: ftrace_lock held; may sleep
 *
 * Return: 0 or -ENOMEM
 */
int graph_users_make(struct graph_users **users, struct ftrace_ops **ops,
		     unsigned int count)
{
	unsigned int i, nr = 0;

	lockdep_assert_held(&ftrace_lock);

	*users = NULL;
	for (i = 0; i < count; i++)
		nr += !!(ops[i]->flags & FTRACE_OPS_FL_GRAPH);
	if (!nr)
		return 0;

	*users = kzalloc(struct_size(*users, user, nr), GFP_KERNEL);
	if (!*users)
		return -ENOMEM;

	(*users)->count = nr;
	(*users)->epoch = graph_last_epoch;
	for (i = 0, nr = 0; i < count; i++)
		if (ops[i]->flags & FTRACE_OPS_FL_GRAPH)
			(*users)->user[nr++] = graph_user_of(graph_slot_of(graph_gops_of(ops[i])));
	(*users)->plain = fgraph_slots_are_plain(*users, ops, count);
	return 0;
}

/* Return: the free number that was assigned the longest time ago, or -ENOSPC. */
static int fgraph_slots_find_idx(void)
{
	unsigned int i, idx;

	for (i = 1; i <= GRAPH_USERS; i++) {
		idx = (graph_last_idx + i) % GRAPH_USERS;
		if (rcu_access_pointer(graph_slots[idx]) == &graph_nobody)
			return idx;
	}
	return -ENOSPC;
}

/**
 * graph_user_add - assign a number to a user
 * @gops: the user, whose idx is set
 *
 * Context: ftrace_lock held; may sleep
 *
 * Return: 0; -ENOSPC if there are already GRAPH_USERS users; -ENOMEM
 */
int graph_user_add(struct fgraph_ops *gops)
{
	struct graph_slot *slot;
	int idx = fgraph_slots_find_idx();

	lockdep_assert_held(&ftrace_lock);

	if (idx < 0)
		return idx;

	slot = kmalloc(sizeof(*slot), GFP_KERNEL);
	if (!slot)
		return -ENOMEM;

	slot->gops = gops;
	slot->ret = gops->retfunc ?: fgraph_slots_ignore_return;
	slot->epoch = ++graph_last_epoch;
	WRITE_ONCE(graph_nobody.epoch, graph_last_epoch + EPOCH_OF_NOBODY);
	slot->idx = idx;
	graph_last_idx = idx;
	WRITE_ONCE(gops->idx, idx);
	rcu_assign_pointer(graph_slots[idx], slot);
	return 0;
}

static void fgraph_slots_free(struct rcu_head *head)
{
	kfree(container_of(head, struct graph_slot, rcu));
}

/**
 * graph_user_remove - stop calling the return callback of a user
 * @gops: the user; its retfunc may run until ftrace_synchronize()
 *
 * Context: ftrace_lock held
 */
void graph_user_remove(struct fgraph_ops *gops)
{
	struct graph_slot *slot;

	slot = rcu_replace_pointer(graph_slots[gops->idx], &graph_nobody,
				   lockdep_is_held(&ftrace_lock));
	call_ftrace_rcu(&slot->rcu, fgraph_slots_free);
}

/**
 * graph_stack_var - get the variable that a user has on a return stack
 * @gops: the user
 * @stack: return stack of another task, which no longer runs
 *
 * Context: any, preemption disabled
 *
 * Return: the variable, or NULL if the user has none there, or is not registered
 */
unsigned long *graph_stack_var(struct fgraph_ops *gops, struct fgraph_ret_stack *stack)
{
	const struct graph_slot *slot = graph_slot_of(gops);

	if (!slot || stack->user[slot->idx].epoch != slot->epoch)
		return NULL;
	return &stack->var[slot->idx];
}

/**
 * graph_stack_depth - count the calls of a user that a task is in
 * @gops: the user
 * @stack: return stack of the task, which is about to run, or no longer runs
 *
 * Context: any, preemption disabled
 */
unsigned int graph_stack_depth(struct fgraph_ops *gops, struct fgraph_ret_stack *stack)
{
	const struct graph_slot *slot = graph_slot_of(gops);

	return slot && stack->user[slot->idx].epoch == slot->epoch ?
	       stack->user[slot->idx].depth : 0;
}
