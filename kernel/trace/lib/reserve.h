/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A worker that refills a reserve. It is queued by code that takes from the reserve in any
 * context, NMI included, where it cannot allocate memory.
 *
 * The worker is queued once, not each time that an element is taken: the interrupt of an
 * irq_work calls traced functions, which may take more, and would be raised again without end.
 */
#ifndef _TRACE_LIB_RESERVE_H
#define _TRACE_LIB_RESERVE_H

#include <linux/atomic.h>
#include <linux/irq_work.h>
#include <linux/workqueue.h>

/**
 * struct reserve_worker - the worker
 * @work: refills the reserve, and calls reserve_begin() first
 * @irq_work: queues @work
 * @called: @work was requested, and has not begun since
 */
struct reserve_worker {
	struct work_struct	work;
	struct irq_work		irq_work;
	bool			called;
};

static inline void reserve_queue(struct irq_work *irq_work)
{
	queue_work(system_unbound_wq,
		   &container_of(irq_work, struct reserve_worker, irq_work)->work);
}

#define RESERVE_WORKER_INIT(refill, func)				\
	{								\
		.work		= __WORK_INITIALIZER((refill).work, func),	\
		.irq_work	= IRQ_WORK_INIT(reserve_queue),		\
	}

/* reserve_kick - report that an element was taken, or was missing; any context */
static inline void reserve_kick(struct reserve_worker *refill)
{
	/* Taking the element comes before the flag: pairs with smp_mb() in reserve_begin(). */
	smp_mb();
	if (!READ_ONCE(refill->called) && !xchg(&refill->called, true))
		irq_work_queue(&refill->irq_work);
}

/*
 * reserve_begin - begin to refill: the worker reads the reserve from here on
 *
 * An element that it does not see as taken causes another call: pairs with smp_mb() in
 * reserve_kick().
 */
static inline void reserve_begin(struct reserve_worker *refill)
{
	WRITE_ONCE(refill->called, false);
	/* Clear the flag before the worker reads the reserve. */
	smp_mb();
}

#endif /* _TRACE_LIB_RESERVE_H */
