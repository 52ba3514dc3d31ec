// SPDX-License-Identifier: GPL-2.0
/*
 * Memory for shadow stacks, and the lives of tasks. See shadow.h.
 */
#include <linux/cleanup.h>
#include <linux/cpuhotplug.h>
#include <linux/cpumask.h>
#include <linux/ftrace.h>
#include <linux/init.h>
#include <linux/kprobes.h>
#include <linux/mutex.h>
#include <linux/percpu.h>
#include <linux/rculist.h>
#include <linux/rcupdate.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/trace_clock.h>
#include <linux/workqueue.h>

#include <trace/events/sched.h>

#include "hook/reap.h"
#include "hook/shadow.h"
#include "lib/clock.h"
#include "lib/refill.h"

/*
 * Stacks that a CPU keeps in reserve. As many tasks can enter traced functions for
 * the first time, one after another on one CPU, before the worker has to have run.
 */
#define RESERVE		16

/* Fewer than this, and the worker is called. */
#define RESERVE_LOW	12

struct reserve {
	struct shadow_stack	*stack[RESERVE];
};

static DEFINE_PER_CPU(struct reserve, reserves);

/* Stacks that no reserve has room for. */
static LLIST_HEAD(surplus);

/* All stacks that there are. */
static atomic_t nr_stacks;

bool shadow_in_use __read_mostly;

/*
 * The number of times that shadow_in_use became false, and what that number was when all
 * tasks were last searched for stacks; shadow_lock.
 */
static unsigned int shadow_stops;
static unsigned int shadow_searched;

/* Of struct shadow_watch; shadow_lock to change. */
static HLIST_HEAD(watches);

/* Guards shadow_in_use and the reserves against the worker and CPUs that come. */
static DEFINE_MUTEX(shadow_lock);

static void worker(struct work_struct *work);
static struct refill refill = REFILL_INIT(refill, worker);

static struct shadow_stack *stack_alloc(void)
{
	struct shadow_stack *stack = kzalloc(SHADOW_STACK_SIZE, GFP_KERNEL);

	if (stack) {
		stack->data = SHADOW_STACK_WORDS;
		atomic_inc(&nr_stacks);
	}
	return stack;
}

static void stack_free(struct shadow_stack *stack)
{
	if (stack)
		atomic_dec(&nr_stacks);
	kfree(stack);
}

/*
 * Any context: the exchange is atomic against interrupts and the worker.
 * Preemption is disabled.
 */
static struct shadow_stack *reserve_take(void)
{
	struct reserve *reserve = this_cpu_ptr(&reserves);
	struct shadow_stack *stack = NULL;
	int i;

	for (i = 0; i < RESERVE && !stack; i++) {
		if (READ_ONCE(reserve->stack[i]))
			stack = xchg(&reserve->stack[i], NULL);
	}

	/* The first are taken first: what is left is at the end. */
	if (i > RESERVE - RESERVE_LOW)
		refill_call(&refill);

	return stack;
}

NOKPROBE_SYMBOL(reserve_take);

static void reserve_give(struct shadow_stack *stack)
{
	struct reserve *reserve = this_cpu_ptr(&reserves);
	int i;

	/* The next task that takes it has slept none, and has variables of its own. */
	stack->slept = 0;
	memset(stack->var, 0, sizeof(stack->var));

	for (i = RESERVE - 1; READ_ONCE(shadow_in_use) && i >= 0; i--) {
		if (!READ_ONCE(reserve->stack[i]) &&
		    !cmpxchg(&reserve->stack[i], NULL, stack))
			return;
	}

	if (llist_add(&stack->free, &surplus))
		refill_call(&refill);
}

NOKPROBE_SYMBOL(reserve_give);

/**
 * shadow_stack_take - give the current task a shadow stack
 *
 * Context: any, NMI included, preemption disabled; calls functions that may be traced
 *
 * Return: the stack, or NULL if the reserve of the CPU is used up
 */
struct shadow_stack *shadow_stack_take(void)
{
	struct task_struct *task = current;
	struct shadow_stack *stack;

	if (!READ_ONCE(shadow_in_use))
		return NULL;

	stack = reserve_take();
	if (!stack)
		return NULL;

	/* An interrupt may have given it one meanwhile. */
	if (cmpxchg_local(&task->ret_stack, NULL, (unsigned long *)stack)) {
		reserve_give(stack);
		stack = shadow_stack_of(task);
	}
	return stack;
}

NOKPROBE_SYMBOL(shadow_stack_take);

/* Drop the calls that a task that has ended has not returned from. */
static void drop_calls(struct task_struct *task, struct shadow_stack *stack)
{
	int i;

	for (i = 0; i < task->curr_ret_stack; i++)
		stack->call[i].key = 0;
	memset(stack->user, 0, sizeof(stack->user));
	stack->data = SHADOW_STACK_WORDS;
	task->curr_ret_stack = 0;
}

NOKPROBE_SYMBOL(drop_calls);

/**
 * shadow_stack_release - take away the shadow stack of a task
 * @task: the task, which cannot push a call meanwhile, and will not return from those that
 *	are on its shadow stack
 *
 * Context: any, preemption disabled
 */
void shadow_stack_release(struct task_struct *task)
{
	struct shadow_stack *stack = (void *)xchg(&task->ret_stack, NULL);
	struct shadow_watch *watch;

	task->ftrace_timestamp = 0;
	if (!stack)
		return;

	hlist_for_each_entry_rcu_notrace(watch, &watches, link)
		watch->lost(watch, task, stack);
	if (task->curr_ret_stack)
		drop_calls(task, stack);
	reserve_give(stack);
}

NOKPROBE_SYMBOL(shadow_stack_release);

/**
 * shadow_stack_slept - for how long the current task did not run
 *
 * Context: callbacks of function graph
 *
 * Return: nanoseconds since the task has its shadow stack
 */
u64 shadow_stack_slept(void)
{
	return shadow_stack_of(current)->slept;
}

/* Interrupts are disabled; an NMI pops all that it pushes. */
static void sched_switch(void *data, bool preempt, struct task_struct *prev,
			 struct task_struct *next, unsigned int prev_state)
{
	struct shadow_stack *stack = shadow_stack_of(next);
	u64 now = 0;

	if (shadow_stack_of(prev)) {
		now = trace_clock_this_cpu();
		if (READ_ONCE(prev->curr_ret_stack))
			prev->ftrace_timestamp = now;
		else
			shadow_stack_release(prev);
	}

	/*
	 * A task whose calls have returned while nobody followed the switches has the time of an
	 * old one. Its stack may be taken away right now, and is not to be written to.
	 */
	if (stack && next->ftrace_timestamp) {
		if (READ_ONCE(next->curr_ret_stack))
			stack->slept += (now ?: trace_clock_this_cpu()) - next->ftrace_timestamp;
		next->ftrace_timestamp = 0;
	}
}

/* The worker finds the reserve that called it, even if a stack came back meanwhile. */
static bool reserve_is_low(unsigned int cpu)
{
	struct reserve *reserve = per_cpu_ptr(&reserves, cpu);
	int i, nr = 0;

	for (i = 0; i < RESERVE; i++)
		nr += !!READ_ONCE(reserve->stack[i]);
	return nr <= RESERVE_LOW;
}

/* Caller holds shadow_lock. Return: 0 or -ENOMEM. */
static int reserve_fill(unsigned int cpu)
{
	struct reserve *reserve = per_cpu_ptr(&reserves, cpu);
	struct shadow_stack *stack;
	int i;

	for (i = 0; i < RESERVE; i++) {
		if (READ_ONCE(reserve->stack[i]))
			continue;

		stack = stack_alloc();
		if (!stack)
			return -ENOMEM;
		if (cmpxchg(&reserve->stack[i], NULL, stack))
			stack_free(stack);
	}
	return 0;
}

static void reserve_empty(unsigned int cpu)
{
	struct reserve *reserve = per_cpu_ptr(&reserves, cpu);
	int i;

	for (i = 0; i < RESERVE; i++)
		stack_free(xchg(&reserve->stack[i], NULL));
}

/* Unwinding another task reads its stack with preemption disabled. */
static void free_surplus(void)
{
	struct llist_node *list = llist_del_all(&surplus);
	struct shadow_stack *stack, *next;

	if (!list)
		return;

	synchronize_rcu();
	llist_for_each_entry_safe(stack, next, list, free)
		stack_free(stack);
}

static void release_if_idle(struct task_struct *task)
{
	/* Few tasks have one. */
	if (!shadow_stack_of(task))
		return;

	guard(preempt)();
	if (!READ_ONCE(task->curr_ret_stack))
		shadow_stack_release(task);
}

/* Nobody pushes any more: take away the stacks that have no call. */
static void release_from_tasks(void)
{
	struct task_struct *group, *task;
	unsigned int cpu;

	guard(rcu)();

	for_each_process_thread(group, task)
		release_if_idle(task);
	for_each_possible_cpu(cpu) {
		task = idle_task(cpu);
		if (task)
			release_if_idle(task);
	}
}

/*
 * A task that is in a traced function when the last user goes gives its stack back when
 * it returns from there, so that one search finds all others.
 */
static void release_all(void)
{
	unsigned int cpu, stops = READ_ONCE(shadow_stops);

	if (READ_ONCE(shadow_searched) == stops)
		return;

	/* Callers of call sites may have seen that it was in use. */
	ftrace_reap_wait();

	guard(mutex)(&shadow_lock);

	if (shadow_in_use || stops != shadow_stops)
		return;

	release_from_tasks();
	for_each_possible_cpu(cpu)
		reserve_empty(cpu);
	WRITE_ONCE(shadow_searched, stops);
}

/*
 * A reserve that is not low keeps room for the stack of the worker itself. If it were
 * filled, that stack would be surplus when the worker ends, and would call it again.
 */
static void fill_online(void)
{
	unsigned int cpu;

	guard(mutex)(&shadow_lock);

	for_each_online_cpu(cpu) {
		if (shadow_in_use && reserve_is_low(cpu))
			reserve_fill(cpu);
	}
}

static void worker(struct work_struct *unused)
{
	refill_begin(&refill);

	if (READ_ONCE(shadow_in_use))
		fill_online();
	else
		release_all();
	free_surplus();
}

/* CPUs that come later fill theirs themselves. Return: 0 or -ENOMEM. */
static int fill_all(void)
{
	unsigned int cpu;
	int err = 0;

	guard(cpus_read_lock)();
	guard(mutex)(&shadow_lock);

	for_each_online_cpu(cpu) {
		err = reserve_fill(cpu);
		if (err)
			goto empty;
	}

	WRITE_ONCE(shadow_in_use, true);
	return 0;

empty:
	for_each_possible_cpu(cpu)
		reserve_empty(cpu);
	return err;
}

/**
 * shadow_start - let tasks have shadow stacks
 *
 * Context: process context; one caller of this and of shadow_stop() at a time. Takes
 * cpus_read_lock(), and so do tracepoints: no lock that is held when a CPU comes or
 * goes may be held.
 *
 * Return: 0 or -ENOMEM
 */
int shadow_start(void)
{
	int err = register_trace_sched_switch(sched_switch, NULL);

	if (err)
		return err;

	err = fill_all();
	if (err)
		unregister_trace_sched_switch(sched_switch, NULL);
	return err;
}

/**
 * shadow_stop - let no task have a shadow stack any more
 *
 * A task that is in a traced function keeps its stack until that returns. What can be
 * freed is freed in the background.
 *
 * Context: as shadow_start()
 */
void shadow_stop(void)
{
	unregister_trace_sched_switch(sched_switch, NULL);

	guard(mutex)(&shadow_lock);

	WRITE_ONCE(shadow_in_use, false);
	WRITE_ONCE(shadow_stops, shadow_stops + 1);
	queue_work(system_unbound_wq, &refill.work);
}

/**
 * shadow_watch_add - be told of each shadow stack that a task loses
 * @watch: what to call
 *
 * Context: process context; takes shadow_lock
 */
void shadow_watch_add(struct shadow_watch *watch)
{
	guard(mutex)(&shadow_lock);

	hlist_add_head_rcu(&watch->link, &watches);
}

/**
 * shadow_watch_del - do not be told any more
 * @watch: what to call; it may still be called until ftrace_reap_wait()
 *
 * Context: process context; takes shadow_lock
 */
void shadow_watch_del(struct shadow_watch *watch)
{
	guard(mutex)(&shadow_lock);

	hlist_del_rcu(&watch->link);
}

/**
 * shadow_stacks - the number of shadow stacks that there are
 */
unsigned int shadow_stacks(void)
{
	return atomic_read(&nr_stacks);
}

/**
 * ftrace_graph_init_task - a new task, which is a copy of another, begins
 * @t: the task
 *
 * The shadow stack is not copied: the new task returns from no function of its parent.
 */
void ftrace_graph_init_task(struct task_struct *t)
{
	t->ret_stack = NULL;
	t->curr_ret_stack = 0;
	t->curr_ret_depth = -1;
	t->ftrace_timestamp = 0;
	atomic_set(&t->trace_overrun, 0);
	atomic_set(&t->tracing_graph_pause, 0);
}

/**
 * ftrace_graph_exit_task - a task is freed
 * @t: the task
 *
 * Context: any but NMI
 */
void ftrace_graph_exit_task(struct task_struct *t)
{
	guard(preempt_notrace)();

	shadow_stack_release(t);
}

/**
 * ftrace_graph_init_idle_task - a task becomes the idle task of a CPU
 * @t: the task, which will not return to where it was copied
 * @cpu: the CPU
 */
void ftrace_graph_init_idle_task(struct task_struct *t, int cpu)
{
	ftrace_graph_exit_task(t);
	ftrace_graph_init_task(t);
}

/*
 * The idle task of a CPU that goes never returns from where it stops, and the CPU runs on
 * for a while after others take it for dead. So its last calls are not recorded: what is
 * on its shadow stack can be dropped without asking how far it has got.
 */
static int pause_idle(unsigned int cpu)
{
	atomic_set(&idle_task(cpu)->tracing_graph_pause, 1);
	return 0;
}

static int resume_idle(unsigned int cpu)
{
	atomic_set(&idle_task(cpu)->tracing_graph_pause, 0);
	return 0;
}

static int forget_idle(unsigned int cpu)
{
	ftrace_graph_exit_task(idle_task(cpu));
	return 0;
}

/* Without memory, the first task that needs a stack there calls the worker. */
static int prepare_cpu(unsigned int cpu)
{
	guard(mutex)(&shadow_lock);

	if (shadow_in_use)
		reserve_fill(cpu);
	return resume_idle(cpu);
}

static int __init shadow_init(void)
{
	int ret = cpuhp_setup_state_nocalls(CPUHP_BP_PREPARE_DYN, "trace/shadow:prepare",
					    prepare_cpu, forget_idle);

	if (ret >= 0)
		ret = cpuhp_setup_state_nocalls(CPUHP_AP_ONLINE_DYN, "trace/shadow:online",
						resume_idle, pause_idle);
	return ret < 0 ? ret : 0;
}
early_initcall(shadow_init);
