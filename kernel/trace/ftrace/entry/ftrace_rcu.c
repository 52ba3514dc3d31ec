// SPDX-License-Identifier: GPL-2.0
/*
 * Deferred freeing of memory that callers of call sites may still be using, in the background
 * after a grace period: changing the set of traced functions never waits.
 *
 * A task can be preempted inside a trampoline for a long time. RCU Tasks waits until every task
 * has been scheduled voluntarily. It leaves out the idle tasks, and functions are also traced
 * where RCU is not watching; but there preemption is disabled, and RCU Tasks Rude waits until
 * every CPU has scheduled.
 */
#include <linux/init.h>
#include <linux/rcupdate.h>
#include <linux/spinlock.h>
#include <linux/workqueue.h>

#include "ftrace/entry/ftrace_rcu.h"
#include "lib/hash.h"

static DEFINE_SPINLOCK(ftrace_rcu_lock);

/* Objects that wait for a grace period, linked by rcu_head.next. */
static struct rcu_head *ftrace_rcu_list;

/* Free the objects that were on the list when the grace period began. */
static void ftrace_rcu_request(bool always_wait)
{
	struct rcu_head *head;

	scoped_guard(spinlock, &ftrace_rcu_lock) {
		head = ftrace_rcu_list;
		ftrace_rcu_list = NULL;
	}

	if (head || always_wait) {
		synchronize_rcu_tasks_rude();
		synchronize_rcu_tasks();
	}
	while (head) {
		struct rcu_head *next = head->next;

		head->func(head);
		head = next;
	}
}

/**
 * ftrace_synchronize - wait until objects that are already unreachable are no longer in use
 *
 * Also frees everything that was waiting for a grace period, because one has passed.
 *
 * Context: may sleep for a long time; the caller must not hold ftrace_lock or cpus_read_lock()
 */
void ftrace_synchronize(void)
{
	ftrace_rcu_request(true);
}

static void ftrace_rcu_work_func(struct work_struct *work)
{
	ftrace_rcu_request(false);
}

/* Changes come in bursts: one grace period serves all objects queued within this time. */
#define REAP_DELAY	(HZ / 10)

static DECLARE_DELAYED_WORK(ftrace_rcu_work, ftrace_rcu_work_func);

/* Filters from the command line change before there are workqueues. */
static void ftrace_rcu_later(void)
{
	if (system_unbound_wq)
		queue_delayed_work(system_unbound_wq, &ftrace_rcu_work, REAP_DELAY);
}

static int __init ftrace_rcu_init(void)
{
	ftrace_rcu_later();
	return 0;
}
early_initcall(ftrace_rcu_init);

/**
 * call_ftrace_rcu - call a function when no caller of a call site can be using an object
 * @head: embedded in the object, which is no longer reachable for new callers
 * @func: frees the object; called in process context with no lock held
 *
 * Like call_rcu(), with grace periods of RCU Tasks Rude and RCU Tasks. Readers must not sleep.
 * They need neither rcu_read_lock() nor disabled preemption, and RCU need not be watching.
 *
 * Context: process context
 */
void call_ftrace_rcu(struct rcu_head *head, rcu_callback_t func)
{
	head->func = func;
	scoped_guard(spinlock, &ftrace_rcu_lock) {
		head->next = ftrace_rcu_list;
		ftrace_rcu_list = head;
	}
	ftrace_rcu_later();
}

static void ftrace_rcu_free_hash(struct rcu_head *head)
{
	ftrace_hash_free(container_of(head, struct ftrace_hash, rcu));
}

/**
 * ftrace_hash_free_rcu - free a set of addresses that has been unpublished
 * @hash: the set, or NULL
 *
 * Context: process context
 */
void ftrace_hash_free_rcu(struct ftrace_hash *hash)
{
	if (hash)
		call_ftrace_rcu(&hash->rcu, ftrace_rcu_free_hash);
}
