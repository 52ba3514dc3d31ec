// SPDX-License-Identifier: GPL-2.0
/*
 * The functions that callbacks recursed through: each is a function that somebody who looks at
 * the callback may want to exclude from tracing.
 *
 * A slot is claimed by its call site, in any context, and remains until all slots are cleared.
 */
#include <linux/array_size.h>
#include <linux/atomic.h>
#include <linux/cleanup.h>
#include <linux/export.h>
#include <linux/kprobes.h>
#include <linux/mutex.h>
#include <linux/preempt.h>
#include <linux/string.h>
#include <linux/trace_recursion.h>

#include "ftrace/entry/ftrace_rcu.h"
#include "ftrace/entry/recursed.h"

static struct ftrace_recursion recursed[CONFIG_FTRACE_RECORD_RECURSION_SIZE];

/* Nothing is recorded while the slots are cleared, under the lock. */
static bool recursed_stopped;
static DEFINE_MUTEX(recursed_lock);

static void recursed_add(unsigned long ip, unsigned long parent_ip)
{
	struct ftrace_recursion *slot;
	unsigned long old;

	for (slot = recursed; slot < recursed + ARRAY_SIZE(recursed); slot++) {
		old = READ_ONCE(slot->ip);
		if (!old)
			old = cmpxchg_relaxed(&slot->ip, 0, ip);
		if (old == ip)
			return;
		if (old)
			continue;
		/* Pairs with the acquire in ftrace_recursion_get(): @ip is seen with it. */
		smp_store_release(&slot->parent_ip, parent_ip);
		return;
	}
}

/**
 * ftrace_record_recursion - remember a call that a guard against recursion has stopped
 * @ip: call site of the function
 * @parent_ip: its return address
 *
 * A function is recorded once. If all slots are in use, nothing is recorded.
 *
 * Context: any
 */
void ftrace_record_recursion(unsigned long ip, unsigned long parent_ip)
{
	/* ftrace_recursion_reset() waits until no task is inside. */
	preempt_disable_notrace();
	/* Pairs with the release in ftrace_recursion_reset(): the slots are clear. */
	if (!smp_load_acquire(&recursed_stopped))
		recursed_add(ip, parent_ip);
	preempt_enable_notrace();
}
EXPORT_SYMBOL_GPL(ftrace_record_recursion);
NOKPROBE_SYMBOL(ftrace_record_recursion);
NOKPROBE_SYMBOL(recursed_add);

/**
 * ftrace_recursion_get - read a slot
 * @nr: its number
 * @recursion: the function and its caller, set if there is one
 *
 * Slots are used in order.
 *
 * Context: may sleep
 *
 * Return: false if there are no more slots
 */
bool ftrace_recursion_get(unsigned int nr, struct ftrace_recursion *recursion)
{
	const struct ftrace_recursion *slot = recursed + nr;

	guard(mutex)(&recursed_lock);
	if (nr >= ARRAY_SIZE(recursed) || !READ_ONCE(slot->ip))
		return false;
	/* Pairs with the release in recursed_add(). */
	recursion->parent_ip = smp_load_acquire(&slot->parent_ip);
	recursion->ip = READ_ONCE(slot->ip);

	return true;
}

/**
 * ftrace_recursion_reset - clear all slots
 *
 * Context: may sleep for a long time
 */
void ftrace_recursion_reset(void)
{
	guard(mutex)(&recursed_lock);
	WRITE_ONCE(recursed_stopped, true);
	ftrace_synchronize();
	memset(recursed, 0, sizeof(recursed));
	/* Pairs with the acquire in ftrace_record_recursion(). */
	smp_store_release(&recursed_stopped, false);
}
