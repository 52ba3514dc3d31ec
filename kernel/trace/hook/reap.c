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
 *
 * Where hardly anybody does anything there is as a rule nobody to wait for, and
 * one can see that there is not.
 */
#include <linux/cpumask.h>
#include <linux/init.h>
#include <linux/rcupdate.h>
#include <linux/sched/stat.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/stop_machine.h>
#include <linux/workqueue.h>

#include "hook/opset.h"
#include "hook/reap.h"
#include "hook/trampoline.h"
#include "lib/hash.h"
#include "patch/patch.h"
#include "patch/records.h"

static DEFINE_SPINLOCK(reap_lock);
static struct ftrace_hash *dead_hashes;
static struct ftrace_opset *dead_sets;

/* On one CPU, while the others stand still, preemption being on at each. */
static int look_stopped(void *self)
{
	return rcu_tasks_all_quiescent(self);
}

/* How many tasks it is worth to look at. Tasks that sleep are found quickly. */
#define LOOK_MOST	1000

/*
 * Tell whether nobody uses what was unreachable before. No CPU is kept from
 * work for that, or where live patching was asked for, kept at all.
 */
static bool nobody_inside(void)
{
	if (nr_running() > 1 || nr_threads > LOOK_MOST ||
	    (num_online_cpus() > 1 && ftrace_patch_is_live()))
		return false;

	return stop_machine(look_stopped, current, NULL) > 0;
}

static void wait(void)
{
	if (nobody_inside())
		return;

	/* With one CPU, that preemption is off elsewhere cannot be. */
	if (num_online_cpus() > 1)
		synchronize_rcu_tasks_rude();
	synchronize_rcu_tasks();
}

static void free_hashes(struct ftrace_hash *hash)
{
	while (hash) {
		struct ftrace_hash *next = hash->next;

		ftrace_hash_free(hash);
		hash = next;
	}
}

static void free_sets(struct ftrace_opset *set)
{
	guard(mutex)(&ftrace_lock);

	while (set) {
		struct ftrace_opset *next = set->next;

		ftrace_trampoline_free(set->code);
		kfree(set);
		set = next;
	}
}

/* Free all that is dead by now, when nobody uses it any more. */
static void reap(bool always_wait)
{
	struct ftrace_hash *hash;
	struct ftrace_opset *set;

	scoped_guard(spinlock, &reap_lock) {
		hash = dead_hashes;
		set = dead_sets;
		dead_hashes = NULL;
		dead_sets = NULL;
	}

	if (hash || set || always_wait)
		wait();
	free_hashes(hash);
	if (set)
		free_sets(set);
}

/**
 * ftrace_reap_wait - wait until nobody uses what was unreachable before
 *
 * Who has to wait frees what is dead, too, so that nobody waits for that again.
 *
 * Context: may sleep, for long; neither ftrace_lock nor cpus_read_lock() held
 */
void ftrace_reap_wait(void)
{
	reap(true);
}

static void reap_work_func(struct work_struct *work)
{
	reap(false);
}

/*
 * Not at once: more will be dead in a moment, and as a rule somebody comes who
 * waits anyway.
 */
#define REAP_DELAY	(HZ / 10)

static DECLARE_DELAYED_WORK(reap_work, reap_work_func);

/* Filters of the command line come before workqueues. */
static void reap_later(void)
{
	if (system_unbound_wq)
		queue_delayed_work(system_unbound_wq, &reap_work, REAP_DELAY);
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
