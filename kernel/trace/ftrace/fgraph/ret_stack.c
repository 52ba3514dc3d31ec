// SPDX-License-Identifier: GPL-2.0
/*
 * Return stacks: their memory, and the hooks into creation and exit of tasks. See ret_stack.h.
 *
 * A task finds its stack in task_struct.ret_stack. Once ftrace_graph_init_task() has cleared
 * that pointer, it only changes under stacks_lock, and all stacks that tasks have are in one
 * list. So the worker finds the stacks that are left after the last user has unregistered,
 * whether their task is already in the kernel's list of tasks, no longer in it, or never.
 *
 * A task may be being forked while the first user registers: ftrace_graph_init_task() has found
 * no user, and the walk over all tasks does not find the task yet. The probe on task_newtask
 * then gives it a stack before it runs, from a small reserve that is kept for this purpose,
 * because memory cannot be allocated there with PREEMPT_RT.
 */
#include <linux/cleanup.h>
#include <linux/cpuhotplug.h>
#include <linux/cpumask.h>
#include <linux/ftrace.h>
#include <linux/init.h>
#include <linux/irq_work.h>
#include <linux/kprobes.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/rculist.h>
#include <linux/rcupdate.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/trace_clock.h>
#include <linux/workqueue.h>

#include <trace/events/sched.h>
#include <trace/events/task.h>

#include "ftrace/entry/ftrace_rcu.h"
#include "ftrace/fgraph/ret_stack.h"
#include "lib/clock.h"
#include "lib/probes.h"

/* Delay of the worker after it was requested, in jiffies: one run serves many tasks. */
#define RET_STACK_DELAY	(HZ / 10)

/* Number of spare stacks for tasks that are forked without one. */
#define RET_STACK_SPARES	16

/* Number of stacks that the worker checks with interrupts disabled. */
#define RET_STACK_BATCH	64

/*
 * Stacks of tasks, spare stacks for new tasks, and stacks that wait for a grace period before
 * they are freed.
 * stacks_lock is innermost. It is taken where tasks exit, in any context except NMI.
 */
static DEFINE_RAW_SPINLOCK(stacks_lock);
static LIST_HEAD(stacks);
static LIST_HEAD(spares);
static LIST_HEAD(surplus);
static unsigned int nr_spares;

/* Total number of stacks. */
static atomic_t nr_stacks;

bool ret_stack_in_use __read_mostly;

/*
 * The number of times that ret_stack_in_use became false, and its value when the worker last
 * made sure that no task pushes any longer; ret_stack_lock.
 */
static unsigned int ret_stack_stops;
static unsigned int ret_stack_quiet;

/* List of struct ret_stack_watch; ret_stack_lock to change. */
static HLIST_HEAD(watches);

/* Protects ret_stack_in_use. Outside of stacks_lock. */
static DEFINE_MUTEX(ret_stack_lock);

/*
 * Stacks
 */

static struct fgraph_ret_stack *ret_stack_alloc(void)
{
	struct fgraph_ret_stack *stack = kzalloc(RET_STACK_SIZE, GFP_KERNEL);

	if (stack) {
		stack->data = RET_STACK_ROOM;
		stack->no_key = RET_STACK_NO_KEY;
		atomic_inc(&nr_stacks);
	}
	return stack;
}

static void ret_stack_free(struct fgraph_ret_stack *stack)
{
	if (stack)
		atomic_dec(&nr_stacks);
	kfree(stack);
}

/* stacks_lock held. The task, which has no stack, may be running. */
static void ret_stack_give_locked(struct fgraph_ret_stack *stack, struct task_struct *task)
{
	stack->task = task;
	list_add_tail(&stack->link, &stacks);
	/* Publish the stack: the task's reads of it depend on the address that it reads here. */
	smp_store_release(&task->ret_stack, (unsigned long *)stack);
}

/*
 * Give a task a stack, unless it has one, or there is no user any longer.
 * Return: true if it was given.
 */
static bool ret_stack_give(struct fgraph_ret_stack *stack, struct task_struct *task)
{
	unsigned long flags;
	bool given;

	raw_spin_lock_irqsave(&stacks_lock, flags);
	given = READ_ONCE(ret_stack_in_use) && !task->ret_stack;
	if (given)
		ret_stack_give_locked(stack, task);
	raw_spin_unlock_irqrestore(&stacks_lock, flags);

	return given;
}

/* Give a new task a spare stack, if there is any. */
static void ret_stack_give_kept(struct task_struct *task)
{
	struct fgraph_ret_stack *stack;
	unsigned long flags;

	raw_spin_lock_irqsave(&stacks_lock, flags);
	stack = list_first_entry_or_null(&spares, struct fgraph_ret_stack, link);
	if (stack && !task->ret_stack) {
		list_del(&stack->link);
		WRITE_ONCE(nr_spares, nr_spares - 1);
		ret_stack_give_locked(stack, task);
	}
	raw_spin_unlock_irqrestore(&stacks_lock, flags);
}

/* Keep a stack as a spare, if more are needed, and there is a user. Return: true if it is kept. */
static bool ret_stack_keep(struct fgraph_ret_stack *stack)
{
	unsigned long flags;
	bool kept;

	raw_spin_lock_irqsave(&stacks_lock, flags);
	kept = READ_ONCE(ret_stack_in_use) && nr_spares < RET_STACK_SPARES;
	if (kept) {
		list_add(&stack->link, &spares);
		WRITE_ONCE(nr_spares, nr_spares + 1);
	}
	raw_spin_unlock_irqrestore(&stacks_lock, flags);

	return kept;
}

/* Return: the stack that the task had, or NULL. It is in no list. */
static struct fgraph_ret_stack *ret_stack_take(struct task_struct *task)
{
	struct fgraph_ret_stack *stack;
	unsigned long flags;

	raw_spin_lock_irqsave(&stacks_lock, flags);
	stack = ret_stack_of(task);
	if (stack) {
		WRITE_ONCE(task->ret_stack, NULL);
		list_del(&stack->link);
	}
	raw_spin_unlock_irqrestore(&stacks_lock, flags);

	return stack;
}

/* The calls on the stack, if any, will not return. The task no longer runs. */
static struct fgraph_ret_stack *ret_stack_take_last(struct task_struct *task)
{
	struct fgraph_ret_stack *stack = ret_stack_take(task);
	struct ret_stack_watch *watch;

	if (stack) {
		guard(preempt_notrace)();

		hlist_for_each_entry_rcu_notrace(watch, &watches, link)
			watch->lost(watch, task, stack);
	}
	task->curr_ret_stack = 0;
	task->ftrace_timestamp = 0;
	return stack;
}

/* For a task that does not run yet. Without memory, its calls are lost, and counted. */
static void ret_stack_give_new(struct task_struct *task)
{
	struct fgraph_ret_stack *stack = ret_stack_alloc();

	if (stack && !ret_stack_give(stack, task))
		ret_stack_free(stack);
}

/*
 * The worker
 */

static void ret_stack_work(struct work_struct *unused);
static DECLARE_DELAYED_WORK(ret_stack_dwork, ret_stack_work);

static void ret_stack_queue(struct irq_work *unused)
{
	queue_delayed_work(system_unbound_wq, &ret_stack_dwork, RET_STACK_DELAY);
}

static DEFINE_IRQ_WORK(ret_stack_irq_work, ret_stack_queue);

/* The worker was requested, and has not begun since. */
static bool worker_called;

/**
 * ret_stack_call_worker - request the worker: a task has no stack, or no longer needs one
 *
 * While there are users, the worker gives stacks to tasks that have none because memory was
 * short when they were forked. Afterwards it takes away the stacks of tasks that have returned.
 *
 * Context: any, NMI included; calls functions that may be traced
 */
void ret_stack_call_worker(void)
{
	/*
	 * Write the task's curr_ret_stack before the flag: pairs with smp_mb() in
	 * ret_stack_work().
	 */
	smp_mb();
	if (!READ_ONCE(worker_called) && !xchg(&worker_called, true))
		irq_work_queue(&ret_stack_irq_work);
}

NOKPROBE_SYMBOL(ret_stack_call_worker);

/* Return: number of stacks that are missing for this task, 0 or 1. */
static unsigned int ret_stack_give_one(struct list_head *more, struct task_struct *task)
{
	struct fgraph_ret_stack *stack;

	if (ret_stack_of(task))
		return 0;
	if (list_empty(more))
		return 1;

	stack = list_first_entry(more, struct fgraph_ret_stack, link);
	list_del(&stack->link);
	if (!ret_stack_give(stack, task))
		list_add(&stack->link, more);
	return 0;
}

/*
 * Tasks that are found here are freed after a grace period, and then release their new stack.
 * cpus_read_lock() held. Return: number of missing stacks.
 */
static unsigned int ret_stack_give_all(struct list_head *more)
{
	struct task_struct *group, *task;
	unsigned int cpu, missing = 0;

	guard(rcu)();

	for_each_process_thread(group, task)
		missing += ret_stack_give_one(more, task);
	for_each_online_cpu(cpu)
		missing += ret_stack_give_one(more, idle_task(cpu));
	return missing;
}

static int ret_stack_add(struct list_head *more, unsigned int nr)
{
	struct fgraph_ret_stack *stack;

	while (nr--) {
		stack = ret_stack_alloc();
		if (!stack)
			return -ENOMEM;
		list_add(&stack->link, more);
	}
	return 0;
}

static void ret_stack_free_list(struct list_head *list)
{
	struct fgraph_ret_stack *stack, *next;

	list_for_each_entry_safe(stack, next, list, link)
		ret_stack_free(stack);
}

/* Return: 0 or -ENOMEM. */
static int ret_stack_fill_spares(void)
{
	struct fgraph_ret_stack *stack;

	while (READ_ONCE(nr_spares) < RET_STACK_SPARES) {
		stack = ret_stack_alloc();
		if (!stack)
			return -ENOMEM;
		if (!ret_stack_keep(stack))
			ret_stack_free(stack);
	}
	return 0;
}

/*
 * Give each task that has no stack one. New tasks get theirs at fork, so this terminates.
 * cpus_read_lock() and ret_stack_lock held, and there is a user. Return: 0, or -ENOMEM if some
 * tasks have no stack.
 */
static int ret_stack_fill(void)
{
	LIST_HEAD(more);
	unsigned int missing;
	int err = ret_stack_fill_spares();

	while (!err && (missing = ret_stack_give_all(&more)))
		err = ret_stack_add(&more, missing);
	ret_stack_free_list(&more);
	return err;
}

/* Take away some of the stacks of @left. Return: true if there are more. */
static bool ret_stack_release_some(struct list_head *left)
{
	struct fgraph_ret_stack *stack;
	unsigned long flags;
	bool more;
	int i;

	raw_spin_lock_irqsave(&stacks_lock, flags);
	for (i = 0; i < RET_STACK_BATCH && !list_empty(left); i++) {
		stack = list_first_entry(left, struct fgraph_ret_stack, link);
		if (READ_ONCE(stack->task->curr_ret_stack)) {
			list_move_tail(&stack->link, &stacks);
			continue;
		}
		WRITE_ONCE(stack->task->ret_stack, NULL);
		list_move(&stack->link, &surplus);
	}
	more = !list_empty(left);
	raw_spin_unlock_irqrestore(&stacks_lock, flags);

	return more;
}

/*
 * Take away the stacks of tasks that are not in a call, wherever these tasks are. A task that is
 * in a call requests the worker when it has returned from the last call.
 */
static void ret_stack_release_all(void)
{
	unsigned int stops = READ_ONCE(ret_stack_stops);
	LIST_HEAD(left);

	/* Callers of call sites may have seen ret_stack_in_use set, and push. */
	if (READ_ONCE(ret_stack_quiet) != stops)
		ftrace_synchronize();

	guard(mutex)(&ret_stack_lock);

	if (ret_stack_in_use || stops != ret_stack_stops)
		return;

	WRITE_ONCE(ret_stack_quiet, stops);
	scoped_guard(raw_spinlock_irqsave, &stacks_lock) {
		list_splice_init(&stacks, &left);
		list_splice_init(&spares, &surplus);
		WRITE_ONCE(nr_spares, 0);
	}
	while (ret_stack_release_some(&left))
		cond_resched();
}

/* Unwinding another task reads its stack with preemption disabled. */
static void ret_stack_free_surplus(void)
{
	LIST_HEAD(list);

	scoped_guard(raw_spinlock_irqsave, &stacks_lock)
		list_splice_init(&surplus, &list);
	if (list_empty(&list))
		return;

	synchronize_rcu();
	ret_stack_free_list(&list);
}

static void ret_stack_work(struct work_struct *unused)
{
	WRITE_ONCE(worker_called, false);
	/* Clear the flag before reading tasks: pairs with smp_mb() in ret_stack_call_worker(). */
	smp_mb();

	if (READ_ONCE(ret_stack_in_use)) {
		guard(cpus_read_lock)();
		guard(mutex)(&ret_stack_lock);

		/* Without memory, the next lost call requests the worker again. */
		if (ret_stack_in_use)
			ret_stack_fill();
	} else {
		ret_stack_release_all();
	}
	ret_stack_free_surplus();
}

/*
 * Probes
 */

/**
 * ret_stack_slept - get the time that the current task did not run
 *
 * Context: callbacks of function graph
 *
 * Return: nanoseconds since the task got its return stack
 */
u64 ret_stack_slept(void)
{
	return ret_stack_of(current)->slept;
}

static void ret_stack_call_watches(struct task_struct *prev, struct task_struct *next)
{
	struct ret_stack_watch *watch;

	hlist_for_each_entry_rcu_notrace(watch, &watches, link)
		watch->switched(watch, prev, next);
}

/* Interrupts are disabled; an NMI pops all calls that it pushes. */
static void ret_stack_switch(void *data, bool preempt, struct task_struct *prev,
			     struct task_struct *next, unsigned int prev_state)
{
	bool leaves = READ_ONCE(prev->curr_ret_stack), comes = READ_ONCE(next->curr_ret_stack);
	struct fgraph_ret_stack *stack = ret_stack_of(next);
	u64 now = leaves || comes ? trace_clock_this_cpu() : 0;

	if (leaves)
		prev->ftrace_timestamp = now;
	if (unlikely(!hlist_empty(&watches)) && (leaves || comes))
		ret_stack_call_watches(prev, next);

	/*
	 * A task whose calls have returned while no probe followed the switches has an old time
	 * stamp. Its stack may be taken away at this moment, and must not be written to.
	 */
	if (next->ftrace_timestamp) {
		if (stack && comes)
			stack->slept += now - next->ftrace_timestamp;
		next->ftrace_timestamp = 0;
	}
}

/* Runs in the parent, which has not woken the new task yet. Preemption is disabled. */
static void ret_stack_newtask(void *data, struct task_struct *task, unsigned long clone_flags)
{
	if (likely(ret_stack_of(task)))
		return;

	ret_stack_give_kept(task);
	ret_stack_call_worker();
}

static const struct trace_probe ret_stack_probes[] = {
	TRACE_PROBE(sched_switch, ret_stack_switch),
	TRACE_PROBE(task_newtask, ret_stack_newtask),
	{ }
};

/* Start and stop */

/* ret_stack_lock held */
static void ret_stack_end(void)
{
	WRITE_ONCE(ret_stack_in_use, false);
	WRITE_ONCE(ret_stack_stops, ret_stack_stops + 1);
	mod_delayed_work(system_unbound_wq, &ret_stack_dwork, 0);
}

/**
 * ret_stack_start - give each task a return stack
 *
 * Context: process context; calls of this function and of ret_stack_stop() must be serialized.
 * Takes cpus_read_lock(), and so do tracepoints: the caller must not hold a lock that is taken
 * when a CPU goes online or offline.
 *
 * Return: 0 or -ENOMEM
 */
int ret_stack_start(void)
{
	int err = trace_probes_register(ret_stack_probes, ~0U, NULL);

	if (err)
		return err;

	scoped_guard(cpus_read_lock) {
		guard(mutex)(&ret_stack_lock);

		WRITE_ONCE(ret_stack_in_use, true);
		err = ret_stack_fill();
		if (err)
			ret_stack_end();
	}
	if (err)
		trace_probes_unregister(ret_stack_probes, ~0U, NULL);
	return err;
}

/**
 * ret_stack_stop - take the return stacks away from all tasks
 *
 * A task that is in a traced function keeps its stack until the function returns. The memory is
 * freed in the background.
 *
 * Context: as ret_stack_start()
 */
void ret_stack_stop(void)
{
	trace_probes_unregister(ret_stack_probes, ~0U, NULL);

	guard(mutex)(&ret_stack_lock);

	ret_stack_end();
}

/**
 * ret_stack_watch_add - register callbacks for task switches and exits
 * @watch: the callbacks
 *
 * Context: process context; takes ret_stack_lock
 */
void ret_stack_watch_add(struct ret_stack_watch *watch)
{
	guard(mutex)(&ret_stack_lock);

	hlist_add_head_rcu(&watch->link, &watches);
}

/**
 * ret_stack_watch_del - unregister callbacks
 * @watch: the callbacks; they may still be called until ftrace_synchronize()
 *
 * Context: process context; takes ret_stack_lock
 */
void ret_stack_watch_del(struct ret_stack_watch *watch)
{
	guard(mutex)(&ret_stack_lock);

	hlist_del_rcu(&watch->link);
}

/**
 * ret_stacks - get the total number of return stacks
 */
unsigned int ret_stacks(void)
{
	return atomic_read(&nr_stacks);
}

/* Creation and exit of tasks */

/**
 * ftrace_graph_init_task - initialize a new task, which is a copy of another task
 * @t: the task, which is not visible to other tasks yet
 *
 * The return stack is not copied: the new task returns from no function of its parent.
 *
 * Context: process context; may sleep
 */
void ftrace_graph_init_task(struct task_struct *t)
{
	t->ret_stack = NULL;
	t->curr_ret_stack = 0;
	t->curr_ret_depth = -1;
	t->ftrace_timestamp = 0;
	atomic_set(&t->trace_overrun, 0);
	atomic_set(&t->tracing_graph_pause, 0);
	if (READ_ONCE(ret_stack_in_use))
		ret_stack_give_new(t);
}

/**
 * ftrace_graph_exit_task - release the return stack of a task that is freed
 * @t: the task
 *
 * Context: any except NMI
 */
void ftrace_graph_exit_task(struct task_struct *t)
{
	ret_stack_free(ret_stack_take_last(t));
}

/* The task may be unwound by other tasks concurrently, as it is not freed. */
static void ret_stack_release_idle(struct task_struct *task)
{
	struct fgraph_ret_stack *stack = ret_stack_take_last(task);

	if (!stack)
		return;

	scoped_guard(raw_spinlock_irqsave, &stacks_lock)
		list_add(&stack->link, &surplus);
	ret_stack_call_worker();
}

/**
 * ftrace_graph_init_idle_task - initialize the idle task of a CPU
 * @t: the task, which will not return to the function that it was copied in
 * @cpu: CPU of the task, which gives it a return stack when it goes online
 */
void ftrace_graph_init_idle_task(struct task_struct *t, int cpu)
{
	ret_stack_release_idle(t);
	t->curr_ret_depth = -1;
	atomic_set(&t->trace_overrun, 0);
	atomic_set(&t->tracing_graph_pause, 0);
}

/*
 * The idle task of an offlined CPU never returns, and the CPU keeps running for a while after it
 * is marked offline. Stop recording its calls first, so that its stack can be dropped without
 * synchronizing with it.
 */
static int ret_stack_pause_idle(unsigned int cpu)
{
	atomic_set(&idle_task(cpu)->tracing_graph_pause, 1);
	return 0;
}

static int ret_stack_resume_idle(unsigned int cpu)
{
	atomic_set(&idle_task(cpu)->tracing_graph_pause, 0);
	return 0;
}

static int ret_stack_forget_idle(unsigned int cpu)
{
	ret_stack_release_idle(idle_task(cpu));
	return 0;
}

/* Without memory, the first call that is lost there requests the worker. */
static int ret_stack_prepare_cpu(unsigned int cpu)
{
	guard(mutex)(&ret_stack_lock);

	if (ret_stack_in_use && !ret_stack_of(idle_task(cpu)))
		ret_stack_give_new(idle_task(cpu));
	return ret_stack_resume_idle(cpu);
}

static int __init ret_stack_init(void)
{
	int ret = cpuhp_setup_state_nocalls(CPUHP_BP_PREPARE_DYN, "trace/ret_stack:prepare",
					    ret_stack_prepare_cpu, ret_stack_forget_idle);

	if (ret >= 0)
		ret = cpuhp_setup_state_nocalls(CPUHP_AP_ONLINE_DYN, "trace/ret_stack:online",
						ret_stack_resume_idle, ret_stack_pause_idle);
	return ret < 0 ? ret : 0;
}
early_initcall(ret_stack_init);
