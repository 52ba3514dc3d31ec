/* SPDX-License-Identifier: GPL-2.0 */
/**
 * DOC: Return stacks
 *
 * A return stack has the real return addresses of the functions of a task.
 *
 * While function graph has users, each task has one: existing tasks get it when the first user
 * registers, other tasks when they are forked. A call is pushed where memory cannot be
 * allocated, so a task that could enter a traced function must have its stack before. When the
 * last user has unregistered, the stack of each task is taken away, immediately or when the task
 * has returned from the calls on it. Then tasks have none, and function graph costs no memory.
 *
 * Only the task itself, and interrupts of it, push and pop. An interrupt pops all calls that it
 * has pushed before the interrupted code continues. So there are no atomic accesses, only an
 * order: records above task_struct.curr_ret_stack may be overwritten at any moment, records
 * below it not. A record whose key is 0 is free or not complete yet, and all records above
 * curr_ret_stack have a key of 0.
 *
 * task_struct.curr_ret_stack and all positions on the stack are in bytes from the first record
 * on, which saves multiplications.
 */
#ifndef _TRACE_FTRACE_FGRAPH_RET_STACK_H
#define _TRACE_FTRACE_FGRAPH_RET_STACK_H

#include <linux/list.h>
#include <linux/sched.h>
#include <linux/types.h>

/* Maximum number of users of function graph at a time. */
#define GRAPH_USERS	16

/**
 * struct ret_stack_call - a call whose return is caught
 * @ret: real return address
 * @asked_regs: instead of @ret, while the entry callbacks are called: registers of the function
 * @func: call site of the function
 * @key: arch_ftrace_return_key(), 0 in a record that is not complete
 * @calltime: time of the call, by trace_clock_local(), before the entry callbacks
 * @epoch: epoch of the list of users that @users was derived from
 * @users: bits of the users whose return callback must be called
 * @data: value of fgraph_ret_stack.data before the call
 */
struct ret_stack_call {
	union {
		unsigned long		ret;
		struct ftrace_regs	*asked_regs;
	};
	unsigned long	func;
	unsigned long	key;
	u64		calltime;
	u32		epoch;
	u16		users;
	u16		data;
};

/**
 * struct ret_stack_user - data of a user on the return stack of a task
 * @epoch: epoch of the user that it belongs to; the epoch of another user marks stale data
 * @depth: number of calls that the user has accepted and that have not returned
 */
struct ret_stack_user {
	u32	epoch;
	u32	depth;
};

#define RET_STACK_SIZE		4096

/**
 * struct fgraph_ret_stack - the return stack of a task
 * @link: node in the list of the stacks of tasks; afterwards in the list of stacks to be freed
 * @data: position of the lowest byte in use by data of users
 * @user: data by user
 * @var: variables by user: fgraph_get_task_var()
 * @no_key: the key of the record before the first call: a key above all others
 * @slept: time that the task did not run since it has the stack, in nanoseconds
 * @task: the task
 * @call: calls, the outermost first; the last ends at task_struct.curr_ret_stack. Data of users
 *	grows down from the end of the same memory.
 */
struct fgraph_ret_stack {
	struct list_head		link;
	u32				data;
	struct ret_stack_user		user[GRAPH_USERS];
	unsigned long			var[GRAPH_USERS];
	unsigned long			no_key;
	u64				slept;
	struct task_struct		*task;
	struct ret_stack_call		call[];
};

#define RET_STACK_NO_KEY	(~0UL)

/* Space for calls and data of users. */
#define RET_STACK_ROOM		(RET_STACK_SIZE - sizeof(struct fgraph_ret_stack))

static_assert(sizeof(struct ret_stack_call) % sizeof(unsigned long) == 0);
static_assert(RET_STACK_ROOM % sizeof(unsigned long) == 0);
static_assert(sizeof(struct fgraph_ret_stack) == offsetof(struct fgraph_ret_stack, call));
static_assert(offsetof(struct fgraph_ret_stack, no_key) ==
	      offsetof(struct fgraph_ret_stack, call) - sizeof(struct ret_stack_call) +
	      offsetof(struct ret_stack_call, key));

static __always_inline void *ret_stack_at(struct fgraph_ret_stack *stack, long at)
{
	return (void *)stack->call + at;
}

/* The profiler also includes this header without function graph. */
#ifdef CONFIG_FUNCTION_GRAPH_TRACER
/* Number of calls on the stack of a task */
static inline int ret_stack_nr(const struct task_struct *task)
{
	return READ_ONCE(task->curr_ret_stack) / (int)sizeof(struct ret_stack_call);
}

static __always_inline struct fgraph_ret_stack *ret_stack_of(struct task_struct *task)
{
	return (struct fgraph_ret_stack *)READ_ONCE(task->ret_stack);
}
#endif

/**
 * struct ret_stack_watch - callbacks for switches and exits of tasks, while function graph has
 * users
 * @link: node in the list of all watches
 * @switched: called when a CPU switches from one task to another, and @prev or @next is in a
 *	call
 * @lost: called for each task that exits, or is the idle task of a CPU that goes offline, while
 *	the variables of users are still valid. Calls that are left on the stack will never
 *	return.
 *
 * Context of @switched: interrupts disabled, the lock of the run queue held. @prev is current,
 * and @next does not run on any CPU.
 *
 * Context of @lost: any except NMI, preemption disabled; no call is pushed to the stack
 * concurrently. It may be called twice for a stack if the watch is deleted and added at that
 * moment.
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
