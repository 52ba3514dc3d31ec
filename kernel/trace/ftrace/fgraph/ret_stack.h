/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Return stacks: where the functions of a task really return to.
 *
 * While function graph has users, each task has one: those that there are get it when the
 * first user registers, others when they are forked. A call is pushed where nothing can be
 * allocated, so that a task which could enter a traced function must have it before. When
 * the last user has gone, each task loses its stack, or does so when it has returned from
 * the calls on it. Then tasks have none, and function graph costs no memory.
 *
 * Only the task itself, and what interrupts it, pushes and pops. An interrupt pops
 * all that it has pushed before the interrupted code goes on. So there are no atomic
 * accesses, only an order: what is above task_struct.curr_ret_stack may be overwritten
 * at any moment, what is below it not. A record whose key is 0 is free or not complete
 * yet, and all records above curr_ret_stack have a key of 0.
 */
#ifndef _TRACE_FTRACE_FGRAPH_RET_STACK_H
#define _TRACE_FTRACE_FGRAPH_RET_STACK_H

#include <linux/list.h>
#include <linux/sched.h>
#include <linux/types.h>

/* How many users of function graph there can be at once. */
#define GRAPH_USERS	16

/**
 * struct ret_stack_call - a call whose return is caught
 * @ret: where it returns to
 * @func: its call site
 * @key: arch_ftrace_return_key(), 0 in a record that is not complete
 * @calltime: when it was called, by trace_clock_local()
 * @asked_regs: registers of the function, while the users are asked
 * @epoch: the epoch of the list of users that @users comes from
 * @users: a bit for each user that is to be told of the return
 * @data: fgraph_ret_stack.data before the call
 */
struct ret_stack_call {
	unsigned long	ret;
	unsigned long	func;
	unsigned long	key;
	union {
		u64			calltime;
		struct ftrace_regs	*asked_regs;
	};
	u32		epoch;
	u16		users;
	u16		data;
};

/**
 * struct ret_stack_user - what a task has for a user
 * @epoch: the user that it belongs to; that of another one is left over
 * @depth: the calls that the user has accepted and that have not returned
 */
struct ret_stack_user {
	u32	epoch;
	u32	depth;
};

#define RET_STACK_SIZE		4096
#define RET_STACK_WORDS		(RET_STACK_SIZE / sizeof(unsigned long))

/**
 * struct fgraph_ret_stack - the return stack of a task
 * @link: in the list of all that tasks have; afterwards of those that are to be freed
 * @task: the task
 * @slept: for how long the task did not run since it has the stack, in nanoseconds
 * @data: index of the lowest word in use by data of users
 * @user: by user
 * @var: by user: fgraph_get_task_var()
 * @call: the calls, the outermost first; task_struct.curr_ret_stack is their number.
 *	Data of users grows down from the end of the same memory.
 */
struct fgraph_ret_stack {
	struct list_head		link;
	struct task_struct		*task;
	u64				slept;
	u32				data;
	struct ret_stack_user		user[GRAPH_USERS];
	unsigned long			var[GRAPH_USERS];
	struct ret_stack_call		call[];
};

static_assert(sizeof(struct ret_stack_call) % sizeof(unsigned long) == 0);

static __always_inline unsigned long *ret_stack_words(struct fgraph_ret_stack *stack)
{
	return (unsigned long *)stack;
}

/* The word where the @nr-th call begins, counted from 0. */
static __always_inline long ret_stack_call_word(long nr)
{
	return (long)(offsetof(struct fgraph_ret_stack, call) / sizeof(long)) +
	       (long)(sizeof(struct ret_stack_call) / sizeof(long)) * nr;
}

/* The profiler includes this header without function graph, too. */
#ifdef CONFIG_FUNCTION_GRAPH_TRACER
static __always_inline struct fgraph_ret_stack *ret_stack_of(struct task_struct *task)
{
	return (struct fgraph_ret_stack *)READ_ONCE(task->ret_stack);
}
#endif

/**
 * struct ret_stack_watch - callbacks about the lives of tasks, while function graph has users
 * @link: in the list of all
 * @switched: called when a CPU goes from one task to another, @prev or @next being in a call
 * @lost: called for each task that ends, or is the idle task of a CPU that goes, while the
 *	variables of users are still there. Calls that are left on the stack will never return.
 *
 * Context of @switched: interrupts disabled, the lock of the run queue held. @prev is current, and
 * @next runs nowhere.
 *
 * Context of @lost: any but NMI, preemption disabled; nobody pushes to the stack meanwhile. It
 * may be called twice for a stack if it is deleted and added at that moment.
 */
struct ret_stack_watch {
	struct hlist_node	link;
	void			(*switched)(struct ret_stack_watch *watch, struct task_struct *prev,
					    struct task_struct *next);
	void			(*lost)(struct ret_stack_watch *watch, struct task_struct *task,
					struct fgraph_ret_stack *stack);
};

void ret_stack_watch_add(struct ret_stack_watch *watch);
void ret_stack_watch_del(struct ret_stack_watch *watch);

/* Tasks have return stacks: there is a user of function graph. ret_stack_lock to change. */
extern bool ret_stack_in_use;

void ret_stack_call_worker(void);
u64 ret_stack_slept(void);

int ret_stack_start(void);
void ret_stack_stop(void);
unsigned int ret_stacks(void);

#endif /* _TRACE_FTRACE_FGRAPH_RET_STACK_H */
