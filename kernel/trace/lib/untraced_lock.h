/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A spinlock that is taken with interrupts off and that is invisible to lockdep and to tracers
 * of interrupts, preemption and locks, so that code that they call can use it.
 *
 *	guard(untraced_lock)(&lock);
 *
 * Any context except NMI. A lock that lockdep tracks may be taken inside only if interrupts were
 * off before.
 */
#ifndef _TRACE_LIB_UNTRACED_LOCK_H
#define _TRACE_LIB_UNTRACED_LOCK_H

#include <linux/cleanup.h>
#include <linux/irqflags.h>
#include <linux/spinlock.h>

static inline unsigned long untraced_lock(arch_spinlock_t *lock)
{
	unsigned long flags;

	raw_local_irq_save(flags);
	arch_spin_lock(lock);

	return flags;
}

static inline void untraced_unlock(arch_spinlock_t *lock, unsigned long flags)
{
	arch_spin_unlock(lock);
	raw_local_irq_restore(flags);
}

DEFINE_LOCK_GUARD_1(untraced_lock, arch_spinlock_t,
		    _T->flags = untraced_lock(_T->lock),
		    untraced_unlock(_T->lock, _T->flags),
		    unsigned long flags)

#endif /* _TRACE_LIB_UNTRACED_LOCK_H */
