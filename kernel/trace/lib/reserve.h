/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A worker that fills up a reserve, called by those who take from the reserve: in any
 * context, NMI included, where nothing can be allocated.
 *
 * It is called once, not each time that something is taken: the interrupt of an irq_work
 * calls traced functions, which may take more, and would come again without end.
 */
#ifndef _TRACE_LIB_RESERVE_H
#define _TRACE_LIB_RESERVE_H

#include <linux/atomic.h>
#include <linux/irq_work.h>
#include <linux/workqueue.h>

/**
 * struct reserve_worker - the worker
 * @work: fills up the reserve, and calls reserve_begin() first
 * @irq_work: queues @work
 * @called: @work was called, and has not begun since
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

/* reserve_kick - something was taken, or nothing was left to take; any context */
static inline void reserve_kick(struct reserve_worker *refill)
{
	/* What was taken before the flag: pairs with smp_mb() in reserve_begin(). */
	smp_mb();
	if (!READ_ONCE(refill->called) && !xchg(&refill->called, true))
		irq_work_queue(&refill->irq_work);
}

/*
 * reserve_begin - the worker looks at the reserve from here on. What it does not see as
 * taken makes another call: pairs with smp_mb() in reserve_kick().
 */
static inline void reserve_begin(struct reserve_worker *refill)
{
	WRITE_ONCE(refill->called, false);
	/* The flag before what the worker reads of the reserve. */
	smp_mb();
}

#endif /* _TRACE_LIB_RESERVE_H */
