// SPDX-License-Identifier: GPL-2.0
/*
 * Memory that callers of call sites may still be using is freed when they
 * cannot any more, later and in the background: nobody who changes what is
 * traced has to wait for that.
 *
 * A trampoline can be preempted, so a task may be in it for long: RCU Tasks
 * waits until every task has scheduled of its own accord. It leaves out the
 * idle tasks, and functions are traced where RCU is not watching; but there
 * preemption is off, and RCU Tasks Rude waits until every CPU has scheduled.
 */
#include <linux/init.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/workqueue.h>

#include "hook/opset.h"
#include "hook/reap.h"
#include "hook/trampoline.h"
#include "lib/hash.h"
#include "patch/records.h"

static DEFINE_SPINLOCK(reap_lock);
static struct ftrace_hash *dead_hashes;
static struct ftrace_opset *dead_sets;

/**
 * ftrace_reap_wait - wait until nobody uses what was unreachable before
 *
 * Context: may sleep, for long; ftrace_lock not held
 */
void ftrace_reap_wait(void)
{
	synchronize_rcu_tasks_rude();
	synchronize_rcu_tasks();
}

static void reap(struct work_struct *work)
{
	struct ftrace_hash *hash;
	struct ftrace_opset *set;

	scoped_guard(spinlock, &reap_lock) {
		hash = dead_hashes;
		set = dead_sets;
		dead_hashes = NULL;
		dead_sets = NULL;
	}

	ftrace_reap_wait();

	while (hash) {
		struct ftrace_hash *next = hash->next;

		ftrace_hash_free(hash);
		hash = next;
	}

	guard(mutex)(&ftrace_lock);
	while (set) {
		struct ftrace_opset *next = set->next;

		ftrace_trampoline_free(set->code);
		kfree(set);
		set = next;
	}
}

static DECLARE_WORK(reap_work, reap);

/* Filters of the command line come before workqueues. */
static void reap_later(void)
{
	if (system_unbound_wq)
		queue_work(system_unbound_wq, &reap_work);
}

static int __init reap_init(void)
{
	reap_later();
	return 0;
}
early_initcall(reap_init);

/**
 * ftrace_reap_hash - free a set of addresses that has been unpublished
 * @hash: the set, or NULL
 *
 * Context: process context
 */
void ftrace_reap_hash(struct ftrace_hash *hash)
{
	if (!hash)
		return;

	scoped_guard(spinlock, &reap_lock) {
		hash->next = dead_hashes;
		dead_hashes = hash;
	}
	reap_later();
}

/**
 * ftrace_reap_opset - free a set of ops whose trampoline no site calls any more
 * @set: the set
 *
 * Context: process context
 */
void ftrace_reap_opset(struct ftrace_opset *set)
{
	/* Nobody reads a set but to change what is traced. */
	if (ftrace_opset_is_direct(set)) {
		kfree(set);
		return;
	}

	scoped_guard(spinlock, &reap_lock) {
		set->next = dead_sets;
		dead_sets = set;
	}
	reap_later();
}
